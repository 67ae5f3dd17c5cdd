//! Tools whose results hold each kind of content.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rmcp::model::{
    Annotations, CallToolResult, ContentBlock, ResourceContents, Role, TextContent, Tool,
    ToolAnnotations,
};
use rmcp::object;

use crate::offers::{self, media};

pub(super) fn tools() -> Vec<Tool> {
    [
        ("image", "Image", "Return an image: PNG, 64 by 64 pixels"),
        (
            "audio",
            "Audio",
            "Return a sound: WAV, a quarter of a second at 440 Hz",
        ),
        (
            "resource-link",
            "Resource link",
            "Return a link to a resource of this server, which the client may read",
        ),
        (
            "mixed-content",
            "Mixed content",
            "Return text for the user only, text, an image, a link and an embedded resource",
        ),
    ]
    .into_iter()
    .map(|(name, title, description)| {
        Tool::new(
            name,
            description,
            object!({ "type": "object", "additionalProperties": false }),
        )
        .with_title(title)
        .with_annotations(
            ToolAnnotations::new()
                .read_only(true)
                .idempotent(true)
                .open_world(false),
        )
    })
    .collect()
}

pub(super) fn image() -> CallToolResult {
    CallToolResult::success(vec![icon()])
}

pub(super) fn audio() -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::audio(
        BASE64_STANDARD.encode(media::tone()),
        "audio/wav",
    )])
}

pub(super) fn resource_link() -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::resource_link(offers::guide())])
}

pub(super) fn mixed() -> CallToolResult {
    let for_user = Annotations::default()
        .with_audience(vec![Role::User])
        .with_priority(1.0);
    let contents = ResourceContents::text("sku,quantity\nAB-1234,2\n", "demo://orders/7")
        .with_mime_type("text/csv");
    CallToolResult::success(vec![
        ContentBlock::Text(
            TextContent::new("This block is annotated: it is for the user.")
                .with_annotations(for_user),
        ),
        ContentBlock::text(
            "This one has no annotations. Line two is here:\n\ttab, “quotes”, Ελληνικά, 日本語, 👩‍🚀.",
        ),
        icon(),
        ContentBlock::resource_link(offers::guide()),
        ContentBlock::resource(contents),
    ])
}

fn icon() -> ContentBlock {
    ContentBlock::image(BASE64_STANDARD.encode(media::ICON), "image/png")
}
