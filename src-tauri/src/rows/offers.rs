//! What a server offers beside its tools, and what it asks of its client.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Which list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum OfferKind {
    /// `resources/list`
    Resources,
    /// `resources/templates/list`
    Templates,
    /// `prompts/list`
    Prompts,
}

/// A list of what a server offers. Its refusal is a problem of the list.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct OffersRow {
    /// In the server's order.
    pub items: Vec<OfferRow>,
    /// What is wrong with the list itself.
    pub problems: Vec<String>,
}

/// A resource, a resource template or a prompt.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct OfferRow {
    /// `name`; empty where it has none.
    pub name: String,
    /// `title`
    pub title: Option<String>,
    /// `description`
    pub description: Option<String>,
    /// URI of a resource, `uriTemplate` of a template (RFC 6570); empty for a prompt.
    pub uri: String,
    /// `mimeType`
    pub mime_type: Option<String>,
    /// `size` of a resource in bytes.
    pub size: Option<u64>,
    /// `arguments` of a prompt.
    pub arguments: Vec<ArgumentRow>,
    /// The whole item as JSON text.
    pub raw: String,
    /// What is wrong with it.
    pub problem: Option<String>,
}

/// An argument of a prompt; its value is a string.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ArgumentRow {
    /// `name`
    pub name: String,
    /// `title`
    pub title: Option<String>,
    /// `description`
    pub description: Option<String>,
    /// `required`
    pub required: bool,
}

/// A list that can be read page by page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum PageKind {
    /// `tools/list`
    Tools,
    /// `resources/list`
    Resources,
    /// `resources/templates/list`
    Templates,
    /// `prompts/list`
    Prompts,
}

/// One page of a list.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct PageRow {
    /// In the server's order.
    pub items: Vec<OfferRow>,
    /// What is wrong with the page itself.
    pub problems: Vec<String>,
    /// The cursor of the next page as JSON text, to be given back as it is; missing on the last page.
    pub next: Option<String>,
    /// The request's record.
    pub request: u64,
    /// The answer's record.
    pub answer: u64,
    /// `ttlMs`: how long the page stays fresh, in milliseconds.
    pub ttl_ms: Option<u64>,
    /// `cacheScope`
    pub cache_scope: Option<String>,
}

/// How a server introduced itself: the answer to `initialize` or `server/discover`.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ServerInfoRow {
    /// The method that was answered.
    pub method: String,
    /// The request's record.
    pub request: u64,
    /// The answer's record.
    pub answer: u64,
    /// The whole answer as JSON text.
    pub message: String,
}

/// Something that a server asks and nobody has answered yet: elicitation or sampling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export)]
pub struct InputRow {
    /// The record in which it stands.
    pub seq: u64,
    /// Its key among the `inputRequests` of a modern result; missing for a legacy request.
    pub key: Option<String>,
    /// `elicitation/create` or `sampling/createMessage`.
    pub method: String,
    /// Its params as JSON text.
    pub params: Option<String>,
    /// Our request that waits for it, where the server says it.
    pub request: Option<u64>,
    /// Since when, microseconds since the epoch.
    pub since_us: i64,
    /// A page that the user agreed to visit, and whose end the server has not told yet.
    pub visiting: bool,
}

/// Event `inputs-changed`: all that the server of a session asks now, oldest first.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct InputsChanged {
    /// The session.
    pub session: String,
    /// All that waits for an answer.
    pub inputs: Vec<InputRow>,
}

/// An answer to what a server asks.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[ts(export)]
pub enum InputAnswer {
    /// A result, sent to the byte but for line breaks over stdio.
    Result {
        /// JSON text.
        json: String,
    },
    /// A JSON-RPC error. A modern server hears nothing: the call that asked is over.
    Error {
        /// Its code.
        code: i64,
        /// In words.
        message: String,
    },
}

/// A folder or file that a server is told it may work in (client/roots).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RootRow {
    /// A `file://` URI.
    pub uri: String,
    /// For people.
    pub name: Option<String>,
}
