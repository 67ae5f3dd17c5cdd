//! Sessions out and in as files: what is taken out of an export, and files that are encrypted.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::SessionRow;

/// What is taken out of an export, as typed.
#[derive(Clone, Debug, Deserialize, TS)]
#[ts(export)]
pub struct RedactRules {
    /// Names of members of JSON objects at any depth; letter case does not count.
    pub keys: Vec<String>,
    /// Names of HTTP headers; letter case does not count.
    pub headers: Vec<String>,
    /// Regular expressions over any text; where one has a group `secret`, that is taken out.
    pub values: Vec<String>,
    /// JSON paths: `$.params.arguments.token`, `$..password`, `[*]`.
    pub paths: Vec<String>,
}

/// The rules to begin with, in the shape of `RedactRules`.
#[derive(Clone, Debug, Serialize)]
pub struct UsualRules {
    pub(crate) keys: Vec<String>,
    pub(crate) headers: Vec<String>,
    pub(crate) values: Vec<String>,
    pub(crate) paths: Vec<String>,
}

/// How a session is exported.
#[derive(Clone, Deserialize, TS)]
#[ts(export)]
pub struct ExportOptions {
    /// What is taken out.
    pub redact: RedactRules,
    /// Encrypts the file.
    pub passphrase: Option<String>,
}

impl std::fmt::Debug for ExportOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ExportOptions")
            .field("redact", &self.redact)
            .finish_non_exhaustive()
    }
}

/// What a rule goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export)]
pub enum RuleKind {
    /// The name of a member.
    Key,
    /// The name of a header.
    Header,
    /// A pattern of text.
    Value,
    /// A path into a message.
    Path,
}

/// What one rule does to a session.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct RuleHits {
    /// What it goes by.
    pub kind: RuleKind,
    /// As typed.
    pub rule: String,
    /// How many places it hits.
    pub hits: u64,
    /// Why it cannot be read; it hits nothing then.
    pub problem: Option<String>,
}

/// A place that a rule changes.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct RedactionSample {
    /// The record; 0 is the description of the session.
    pub seq: u64,
    /// Where in it.
    pub place: String,
    /// What stands there with a little of what is around it, at most 200 characters.
    pub before: String,
    /// What will stand there.
    pub after: String,
    /// The rule, as typed.
    pub rule: String,
}

/// What an export would change.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ExportPreview {
    /// The records of the session.
    pub records: u64,
    /// How many of them change.
    pub changed: u64,
    /// Each rule, in the order of the lists.
    pub rules: Vec<RuleHits>,
    /// The first 100 places.
    pub samples: Vec<RedactionSample>,
}

/// What came of an import.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct ImportOutcome {
    /// The new sessions.
    pub sessions: Vec<SessionRow>,
    /// Files that are encrypted: `import_locked`.
    pub locked: Vec<LockedFile>,
}

/// An encrypted file that was chosen. Its path stays with the backend.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct LockedFile {
    /// For `import_locked` and `forget_locked`.
    pub id: u32,
    /// Its name.
    pub name: String,
}
