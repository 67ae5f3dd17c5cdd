//! How to reach a server, in the shape of the `mcpServers` files of MCP hosts.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A folder or file that the user offers to servers (client/roots).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Root {
    /// A `file://` URI.
    pub uri: String,
    /// For people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// How to reach a server. Values may hold references (`${NAME}`, `${secret:NAME}`); they are resolved only to connect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum ServerConfig {
    /// A child process speaking over its standard streams (transports › stdio).
    #[serde(rename = "stdio")]
    Stdio {
        /// The program, as typed; looked up in `PATH` where it holds no separator.
        command: String,
        /// Its arguments, as typed; no shell is involved.
        #[serde(default)]
        args: Vec<String>,
        /// Variables set in addition to the inherited environment.
        #[serde(default)]
        env: BTreeMap<String, String>,
        /// The working directory; the app's own where missing.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cwd: Option<PathBuf>,
    },
    /// Streamable HTTP (2025-03-26 and later).
    #[serde(rename = "http", alias = "streamable-http", alias = "streamableHttp")]
    StreamableHttp {
        /// The MCP endpoint.
        url: String,
        /// Headers sent with every request, in order.
        #[serde(default)]
        headers: Vec<(String, String)>,
    },
    /// HTTP+SSE of 2024-11-05 (deprecated since 2025-03-26).
    #[serde(rename = "sse")]
    Sse {
        /// The URL of the event stream.
        url: String,
        /// Headers sent with every request, in order.
        #[serde(default)]
        headers: Vec<(String, String)>,
    },
}

impl ServerConfig {
    /// The command line or the URL, for people.
    pub fn display(&self) -> String {
        match self {
            Self::Stdio { command, args, .. } => {
                let words: Vec<_> = std::iter::once(command)
                    .chain(args)
                    .map(|word| quoted(word))
                    .collect();
                words.join(" ")
            }
            Self::StreamableHttp { url, .. } | Self::Sse { url, .. } => url.clone(),
        }
    }

    /// A name for a server that got none: the last part of what is run (not of what runs it) or the URL's host.
    pub fn short_name(&self) -> String {
        match self {
            Self::Stdio { command, args, .. } => {
                let launcher = LAUNCHERS.iter().any(|name| base(command).starts_with(name));
                let what = args
                    .iter()
                    .find(|arg| !arg.starts_with('-') && !VERBS.contains(&arg.as_str()));
                let word = what.filter(|_| launcher).unwrap_or(command);
                // A package's version is no part of its name: `@scope/server@1.2`.
                let name = base(word);
                name.split_once('@')
                    .map_or(name, |(name, _)| name)
                    .to_owned()
            }
            Self::StreamableHttp { url, .. } | Self::Sse { url, .. } => {
                let rest = url.split_once("://").map_or(url.as_str(), |(_, rest)| rest);
                rest.split(['/', '?', '#'])
                    .next()
                    .unwrap_or(rest)
                    .to_owned()
            }
        }
    }
}

/// Programs that run another one, which their arguments name; also with a version after them, as in `python3.12`.
const LAUNCHERS: [&str; 14] = [
    "node", "npx", "npm", "pnpm", "yarn", "bunx", "bun", "deno", "tsx", "python", "uvx", "uv",
    "docker", "cargo",
];
/// What such programs take before the name.
const VERBS: [&str; 6] = ["run", "exec", "dlx", "x", "tool", "--"];

fn base(word: &str) -> &str {
    word.rsplit(['/', '\\'])
        .find(|part| !part.is_empty())
        .unwrap_or(word)
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=@%+,~$^{}".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::ServerConfig;

    #[test]
    fn a_server_without_a_name_gets_that_of_what_is_run() {
        for (line, expected) in [
            (
                "npx -y @modelcontextprotocol/server-everything@2026.8.31 stdio",
                "server-everything",
            ),
            (
                "uvx mcp-server-time --local-timezone=UTC",
                "mcp-server-time",
            ),
            ("uv run server.py", "server.py"),
            ("python3.12 -m weather", "weather"),
            ("/usr/bin/node /srv/torture.mjs", "torture.mjs"),
            ("/opt/bin/orders-mcp serve", "orders-mcp"),
            ("node", "node"),
        ] {
            let mut words = line.split(' ').map(str::to_owned);
            let config = ServerConfig::Stdio {
                command: words.next().unwrap(),
                args: words.collect(),
                env: Default::default(),
                cwd: None,
            };
            assert_eq!(config.short_name(), expected, "{line}");
        }
        let url = |url: &str| ServerConfig::StreamableHttp {
            url: url.into(),
            headers: vec![],
        };
        assert_eq!(
            url("https://mcp.example.com/mcp?x=1").short_name(),
            "mcp.example.com"
        );
    }
}
