//! Session files: made, opened, ended. Their schema is `migrations/session.sql`.

use std::cmp::Ordering;
use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection};

use super::error::{HistoryError, database};
use super::meta::Meta;

/// The session format (`user_version`): the only one that is read. Format 1 came before the first release.
pub(super) const FORMAT: i64 = 2;
/// `application_id` of a session file: "FSCP".
const APPLICATION: i64 = 1_179_861_840;
const SCHEMA: &str = include_str!("../../migrations/session.sql");
/// Bytes of a page: twice SQLite's own choice halves the system calls of a flood; more would make single calls dearer.
const PAGE: u32 = 8192;
/// How long SQLite waits for another connection's lock.
pub(super) const BUSY: Duration = Duration::from_secs(5);
/// Reads of one session that run at the same time.
const READERS: u32 = 3;

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .busy_timeout(BUSY)
}

/// Makes a session file that must not exist yet; the answer is its only writer. Who dies meanwhile leaves a file that
/// [`holds_nothing`].
pub(super) async fn create(path: &Path, meta: &Meta) -> Result<SqliteConnection, HistoryError> {
    let failed = database("create the session file", path);
    let options = options(path)
        .create_if_missing(true)
        .page_size(PAGE)
        // Nothing can be lost yet, and each wait for the disk is paid by whoever starts a server.
        .synchronous(SqliteSynchronous::Off);
    let mut conn = options.connect().await.map_err(&failed)?;
    let made = async {
        sqlx::raw_sql("pragma journal_mode = wal")
            .execute(&mut conn)
            .await?;
        let mut transaction = conn.begin().await?;
        sqlx::raw_sql(SCHEMA).execute(&mut *transaction).await?;
        meta.write(&mut transaction).await?;
        transaction.commit().await?;
        sqlx::raw_sql("pragma synchronous = normal")
            .execute(&mut conn)
            .await
    };
    made.await.map_err(&failed)?;
    Ok(conn)
}

/// Whether whoever made the file died before it was a session.
pub(super) async fn holds_nothing(path: &Path) -> bool {
    let looked = async {
        let mut conn = options(path).create_if_missing(false).connect().await?;
        let sql = "select not exists (select 1 from sqlite_schema)";
        let nothing = sqlx::query_scalar(sql).fetch_one(&mut conn).await?;
        conn.close().await?;
        Ok::<bool, sqlx::Error>(nothing)
    };
    looked.await.unwrap_or(false)
}

/// Opens a session file for writing; the caller holds its lock.
pub(super) async fn open_writer(path: &Path) -> Result<SqliteConnection, HistoryError> {
    let options = options(path)
        .create_if_missing(false)
        .synchronous(SqliteSynchronous::Normal);
    let mut conn = options
        .connect()
        .await
        .map_err(database("open the session for writing", path))?;
    check_format(&mut conn, path).await?;
    Ok(conn)
}

/// Opens a session file for reading. Without the right to write beside it, it is opened as a file that nobody changes.
pub(super) async fn open_reader(path: &Path) -> Result<SqlitePool, HistoryError> {
    // A file from elsewhere may hold triggers and views: they get no more rights than what we read.
    let options = options(path)
        .read_only(true)
        .pragma("trusted_schema", "off");
    let pool = SqlitePoolOptions::new()
        .max_connections(READERS)
        .test_before_acquire(false);
    let opened = pool.clone().connect_lazy_with(options.clone());
    if read_format(&opened).await.is_ok() {
        return checked(opened, path).await;
    }
    opened.close().await;
    checked(pool.connect_lazy_with(options.immutable(true)), path).await
}

async fn checked(pool: SqlitePool, path: &Path) -> Result<SqlitePool, HistoryError> {
    let mut conn = pool
        .acquire()
        .await
        .map_err(database("open the session", path))?;
    check_format(&mut conn, path).await?;
    drop(conn);
    Ok(pool)
}

async fn read_format(pool: &SqlitePool) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("pragma user_version")
        .fetch_one(pool)
        .await
}

async fn check_format(conn: &mut SqliteConnection, path: &Path) -> Result<(), HistoryError> {
    let not_a_session = |_| HistoryError::NotASession {
        path: path.to_owned(),
    };
    let application: i64 = sqlx::query_scalar("pragma application_id")
        .fetch_one(&mut *conn)
        .await
        .map_err(not_a_session)?;
    if application != APPLICATION {
        return Err(HistoryError::NotASession {
            path: path.to_owned(),
        });
    }
    let format: i64 = sqlx::query_scalar("pragma user_version")
        .fetch_one(conn)
        .await
        .map_err(not_a_session)?;
    let path = path.to_owned();
    match format.cmp(&FORMAT) {
        Ordering::Less => Err(HistoryError::OlderFormat { path, format }),
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(HistoryError::NewerFormat { path, format }),
    }
}

/// Whether these are the first bytes of an SQLite file.
pub(super) fn is_sqlite(head: &[u8]) -> bool {
    head.starts_with(b"SQLite format 3\0")
}

/// Makes one file of a session that is over. A reader in another process can keep SQLite from it; then the file stays in
/// WAL mode, which is as good but for folders without the right to write.
pub(super) async fn seal(mut conn: SqliteConnection, path: &Path) -> Result<(), HistoryError> {
    let failed = database("end the session file", path);
    sqlx::raw_sql("pragma wal_checkpoint(truncate)")
        .execute(&mut conn)
        .await
        .map_err(&failed)?;
    // Everything is on the disk by now. What is left changes two numbers in the first sector, which is written whole or
    // not at all, and either is a good file.
    let seal = "pragma synchronous = off; pragma busy_timeout = 100; pragma journal_mode = delete";
    let sealed = sqlx::raw_sql(seal).execute(&mut conn).await;
    if let Err(error) = sealed {
        tracing::debug!(%error, path = %path.display(), "session file stays in WAL mode");
    }
    conn.close().await.map_err(&failed)
}
