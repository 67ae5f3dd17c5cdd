//! What the user says of a session: its name, tags, and whether it is kept for ever. Said to the catalogue; a session file
//! repeats it, so that it is not lost with the catalogue or where the file goes elsewhere.

use sqlx::Connection;

use super::error::{HistoryError, database, file};
use super::lock::Lock;
use super::meta::Meta;
use super::types::SessionSummary;
use super::{History, file as files};
use crate::record::SessionId;

/// What the user says of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Label {
    /// Its name; none where empty.
    Name(String),
    /// Its tags.
    Tags(Vec<String>),
    /// Retention never touches it.
    Pinned(bool),
}

/// All labels of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Labels {
    pub(super) name: Option<String>,
    pub(super) tags: Vec<String>,
    pub(super) pinned: bool,
}

impl History {
    /// Labels a session and answers it.
    pub async fn label(&self, id: SessionId, label: Label) -> Result<SessionSummary, HistoryError> {
        let session = self.session(id).await?;
        let mut labels = Labels {
            name: session.name,
            tags: session.tags,
            pinned: session.pinned,
        };
        match label {
            Label::Name(name) => {
                let name = name.trim().to_owned();
                labels.name = (!name.is_empty()).then_some(name);
            }
            Label::Tags(tags) => labels.tags = tidy(tags),
            Label::Pinned(pinned) => labels.pinned = pinned,
        }
        self.catalogue().set_labels(id, &labels).await?;
        self.write_labels(id, labels).await?;
        self.bump();
        self.session(id).await
    }

    /// A file that lives is written by its owner, who asks the catalogue when it ends.
    async fn write_labels(&self, id: SessionId, labels: Labels) -> Result<(), HistoryError> {
        let (path, lock_path) = (self.session_path(id), self.lock_path(id));
        if self.live().lock().contains_key(&id) {
            return Ok(());
        }
        let lock = Lock::take(&lock_path).map_err(file("lock the session", &lock_path))?;
        let Some(lock) = lock else { return Ok(()) };
        let failed = database("label the session", &path);
        let written = async {
            let mut conn = files::open_writer(&path).await?;
            let meta = Meta::read(&mut conn).await;
            let meta = meta.map_err(|why| HistoryError::Damaged {
                what: "the description",
                name: id.to_string(),
                why,
            })?;
            let meta = labelled(meta, labels);
            meta.write(&mut conn).await.map_err(&failed)?;
            conn.close().await.map_err(&failed)
        };
        let written = written.await;
        lock.release();
        // In a folder without the right to write the catalogue alone knows.
        written.or_else(|error| {
            tracing::warn!(%error, "the labels of a session are in the catalogue only");
            Ok(())
        })
    }

    /// What a session file says of itself when it ends, with the labels that it got while it lived.
    pub(super) async fn with_labels(&self, meta: &Meta) -> Meta {
        match self.catalogue().labels(meta.id).await {
            Ok(Some(labels)) => labelled(meta.clone(), labels),
            Ok(None) => meta.clone(),
            Err(error) => {
                tracing::warn!(%error, "a session ends with the labels that it began with");
                meta.clone()
            }
        }
    }
}

fn labelled(meta: Meta, labels: Labels) -> Meta {
    Meta {
        name: labels.name,
        tags: labels.tags,
        pinned: labels.pinned,
        ..meta
    }
}

/// In the order in which they were given, each once.
fn tidy(tags: Vec<String>) -> Vec<String> {
    let mut tidy: Vec<String> = Vec::new();
    for tag in tags {
        let tag = tag.trim();
        if !tag.is_empty() && !tidy.iter().any(|known| known == tag) {
            tidy.push(tag.to_owned());
        }
    }
    tidy
}
