//! Subscriptions of a session, and its log level.

use tauri::State;

use super::Answer;
use crate::rows::{ErrorCode, IpcErrorRow, ListName, LogLevelName, SubscriptionRow};
use crate::state::{AppState, session_id};

fn not_yet<T>() -> Answer<T> {
    Err(IpcErrorRow::new(
        ErrorCode::Internal,
        "this app cannot do that yet",
    ))
}

#[tauri::command]
pub(crate) fn list_subscriptions(
    session: String,
    state: State<'_, AppState>,
) -> Answer<Vec<SubscriptionRow>> {
    // In a session that is over nothing is subscribed to.
    Ok(state
        .client(session_id(&session)?)
        .map_or_else(|_| vec![], |_| vec![]))
}

#[tauri::command]
pub(crate) fn subscribe(
    session: String,
    uris: Vec<String>,
    lists: Vec<ListName>,
) -> Answer<Vec<SubscriptionRow>> {
    let _ = (session, uris, lists);
    not_yet()
}

#[tauri::command]
pub(crate) fn unsubscribe(session: String, seq: u64) -> Answer<()> {
    let _ = (session, seq);
    not_yet()
}

#[tauri::command]
pub(crate) fn get_log_level(session: String) -> Answer<Option<LogLevelName>> {
    let _ = session;
    Ok(None)
}

#[tauri::command]
pub(crate) fn set_log_level(session: String, level: Option<LogLevelName>) -> Answer<Option<u64>> {
    let _ = (session, level);
    not_yet()
}
