//! This app's own log: its newest lines, from which level on it is written, and its folder.

use tauri::{AppHandle, Runtime, State};
use tauri_plugin_store::StoreExt as _;
use tracing::Level;

use super::Answer;
use crate::logging;
use crate::rows::{AppLog, AppLogLevel, AppLogLine, ErrorCode, IpcErrorRow};
use crate::state::AppState;
use crate::window::SETTINGS;

/// The setting that keeps the level.
const LEVEL: &str = "log.level";

#[tauri::command]
pub(crate) fn app_log() -> Answer<AppLog> {
    let newest = logging::newest();
    let lines = newest.lines.into_iter().map(|line| AppLogLine {
        at: line.at,
        level: row(line.level),
        target: line.target,
        text: line.text,
    });
    Ok(AppLog {
        lines: lines.collect(),
        level: row(newest.level),
        path: newest.path.display().to_string(),
        dropped: newest.dropped,
    })
}

#[tauri::command]
pub(crate) fn set_app_log_level<R: Runtime>(app: AppHandle<R>, level: AppLogLevel) -> Answer<()> {
    let level = of(level);
    logging::set_level(level);
    app.store(SETTINGS)?.set(LEVEL, logging::name(level));
    Ok(())
}

#[tauri::command]
pub(crate) fn open_log_folder(state: State<'_, AppState>) -> Answer<()> {
    let dir = state.history()?.dir().join("logs");
    let refused = |why| {
        let message = format!(
            "the file manager was not opened: {why}. Open {} yourself",
            dir.display()
        );
        IpcErrorRow::new(ErrorCode::Internal, message)
    };
    state.desktop.show(&dir).map_err(refused)
}

/// Takes up the level that was chosen in an earlier run.
pub(crate) fn take_up_level<R: Runtime>(app: &AppHandle<R>) {
    let chosen = app
        .store(SETTINGS)
        .ok()
        .and_then(|settings| settings.get(LEVEL));
    if let Some(level) = chosen.and_then(|level| serde_json::from_value::<AppLogLevel>(level).ok())
    {
        logging::set_level(of(level));
    }
}

fn row(level: Level) -> AppLogLevel {
    match level {
        Level::ERROR => AppLogLevel::Error,
        Level::WARN => AppLogLevel::Warn,
        Level::INFO => AppLogLevel::Info,
        Level::DEBUG => AppLogLevel::Debug,
        Level::TRACE => AppLogLevel::Trace,
    }
}

fn of(level: AppLogLevel) -> Level {
    match level {
        AppLogLevel::Error => Level::ERROR,
        AppLogLevel::Warn => Level::WARN,
        AppLogLevel::Info => Level::INFO,
        AppLogLevel::Debug => Level::DEBUG,
        AppLogLevel::Trace => Level::TRACE,
    }
}
