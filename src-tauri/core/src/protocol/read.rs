//! Reads an [`Envelope`] off the bytes of a frame: one shallow pass, whatever its depth and size.
//!
//! A derived struct would refuse a frame with two `id`s, and a `Value` would lose digits; here both are seen as they stand.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer as _;
use serde::de::{Deserialize, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::envelope::{Envelope, Kind, Problem, RequestId};
use super::sse;

/// Reads the envelope off the bytes of one frame; of an event stream's block, off its data.
pub fn envelope(bytes: &[u8]) -> Envelope {
    let message = sse::message(bytes);
    let text = text(&message);
    let mut envelope = any(&text);
    let not_utf8 = matches!(text, Cow::Owned(_));
    if not_utf8 {
        envelope
            .problems
            .retain(|problem| *problem != Problem::NotJson);
        envelope.problems.insert(0, Problem::NotUtf8);
    }
    if sse::is_marked(bytes) {
        envelope.problems.push(Problem::ByteOrderMark);
    }
    envelope
}

/// Bytes as text, with replacements where they are no UTF-8. (The library's own function reads byte by byte also where
/// nothing is to be replaced.)
pub fn text(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// Reads a message or a batch.
fn any(text: &str) -> Envelope {
    if !text.trim_start_matches(JSON_SPACE).starts_with('[') {
        return message(text);
    }
    let Some(items) = read(text, Items) else {
        return Envelope::malformed(Problem::NotJson);
    };
    Envelope {
        kind: Kind::Batch,
        problems: if items.is_empty() {
            vec![Problem::EmptyBatch]
        } else {
            Vec::new()
        },
        items: items.into_iter().map(|item| message(item.get())).collect(),
        ..Envelope::default()
    }
}

const JSON_SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

/// Reads one message, which may stand in a batch. An array here is no message.
fn message(text: &str) -> Envelope {
    if text.trim_start_matches(JSON_SPACE).starts_with('{') {
        let members = read(text, Members::default());
        return members.map_or_else(|| Envelope::malformed(Problem::NotJson), Members::envelope);
    }
    let json = serde_json::from_str::<IgnoredAny>(text).is_ok();
    Envelope::malformed(if json {
        Problem::NotAnObject
    } else {
        Problem::NotJson
    })
}

/// Nothing below the first level is visited, so no depth can exhaust the stack.
fn read<'de, V: Visitor<'de>>(text: &'de str, visitor: V) -> Option<V::Value> {
    let mut json = serde_json::Deserializer::from_str(text);
    let value = json.deserialize_any(visitor).ok()?;
    json.end().ok().map(|()| value)
}

struct Items;

impl<'de> Visitor<'de> for Items {
    type Value = Vec<&'de RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(items)
    }
}

/// The members of a message, as text. Of two with one name the last counts, as in most parsers.
#[derive(Default)]
struct Members<'de> {
    jsonrpc: Option<&'de RawValue>,
    id: Option<&'de RawValue>,
    method: Option<&'de RawValue>,
    params: Option<&'de RawValue>,
    result: Option<&'de RawValue>,
    error: Option<&'de RawValue>,
    duplicate: bool,
}

impl<'de> Visitor<'de> for Members<'de> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self, A::Error> {
        while let Some(Key(name)) = map.next_key()? {
            let member = match name {
                Name::JsonRpc => &mut self.jsonrpc,
                Name::Id => &mut self.id,
                Name::Method => &mut self.method,
                Name::Params => &mut self.params,
                Name::Result => &mut self.result,
                Name::Error => &mut self.error,
                Name::Code | Name::IsError | Name::Other => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            self.duplicate |= member.replace(map.next_value()?).is_some();
        }
        Ok(self)
    }
}

impl Members<'_> {
    fn envelope(self) -> Envelope {
        let mut problems = Vec::new();
        let mut found = |is: bool, problem: Problem| {
            if is {
                problems.push(problem);
            }
        };
        let method = self.method.map(string);
        let null = |member: Option<&RawValue>| member.is_some_and(|value| value.get() == "null");
        // Some servers write `"error": null` beside a result; a null counts only where nothing else does.
        let result = self
            .result
            .filter(|_| !null(self.result) || self.error.is_none_or(|_| null(self.error)));
        let error = self
            .error
            .filter(|_| !null(self.error) || self.result.is_none());
        let kind = match (&method, result, error) {
            (Some(Some(_)), None, None) if self.id.is_some() => Kind::Request,
            (Some(Some(_)), None, None) => Kind::Notification,
            (None, Some(_), None) => Kind::Result,
            (None, None, Some(_)) => Kind::Error,
            _ => Kind::Malformed,
        };
        let members = [self.method, self.result, self.error]
            .into_iter()
            .flatten()
            .count();
        found(
            self.jsonrpc.and_then(string).as_deref() != Some("2.0"),
            Problem::JsonRpcVersion,
        );
        found(self.duplicate, Problem::DuplicateMember);
        found(!id_fits(kind, self.id.map(RawValue::get)), Problem::IdType);
        found(matches!(method, Some(None)), Problem::MethodType);
        found(members > 1, Problem::Ambiguous);
        found(members == 0, Problem::NoMeaning);
        Envelope {
            kind,
            method: method.flatten(),
            id: self.id.map(|id| RequestId::from_raw(id.get())),
            code: error.and_then(|error| inner(error).code),
            // Read only where it can be there: this is the pass that large results would pay for.
            is_error: result.is_some_and(|result| {
                result.get().contains("\"isError\"") && inner(result).is_error
            }),
            problems,
            items: Vec::new(),
        }
    }
}

/// A string's text. Half a surrogate pair, legal in JSON, makes it keep its escapes.
fn string(raw: &RawValue) -> Option<Box<str>> {
    let token = raw.get().strip_prefix('"')?.strip_suffix('"')?;
    if !token.contains('\\') {
        return Some(token.into());
    }
    Some(serde_json::from_str(raw.get()).unwrap_or_else(|_| token.into()))
}

/// Requests and results need an id, errors may leave it out or say `null` (basic › Responses); other frames are not asked.
fn id_fits(kind: Kind, id: Option<&str>) -> bool {
    let id_like = |id: &str| {
        id.starts_with('"') || id.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit())
    };
    match (kind, id) {
        (Kind::Notification | Kind::Batch | Kind::Malformed, None)
        | (Kind::Error, None | Some("null")) => true,
        (_, Some(id)) => id_like(id),
        (Kind::Request | Kind::Result, None) => false,
    }
}

/// What counts inside of `result` and `error`.
#[derive(Default)]
struct Inner {
    code: Option<i64>,
    is_error: bool,
}

fn inner(value: &RawValue) -> Inner {
    read(value.get(), Inner::default()).unwrap_or_default()
}

impl<'de> Visitor<'de> for Inner {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self, A::Error> {
        while let Some(Key(name)) = map.next_key()? {
            match name {
                Name::Code => self.code = map.next_value::<&RawValue>()?.get().parse().ok(),
                Name::IsError => self.is_error = map.next_value::<&RawValue>()?.get() == "true",
                Name::JsonRpc
                | Name::Id
                | Name::Method
                | Name::Params
                | Name::Result
                | Name::Error
                | Name::Other => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(self)
    }
}

/// A member's name; read as bytes, since JSON allows half a surrogate pair and `str` does not.
struct Key(Name);

enum Name {
    JsonRpc,
    Id,
    Method,
    Params,
    Result,
    Error,
    Code,
    IsError,
    Other,
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(KeyVisitor)
    }
}

struct KeyVisitor;

impl Visitor<'_> for KeyVisitor {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_bytes<E>(self, name: &[u8]) -> Result<Key, E> {
        Ok(Key(match name {
            b"jsonrpc" => Name::JsonRpc,
            b"id" => Name::Id,
            b"method" => Name::Method,
            b"params" => Name::Params,
            b"result" => Name::Result,
            b"error" => Name::Error,
            b"code" => Name::Code,
            b"isError" => Name::IsError,
            _ => Name::Other,
        }))
    }
}
