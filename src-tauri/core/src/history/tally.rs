//! What lists say of a session's log: counted while it is recorded, and counted again from the file where that is lost.

use serde::Deserialize;
use sqlx::{Row as _, SqliteConnection};

use super::codes;
use crate::record::{Closed, EventKind, Flags, StoppedBy};

/// The counts of a log and what its events say of the session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) records: u64,
    pub(super) frames: u64,
    pub(super) bytes: u64,
    pub(super) errors: u64,
    pub(super) era: Option<String>,
    pub(super) revision: Option<String>,
    pub(super) peer: Option<String>,
    pub(super) outcome: Option<String>,
    pub(super) crashed: bool,
    pub(super) last_us: Option<i64>,
}

/// What is counted of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted<'a> {
    pub(super) at_us: i64,
    pub(super) event: EventKind,
    /// As in the file.
    pub(super) kind: Option<i64>,
    pub(super) flags: Flags,
    pub(super) size: u64,
    /// Of opened, note and closed; else empty.
    pub(super) body: &'a [u8],
}

impl Tally {
    pub(super) fn add(&mut self, record: Counted<'_>) {
        self.records += 1;
        self.bytes += record.size;
        self.last_us = Some(record.at_us);
        let bad_kind = matches!(
            record.kind,
            Some(codes::ERROR | codes::MALFORMED | codes::NOTE_TIMED_OUT)
        );
        self.errors += u64::from(
            bad_kind || record.flags.has(Flags::IS_ERROR) || record.flags.has(Flags::CRASH),
        );
        match record.event {
            EventKind::Frame => self.frames += 1,
            EventKind::Opened => (self.outcome, self.crashed) = (None, false),
            EventKind::Note => self.note(record.body),
            EventKind::Closed => {
                self.outcome = serde_json::from_slice(record.body)
                    .ok()
                    .map(|closed| outcome(&closed));
                self.crashed = record.flags.has(Flags::CRASH);
            }
            EventKind::Http | EventKind::Stderr | EventKind::Unknown => {}
        }
    }

    fn note(&mut self, body: &[u8]) {
        let Ok(negotiated) = serde_json::from_slice::<Negotiated>(body) else {
            return;
        };
        self.era = Some(negotiated.era);
        self.revision = Some(negotiated.revision);
        self.peer = negotiated.server.and_then(Implementation::display);
    }

    /// Counts a whole file.
    pub(super) async fn of_file(conn: &mut SqliteConnection) -> Result<Self, sqlx::Error> {
        const PAGE: i64 = 20_000;
        let mut tally = Self::default();
        let mut after = 0;
        loop {
            let rows = sqlx::query(
                "select r.seq, r.at_us, r.event, r.kind, r.flags, r.size,
                        case when r.event in (1, 5, 6) then (select bytes from bodies b where b.body = r.body) end
                 from records r where r.seq > ?1 order by r.seq limit ?2",
            );
            let rows = rows.bind(after).bind(PAGE).fetch_all(&mut *conn).await?;
            let Some(last) = rows.last() else {
                return Ok(tally);
            };
            after = last.try_get(0)?;
            for row in &rows {
                let flags: i64 = row.try_get(4)?;
                tally.add(Counted {
                    at_us: row.try_get(1)?,
                    event: EventKind::from_number(row.try_get(2)?),
                    kind: row.try_get(3)?,
                    flags: Flags(u32::try_from(flags).unwrap_or(0)),
                    size: row.try_get::<i64, _>(5)?.unsigned_abs(),
                    body: row.try_get::<Option<&[u8]>, _>(6)?.unwrap_or_default(),
                });
            }
        }
    }
}

/// `exit 3`, `SIGKILL`, `closed`.
fn outcome(closed: &Closed) -> String {
    match (&closed.signal, closed.code, closed.by) {
        (Some(signal), _, StoppedBy::Server) => signal.clone(),
        (None, Some(code), StoppedBy::Server) => format!("exit {code}"),
        _ => "closed".to_owned(),
    }
}

/// What is shown of a note that era and revision were settled.
#[derive(Deserialize)]
struct Negotiated {
    era: String,
    revision: String,
    server: Option<Implementation>,
}

/// Name and version that a server gave itself; whatever type they have.
#[derive(Deserialize)]
struct Implementation {
    name: Option<serde_json::Value>,
    version: Option<serde_json::Value>,
}

impl Implementation {
    fn display(self) -> Option<String> {
        let words = [self.name, self.version].into_iter().flatten();
        let words: Vec<_> = words
            .map(|word| {
                word.as_str()
                    .map_or_else(|| word.to_string(), str::to_owned)
            })
            .collect();
        (!words.is_empty()).then(|| words.join(" "))
    }
}
