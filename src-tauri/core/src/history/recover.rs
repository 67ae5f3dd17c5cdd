//! Ends the file of a session whose recorder died: whoever gets its lock does it.

use std::sync::Arc;

use bytes::Bytes;
use sqlx::{Row as _, SqliteConnection};

use super::batch::Preparation;
use super::error::{HistoryError, database, file};
use super::lock::Lock;
use super::meta::Meta;
use super::writer::Writer;
use super::{History, file as files};
use crate::protocol::{Envelope, Kind};
use crate::record::{Body, BodyId, Conn, Entry, EventKind, Flags, Record, Seq, SessionId};

/// How much of a body whose end never came is looked at for its preview.
const HEAD: i64 = 64 << 10;

impl History {
    /// Recovers a session file if its lock is free; removes one that never became a session. Answers `false` where another
    /// process holds it.
    pub(super) async fn recover(&self, id: SessionId) -> Result<bool, HistoryError> {
        let (path, lock_path) = (self.session_path(id), self.lock_path(id));
        let Some(lock) = Lock::take(&lock_path).map_err(file("lock the session", &lock_path))?
        else {
            return Ok(false);
        };
        if files::holds_nothing(&path).await {
            std::fs::remove_file(&path).map_err(file("remove the empty session", &path))?;
            self.catalogue().forget(id).await?;
            lock.release();
            return Ok(true);
        }
        let failed = database("recover the session", &path);
        let mut conn = files::open_writer(&path).await?;
        let meta = Meta::read(&mut conn).await;
        let mut meta = meta.map_err(|why| HistoryError::Damaged {
            what: "the description",
            name: id.to_string(),
            why,
        })?;
        let mut truncated = match meta.ended_us {
            // Its owner ended it, and could not make one file of it or tell the catalogue.
            Some(_) => Vec::new(),
            None => truncated(&mut conn).await.map_err(&failed)?,
        };
        let mut writer = Writer::new(conn);
        let rows = Preparation::default().batch(&mut truncated).await;
        writer.write(rows).await.map_err(&failed)?;
        writer.count_again().await.map_err(&failed)?;
        if meta.ended_us.is_none() {
            meta.owner_gone = true;
            meta.ended_us = Some(writer.tally().last_us.unwrap_or(meta.started_us));
        }
        self.end_file(lock, writer, &meta).await?;
        Ok(true)
    }
}

/// Rows for the bodies in parts whose end never came.
async fn truncated(conn: &mut SqliteConnection) -> Result<Vec<Entry>, sqlx::Error> {
    let parts = sqlx::query(
        "with parts as (select body / ?3 * ?3 as id, length(bytes) as size from bodies where body >= ?1)
         select id, sum(size), (select substr(b.bytes, 1, ?2) from bodies b where b.body = id)
         from parts where not exists (select 1 from records r where r.body = id) group by id order by id",
    );
    let first = i64::try_from(BodyId::FIRST_IN_PARTS.0).unwrap_or(i64::MAX);
    let step = i64::try_from(BodyId::PARTS).unwrap_or(i64::MAX);
    let parts = parts.bind(first).bind(HEAD).bind(step);
    let parts = parts.fetch_all(&mut *conn).await?;
    let last = sqlx::query("select seq, at_us, conn from records order by seq desc limit 1")
        .fetch_optional(conn)
        .await?;
    let (mut seq, at_us, wire) = match last {
        Some(last) => (
            last.try_get::<i64, _>(0)?.unsigned_abs(),
            last.try_get(1)?,
            last.try_get::<u32, _>(2)?,
        ),
        None => (0, 0, 0),
    };
    let mut entries = Vec::new();
    for part in parts {
        seq += 1;
        let body = Body::Parts {
            id: BodyId(part.try_get::<i64, _>(0)?.unsigned_abs()),
            size: part.try_get::<i64, _>(1)?.unsigned_abs(),
            head: part
                .try_get::<Option<&[u8]>, _>(2)?
                .map(Bytes::copy_from_slice)
                .unwrap_or_default(),
        };
        entries.push(Entry::Record(Record {
            seq: Seq(seq),
            at_us,
            conn: Conn(wire),
            event: EventKind::Frame,
            direction: None,
            via: None,
            about: None,
            body,
            flags: Flags::TRUNCATED,
            envelope: Some(Arc::new(Envelope {
                kind: Kind::Malformed,
                method: None,
                id: None,
                code: None,
                is_error: false,
                problems: Vec::new(),
                items: Vec::new(),
            })),
            redactions: Vec::new(),
            said: None,
        }));
    }
    Ok(entries)
}
