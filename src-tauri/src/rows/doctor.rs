//! The connection doctor's report.

use serde::Serialize;
use ts_rs::TS;

/// A report, complete or growing.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct DoctorReport {
    /// How it stands.
    pub outcome: DoctorOutcome,
    /// How far it came, in a few words.
    pub headline: String,
    /// In order.
    pub steps: Vec<DoctorStep>,
    /// What is wrong, where a step failed.
    pub fault: Option<DoctorFault>,
    /// What was found out by the way.
    pub facts: Vec<DoctorFact>,
    /// The session that holds what crossed the wire.
    pub session: Option<String>,
    /// All of it as text, for the clipboard.
    pub text: String,
}

/// How an examination stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum DoctorOutcome {
    /// Not over.
    Running,
    /// The server can be used.
    Passed,
    /// A step failed.
    Failed,
    /// The user ended it.
    Cancelled,
}

/// A step of connecting.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct DoctorStep {
    /// Its name for people.
    pub label: String,
    /// How it stands.
    pub state: DoctorState,
    /// What was found, in a few words.
    pub fact: String,
    /// How long it took, microseconds; none where it did not run, or runs.
    pub dur_us: Option<i64>,
}

/// How it stands with a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum DoctorState {
    /// Not begun.
    Waiting,
    /// On the way.
    Running,
    /// Done.
    Passed,
    /// The one that failed.
    Failed,
    /// Not needed, or without a result that matters; the fact says why.
    Skipped,
}

/// What is wrong.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct DoctorFault {
    /// Who is at fault, as a sentence.
    pub headline: String,
    /// Nobody is: the server asks for a sign-in.
    pub sign_in: bool,
    /// Who is not at fault, and why that is known; may be empty.
    pub clear: String,
    /// What happened.
    pub what: String,
    /// What to do next.
    pub next: String,
    /// What shows it.
    pub evidence: Vec<DoctorFact>,
}

/// Something that is so.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct DoctorFact {
    /// What it is about.
    pub name: String,
    /// What it is; may have several lines.
    pub value: String,
}

/// Event: how the doctor comes along.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct DoctorChanged {
    /// The number that `start_doctor` answered.
    pub run: u32,
    /// As it stands.
    pub report: DoctorReport,
}
