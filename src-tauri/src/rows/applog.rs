//! What this app wrote about itself.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How much a line matters; as a choice: from which on lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum AppLogLevel {
    /// Something failed.
    Error,
    /// Something is not as it should be.
    Warn,
    /// What was done.
    Info,
    /// How it was done.
    Debug,
    /// Each step of it.
    Trace,
}

/// A line, known secrets masked.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct AppLogLine {
    /// Milliseconds since the epoch.
    pub at: i64,
    /// How much it matters.
    pub level: AppLogLevel,
    /// The part of this app.
    pub target: String,
    /// What it says.
    pub text: String,
}

/// The newest lines.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct AppLog {
    /// At most 2 000, oldest first.
    pub lines: Vec<AppLogLine>,
    /// From which level on lines are written.
    pub level: AppLogLevel,
    /// The file.
    pub path: String,
    /// Older lines of this run that are in the file alone.
    pub dropped: u64,
}
