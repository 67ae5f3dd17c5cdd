//! Keeps the index up to date, beside the recorders and never before them: it rests while they are busy.

use std::collections::HashSet;
use std::sync::{Arc, Weak};
use std::time::Duration;

use sqlx::Row as _;
use tokio::time::sleep;

use super::super::lock::Lock;
use super::super::reader::Shared;
use super::super::{History, Inner, SessionState};
use super::index::{self, Block, Index};
use crate::record::SessionId;

/// Bytes that the index takes at most.
const CAP: u64 = 1 << 30;
/// Records of a block.
const BLOCK: usize = 64;
/// Longer bodies are not indexed, bytes: their records are looked at one by one.
const LONGEST: i64 = 256 << 10;
/// Text of one transaction, bytes: some tens of milliseconds.
const BATCH: usize = 2 << 20;
/// While recorders of this process store more records a second, indexing waits.
const BUSY: u64 = 5_000;
/// For so long.
const REST: Duration = Duration::from_millis(250);
/// Pause between rounds, and before the first one: the start of the app comes first.
const PAUSE: Duration = Duration::from_secs(2);
/// Times that a broken index is made again before this is given up.
const TRIES: usize = 3;

impl History {
    /// Keeps the full-text index of all sessions from now on, as long as this value lives; one process at a time does.
    pub fn keep_index(&self) {
        self.spawn(keep(Arc::downgrade(&self.inner)));
    }

    /// One round over all sessions.
    #[cfg(test)]
    pub(in crate::history) async fn index_once(&self, cap: u64) -> Result<(), sqlx::Error> {
        let mut index = Index::open(self.dir(), cap).await?;
        round(self, &mut index).await
    }
}

async fn keep(inner: Weak<Inner>) {
    let mut broken = 0;
    let mut held: Option<(Lock, Index)> = None;
    loop {
        sleep(PAUSE).await;
        let Some(history) = inner.upgrade().map(|inner| History { inner }) else {
            return;
        };
        let mut changes = history.changes();
        changes.mark_unchanged();
        let done = async {
            let (lock, mut index) = match held.take() {
                // Whoever deletes it wants it made again.
                Some((lock, index)) if index.is_there() => (lock, index),
                Some((lock, _)) => (lock, Index::open(history.dir(), CAP).await?),
                None => match Lock::take(&history.dir().join("search.lock")) {
                    Ok(Some(lock)) => (lock, Index::open(history.dir(), CAP).await?),
                    Ok(None) | Err(_) => return Ok(None),
                },
            };
            round(&history, &mut index).await?;
            Ok::<_, sqlx::Error>(Some((lock, index)))
        };
        match done.await {
            Ok(now) => held = now,
            Err(error) => {
                tracing::warn!(%error, "the search index is made again");
                index::remove(history.dir());
                broken += 1;
                if broken == TRIES {
                    return;
                }
            }
        }
        drop(history);
        // Nothing is done until something changes; the last value is dropped with the store.
        if changes.changed().await.is_err() {
            return;
        }
    }
}

async fn round(history: &History, index: &mut Index) -> Result<(), sqlx::Error> {
    let Ok(ids) = history.ids().await else {
        return Ok(());
    };
    let listed: HashSet<_> = ids.iter().map(SessionId::to_string).collect();
    let mut known = index.sessions().await?;
    let gone: Vec<_> = known
        .keys()
        .filter(|session| !listed.contains(*session))
        .map(String::as_str)
        .collect();
    if !gone.is_empty() {
        index.forget(&gone).await?;
        known = index.sessions().await?;
    }
    for id in ids {
        let Some(upto) = known.get(&id.to_string()).copied().unwrap_or(Some(0)) else {
            continue;
        };
        if !session(history, index, id, upto).await? {
            // Older ones have no more room than this one.
            return Ok(());
        }
    }
    Ok(())
}

/// Indexes what a session has by now; says whether there was room.
async fn session(
    history: &History,
    index: &mut Index,
    id: SessionId,
    mut upto: u64,
) -> Result<bool, sqlx::Error> {
    let name = id.to_string();
    // One that cannot be read is not searched either. Another process's file is left alone until it has ended: an open reader
    // would keep its owner from making one file of it.
    let Ok(summary) = history.session(id).await else {
        return Ok(true);
    };
    let ended = summary.ended_us.is_some();
    let full = summary.records >= upto + BLOCK as u64;
    if summary.state == SessionState::LiveElsewhere || !(ended || full) {
        return Ok(true);
    }
    let Ok(reader) = history.reader(id).await else {
        return Ok(true);
    };
    let (mut blocks, mut bytes) = (Vec::new(), 0);
    loop {
        let Ok((mut read, last)) = read(&reader.shared, upto, ended).await else {
            return Ok(true);
        };
        let over = last.is_none();
        upto = last.unwrap_or(upto);
        bytes += read.iter().map(|block| block.text.len()).sum::<usize>();
        blocks.append(&mut read);
        if over || bytes > BATCH {
            while history.pace().per_second > BUSY {
                sleep(REST).await;
            }
            // A live session that did not grow is left as it is.
            let news = !blocks.is_empty() || (over && ended);
            if news && !index.add(&name, &blocks, upto, over && ended).await? {
                return Ok(false);
            }
            (blocks, bytes) = (Vec::new(), 0);
        }
        if over {
            return Ok(true);
        }
    }
}

/// The next records as blocks, and the last of them: `None` where there are no more. Of a session that goes on, only as many
/// as fill a block.
async fn read(
    shared: &Shared,
    upto: u64,
    ended: bool,
) -> Result<(Vec<Block>, Option<u64>), super::HistoryError> {
    let mut reading = shared.read().await?;
    let sql = "select r.seq, r.preview, b.bytes, r.size > ?2 or r.body >= 1099511627776
               from records r left join bodies b on b.body = r.body and r.size <= ?2
               where r.seq > ?1 order by r.seq limit ?3";
    let rows = sqlx::query(sql)
        .bind(i64::try_from(upto).unwrap_or(i64::MAX))
        .bind(LONGEST)
        .bind(BLOCK as i64);
    let rows = rows.fetch_all(&mut *reading.conn).await;
    drop(reading);
    let rows = rows.map_err(shared.failed())?;
    if rows.is_empty() || (rows.len() < BLOCK && !ended) {
        return Ok((Vec::new(), None));
    }
    let (mut blocks, mut last) = (Vec::new(), upto);
    let mut block: Option<Block> = None;
    for row in &rows {
        let read = || {
            let (seq, long): (i64, bool) = (row.try_get(0)?, row.try_get(3)?);
            let (preview, bytes): (&str, Option<&[u8]>) = (row.try_get(1)?, row.try_get(2)?);
            Ok((seq.unsigned_abs(), preview, bytes.unwrap_or_default(), long))
        };
        let (seq, preview, bytes, long) = read().map_err(shared.failed())?;
        last = seq;
        if long {
            blocks.extend(block.take());
            continue;
        }
        let block = block.get_or_insert_with(|| Block {
            first: seq,
            last: seq,
            text: String::new(),
        });
        block.last = seq;
        for text in [preview, &String::from_utf8_lossy(bytes)] {
            // A zero would end the text for SQLite.
            block
                .text
                .extend(text.chars().map(|c| if c == '\0' { ' ' } else { c }));
            block.text.push('\n');
        }
    }
    blocks.extend(block);
    Ok((blocks, Some(last)))
}
