//! Resources, the resource template, the prompt, and completion of their arguments.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rmcp::ErrorData;
use rmcp::model::{
    Annotations, ArgumentInfo, GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage,
    ReadResourceResult, Reference, Resource, ResourceContents, ResourceTemplate, Role,
};
use serde_json::{Value, json};

use crate::tools::weather;

pub(crate) const ICON: &[u8] = include_bytes!("../../../icons/64x64.png");
const GUIDE: &str = include_str!("guide.md");

const GUIDE_URI: &str = "demo://guide";
const ICON_URI: &str = "demo://icon";
const WEATHER_URI: &str = "demo://weather/";
const WEATHER_TEMPLATE: &str = "demo://weather/{city}";
const PROMPT: &str = "plan-a-day";

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

pub(crate) fn guide() -> Resource {
    Resource::new(GUIDE_URI, "guide")
        .with_title("Guide to this server")
        .with_description("What each tool, resource and prompt of this server is for")
        .with_mime_type("text/markdown")
        .with_size(GUIDE.len() as u64)
        .with_annotations(
            Annotations::default()
                .with_audience(vec![Role::User])
                .with_priority(0.8),
        )
}

pub(crate) fn resources() -> Vec<Resource> {
    let icon = Resource::new(ICON_URI, "icon")
        .with_title("Icon")
        .with_description("An image of 64 by 64 pixels: a resource that is not text")
        .with_mime_type("image/png")
        .with_size(ICON.len() as u64);
    vec![guide(), icon]
}

pub(crate) fn templates() -> Vec<ResourceTemplate> {
    vec![
        ResourceTemplate::new(WEATHER_TEMPLATE, "weather")
            .with_title("Weather of a city")
            .with_description(
                "The report of the weather tool in metric units, as JSON. `city` can be completed.",
            )
            .with_mime_type("application/json"),
    ]
}

pub(crate) fn read(uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let contents = match uri {
        GUIDE_URI => ResourceContents::text(GUIDE, uri).with_mime_type("text/markdown"),
        ICON_URI => {
            ResourceContents::blob(BASE64_STANDARD.encode(ICON), uri).with_mime_type("image/png")
        }
        other => {
            let city = other
                .strip_prefix(WEATHER_URI)
                .and_then(percent_decode)
                .filter(|city| !city.is_empty());
            let Some(city) = city else {
                let message =
                    format!("no resource {uri:?}: see resources/list and resources/templates/list");
                return Err(ErrorData::resource_not_found(
                    message,
                    Some(json!({ "uri": uri })),
                ));
            };
            let report = weather::report(&city, weather::Units::Metric);
            ResourceContents::text(report.to_string(), uri).with_mime_type("application/json")
        }
    };
    Ok(ReadResourceResult::new(vec![contents]))
}

/// The text that `%XX` escapes stand for; `None` where they are broken or no UTF-8.
fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
    }
    String::from_utf8(bytes).ok()
}

pub(crate) fn prompts() -> Vec<Prompt> {
    let city = PromptArgument::new("city")
        .with_title("City")
        .with_description("Where the day is spent. Can be completed.")
        .with_required(true);
    let pace = PromptArgument::new("pace")
        .with_title("Pace")
        .with_description("relaxed, moderate or packed. Can be completed. Default: moderate.")
        .with_required(false);
    vec![
        Prompt::new(
            PROMPT,
            Some("Asks for a plan for one day in a city that fits the weather there"),
            Some(vec![city, pace]),
        )
        .with_title("Plan a day"),
    ]
}

pub(crate) fn prompt(name: &str, arguments: &JsonObject) -> Result<GetPromptResult, ErrorData> {
    if name != PROMPT {
        return Err(ErrorData::invalid_params(
            format!("no prompt {name:?}: see prompts/list"),
            None,
        ));
    }
    let city = text_argument(arguments, "city")?
        .filter(|city| !city.is_empty())
        .ok_or_else(|| ErrorData::invalid_params("the argument `city` is required", None))?;
    let pace = text_argument(arguments, "pace")?.unwrap_or("moderate");
    let report = weather::report(city, weather::Units::Metric).to_string();
    let uri = format!(
        "{WEATHER_URI}{}",
        city.replace('%', "%25").replace(' ', "%20")
    );
    let weather = ResourceContents::text(report, uri).with_mime_type("application/json");
    Ok(GetPromptResult::new(vec![
        PromptMessage::new_text(Role::User, format!("Plan one {pace} day in {city}. The weather is attached: let it decide what is outdoors.")),
        PromptMessage::new(Role::User, rmcp::model::ContentBlock::resource(weather)),
    ])
    .with_description(format!("A {pace} day in {city}")))
}

fn text_argument<'a>(arguments: &'a JsonObject, name: &str) -> Result<Option<&'a str>, ErrorData> {
    match arguments.get(name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(ErrorData::invalid_params(
            format!("the argument `{name}` must be a string; got {other}"),
            None,
        )),
    }
}

/// The values for an argument that start with what was typed, whatever their case.
pub(crate) fn complete(
    reference: &Reference,
    argument: &ArgumentInfo,
) -> Result<Vec<String>, ErrorData> {
    let values: &[&str] = match (
        reference.as_prompt_name(),
        reference.as_resource_uri(),
        argument.name.as_str(),
    ) {
        (Some(PROMPT), None, "city") | (None, Some(WEATHER_TEMPLATE), "city") => &CITIES,
        (Some(PROMPT), None, "pace") => &PACES,
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
        .iter()
        .filter(|value| value.to_lowercase().starts_with(&typed))
        .map(|&value| value.to_owned())
        .collect())
}
