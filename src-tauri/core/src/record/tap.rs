//! The tap: stamps what crosses the wire and puts it into the log, every frame exactly once.

use bytes::Bytes;
use tokio::sync::mpsc;

use super::{Clock, Conn, Event, EventKind, Flags, KnownSecrets, Redaction, Seq};
use crate::protocol::{Direction, Envelope};

/// Key of a body among the bodies of its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub u64);

/// The bytes of a record: the truth, from which all but the primary fields can be computed again.
#[derive(Clone, Debug)]
pub enum Body {
    /// All of it.
    Whole(Bytes),
    /// Already handed to the recorder in parts.
    Parts {
        /// Under which key.
        id: BodyId,
        /// Its size in bytes.
        size: u64,
        /// Its first bytes, for a preview.
        head: Bytes,
    },
}

/// One row of the log.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its number.
    pub seq: Seq,
    /// Microseconds since the Unix epoch.
    pub at_us: i64,
    /// The process or wire that it belongs to.
    pub conn: Conn,
    /// Which of the six events it is.
    pub event: EventKind,
    /// Frames and HTTP only.
    pub direction: Option<Direction>,
    /// The HTTP request record or outbound frame whose exchange carried this record, and nothing else.
    pub via: Option<Seq>,
    /// The record that this one is about.
    pub about: Option<Seq>,
    /// The bytes: a frame's own, a line of stderr, or the JSON of the event.
    pub body: Body,
    /// What the tap knows; the recorder adds what pairing tells.
    pub flags: Flags,
    /// Frames only.
    pub envelope: Option<Envelope>,
    /// Where known secrets stood.
    pub redactions: Vec<Redaction>,
}

/// What travels from the tap to the recorder, in the order of the log.
#[derive(Debug)]
pub enum Entry {
    /// A row.
    Record(Record),
    /// The next bytes of a body over 4 MiB; its row follows.
    Part {
        /// Under which key.
        id: BodyId,
        /// Number of the part, from 0.
        part: u32,
        /// The bytes.
        bytes: Bytes,
    },
}

/// Where a frame belongs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Carriage {
    /// The process or wire.
    pub conn: Conn,
    /// The exchange that carried it.
    pub via: Option<Seq>,
    /// The record that it is about.
    pub about: Option<Seq>,
    /// What the transport knows, e.g. [`Flags::UNTERMINATED`].
    pub flags: Flags,
}

/// The log cannot be written any more.
#[derive(Clone, Debug, thiserror::Error)]
#[error("not recording since #{since}: {why}")]
pub struct NotRecording {
    /// The first record that is missing.
    pub since: Seq,
    /// The store's words.
    pub why: String,
}

/// Receipt that a frame is in the log. Only [`Tap`] makes one; it cannot be copied, so nothing is logged or delivered twice.
#[derive(Debug)]
pub struct Recorded {
    seq: Seq,
    carriage: Carriage,
    envelope: Envelope,
    raw: Option<Bytes>,
}

impl Recorded {
    /// Its number.
    pub fn seq(&self) -> Seq {
        self.seq
    }

    /// Where it belongs.
    pub fn carriage(&self) -> Carriage {
        self.carriage
    }

    /// What was read off it.
    pub fn envelope(&self) -> &Envelope {
        &self.envelope
    }

    /// Its bytes as they crossed the wire, secrets unmasked; `None` where it is over the parse limit.
    pub fn raw(&self) -> Option<&Bytes> {
        self.raw.as_ref()
    }
}

/// Stamps and logs. One per session, shared by all its wires.
#[derive(Clone, Debug)]
pub struct Tap {
    _clock: Clock,
    _out: mpsc::Sender<Entry>,
    _secrets: KnownSecrets,
}

impl Tap {
    /// Logs a frame of up to 4 MiB, given without its separator.
    pub async fn frame(&self, _direction: Direction, _raw: Bytes, _at: Carriage) -> Result<Recorded, NotRecording> {
        Err(NotRecording { since: Seq(1), why: "not built yet".into() })
    }

    /// Begins a frame that is larger; its number is given at [`PartTap::finish`].
    pub fn begin(&self, direction: Direction, at: Carriage) -> PartTap {
        PartTap { tap: self.clone(), direction, at }
    }

    /// Logs an event that is no frame.
    pub async fn event(&self, _conn: Conn, _event: Event, _via: Option<Seq>, _about: Option<Seq>) -> Result<Seq, NotRecording> {
        Err(NotRecording { since: Seq(1), why: "not built yet".into() })
    }
}

/// A frame that arrives in parts.
#[derive(Debug)]
pub struct PartTap {
    tap: Tap,
    direction: Direction,
    at: Carriage,
}

impl PartTap {
    /// Logs the next bytes.
    pub async fn part(&mut self, _bytes: Bytes) -> Result<(), NotRecording> {
        Ok(())
    }

    /// Ends the frame.
    pub async fn finish(self) -> Result<Recorded, NotRecording> {
        self.tap.frame(self.direction, Bytes::new(), self.at).await
    }
}
