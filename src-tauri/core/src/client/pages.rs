//! The pages of a list (server/utilities/pagination), and how long they stay true (server/utilities/caching).

use std::collections::HashSet;
use std::time::Duration;

use serde_json::value::RawValue;

use super::json::{Members, items};
use super::{Catalog, Client, ClientError, Draft, Listed, Outcome};
use crate::record::Seq;

/// Pages of one list that are read at most: a server can make up cursors for ever.
const PAGES: u32 = 1000;

/// What a server tells about how long its answer stays true (2026-07-28 server/utilities/caching).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cache {
    /// `ttlMs`, of several pages the shortest; `None` where it is not told.
    pub ttl: Option<Duration>,
    /// `cacheScope`, as it is told: `public` or `private`.
    pub scope: Option<String>,
}

impl Client {
    /// All items of a list, to the byte. A later page that fails is a problem of the list.
    ///
    /// # Errors
    /// Where the first page cannot be had.
    pub async fn list_raw(&self, what: Catalog) -> Result<Listed<Box<RawValue>>, ClientError> {
        let listed = self.pages(what).await?;
        self.latest().dial.lists.keep(what, listed.clone());
        Ok(listed)
    }

    async fn pages(&self, what: Catalog) -> Result<Listed<Box<RawValue>>, ClientError> {
        let mut listed = Listed::default();
        let (mut seen, mut cursor) = (HashSet::new(), None::<String>);
        loop {
            let params = cursor
                .as_ref()
                .map(|cursor| format!(r#"{{"cursor":{cursor}}}"#));
            let page = match self.page(what, params).await {
                Ok(page) => page,
                Err(error) if listed.pages == 0 => return Err(error),
                Err(error) => {
                    listed
                        .problems
                        .push(format!("page {} is missing: {error}", listed.pages + 1));
                    return Ok(listed);
                }
            };
            // The token goes back as it came: cursors are opaque, and an empty one is valid (server/utilities/pagination).
            let Some(next) = listed.take(page) else {
                return Ok(listed);
            };
            if !seen.insert(next.clone()) {
                listed.problems.push(format!(
                    "the server repeats the cursor {next}; the list ends here"
                ));
                return Ok(listed);
            }
            if listed.pages == PAGES {
                listed.problems.push(format!(
                    "the list ends after {PAGES} pages; the server has more"
                ));
                return Ok(listed);
            }
            cursor = Some(next);
        }
    }

    /// One page of a list; `cursor` is the JSON text that the page before named as `next`.
    ///
    /// # Errors
    /// Where it cannot be had.
    pub async fn list_page(
        &self,
        what: Catalog,
        cursor: Option<&str>,
    ) -> Result<ListedPage, ClientError> {
        let params = cursor.map(|cursor| format!(r#"{{"cursor":{cursor}}}"#));
        let (page, request, answer) = self.read_page(what, params).await?;
        let mut listed = Listed::default();
        let next = listed.take(page);
        Ok(ListedPage {
            listed,
            next,
            request,
            answer,
        })
    }

    async fn page(&self, what: Catalog, params: Option<String>) -> Result<Page, ClientError> {
        Ok(self.read_page(what, params).await?.0)
    }

    /// A page, and the records of its request and its answer.
    async fn read_page(
        &self,
        what: Catalog,
        params: Option<String>,
    ) -> Result<(Page, Seq, Seq), ClientError> {
        let method = what.method();
        let call = self.call(&Draft::new(method, params)).await?;
        let request = call.seq();
        let outcome = call.outcome().await;
        let answer = match &outcome {
            Outcome::Reply { seq, .. } => *seq,
            Outcome::TimedOut { .. }
            | Outcome::Cancelled
            | Outcome::Closed(_)
            | Outcome::Failed(_)
            | Outcome::OverLimit { .. } => request,
        };
        let result = match outcome.answered(method)? {
            Ok(result) => result,
            Err(error) => {
                return Err(ClientError::Refused {
                    method: method.to_owned(),
                    error,
                });
            }
        };
        let page =
            Page::of(result.get(), what.member()).map_err(|problem| ClientError::BadResult {
                method: method.to_owned(),
                problem,
            })?;
        Ok((page, request, answer))
    }
}

/// One page of a list.
#[derive(Clone, Debug)]
pub struct ListedPage {
    /// Its items, to the byte.
    pub listed: Listed<Box<RawValue>>,
    /// The cursor of the next page as JSON text; `None` on the last one.
    pub next: Option<String>,
    /// The record of the request.
    pub request: Seq,
    /// The record of the answer.
    pub answer: Seq,
}

pub(super) struct Page {
    items: Vec<Box<RawValue>>,
    /// The cursor of the next page as JSON text.
    pub(super) next: Option<String>,
    problems: Vec<String>,
    cache: Cache,
}

impl Page {
    pub(super) fn of(result: &str, member: &str) -> Result<Self, String> {
        let members = Members::of(result).map_err(|_| "it is no object".to_owned())?;
        let list = members
            .get(member)
            .ok_or_else(|| format!("it has no `{member}`"))?;
        let list = items(list.get()).ok_or_else(|| format!("its `{member}` is no array"))?;
        if let Some(kind) = unknown_kind(&members) {
            return Err(format!(
                "its `resultType` is {kind}, which this client does not know, so it is no valid result (basic/index › ResultType)"
            ));
        }
        let next = members.get("nextCursor").map(RawValue::get);
        let (next, problem) = match next {
            None => (None, None),
            Some("null") => (
                None,
                Some("nextCursor is null where it should be left out".to_owned()),
            ),
            Some(token) if token.starts_with('"') => (Some(token.to_owned()), None),
            Some(token) => (
                Some(token.to_owned()),
                Some(format!("nextCursor is no string: {token}")),
            ),
        };
        let (cache, told) = Cache::of(&members);
        Ok(Self {
            items: list.into_iter().map(ToOwned::to_owned).collect(),
            next,
            problems: problem.into_iter().chain(told).collect(),
            cache,
        })
    }
}

impl Cache {
    /// What a result tells, and what is wrong with that.
    fn of(result: &Members<'_>) -> (Self, Option<String>) {
        let ttl = result.get("ttlMs").map(RawValue::get);
        let read = ttl.map(|ttl| ttl.parse::<u64>());
        let problem = match (ttl, &read) {
            (Some(ttl), Some(Err(_))) => Some(format!(
                "ttlMs is {ttl}, and must be a whole number of milliseconds; the list counts as old at once"
            )),
            (_, _) => None,
        };
        let cache = Self {
            ttl: read.map(|ttl| Duration::from_millis(ttl.unwrap_or(0))),
            scope: result.string("cacheScope"),
        };
        (cache, problem)
    }
}

/// The `resultType` of a result, where it is none that this client knows.
pub(super) fn unknown_kind(result: &Members<'_>) -> Option<String> {
    let kind = result.get("resultType")?.get();
    let known = matches!(kind, r#""complete""# | r#""input_required""#);
    (!known).then(|| kind.to_owned())
}

impl Listed<Box<RawValue>> {
    /// Adds a page; gives the cursor of the next.
    pub(super) fn take(&mut self, page: Page) -> Option<String> {
        if self.pages > 0 && self.cache.scope != page.cache.scope {
            let text = "the pages of the list differ in cacheScope, and must not";
            self.problems.push(text.to_owned());
        }
        self.cache.ttl = match (self.cache.ttl, page.cache.ttl) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        self.cache.scope = page.cache.scope.or(self.cache.scope.take());
        self.pages += 1;
        self.items.extend(page.items);
        self.problems.extend(page.problems);
        page.next
    }
}
