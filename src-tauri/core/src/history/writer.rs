//! The only writer of a session file: one transaction a batch.

use sqlx::{Connection, SqliteConnection};

use super::batch::Batch;
use super::tally::Tally;
use crate::record::Seq;

/// The only writer of a session file.
#[derive(Debug)]
pub(super) struct Writer {
    conn: SqliteConnection,
    tally: Tally,
}

impl Writer {
    /// Begins to write a file that holds no records yet.
    pub(super) fn new(conn: SqliteConnection) -> Self {
        Self {
            conn,
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

    /// Writes a batch, all or nothing of it. Answers the number of the last record in it.
    pub(super) async fn write(&mut self, batch: Batch) -> Result<Option<Seq>, sqlx::Error> {
        let mut transaction = self.conn.begin().await?;
        for insert in batch.inserts {
            insert.execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        self.tally = batch.tally;
        Ok(batch.last)
    }
}
