//! What is told of requests while they wait: for whoever shows them.

use super::json::{Members, string};
use crate::protocol::RequestId;
use crate::record::{Clock, Seq};

/// A request that waits, for whoever shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct PendingCall {
    /// Its record.
    pub seq: Seq,
    /// Its id.
    pub id: RequestId,
    /// Its method.
    pub method: String,
    /// For a tool call the tool, for a resource its URI, for a prompt its name.
    pub what: Option<String>,
    /// When it was sent, microseconds since the epoch.
    pub sent_us: i64,
    /// When it times out unless something puts that off, microseconds since the epoch; a raw frame waits for ever.
    pub deadline_us: Option<i64>,
    /// The newest sign of progress.
    pub progress: Option<Progress>,
}

/// `notifications/progress` of a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// How far it is.
    pub progress: f64,
    /// How far it goes.
    pub total: Option<f64>,
    /// In the server's words.
    pub message: Option<String>,
    /// When it came, microseconds since the epoch.
    pub at_us: i64,
    /// How many came.
    pub count: u64,
}

/// What is told of a request while it waits.
#[derive(Debug, Default)]
pub(super) struct About {
    pub(super) what: Option<String>,
    pub(super) sent_us: i64,
    pub(super) progress: Option<Progress>,
}

impl About {
    /// Reads it off the params of a message that is about to be sent.
    pub(super) fn of(method: &str, params: Option<&str>) -> Self {
        let key = match method {
            "tools/call" | "prompts/get" => Some("name"),
            "resources/read" => Some("uri"),
            _ => None,
        };
        let what = key.and_then(|key| Members::of(params?).ok()?.string(key));
        Self {
            what,
            sent_us: Clock::start().now_us(),
            progress: None,
        }
    }

    /// A sign of progress came, with these params.
    pub(super) fn advance(&mut self, params: &Members<'_>) {
        let number = |key| params.get(key).and_then(|raw| raw.get().parse().ok());
        let count = self.progress.as_ref().map_or(0, |before| before.count);
        self.progress = Some(Progress {
            progress: number("progress").unwrap_or_default(),
            total: number("total"),
            message: params.get("message").and_then(string),
            at_us: Clock::start().now_us(),
            count: count + 1,
        });
    }
}
