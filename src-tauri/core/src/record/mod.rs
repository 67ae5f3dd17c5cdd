//! Records: what is in the log, and the tap, the only place where something gets into it.

mod channel;
mod clock;
mod correlator;
mod entry;
mod event;
mod flags;
mod mask;
mod note;
mod preview;
mod tap;

pub mod capture;
pub mod redact;

pub use channel::{LogFailure, LogReceiver, Uncommitted, log_channel};
pub use clock::Clock;
pub use correlator::{Answered, Correlator, Observed};
pub use entry::{Body, BodyId, Carriage, Entry, Record};
pub use event::{
    Closed, EndReason, Event, EventKind, HttpEvent, HttpPhase, Opened, PathSource, StoppedBy,
};
pub use flags::Flags;
pub use mask::{KnownSecrets, Redaction, process_secrets};
pub use note::Note;
pub use preview::preview;
pub use tap::{NotRecording, PARSE_LIMIT, PartTap, Recorded, Tap};

#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Identifies a session; ordered by its start, unique across processes (UUIDv7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SessionId(pub Uuid);

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for SessionId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Uuid::parse_str(text).map(Self)
    }
}

/// Number of a record in its session: from 1, without gaps, in the order of the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seq(pub u64);

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Number of the process or wire inside a session, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Conn(pub u32);
