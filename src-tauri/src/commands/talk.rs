//! Talking to the server of a connected session. What becomes of a request is read from the log, as for any other session.

use std::time::Duration;

use framescope_core::check;
use framescope_core::client::{Client, Draft};
use framescope_core::history::{HistoryError, Row, SessionReader, SessionState, Verdict};
use framescope_core::protocol::Direction;
use framescope_core::record::{EventKind, Note, Seq};
use framescope_core::transport::Outbound;
use tauri::State;
use tokio::sync::watch;

use super::Answer;
use super::log::{missing, reader};
use crate::convert::{edit_row, note, pending_rows, record_row, verdict};
use crate::rows::{
    CheckProblem, CheckRow, EditRow, ErrorCode, IpcErrorRow, OutcomeRow, PendingRow, PreviewRow,
    RequestDraft, SentRow,
};
use crate::state::{AppState, session_id};

/// Commits that come closer together are looked at once.
const GATHER: Duration = Duration::from_millis(16);

#[tauri::command]
pub(crate) fn preview_request(
    session: String,
    draft: RequestDraft,
    state: State<'_, AppState>,
) -> Answer<PreviewRow> {
    let client = state.client(session_id(&session)?)?;
    let composed = client.compose(&core_draft(draft));
    Ok(PreviewRow {
        size: composed.bytes.len() as u64,
        text: String::from_utf8_lossy(&client.masked(&composed.bytes)).into_owned(),
        headers: client.masked_headers(&composed.headers),
        id: composed.id.to_string(),
        problem: composed.problem,
    })
}

#[tauri::command]
pub(crate) async fn send_request(
    session: String,
    draft: RequestDraft,
    state: State<'_, AppState>,
) -> Answer<SentRow> {
    let client = state.client(session_id(&session)?)?;
    let seq = client.call(&core_draft(draft)).await?.seq();
    let row = logged(&reader(&state, &session).await?, seq).await?;
    let id = row.and_then(|row| row.rpc_id).unwrap_or_default();
    Ok(SentRow { seq: seq.0, id })
}

#[tauri::command]
pub(crate) async fn send_raw(
    session: String,
    text: String,
    headers: Vec<(String, String)>,
    state: State<'_, AppState>,
) -> Answer<SentRow> {
    let client = state.client(session_id(&session)?)?;
    let out = Outbound {
        headers,
        ..Outbound::new(text)
    };
    let seq = client.send_raw(out).await?;
    let row = logged(&reader(&state, &session).await?, seq).await?;
    let id = row.and_then(|row| row.rpc_id).unwrap_or_default();
    Ok(SentRow { seq: seq.0, id })
}

#[tauri::command]
pub(crate) async fn edit_record(
    session: String,
    seq: u64,
    state: State<'_, AppState>,
) -> Answer<EditRow> {
    let reader = reader(&state, &session).await?;
    let row = reader
        .row(Seq(seq))
        .await?
        .ok_or_else(|| missing(&session, seq))?;
    let sent = row.event == EventKind::Frame && row.direction == Some(Direction::ClientToServer);
    if !sent {
        return Err(IpcErrorRow::new(
            ErrorCode::NotFound,
            format!("#{seq} is no frame from the client: only those can be sent again"),
        ));
    }
    Ok(edit_row(&reader, &row).await?)
}

#[tauri::command]
pub(crate) fn list_pending(session: String, state: State<'_, AppState>) -> Answer<Vec<PendingRow>> {
    // Of a session that is over nothing waits.
    Ok(state
        .client(session_id(&session)?)
        .map_or_else(|_| vec![], |client| pending_rows(&client)))
}

#[tauri::command]
pub(crate) async fn check_json(
    schema: String,
    value: String,
    state: State<'_, AppState>,
) -> Answer<CheckRow> {
    let checked = state.checker.check(&schema, &value).await;
    let problem = |problem: check::Problem| CheckProblem {
        path: problem.path,
        missing: problem.missing,
        keyword: problem.keyword,
        message: problem.message,
    };
    Ok(CheckRow {
        problems: checked.problems.into_iter().map(problem).collect(),
        unchecked: checked.unchecked,
    })
}

#[tauri::command]
pub(crate) async fn await_outcome(
    session: String,
    seq: u64,
    state: State<'_, AppState>,
) -> Answer<OutcomeRow> {
    let reader = reader(&state, &session).await?;
    let client = session_id(&session).and_then(|id| state.client(id)).ok();
    let mut calls = client.as_ref().map(Client::pending_changes);
    let mut follow = reader.follow();
    loop {
        follow.mark_unchanged();
        if let Some(calls) = &mut calls {
            calls.mark_unchanged();
        }
        let running = client.as_ref().map(Client::pending).unwrap_or_default();
        let runs = running.iter().any(|call| call.seq == Seq(seq));
        // Sent again, with another token say, it is another request that tells what became of it.
        let last = reader.sent_again(Seq(seq)).await?;
        let request = request(&reader, &session, last.0).await?;
        let pending = match request.verdict {
            Some(Verdict::Pending) | None => true,
            Some(Verdict::Unanswered) => runs,
            Some(_) => false,
        };
        if !pending || over(&reader).await? {
            return outcome(&reader, request).await;
        }
        if !changed(&mut follow, &mut calls).await {
            let last = reader.sent_again(Seq(seq)).await?;
            let request = self::request(&reader, &session, last.0).await?;
            return outcome(&reader, request).await;
        }
        tokio::time::sleep(GATHER).await;
    }
}

/// What became of one request, whatever was sent after it.
#[tauri::command]
pub(crate) async fn get_outcome(
    session: String,
    seq: u64,
    state: State<'_, AppState>,
) -> Answer<OutcomeRow> {
    let reader = reader(&state, &session).await?;
    let request = request(&reader, &session, seq).await?;
    outcome(&reader, request).await
}

async fn request(reader: &SessionReader, session: &str, seq: u64) -> Answer<Row> {
    let row = reader.row(Seq(seq)).await?;
    row.ok_or_else(|| missing(session, seq))
}

/// Waits until the log grows or the calls that run are others; false where neither can happen any more.
async fn changed(
    follow: &mut watch::Receiver<Seq>,
    calls: &mut Option<watch::Receiver<u64>>,
) -> bool {
    let Some(watched) = calls else {
        return follow.changed().await.is_ok();
    };
    let ended = tokio::select! {
        grown = follow.changed() => return grown.is_ok(),
        changed = watched.changed() => changed.is_err(),
    };
    if ended {
        *calls = None;
    }
    true
}

#[tauri::command]
pub(crate) async fn cancel_request(
    session: String,
    seq: u64,
    state: State<'_, AppState>,
) -> Answer<()> {
    // One that is settled already needs no cancelling.
    state.client(session_id(&session)?)?.cancel(Seq(seq)).await;
    Ok(())
}

#[tauri::command]
pub(crate) async fn extend_request(
    session: String,
    seq: u64,
    ms: u64,
    state: State<'_, AppState>,
) -> Answer<()> {
    state
        .client(session_id(&session)?)?
        .extend(Seq(seq), Duration::from_millis(ms))
        .await;
    Ok(())
}

pub(super) fn core_draft(draft: RequestDraft) -> Draft {
    Draft {
        timeout: draft.timeout_ms.map(Duration::from_millis),
        headers: draft.headers,
        ..Draft::new(draft.method, draft.params)
    }
}

/// Waits until a record that was given its number is stored too, a matter of milliseconds.
pub(super) async fn logged(reader: &SessionReader, seq: Seq) -> Result<Option<Row>, HistoryError> {
    let mut follow = reader.follow();
    // The sender goes with the session; then what is stored is all there will be.
    let _ = follow.wait_for(|head| *head >= seq).await;
    reader.row(seq).await
}

async fn over(reader: &SessionReader) -> Result<bool, HistoryError> {
    let state = reader.summary().await?.state;
    Ok(matches!(
        state,
        SessionState::Ended | SessionState::OwnerGone
    ))
}

async fn outcome(reader: &SessionReader, request: Row) -> Answer<OutcomeRow> {
    // A session whose owner was killed wrote no note about it.
    let became = request
        .verdict
        .filter(|verdict| *verdict != Verdict::Pending)
        .unwrap_or(Verdict::Unanswered);
    let answer = reader.reply_to(request.seq).await?;
    let message = match became {
        Verdict::TimedOut => Some(timed_out(reader, request.seq).await?),
        Verdict::Cancelled => Some("You cancelled the request".to_owned()),
        Verdict::Unanswered => Some(unanswered(reader, request.seq).await?),
        Verdict::Ok | Verdict::Error | Verdict::IsError | Verdict::Pending => None,
    };
    Ok(OutcomeRow {
        request: record_row(request),
        answer: answer.map(record_row),
        verdict: verdict(became),
        message,
    })
}

/// An exchange that brought no answer says why; otherwise the connection ended first.
async fn unanswered(reader: &SessionReader, seq: Seq) -> Result<String, HistoryError> {
    let notes = reader.notes_about(seq).await?;
    let why = notes.iter().find_map(|row| match note(row) {
        Some(Note::Unanswered { why }) => why,
        _ => None,
    });
    Ok(why.unwrap_or_else(|| "The connection ended before the server answered".to_owned()))
}

async fn timed_out(reader: &SessionReader, seq: Seq) -> Result<String, HistoryError> {
    let notes = reader.notes_about(seq).await?;
    let after = notes.iter().find_map(|row| match note(row) {
        Some(Note::TimedOut { after_ms }) => Some(after_ms),
        _ => None,
    });
    let within = after
        .map(|ms| format!(" within {} s", Duration::from_millis(ms).as_secs_f64()))
        .unwrap_or_default();
    Ok(format!(
        "The server did not answer{within}; it was told that the request is cancelled"
    ))
}
