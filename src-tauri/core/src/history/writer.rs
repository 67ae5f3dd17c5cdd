//! Puts entries into a session file: pairs, derives the columns, one transaction a batch. Many rows ride on one statement,
//! since one statement a row is twenty times slower.

use std::sync::LazyLock;

use bytes::Bytes;
use serde::Deserialize;
use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Connection, Sqlite, SqliteConnection};

use super::codes;
use super::tally::{Counted, Tally};
use crate::protocol::Envelope;
use crate::record::{
    Body, Closed, Correlator, Entry, EventKind, Flags, HttpEvent, Observed, Record, Seq, preview,
};

/// The only writer of a session file.
#[derive(Debug)]
pub(super) struct Writer {
    conn: SqliteConnection,
    correlator: Correlator,
    tally: Tally,
}

/// What one transaction writes.
#[derive(Debug, Default)]
struct Batch {
    records: Vec<RecordRow>,
    bodies: Vec<(i64, i64, Bytes)>,
    items: Vec<ItemRow>,
    redactions: Vec<(i64, i64, String)>,
}

#[derive(Debug)]
struct RecordRow {
    seq: i64,
    at_us: i64,
    conn: i64,
    event: i64,
    direction: Option<i64>,
    via: Option<i64>,
    about: Option<i64>,
    kind: Option<i64>,
    method: Option<Box<str>>,
    rpc_id: Option<String>,
    reply_to: Option<i64>,
    dur_us: Option<i64>,
    code: Option<i64>,
    size: i64,
    flags: i64,
    preview: String,
    body: i64,
}

#[derive(Debug)]
struct ItemRow {
    seq: i64,
    item: i64,
    kind: i64,
    method: Option<Box<str>>,
    rpc_id: Option<String>,
    reply_to: Option<i64>,
    code: Option<i64>,
    flags: i64,
}

impl Writer {
    /// Begins to write a file that holds no records yet.
    pub(super) fn new(conn: SqliteConnection) -> Self {
        Self {
            conn,
            correlator: Correlator::default(),
            tally: Tally::default(),
        }
    }

    /// What is written so far.
    pub(super) fn tally(&self) -> &Tally {
        &self.tally
    }

    /// Counts what a file holds that another wrote.
    pub(super) async fn count_again(&mut self) -> Result<(), sqlx::Error> {
        self.tally = Tally::of_file(&mut self.conn).await?;
        Ok(())
    }

    /// For `meta`.
    pub(super) fn connection(&mut self) -> &mut SqliteConnection {
        &mut self.conn
    }

    /// Gives the connection back, to seal the file.
    pub(super) fn into_connection(self) -> SqliteConnection {
        self.conn
    }

    /// Writes entries, all or none of them. Answers the number of the last record among them.
    pub(super) async fn write(&mut self, entries: Vec<Entry>) -> Result<Option<Seq>, sqlx::Error> {
        let mut batch = Batch::default();
        let mut tally = self.tally.clone();
        for entry in entries {
            match entry {
                Entry::Part { id, part, bytes } => {
                    batch.bodies.push((int(id.0), i64::from(part), bytes))
                }
                Entry::Record(record) => batch.add(record, &mut self.correlator, &mut tally),
            }
        }
        let mut transaction = self.conn.begin().await?;
        insert(&mut transaction, &RECORDS, &batch.records, bind_record).await?;
        insert(
            &mut transaction,
            &BODIES,
            &batch.bodies,
            |query, (body, part, bytes)| query.bind(*body).bind(*part).bind(bytes.to_vec()),
        )
        .await?;
        insert(&mut transaction, &ITEMS, &batch.items, bind_item).await?;
        insert(
            &mut transaction,
            &REDACTIONS,
            &batch.redactions,
            |query, (seq, offset, name)| query.bind(*seq).bind(*offset).bind(name.clone()),
        )
        .await?;
        transaction.commit().await?;
        self.tally = tally;
        Ok(batch.records.last().map(|row| Seq(row.seq.unsigned_abs())))
    }
}

impl Batch {
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
        self.redactions.extend(
            record
                .redactions
                .into_iter()
                .map(|r| (seq, int(r.offset), r.name)),
        );
        self.records.push(RecordRow {
            seq,
            at_us: record.at_us,
            conn: i64::from(record.conn.0),
            event: record.event as i64,
            direction: record.direction.map(codes::direction),
            via: record.via.map(|seq| int(seq.0)),
            about: record.about.map(|seq| int(seq.0)),
            kind: facts.kind,
            method: observed.method.or(facts.method),
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
            self.bodies.push((seq, 0, bytes));
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
                    .map(|answered| answered.method.clone())
                    .or_else(|| message.method.clone()),
                rpc_id: message.id.as_ref().map(|id| id.as_str().to_owned()),
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
    method: Option<Box<str>>,
    rpc_id: Option<String>,
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
                    method: envelope.method.clone(),
                    rpc_id: envelope.id.as_ref().map(|id| id.as_str().to_owned()),
                    code: envelope.code,
                }),
            EventKind::Note => {
                let tag = serde_json::from_slice::<NoteTag<'_>>(body).map_or("", |tag| tag.note);
                Self {
                    kind: Some(codes::note(tag)),
                    ..Self::default()
                }
            }
            EventKind::Http => serde_json::from_slice::<HttpEvent>(body).map_or_else(
                |_| Self::default(),
                |http| Self {
                    kind: Some(codes::http(http.phase)),
                    code: http.status.map(i64::from),
                    ..Self::default()
                },
            ),
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

type Insert<'q> = Query<'q, Sqlite, SqliteArguments>;

/// The same INSERT for several numbers of rows, largest first; the last takes one.
struct Inserts([(usize, String); 4]);

static RECORDS: LazyLock<Inserts> = LazyLock::new(|| {
    Inserts::new(
        "records (seq, at_us, conn, event, direction, via, about, kind, method, rpc_id, reply_to, dur_us, code, size, flags, \
         preview, body)",
        17,
    )
});
static BODIES: LazyLock<Inserts> = LazyLock::new(|| Inserts::new("bodies (body, part, bytes)", 3));
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
        Self([128, 16, 4, 1].map(|rows| {
            let values = vec![row.as_str(); rows].join(",");
            (rows, format!("insert into {into} values {values}"))
        }))
    }
}

async fn insert<T>(
    conn: &mut SqliteConnection,
    inserts: &'static Inserts,
    mut rows: &[T],
    bind: impl Fn(Insert<'static>, &T) -> Insert<'static>,
) -> Result<(), sqlx::Error> {
    for (size, sql) in &inserts.0 {
        while let Some((now, later)) = rows.split_at_checked(*size) {
            let query = now.iter().fold(sqlx::query(sql.as_str()), &bind);
            query.execute(&mut *conn).await?;
            rows = later;
        }
    }
    Ok(())
}

fn bind_record<'q>(query: Insert<'q>, row: &RecordRow) -> Insert<'q> {
    query
        .bind(row.seq)
        .bind(row.at_us)
        .bind(row.conn)
        .bind(row.event)
        .bind(row.direction)
        .bind(row.via)
        .bind(row.about)
        .bind(row.kind)
        .bind(row.method.clone())
        .bind(row.rpc_id.clone())
        .bind(row.reply_to)
        .bind(row.dur_us)
        .bind(row.code)
        .bind(row.size)
        .bind(row.flags)
        .bind(row.preview.clone())
        .bind(row.body)
}

fn bind_item<'q>(query: Insert<'q>, row: &ItemRow) -> Insert<'q> {
    query
        .bind(row.seq)
        .bind(row.item)
        .bind(row.kind)
        .bind(row.method.clone())
        .bind(row.rpc_id.clone())
        .bind(row.reply_to)
        .bind(row.code)
        .bind(row.flags)
}
