//! Prepares what a session file is to hold: pairs, derives the columns, and binds many rows to each statement, since one
//! statement a row is twenty times slower.

use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use serde::Deserialize;
use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments as _, Sqlite};
use tokio::task::yield_now;

use super::codes;
use super::tally::{Counted, Tally};
use crate::protocol::Envelope;
use crate::record::{
    Body, Closed, Correlator, Entry, Event, EventKind, Flags, Observed, Record, Seq, preview,
};

/// Entries after which other tasks have their turn: about a tenth of a millisecond.
const TURN: usize = 64;

/// A statement with its arguments.
pub(super) type Insert = Query<'static, Sqlite, SqliteArguments>;

/// What one transaction writes.
#[derive(Default)]
pub(super) struct Batch {
    pub(super) inserts: Vec<Insert>,
    /// The last record in it.
    pub(super) last: Option<Seq>,
    /// When its records were stamped.
    pub(super) stamps: Vec<i64>,
    /// What the file holds after it.
    pub(super) tally: Tally,
}

/// Prepares batches, in the order of the log.
#[derive(Debug, Default)]
pub(super) struct Preparation {
    correlator: Correlator,
    tally: Tally,
}

impl Preparation {
    /// Empties `entries` into a batch.
    pub(super) async fn batch(&mut self, entries: &mut Vec<Entry>) -> Batch {
        let mut rows = Rows::default();
        for (n, entry) in entries.drain(..).enumerate() {
            match entry {
                Entry::Part { id, part, bytes } => rows.bodies.push(BodyRow {
                    body: int(id.0) + i64::from(part),
                    bytes,
                }),
                Entry::Record(record) => {
                    rows.add(record, &mut self.correlator, &mut self.tally);
                }
            }
            if n % TURN == TURN - 1 {
                yield_now().await;
            }
        }
        let last = rows.records.last().map(|row| Seq(row.seq.unsigned_abs()));
        let stamps = rows.records.iter().map(|row| row.at_us).collect();
        let mut inserts = Vec::new();
        RECORDS.of(rows.records, &mut inserts).await;
        BODIES.of(rows.bodies, &mut inserts).await;
        ITEMS.of(rows.items, &mut inserts).await;
        REDACTIONS.of(rows.redactions, &mut inserts).await;
        Batch {
            inserts,
            last,
            stamps,
            tally: self.tally.clone(),
        }
    }
}

#[derive(Default)]
struct Rows {
    records: Vec<RecordRow>,
    bodies: Vec<BodyRow>,
    items: Vec<ItemRow>,
    redactions: Vec<RedactionRow>,
}

struct RecordRow {
    seq: i64,
    at_us: i64,
    conn: i64,
    event: i64,
    direction: Option<i64>,
    via: Option<i64>,
    about: Option<i64>,
    kind: Option<i64>,
    method: Option<Arc<str>>,
    rpc_id: Option<Arc<str>>,
    reply_to: Option<i64>,
    dur_us: Option<i64>,
    code: Option<i64>,
    size: i64,
    flags: i64,
    preview: String,
    body: i64,
}

struct BodyRow {
    body: i64,
    bytes: Bytes,
}

struct ItemRow {
    seq: i64,
    item: i64,
    kind: i64,
    method: Option<Arc<str>>,
    rpc_id: Option<Arc<str>>,
    reply_to: Option<i64>,
    code: Option<i64>,
    flags: i64,
}

struct RedactionRow {
    seq: i64,
    offset: i64,
    name: String,
}

impl Rows {
    fn add(&mut self, record: Record, correlator: &mut Correlator, tally: &mut Tally) {
        let observed = correlator.observe(&record);
        let facts = Facts::of(&record);
        let seq = int(record.seq.0);
        let flags = record.flags.with(observed.flags);
        tally.add(Counted {
            at_us: record.at_us,
            event: record.event,
            kind: facts.kind,
            flags,
            size: record.body.size(),
            body: record.body.head(),
        });
        if let Some(envelope) = &record.envelope {
            self.add_items(seq, envelope, &observed);
        }
        let preview = preview(&record);
        self.redactions
            .extend(record.redactions.into_iter().map(|r| RedactionRow {
                seq,
                offset: int(r.offset),
                name: r.name,
            }));
        self.records.push(RecordRow {
            seq,
            at_us: record.at_us,
            conn: i64::from(record.conn.0),
            event: record.event as i64,
            direction: record.direction.map(codes::direction),
            via: record.via.map(|seq| int(seq.0)),
            about: record.about.map(|seq| int(seq.0)),
            kind: facts.kind,
            method: observed.method.map(Arc::from).or(facts.method),
            rpc_id: facts.rpc_id,
            reply_to: observed.reply_to.map(|seq| int(seq.0)),
            dur_us: observed.dur_us,
            code: facts.code,
            size: int(record.body.size()),
            flags: i64::from(flags.0),
            preview,
            body: match &record.body {
                Body::Whole(_) => seq,
                Body::Parts { id, .. } => int(id.0),
            },
        });
        if let Body::Whole(bytes) = record.body
            && !bytes.is_empty()
        {
            self.bodies.push(BodyRow { body: seq, bytes });
        }
    }

    fn add_items(&mut self, seq: i64, envelope: &Envelope, observed: &Observed) {
        for (item, message) in envelope.items.iter().enumerate() {
            let answered = observed
                .answered
                .iter()
                .find(|answered| answered.item == item);
            let flags = if message.is_error {
                Flags::IS_ERROR
            } else {
                Flags::default()
            };
            self.items.push(ItemRow {
                seq,
                item: int(item as u64),
                kind: codes::kind(message.kind),
                method: answered
                    .map(|answered| Arc::from(&*answered.method))
                    .or_else(|| message.method.as_deref().map(Arc::from)),
                rpc_id: message.id.as_ref().map(|id| id.as_str().into()),
                reply_to: answered.map(|answered| int(answered.reply_to.0)),
                code: message.code,
                flags: i64::from(flags.0),
            });
        }
    }
}

/// What the columns say of a body.
#[derive(Default)]
struct Facts {
    kind: Option<i64>,
    method: Option<Arc<str>>,
    rpc_id: Option<Arc<str>>,
    code: Option<i64>,
}

impl Facts {
    fn of(record: &Record) -> Self {
        let body = record.body.head();
        match record.event {
            EventKind::Frame => record
                .envelope
                .as_ref()
                .map_or_else(Self::default, |envelope| Self {
                    kind: Some(codes::kind(envelope.kind)),
                    method: envelope.method.as_deref().map(Arc::from),
                    rpc_id: envelope.id.as_ref().map(|id| id.as_str().into()),
                    code: envelope.code,
                }),
            EventKind::Note => {
                let tag = serde_json::from_slice::<NoteTag<'_>>(body).map_or("", |tag| tag.note);
                Self {
                    kind: Some(codes::note(tag)),
                    ..Self::default()
                }
            }
            EventKind::Http => match record.said().as_deref() {
                Some(Event::Http(http)) => Self {
                    kind: Some(codes::http(http.phase)),
                    code: http.status.map(i64::from),
                    ..Self::default()
                },
                _ => Self::default(),
            },
            EventKind::Closed => {
                let closed = serde_json::from_slice::<Closed>(body).ok();
                Self {
                    code: closed.and_then(|closed| closed.code).map(i64::from),
                    ..Self::default()
                }
            }
            EventKind::Opened | EventKind::Stderr | EventKind::Unknown => Self::default(),
        }
    }
}

#[derive(Deserialize)]
struct NoteTag<'a> {
    note: &'a str,
}

/// Numbers of records, parts and bytes stay far below 2^63.
fn int(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A row of a table.
trait Row {
    /// Binds its columns in the order of the INSERT.
    fn bind(self, insert: Insert) -> Insert;
}

/// The same INSERT for several numbers of rows, largest first; the last takes one.
struct Inserts {
    columns: usize,
    sizes: [(usize, String); 5],
}

static RECORDS: LazyLock<Inserts> = LazyLock::new(|| {
    Inserts::new(
        "records (seq, at_us, conn, event, direction, via, about, kind, method, rpc_id, reply_to, dur_us, code, size, flags, \
         preview, body)",
        17,
    )
});
static BODIES: LazyLock<Inserts> = LazyLock::new(|| Inserts::new("bodies (body, bytes)", 2));
static ITEMS: LazyLock<Inserts> = LazyLock::new(|| {
    Inserts::new(
        "batch_items (seq, item, kind, method, rpc_id, reply_to, code, flags)",
        8,
    )
});
static REDACTIONS: LazyLock<Inserts> =
    LazyLock::new(|| Inserts::new("redactions (seq, offset, name)", 3));

impl Inserts {
    fn new(into: &str, columns: usize) -> Self {
        let row = format!("({})", vec!["?"; columns].join(","));
        let sizes = [256, 64, 16, 4, 1].map(|rows| {
            let values = vec![row.as_str(); rows].join(",");
            (rows, format!("insert into {into} values {values}"))
        });
        Self { columns, sizes }
    }

    /// The statements that insert these rows.
    async fn of<T: Row>(&'static self, rows: Vec<T>, out: &mut Vec<Insert>) {
        let mut left = rows.len();
        let mut rows = rows.into_iter();
        for (size, sql) in &self.sizes {
            while left >= *size {
                left -= size;
                let mut arguments = SqliteArguments::default();
                arguments.reserve(size * self.columns, 0);
                let insert = sqlx::query_with(sql.as_str(), arguments);
                out.push(
                    rows.by_ref()
                        .take(*size)
                        .fold(insert, |insert, row| row.bind(insert)),
                );
                yield_now().await;
            }
        }
    }
}

impl Row for RecordRow {
    fn bind(self, insert: Insert) -> Insert {
        insert
            .bind(self.seq)
            .bind(self.at_us)
            .bind(self.conn)
            .bind(self.event)
            .bind(self.direction)
            .bind(self.via)
            .bind(self.about)
            .bind(self.kind)
            .bind(self.method)
            .bind(self.rpc_id)
            .bind(self.reply_to)
            .bind(self.dur_us)
            .bind(self.code)
            .bind(self.size)
            .bind(self.flags)
            .bind(self.preview)
            .bind(self.body)
    }
}

impl Row for BodyRow {
    fn bind(self, insert: Insert) -> Insert {
        // Not copied where nobody else holds them.
        let bytes = Vec::from(self.bytes);
        insert.bind(self.body).bind(bytes)
    }
}

impl Row for ItemRow {
    fn bind(self, insert: Insert) -> Insert {
        insert
            .bind(self.seq)
            .bind(self.item)
            .bind(self.kind)
            .bind(self.method)
            .bind(self.rpc_id)
            .bind(self.reply_to)
            .bind(self.code)
            .bind(self.flags)
    }
}

impl Row for RedactionRow {
    fn bind(self, insert: Insert) -> Insert {
        insert.bind(self.seq).bind(self.offset).bind(self.name)
    }
}
