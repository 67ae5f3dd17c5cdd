//! What a session that restarts another one is good to know: why, what changed in the lists, and the last call of the other.

use framescope_core::client::{Catalog, Draft, ListChanges, logged_whole};
use framescope_core::history::{HistoryError, SessionReader};
use framescope_core::record::{EventKind, Flags, Note, Seq, SessionId};
use serde_json::value::RawValue;
use tauri::State;

use super::Answer;
use super::catalog::{listings, message};
use crate::convert::note;
use crate::rows::{ChangedItem, LastCall, ListChange, PageKind, RestartRow};
use crate::state::{AppState, session_id};

/// What a user calls, and would call again.
const CALLS: [&str; 3] = ["tools/call", "prompts/get", "resources/read"];
const LISTS: [(Catalog, PageKind); 4] = [
    (Catalog::Tools, PageKind::Tools),
    (Catalog::Resources, PageKind::Resources),
    (Catalog::Templates, PageKind::Templates),
    (Catalog::Prompts, PageKind::Prompts),
];

#[tauri::command]
pub(crate) async fn get_restart(
    session: String,
    state: State<'_, AppState>,
) -> Answer<Option<RestartRow>> {
    let id = session_id(&session)?;
    let history = state.history()?;
    let own = history.session(id).await?;
    // One that was deleted has nothing to tell.
    let Some(previous) = own.previous else {
        return Ok(None);
    };
    let Ok(before) = history.session(previous).await else {
        return Ok(None);
    };
    let (old, new) = (history.reader(previous).await?, history.reader(id).await?);
    let mut lists = vec![];
    for (what, kind) in LISTS {
        if let Some(changes) = changes(&state, (id, &new), &old, what).await? {
            lists.push(list_change(kind, changes));
        }
    }
    Ok(Some(RestartRow {
        previous: previous.to_string(),
        number: before.number,
        why: why(&new).await?,
        call: last_call(&old).await?,
        lists,
    }))
}

/// What changed in a list that the session before has read to its end. None where nothing did, or nothing is known.
async fn changes(
    state: &AppState,
    (id, new): (SessionId, &SessionReader),
    old: &SessionReader,
    what: Catalog,
) -> Answer<Option<ListChanges>> {
    let Some(before) = logged_whole(what, &listings(old, what).await?) else {
        return Ok(None);
    };
    let now = match logged_whole(what, &listings(new, what).await?) {
        Some(now) => now,
        None => match state.client(id) {
            // Where it refuses, the log and the list itself tell.
            Ok(client) => match client.list_raw(what).await {
                Ok(now) => now,
                Err(_) => return Ok(None),
            },
            Err(_) => return Ok(None),
        },
    };
    let (before, now): (&[Box<RawValue>], _) = (&before.items, &now.items);
    let changes = ListChanges::between(what, before, now);
    Ok((!changes.is_empty()).then_some(changes))
}

fn list_change(what: PageKind, changes: ListChanges) -> ListChange {
    let changed = changes.changed.into_iter();
    ListChange {
        what,
        added: changes.added,
        removed: changes.removed,
        changed: changed
            .map(|(name, parts)| ChangedItem { name, parts })
            .collect(),
    }
}

/// The note with which a session begins that this app has opened by itself.
async fn why(reader: &SessionReader) -> Result<Option<String>, HistoryError> {
    let first = reader.row(Seq(1)).await?;
    let Some(first) = first.filter(|row| row.event == EventKind::Note) else {
        return Ok(None);
    };
    Ok(match note(&first) {
        Some(Note::Watch { text }) => Some(text),
        _ => None,
    })
}

/// The last call in a session.
async fn last_call(reader: &SessionReader) -> Result<Option<LastCall>, HistoryError> {
    let mut last = None;
    for method in CALLS {
        let view = reader
            .view(&format!("kind:request dir:c2s method:{method}"))
            .await?;
        let total = view.total();
        last = last.max(view.seqs(total.saturating_sub(1), total).pop());
    }
    let Some(seq) = last else { return Ok(None) };
    let masked = match reader.row(seq).await? {
        Some(row) => row.flags.has(Flags::REDACTED),
        None => return Ok(None),
    };
    let draft = Draft::of_sent(&message(reader, seq).await?);
    Ok(draft.map(|draft| LastCall {
        seq: seq.0,
        about: draft.about(),
        method: draft.method,
        params: draft.params,
        masked,
    }))
}
