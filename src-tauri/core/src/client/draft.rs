//! Composes the exact bytes of a message. *Will send* and sending use the same function.

use std::time::Duration;

use bytes::Bytes;
use memchr::memchr2;

use super::face::{capabilities_of, info_of};
use super::input::Answers;
use super::json::{Members, quoted};
use super::logging::META;
use super::mirror;
use crate::protocol::{ClientChoice, Era, LogLevel, RequestId, Revision};

/// A request as the user made it.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// The method.
    pub method: String,
    /// `params` as JSON text, kept as typed to the byte; on stdio its line breaks become spaces. Any text can be sent.
    pub params: Option<String>,
    /// How long to wait for an answer or a sign of progress; the client's own time-out where missing.
    pub timeout: Option<Duration>,
    /// How long to wait altogether, progress or not; the client's own limit where missing.
    pub total: Option<Duration>,
    /// Another revision than the negotiated one, to see what the server makes of it.
    pub revision: Option<Revision>,
    /// Further members of `params._meta`, as the JSON text of an object.
    pub meta: Option<String>,
    /// Further headers; over HTTP only.
    pub headers: Vec<(String, String)>,
}

impl Draft {
    /// The hard limit of a request that makes progress all the time, where its server has no other (utilities/progress,
    /// lifecycle › Timeouts).
    pub const TOTAL: Duration = Duration::from_secs(3600);

    /// For a tool call the tool, for a resource its URI, for a prompt its name.
    pub fn about(&self) -> Option<String> {
        let key = match self.method.as_str() {
            "tools/call" | "prompts/get" => "name",
            "resources/read" => "uri",
            _ => return None,
        };
        Members::of(self.params.as_deref()?).ok()?.string(key)
    }

    /// A request for `method` with `params` as JSON text.
    pub fn new(method: impl Into<String>, params: Option<String>) -> Self {
        Self {
            method: method.into(),
            params,
            ..Self::default()
        }
    }
}

/// What will be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composed {
    /// The message to the byte, without the transport's separator.
    pub bytes: Bytes,
    /// Headers; over HTTP only.
    pub headers: Vec<(String, String)>,
    /// Its id.
    pub id: RequestId,
    /// The token by which progress is told, as its JSON text.
    pub progress_token: Option<String>,
    /// Our own check: what the server will stumble over. It can be sent all the same.
    pub problem: Option<String>,
}

/// Methods that can take long: only they carry a progress token of ours.
const LONG: [&str; 3] = ["tools/call", "resources/read", "prompts/get"];

/// How messages are made on a wire.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// The revision that requests are written in.
    pub(super) revision: Revision,
    /// A line break would end the message.
    pub(super) one_line: bool,
    /// Who answers what servers ask, which tells what we offer them.
    pub(super) answers: Answers,
}

/// The exact message for a draft.
pub(super) fn compose(
    draft: &Draft,
    id: RequestId,
    manner: Manner,
    choice: &ClientChoice,
    level: Option<LogLevel>,
) -> Composed {
    let (mut extra, mut problem) = further_meta(draft.meta.as_deref());
    let mut add = |key: &str, value: String| {
        if !extra.iter().any(|(present, _)| present == key) {
            extra.push((key.to_owned(), value));
        }
    };
    let revision = draft.revision.unwrap_or(manner.revision);
    if revision.era() == Era::Modern {
        add(
            "io.modelcontextprotocol/protocolVersion",
            quoted(revision.as_str()),
        );
        add("io.modelcontextprotocol/clientInfo", info_of(choice));
        add(
            "io.modelcontextprotocol/clientCapabilities",
            capabilities_of(choice, manner.answers, revision.era()),
        );
        if let Some(level) = level {
            add(META, quoted(level.name()));
        }
    }
    if LONG.contains(&draft.method.as_str()) {
        add("progressToken", id.as_str().to_owned());
    }
    let spliced = splice(draft.params.as_deref(), &extra);
    problem = spliced.problem.or(problem);
    let mirrored = Manner { revision, ..manner };
    let headers = mirror::of_request(
        &draft.method,
        spliced.params.as_deref(),
        mirrored,
        &draft.headers,
    );
    let text = message(Some(&id), &draft.method, spliced.params.as_deref());
    Composed {
        bytes: framed(text, manner.one_line),
        headers,
        id,
        progress_token: spliced.progress_token,
        problem,
    }
}

/// The exact bytes of a notification.
pub(super) fn notification(method: &str, params: Option<&str>, one_line: bool) -> Bytes {
    framed(message(None, method, params), one_line)
}

fn message(id: Option<&RequestId>, method: &str, params: Option<&str>) -> String {
    let (method, params_len) = (quoted(method), params.map_or(0, str::len));
    let mut text = String::with_capacity(80 + method.len() + params_len);
    text.push_str(r#"{"jsonrpc":"2.0","#);
    if let Some(id) = id {
        text.extend([r#""id":"#, id.as_str(), ","]);
    }
    text.extend([r#""method":"#, &method]);
    if let Some(params) = params {
        text.extend([r#","params":"#, params]);
    }
    text.push('}');
    text
}

/// In valid JSON a raw line break can stand between tokens only, where a space means the same.
pub(super) fn framed(text: String, one_line: bool) -> Bytes {
    if one_line && memchr2(b'\n', b'\r', text.as_bytes()).is_some() {
        text.replace(['\n', '\r'], " ").into()
    } else {
        text.into()
    }
}

fn further_meta(meta: Option<&str>) -> (Vec<(String, String)>, Option<String>) {
    match meta.map(Members::of) {
        None => (vec![], None),
        Some(Ok(members)) => (
            members
                .iter()
                .map(|(key, value)| (key.to_owned(), value.get().to_owned()))
                .collect(),
            None,
        ),
        Some(Err(error)) => (
            vec![],
            Some(format!(
                "the further _meta is left out, it is no JSON object: {error}"
            )),
        ),
    }
}

struct Spliced {
    params: Option<String>,
    progress_token: Option<String>,
    problem: Option<String>,
}

/// Adds members to `_meta` by inserting text; what was typed stays to the byte, and wins over what we would add.
fn splice(typed: Option<&str>, extra: &[(String, String)]) -> Spliced {
    let Some(text) = typed.filter(|text| !text.trim().is_empty()) else {
        let params =
            (!extra.is_empty()).then(|| format!(r#"{{"_meta":{{{}}}}}"#, joined(extra.iter())));
        return Spliced {
            params,
            progress_token: token(None, extra),
            problem: None,
        };
    };
    let as_typed = |problem: Option<String>| Spliced {
        params: Some(text.to_owned()),
        progress_token: None,
        problem,
    };
    let members = match Members::of(text) {
        Ok(members) => members,
        Err(error) if error.is_data() => {
            return as_typed(Some("params is no JSON object".to_owned()));
        }
        Err(error) => return as_typed(Some(format!("params is not JSON: {error}"))),
    };
    let Some(meta) = members.get("_meta") else {
        if extra.is_empty() {
            return as_typed(None);
        }
        let comma = if members.is_empty() { "" } else { "," };
        let inserted = format!(r#"{comma}"_meta":{{{}}}"#, joined(extra.iter()));
        // The text is an object, so its last brace closes it.
        let end = text.rfind('}').unwrap_or(text.len());
        return Spliced {
            params: Some(insert(text, end, &inserted)),
            progress_token: token(None, extra),
            problem: None,
        };
    };
    let Ok(present) = Members::of(meta.get()) else {
        return as_typed(Some(
            "_meta is no JSON object, so nothing was added to it".to_owned(),
        ));
    };
    let missing: Vec<_> = extra
        .iter()
        .filter(|(key, _)| present.get(key).is_none())
        .collect();
    let comma = if present.is_empty() || missing.is_empty() {
        ""
    } else {
        ","
    };
    let inserted = format!("{comma}{}", joined(missing.into_iter()));
    // Both stand in the same text, and the value ends with its brace.
    let end = (meta.get().as_ptr() as usize - text.as_ptr() as usize) + meta.get().len() - 1;
    Spliced {
        params: Some(insert(text, end, &inserted)),
        progress_token: token(Some(&present), extra),
        problem: None,
    }
}

fn insert(text: &str, at: usize, inserted: &str) -> String {
    [&text[..at], inserted, &text[at..]].concat()
}

fn joined<'a>(members: impl Iterator<Item = &'a (String, String)>) -> String {
    let mut text = String::new();
    for (key, value) in members {
        let comma = if text.is_empty() { "" } else { "," };
        text.extend([comma, &quoted(key), ":", value]);
    }
    text
}

fn token(present: Option<&Members<'_>>, extra: &[(String, String)]) -> Option<String> {
    let typed = present
        .and_then(|meta| meta.get("progressToken"))
        .map(|token| token.get().to_owned());
    typed.or_else(|| {
        extra
            .iter()
            .find(|(key, _)| key == "progressToken")
            .map(|(_, token)| token.clone())
    })
}
