//! `meta` of a session file: the facts that a session file says of itself, so that it can be mailed and opened anywhere.

use std::collections::HashMap;

use sqlx::{Row as _, SqliteConnection};
use uuid::Uuid;

use super::types::Origin;
use crate::protocol::ServerConfig;
use crate::record::SessionId;

/// What `meta` holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Meta {
    pub(super) id: SessionId,
    pub(super) server: Option<Uuid>,
    pub(super) server_name: String,
    pub(super) number: u32,
    pub(super) name: Option<String>,
    pub(super) origin: Origin,
    /// Of an import: who made it, in the words of the capture.
    pub(super) made_by: Option<String>,
    pub(super) config: ServerConfig,
    pub(super) previous: Option<SessionId>,
    pub(super) started_us: i64,
    /// Missing: nobody ended it.
    pub(super) ended_us: Option<i64>,
    /// It was recovered after its recorder died.
    pub(super) owner_gone: bool,
    /// An imported log with holes in its numbers.
    pub(super) sparse: bool,
    pub(super) pinned: bool,
    pub(super) tags: Vec<String>,
    /// Where an imported session came from: its id there, where that was taken here.
    pub(super) imported_from: Option<String>,
}

impl Meta {
    /// Writes all of it; what is missing is removed.
    pub(super) async fn write(&self, conn: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        let text = |value: &dyn ToString| Some(value.to_string());
        let json = |value: Result<String, serde_json::Error>| {
            value.map(Some).map_err(|e| sqlx::Error::Encode(e.into()))
        };
        let flag = |value: bool| value.then(|| "1".to_owned());
        let rows = [
            ("id", text(&self.id)),
            ("server", self.server.map(|id| id.to_string())),
            ("server_name", text(&self.server_name)),
            ("number", text(&self.number)),
            ("name", self.name.clone()),
            ("origin", text(&self.origin)),
            ("made_by", self.made_by.clone()),
            ("config", json(serde_json::to_string(&self.config))?),
            ("previous", self.previous.map(|id| id.to_string())),
            ("started_us", text(&self.started_us)),
            ("ended_us", self.ended_us.map(|us| us.to_string())),
            ("owner_gone", flag(self.owner_gone)),
            ("sparse", flag(self.sparse)),
            ("pinned", flag(self.pinned)),
            ("tags", json(serde_json::to_string(&self.tags))?),
            ("imported_from", self.imported_from.clone()),
        ];
        for (key, value) in rows {
            let query = match value {
                Some(value) => {
                    sqlx::query("insert or replace into meta (key, value) values (?1, ?2)")
                        .bind(key)
                        .bind(value)
                }
                None => sqlx::query("delete from meta where key = ?1").bind(key),
            };
            query.execute(&mut *conn).await?;
        }
        Ok(())
    }

    /// Reads it. The error is what is wrong with it, in words.
    pub(super) async fn read(conn: &mut SqliteConnection) -> Result<Self, String> {
        let rows = sqlx::query("select key, cast(value as text) from meta")
            .fetch_all(conn)
            .await;
        let rows = rows.map_err(|error| error.to_string())?;
        let pair =
            |row: &sqlx::sqlite::SqliteRow| Some((row.try_get(0).ok()?, row.try_get(1).ok()?));
        let values: HashMap<String, String> = rows.iter().filter_map(pair).collect();
        let get = |key: &str| values.get(key).cloned();
        let need = |key: &str| get(key).ok_or_else(|| format!("`{key}` is missing"));
        let number = |key: &str| {
            need(key)?
                .parse::<i64>()
                .map_err(|e| format!("`{key}`: {e}"))
        };
        let config: ServerConfig =
            serde_json::from_str(&need("config")?).map_err(|e| format!("`config`: {e}"))?;
        Ok(Self {
            id: need("id")?.parse().map_err(|e| format!("`id`: {e}"))?,
            server: get("server").and_then(|id| id.parse().ok()),
            server_name: get("server_name").unwrap_or_else(|| config.display()),
            number: number("number")
                .ok()
                .and_then(|n| u32::try_from(n).ok())
                .unwrap_or(1),
            name: get("name"),
            origin: get("origin")
                .and_then(|origin| origin.parse().ok())
                .unwrap_or(Origin::Import),
            made_by: get("made_by"),
            config,
            previous: get("previous").and_then(|id| id.parse().ok()),
            started_us: number("started_us")?,
            ended_us: number("ended_us").ok(),
            owner_gone: values.contains_key("owner_gone"),
            sparse: values.contains_key("sparse"),
            pinned: values.contains_key("pinned"),
            tags: get("tags")
                .and_then(|tags| serde_json::from_str(&tags).ok())
                .unwrap_or_default(),
            imported_from: get("imported_from"),
        })
    }
}
