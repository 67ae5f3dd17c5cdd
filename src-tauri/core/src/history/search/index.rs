//! The full-text index, `search.db`: which blocks of records may hold a text. One process writes it, any reads it. Its schema
//! is `migrations/search.sql`.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, Row as _};

use crate::record::SessionId;

const SCHEMA: &str = include_str!("../../../migrations/search.sql");
/// `user_version` of the schema.
const VERSION: i64 = 1;
/// Bytes of text after which another part is begun.
const PART: i64 = 128 << 20;
/// How long SQLite waits for another connection's lock.
const BUSY: Duration = Duration::from_secs(1);
/// Ranges that are no further apart are looked at together: a read costs as much as so many records.
const NEAR: u64 = 256;

/// Ranges of records, first and last, in order; the last one has no end.
pub(in crate::history) type Ranges = Vec<(u64, u64)>;

/// Records in a row, and their text.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) first: u64,
    pub(super) last: u64,
    pub(super) text: String,
}

/// The index, to be written.
#[derive(Debug)]
pub(super) struct Index {
    conn: SqliteConnection,
    path: PathBuf,
    /// Bytes that it takes at most.
    cap: u64,
}

pub(super) fn path(dir: &Path) -> PathBuf {
    dir.join("search.db")
}

/// The records of a session that may match: those of blocks that do, and those that are not indexed. `None` where there is
/// no index that can be read: then any may.
pub(in crate::history) async fn candidates(
    dir: &Path,
    session: SessionId,
    expression: &str,
) -> Option<Ranges> {
    let path = path(dir);
    if !path.exists() {
        return None;
    }
    let found = async {
        let options = options(&path).read_only(true);
        let mut conn = options.connect().await?;
        let ranges = ranges(&mut conn, &session.to_string(), expression).await;
        conn.close().await?;
        ranges
    };
    found
        .await
        .inspect_err(|error| tracing::debug!(%error, "the search index is not used"))
        .ok()
}

async fn ranges(
    conn: &mut SqliteConnection,
    session: &str,
    expression: &str,
) -> Result<Ranges, sqlx::Error> {
    // One transaction: what is found must be of the same state as what is covered.
    let mut conn = conn.begin().await?;
    let upto = sqlx::query_scalar("select upto from sessions where session = ?1");
    let upto: Option<i64> = upto.bind(session).fetch_optional(&mut *conn).await?;
    let sql = "select part, min(id), max(id) from blocks where session = ?1 group by part";
    let parts = sqlx::query_as::<_, (i64, i64, i64)>(sql).bind(session);
    let mut matching = HashSet::new();
    for (part, low, high) in parts.fetch_all(&mut *conn).await? {
        // The number is ours.
        let sql = format!(
            "select group_concat(rowid) from text_{part} where text_{part} match ?1 and rowid between ?2 and ?3"
        );
        let query = sqlx::query_scalar::<_, Option<String>>(AssertSqlSafe(sql));
        let query = query.bind(expression).bind(low).bind(high);
        let list = query.fetch_one(&mut *conn).await?.unwrap_or_default();
        matching.extend(list.split(',').filter_map(|id| id.parse::<i64>().ok()));
    }
    let sql = "select id, first, last from blocks where session = ?1 order by first";
    let blocks = sqlx::query_as::<_, (i64, i64, i64)>(sql).bind(session);
    let (mut ranges, mut covered) = (Ranges::new(), 0);
    for (id, first, last) in blocks.fetch_all(&mut *conn).await? {
        let (first, last) = (first.unsigned_abs(), last.unsigned_abs());
        add(&mut ranges, covered + 1, first - 1);
        if matching.contains(&id) {
            add(&mut ranges, first, last);
        }
        covered = last;
    }
    let upto = upto.unwrap_or_default().unsigned_abs().max(covered);
    add(&mut ranges, covered + 1, upto);
    add(&mut ranges, upto + 1, u64::MAX);
    Ok(ranges)
}

/// Adds a range after the others, or to the last one.
fn add(ranges: &mut Ranges, first: u64, last: u64) {
    if first > last {
        return;
    }
    match ranges.last_mut() {
        Some(before) if first - before.1 <= NEAR => before.1 = last,
        _ => ranges.push((first, last)),
    }
}

/// Sessions with text in the index.
#[cfg(test)]
pub(in crate::history) async fn indexed(dir: &Path) -> Vec<String> {
    let mut index = Index::open(dir, 0).await.unwrap();
    let sessions = index.sessions().await.unwrap();
    sessions.into_keys().collect()
}

impl Index {
    /// Opens it; makes it where it is missing or of another version.
    pub(super) async fn open(dir: &Path, cap: u64) -> Result<Self, sqlx::Error> {
        let path = path(dir);
        let options = options(&path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Normal);
        let mut conn = options.connect().await?;
        let version: i64 = sqlx::query_scalar("pragma user_version")
            .fetch_one(&mut conn)
            .await?;
        if version == VERSION {
            return Ok(Self { conn, path, cap });
        }
        conn.close().await?;
        remove(dir);
        let mut conn = options.connect().await?;
        let mut made = conn.begin().await?;
        sqlx::raw_sql(SCHEMA).execute(&mut *made).await?;
        made.commit().await?;
        Ok(Self { conn, path, cap })
    }

    /// Whether its file is still there.
    pub(super) fn is_there(&self) -> bool {
        self.path.exists()
    }

    /// The sessions that the index knows of: how far each is indexed, `None` where it is over and all of it is.
    pub(super) async fn sessions(&mut self) -> Result<HashMap<String, Option<u64>>, sqlx::Error> {
        let sql =
            "select session, 0, 0 from holds union all select session, upto, done from sessions";
        let found = sqlx::query_as::<_, (String, i64, bool)>(sql);
        let found = found.fetch_all(&mut self.conn).await?.into_iter();
        Ok(found
            .map(|(session, upto, done)| (session, (!done).then_some(upto.unsigned_abs())))
            .collect())
    }

    /// Takes in blocks of a session, which is indexed up to there then, in one transaction. Says whether there was room: the
    /// text of older sessions makes some.
    pub(super) async fn add(
        &mut self,
        session: &str,
        blocks: &[Block],
        upto: u64,
        done: bool,
    ) -> Result<bool, sqlx::Error> {
        if !blocks.is_empty() && !self.room(session).await? {
            return Ok(false);
        }
        let mut write = self.conn.begin().await?;
        if !blocks.is_empty() {
            let part = part(&mut write).await?;
            let sql = "insert or ignore into holds (part, session) values (?1, ?2)";
            let held = sqlx::query(sql).bind(part).bind(session);
            held.execute(&mut *write).await?;
            let insert = format!("insert into text_{part} (rowid, text) values (?1, ?2)");
            for block in blocks {
                let sql = "insert into blocks (part, session, first, last) values (?1, ?2, ?3, ?4)";
                let query = sqlx::query(sql).bind(part).bind(session);
                let query = query.bind(int(block.first)).bind(int(block.last));
                let id = query.execute(&mut *write).await?.last_insert_rowid();
                let query = sqlx::query(AssertSqlSafe(insert.clone())).bind(id);
                query.bind(&block.text).execute(&mut *write).await?;
            }
            let bytes: usize = blocks.iter().map(|block| block.text.len()).sum();
            let sql = "update parts set bytes = bytes + ?2 where part = ?1";
            let counted = sqlx::query(sql).bind(part).bind(int(bytes as u64));
            counted.execute(&mut *write).await?;
        }
        let sql = "insert or replace into sessions (session, upto, done) values (?1, ?2, ?3)";
        let told = sqlx::query(sql).bind(session).bind(int(upto)).bind(done);
        told.execute(&mut *write).await?;
        write.commit().await?;
        Ok(true)
    }

    /// Forgets sessions: every part with text of theirs goes, and what else was in it is to be indexed again.
    pub(super) async fn forget(&mut self, sessions: &[&str]) -> Result<(), sqlx::Error> {
        let sessions = serde_json::Value::from(sessions).to_string();
        let sql =
            "select distinct part from holds where session in (select value from json_each(?1))";
        let parts = sqlx::query_scalar::<_, i64>(sql).bind(&sessions);
        for part in parts.fetch_all(&mut self.conn).await? {
            self.drop_part(part).await?;
        }
        let sql = "delete from sessions where session in (select value from json_each(?1))";
        let gone = sqlx::query(sql).bind(&sessions);
        gone.execute(&mut self.conn).await?;
        Ok(())
    }

    /// Makes room where there is none, of parts that hold only what is older than this session.
    async fn room(&mut self, session: &str) -> Result<bool, sqlx::Error> {
        while self.size().await? >= self.cap {
            // Ids of sessions begin with their time.
            let sql = "select part from holds group by part having max(session) < ?1 order by max(session) limit 1";
            let oldest = sqlx::query_scalar::<_, i64>(sql).bind(session);
            let Some(part) = oldest.fetch_optional(&mut self.conn).await? else {
                return Ok(false);
            };
            self.drop_part(part).await?;
        }
        Ok(true)
    }

    async fn drop_part(&mut self, part: i64) -> Result<(), sqlx::Error> {
        let mut write = self.conn.begin().await?;
        let of = "in (select session from holds where part = ?1)";
        for sql in [
            format!("delete from sessions where session {of}"),
            format!("delete from blocks where session {of}"),
            "delete from holds where part = ?1".to_owned(),
            "delete from parts where part = ?1".to_owned(),
        ] {
            let query = sqlx::query(AssertSqlSafe(sql)).bind(part);
            query.execute(&mut *write).await?;
        }
        let sql = format!("drop table text_{part}");
        sqlx::raw_sql(AssertSqlSafe(sql))
            .execute(&mut *write)
            .await?;
        write.commit().await
    }

    /// Bytes in use; those that were given free are used again.
    async fn size(&mut self) -> Result<u64, sqlx::Error> {
        let sql = "select (c.page_count - f.freelist_count) * s.page_size
                   from pragma_page_count c, pragma_freelist_count f, pragma_page_size s";
        let size: i64 = sqlx::query_scalar(sql).fetch_one(&mut self.conn).await?;
        Ok(size.unsigned_abs())
    }
}

/// The part that is written now.
async fn part(write: &mut SqliteConnection) -> Result<i64, sqlx::Error> {
    let sql = "select part, bytes from parts order by part desc limit 1";
    let newest = sqlx::query(sql).fetch_optional(&mut *write).await?;
    let mut next = 1;
    if let Some(newest) = newest {
        let (part, bytes): (i64, i64) = (newest.try_get(0)?, newest.try_get(1)?);
        if bytes < PART {
            return Ok(part);
        }
        next = part + 1;
    }
    let sql = format!(
        "create virtual table text_{next} using fts5(text, content = '', detail = none, columnsize = 0, tokenize = 'trigram');
         insert into text_{next} (text_{next}, rank) values ('hashsize', 8388608);
         insert into parts (part, bytes) values ({next}, 0)"
    );
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(write).await?;
    Ok(next)
}

/// Removes the index, so that it is made again.
pub(super) fn remove(dir: &Path) {
    for end in ["", "-wal", "-shm"] {
        let mut name = path(dir).into_os_string();
        name.push(end);
        // What is not there needs no removing; what cannot be removed fails when it is opened.
        let _ = std::fs::remove_file(name);
    }
}

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .busy_timeout(BUSY)
}

fn int(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
