//! The folders that a server may work in (client/roots). They guide a server; they do not fence it in.

use super::input::Answer;
use super::{Client, ClientError};
use crate::protocol::Root;
use crate::record::Seq;

/// Asks for the roots.
pub(super) const METHOD: &str = "roots/list";

/// The answer to `roots/list`.
pub(super) fn answer(roots: &[Root]) -> Answer {
    // Strings only: this cannot fail.
    let roots = serde_json::to_string(roots).unwrap_or_else(|_| "[]".to_owned());
    Answer::Result(format!(r#"{{"roots":{roots}}}"#))
}

impl Client {
    /// Replaces the roots. A legacy server is told that they changed; a modern one asks again with its next question, so that
    /// there is nothing to send.
    ///
    /// # Errors
    /// Where the notification is not sent; the roots are changed all the same.
    pub async fn set_roots(&self, roots: Vec<Root>) -> Result<Option<Seq>, ClientError> {
        let link = self.latest();
        *link.dial.roots.lock() = roots;
        if link.is_modern() {
            return Ok(None);
        }
        let sent = link.notify("notifications/roots/list_changed", None);
        sent.await.map(Some)
    }
}
