//! How to sign in to the servers of the catalogue.

use sqlx::Row as _;
use uuid::Uuid;

use super::Catalogue;
use crate::history::HistoryError;
use crate::protocol::AuthChoice;

impl Catalogue {
    pub(in crate::history) async fn auth_choice(
        &self,
        server: Uuid,
    ) -> Result<AuthChoice, HistoryError> {
        let query = sqlx::query("select auth from servers where id = ?1").bind(server.to_string());
        let failed = self.failed("read how to sign in to a server in");
        let row = query.fetch_optional(&self.pool).await.map_err(&failed)?;
        let Some(row) = row else {
            return Ok(AuthChoice::default());
        };
        let text: &str = row.try_get("auth").map_err(&failed)?;
        serde_json::from_str(text).map_err(|error| failed(sqlx::Error::Decode(error.into())))
    }

    pub(in crate::history) async fn set_auth_choice(
        &self,
        server: Uuid,
        choice: &AuthChoice,
    ) -> Result<(), HistoryError> {
        let failed = self.failed("save how to sign in to a server in");
        let text = serde_json::to_string(choice)
            .map_err(|error| failed(sqlx::Error::Encode(error.into())))?;
        let query = sqlx::query("update servers set auth = ?2 where id = ?1");
        let query = query.bind(server.to_string()).bind(text);
        query.execute(&self.pool).await.map_err(&failed)?;
        Ok(())
    }
}
