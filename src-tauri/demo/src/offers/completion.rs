//! Completion of the arguments of prompts and templates.

use rmcp::ErrorData;
use rmcp::model::{ArgumentInfo, CompletionContext, Reference};

use super::prompts::PLAN;
use super::resources::{ORDER_TEMPLATE, WEATHER_TEMPLATE};

/// Cities that completion offers. The weather tool knows any place.
const CITIES: [&str; 12] = [
    "Amsterdam",
    "Berlin",
    "Buenos Aires",
    "Cairo",
    "Lagos",
    "Lisbon",
    "London",
    "Mumbai",
    "New York",
    "San Francisco",
    "São Paulo",
    "Tokyo",
];
const PACES: [&str; 3] = ["relaxed", "moderate", "packed"];
/// What each region sells.
const REGIONS: [(&str, &[&str]); 3] = [
    ("eu", &["eu-anvil", "eu-bolt"]),
    ("us", &["us-anvil", "us-rope"]),
    ("asia", &["asia-lamp"]),
];

/// The values for an argument that start with what was typed, whatever their case.
pub(crate) fn complete(
    reference: &Reference,
    argument: &ArgumentInfo,
    context: Option<&CompletionContext>,
) -> Result<Vec<String>, ErrorData> {
    let (prompt, template) = (reference.as_prompt_name(), reference.as_resource_uri());
    let values: Vec<&str> = match (prompt, template, argument.name.as_str()) {
        (Some(PLAN), None, "city") | (None, Some(WEATHER_TEMPLATE), "city") => CITIES.to_vec(),
        (Some(PLAN), None, "pace") => PACES.to_vec(),
        (None, Some(ORDER_TEMPLATE), "region") => {
            REGIONS.iter().map(|(region, _)| *region).collect()
        }
        (None, Some(ORDER_TEMPLATE), "sku") => {
            let chosen = context.and_then(|context| context.get_argument("region"));
            let sells =
                |region: &&(&str, &[&'static str])| chosen.is_none_or(|chosen| chosen == region.0);
            REGIONS
                .iter()
                .filter(sells)
                .flat_map(|(_, skus)| skus.iter().copied())
                .collect()
        }
        _ => {
            let message = format!(
                "nothing to complete: no argument {:?} of {reference:?}",
                argument.name
            );
            return Err(ErrorData::invalid_params(message, None));
        }
    };
    let typed = argument.value.to_lowercase();
    Ok(values
        .into_iter()
        .filter(|value| value.to_lowercase().starts_with(&typed))
        .map(ToOwned::to_owned)
        .collect())
}
