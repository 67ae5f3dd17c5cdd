//! What a frame says: the part that tells it from others of its method.

use super::Line;
use super::json::Json;
use crate::protocol::{Envelope, Kind};

pub(super) fn preview(line: &mut Line, envelope: &Envelope, text: &str) {
    let message = Json::new(text);
    match envelope.kind {
        Kind::Request | Kind::Notification => {
            if let (Some(method), Some(params)) = (&envelope.method, message.get("params")) {
                params_of(line, method, params);
            }
        }
        Kind::Result => {
            if let Some(value) = message.get("result") {
                result(line, value, message);
            }
        }
        Kind::Error => {
            if let Some(value) = message.get("error") {
                error(line, value);
            }
        }
        Kind::Batch => batch(line, envelope),
        Kind::Malformed => {}
    }
}

fn params_of(line: &mut Line, method: &str, params: Json<'_>) {
    let get = |name| params.get(name);
    match method {
        "tools/call" | "prompts/get" if get("name").is_some() => {
            plain(line, get("name"));
            if let Some(arguments) = get("arguments") {
                line.text(" ");
                line.chars(arguments.compact());
            }
        }
        "resources/read"
        | "resources/subscribe"
        | "resources/unsubscribe"
        | "notifications/resources/updated" => {
            plain(line, get("uri"));
        }
        "initialize" => implementation(line, get("protocolVersion"), get("clientInfo")),
        "notifications/progress" => progress(line, params),
        "notifications/message" => log_message(line, params),
        "notifications/cancelled" => {
            labelled(line, "id ", get("requestId"));
            plain(line.next(), get("reason"));
        }
        _ => members(line, params),
    }
}

fn progress(line: &mut Line, params: Json<'_>) {
    plain(line, params.get("progress"));
    labelled(line, "/", params.get("total"));
    if let Some(message) = params.get("message") {
        line.text(" ");
        plain(line, Some(message));
    }
    if let Some(token) = params.get("progressToken") {
        line.next().text("token ");
        plain(line, Some(token));
    }
}

fn log_message(line: &mut Line, params: Json<'_>) {
    plain(line, params.get("level"));
    labelled(line, " ", params.get("logger"));
    labelled(line, ": ", params.get("data"));
}

fn result(line: &mut Line, result: Json<'_>, message: Json<'_>) {
    if result.get("protocolVersion").is_some() && result.get("serverInfo").is_some() {
        return implementation(
            line,
            result.get("protocolVersion"),
            result.get("serverInfo"),
        );
    }
    if let Some(versions) = result.get("supportedVersions") {
        let server = result
            .get("_meta")
            .and_then(|meta| meta.get("io.modelcontextprotocol/serverInfo"));
        return implementation(line, Some(versions), server.or(result.get("serverInfo")));
    }
    if let Some(requests) = result.get("inputRequests") {
        line.text("input required");
        for (n, (key, request)) in requests.members().enumerate() {
            line.text(if n == 0 { ": " } else { ", " });
            line.text(key);
            labelled(line, " ", request.get("method"));
        }
        return;
    }
    if let Some(structured) = result.get("structuredContent") {
        return line.chars(structured.compact());
    }
    for name in ["content", "contents", "messages"] {
        if let Some(blocks) = result
            .get(name)
            .filter(|value| value.text().starts_with('['))
        {
            return blocks.items().for_each(|block| content(line, block));
        }
    }
    for (name, one) in [
        ("tools", "tool"),
        ("prompts", "prompt"),
        ("resources", "resource"),
        ("resourceTemplates", "template"),
    ] {
        if let Some(list) = result
            .get(name)
            .filter(|value| value.text().starts_with('['))
        {
            // Where the end of the message is not in sight, neither is that of the list.
            return names(line, list, one, message.text().ends_with('}'));
        }
    }
    members(line, result);
}

fn error(line: &mut Line, error: Json<'_>) {
    if error.get("code").or(error.get("message")).is_none() {
        return line.chars(error.compact());
    }
    plain(line, error.get("code"));
    labelled(line, " ", error.get("message"));
    if let Some(data) = error.get("data") {
        plain(line.next(), Some(data));
    }
}

fn batch(line: &mut Line, envelope: &Envelope) {
    line.text(&format!("{} messages: ", envelope.items.len()));
    for (n, item) in envelope.items.iter().enumerate() {
        if line.is_full() {
            return;
        }
        line.text(if n == 0 { "" } else { ", " });
        line.text(item.method.as_deref().unwrap_or(item.kind.as_str()));
    }
}

/// `NAME VERSION · REVISION`.
fn implementation(line: &mut Line, revision: Option<Json<'_>>, who: Option<Json<'_>>) {
    if let Some(who) = who {
        plain(line, who.get("name"));
        labelled(line, " ", who.get("version"));
    }
    plain(line.next(), revision);
}

/// A block of content, an item of `contents` or a message of a prompt.
fn content(line: &mut Line, block: Json<'_>) {
    if line.is_full() {
        return;
    }
    line.next();
    if let Some(role) = block.get("role") {
        plain(line, Some(role));
        line.text(": ");
    }
    let block = block
        .get("content")
        .filter(|content| content.text().starts_with('{'))
        .unwrap_or(block);
    if block.get("text").is_some() {
        return plain(line, block.get("text"));
    }
    let resource = block.get("resource").unwrap_or(block);
    line.text("[");
    plain(line, block.get("type"));
    for name in ["mimeType", "uri"] {
        if let Some(value) = resource.get(name) {
            let apart = if line.out.ends_with('[') { "" } else { " " };
            labelled(line, apart, Some(value));
        }
    }
    line.text("]");
}

/// `3 tools: a, b, c`.
fn names(line: &mut Line, list: Json<'_>, one: &str, whole: bool) {
    let items: Vec<_> = list.items().collect();
    if whole {
        line.text(&format!("{} ", items.len()));
    }
    line.text(one);
    line.text(if items.len() == 1 && whole { "" } else { "s" });
    for (n, item) in items.into_iter().enumerate() {
        if line.is_full() {
            return;
        }
        let name = item
            .get("name")
            .or(item.get("uri"))
            .or(item.get("uriTemplate"));
        labelled(line, if n == 0 { ": " } else { ", " }, name);
    }
}

/// All members but `_meta`, which says the same in every request of the modern era.
fn members(line: &mut Line, object: Json<'_>) {
    if !object.text().starts_with('{') {
        return line.chars(object.compact());
    }
    let mut before = "{";
    for (name, value) in object.members().filter(|(name, _)| *name != "_meta") {
        if line.is_full() {
            return;
        }
        line.text(before);
        line.text(&format!("\"{name}\":"));
        line.chars(value.compact());
        before = ",";
    }
    if before == "," {
        line.text("}");
    }
}

fn labelled(line: &mut Line, label: &str, value: Option<Json<'_>>) {
    if value.is_some() {
        line.text(label);
        plain(line, value);
    }
}

/// A string as its text, anything else as JSON.
fn plain(line: &mut Line, value: Option<Json<'_>>) {
    let Some(value) = value else { return };
    match value.string() {
        Some(text) => line.chars(text),
        None => line.chars(value.compact()),
    }
}
