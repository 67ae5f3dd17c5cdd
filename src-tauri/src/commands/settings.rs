//! Facts of the app and preferences of its page.

use serde::Serialize;
use serde_json::Value;
use tauri::{AppHandle, Manager, Runtime, State};
use tauri_plugin_store::StoreExt;

use super::Answer;
use crate::rows::{ErrorCode, IpcErrorRow, Retention, StatsRow};
use crate::state::AppState;
use crate::upkeep;
use crate::window::SETTINGS;

/// Facts that do not change while the app runs.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AppInfo {
    version: String,
    data_dir: String,
}

#[tauri::command]
pub(crate) async fn app_info<R: Runtime>(app: AppHandle<R>) -> Answer<AppInfo> {
    let dir = app
        .path()
        .app_data_dir()
        .map_err(|error| IpcErrorRow::new(ErrorCode::Internal, error.to_string()))?;
    Ok(AppInfo {
        version: app.package_info().version.to_string(),
        data_dir: dir.display().to_string(),
    })
}

#[tauri::command]
pub(crate) async fn get_setting<R: Runtime>(
    app: AppHandle<R>,
    key: String,
) -> Answer<Option<Value>> {
    Ok(app.store(SETTINGS)?.get(key))
}

#[tauri::command]
pub(crate) async fn set_setting<R: Runtime>(
    app: AppHandle<R>,
    key: String,
    value: Value,
) -> Answer<()> {
    // Written by the plugin a moment later, many changes at once.
    app.store(SETTINGS)?.set(key, value);
    Ok(())
}

#[tauri::command]
pub(crate) async fn get_retention<R: Runtime>(app: AppHandle<R>) -> Answer<Retention> {
    upkeep::retention(&app)
}

#[tauri::command]
pub(crate) async fn set_retention<R: Runtime>(
    app: AppHandle<R>,
    retention: Retention,
) -> Answer<()> {
    upkeep::keep_retention(&app, &retention)?;
    upkeep::apply(&app).await
}

#[tauri::command]
pub(crate) async fn get_stats(state: State<'_, AppState>) -> Answer<StatsRow> {
    state.look_at_disk().await?;
    upkeep::stats(&state)
}
