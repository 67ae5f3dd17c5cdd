//! How to reach a server, in the shape of the `mcpServers` files of MCP hosts.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

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
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=@%+,~$^{}".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
}
