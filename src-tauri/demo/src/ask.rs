//! The questions that this server asks its client, as requests without ids.

use std::borrow::Cow;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::dialog::Question;
use crate::offers::media;

const ELICIT: &str = "elicitation/create";
const SAMPLE: &str = "sampling/createMessage";

/// A form of one tick.
pub(crate) fn confirm(what: &str) -> Question {
    let params = json!({
        "mode": "form",
        "message": format!("Shall I give you {what}?"),
        "requestedSchema": {
            "type": "object",
            "properties": { "yes": { "type": "boolean", "title": "Yes", "default": true } },
            "required": ["yes"]
        }
    });
    ("confirm".into(), ELICIT, params)
}

/// A form of one number.
pub(crate) fn pick(key: impl Into<Cow<'static, str>>, message: &str) -> Question {
    let params = json!({
        "mode": "form",
        "message": message,
        "requestedSchema": {
            "type": "object",
            "properties": { "number": { "type": "integer", "title": "Number", "minimum": 1, "maximum": 100, "default": 7 } },
            "required": ["number"]
        }
    });
    (key.into(), ELICIT, params)
}

/// A form with each kind of field that a revision has. `rich`: since 2025-11-25 there are titled enums, lists of choices, and
/// defaults of every kind.
pub(crate) fn form(rich: bool) -> Question {
    let mut properties = json!({
        "name": { "type": "string", "title": "Name", "description": "Who the table is for", "minLength": 1, "maxLength": 40 },
        "mail": { "type": "string", "title": "E-mail", "format": "email" },
        "site": { "type": "string", "title": "Web page", "format": "uri" },
        "day": { "type": "string", "title": "Day", "format": "date" },
        "arrival": { "type": "string", "title": "Arrival", "format": "date-time" },
        "guests": { "type": "integer", "title": "Guests", "minimum": 1, "maximum": 8 },
        "budget": { "type": "number", "title": "Budget", "description": "In euros, for all", "minimum": 0.5, "maximum": 999.5 },
        "terrace": { "type": "boolean", "title": "On the terrace", "default": false },
        "size": { "type": "string", "title": "Portions", "enum": ["s", "l"], "enumNames": ["Small", "Large"] },
        "seat": { "type": "string", "title": "Seat", "enum": ["window", "aisle"] }
    });
    if rich {
        properties["guests"]["default"] = json!(2);
        properties["budget"]["default"] = json!(95.5);
        properties["seat"]["default"] = json!("aisle");
        properties["area"] = json!({
            "type": "string", "title": "Area", "default": "in",
            "oneOf": [{ "const": "in", "title": "Inside" }, { "const": "out", "title": "Outside" }]
        });
        properties["diet"] = json!({
            "type": "array", "title": "Diet", "minItems": 1, "maxItems": 2,
            "items": { "anyOf": [
                { "const": "v", "title": "Vegan" }, { "const": "g", "title": "No gluten" }, { "const": "n", "title": "Nothing special" }
            ] },
            "default": ["n"]
        });
        properties["days"] = json!({
            "type": "array", "title": "Other days that fit",
            "items": { "type": "string", "enum": ["mon", "tue", "wed"] }
        });
    }
    let params = json!({
        "mode": "form",
        "message": "A table, for whom and when?",
        "requestedSchema": { "type": "object", "properties": properties, "required": ["name", "guests"] }
    });
    ("form".into(), ELICIT, params)
}

/// A page to be visited. `id`: what a legacy server names it by.
pub(crate) fn url(url: &str, id: Option<&str>) -> Question {
    let mut params = json!({
        "mode": "url",
        "message": "Sign in there, then come back",
        "url": url
    });
    if let Some(id) = id {
        params["elicitationId"] = json!(id);
    }
    ("page".into(), ELICIT, params)
}

/// A prompt for the model.
pub(crate) fn sample(text: &str) -> Question {
    let params = json!({
        "messages": [{ "role": "user", "content": { "type": "text", "text": text } }],
        "systemPrompt": "You are terse.",
        "modelPreferences": { "hints": [{ "name": "small" }], "costPriority": 0.9, "speedPriority": 0.5, "intelligencePriority": 0.1 },
        "temperature": 0.5,
        "stopSequences": ["END"],
        "maxTokens": 200
    });
    ("sample".into(), SAMPLE, params)
}

/// A prompt with an image and a sound.
pub(crate) fn sample_media() -> Question {
    let params = json!({
        "messages": [
            { "role": "user", "content": { "type": "text", "text": "What do you see and hear?" } },
            { "role": "user", "content": { "type": "image", "data": BASE64_STANDARD.encode(media::ICON), "mimeType": "image/png" } },
            { "role": "user", "content": { "type": "audio", "data": BASE64_STANDARD.encode(media::tone()), "mimeType": "audio/wav" } }
        ],
        "maxTokens": 100
    });
    ("sample".into(), SAMPLE, params)
}

/// A prompt with a tool that the model may use. `messages`: the conversation so far.
pub(crate) fn sample_with_tools(turn: usize, messages: &[Value]) -> Question {
    let params = json!({
        "messages": messages,
        "tools": [{
            "name": "stock",
            "description": "How many of an article are in stock",
            "inputSchema": { "type": "object", "properties": { "sku": { "type": "string" } }, "required": ["sku"] }
        }],
        "toolChoice": { "mode": "auto" },
        "maxTokens": 300
    });
    (format!("turn-{turn}").into(), SAMPLE, params)
}

/// The folders to work in.
pub(crate) fn roots() -> Question {
    ("roots".into(), "roots/list", json!({}))
}
