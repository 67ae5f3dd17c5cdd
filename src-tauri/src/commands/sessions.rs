//! Sessions: opened, closed, listed, labelled, deleted.

use std::collections::BTreeSet;

use framescope_core::client::Answers;
use framescope_core::history::{Label, Origin, SessionQuery};
use framescope_core::manager::OpenOptions;
use tauri::State;

use super::Answer;
use crate::convert::filter_problem;
use crate::rows::{ErrorCode, IpcErrorRow, SessionListRow, SessionRow};
use crate::state::{AppState, session_id};

/// Rows of a list whose logs are looked into: each is a file to be opened.
const TOLD_IN_FULL: usize = 50;

#[tauri::command]
pub(crate) async fn open_session(server: String, state: State<'_, AppState>) -> Answer<SessionRow> {
    let server = state.server(&server).await?;
    if server.unconfirmed {
        return Err(IpcErrorRow::new(
            ErrorCode::NeedsConsent,
            format!(
                "{} was pasted or imported and has not been confirmed: look at what would be started, then confirm it",
                server.name
            ),
        ));
    }
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
                answers: Answers::Ask,
                roots: manager.history().roots(server.id).await?,
                choice: manager.history().client_choice(server.id).await?,
                follow_lists: true,
                watch: true,
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
    // It may have ended while the user reached for the button; its files may still be watched.
    if manager.live().iter().any(|live| live.id == id) || manager.watch(id).is_some() {
        manager.close(id).await?;
    }
    Ok(())
}

#[tauri::command]
pub(crate) async fn list_sessions(
    query: String,
    limit: u32,
    state: State<'_, AppState>,
) -> Answer<SessionListRow> {
    let history = state.history()?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let list = history.list(&query, limit).await?;
    let mut rows = Vec::new();
    for (place, summary) in list.sessions.into_iter().enumerate() {
        rows.push(match place {
            ..TOLD_IN_FULL => state.row(summary).await?,
            _ => state.brief_row(summary)?,
        });
    }
    Ok(SessionListRow {
        rows,
        matching: list.matching,
        kept: list.kept,
        disk_bytes: state.disk().await?.sessions,
        problem: list.problem.map(filter_problem),
    })
}

#[tauri::command]
pub(crate) async fn get_session(session: String, state: State<'_, AppState>) -> Answer<SessionRow> {
    state
        .row(state.history()?.session(session_id(&session)?).await?)
        .await
}

#[tauri::command]
pub(crate) async fn rename_session(
    session: String,
    name: String,
    state: State<'_, AppState>,
) -> Answer<SessionRow> {
    label(&session, Label::Name(name), &state).await
}

#[tauri::command]
pub(crate) async fn tag_session(
    session: String,
    tags: Vec<String>,
    state: State<'_, AppState>,
) -> Answer<SessionRow> {
    label(&session, Label::Tags(tags), &state).await
}

#[tauri::command]
pub(crate) async fn pin_session(
    session: String,
    pinned: bool,
    state: State<'_, AppState>,
) -> Answer<SessionRow> {
    label(&session, Label::Pinned(pinned), &state).await
}

async fn label(session: &str, label: Label, state: &AppState) -> Answer<SessionRow> {
    let id = session_id(session)?;
    state.row(state.history()?.label(id, label).await?).await
}

#[tauri::command]
pub(crate) async fn delete_sessions(
    sessions: Vec<String>,
    state: State<'_, AppState>,
) -> Answer<()> {
    // Each once, and none where one of them is no id.
    let ids = sessions
        .iter()
        .map(|id| session_id(id))
        .collect::<Answer<BTreeSet<_>>>()?;
    for id in ids {
        state.history()?.delete(id).await?;
        state.forget(id);
    }
    Ok(())
}

#[tauri::command]
pub(crate) async fn restore_sessions(
    sessions: Vec<String>,
    state: State<'_, AppState>,
) -> Answer<()> {
    for id in &sessions {
        state.history()?.restore(session_id(id)?).await?;
    }
    Ok(())
}
