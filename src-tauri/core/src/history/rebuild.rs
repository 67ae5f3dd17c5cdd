//! Brings the catalogue up to the session files: one that was lost, or files that were put into the folder.

use std::collections::HashSet;
use std::ffi::OsStr;

use sqlx::Connection;

use super::error::{HistoryError, database, file};
use super::lock::Lock;
use super::meta::Meta;
use super::tally::Tally;
use super::types::Server;
use super::{History, file as files};
use crate::protocol::EraChoice;
use crate::record::SessionId;

impl History {
    /// Adds the sessions that the catalogue does not know; of a catalogue that was lost also their servers.
    pub(super) async fn rebuild(&self, lost: bool) -> Result<(), HistoryError> {
        let folder = self.dir().join("sessions");
        let failed = file("read the folder", &folder);
        let known: HashSet<_> = self.catalogue().ids("").await?.into_iter().collect();
        for entry in std::fs::read_dir(&folder).map_err(&failed)? {
            let path = entry.map_err(&failed)?.path();
            let stem = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
            let is_session = path.extension() == Some(OsStr::new("framescope"));
            let Some(id) = stem
                .parse::<SessionId>()
                .ok()
                .filter(|id| is_session && !known.contains(id))
            else {
                continue;
            };
            if let Err(error) = self.add_file(id, lost).await {
                tracing::warn!(%error, "a session file was left out of the catalogue");
            }
        }
        Ok(())
    }

    async fn add_file(&self, id: SessionId, with_server: bool) -> Result<(), HistoryError> {
        let path = self.session_path(id);
        let failed = database("read the session", &path);
        let pool = files::open_reader(&path).await?;
        let mut conn = pool.acquire().await.map_err(&failed)?.detach();
        pool.close().await;
        let meta = Meta::read(&mut conn).await;
        let mut meta = meta.map_err(|why| HistoryError::Damaged {
            what: "the description",
            name: id.to_string(),
            why,
        })?;
        let tally = Tally::of_file(&mut conn).await.map_err(&failed)?;
        conn.close().await.map_err(&failed)?;
        meta.id = id;
        self.catalogue().add(&meta).await?;
        if !Lock::is_held(&self.lock_path(id)) {
            self.catalogue()
                .update(id, &tally, meta.ended_us, meta.owner_gone)
                .await?;
        }
        if with_server {
            self.add_server(&meta).await?;
        }
        Ok(())
    }

    async fn add_server(&self, meta: &Meta) -> Result<(), HistoryError> {
        let Some(id) = meta.server else { return Ok(()) };
        if self.server(&id.to_string()).await?.is_some()
            || self.server(&meta.server_name).await?.is_some()
        {
            return Ok(());
        }
        self.save_server(&Server {
            id,
            name: meta.server_name.clone(),
            config: meta.config.clone(),
            era: EraChoice::Auto,
            timeout_ms: Server::TIMEOUT_MS,
            position: 0,
            demo: false,
            unconfirmed: false,
        })
        .await
    }
}
