//! Sessions in and out as files, through the system's dialogs; the data folder in the file manager.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use framescope_core::history::{History, HistoryError, SessionSummary};
use framescope_core::record::SessionId;
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
    write(history, summary.id, &path).await?;
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

/// Writes beside the place that was chosen, and moves it there when it is whole.
async fn write(history: &History, id: SessionId, path: &Path) -> Answer<()> {
    let refused = |source| IpcErrorRow::from(HistoryError::Export { id, source });
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let mut out = BufWriter::new(File::create(&part).map_err(refused)?);
    let written = match history.export(id, &mut out).await {
        Ok(_) => out.flush().map_err(refused),
        Err(error) => Err(error.into()),
    };
    drop(out);
    let moved = written.and_then(|()| std::fs::rename(&part, path).map_err(refused));
    if moved.is_err() {
        // What is left of it is of no use.
        let _ = std::fs::remove_file(&part);
    }
    moved
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
