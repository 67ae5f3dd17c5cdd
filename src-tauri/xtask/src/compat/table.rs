//! The table of servers, `tests/compat/servers.json`: what to install, how to start it, what to call.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::proc::root;

/// Where it lies in the repository.
pub(super) const FOLDER: &str = "tests/compat";

/// One server to try.
///
/// In `start`, `env`, `warm` and the arguments of `call` these stand for what only the machine knows: `{bin}` the installed
/// programs, `{install}` the folder they were installed to, `{scratch}` a folder to work in (a Git repository with a few
/// files), `{port}` a free port, `{cli}` our command line tool, `{uv}` the folder of `uv` and `uvx`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Server {
    /// Unique; also names its folder.
    pub(super) name: String,
    /// Where it comes from.
    pub(super) from: Source,
    /// The package's name there.
    pub(super) package: String,
    /// Exactly this version; empty for what this repository builds.
    #[serde(default)]
    pub(super) version: String,
    /// Further packages, in the words of the package manager: `mcp<2`, `eslint@9.1.0`.
    #[serde(default)]
    pub(super) with: Vec<String>,
    /// npm's install scripts are run. They are not by default.
    #[serde(default)]
    pub(super) scripts: bool,
    /// A file of `tests/compat` that is copied into the folder: the server itself, for a row about an SDK.
    pub(super) script: Option<String>,
    /// A command that fills the caches of a start that installs by itself (`npx`, `uvx`).
    #[serde(default)]
    pub(super) warm: Vec<String>,
    /// The command line; over stdio ours starts it, otherwise this program.
    pub(super) start: Vec<String>,
    /// Where a server that listens is reached; over stdio there is none.
    pub(super) url: Option<String>,
    /// `http` (default) or `sse`, for a server with a URL.
    pub(super) transport: Option<String>,
    #[serde(default)]
    pub(super) env: BTreeMap<String, String>,
    /// The call to make; none where nothing can be called without credentials.
    pub(super) call: Option<Call>,
    /// Each revision is asked for by its name too.
    #[serde(default)]
    pub(super) revisions: bool,
    /// What a person should know about this server.
    pub(super) remark: Option<String>,
}

/// A registry, or this repository.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Source {
    Npm,
    PyPI,
    Crates,
    Here,
}

/// A call of a tool.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    pub(super) tool: String,
    #[serde(default = "no_arguments")]
    pub(super) arguments: Value,
    /// A text that must stand in the answer.
    pub(super) has: String,
    /// The answer tells of a failure, for want of a network or an account; it is an answer all the same.
    #[serde(default)]
    pub(super) fails: bool,
}

fn no_arguments() -> Value {
    Value::Object(serde_json::Map::new())
}

/// Reads the table.
pub(super) fn servers() -> Result<Vec<Server>, String> {
    let path = root().join(FOLDER).join("servers.json");
    let text = std::fs::read_to_string(&path)
        .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let servers: Vec<Server> =
        serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    for (at, server) in servers.iter().enumerate() {
        if servers[..at].iter().any(|other| other.name == server.name) {
            return Err(format!("{}: two are named {}", path.display(), server.name));
        }
    }
    Ok(servers)
}

impl Server {
    /// How it is reached, in words.
    pub(super) fn reached(&self) -> &'static str {
        match (&self.url, self.transport.as_deref()) {
            (None, _) => "stdio",
            (Some(_), Some("sse")) => "HTTP+SSE",
            (Some(_), _) => "Streamable HTTP",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_read() {
        let servers = servers().expect("the table");
        assert!(servers.len() > 20, "{} servers", servers.len());
        for server in servers {
            let pinned = server.version.starts_with(|c: char| c.is_ascii_digit());
            assert_eq!(pinned, server.from != Source::Here, "{}", server.name);
            assert!(!server.start.is_empty(), "{}", server.name);
        }
    }
}
