//! One entry of an `mcpServers` file.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::Entry;
use crate::client::json::{Members, items};
use crate::protocol::ServerConfig;

const URLS: [&str; 4] = ["url", "serverUrl", "httpUrl", "server_url"];
/// Members that we read, and those that say nothing about how to reach a server.
const KNOWN: [&str; 30] = [
    "type",
    "transport",
    "transportType",
    "command",
    "args",
    "env",
    "cwd",
    "url",
    "serverUrl",
    "httpUrl",
    "server_url",
    "headers",
    "name",
    "title",
    "description",
    "icon",
    "disabled",
    "enabled",
    "autoApprove",
    "alwaysAllow",
    "timeout",
    "trust",
    "version",
    "gallery",
    "tools",
    "source",
    "settings",
    "disabledTools",
    "includeTools",
    "excludeTools",
];

/// Whether an object is a server and not a map of servers.
pub(super) fn is_server(members: &Members<'_>) -> bool {
    let said = |key: &str| {
        let value = members.get(key).map(|raw| raw.get().chars().next());
        value.is_some_and(|first| matches!(first, Some('"' | '[')))
    };
    said("command") || URLS.iter().any(|key| said(key))
}

/// Whether an entry was meant to be a server.
pub(super) fn is_tried(raw: &RawValue) -> bool {
    Members::of(raw.get()).is_ok_and(|members| {
        members.get("command").is_some()
            || members.get("args").is_some()
            || URLS.iter().any(|key| members.get(key).is_some())
    })
}

/// Reads an entry.
pub(super) fn read(name: String, raw: &RawValue) -> Entry {
    let mut notes = Vec::new();
    let config = config(raw, &mut notes).map_err(|problem| notes.insert(0, problem));
    Entry {
        name,
        config: config.ok(),
        problem: (!notes.is_empty()).then(|| notes.join("; ")),
    }
}

fn config(raw: &RawValue, notes: &mut Vec<String>) -> Result<ServerConfig, String> {
    let members = Members::of(raw.get()).map_err(|_| "it is no object".to_owned())?;
    let unknown: Vec<_> = members
        .iter()
        .map(|(key, _)| key)
        .filter(|key| !KNOWN.contains(key))
        .collect();
    if !unknown.is_empty() {
        notes.push(format!("left out: {}", unknown.join(", ")));
    }
    let url = URLS.iter().find(|key| members.get(key).is_some());
    let kind = kind(&members)?;
    let remote = kind.unwrap_or(if url.is_some() && members.get("command").is_none() {
        Kind::Http
    } else {
        Kind::Stdio
    });
    if remote == Kind::Stdio {
        return stdio(&members, notes);
    }
    let Some(url) = url.and_then(|key| members.string(key)) else {
        return Err("it has no `url`".to_owned());
    };
    let url = reference(&url, notes);
    let headers = pairs(&members, "headers", notes)?;
    Ok(if remote == Kind::Sse {
        ServerConfig::Sse { url, headers }
    } else {
        ServerConfig::StreamableHttp { url, headers }
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Stdio,
    Http,
    Sse,
}

fn kind(members: &Members<'_>) -> Result<Option<Kind>, String> {
    let keys = ["type", "transport", "transportType"];
    let Some(word) = keys.iter().find_map(|key| members.string(key)) else {
        return Ok(None);
    };
    let plain: String = word.chars().filter(char::is_ascii_alphanumeric).collect();
    match plain.to_ascii_lowercase().as_str() {
        "stdio" | "local" => Ok(Some(Kind::Stdio)),
        "http" | "streamablehttp" | "streamable" => Ok(Some(Kind::Http)),
        "sse" => Ok(Some(Kind::Sse)),
        // Some hosts write it where the transport is to be found out.
        "remote" => Ok(None),
        _ => Err(format!("its type `{word}` is none that we know")),
    }
}

fn stdio(members: &Members<'_>, notes: &mut Vec<String>) -> Result<ServerConfig, String> {
    let command = members
        .get("command")
        .ok_or_else(|| "it has neither `command` nor `url`".to_owned())?;
    let mut words = match (members.string("command"), items(command.get())) {
        (Some(word), _) => vec![word],
        (None, Some(list)) => texts(&list, "command")?,
        (None, None) => return Err("its `command` is neither a string nor an array".to_owned()),
    };
    if let Some(args) = members.get("args").filter(|args| args.get() != "null") {
        let list = items(args.get()).ok_or_else(|| "its `args` is no array".to_owned())?;
        words.extend(texts(&list, "args")?);
    }
    let mut words = words.into_iter().map(|word| reference(&word, notes));
    let command = words.next().filter(|command| !command.trim().is_empty());
    let command = command.ok_or_else(|| "its `command` is empty".to_owned())?;
    let args = words.collect();
    let env: BTreeMap<_, _> = pairs(members, "env", notes)?.into_iter().collect();
    let cwd = members.string("cwd").filter(|cwd| !cwd.is_empty());
    Ok(ServerConfig::Stdio {
        command,
        args,
        env,
        cwd: cwd.map(|cwd| reference(&cwd, notes).into()),
    })
}

/// Strings, and numbers and truth values as they are written.
fn texts(list: &[&RawValue], what: &str) -> Result<Vec<String>, String> {
    let read =
        |raw: &&RawValue| text(raw).ok_or_else(|| format!("its `{what}` holds {}", raw.get()));
    list.iter().map(read).collect()
}

fn text(raw: &RawValue) -> Option<String> {
    match raw.get().chars().next()? {
        '"' => serde_json::from_str(raw.get()).ok(),
        '{' | '[' | 'n' => None,
        _ => Some(raw.get().to_owned()),
    }
}

fn pairs(
    members: &Members<'_>,
    what: &str,
    notes: &mut Vec<String>,
) -> Result<Vec<(String, String)>, String> {
    let Some(raw) = members.get(what).filter(|raw| raw.get() != "null") else {
        return Ok(Vec::new());
    };
    let pairs = Members::of(raw.get()).map_err(|_| format!("its `{what}` is no object"))?;
    let mut read = Vec::new();
    for (name, value) in pairs.iter() {
        match text(value) {
            Some(value) => read.push((name.to_owned(), reference(&value, notes))),
            None => notes.push(format!("left out: {what} {name}, its value is no text")),
        }
    }
    Ok(read)
}

/// A variable of the environment as other hosts refer to it, as we do. What only they can fill in is said.
fn reference(text: &str, notes: &mut Vec<String>) -> String {
    let ours = text.replace("${env:", "${");
    for foreign in ["${input:", "${workspaceFolder", "${userHome", "${command:"] {
        if ours.contains(foreign) {
            notes.push(format!("`{text}` is not filled in here: write its value"));
        }
    }
    ours
}
