//! The `mcpServers` files of MCP hosts: read tolerantly, since they are pasted from anywhere, and written.
//!
//! Read are comments and trailing commas, `mcpServers`, `servers` (VS Code, also inside `mcp`), a map of servers without
//! either, one server alone, and any of them without its outer braces; the projects of Claude Code; and the registry's
//! `server.json`. One broken entry is one broken entry.

mod entry;
mod files;
mod registry;
mod relaxed;
#[cfg(test)]
mod tests;

pub use files::{HostFile, found, read_file};

use serde::ser::{SerializeMap, Serializer};
use serde_json::value::RawValue;

use crate::client::json::Members;
use crate::protocol::ServerConfig;

/// A server in such a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name in the file; empty for one server alone.
    pub name: String,
    /// How it is reached; missing where it cannot be used.
    pub config: Option<ServerConfig>,
    /// What cannot be used, or is not understood and left out.
    pub problem: Option<String>,
}

/// Reads the servers of a file, in its order.
///
/// # Errors
/// In words, where the text is no such file.
pub fn read(text: &str) -> Result<Vec<Entry>, String> {
    let mut json = relaxed::json(text);
    // Part of a file, as documentation shows it.
    if json.trim_start().starts_with('"') {
        json = format!("{{{json}}}");
    }
    let root: &RawValue = serde_json::from_str(&json).map_err(|error| {
        format!("this is not JSON: {error}. Paste the whole `mcpServers` object")
    })?;
    let none = "no server is in it: paste an object with `mcpServers`, or one server with `command` or `url`";
    if let Some(entries) = registry::read(root.get()) {
        return Ok(entries);
    }
    let members = Members::of(root.get()).map_err(|_| none.to_owned())?;
    if entry::is_server(&members) {
        let name = members.string("name").unwrap_or_default();
        return Ok(vec![entry::read(name, root)]);
    }
    let vs_code = members
        .get("mcp")
        .and_then(|mcp| Members::of(mcp.get()).ok());
    let mut found: Vec<_> = within(&members)
        .or_else(|| within(vs_code.as_ref()?))
        .into_iter()
        .collect();
    found.extend(projects(&members));
    if found.is_empty() {
        found.push(members);
    }
    let servers = || found.iter().flat_map(Members::iter);
    let entries: Vec<_> = servers()
        .map(|(name, raw)| entry::read(name.to_owned(), raw))
        .collect();
    // Settings of something else entirely are no broken servers.
    if entries.iter().all(|entry| entry.config.is_none())
        && !servers().any(|(_, raw)| entry::is_tried(raw))
    {
        return Err(none.to_owned());
    }
    Ok(entries)
}

/// The map of servers that an object holds.
fn within<'a>(members: &Members<'a>) -> Option<Members<'a>> {
    let keys = ["mcpServers", "servers", "context_servers", "mcp_servers"];
    keys.iter()
        .find_map(|key| Members::of(members.get(key)?.get()).ok())
}

/// The maps of servers of the projects that Claude Code keeps.
fn projects<'a>(members: &Members<'a>) -> Vec<Members<'a>> {
    let projects = members
        .get("projects")
        .and_then(|raw| Members::of(raw.get()).ok());
    let all = projects.iter().flat_map(Members::iter);
    all.filter_map(|(_, project)| within(&Members::of(project.get()).ok()?))
        .collect()
}

/// Writes servers as a file: name and configuration. Secrets stand in it as references.
pub fn write<'a>(servers: impl IntoIterator<Item = (&'a str, &'a ServerConfig)>) -> String {
    let mut out = Vec::new();
    let mut json = serde_json::Serializer::pretty(&mut out);
    let written = json.serialize_map(None).and_then(|mut file| {
        file.serialize_entry("mcpServers", &Servers(servers.into_iter().collect()))?;
        file.end()
    });
    // Strings into memory: neither can fail.
    debug_assert!(written.is_ok());
    String::from_utf8(out).unwrap_or_default()
}

struct Servers<'a>(Vec<(&'a str, &'a ServerConfig)>);

impl serde::Serialize for Servers<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, config)| (name, Written(config))))
    }
}

struct Written<'a>(&'a ServerConfig);

impl serde::Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self.0 {
            ServerConfig::Stdio {
                command,
                args,
                env,
                cwd,
            } => {
                map.serialize_entry("command", command)?;
                map.serialize_entry("args", args)?;
                if !env.is_empty() {
                    map.serialize_entry("env", env)?;
                }
                if let Some(cwd) = cwd {
                    map.serialize_entry("cwd", cwd)?;
                }
            }
            ServerConfig::StreamableHttp { url, headers } => {
                remote(&mut map, "http", url, headers)?;
            }
            ServerConfig::Sse { url, headers } => remote(&mut map, "sse", url, headers)?,
        }
        map.end()
    }
}

fn remote<M: SerializeMap>(
    map: &mut M,
    kind: &str,
    url: &str,
    headers: &[(String, String)],
) -> Result<(), M::Error> {
    map.serialize_entry("type", kind)?;
    map.serialize_entry("url", url)?;
    if !headers.is_empty() {
        let headers: std::collections::BTreeMap<_, _> =
            headers.iter().map(|(name, value)| (name, value)).collect();
        map.serialize_entry("headers", &headers)?;
    }
    Ok(())
}
