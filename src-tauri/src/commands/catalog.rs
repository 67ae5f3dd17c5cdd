//! What servers list: asked for where they are connected, and else as the log tells it.

use std::sync::Arc;

use framescope_core::client::{ClientError, Listed, Listing, Tool, logged_tools};
use framescope_core::history::{HistoryError, SessionReader};
use framescope_core::protocol::sse;
use framescope_core::record::{Seq, SessionId};
use tauri::State;

use super::Answer;
use super::log::reader;
use crate::rows::{CatalogRow, ErrorCode, ToolRow};
use crate::state::{AppState, session_id};

#[tauri::command]
pub(crate) async fn list_catalog(
    session: String,
    refresh: bool,
    state: State<'_, AppState>,
) -> Answer<CatalogRow> {
    let id = session_id(&session)?;
    let known = state.tools.lock().get(&id).cloned();
    let listed = match known.filter(|_| !refresh) {
        Some(listed) => listed,
        None => read(&state, &session, id).await?,
    };
    Ok(CatalogRow {
        tools: listed.items.iter().map(tool_row).collect(),
        problems: listed.problems.clone(),
    })
}

async fn read(state: &AppState, session: &str, id: SessionId) -> Answer<Arc<Listed<Tool>>> {
    match ask(state, id).await {
        Ok(listed) => {
            let listed = Arc::new(listed);
            state.tools.lock().insert(id, Arc::clone(&listed));
            Ok(listed)
        }
        // The list of a session that is over stays what it was.
        Err(error) if error.code == ErrorCode::SessionClosed => {
            let logged = from_log(&reader(state, session).await?).await?;
            logged.map(Arc::new).ok_or(error)
        }
        Err(error) => Err(error),
    }
}

/// Asks the server for its tools. Its refusal is a fact about the list, not a failure of this app.
async fn ask(state: &AppState, id: SessionId) -> Answer<Listed<Tool>> {
    match state.client(id)?.list_tools().await {
        Err(
            error @ (ClientError::Refused { .. }
            | ClientError::BadResult { .. }
            | ClientError::OverLimit { .. }),
        ) => Ok(Listed {
            items: vec![],
            problems: vec![error.to_string()],
            pages: 0,
        }),
        listed => Ok(listed?),
    }
}

/// The newest list of tools in a session's log, with all its pages.
async fn from_log(reader: &SessionReader) -> Result<Option<Listed<Tool>>, HistoryError> {
    let view = reader.view("kind:result method:tools/list").await?;
    let answers = reader.rows(&view.seqs(0, view.total())).await?;
    let mut listings = vec![];
    for answer in answers.into_iter().rev() {
        let Some(request) = answer.reply_to else {
            continue;
        };
        let listing = Listing {
            request: message(reader, request).await?,
            answer: message(reader, answer.seq).await?,
        };
        let first = listing.is_first();
        listings.push(listing);
        if first {
            break;
        }
    }
    listings.reverse();
    Ok(logged_tools(&listings))
}

/// The message in a frame, which may be a block of an event stream.
pub(super) async fn message(reader: &SessionReader, seq: Seq) -> Result<String, HistoryError> {
    let bytes = reader.body(seq).await?;
    let text = if sse::is_block(&bytes) {
        String::from_utf8_lossy(&sse::message(&bytes)).into_owned()
    } else {
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Ok(text)
}

fn tool_row(tool: &Tool) -> ToolRow {
    let json = |raw: &serde_json::value::RawValue| raw.get().to_owned();
    ToolRow {
        name: if tool.name.is_empty() {
            "(no name)".to_owned()
        } else {
            tool.name.clone()
        },
        title: tool.title.clone(),
        description: tool.description.clone(),
        input_schema: tool.input_schema.as_deref().map(json),
        output_schema: tool.output_schema.as_deref().map(json),
        read_only: tool.hints.read_only,
        destructive: tool.hints.destructive,
        idempotent: tool.hints.idempotent,
        open_world: tool.hints.open_world,
        problem: tool.problem.clone(),
        raw: json(&tool.raw),
    }
}
