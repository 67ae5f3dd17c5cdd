//! Servers of the catalogue.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::SessionRow;

/// Transport of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum TransportName {
    /// Child process.
    Stdio,
    /// Streamable HTTP.
    Http,
    /// HTTP+SSE of 2024-11-05.
    Sse,
}

/// A server in the rail.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ServerRow {
    /// Its id in the catalogue.
    pub id: String,
    /// Its name.
    pub name: String,
    /// How it is reached.
    pub transport: TransportName,
    /// Command line or URL.
    pub target: String,
    /// The command and its arguments; empty over HTTP.
    pub argv: Vec<String>,
    /// Variables set in addition to the inherited environment.
    pub env: Vec<ValueRow>,
    /// The working directory; this app's own where missing.
    pub cwd: Option<String>,
    /// Headers sent with every HTTP request.
    pub headers: Vec<ValueRow>,
    /// Which protocol to speak: `auto`, `legacy`, `modern` or a revision.
    pub era: String,
    /// How long a request waits for its answer or a sign of progress, milliseconds.
    pub timeout_ms: u64,
    /// Its connection is made again, with growing pauses, where the server ends it.
    pub reconnect: bool,
    /// A file of certificates (PEM) that are trusted besides the machine's own; over HTTP only.
    pub ca: Option<String>,
    /// Files, folders and globs whose changes restart it; relative ones from its working directory.
    pub watch: Vec<String>,
    /// How long a request waits altogether, progress or not, milliseconds; an hour where missing.
    pub total_ms: Option<u64>,
    /// How long its process may take to end after its stdin was closed, milliseconds; 5 s where missing.
    pub grace_ms: Option<u64>,
    /// How long it may be silent at its start, milliseconds; by its command where missing.
    pub start_ms: Option<u64>,
    /// Its command was pasted or imported and has not been confirmed: `open_session` throws `needs_consent`.
    pub unconfirmed: bool,
    /// The built-in demo server.
    pub demo: bool,
    /// Its newest session, live or not.
    pub session: Option<SessionRow>,
}

/// A variable or header of a server. A secret's value stays in the host.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ValueRow {
    /// Its name.
    pub name: String,
    /// Its value as typed; of a secret `••••` and its last 4 characters, or nothing where it is shorter than 12.
    pub value: String,
    /// Where the value is kept.
    pub kept: Kept,
}

/// Where a value is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum Kept {
    /// In the catalogue: it is no secret.
    Catalogue,
    /// In the keychain of the operating system.
    Keychain,
    /// In the file of secrets that a passphrase opens: there is no keychain.
    File,
    /// In memory until the app ends: there is no keychain.
    Memory,
    /// A secret whose value is gone, after a restart without a keychain, say.
    Missing,
}

/// A server as typed.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export)]
pub struct ServerDraft {
    /// The server to change; a new one where missing.
    #[ts(optional)]
    pub id: Option<String>,
    /// Its name; made from the command or the URL where empty.
    pub name: String,
    /// How it is reached.
    pub target: TargetDraft,
    /// Which protocol to speak: `auto`, `legacy`, `modern` or a revision.
    pub era: String,
    /// How long a request waits for its answer, milliseconds, 1 to 86 400 000.
    pub timeout_ms: u64,
    /// Make its connection again, with growing pauses, where the server ends it.
    #[serde(default)]
    pub reconnect: bool,
    /// A file of certificates (PEM) that are trusted besides the machine's own; none where empty; over HTTP only.
    #[serde(default)]
    pub ca: String,
    /// Files, folders and globs whose changes restart it; empty ones are left out.
    #[serde(default)]
    pub watch: Vec<String>,
    /// How long a request waits altogether, milliseconds, from the time-out to 86 400 000.
    #[serde(default)]
    pub total_ms: Option<u64>,
    /// How long its process may take to end after its stdin was closed, milliseconds, 0 to 60 000; over stdio only.
    #[serde(default)]
    pub grace_ms: Option<u64>,
    /// How long it may be silent at its start, milliseconds, 1 000 to 600 000; over stdio only.
    #[serde(default)]
    pub start_ms: Option<u64>,
    /// It was pasted or imported: its first start asks.
    pub unconfirmed: bool,
}

impl ServerDraft {
    /// The file of certificates, where one was typed.
    pub(crate) fn ca(&self) -> Option<PathBuf> {
        let ca = self.ca.trim();
        (!ca.is_empty()).then(|| ca.into())
    }
}

/// How a server is reached, as typed. Values may hold references such as `${NAME}`.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(tag = "transport", rename_all = "kebab-case")]
#[ts(export)]
pub enum TargetDraft {
    /// A child process.
    Stdio {
        /// The command line, split as a shell splits words; nothing is expanded.
        command_line: String,
        /// Variables set in addition to the inherited environment; rows without name and value are left out.
        env: Vec<ValueDraft>,
        /// The working directory; this app's own where empty.
        cwd: String,
    },
    /// Streamable HTTP.
    Http {
        /// The MCP endpoint.
        url: String,
        /// Names and values; rows without both are left out.
        headers: Vec<ValueDraft>,
    },
    /// HTTP+SSE of 2024-11-05.
    Sse {
        /// The URL of the event stream.
        url: String,
        /// Names and values; rows without both are left out.
        headers: Vec<ValueDraft>,
    },
}

/// A variable or header as typed.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export)]
pub struct ValueDraft {
    /// Its name.
    pub name: String,
    /// Its value; missing where the stored secret of that name stays as it is.
    pub value: Option<String>,
    /// Keep it as a secret: in the keychain, never in a file of this app.
    pub secret: bool,
}

/// Where secrets are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum SecretStoreKind {
    /// In the keychain of the operating system.
    Keychain,
    /// In a file of the data folder that a passphrase opens.
    File,
    /// In memory until the app ends.
    Memory,
}

/// Where secrets go.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct SecretStoreRow {
    /// The keychain of the operating system works.
    pub keychain: bool,
    /// Its name for the eye, or why there is none.
    pub text: String,
    /// Where they go.
    pub kind: SecretStoreKind,
    /// There is a file of secrets whose passphrase was not given in this run.
    pub locked: bool,
    /// No keychain works here: a file or memory can be chosen.
    #[serde(rename = "canChoose")]
    pub can_choose: bool,
}

/// A server found in pasted JSON.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct PastedServer {
    /// Its name in the file.
    pub name: String,
    /// How it is reached; missing where it cannot be used.
    pub transport: Option<TransportName>,
    /// The command line that would be split into exactly its command and arguments; of HTTP empty.
    pub command_line: String,
    /// The command and its arguments.
    pub argv: Vec<String>,
    /// The URL; of stdio empty.
    pub url: String,
    /// Variables; those that look like secrets are marked so.
    pub env: Vec<PastedValue>,
    /// Headers; those that look like secrets are marked so.
    pub headers: Vec<PastedValue>,
    /// The working directory, or empty.
    pub cwd: String,
    /// What cannot be used, or is not understood and left out.
    pub problem: Option<String>,
}

/// A file in which another MCP host keeps its servers.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct HostFileRow {
    /// The host; unique among them.
    pub host: String,
    /// The file.
    pub path: String,
}

/// The servers of such a file.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct HostServers {
    /// The file.
    pub path: String,
    /// In its order.
    pub servers: Vec<PastedServer>,
}

/// A variable or header found in pasted JSON.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct PastedValue {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Its name or value looks like that of a secret.
    pub secret: bool,
}
