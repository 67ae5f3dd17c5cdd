//! Sessions in and out as files, through the system's dialogs; the data folder in the file manager.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use framescope_core::history::{HistoryError, SessionSummary};
use tauri::State;

use super::Answer;
use crate::desktop::Import;
use crate::rows::{ErrorCode, IpcErrorRow, SessionRow};
use crate::state::{AppState, session_id};

#[tauri::command]
pub(crate) async fn export_session(
    session: String,
    state: State<'_, AppState>,
) -> Answer<Option<String>> {
    let history = state.history()?;
    let summary = history.session(session_id(&session)?).await?;
    let Some(path) = state.desktop.save(&file_name(&summary)).await else {
        return Ok(None);
    };
    let id = summary.id;
    let refused = |source| HistoryError::Export { id, source };
    let mut part = Part::beside(&path).map_err(refused)?;
    history.export(id, &mut part.out).await?;
    part.whole().map_err(refused)?;
    Ok(Some(path.display().to_string()))
}

#[tauri::command]
pub(crate) async fn import_sessions(state: State<'_, AppState>) -> Answer<Vec<SessionRow>> {
    let history = state.history()?;
    let mut rows = Vec::new();
    let mut failed = None;
    // One file that is none must not keep the others out.
    for path in state.desktop.open(Import::Sessions).await {
        match history.import(&path).await {
            Ok(id) => rows.push(state.row(history.session(id).await?).await?),
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    failed.map_or(Ok(rows), |error| Err(error.into()))
}

#[tauri::command]
pub(crate) fn open_data_folder(state: State<'_, AppState>) -> Answer<()> {
    let dir = state.history()?.dir();
    let refused = |why| {
        let message = format!(
            "the file manager was not opened: {why}. Open {} yourself",
            dir.display()
        );
        IpcErrorRow::new(ErrorCode::Internal, message)
    };
    state.desktop.show(dir).map_err(refused)
}

/// A file that is written beside the place that was chosen, and moved there when it is whole; else it is removed.
pub(super) struct Part {
    pub(super) out: BufWriter<File>,
    place: Place,
}

struct Place {
    part: PathBuf,
    path: PathBuf,
}

impl Part {
    pub(super) fn beside(path: &Path) -> io::Result<Self> {
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let out = BufWriter::new(File::create(&part)?);
        let place = Place {
            part: part.into(),
            path: path.to_owned(),
        };
        Ok(Self { out, place })
    }

    pub(super) fn whole(self) -> io::Result<()> {
        let Self { mut out, place } = self;
        out.flush()?;
        drop(out);
        std::fs::rename(&place.part, &place.path)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // Where it was moved it is not there any more.
        let _ = std::fs::remove_file(&self.part);
    }
}

/// `weather-12.jsonl`.
fn file_name(session: &SessionSummary) -> String {
    let name = plain_name(&session.server_name);
    format!("{name}-{}.jsonl", session.number)
}

/// A name that every file system takes, from one that a server chose.
pub(super) fn plain_name(name: &str) -> String {
    let plain = |c: char| {
        if c.is_alphanumeric() || "-_.".contains(c) {
            c
        } else {
            '-'
        }
    };
    let name: String = name.chars().take(60).map(plain).collect();
    name.trim_matches(['-', '.']).to_owned()
}
