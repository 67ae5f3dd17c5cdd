//! Exports and imports.

use std::io::Write;
use std::path::Path;

use super::History;
use super::error::HistoryError;
use crate::record::SessionId;

#[allow(clippy::unused_async, reason = "bodies follow with the capture format")]
impl History {
    /// Writes a session as a capture file; answers how many records.
    pub async fn export(
        &self,
        id: SessionId,
        _out: impl Write + Send,
    ) -> Result<u64, HistoryError> {
        Err(HistoryError::Capture {
            path: self.session_path(id),
            line: 0,
            why: "not built yet".to_owned(),
        })
    }

    /// Takes in a capture or a session file. An id that is present already gets a new one.
    pub async fn import(&self, path: &Path) -> Result<SessionId, HistoryError> {
        Err(HistoryError::Capture {
            path: path.to_owned(),
            line: 0,
            why: "not built yet".to_owned(),
        })
    }
}
