//! How this app shows itself to a server, and the checks that talk to a server in two ways.

use super::Answer;
use crate::rows::{
    BothErasRow, ClientDraft, ClientRow, ErrorCode, IpcErrorRow, RequestDraft, StatelessRow,
};

fn not_yet<T>() -> Answer<T> {
    Err(IpcErrorRow::new(
        ErrorCode::Internal,
        "this app cannot do that yet",
    ))
}

#[tauri::command]
pub(crate) fn get_client(server: String) -> Answer<ClientRow> {
    let _ = server;
    not_yet()
}

#[tauri::command]
pub(crate) fn set_client(server: String, draft: ClientDraft) -> Answer<()> {
    let _ = (server, draft);
    not_yet()
}

#[tauri::command]
pub(crate) fn call_both_eras(session: String, draft: RequestDraft) -> Answer<BothErasRow> {
    let _ = (session, draft);
    not_yet()
}

#[tauri::command]
pub(crate) fn check_stateless(
    session: String,
    drafts: Vec<RequestDraft>,
) -> Answer<Vec<StatelessRow>> {
    let _ = (session, drafts);
    not_yet()
}
