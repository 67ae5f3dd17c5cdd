//! The catalogue, `framescope.db`: servers, and what lists need of sessions. Written in small transactions by any process.

mod auth;

use std::path::{Path, PathBuf};
use std::time::Duration;

use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::pool::PoolConnection;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteRow,
    SqliteSynchronous,
};
use sqlx::{Row as _, SqlSafeStr as _, Sqlite, SqliteConnection};
use uuid::Uuid;

use super::error::{HistoryError, database, file};
use super::file::BUSY;
use super::labels::Labels;
use super::meta::Meta;
use super::tally::Tally;
use super::types::{ConnectionOptions, Origin, Server, SessionState, SessionSummary};
use crate::protocol::{ClientChoice, Root};
use crate::record::SessionId;

#[derive(Clone, Debug)]
pub(super) struct Catalogue {
    pool: SqlitePool,
    path: PathBuf,
}

impl Catalogue {
    /// Opens the catalogue of a data folder, and says whether it was there.
    pub(super) async fn open(dir: &Path) -> Result<(Self, bool), HistoryError> {
        let path = dir.join("framescope.db");
        // Two processes that start at once must not both make the tables.
        let lock_path = dir.join("framescope.lock");
        let lock =
            std::fs::File::create(&lock_path).map_err(file("open the lock file", &lock_path))?;
        let lock = tokio::task::spawn_blocking(move || lock.lock().map(|()| lock)).await;
        let existed = path.exists();
        let options = SqliteConnectOptions::new()
            .filename(&path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Normal)
            .busy_timeout(BUSY);
        let pool = SqlitePoolOptions::new()
            .max_connections(4)
            .connect_with(options)
            .await;
        let pool = pool.map_err(database("open the catalogue", &path))?;
        migrator()
            .run(&pool)
            .await
            .map_err(|source| HistoryError::Migrate {
                path: path.clone(),
                source,
            })?;
        drop(lock);
        Ok((Self { pool, path }, existed))
    }

    /// A connection that changes nothing, and its [`data_version`].
    pub(super) async fn watcher(&self) -> Result<(PoolConnection<Sqlite>, i64), HistoryError> {
        let failed = self.failed("watch");
        let mut conn = self.pool.acquire().await.map_err(&failed)?;
        let version = data_version(&mut conn).await.map_err(failed)?;
        Ok((conn, version))
    }

    fn failed(&self, doing: &'static str) -> impl Fn(sqlx::Error) -> HistoryError {
        database(doing, &self.path)
    }

    pub(super) async fn servers(&self) -> Result<Vec<Server>, HistoryError> {
        let rows = sqlx::query(
            "select id, name, config, era, timeout_ms, position, demo, unconfirmed from servers order by position, name",
        );
        let rows = rows
            .fetch_all(&self.pool)
            .await
            .map_err(self.failed("read the servers of"))?;
        Ok(readable(&rows, server))
    }

    pub(super) async fn save_server(&self, server: &Server) -> Result<(), HistoryError> {
        let config =
            serde_json::to_string(&server.config).map_err(|e| sqlx::Error::Encode(e.into()));
        let failed = self.failed("save a server in");
        sqlx::query(
            "insert into servers (id, name, config, era, timeout_ms, position, demo, unconfirmed)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
             on conflict (id) do update set name = ?2, config = ?3, era = ?4, timeout_ms = ?5, position = ?6, demo = ?7,
                    unconfirmed = ?8, no_probe = no_probe and config = ?3",
        )
        .bind(server.id.to_string())
        .bind(&server.name)
        .bind(config.map_err(&failed)?)
        .bind(server.era.to_string())
        .bind(i64::try_from(server.timeout_ms).unwrap_or(i64::MAX))
        .bind(server.position)
        .bind(server.demo)
        .bind(server.unconfirmed)
        .execute(&self.pool)
        .await
        .map_err(|error| match error.as_database_error() {
            Some(conflict) if conflict.is_unique_violation() => HistoryError::NameTaken { name: server.name.clone() },
            _ => failed(error),
        })?;
        Ok(())
    }

    pub(super) async fn connection_options(
        &self,
        server: Uuid,
    ) -> Result<ConnectionOptions, HistoryError> {
        let query = sqlx::query(
            "select reconnect, ca, watch, total_ms, grace_ms, start_ms from servers where id = ?1",
        );
        let failed = self.failed("read how a server is kept connected in");
        let row = query.bind(server.to_string()).fetch_optional(&self.pool);
        let Some(row) = row.await.map_err(&failed)? else {
            return Ok(ConnectionOptions::default());
        };
        let read = || -> Result<ConnectionOptions, sqlx::Error> {
            let wait = |column| {
                let ms: Option<i64> = row.try_get(column)?;
                Ok::<_, sqlx::Error>(ms.map(|ms| Duration::from_millis(ms.unsigned_abs())))
            };
            Ok(ConnectionOptions {
                reconnect: row.try_get("reconnect")?,
                ca: row.try_get::<Option<String>, _>("ca")?.map(Into::into),
                watch: serde_json::from_str(row.try_get("watch")?)
                    .map_err(|error| sqlx::Error::Decode(error.into()))?,
                total: wait("total_ms")?,
                grace: wait("grace_ms")?,
                start: wait("start_ms")?,
            })
        };
        read().map_err(failed)
    }

    pub(super) async fn set_connection_options(
        &self,
        server: Uuid,
        options: &ConnectionOptions,
    ) -> Result<(), HistoryError> {
        let failed = self.failed("save how a server is kept connected in");
        let watch = serde_json::to_string(&options.watch)
            .map_err(|error| failed(sqlx::Error::Encode(error.into())))?;
        let ca = options
            .ca
            .as_ref()
            .map(|ca| ca.to_string_lossy().into_owned());
        let ms = |wait: Option<Duration>| {
            wait.map(|wait| i64::try_from(wait.as_millis()).unwrap_or(i64::MAX))
        };
        let query = sqlx::query(
            "update servers set reconnect = ?2, ca = ?3, watch = ?4, total_ms = ?5, grace_ms = ?6, start_ms = ?7 where id = ?1",
        );
        let query = query
            .bind(server.to_string())
            .bind(options.reconnect)
            .bind(ca)
            .bind(watch)
            .bind(ms(options.total))
            .bind(ms(options.grace))
            .bind(ms(options.start));
        query.execute(&self.pool).await.map_err(failed)?;
        Ok(())
    }

    pub(super) async fn no_probe(&self, server: Uuid) -> Result<bool, HistoryError> {
        let query = sqlx::query_scalar("select no_probe from servers where id = ?1");
        let known = query.bind(server.to_string()).fetch_optional(&self.pool);
        let known: Option<bool> = known
            .await
            .map_err(self.failed("read the era of a server in"))?;
        Ok(known.unwrap_or_default())
    }

    pub(super) async fn set_no_probe(&self, server: Uuid, known: bool) -> Result<(), HistoryError> {
        sqlx::query("update servers set no_probe = ?2 where id = ?1")
            .bind(server.to_string())
            .bind(known)
            .execute(&self.pool)
            .await
            .map_err(self.failed("save the era of a server in"))?;
        Ok(())
    }

    pub(super) async fn client_choice(&self, server: Uuid) -> Result<ClientChoice, HistoryError> {
        let query =
            sqlx::query("select client from servers where id = ?1").bind(server.to_string());
        let failed = self.failed("read how the client shows itself to a server in");
        let row = query.fetch_optional(&self.pool).await.map_err(&failed)?;
        let Some(row) = row else {
            return Ok(ClientChoice::default());
        };
        let text: &str = row.try_get("client").map_err(&failed)?;
        serde_json::from_str(text).map_err(|error| failed(sqlx::Error::Decode(error.into())))
    }

    pub(super) async fn set_client_choice(
        &self,
        server: Uuid,
        choice: &ClientChoice,
    ) -> Result<(), HistoryError> {
        let failed = self.failed("save how the client shows itself to a server in");
        let text = serde_json::to_string(choice)
            .map_err(|error| failed(sqlx::Error::Encode(error.into())))?;
        let query = sqlx::query("update servers set client = ?2 where id = ?1");
        let query = query.bind(server.to_string()).bind(text);
        query.execute(&self.pool).await.map_err(&failed)?;
        Ok(())
    }

    pub(super) async fn delete_server(&self, id: Uuid) -> Result<(), HistoryError> {
        let query = sqlx::query("delete from servers where id = ?1").bind(id.to_string());
        query
            .execute(&self.pool)
            .await
            .map_err(self.failed("delete a server in"))?;
        Ok(())
    }

    pub(super) async fn roots(&self, server: Uuid) -> Result<Vec<Root>, HistoryError> {
        let query = sqlx::query("select roots from servers where id = ?1").bind(server.to_string());
        let failed = self.failed("read the roots of a server in");
        let row = query.fetch_optional(&self.pool).await.map_err(&failed)?;
        let Some(row) = row else { return Ok(vec![]) };
        let text: &str = row.try_get("roots").map_err(&failed)?;
        serde_json::from_str(text).map_err(|error| failed(sqlx::Error::Decode(error.into())))
    }

    pub(super) async fn set_roots(&self, server: Uuid, roots: &[Root]) -> Result<(), HistoryError> {
        let failed = self.failed("save the roots of a server in");
        let text = serde_json::to_string(roots)
            .map_err(|error| failed(sqlx::Error::Encode(error.into())))?;
        let query = sqlx::query("update servers set roots = ?2 where id = ?1");
        let query = query.bind(server.to_string()).bind(text);
        query.execute(&self.pool).await.map_err(failed)?;
        Ok(())
    }

    /// Adds a session that has no number yet, and answers its number among those of its server.
    pub(super) async fn begin(&self, meta: &Meta) -> Result<u32, HistoryError> {
        let row = sqlx::query(
            "insert into sessions (id, server, server_name, number, name, origin, started_us, previous, config, pinned, tags)
             select ?1, ?2, ?3, 1 + coalesce(max(number), 0), ?4, ?5, ?6, ?7, ?8, ?9, ?10
             from sessions where server is ?2 and (?2 is not null or server_name = ?3)
             returning number",
        );
        let failed = self.failed("begin a session in");
        let number = row
            .bind(meta.id.to_string())
            .bind(meta.server.map(|id| id.to_string()))
            .bind(&meta.server_name)
            .bind(&meta.name)
            .bind(meta.origin.as_str())
            .bind(meta.started_us)
            .bind(meta.previous.map(|id| id.to_string()))
            .bind(
                serde_json::to_string(&meta.config)
                    .map_err(|e| failed(sqlx::Error::Encode(e.into())))?,
            )
            .bind(meta.pinned)
            .bind(
                serde_json::to_string(&meta.tags)
                    .map_err(|e| failed(sqlx::Error::Encode(e.into())))?,
            )
            .fetch_one(&self.pool)
            .await
            .map_err(|error| match error.as_database_error() {
                Some(conflict) if conflict.is_unique_violation() => HistoryError::Exists(meta.id),
                _ => failed(error),
            })?;
        Ok(number.get::<i64, _>(0).try_into().unwrap_or(1))
    }

    /// Takes back [`Self::begin`] where the file could not be made.
    pub(super) async fn forget(&self, id: SessionId) -> Result<(), HistoryError> {
        let query = sqlx::query("delete from sessions where id = ?1").bind(id.to_string());
        query
            .execute(&self.pool)
            .await
            .map_err(self.failed("delete a session in"))?;
        Ok(())
    }

    /// Adds a session as its file describes it, number included.
    pub(super) async fn add(&self, meta: &Meta) -> Result<(), HistoryError> {
        let failed = self.failed("add a session to");
        sqlx::query(
            "insert into sessions (id, server, server_name, number, name, origin, started_us, previous, config, pinned, tags)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) on conflict (id) do nothing",
        )
        .bind(meta.id.to_string())
        .bind(meta.server.map(|id| id.to_string()))
        .bind(&meta.server_name)
        .bind(i64::from(meta.number))
        .bind(&meta.name)
        .bind(meta.origin.as_str())
        .bind(meta.started_us)
        .bind(meta.previous.map(|id| id.to_string()))
        .bind(serde_json::to_string(&meta.config).map_err(|e| failed(sqlx::Error::Encode(e.into())))?)
        .bind(meta.pinned)
        .bind(serde_json::to_string(&meta.tags).map_err(|e| failed(sqlx::Error::Encode(e.into())))?)
        .execute(&self.pool)
        .await
        .map_err(failed)?;
        Ok(())
    }

    /// Writes what is counted, and how the session ended if it did.
    pub(super) async fn update(
        &self,
        id: SessionId,
        tally: &Tally,
        ended_us: Option<i64>,
        owner_gone: bool,
    ) -> Result<(), HistoryError> {
        let int = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        sqlx::query(
            "update sessions set records = ?2, frames = ?3, bytes = ?4, errors = ?5, era = ?6, revision = ?7, peer = ?8,
                    outcome = ?9, crashed = ?10, ended_us = ?11, owner_gone = ?12
             where id = ?1 and (ended_us is null or ?11 is not null)",
        )
        .bind(id.to_string())
        .bind(int(tally.records))
        .bind(int(tally.frames))
        .bind(int(tally.bytes))
        .bind(int(tally.errors))
        .bind(&tally.era)
        .bind(&tally.revision)
        .bind(&tally.peer)
        .bind(&tally.outcome)
        .bind(tally.crashed)
        .bind(ended_us)
        .bind(owner_gone)
        .execute(&self.pool)
        .await
        .map_err(self.failed("update a session in"))?;
        Ok(())
    }

    pub(super) async fn labels(&self, id: SessionId) -> Result<Option<Labels>, HistoryError> {
        let row = sqlx::query("select name, tags, pinned from sessions where id = ?1");
        let row = row
            .bind(id.to_string())
            .fetch_optional(&self.pool)
            .await
            .map_err(self.failed("read a session of"))?;
        let read = |row: SqliteRow| {
            Ok(Labels {
                name: row.try_get(0)?,
                tags: serde_json::from_str(row.try_get(1)?).unwrap_or_default(),
                pinned: row.try_get(2)?,
            })
        };
        row.map(read)
            .transpose()
            .map_err(self.failed("read a session of"))
    }

    pub(super) async fn set_labels(
        &self,
        id: SessionId,
        labels: &Labels,
    ) -> Result<(), HistoryError> {
        let failed = self.failed("label a session in");
        let tags = serde_json::to_string(&labels.tags)
            .map_err(|error| failed(sqlx::Error::Encode(error.into())))?;
        sqlx::query("update sessions set name = ?2, tags = ?3, pinned = ?4 where id = ?1")
            .bind(id.to_string())
            .bind(&labels.name)
            .bind(tags)
            .bind(labels.pinned)
            .execute(&self.pool)
            .await
            .map_err(failed)?;
        Ok(())
    }

    /// Says that a session is in the trash since then, or not any more.
    pub(super) async fn set_deleted(
        &self,
        id: SessionId,
        deleted_us: Option<i64>,
    ) -> Result<(), HistoryError> {
        sqlx::query("update sessions set deleted_us = ?2 where id = ?1")
            .bind(id.to_string())
            .bind(deleted_us)
            .execute(&self.pool)
            .await
            .map_err(self.failed("delete a session in"))?;
        Ok(())
    }

    /// A page of sessions, newest first, of one server or of all; `None` after the last.
    pub(super) async fn sessions(
        &self,
        server: Option<Uuid>,
        page: u32,
    ) -> Result<Option<Vec<SessionSummary>>, HistoryError> {
        const PAGE: u32 = 100;
        let rows = sqlx::query(
            "select * from sessions where (?1 is null or server = ?1) and deleted_us is null
             order by started_us desc, id desc limit ?2 offset ?3",
        );
        let rows = rows
            .bind(server.map(|id| id.to_string()))
            .bind(PAGE)
            .bind(i64::from(page) * i64::from(PAGE))
            .fetch_all(&self.pool)
            .await;
        let rows = rows.map_err(self.failed("read the sessions of"))?;
        Ok((!rows.is_empty()).then(|| readable(&rows, summary)))
    }

    pub(super) async fn session(
        &self,
        id: SessionId,
    ) -> Result<Option<SessionSummary>, HistoryError> {
        let row = sqlx::query("select * from sessions where id = ?1").bind(id.to_string());
        let row = row
            .fetch_optional(&self.pool)
            .await
            .map_err(self.failed("read a session of"))?;
        row.as_ref().map(summary).transpose()
    }

    /// All that are not in the trash, newest first.
    pub(super) async fn listed(&self) -> Result<Vec<SessionId>, HistoryError> {
        let query =
            "select id from sessions where deleted_us is null order by started_us desc, id desc";
        let ids = sqlx::query_scalar(query).fetch_all(&self.pool).await;
        let ids: Vec<String> = ids.map_err(self.failed("read the sessions of"))?;
        Ok(ids.iter().filter_map(|id| id.parse().ok()).collect())
    }

    /// Ids, newest first, that begin so.
    pub(super) async fn ids(&self, prefix: &str) -> Result<Vec<SessionId>, HistoryError> {
        let query = "select id from sessions where substr(id, 1, length(?1)) = ?1 order by started_us desc, id desc";
        let ids = sqlx::query_scalar(query)
            .bind(prefix)
            .fetch_all(&self.pool)
            .await;
        let ids: Vec<String> = ids.map_err(self.failed("read the sessions of"))?;
        Ok(ids.iter().filter_map(|id| id.parse().ok()).collect())
    }
}

/// Changes when another connection has changed something.
pub(super) async fn data_version(conn: &mut SqliteConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("pragma data_version")
        .fetch_one(conn)
        .await
}

/// Newer programs may have migrated further; what they added is ignored.
fn migrator() -> Migrator {
    const MIGRATIONS: [(i64, &str, &str); 9] = [
        (
            1,
            "catalogue",
            include_str!("../../migrations/0001_catalogue.sql"),
        ),
        (
            2,
            "consent",
            include_str!("../../migrations/0002_consent.sql"),
        ),
        (3, "trash", include_str!("../../migrations/0003_trash.sql")),
        (4, "roots", include_str!("../../migrations/0004_roots.sql")),
        (
            5,
            "connection",
            include_str!("../../migrations/0005_connection.sql"),
        ),
        (
            6,
            "client",
            include_str!("../../migrations/0006_client.sql"),
        ),
        (
            7,
            "no probe",
            include_str!("../../migrations/0007_no_probe.sql"),
        ),
        (
            8,
            "watch and waits",
            include_str!("../../migrations/0008_watch_and_waits.sql"),
        ),
        (9, "auth", include_str!("../../migrations/0009_auth.sql")),
    ];
    let migrations = MIGRATIONS.map(|(version, name, sql)| {
        let sql = sql.into_sql_str();
        Migration::new(version, name.into(), MigrationType::Simple, sql, false)
    });
    let mut migrator = Migrator::with_migrations(migrations.into());
    migrator.set_ignore_missing(true);
    migrator
}

/// One damaged entry must not hide the others.
fn readable<T>(rows: &[SqliteRow], read: impl Fn(&SqliteRow) -> Result<T, HistoryError>) -> Vec<T> {
    let read = |row| {
        read(row)
            .inspect_err(|error| tracing::warn!(%error, "left out of a list"))
            .ok()
    };
    rows.iter().filter_map(read).collect()
}

fn server(row: &SqliteRow) -> Result<Server, HistoryError> {
    let read = || -> Result<Server, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Server {
            id: row.try_get::<&str, _>("id")?.parse()?,
            name: row.try_get("name")?,
            config: serde_json::from_str(row.try_get("config")?)?,
            era: row.try_get::<&str, _>("era")?.parse()?,
            timeout_ms: row.try_get::<i64, _>("timeout_ms")?.unsigned_abs(),
            position: row.try_get("position")?,
            demo: row.try_get("demo")?,
            unconfirmed: row.try_get("unconfirmed")?,
        })
    };
    let name = || row.try_get("name").unwrap_or_default();
    read().map_err(|why| HistoryError::Damaged {
        what: "the catalogue's entry of server",
        name: name(),
        why: why.to_string(),
    })
}

fn summary(row: &SqliteRow) -> Result<SessionSummary, HistoryError> {
    let count = |column: &str| row.try_get::<i64, _>(column).map(i64::unsigned_abs);
    let read = || -> Result<SessionSummary, Box<dyn std::error::Error + Send + Sync>> {
        let owner_gone: bool = row.try_get("owner_gone")?;
        Ok(SessionSummary {
            id: row.try_get::<&str, _>("id")?.parse()?,
            server: row
                .try_get::<Option<&str>, _>("server")?
                .and_then(|id| id.parse().ok()),
            server_name: row.try_get("server_name")?,
            number: u32::try_from(count("number")?)?,
            name: row.try_get("name")?,
            origin: row
                .try_get::<&str, _>("origin")?
                .parse()
                .unwrap_or(Origin::Import),
            started_us: row.try_get("started_us")?,
            ended_us: row.try_get("ended_us")?,
            records: count("records")?,
            frames: count("frames")?,
            bytes: count("bytes")?,
            errors: count("errors")?,
            era: row.try_get("era")?,
            revision: row.try_get("revision")?,
            peer: row.try_get("peer")?,
            outcome: row.try_get("outcome")?,
            crashed: row.try_get("crashed")?,
            state: if owner_gone {
                SessionState::OwnerGone
            } else {
                SessionState::Ended
            },
            pinned: row.try_get("pinned")?,
            tags: serde_json::from_str(row.try_get("tags")?).unwrap_or_default(),
            previous: row
                .try_get::<Option<&str>, _>("previous")?
                .and_then(|id| id.parse().ok()),
            config: serde_json::from_str(row.try_get("config")?)?,
        })
    };
    let name = || row.try_get("id").unwrap_or_default();
    read().map_err(|why| HistoryError::Damaged {
        what: "the catalogue's entry of session",
        name: name(),
        why: why.to_string(),
    })
}
