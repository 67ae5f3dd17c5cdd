//! Sessions: opened, closed, listed.

use framescope_core::history::{Origin, SessionQuery};
use framescope_core::manager::OpenOptions;
use tauri::State;

use super::Answer;
use crate::rows::SessionRow;
use crate::state::{AppState, session_id};

#[tauri::command]
pub(crate) async fn open_session(server: String, state: State<'_, AppState>) -> Answer<SessionRow> {
    let server = state.server(&server).await?;
    let manager = state.manager()?;
    // The rail shows one session of a server: an earlier one would run on unseen.
    for live in manager
        .live()
        .into_iter()
        .filter(|live| live.server == Some(server.id))
    {
        manager.close(live.id).await?;
    }
    let query = SessionQuery {
        server: Some(server.id),
        limit: Some(1),
        ..SessionQuery::default()
    };
    let previous = manager
        .history()
        .sessions(&query)
        .await?
        .pop()
        .map(|session| session.id);
    let id = manager
        .open(
            &server,
            OpenOptions {
                previous,
                ..OpenOptions::new(Origin::App)
            },
        )
        .await?;
    state.row(manager.history().session(id).await?).await
}

#[tauri::command]
pub(crate) async fn close_session(session: String, state: State<'_, AppState>) -> Answer<()> {
    let id = session_id(&session)?;
    let manager = state.manager()?;
    // It may have ended while the user reached for the button.
    if manager.live().iter().any(|live| live.id == id) {
        manager.close(id).await?;
    }
    Ok(())
}

#[tauri::command]
pub(crate) async fn list_sessions(
    limit: u32,
    state: State<'_, AppState>,
) -> Answer<Vec<SessionRow>> {
    let query = SessionQuery {
        limit: Some(limit),
        ..SessionQuery::default()
    };
    let mut rows = Vec::new();
    for summary in state.history()?.sessions(&query).await? {
        rows.push(state.row(summary).await?);
    }
    Ok(rows)
}

#[tauri::command]
pub(crate) async fn get_session(session: String, state: State<'_, AppState>) -> Answer<SessionRow> {
    state
        .row(state.history()?.session(session_id(&session)?).await?)
        .await
}
