//! What servers list: asked for where they are connected, and else as the log tells it.

use std::sync::Arc;

use framescope_core::client::{
    Cache, Catalog, Client, ClientError, Listed, Listing, Tool, logged_tools,
};
use framescope_core::history::{HistoryError, SessionReader, SessionState};
use framescope_core::protocol::sse;
use framescope_core::record::{Seq, SessionId};
use tauri::State;

use super::Answer;
use crate::rows::{CatalogRow, ErrorCode, ToolRow};
use crate::state::{AppState, session_id};

/// Sessions that are looked through for a list, back from one that has none yet.
const SESSIONS_BACK: usize = 5;

#[tauri::command]
pub(crate) async fn list_catalog(
    session: String,
    refresh: bool,
    state: State<'_, AppState>,
) -> Answer<CatalogRow> {
    let id = session_id(&session)?;
    let asked = match state.client(id) {
        Ok(client) => match client.fresh_tools().filter(|_| !refresh) {
            Some(fresh) => Ok(fresh),
            None => ask(&client).await,
        },
        Err(error) => Err(error),
    };
    match asked {
        Ok(listed) => Ok(catalog_row(&listed, false)),
        // What is not connected is shown as it was: the session itself, or the one before it.
        Err(error) if error.code == ErrorCode::SessionClosed => {
            let (listed, stale) = last_known(&state, id).await?.ok_or(error)?;
            Ok(catalog_row(&listed, stale))
        }
        Err(error) => Err(error),
    }
}

fn catalog_row(listed: &Listed<Tool>, stale: bool) -> CatalogRow {
    let ttl = listed.cache.ttl;
    CatalogRow {
        tools: listed.items.iter().map(tool_row).collect(),
        problems: listed.problems.clone(),
        stale,
        ttl_ms: ttl.map(|ttl| u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX)),
        cache_scope: listed.cache.scope.clone(),
    }
}

/// Asks the server for its tools. Its refusal is a fact about the list, not a failure of this app.
async fn ask(client: &Client) -> Answer<Listed<Tool>> {
    match client.list_tools().await {
        Err(
            error @ (ClientError::Refused { .. }
            | ClientError::BadResult { .. }
            | ClientError::OverLimit { .. }),
        ) => Ok(Listed {
            items: vec![],
            problems: vec![error.to_string()],
            pages: 0,
            cache: Cache::default(),
        }),
        listed => Ok(listed?),
    }
}

/// The list that the session's log tells, else that of the sessions that it restarts, as long as they reached the same
/// server; and whether it is of another session.
async fn last_known(state: &AppState, id: SessionId) -> Answer<Option<(Arc<Listed<Tool>>, bool)>> {
    if let Some(known) = state.tools.lock().get(&id) {
        return Ok(Some((Arc::clone(known), false)));
    }
    let history = state.history()?;
    let own = history.session(id).await?;
    let ended = !matches!(own.state, SessionState::Live | SessionState::LiveElsewhere);
    let (config, mut next) = (own.config, Some(id));
    for _ in 0..SESSIONS_BACK {
        let Some(earlier) = next else { break };
        // One that was deleted ends the chain.
        let Ok(summary) = history.session(earlier).await else {
            break;
        };
        if summary.config != config {
            break;
        }
        let listings = listings(&history.reader(earlier).await?, Catalog::Tools).await?;
        if let Some(listed) = logged_tools(&listings).map(Arc::new) {
            if ended && earlier == id {
                state.tools.lock().insert(id, Arc::clone(&listed));
            }
            return Ok(Some((listed, earlier != id)));
        }
        next = summary.previous;
    }
    Ok(None)
}

/// What a session's log tells of the newest list of a kind, with all its pages.
pub(super) async fn listings(
    reader: &SessionReader,
    what: Catalog,
) -> Result<Vec<Listing>, HistoryError> {
    let filter = format!("kind:result method:{}", what.method());
    let view = reader.view(&filter).await?;
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
    Ok(listings)
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
