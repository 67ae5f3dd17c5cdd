//! Lists, finds and opens sessions.

use std::sync::Arc;

use tokio::sync::watch;

use super::error::HistoryError;
use super::filter::{
    self, Context, Filter, FilterProblem, Has, SessionTest, Term, Test, glob, moments_hold,
};
use super::lock::Lock;
use super::reader::{SessionReader, Shared};
use super::types::{SessionQuery, SessionState, SessionSummary};
use super::view::View;
use super::{History, tally::Tally};
use crate::record::{Clock, Flags, SessionId};

/// Sessions that match a query.
#[derive(Clone, Debug, Default)]
pub struct SessionList {
    /// Newest first, at most as many as asked for.
    pub sessions: Vec<SessionSummary>,
    /// How many match.
    pub matching: u64,
    /// How many there are.
    pub kept: u64,
    /// The query cannot be used; then all sessions match.
    pub problem: Option<FilterProblem>,
}

impl History {
    /// Sessions by what lists know of them, their records not looked at: terms about sessions, `has:crash`, and text, which
    /// is looked for in their names and tags.
    pub async fn list(&self, query: &str, limit: usize) -> Result<SessionList, HistoryError> {
        let read = filter::parse(query).and_then(of_lists);
        let (filter, problem) = match read {
            Ok(filter) => (filter, None),
            Err(problem) => (Filter::default(), Some(problem)),
        };
        let now_us = Clock::start().now_us();
        let context = Context {
            day_us: now_us,
            now_us,
        };
        let mut list = SessionList {
            problem,
            ..SessionList::default()
        };
        let mut page = 0;
        while let Some(summaries) = self.catalogue().sessions(None, page).await? {
            page += 1;
            for summary in summaries {
                let Some(summary) = self.current(summary).await? else {
                    continue;
                };
                list.kept += 1;
                if listed(&filter, &summary, context) {
                    list.matching += 1;
                    if list.sessions.len() < limit {
                        list.sessions.push(summary);
                    }
                }
            }
        }
        Ok(list)
    }

    /// All sessions that the catalogue lists, newest first.
    pub async fn ids(&self) -> Result<Vec<SessionId>, HistoryError> {
        self.catalogue().listed().await
    }

    /// Sessions, newest first. A session is deleted by deleting its file, so those without one are left out.
    ///
    /// # Errors
    /// [`HistoryError::Filter`] where the search cannot be used.
    pub async fn sessions(
        &self,
        query: &SessionQuery,
    ) -> Result<Vec<SessionSummary>, HistoryError> {
        let filter = filter::parse(&query.search)?;
        let now_us = Clock::start().now_us();
        let context = Context {
            day_us: now_us,
            now_us,
        };
        let limit = query.limit.map_or(usize::MAX, |limit| {
            usize::try_from(limit).unwrap_or(usize::MAX)
        });
        let (mut found, mut page) = (Vec::new(), 0);
        while let Some(summaries) = self.catalogue().sessions(query.server, page).await? {
            page += 1;
            for summary in summaries {
                if found.len() >= limit {
                    return Ok(found);
                }
                found.extend(self.matching(summary, &filter, context).await?);
            }
        }
        Ok(found)
    }

    /// The session as it is now, if it has a file and matches.
    async fn matching(
        &self,
        summary: SessionSummary,
        filter: &Filter,
        context: Context,
    ) -> Result<Option<SessionSummary>, HistoryError> {
        let Some(summary) = self.current(summary).await? else {
            return Ok(None);
        };
        let Some((some, none)) = remaining(filter, &summary, context) else {
            return Ok(None);
        };
        let matches = (some.is_empty() || self.has_match(&summary, &some).await)
            && !self.has_any(&summary, &none).await;
        Ok(matches.then_some(summary))
    }

    /// What lists show of a session.
    pub async fn session(&self, id: SessionId) -> Result<SessionSummary, HistoryError> {
        let none = || HistoryError::NoSession {
            word: id.to_string(),
        };
        let summary = self.catalogue().session(id).await?.ok_or_else(none)?;
        self.current(summary).await?.ok_or_else(none)
    }

    /// The session that a word means: an id, the beginning of one, or `last`.
    pub async fn resolve(&self, word: &str) -> Result<SessionId, HistoryError> {
        let prefix = if word == "last" {
            String::new()
        } else {
            word.to_ascii_lowercase()
        };
        let none = || HistoryError::NoSession {
            word: word.to_owned(),
        };
        if prefix.is_empty() && word != "last" {
            return Err(none());
        }
        let mut ids = self.catalogue().ids(&prefix).await?;
        ids.retain(|id| self.session_path(*id).exists());
        match ids.as_slice() {
            [] => Err(none()),
            [id] => Ok(*id),
            [newest, ..] if word == "last" => Ok(*newest),
            _ => Err(HistoryError::Ambiguous {
                word: word.to_owned(),
                ids,
            }),
        }
    }

    /// Opens a session for reading: own, past, or another process's.
    pub async fn reader(&self, id: SessionId) -> Result<SessionReader, HistoryError> {
        let state = self.session(id).await?.state;
        let mut readers = self.readers().lock().await;
        if let Some(shared) = readers.get(&id).and_then(std::sync::Weak::upgrade) {
            return Ok(SessionReader::new(self.clone(), shared));
        }
        let live = self.live().lock().get(&id).map(|live| live.head.clone());
        let shared = Arc::new(Shared::open(id, &self.session_path(id), live.clone()).await?);
        if live.is_none() && state != SessionState::LiveElsewhere {
            shared.set_follow(watch::channel(shared.head().await?).1);
        }
        readers.retain(|_, shared| shared.strong_count() > 0);
        readers.insert(id, Arc::downgrade(&shared));
        Ok(SessionReader::new(self.clone(), shared))
    }

    /// A session as it is now, and not as the catalogue last heard of it; `None` where it has no file.
    async fn current(
        &self,
        mut summary: SessionSummary,
    ) -> Result<Option<SessionSummary>, HistoryError> {
        if !self.session_path(summary.id).exists() {
            return Ok(None);
        }
        if let Some(live) = self.live().lock().get(&summary.id) {
            counted(&mut summary, &live.tally.borrow());
            summary.state = SessionState::Live;
            return Ok(Some(summary));
        }
        if summary.ended_us.is_some() {
            Lock::clear(&self.lock_path(summary.id));
            return Ok(Some(summary));
        }
        if Lock::is_held(&self.lock_path(summary.id)) {
            summary.state = SessionState::LiveElsewhere;
            return Ok(Some(summary));
        }
        match self.recover(summary.id).await {
            Ok(true) => self.catalogue().session(summary.id).await,
            Ok(false) => {
                summary.state = SessionState::LiveElsewhere;
                Ok(Some(summary))
            }
            Err(error) => {
                // In a folder without the right to write it can still be read.
                tracing::warn!(%error, "a session was not recovered");
                summary.state = SessionState::OwnerGone;
                Ok(Some(summary))
            }
        }
    }

    /// Whether one of the filters matches a record of the session.
    async fn has_any(&self, summary: &SessionSummary, filters: &[Filter]) -> bool {
        for filter in filters {
            if self.has_match(summary, filter).await {
                return true;
            }
        }
        false
    }

    /// Whether a record of the session matches. A file that cannot be read has none.
    async fn has_match(&self, summary: &SessionSummary, filter: &Filter) -> bool {
        let any = async { View::any(&self.reader(summary.id).await?.shared, filter).await };
        any.await
            .inspect_err(|error| tracing::warn!(%error, "a session was not searched"))
            .unwrap_or(false)
    }
}

fn counted(summary: &mut SessionSummary, tally: &Tally) {
    summary.records = tally.records;
    summary.frames = tally.frames;
    summary.bytes = tally.bytes;
    summary.errors = tally.errors;
    summary.era.clone_from(&tally.era);
    summary.revision.clone_from(&tally.revision);
    summary.peer.clone_from(&tally.peer);
    summary.outcome.clone_from(&tally.outcome);
    summary.crashed = tally.crashed;
}

/// What one record of the session has to match, and what none may match (`-needle`); `None` where the session itself does
/// not match.
fn remaining(
    filter: &Filter,
    summary: &SessionSummary,
    context: Context,
) -> Option<(Filter, Vec<Filter>)> {
    let (mut some, mut none) = (Filter::default(), Vec::new());
    for term in &filter.terms {
        let of_session = match &term.test {
            Test::Session(test) => Some(holds(test, summary, context)),
            Test::Text(text) => is_named(summary, text).then_some(true),
            Test::Dir(_)
            | Test::Kind(_)
            | Test::Method(_)
            | Test::Id(_)
            | Test::Status(_)
            | Test::Size(_)
            | Test::Dur(_)
            | Test::At(_)
            | Test::Conn(_)
            | Test::Has(_) => None,
        };
        match of_session {
            Some(holds) if holds == term.negated => return None,
            Some(_) => {}
            None if term.negated => none.push(Filter {
                terms: vec![Term {
                    negated: false,
                    ..term.clone()
                }],
            }),
            None => some.terms.push(term.clone()),
        }
    }
    Some((some, none))
}

/// A filter without the terms that need records.
fn of_lists(filter: Filter) -> Result<Filter, FilterProblem> {
    let known = |test: &Test| test.text().is_some() || test.of_session().is_some();
    let other = filter
        .terms
        .iter()
        .find(|term| !known(&term.test) && !is_crash(&term.test));
    match other {
        Some(term) => Err(FilterProblem {
            from: term.from,
            to: term.to,
            message: "this is about records: look for it with the search over all sessions"
                .to_owned(),
        }),
        None => Ok(filter),
    }
}

fn is_crash(test: &Test) -> bool {
    matches!(test, Test::Has(list) if list.as_slice() == [Has::Flag(Flags::CRASH)])
}

fn listed(filter: &Filter, summary: &SessionSummary, context: Context) -> bool {
    filter.terms.iter().all(|term| {
        let holds = match (term.test.of_session(), term.test.text()) {
            (Some(test), _) => holds(test, summary, context),
            (None, Some(text)) => is_named(summary, text),
            // The only other one that was let through.
            (None, None) => summary.crashed,
        };
        holds != term.negated
    })
}

/// What records of the session have to match; `None` where the session itself does not match.
pub(super) fn of_records(
    filter: &Filter,
    summary: &SessionSummary,
    context: Context,
) -> Option<Filter> {
    let mut terms = Vec::new();
    for term in &filter.terms {
        match term.test.of_session() {
            Some(test) if holds(test, summary, context) == term.negated => return None,
            Some(_) => {}
            None => terms.push(term.clone()),
        }
    }
    Some(Filter { terms })
}

fn is_named(summary: &SessionSummary, text: &str) -> bool {
    let text = text.to_lowercase();
    let names = [
        Some(&summary.server_name),
        summary.name.as_ref(),
        summary.peer.as_ref(),
    ];
    names
        .into_iter()
        .flatten()
        .chain(&summary.tags)
        .any(|name| name.to_lowercase().contains(&text))
}

fn holds(test: &SessionTest, summary: &SessionSummary, context: Context) -> bool {
    let any = |globs: &[String], text: &str| globs.iter().any(|pattern| glob(pattern, text));
    match test {
        SessionTest::Server(globs) => any(globs, &summary.server_name),
        SessionTest::Origin(list) => list.contains(&summary.origin),
        SessionTest::Rev(globs) => summary
            .revision
            .as_ref()
            .is_some_and(|revision| any(globs, revision)),
        SessionTest::Tag(globs) => summary.tags.iter().any(|tag| any(globs, tag)),
        SessionTest::Started(list) => moments_hold(list, summary.started_us, context),
        SessionTest::Pinned(pinned) => summary.pinned == *pinned,
    }
}
