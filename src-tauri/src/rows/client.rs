//! How this app shows itself to a server, what it answers by rule, and the checks that talk to a server in two ways.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How the client shows itself to a server, as JSON texts; `null` is our own default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export)]
pub struct ClientRow {
    /// An `Implementation` object.
    pub info: Option<String>,
    /// Capabilities in the legacy era.
    pub legacy: Option<String>,
    /// Capabilities in the modern era.
    pub modern: Option<String>,
    /// What is sent where nothing else was chosen.
    pub defaults: ClientDefaults,
    /// Rules that answer what the server asks.
    pub rules: Vec<RuleRow>,
}

/// What is sent where nothing else was chosen, as JSON texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export)]
pub struct ClientDefaults {
    /// An `Implementation` object.
    pub info: String,
    /// Capabilities in the legacy era.
    pub legacy: String,
    /// Capabilities in the modern era.
    pub modern: String,
}

/// A choice of how the client shows itself.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export)]
pub struct ClientDraft {
    /// An `Implementation` object as JSON text; ours where missing.
    pub info: Option<String>,
    /// Capabilities in the legacy era as JSON text; ours where missing.
    pub legacy: Option<String>,
    /// Capabilities in the modern era as JSON text; ours where missing.
    pub modern: Option<String>,
    /// Rules that answer what the server asks; the first that fits answers.
    pub rules: Vec<RuleRow>,
}

/// A rule that answers what a server asks, in place of the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RuleRow {
    /// Whether it is used.
    pub on: bool,
    /// `elicitation/create`, `sampling/createMessage` or `roots/list`.
    pub method: String,
    /// Text that must stand in the question's params; empty: any question.
    pub contains: String,
    /// The answer.
    pub answer: RuleAnswer,
}

/// What a rule answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[ts(export)]
pub enum RuleAnswer {
    /// A form with its defaults, the roots as they are; a sampling is refused.
    Defaults,
    /// A result, sent to the byte but for line breaks over stdio.
    Result {
        /// JSON text.
        json: String,
    },
    /// A JSON-RPC error.
    Error {
        /// Its code.
        code: i64,
        /// In words.
        message: String,
    },
}

/// A request that was sent in both eras.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct BothErasRow {
    /// The legacy side.
    pub legacy: SideRow,
    /// The modern side.
    pub modern: SideRow,
}

/// One side of a request that was sent in both eras.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct SideRow {
    /// The session, once there is one.
    pub session: Option<String>,
    /// The request, if it was sent.
    pub seq: Option<u64>,
    /// Why it was not sent.
    pub problem: Option<String>,
}

/// A request that was sent over the open connection and alone over a fresh one.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct StatelessRow {
    /// The method.
    pub method: String,
    /// For a tool call the tool, for a resource its URI, for a prompt its name.
    pub what: Option<String>,
    /// The request over the open connection, if it was sent.
    pub shared: Option<u64>,
    /// The request that was the only one of its connection, if it was sent.
    pub alone: Option<u64>,
    /// Whether the answers are equal but for `_meta`; missing where one is missing.
    pub same: Option<bool>,
    /// What differs or failed, in words.
    pub message: Option<String>,
}
