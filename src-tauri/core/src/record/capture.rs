//! The capture format: a session as JSON Lines, one header and then one record a line (`docs/capture-format.md`). It is what
//! `log --json` prints, what is exchanged, and what tests play.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufRead, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::{Deserialize, Deserializer, Serialize};

use super::tap::PARSE_LIMIT;
use super::{Body, Carriage, Conn, Event, EventKind, Flags, Record, Redaction, Seq, SessionId};
use crate::protocol::{Direction, Envelope, ServerConfig, envelope};

/// The format that is written, and the newest that is read.
pub const FORMAT: u32 = 1;

/// The first line of a capture: which session it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the format, [`FORMAT`].
    pub format: u32,
    /// The session.
    pub session: SessionId,
    /// Who made it: `app`, `cli` or `import`.
    pub origin: String,
    /// The name of the server in the catalogue where it was made.
    pub server: String,
    /// The session's own name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The revision that was negotiated last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// How the server was reached; references, not values. Missing where only a newer program understands it.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "or_none"
    )]
    pub config: Option<ServerConfig>,
    /// Microseconds since the Unix epoch.
    pub started_us: i64,
    /// Microseconds since the Unix epoch; missing for a session that lives, or whose end nobody saw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_us: Option<i64>,
    /// The session that this one was a restart of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<SessionId>,
    /// The user's tags.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

fn or_none<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<ServerConfig>, D::Error> {
    let value = serde_json::Value::deserialize(deserializer)?;
    Ok(serde_json::from_value(value).ok())
}

/// A record of a capture: the primary fields, from which the rest is computed ([`Record::from`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapturedRecord {
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
    /// The exchange that carried it.
    pub via: Option<Seq>,
    /// The record that it is about.
    pub about: Option<Seq>,
    /// Its bytes, all of them.
    pub body: Bytes,
    /// Where known secrets stood.
    pub redactions: Vec<Redaction>,
    /// Those of [`CapturedRecord::FLAGS`] that hold.
    pub flags: Flags,
}

impl CapturedRecord {
    /// The flags that stand in a capture; all others are computed.
    pub const FLAGS: Flags = Flags(Flags::UNTERMINATED.0 | Flags::TRUNCATED.0);
}

impl From<CapturedRecord> for Record {
    /// Computes what is derived from the primary fields, as the tap did.
    fn from(captured: CapturedRecord) -> Self {
        let CapturedRecord {
            seq,
            at_us,
            conn,
            event,
            direction,
            via,
            about,
            body,
            redactions,
            flags,
        } = captured;
        let flags = Flags(flags.0 & CapturedRecord::FLAGS.0);
        let mut record = match (event, direction, Event::read(event, &body, flags)) {
            (EventKind::Frame, direction, _) => {
                let envelope = match body.len() as u64 {
                    _ if flags.has(Flags::TRUNCATED) => Envelope::default(),
                    ..=PARSE_LIMIT => envelope(&body),
                    _ => Envelope::over_limit(),
                };
                let at = Carriage {
                    conn,
                    via,
                    about,
                    flags,
                };
                let toward = direction.unwrap_or(Direction::ServerToClient);
                Self {
                    direction,
                    ..Self::of_frame(toward, at, Body::Whole(body), envelope)
                }
            }
            (_, _, Some(event)) => Self {
                body: Body::Whole(body),
                ..Self::of_event(conn, &event)
            },
            (_, _, None) => Self::unread(event, conn, Body::Whole(body)),
        };
        record.redacted(redactions);
        Self {
            seq,
            at_us,
            direction,
            via,
            about,
            ..record
        }
    }
}

/// A line after the header. The order of the fields is that of the file.
#[derive(Serialize, Deserialize)]
struct Line<'a> {
    seq: u64,
    at_us: i64,
    conn: u32,
    event: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    direction: Option<Direction>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    via: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    about: Option<u64>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    unterminated: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    redacted: Vec<Redaction>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body_base64: Option<String>,
}

/// Writes a capture, line by line.
#[derive(Debug)]
pub struct CaptureWriter<W> {
    out: W,
}

impl<W: Write> CaptureWriter<W> {
    /// Writes the header.
    pub fn new(out: W, header: &Header) -> io::Result<Self> {
        let mut writer = Self { out };
        writer.line(header)?;
        Ok(writer)
    }

    /// Writes the next record.
    pub fn record(&mut self, record: &CapturedRecord) -> io::Result<()> {
        let text = std::str::from_utf8(&record.body).ok();
        self.line(&Line {
            seq: record.seq.0,
            at_us: record.at_us,
            conn: record.conn.0,
            event: record.event.as_str().to_owned(),
            direction: record.direction,
            via: record.via.map(|seq| seq.0),
            about: record.about.map(|seq| seq.0),
            unterminated: record.flags.has(Flags::UNTERMINATED),
            truncated: record.flags.has(Flags::TRUNCATED),
            redacted: record.redactions.clone(),
            body: text.map(Cow::Borrowed),
            body_base64: text.is_none().then(|| STANDARD.encode(&record.body)),
        })
    }

    /// Ends the capture: everything is handed to the operating system.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }

    fn line(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        self.out.write_all(b"\n")
    }
}

/// What is wrong with a capture.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct CaptureError {
    /// Where, from 1.
    pub line: u64,
    /// What.
    pub problem: CaptureProblem,
}

/// What is wrong with a line of a capture.
#[derive(Debug, thiserror::Error)]
pub enum CaptureProblem {
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Io(io::Error),
    /// The file is no capture.
    #[error("it does not begin with the header of a Framescope capture: {0}")]
    NoHeader(serde_json::Error),
    /// The file was written by a newer program.
    #[error("its format is {0}, this program reads up to {FORMAT}: update Framescope")]
    NewerFormat(u32),
    /// The line is no record; the last line of a file that breaks off is none either.
    #[error("it is no record: {0}")]
    NoRecord(serde_json::Error),
    /// `body_base64` is no Base64.
    #[error("its body_base64 is damaged: {0}")]
    Base64(base64::DecodeError),
    /// The numbers of the records do not grow.
    #[error("record #{0} does not come after #{1}")]
    Order(Seq, Seq),
}

/// Reads a capture, line by line.
pub struct CaptureReader<R> {
    input: R,
    header: Header,
    line: u64,
    last: Seq,
    buffer: Vec<u8>,
}

impl<R> fmt::Debug for CaptureReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CaptureReader")
            .field("header", &self.header)
            .field("line", &self.line)
            .finish_non_exhaustive()
    }
}

#[derive(Deserialize)]
struct Format {
    format: u32,
}

impl<R: BufRead> CaptureReader<R> {
    /// Reads the header.
    pub fn new(mut input: R) -> Result<Self, CaptureError> {
        let at = |problem| CaptureError { line: 1, problem };
        let mut buffer = Vec::new();
        input
            .read_until(b'\n', &mut buffer)
            .map_err(CaptureProblem::Io)
            .map_err(at)?;
        let Format { format } = serde_json::from_slice(&buffer)
            .map_err(CaptureProblem::NoHeader)
            .map_err(at)?;
        if format > FORMAT {
            return Err(at(CaptureProblem::NewerFormat(format)));
        }
        let header = serde_json::from_slice(&buffer)
            .map_err(CaptureProblem::NoHeader)
            .map_err(at)?;
        Ok(Self {
            input,
            header,
            line: 1,
            last: Seq(0),
            buffer,
        })
    }

    /// Which session it is.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The next record; `None` at the end. Blank lines are passed over.
    pub fn next_record(&mut self) -> Result<Option<CapturedRecord>, CaptureError> {
        loop {
            self.buffer.clear();
            self.line += 1;
            let read = self
                .input
                .read_until(b'\n', &mut self.buffer)
                .map_err(CaptureProblem::Io);
            if read.map_err(|problem| self.error(problem))? == 0 {
                return Ok(None);
            }
            if !self.buffer.trim_ascii().is_empty() {
                let record = self.parse().map_err(|problem| self.error(problem))?;
                self.last = record.seq;
                return Ok(Some(record));
            }
        }
    }

    fn parse(&self) -> Result<CapturedRecord, CaptureProblem> {
        let line: Line<'_> =
            serde_json::from_slice(&self.buffer).map_err(CaptureProblem::NoRecord)?;
        let seq = Seq(line.seq);
        if seq <= self.last {
            return Err(CaptureProblem::Order(seq, self.last));
        }
        let body = match (line.body, line.body_base64) {
            (Some(text), _) => text.into_owned().into(),
            (None, Some(base64)) => STANDARD
                .decode(base64)
                .map_err(CaptureProblem::Base64)?
                .into(),
            (None, None) => Bytes::new(),
        };
        let flags = Flags::default().with_if(line.unterminated, Flags::UNTERMINATED);
        Ok(CapturedRecord {
            seq,
            at_us: line.at_us,
            conn: Conn(line.conn),
            event: EventKind::from_word(&line.event),
            direction: line.direction,
            via: line.via.map(Seq),
            about: line.about.map(Seq),
            body,
            redactions: line.redacted,
            flags: flags.with_if(line.truncated, Flags::TRUNCATED),
        })
    }

    fn error(&self, problem: CaptureProblem) -> CaptureError {
        CaptureError {
            line: self.line,
            problem,
        }
    }
}

impl<R: BufRead> Iterator for CaptureReader<R> {
    type Item = Result<CapturedRecord, CaptureError>;

    /// The next record; after an error, what follows the line that has it.
    fn next(&mut self) -> Option<Self::Item> {
        self.next_record().transpose()
    }
}
