//! Sessions in and out as files, through the system's dialogs; the data folder in the file manager.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use framescope_core::history::{HistoryError, Sealed, SessionSummary};
use framescope_core::record::redact::{self, Redactor};
use tauri::State;

use super::Answer;
use crate::convert::export_preview;
use crate::desktop::Import;
use crate::rows::{
    ErrorCode, ExportOptions, ExportPreview, ImportOutcome, IpcErrorRow, LockedFile, RedactRules,
    SessionRow, UsualRules,
};
use crate::state::{AppState, session_id};

/// Places of a preview that are shown.
const SAMPLES: usize = 100;
/// Characters of a text in it.
const SHOWN: usize = 200;

/// Encrypted files that were chosen and wait for their passphrases.
#[derive(Debug, Default)]
pub(crate) struct Locked {
    last: u32,
    files: BTreeMap<u32, PathBuf>,
}

#[tauri::command]
pub(crate) fn default_redact_rules() -> Answer<UsualRules> {
    let redact::RedactRules {
        keys,
        headers,
        values,
        paths,
    } = redact::RedactRules::usual();
    Ok(UsualRules {
        keys,
        headers,
        values,
        paths,
    })
}

#[tauri::command]
pub(crate) async fn preview_export(
    session: String,
    rules: RedactRules,
    state: State<'_, AppState>,
) -> Answer<ExportPreview> {
    let redactor = Redactor::new(&rules.into());
    let history = state.history()?;
    let preview = history
        .preview_export(session_id(&session)?, &redactor, SAMPLES)
        .await?;
    Ok(export_preview(&redactor, preview, SHOWN))
}

#[tauri::command]
pub(crate) async fn export_session(
    session: String,
    options: ExportOptions,
    state: State<'_, AppState>,
) -> Answer<Option<String>> {
    let redactor = Redactor::of_all(&options.redact.into()).map_err(|rule| {
        let (kind, text) = (rule.kind.as_str(), rule.text);
        let why = rule.problem.unwrap_or_default();
        let message =
            format!("the {kind} rule `{text}` cannot be read: {why}. Nothing was exported");
        IpcErrorRow::new(ErrorCode::InvalidConfig, message)
    })?;
    let history = state.history()?;
    let summary = history.session(session_id(&session)?).await?;
    let encrypted = options.passphrase.is_some();
    let name = file_name(&summary, encrypted);
    let Some(path) = state.desktop.save(&name).await else {
        return Ok(None);
    };
    let id = summary.id;
    let refused = |source| HistoryError::Export { id, source };
    let mut part = Part::beside(&path).map_err(refused)?;
    match options.passphrase {
        Some(passphrase) => {
            // The passphrase costs a second of work, so that guessing costs more.
            let begun = move || Sealed::new(part.out, &passphrase).map(|out| (out, part.place));
            let begun = tokio::task::spawn_blocking(begun).await;
            let (mut out, place) = begun.map_err(io::Error::other).flatten().map_err(refused)?;
            history.export_redacted(id, &redactor, &mut out).await?;
            part = Part {
                out: out.finish().map_err(refused)?,
                place,
            };
        }
        None => {
            history
                .export_redacted(id, &redactor, &mut part.out)
                .await?;
        }
    }
    part.whole().map_err(refused)?;
    Ok(Some(path.display().to_string()))
}

#[tauri::command]
pub(crate) async fn import_sessions(state: State<'_, AppState>) -> Answer<ImportOutcome> {
    let history = state.history()?;
    let mut outcome = ImportOutcome {
        sessions: Vec::new(),
        locked: Vec::new(),
    };
    let mut failed = None;
    // One file that is none must not keep the others out.
    for path in state.desktop.open(Import::Sessions).await {
        match history.import(&path).await {
            Ok(id) => {
                let row = state.row(history.session(id).await?).await?;
                outcome.sessions.push(row);
            }
            Err(HistoryError::NeedsPassphrase { path }) => {
                outcome.locked.push(state.locked.lock().add(path));
            }
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    failed.map_or(Ok(outcome), |error| Err(error.into()))
}

#[tauri::command]
pub(crate) async fn import_locked(
    id: u32,
    passphrase: String,
    state: State<'_, AppState>,
) -> Answer<SessionRow> {
    let path = state.locked.lock().files.get(&id).cloned();
    let missing = || {
        IpcErrorRow::new(
            ErrorCode::NotFound,
            "the file was put away: choose it again",
        )
    };
    let path = path.ok_or_else(missing)?;
    let history = state.history()?;
    let session = history.import_sealed(&path, &passphrase).await?;
    state.locked.lock().files.remove(&id);
    state.row(history.session(session).await?).await
}

#[tauri::command]
pub(crate) fn forget_locked(id: u32, state: State<'_, AppState>) -> Answer<()> {
    state.locked.lock().files.remove(&id);
    Ok(())
}

impl Locked {
    fn add(&mut self, path: PathBuf) -> LockedFile {
        self.last += 1;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let row = LockedFile {
            id: self.last,
            name: name.into_owned(),
        };
        self.files.insert(self.last, path);
        row
    }
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

/// `weather-12.jsonl`, `weather-12.jsonl.age`.
fn file_name(session: &SessionSummary, encrypted: bool) -> String {
    let name = plain_name(&session.server_name);
    let ending = if encrypted { ".age" } else { "" };
    format!("{name}-{}.jsonl{ending}", session.number)
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
