//! The tap: stamps what crosses the wire and puts it into the log, every frame exactly once.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;

use bytes::Bytes;

use super::channel::Log;
use super::entry::{Body, BodyId, Carriage, Record};
use super::mask::Masker;
use super::{Conn, Event, Flags, KnownSecrets, Opened, Redaction, Seq};
use crate::protocol::{Direction, Envelope, envelope, sse};

/// Up to this size a body is one entry; a larger one is stored in parts of at most this size.
const PART_LIMIT: usize = 4 << 20;
/// Up to this size in bytes a frame is read; a larger one is stored and marked. It bounds the memory that any frame takes
/// (docs/decisions/0009).
pub const PARSE_LIMIT: u64 = 64 << 20;
/// How much of a body in parts its record carries.
const HEAD: usize = 64 << 10;

/// The log cannot be written any more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
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
    envelope: Arc<Envelope>,
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

    /// The message in them: the `data` of an event stream's block, else all of them.
    pub fn message(&self) -> Option<Bytes> {
        let raw = self.raw.as_ref()?;
        Some(match sse::message(raw) {
            Cow::Borrowed(part) => raw.slice_ref(part),
            Cow::Owned(joined) => joined.into(),
        })
    }
}

/// Stamps and logs. One per session, shared by all its wires.
#[derive(Clone, Debug)]
pub struct Tap {
    log: Log,
    secrets: KnownSecrets,
}

impl Tap {
    pub(super) fn new(log: Log, secrets: KnownSecrets) -> Self {
        Self { log, secrets }
    }

    /// Logs a frame of up to 4 MiB, given without its separator. (A larger one costs memory, no more.)
    pub async fn frame(
        &self,
        direction: Direction,
        raw: Bytes,
        at: Carriage,
    ) -> Result<Recorded, NotRecording> {
        let (masked, redactions) = self.secrets.mask(&raw);
        let sent = Arc::new(envelope(&raw));
        let logged = as_logged(&sent, &redactions, || masked.clone());
        let body = self.body(masked).await?;
        let mut record = Record::of_frame(direction, at, body, logged);
        record.redacted(redactions);
        let seq = self.log.record(record).await?;
        Ok(Recorded {
            seq,
            carriage: at,
            envelope: sent,
            raw: Some(raw),
        })
    }

    /// Begins a frame that is larger; its number is given at [`PartTap::finish`].
    pub fn begin(&self, direction: Direction, at: Carriage) -> PartTap {
        PartTap {
            stored: StoredParts::new(&self.log),
            masker: self.secrets.masker(),
            tap: self.clone(),
            direction,
            at,
            // Address space rather than memory, which is taken as it is written. Growing would copy, and leave the copies behind.
            kept: Vec::with_capacity(usize::try_from(PARSE_LIMIT).unwrap_or_default()),
            size: 0,
            parse_limit: PARSE_LIMIT,
        }
    }

    /// Logs an event that is no frame.
    pub async fn event(
        &self,
        conn: Conn,
        mut event: Event,
        via: Option<Seq>,
        about: Option<Seq>,
    ) -> Result<Seq, NotRecording> {
        match &mut event {
            Event::Http(http) => {
                self.secrets.mask_headers(&mut http.headers);
                http.url
                    .iter_mut()
                    .for_each(|url| self.secrets.mask_typed(url));
            }
            Event::Opened(Opened::Stdio { argv, .. }) => {
                argv.iter_mut()
                    .for_each(|word| self.secrets.mask_typed(word));
            }
            Event::Opened(Opened::Http { url }) => self.secrets.mask_typed(url),
            Event::Stderr { .. } | Event::Note(_) | Event::Closed(_) => {}
        }
        let mut record = Record::of_event(conn, &event);
        (record.via, record.about) = (via, about);
        let (masked, redactions) = self.secrets.mask(record.body.head());
        // The bytes no longer say what the event did where a secret stood in it.
        record.said = redactions.is_empty().then(|| Box::new(event));
        record.redacted(redactions);
        record.body = self.body(masked).await?;
        self.log.record(record).await
    }

    /// The number that was given last; 0 before the first.
    pub fn head(&self) -> Seq {
        self.log.head()
    }

    /// The secrets that are masked here.
    pub fn known_secrets(&self) -> KnownSecrets {
        self.secrets.clone()
    }

    async fn body(&self, bytes: Bytes) -> Result<Body, NotRecording> {
        if bytes.len() <= PART_LIMIT {
            return Ok(Body::Whole(bytes));
        }
        let mut parts = StoredParts::new(&self.log);
        parts.add(bytes);
        parts.store(&self.log).await?;
        Ok(parts.body())
    }
}

/// What the log's bytes say, where they differ from those on the wire.
fn as_logged(
    sent: &Arc<Envelope>,
    redactions: &[Redaction],
    masked: impl FnOnce() -> Bytes,
) -> Arc<Envelope> {
    if redactions.is_empty() {
        Arc::clone(sent)
    } else {
        Arc::new(envelope(&masked()))
    }
}

/// A body that is handed to the recorder in parts.
#[derive(Debug)]
struct StoredParts {
    id: BodyId,
    count: u32,
    size: u64,
    head: Vec<u8>,
    /// Not handed over yet; empty but while a caller waits, or gave up waiting.
    queue: VecDeque<Bytes>,
}

impl StoredParts {
    fn new(log: &Log) -> Self {
        Self {
            id: log.next_body(),
            count: 0,
            size: 0,
            head: Vec::new(),
            queue: VecDeque::new(),
        }
    }

    fn add(&mut self, mut bytes: Bytes) {
        self.size += bytes.len() as u64;
        let room = HEAD.saturating_sub(self.head.len());
        self.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
        while !bytes.is_empty() {
            self.queue
                .push_back(bytes.split_to(bytes.len().min(PART_LIMIT)));
        }
    }

    /// A caller who gives up half-way loses nothing: the next call goes on where this one stopped.
    async fn store(&mut self, log: &Log) -> Result<(), NotRecording> {
        while let Some(next) = self.queue.front() {
            log.part(self.id, self.count, next.clone()).await?;
            self.count += 1;
            self.queue.pop_front();
        }
        Ok(())
    }

    fn body(self) -> Body {
        Body::Parts {
            id: self.id,
            size: self.size,
            head: self.head.into(),
        }
    }
}

/// A frame that arrives in parts. Dropped before its end, it leaves parts without a record.
#[derive(Debug)]
pub struct PartTap {
    tap: Tap,
    direction: Direction,
    at: Carriage,
    masker: Masker,
    stored: StoredParts,
    /// The frame as it crossed the wire, while it may still be parsed.
    kept: Vec<u8>,
    size: u64,
    parse_limit: u64,
}

impl PartTap {
    #[cfg(test)]
    pub(super) fn with_parse_limit(self, parse_limit: u64) -> Self {
        Self {
            parse_limit,
            ..self
        }
    }

    /// Adds what the transport learns only at the end, e.g. [`Flags::UNTERMINATED`].
    pub fn flag(&mut self, flags: Flags) {
        self.at.flags = self.at.flags.with(flags);
    }

    /// Logs the next bytes.
    pub async fn part(&mut self, bytes: Bytes) -> Result<(), NotRecording> {
        self.size += bytes.len() as u64;
        if self.size <= self.parse_limit {
            self.kept.extend_from_slice(&bytes);
        } else {
            self.kept = Vec::new();
        }
        self.stored.add(self.masker.push(bytes));
        self.stored.store(&self.tap.log).await
    }

    /// Ends the frame.
    pub async fn finish(mut self) -> Result<Recorded, NotRecording> {
        self.stored.add(self.masker.finish());
        self.stored.store(&self.tap.log).await?;
        let raw = (self.size <= self.parse_limit).then(|| Bytes::from(self.kept));
        let redactions = self.masker.redactions;
        let (sent, logged) = match &raw {
            Some(raw) => {
                let sent = Arc::new(envelope(raw));
                let logged = as_logged(&sent, &redactions, || self.tap.secrets.mask(raw).0);
                (sent, logged)
            }
            None => {
                let unread = Arc::new(Envelope::over_limit());
                (Arc::clone(&unread), unread)
            }
        };
        let mut record = Record::of_frame(self.direction, self.at, self.stored.body(), logged);
        record.redacted(redactions);
        let seq = self.tap.log.record(record).await?;
        Ok(Recorded {
            seq,
            carriage: self.at,
            envelope: sent,
            raw,
        })
    }
}
