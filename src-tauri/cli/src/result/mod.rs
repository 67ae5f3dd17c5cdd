//! Reads results for people: the lines of `list`, the blocks of `call`. Tolerant: what is broken is shown as broken.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::print::visible;

/// What `call` looks at in a result.
#[derive(Debug, Default)]
pub(crate) struct ToolResult<'a> {
    /// `isError: true`
    pub(crate) is_error: bool,
    /// `resultType: "input_required"`: an interim result that wants more from the user (2026-07-28).
    pub(crate) wants_input: bool,
    /// The blocks.
    pub(crate) content: Vec<&'a RawValue>,
    /// For programs.
    pub(crate) structured: Option<&'a RawValue>,
}

/// Reads a result; of one of another shape, nothing.
pub(crate) fn tool_result(raw: &str) -> ToolResult<'_> {
    let members = members(raw);
    ToolResult {
        is_error: read(&members, "isError").unwrap_or(false),
        wants_input: text(&members, "resultType").is_some_and(|kind| kind == "input_required"),
        content: read(&members, "content").unwrap_or_default(),
        structured: members.get("structuredContent").copied(),
    }
}

/// A block of a result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Block {
    /// Its text.
    Text(String),
    /// One line that says what it is.
    Other(String),
}

/// Reads a block.
pub(crate) fn block(raw: &RawValue) -> Block {
    let members = members(raw.get());
    let whole = size(raw.get().len());
    let Some(kind) = text(&members, "type") else {
        return Block::Other(format!("[block without type {whole}]"));
    };
    let about = |keys: &[&str]| {
        keys.iter()
            .filter_map(|key| text(&members, key))
            .collect::<Vec<_>>()
    };
    let words = match kind.as_str() {
        "text" => match text(&members, "text") {
            Some(text) => return Block::Text(text),
            None => vec!["without text".to_owned()],
        },
        "image" | "audio" => {
            let mime = text(&members, "mimeType");
            let subtype = mime.map(|mime| mime.rsplit('/').next().unwrap_or_default().to_owned());
            let bytes = text(&members, "data").map(|data| size(decoded(&data)));
            subtype.into_iter().chain(bytes).collect()
        }
        "resource" => embedded(members.get("resource").copied()),
        "resource_link" => about(&["uri", "mimeType", "name"]),
        _ => vec![whole],
    };
    let words: Vec<_> = std::iter::once(kind).chain(words).collect();
    Block::Other(visible(&format!("[{}]", words.join(" ")), false))
}

fn embedded(resource: Option<&RawValue>) -> Vec<String> {
    let members = resource.map(|raw| members(raw.get())).unwrap_or_default();
    let bytes = text(&members, "text").map(|text| text.len());
    let bytes = bytes.or_else(|| text(&members, "blob").map(|blob| decoded(&blob)));
    let about = ["uri", "mimeType"]
        .iter()
        .filter_map(|key| text(&members, key));
    about.chain(bytes.map(size)).collect()
}

/// The contents of a `resources/read` result.
pub(crate) fn contents(raw: &str) -> Vec<Block> {
    let contents: Vec<&RawValue> = read(&members(raw), "contents").unwrap_or_default();
    contents.into_iter().map(content).collect()
}

fn content(raw: &RawValue) -> Block {
    match text(&members(raw.get()), "text") {
        Some(text) => Block::Text(text),
        None => {
            let words = [vec!["resource".to_owned()], embedded(Some(raw))].concat();
            Block::Other(visible(&format!("[{}]", words.join(" ")), false))
        }
    }
}

/// The messages of a `prompts/get` result: role and content.
pub(crate) fn messages(raw: &str) -> Vec<(String, Block)> {
    let all: Vec<&RawValue> = read(&members(raw), "messages").unwrap_or_default();
    let message = |raw: &RawValue| {
        let members = members(raw.get());
        let role = text(&members, "role").unwrap_or_else(|| "(no role)".to_owned());
        let content = members.get("content").copied();
        let nothing = || Block::Other("[message without content]".to_owned());
        (role, content.map_or_else(nothing, block))
    };
    all.into_iter().map(message).collect()
}

/// The values of a `completion/complete` result.
pub(crate) fn completions(raw: &str) -> Vec<String> {
    let members = members(raw);
    let completion = members
        .get("completion")
        .map(|raw| self::members(raw.get()));
    completion
        .and_then(|completion| read(&completion, "values"))
        .unwrap_or_default()
}

/// The `uri` in the params of a message.
pub(crate) fn uri_of(message: &[u8]) -> Option<String> {
    let message: &RawValue = serde_json::from_slice(message).ok()?;
    let message = members(message.get());
    text(&members(message.get("params")?.get()), "uri")
}

/// The line of an item of a list: name, tab, title or description (else where it is to be found).
pub(crate) fn item(raw: &RawValue) -> String {
    let members = members(raw.get());
    let shown = |key: &str| {
        let text = text(&members, key)?;
        Some(visible(text.trim(), false)).filter(|text| !text.is_empty())
    };
    let about = ["title", "description", "uri", "uriTemplate"]
        .iter()
        .find_map(|key| shown(key));
    let name = shown("name").unwrap_or_else(|| "(no name)".to_owned());
    format!("{name}\t{}", about.unwrap_or_default())
}

/// The members of an object; of a key that stands twice, the last one.
fn members(raw: &str) -> BTreeMap<String, &RawValue> {
    serde_json::from_str(raw).unwrap_or_default()
}

fn read<'a, T: Deserialize<'a>>(members: &BTreeMap<String, &'a RawValue>, key: &str) -> Option<T> {
    serde_json::from_str(members.get(key)?.get()).ok()
}

fn text(members: &BTreeMap<String, &RawValue>, key: &str) -> Option<String> {
    read(members, key)
}

/// Bytes in a base64 text.
fn decoded(base64: &str) -> usize {
    let digits = base64
        .bytes()
        .filter(|b| !b.is_ascii_whitespace() && *b != b'=')
        .count();
    digits * 3 / 4
}

/// A size for people, in thousands as file managers count: `12 kB`.
pub(crate) fn size(bytes: usize) -> String {
    match bytes {
        ..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{} kB", (bytes + 500) / 1_000),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes / 100_000 % 10),
    }
}

#[cfg(test)]
mod tests;
