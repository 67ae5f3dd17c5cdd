//! What servers ask of their client, and what it tells them by itself: the roots.

use framescope_core::client::{self, InputId};
use framescope_core::protocol::Root;
use framescope_core::record::Seq;
use serde_json::value::RawValue;
use tauri::State;

use super::Answer;
use crate::convert::input_rows;
use crate::rows::{ErrorCode, InputAnswer, InputRow, IpcErrorRow, RootRow};
use crate::state::{AppState, session_id};

#[tauri::command]
pub(crate) fn list_inputs(session: String, state: State<'_, AppState>) -> Answer<Vec<InputRow>> {
    // In a session that is over nothing is asked.
    Ok(state
        .client(session_id(&session)?)
        .map_or_else(|_| vec![], |client| input_rows(&client)))
}

#[tauri::command]
pub(crate) fn answer_input(
    session: String,
    seq: u64,
    key: Option<String>,
    answer: InputAnswer,
    state: State<'_, AppState>,
) -> Answer<()> {
    let client = state.client(session_id(&session)?)?;
    let answer = match answer {
        InputAnswer::Result { json } => {
            serde_json::from_str::<&RawValue>(&json).map_err(|error| {
                IpcErrorRow::new(
                    ErrorCode::InvalidConfig,
                    format!("the answer is no JSON: {error}"),
                )
            })?;
            client::Answer::Result(json)
        }
        InputAnswer::Error { code, message } => client::Answer::Error { code, message },
    };
    let id = InputId { seq: Seq(seq), key };
    if client.answer(&id, answer) {
        return Ok(());
    }
    Err(IpcErrorRow::new(
        ErrorCode::NotFound,
        "the server no longer waits for this answer: it took the question back, or the call that asked has ended",
    ))
}

#[tauri::command]
pub(crate) async fn get_roots(server: String, state: State<'_, AppState>) -> Answer<Vec<RootRow>> {
    let server = state.server(&server).await?;
    let roots = state.history()?.roots(server.id).await?;
    let row = |root: Root| RootRow {
        uri: root.uri,
        name: root.name,
    };
    Ok(roots.into_iter().map(row).collect())
}

#[tauri::command]
pub(crate) async fn set_roots(
    server: String,
    roots: Vec<RootRow>,
    state: State<'_, AppState>,
) -> Answer<()> {
    let server = state.server(&server).await?;
    let root = |row: RootRow| Root {
        uri: row.uri,
        name: row.name.filter(|name| !name.is_empty()),
    };
    let roots: Vec<_> = roots.into_iter().map(root).collect();
    let manager = state.manager()?;
    manager.history().set_roots(server.id, &roots).await?;
    let live = manager.live().into_iter();
    for session in live.filter(|live| live.server == Some(server.id)) {
        if let Some(client) = manager.client(session.id) {
            client.set_roots(roots.clone()).await?;
        }
    }
    Ok(())
}
