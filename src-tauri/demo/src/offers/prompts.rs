//! The prompts.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rmcp::ErrorData;
use rmcp::model::{
    ContentBlock, GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage,
    ResourceContents, Role,
};
use serde_json::Value;

use super::media;
use super::resources::{WEATHER_URI, guide};
use crate::ask;
use crate::dialog::{Dialog, Stop};
use crate::tools::weather;

pub(super) const PLAN: &str = "plan-a-day";

/// `extra`: whether the one that comes and goes is there.
pub(crate) fn prompts(extra: bool) -> Vec<Prompt> {
    let city = PromptArgument::new("city")
        .with_title("City")
        .with_description("Where the day is spent. Can be completed.")
        .with_required(true);
    let pace = PromptArgument::new("pace")
        .with_title("Pace")
        .with_description("relaxed, moderate or packed. Can be completed. Default: moderate.")
        .with_required(false);
    let mut all = vec![
        Prompt::new(
            PLAN,
            Some("Asks for a plan for one day in a city that fits the weather there"),
            Some(vec![city, pace]),
        )
        .with_title("Plan a day"),
        Prompt::new("all-contents", Some("A conversation with each kind of content: text, image, sound, link, embedded text and blob"), None)
            .with_title("All contents"),
        Prompt::new("guarded", Some("Given only after a question is answered"), None).with_title("Guarded"),
    ];
    if extra {
        all.push(
            Prompt::new(
                "extra",
                Some("There until the tool `change-list` takes it away"),
                None,
            )
            .with_title("Extra"),
        );
    }
    all
}

pub(crate) async fn prompt(
    name: &str,
    arguments: &JsonObject,
    extra: bool,
    mut dialog: Dialog<'_>,
) -> Result<GetPromptResult, Stop> {
    match name {
        PLAN => Ok(plan(arguments)?),
        "all-contents" => Ok(all_contents()),
        "guarded" => {
            let answer = dialog.ask_one(ask::confirm("the prompt `guarded`")).await?;
            let text = format!("Say in one word what this answer means: {answer}");
            Ok(GetPromptResult::new(vec![PromptMessage::new_text(
                Role::User,
                text,
            )]))
        }
        "extra" if extra => Ok(GetPromptResult::new(vec![PromptMessage::new_text(
            Role::User,
            "Extra!",
        )])),
        _ => Err(
            ErrorData::invalid_params(format!("no prompt {name:?}: see prompts/list"), None).into(),
        ),
    }
}

fn plan(arguments: &JsonObject) -> Result<GetPromptResult, ErrorData> {
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
        PromptMessage::new(Role::User, ContentBlock::resource(weather)),
    ])
    .with_description(format!("A {pace} day in {city}")))
}

fn all_contents() -> GetPromptResult {
    let table = ResourceContents::text("sku,quantity\nAB-1234,2\n", "demo://orders/7")
        .with_mime_type("text/csv");
    let bytes = ResourceContents::blob(BASE64_STANDARD.encode(media::bytes()), "demo://bytes")
        .with_mime_type("application/octet-stream");
    let user = |content| PromptMessage::new(Role::User, content);
    GetPromptResult::new(vec![
        user(ContentBlock::text(
            "What do these have in common?\n\n* a list\n* in Markdown",
        )),
        user(ContentBlock::image(
            BASE64_STANDARD.encode(media::ICON),
            "image/png",
        )),
        user(ContentBlock::audio(
            BASE64_STANDARD.encode(media::tone()),
            "audio/wav",
        )),
        user(ContentBlock::resource_link(guide())),
        user(ContentBlock::resource(table)),
        user(ContentBlock::resource(bytes)),
        PromptMessage::new_text(Role::Assistant, "All of them are contents of this prompt."),
    ])
    .with_description("Each kind of content, in one conversation")
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
