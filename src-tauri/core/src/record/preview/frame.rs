//! What a frame says: the part that tells it from others of its method.

use super::json::{Json, Object};
use super::{LIMIT, Line};
use crate::protocol::{Envelope, Kind};

/// `text` may be only the beginning of the message: then it is not `whole`.
pub(super) fn preview(line: &mut Line, envelope: &Envelope, text: &str, whole: bool) {
    let message = Json::new(text);
    match envelope.kind {
        Kind::Request | Kind::Notification => {
            if let (Some(method), Some(params)) = (&envelope.method, message.get("params")) {
                params_of(line, method, params);
            }
        }
        Kind::Result => {
            if let Some(value) = message.get("result") {
                result(line, value, whole);
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
    let object = params.object();
    let get = |name| object.get(name);
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
        "notifications/progress" => progress(line, &object),
        "notifications/message" => log_message(line, &object),
        "notifications/cancelled" => {
            labelled(line, "id ", get("requestId"));
            plain(line.next(), get("reason"));
        }
        _ => members(line, params),
    }
}

fn progress(line: &mut Line, params: &Object<'_>) {
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

fn log_message(line: &mut Line, params: &Object<'_>) {
    plain(line, params.get("level"));
    labelled(line, " ", params.get("logger"));
    labelled(line, ": ", params.get("data"));
}

fn result(line: &mut Line, value: Json<'_>, whole: bool) {
    let result = value.object();
    if let (Some(revision), Some(server)) =
        (result.get("protocolVersion"), result.get("serverInfo"))
    {
        return implementation(line, Some(revision), Some(server));
    }
    if let Some(versions) = result.get("supportedVersions") {
        let server = result
            .get("_meta")
            .and_then(|meta| meta.get("io.modelcontextprotocol/serverInfo"));
        return implementation(line, Some(versions), server.or(result.get("serverInfo")));
    }
    if let Some(requests) = result.get("inputRequests") {
        return inputs(line, requests);
    }
    if let Some(structured) = result.get("structuredContent") {
        return line.chars(structured.compact());
    }
    for name in ["content", "contents", "messages"] {
        if let Some(blocks) = result.get(name).filter(|value| value.is_array()) {
            return blocks
                .items()
                .take_while(|block| content(line, *block))
                .for_each(drop);
        }
    }
    for (name, one) in [
        ("tools", "tool"),
        ("prompts", "prompt"),
        ("resources", "resource"),
        ("resourceTemplates", "template"),
    ] {
        if let Some(list) = result.get(name).filter(|value| value.is_array()) {
            return names(line, list, one, whole);
        }
    }
    members(line, value);
}

/// `input required: KEY METHOD, …`.
fn inputs(line: &mut Line, requests: Json<'_>) {
    line.text("input required");
    for (n, (key, request)) in requests.members().enumerate() {
        line.text(if n == 0 { ": " } else { ", " });
        line.text(key);
        labelled(line, " ", request.get("method"));
    }
}

fn error(line: &mut Line, value: Json<'_>) {
    let error = value.object();
    if error.get("code").or(error.get("message")).is_none() {
        return line.chars(value.compact());
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

/// A block of content, an item of `contents` or a message of a prompt. Says whether there is room for more.
fn content(line: &mut Line, block: Json<'_>) -> bool {
    line.next();
    let mut block = block.object();
    if let Some(role) = block.get("role") {
        plain(line, Some(role));
        line.text(": ");
    }
    if let Some(content) = block.get("content").filter(|content| content.is_object()) {
        block = content.object();
    }
    if let Some(text) = block.get("text") {
        plain(line, Some(text));
        return !line.is_full();
    }
    let resource = block.get("resource").map(Json::object);
    let resource = resource.as_ref().unwrap_or(&block);
    let facts = [
        block.get("type"),
        resource.get("mimeType"),
        resource.get("uri"),
    ];
    for (n, fact) in facts.into_iter().flatten().enumerate() {
        labelled(line, if n == 0 { "[" } else { " " }, Some(fact));
    }
    line.text("]");
    !line.is_full()
}

/// `3 tools: a, b, c`; without the number where the end of the list is not in sight.
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
    if !object.is_object() {
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
    if let Some(text) = value.literal(LIMIT) {
        return line.text(text);
    }
    match value.string() {
        Some(text) => line.chars(text),
        None => line.chars(value.compact()),
    }
}
