//! Tools whose results hold each kind of content.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rmcp::model::{
    Annotations, CallToolResult, ContentBlock, ResourceContents, Role, TextContent, Tool,
    ToolAnnotations,
};
use rmcp::object;

use crate::offers;

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
        BASE64_STANDARD.encode(tone()),
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
    ContentBlock::image(BASE64_STANDARD.encode(offers::ICON), "image/png")
}

/// A WAV file: 8-bit mono at 8 kHz, a quarter of a second.
fn tone() -> Vec<u8> {
    const RATE: u32 = 8_000;
    const SAMPLES: u32 = RATE / 4;
    let mut wav = Vec::new();
    wav.extend(b"RIFF");
    wav.extend((36 + SAMPLES).to_le_bytes());
    wav.extend(b"WAVEfmt ");
    wav.extend(16_u32.to_le_bytes());
    wav.extend(1_u16.to_le_bytes());
    wav.extend(1_u16.to_le_bytes());
    wav.extend(RATE.to_le_bytes());
    wav.extend(RATE.to_le_bytes());
    wav.extend(1_u16.to_le_bytes());
    wav.extend(8_u16.to_le_bytes());
    wav.extend(b"data");
    wav.extend(SAMPLES.to_le_bytes());
    wav.extend((0..SAMPLES).map(|i| {
        let phase = f64::from(i) / f64::from(RATE) * 440.0 * std::f64::consts::TAU;
        (128.0 + 80.0 * phase.sin()) as u8
    }));
    wav
}
