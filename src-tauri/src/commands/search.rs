//! The search over all sessions: one at a time, told as it finds.

use std::time::Duration;

use framescope_core::history::{Batch, Hit, Search};
use tauri::{AppHandle, Runtime, State};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::Answer;
use crate::rows::{HitRow, SearchFound};
use crate::state::AppState;
use crate::watch::{SEARCH_FOUND, emit};

/// Progress without hits is told no more often than so.
const PROGRESS: Duration = Duration::from_millis(100);
/// Hits on one event.
const MOST: usize = 200;

/// The search that runs.
#[derive(Debug, Default)]
pub(crate) struct Searches {
    last: u32,
    stop: CancellationToken,
}

impl Searches {
    /// Ends the one before and begins another.
    fn begin(&mut self) -> (u32, CancellationToken) {
        self.stop.cancel();
        self.stop = CancellationToken::new();
        self.last += 1;
        (self.last, self.stop.clone())
    }
}

#[tauri::command]
pub(crate) async fn start_search<R: Runtime>(
    app: AppHandle<R>,
    query: String,
    state: State<'_, AppState>,
) -> Answer<u32> {
    let search = state.history()?.search(&query).await?;
    let (number, stop) = state.searches.lock().begin();
    tauri::async_runtime::spawn(async move {
        let told = tell(number, search, |found| emit(&app, SEARCH_FOUND, found));
        stop.run_until_cancelled(told).await;
    });
    Ok(number)
}

#[tauri::command]
pub(crate) fn stop_search(search: u32, state: State<'_, AppState>) -> Answer<()> {
    let searches = state.searches.lock();
    // A newer one is not meant.
    if searches.last == search {
        searches.stop.cancel();
    }
    Ok(())
}

async fn tell(number: u32, mut search: Search, emit: impl Fn(SearchFound)) {
    let mut told = Instant::now();
    let mut problems = Vec::new();
    while let Some(mut batch) = search.next().await {
        problems.append(&mut batch.problems);
        if !batch.done && batch.hits.is_empty() && told.elapsed() < PROGRESS {
            continue;
        }
        told = Instant::now();
        let hits = std::mem::take(&mut batch.hits);
        let mut rows = hits.into_iter().map(hit_row).peekable();
        loop {
            let hits: Vec<_> = rows.by_ref().take(MOST).collect();
            let last = rows.peek().is_none();
            emit(found(number, &batch, hits, last, &mut problems));
            if last {
                break;
            }
        }
    }
}

fn found(
    search: u32,
    batch: &Batch,
    hits: Vec<HitRow>,
    last: bool,
    problems: &mut Vec<String>,
) -> SearchFound {
    SearchFound {
        search,
        hits,
        sessions: batch.sessions,
        records: batch.records,
        of_sessions: batch.of_sessions,
        done: batch.done && last,
        limited: batch.limited && last,
        problems: std::mem::take(problems),
    }
}

fn hit_row(hit: Hit) -> HitRow {
    HitRow {
        session: hit.session.to_string(),
        seq: hit.row.seq.0,
        at_us: hit.row.at_us,
        kind: hit.row.kind_word().to_owned(),
        direction: hit
            .row
            .direction
            .map(|direction| direction.as_str().to_owned()),
        text: hit.text,
        marks: hit.marks,
    }
}
