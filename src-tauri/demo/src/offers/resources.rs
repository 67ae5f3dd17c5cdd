//! The resources and the resource templates.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rmcp::ErrorData;
use rmcp::model::{
    Annotations, Icon, ReadResourceResult, Resource, ResourceContents, ResourceTemplate, Role,
};
use serde_json::{Value, json};

use super::{media, skills};
use crate::dialog::{Dialog, Stop};
use crate::tools::weather;
use crate::{ask, server::Demo};

const GUIDE: &str = include_str!("guide.md");
const GUIDE_URI: &str = "demo://guide";
/// The resource that changes, for whoever subscribes to it.
pub(crate) const COUNTER_URI: &str = "demo://counter";
const GUARDED_URI: &str = "demo://guarded";
const EXTRA_URI: &str = "demo://extra";
pub(super) const WEATHER_URI: &str = "demo://weather/";
pub(super) const WEATHER_TEMPLATE: &str = "demo://weather/{city}";
pub(super) const ORDER_TEMPLATE: &str = "demo://orders/{region}/{sku}";
/// What begins a URI that one of the other templates gives.
const EXPANDED: [&str; 4] = [
    "demo://orders/",
    "demo://search",
    "demo://files/",
    "demo://list",
];
const NOTES: usize = 24;
/// Lines of 64 bytes in the big text: 1 MiB.
const BIG_LINES: usize = 16 * 1_024;
const JSON: &str = r#"{"id":9007199254740993,"price":1.50,"lines":[{"sku":"AB-1234","quantity":2},{"sku":"XY-9","quantity":1}],"note":null}"#;
const TEXT: &str = "Plain text, in two lines.\nΕλληνικά, 日本語, עברית, 👩‍🚀.\n";

/// The kinds of contents that need nothing but their bytes.
enum File {
    Text(&'static str, &'static str),
    Blob(&'static str, fn() -> Vec<u8>),
}

/// URI, title, description and contents.
const FILES: [(&str, &str, &str, File); 9] = [
    (
        "demo://text",
        "Plain text",
        "Two lines of text in several scripts",
        File::Text("text/plain", TEXT),
    ),
    (
        "demo://order.json",
        "JSON",
        "An order, with a number that a double does not hold",
        File::Text("application/json", JSON),
    ),
    (
        "demo://page.html",
        "HTML",
        "A page with scripts, which must not run",
        File::Text("text/html", media::PAGE),
    ),
    (
        "demo://drawing.svg",
        "SVG",
        "A drawing with a script, which must not run",
        File::Text("image/svg+xml", media::DRAWING),
    ),
    (
        "demo://icon",
        "Image",
        "A PNG of 64 by 64 pixels",
        File::Blob("image/png", || media::ICON.to_vec()),
    ),
    (
        "demo://tone",
        "Sound",
        "A WAV of a quarter of a second",
        File::Blob("audio/wav", media::tone),
    ),
    (
        "demo://paper.pdf",
        "PDF",
        "One page with one line",
        File::Blob("application/pdf", media::paper),
    ),
    (
        "demo://bytes",
        "Bytes",
        "Every byte value four times, of no known type",
        File::Blob("application/octet-stream", media::bytes),
    ),
    (
        "demo://big",
        "Big text",
        "1 MiB of numbered lines",
        File::Text("text/plain", ""),
    ),
];

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

/// `extra`: whether the one that comes and goes is there.
pub(crate) fn resources(extra: bool) -> Vec<Resource> {
    let icon = format!(
        "data:image/png;base64,{}",
        BASE64_STANDARD.encode(media::ICON)
    );
    let mut all = vec![guide()];
    all.extend(FILES.iter().map(|(uri, title, description, file)| {
        let (mime, size) = match file {
            File::Text(mime, _) if *uri == "demo://big" => (mime, BIG_LINES * 64),
            File::Text(mime, text) => (mime, text.len()),
            File::Blob(mime, bytes) => (mime, bytes().len()),
        };
        described(uri, title, description)
            .with_mime_type(*mime)
            .with_size(size as u64)
    }));
    all.push(
        described(
            COUNTER_URI,
            "Counter",
            "A number that the tool `touch-resource` raises. Subscribe to it to be told.",
        )
        .with_mime_type("application/json")
        .with_icons(vec![
            Icon::new(icon)
                .with_mime_type("image/png")
                .with_sizes(vec!["64x64".to_owned()]),
        ]),
    );
    all.push(
        described(
            GUARDED_URI,
            "Guarded",
            "Read only after a question is answered",
        )
        .with_mime_type("text/plain"),
    );
    all.push(described(
        "demo://folder",
        "Folder",
        "Several contents in one answer: a text and a blob",
    ));
    all.extend((1..=NOTES).map(|n| {
        described(
            &format!("demo://notes/{n}"),
            &format!("Note {n}"),
            "One of many, so that the list has pages",
        )
        .with_mime_type("text/plain")
    }));
    if extra {
        all.push(described(
            EXTRA_URI,
            "Extra",
            "There until the tool `change-list` takes it away",
        ));
    }
    all
}

fn described(uri: &str, title: &str, description: &str) -> Resource {
    let name = uri.trim_start_matches("demo://").to_owned();
    Resource::new(uri, name)
        .with_title(title)
        .with_description(description)
}

pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let template = |uri: &str, name: &str, title: &str, description: &str| {
        ResourceTemplate::new(uri, name)
            .with_title(title)
            .with_description(description)
            .with_mime_type("application/json")
    };
    vec![
        template(
            WEATHER_TEMPLATE,
            "weather",
            "Weather of a city",
            "The report of the weather tool in metric units, as JSON. `city` can be completed.",
        ),
        template(
            ORDER_TEMPLATE,
            "order",
            "Order",
            "Two variables. `sku` completes to what the chosen `region` has.",
        ),
        template(
            "demo://search{?q,limit}",
            "search",
            "Search",
            "A query of optional variables; answers with the URI that came",
        ),
        template(
            "demo://files/{+path}",
            "file",
            "File",
            "A reserved expansion, whose slashes stay; answers with the URI that came",
        ),
        template(
            "demo://list{/segments*}{#fragment}",
            "list",
            "List",
            "A list as path segments, and a fragment; answers with the URI that came",
        ),
    ]
}

pub(crate) async fn read(
    demo: &Demo,
    uri: &str,
    mut dialog: Dialog<'_>,
) -> Result<ReadResourceResult, Stop> {
    if let Some((.., file)) = FILES.iter().find(|(known, ..)| *known == uri) {
        let contents = match file {
            File::Text(mime, _) if uri == "demo://big" => {
                ResourceContents::text(lines(BIG_LINES), uri).with_mime_type(*mime)
            }
            File::Text(mime, text) => ResourceContents::text(*text, uri).with_mime_type(*mime),
            File::Blob(mime, bytes) => {
                ResourceContents::blob(BASE64_STANDARD.encode(bytes()), uri).with_mime_type(*mime)
            }
        };
        return Ok(ReadResourceResult::new(vec![contents]));
    }
    let json = |value: &Value| {
        ResourceContents::text(value.to_string(), uri).with_mime_type("application/json")
    };
    let contents = match uri {
        GUIDE_URI => vec![ResourceContents::text(GUIDE, uri).with_mime_type("text/markdown")],
        COUNTER_URI => vec![json(&json!({ "count": demo.hub.counter() }))],
        GUARDED_URI => {
            let answer = dialog.ask_one(ask::confirm("read demo://guarded")).await?;
            let text = format!("You answered {answer}.\n");
            vec![ResourceContents::text(text, uri).with_mime_type("text/plain")]
        }
        EXTRA_URI if demo.extra() => vec![ResourceContents::text("extra\n", uri)],
        skills::URI => {
            vec![ResourceContents::text(skills::TEXT, uri).with_mime_type("text/markdown")]
        }
        "demo://folder" => vec![
            ResourceContents::text(TEXT, "demo://folder/text").with_mime_type("text/plain"),
            ResourceContents::blob(
                BASE64_STANDARD.encode(media::bytes()),
                "demo://folder/bytes",
            )
            .with_mime_type("application/octet-stream"),
        ],
        other => {
            vec![expanded(other).map_or_else(|| Err(not_found(other)), |value| Ok(json(&value)))?]
        }
    };
    Ok(ReadResourceResult::new(contents))
}

fn expanded(uri: &str) -> Option<Value> {
    if let Some(city) = uri.strip_prefix(WEATHER_URI) {
        let city = percent_decode(city).filter(|city| !city.is_empty())?;
        return Some(weather::report(&city, weather::Units::Metric));
    }
    if let Some(n) = uri.strip_prefix("demo://notes/") {
        let n: usize = n.parse().ok()?;
        return (1..=NOTES).contains(&n).then(|| json!({ "note": n }));
    }
    EXPANDED
        .iter()
        .any(|start| uri.starts_with(start))
        .then(|| json!({ "received": uri }))
}

fn not_found(uri: &str) -> ErrorData {
    let message = format!("no resource {uri:?}: see resources/list and resources/templates/list");
    ErrorData::resource_not_found(message, Some(json!({ "uri": uri })))
}

/// Numbered lines of 64 bytes.
pub(crate) fn lines(count: usize) -> String {
    let mut text = String::with_capacity(count * 64);
    for line in 0..count {
        text.push_str(&format!(
            "{line:>10}  The quick brown fox jumps over the lazy dog.......\n"
        ));
    }
    text
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
