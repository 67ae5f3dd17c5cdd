//! Looks for records in all sessions, newest session first: over the rows and bodies, a window at a time, so that results come
//! as they are found and a search that is dropped stops. The index tells where to look; what it does not know is looked at.

mod index;
mod indexer;
mod snippet;
mod trigrams;

use std::collections::VecDeque;

use super::error::HistoryError;
use super::filter::{self, Context, Filter};
use super::sessions::of_records;
use super::types::{Row, SessionQuery, SessionSummary};
use super::view::View;
use super::{History, SessionReader};
use crate::record::{Clock, Seq, SessionId};
use snippet::Needles;

#[cfg(test)]
pub(super) use index::indexed;
pub(super) use index::{Ranges, candidates};
pub(super) use trigrams::expression;

/// Hits of one search at most.
const LIMIT: usize = 2_000;
/// How much of a large body is looked at together for the place to show.
const PART: u64 = 1 << 20;
/// How far the parts overlap, so that a place on their border is found.
const OVERLAP: u64 = 4096;

/// A search that runs as it is asked for more.
#[derive(Debug)]
pub struct Search {
    history: History,
    filter: Filter,
    needles: Needles,
    left: VecDeque<SessionSummary>,
    of_sessions: u64,
    current: Option<Scan>,
    context: Context,
    sessions: u64,
    records: u64,
    hits: usize,
    limit: usize,
    /// One hit of each session is enough.
    once: bool,
    over: bool,
}

#[derive(Debug)]
struct Scan {
    reader: SessionReader,
    view: View,
    head: Seq,
}

/// What was found since the last one.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// New hits, all of one session, in its order.
    pub hits: Vec<Hit>,
    /// Sessions looked through so far.
    pub sessions: u64,
    /// Records looked through so far.
    pub records: u64,
    /// Sessions in all.
    pub of_sessions: u64,
    /// It has ended.
    pub done: bool,
    /// It ended at its limit; there may be more.
    pub limited: bool,
    /// A session that could not be read, and why.
    pub problems: Vec<String>,
}

/// A record that was found.
#[derive(Clone, Debug)]
pub struct Hit {
    /// Its session.
    pub session: SessionId,
    /// Its row.
    pub row: Row,
    /// Text around the first place that matches, at most 200 characters; its summary where no text was looked for.
    pub text: String,
    /// Places in `text` that match: from and to, counted in UTF-16 units.
    pub marks: Vec<(u32, u32)>,
}

impl History {
    /// Begins to look for records that match all terms of `query`, in the sessions that match its terms about sessions.
    ///
    /// # Errors
    /// [`HistoryError::Filter`] where the query cannot be read.
    pub async fn search(&self, query: &str) -> Result<Search, HistoryError> {
        let filter = filter::parse(query)?;
        let now_us = Clock::start().now_us();
        let left: VecDeque<_> = match filter.is_empty() {
            // Nothing is looked for.
            true => VecDeque::new(),
            false => self.sessions(&SessionQuery::default()).await?.into(),
        };
        Ok(Search {
            history: self.clone(),
            needles: Needles::of(&filter),
            filter,
            of_sessions: left.len() as u64,
            left,
            current: None,
            context: Context {
                day_us: now_us,
                now_us,
            },
            sessions: 0,
            records: 0,
            hits: 0,
            limit: LIMIT,
            once: false,
            over: false,
        })
    }
}

impl Search {
    /// Goes on to the next session at its first hit, and knows no limit: which sessions hold such a record.
    pub fn once(self) -> Self {
        Self {
            limit: usize::MAX,
            once: true,
            ..self
        }
    }

    /// The next step: a window of one session. `None` after the batch that says that it has ended.
    pub async fn next(&mut self) -> Option<Batch> {
        if self.over {
            return None;
        }
        let mut batch = Batch::default();
        if let Err(error) = self.step(&mut batch).await {
            // One session that cannot be read must not hide the others.
            batch.problems.push(error.to_string());
            self.sessions += u64::from(self.current.take().is_some());
        }
        batch.limited = self.hits >= self.limit;
        batch.done = batch.limited || (self.current.is_none() && self.left.is_empty());
        self.over = batch.done;
        batch.sessions = self.sessions;
        batch.records = self.records;
        batch.of_sessions = self.of_sessions;
        Some(batch)
    }

    async fn step(&mut self, batch: &mut Batch) -> Result<(), HistoryError> {
        if self.current.is_none() {
            self.current = self.begin().await?;
        }
        let Some(scan) = &mut self.current else {
            return Ok(());
        };
        let before = scan.view.head();
        let mut found = scan.view.scan(scan.head).await?;
        self.records += scan.view.head().0 - before.0;
        found.truncate(self.limit - self.hits);
        let enough = self.once && !found.is_empty();
        if enough {
            found.truncate(1);
        }
        for row in scan.reader.rows(&found).await? {
            let (text, marks) = shown(&self.needles, &scan.reader, &row).await?;
            batch.hits.push(Hit {
                session: scan.reader.id(),
                row,
                text,
                marks,
            });
        }
        self.hits += batch.hits.len();
        if enough || scan.view.head() >= scan.head {
            self.current = None;
            self.sessions += 1;
        }
        Ok(())
    }

    /// Opens the next session in which something can be found.
    async fn begin(&mut self) -> Result<Option<Scan>, HistoryError> {
        while let Some(summary) = self.left.pop_front() {
            let Some(filter) = of_records(&self.filter, &summary, self.context) else {
                self.sessions += 1;
                continue;
            };
            let opened = async {
                let reader = self.history.reader(summary.id).await?;
                let view = View::empty(reader.shared.clone(), &filter).await?;
                let head = reader.head().await?;
                Ok::<_, HistoryError>(Scan { reader, view, head })
            };
            let opened = opened.await.inspect_err(|_| self.sessions += 1)?;
            return Ok(Some(opened));
        }
        Ok(None)
    }
}

async fn shown(
    needles: &Needles,
    reader: &SessionReader,
    row: &Row,
) -> Result<(String, Vec<(u32, u32)>), HistoryError> {
    if needles.is_empty() {
        return Ok((row.preview.clone(), Vec::new()));
    }
    let mut from = 0;
    loop {
        let part = match &row.whole {
            Some(whole) => whole.clone(),
            None => reader.body_range(row.seq, from, PART).await?,
        };
        if let Some(found) = needles.shown(&String::from_utf8_lossy(&part)) {
            return Ok(found);
        }
        from += PART - OVERLAP;
        if row.whole.is_some() || from + OVERLAP >= row.size {
            let found = needles.shown(&row.preview);
            return Ok(found.unwrap_or_else(|| (row.preview.clone(), Vec::new())));
        }
    }
}
