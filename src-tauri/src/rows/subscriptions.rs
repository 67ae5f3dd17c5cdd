//! What a session has subscribed to, and the log level that it asked for.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A list whose changes can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum ListName {
    /// `tools/list`
    Tools,
    /// `prompts/list`
    Prompts,
    /// `resources/list`
    Resources,
}

/// A subscription: one `resources/subscribe` of the legacy era, or one `subscriptions/listen` of the modern one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export)]
pub struct SubscriptionRow {
    /// The request that asked for it.
    pub seq: u64,
    /// The resources that were asked for.
    pub uris: Vec<String>,
    /// The lists that were asked for.
    pub lists: Vec<ListName>,
    /// What the server honours, once it has said so.
    pub granted: Option<GrantRow>,
    /// How it stands.
    pub state: SubscriptionState,
    /// Why it was refused or how it ended, in words.
    pub message: Option<String>,
    /// How many notifications came.
    pub updates: u64,
    /// When the newest came, microseconds since the epoch.
    pub last_us: Option<i64>,
    /// The record of the newest.
    pub last_seq: Option<u64>,
}

/// What a server honours of a subscription.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, TS)]
#[ts(export)]
pub struct GrantRow {
    /// The resources.
    pub uris: Vec<String>,
    /// The lists.
    pub lists: Vec<ListName>,
}

/// How it stands with a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum SubscriptionState {
    /// The server has not said yes yet.
    Asking,
    /// It is told what changes.
    Active,
    /// The server said no.
    Refused,
    /// It is over.
    Ended,
}

/// Event `subscriptions-changed`: all subscriptions of a session, oldest first; at most ten a second.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct SubscriptionsChanged {
    /// The session.
    pub session: String,
    /// All of them, also those that are over.
    pub subscriptions: Vec<SubscriptionRow>,
}

/// A level of log messages (RFC 5424), rising.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum LogLevelName {
    /// `debug`
    Debug,
    /// `info`
    Info,
    /// `notice`
    Notice,
    /// `warning`
    Warning,
    /// `error`
    Error,
    /// `critical`
    Critical,
    /// `alert`
    Alert,
    /// `emergency`
    Emergency,
}
