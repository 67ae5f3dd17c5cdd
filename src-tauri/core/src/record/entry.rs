//! What the log is made of: rows, and the parts of bodies too large for one.

use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;

use super::{Conn, Event, EventKind, Flags, Redaction, Seq};
use crate::protocol::{Direction, Envelope, Kind, Problem};

/// Key of a body among the bodies of its session. Those of bodies in parts count from [`BodyId::FIRST_IN_PARTS`] in steps of
/// [`BodyId::PARTS`], so that a store may keep a whole body under the number of its record, and each part under the key of
/// the body plus its own number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub u64);

impl BodyId {
    /// Far above the number of any record.
    pub const FIRST_IN_PARTS: Self = Self(1 << 40);
    /// How many parts a body may have: 4 TiB of them.
    pub const PARTS: u64 = 1 << 20;
}

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
        /// Its first bytes, at most 64 KiB, for a preview.
        head: Bytes,
    },
}

impl Body {
    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        match self {
            Self::Whole(bytes) => bytes.len() as u64,
            Self::Parts { size, .. } => *size,
        }
    }

    /// Its first bytes: all of a whole body, at most 64 KiB of one in parts.
    pub fn head(&self) -> &Bytes {
        match self {
            Self::Whole(bytes) => bytes,
            Self::Parts { head, .. } => head,
        }
    }
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
    pub envelope: Option<Arc<Envelope>>,
    /// Where known secrets stood.
    pub redactions: Vec<Redaction>,
    /// What the bytes say, where that is known without reading them.
    pub said: Option<Box<Event>>,
}

impl Record {
    /// What its bytes say; `None` for a frame, and for what only a newer program can read.
    pub fn said(&self) -> Option<Cow<'_, Event>> {
        match &self.said {
            Some(event) => Some(Cow::Borrowed(event)),
            None => Event::of(self).map(Cow::Owned),
        }
    }

    /// A frame that has no number and time yet.
    pub(super) fn of_frame(
        direction: Direction,
        at: Carriage,
        body: Body,
        envelope: impl Into<Arc<Envelope>>,
    ) -> Self {
        let envelope = envelope.into();
        let noise = direction == Direction::ServerToClient
            && envelope.kind == Kind::Malformed
            && !at.flags.has(Flags::TRUNCATED);
        Self {
            direction: Some(direction),
            via: at.via,
            about: at.about,
            flags: at
                .flags
                .with_if(envelope.is_error, Flags::IS_ERROR)
                .with_if(
                    envelope.problems.contains(&Problem::OverLimit),
                    Flags::OVER_LIMIT,
                )
                .with_if(noise, Flags::NOISE),
            envelope: Some(envelope),
            ..Self::unread(EventKind::Frame, at.conn, body)
        }
    }

    pub(super) fn redacted(&mut self, redactions: Vec<Redaction>) {
        self.flags = self.flags.with_if(!redactions.is_empty(), Flags::REDACTED);
        self.redactions = redactions;
    }

    /// An event that has no number and time yet.
    pub(super) fn of_event(conn: Conn, event: &Event) -> Self {
        let body = Body::Whole(event.body());
        Self {
            direction: event.direction(),
            flags: event.flags(),
            ..Self::unread(event.kind(), conn, body)
        }
    }

    /// An event of which nothing is known but its bytes.
    pub(super) fn unread(event: EventKind, conn: Conn, body: Body) -> Self {
        Self {
            seq: Seq(0),
            at_us: 0,
            conn,
            event,
            direction: None,
            via: None,
            about: None,
            body,
            flags: Flags::default(),
            envelope: None,
            redactions: Vec::new(),
            said: None,
        }
    }
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
        /// The bytes, at most 4 MiB.
        bytes: Bytes,
    },
}

impl Entry {
    /// The bytes that it carries itself.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Record(Record {
                body: Body::Whole(bytes),
                ..
            })
            | Self::Part { bytes, .. } => bytes.len(),
            Self::Record(Record {
                body: Body::Parts { head, .. },
                ..
            }) => head.len(),
        }
    }
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
