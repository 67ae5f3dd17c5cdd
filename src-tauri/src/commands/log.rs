//! The log of any session: own, past, or another process's.

use std::sync::Arc;

use framescope_core::history::{HistoryError, SessionReader};
use framescope_core::protocol::sse;
use framescope_core::record::Seq;
use tauri::ipc::Response;
use tauri::{AppHandle, Runtime, State};

use super::Answer;
use crate::convert::{exchange_row, filter_problem, record_row};
use crate::rows::{ErrorCode, ExchangeRow, FrameBody, IpcErrorRow, RecordRow, ViewRow};
use crate::state::{AppState, session_id};
use crate::views::{Emit, MOST_ROWS};
use crate::watch::{RECORDS_APPENDED, emit};

/// How much of a body comes as text at once.
const FIRST: u64 = 256 * 1024;
/// How much of a body comes as bytes at once.
const RANGE: u64 = 16 * 1024 * 1024;

#[tauri::command]
pub(crate) async fn open_view<R: Runtime>(
    app: AppHandle<R>,
    session: String,
    filter: String,
    state: State<'_, AppState>,
) -> Answer<ViewRow> {
    let reader = reader(&state, &session).await?;
    let (view, problem) = match reader.view(&filter).await {
        // A filter that cannot be read does not filter.
        Err(HistoryError::Filter(problem)) => (reader.view("").await?, Some(problem)),
        view => (view?, None),
    };
    let total = view.total() as u64;
    let log_total = reader.head().await?.0;
    let emit: Emit = Arc::new(move |event| emit(&app, RECORDS_APPENDED, event));
    Ok(ViewRow {
        view: state.views.open(reader, view, emit),
        total,
        log_total,
        problem: problem.map(filter_problem),
    })
}

#[tauri::command]
pub(crate) async fn view_rows(
    view: u32,
    from: usize,
    n: usize,
    state: State<'_, AppState>,
) -> Answer<Vec<RecordRow>> {
    Ok(state.views.get(view)?.rows(from, n.min(MOST_ROWS)).await?)
}

#[tauri::command]
pub(crate) async fn view_index(
    view: u32,
    seq: u64,
    state: State<'_, AppState>,
) -> Answer<Option<usize>> {
    Ok(state.views.get(view)?.index_of(Seq(seq)).await)
}

#[tauri::command]
pub(crate) fn close_view(view: u32, state: State<'_, AppState>) -> Answer<()> {
    state.views.close(view);
    Ok(())
}

#[tauri::command]
pub(crate) fn ack(view: u32, total: u64, state: State<'_, AppState>) -> Answer<()> {
    // One that was closed in the meantime wants no more events.
    if let Ok(view) = state.views.get(view) {
        view.ack(total);
    }
    Ok(())
}

#[tauri::command]
pub(crate) async fn get_record(
    session: String,
    seq: u64,
    state: State<'_, AppState>,
) -> Answer<RecordRow> {
    let row = reader(&state, &session).await?.row(Seq(seq)).await?;
    row.map(record_row).ok_or_else(|| missing(&session, seq))
}

#[tauri::command]
pub(crate) async fn get_frame(
    session: String,
    seq: u64,
    state: State<'_, AppState>,
) -> Answer<FrameBody> {
    let reader = reader(&state, &session).await?;
    let size = reader
        .row(Seq(seq))
        .await?
        .ok_or_else(|| missing(&session, seq))?
        .size;
    let bytes = reader.body_range(Seq(seq), 0, FIRST).await?;
    let complete = bytes.len() as u64 == size;
    let (text, utf8) = text(&bytes, complete);
    let block = complete && sse::is_block(&bytes);
    let message = block.then(|| String::from_utf8_lossy(&sse::message(&bytes)).into_owned());
    Ok(FrameBody {
        seq,
        size,
        text,
        complete,
        utf8,
        message,
    })
}

#[tauri::command]
pub(crate) async fn get_exchange(
    session: String,
    seq: u64,
    state: State<'_, AppState>,
) -> Answer<Option<ExchangeRow>> {
    let reader = reader(&state, &session).await?;
    let row = reader
        .row(Seq(seq))
        .await?
        .ok_or_else(|| missing(&session, seq))?;
    Ok(exchange_row(&reader, row.via.unwrap_or(row.seq)).await?)
}

#[tauri::command]
pub(crate) async fn frame_range(
    session: String,
    seq: u64,
    from: u64,
    len: u64,
    state: State<'_, AppState>,
) -> Answer<Response> {
    let bytes = reader(&state, &session)
        .await?
        .body_range(Seq(seq), from, len.min(RANGE))
        .await?;
    Ok(Response::new(bytes.to_vec()))
}

pub(crate) async fn reader(state: &AppState, session: &str) -> Answer<SessionReader> {
    Ok(state.history()?.reader(session_id(session)?).await?)
}

pub(crate) fn missing(session: &str, seq: u64) -> IpcErrorRow {
    IpcErrorRow::new(
        ErrorCode::NotFound,
        format!("session {session} has no record #{seq}"),
    )
}

/// The bytes as text, and whether they are. A character that the limit cut in two is left out and is no fault.
fn text(bytes: &[u8], complete: bool) -> (String, bool) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), true),
        Err(error) if !complete && error.error_len().is_none() => (
            String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned(),
            true,
        ),
        Err(_) => (String::from_utf8_lossy(bytes).into_owned(), false),
    }
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn a_cut_character_is_no_fault_of_the_body() {
        let whole = "aé".as_bytes();
        assert_eq!(text(whole, true), ("aé".to_owned(), true));
        assert_eq!(
            text(&whole[..2], false),
            ("a".to_owned(), true),
            "cut by the limit"
        );
        assert_eq!(
            text(&whole[..2], true),
            ("a\u{fffd}".to_owned(), false),
            "cut by the server"
        );
        assert_eq!(text(b"a\xffb", false), ("a\u{fffd}b".to_owned(), false));
    }
}
