//! A filter over a session: the matching numbers, kept up to date.

use std::sync::Arc;

use sqlx::sqlite::SqliteArguments;
use sqlx::{Arguments as _, AssertSqlSafe};

use super::error::HistoryError;
use super::filter::{Bind, Condition, Context, Filter};
use super::reader::Shared;
use super::search::{Ranges, candidates, expression};
use crate::record::{Clock, Seq};

/// A read takes about so long, so that no write-ahead log grows behind it.
const READ_US: i64 = 40_000;
/// Numbers that one read looks at, to begin with.
const WINDOW: u64 = 8_192;

/// What a refresh changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delta {
    /// Index of the first new row.
    pub first: usize,
    /// Rows that match now.
    pub total: usize,
    /// Earlier rows of the view whose answer, duration or verdict changed, in order.
    pub changed: Vec<Seq>,
    /// Rows entered or left among the earlier ones: every index may be another.
    pub reset: bool,
}

/// A filter over a session: the matching numbers, kept up to date. Holds four bytes for each match, and nothing where the
/// filter is empty and the log has no holes.
#[derive(Debug)]
pub struct View {
    shared: Arc<Shared>,
    matches: Matches,
    /// Everything up to here was looked at.
    head: Seq,
    window: u64,
    /// Only records in these can match, where an index tells that; the first one comes last.
    hints: Option<Ranges>,
    clock: Clock,
}

#[derive(Debug)]
enum Matches {
    /// All numbers from 1 to the head.
    All,
    Some {
        filter: Condition,
        /// A later record can change what an earlier one matches.
        looks_ahead: bool,
        seqs: Vec<u32>,
    },
}

impl View {
    pub(super) async fn open(shared: Arc<Shared>, filter: &Filter) -> Result<Self, HistoryError> {
        let mut view = Self::empty(shared, filter).await?;
        view.refresh().await?;
        Ok(view)
    }

    /// Nothing of the log is looked at yet.
    pub(super) async fn empty(shared: Arc<Shared>, filter: &Filter) -> Result<Self, HistoryError> {
        let hints = match expression(filter) {
            Some(expression) => candidates(shared.dir(), shared.id, &expression).await,
            None => None,
        };
        let matches = if filter.is_empty() && shared.is_dense() {
            Matches::All
        } else {
            let context = Context {
                day_us: shared.started_us(),
                now_us: newest_us(&shared).await?,
            };
            Matches::Some {
                filter: filter.condition(context)?,
                looks_ahead: filter.looks_ahead(),
                seqs: Vec::new(),
            }
        };
        Ok(Self {
            shared,
            matches,
            head: Seq(0),
            window: WINDOW,
            hints: hints.map(|mut ranges| {
                ranges.reverse();
                ranges
            }),
            clock: Clock::start(),
        })
    }

    /// Whether any record matches.
    pub(super) async fn any(shared: &Arc<Shared>, filter: &Filter) -> Result<bool, HistoryError> {
        let mut view = Self::empty(Arc::clone(shared), filter).await?;
        let head = shared.head().await?;
        while view.total() == 0 && view.head < head {
            view.scan(head).await?;
        }
        Ok(view.total() > 0)
    }

    /// Takes in the next window up to `head`, and answers what matches in it.
    pub(super) async fn scan(&mut self, head: Seq) -> Result<Vec<Seq>, HistoryError> {
        let before = self.total();
        if self.head < head {
            self.step(Seq(0), head, &mut Delta::default()).await?;
        }
        Ok(self.seqs(before, usize::MAX))
    }

    /// How many match.
    pub fn total(&self) -> usize {
        match &self.matches {
            Matches::All => usize::try_from(self.head.0).unwrap_or(usize::MAX),
            Matches::Some { seqs, .. } => seqs.len(),
        }
    }

    /// Records of the log that were looked at: the last of their numbers.
    pub fn head(&self) -> Seq {
        self.head
    }

    /// The numbers from an index on, at most `n`.
    pub fn seqs(&self, from: usize, n: usize) -> Vec<Seq> {
        let end = from.saturating_add(n).min(self.total());
        match &self.matches {
            Matches::All => (from..end).map(|index| Seq(index as u64 + 1)).collect(),
            Matches::Some { seqs, .. } => seqs
                .get(from..end)
                .unwrap_or_default()
                .iter()
                .map(|seq| Seq(u64::from(*seq)))
                .collect(),
        }
    }

    /// The index of a record, or the index where it would stand.
    pub fn index_of(&self, seq: Seq) -> Result<usize, usize> {
        match &self.matches {
            Matches::All if seq.0 == 0 => Err(0),
            Matches::All if seq <= self.head => {
                Ok(usize::try_from(seq.0 - 1).unwrap_or(usize::MAX))
            }
            Matches::All => Err(self.total()),
            Matches::Some { seqs, .. } => seqs.binary_search_by_key(&seq.0, |seq| u64::from(*seq)),
        }
    }

    /// Takes in what was stored since. Dropped half-way, it has taken in some of it, and the next call the rest.
    pub async fn refresh(&mut self) -> Result<Delta, HistoryError> {
        let (old, first) = (self.head, self.total());
        let head = self.shared.head().await?;
        let mut delta = Delta {
            first,
            ..Delta::default()
        };
        while self.head < head {
            self.step(old, head, &mut delta).await?;
        }
        delta.changed.sort_unstable();
        delta.changed.dedup();
        delta.total = self.total();
        Ok(delta)
    }

    /// Takes in the next window. `old`: what is later was not in the view before.
    async fn step(&mut self, old: Seq, head: Seq, delta: &mut Delta) -> Result<(), HistoryError> {
        let to = self.next(head);
        let whole = to.0 - self.head.0 == self.window;
        let began = self.clock.now_us();
        let mut changed = self.touched(old, to).await?;
        if let Matches::Some {
            filter,
            looks_ahead,
            seqs,
        } = &mut self.matches
        {
            let range = Condition {
                sql: "r.seq > ? and r.seq <= ?".to_owned(),
                binds: binds([self.head, to]),
            };
            let found = numbers(&self.shared, "r.seq", &range, filter).await?;
            if *looks_ahead {
                delta.reset |= judge_again(&self.shared, filter, seqs, &changed).await?;
            }
            seqs.extend(found);
        }
        self.head = to;
        changed.retain(|seq| self.index_of(Seq(u64::from(*seq))).is_ok());
        delta
            .changed
            .extend(changed.into_iter().map(|seq| Seq(u64::from(seq))));
        self.pace(self.clock.now_us() - began, whole);
        Ok(())
    }

    /// Passes over what cannot match, and answers up to where the next window goes.
    fn next(&mut self, head: Seq) -> Seq {
        let mut end = head.0;
        if let Some(hints) = &mut self.hints {
            // The last range has no end.
            while hints.last().is_some_and(|(_, last)| *last <= self.head.0) {
                hints.pop();
            }
            if let Some((first, last)) = hints.last() {
                self.head.0 = self.head.0.max(first - 1).min(head.0);
                end = end.min(*last);
            }
        }
        Seq(end.min(self.head.0 + self.window))
    }

    /// `whole`: the window was as large as it may be.
    fn pace(&mut self, took_us: i64, whole: bool) {
        if took_us > READ_US {
            self.window = (self.window / 2).max(256);
        } else if whole && took_us < READ_US / 2 {
            self.window = (self.window * 2).min(1 << 17);
        }
    }

    /// Earlier records, up to `old`, whose row changed through the records after the head, up to `to`: requests that were
    /// answered, records that a note is about.
    async fn touched(&self, old: Seq, to: Seq) -> Result<Vec<u32>, HistoryError> {
        if old == Seq(0) {
            return Ok(Vec::new());
        }
        let mut touched = Vec::new();
        for (column, more) in [("r.reply_to", "1"), ("r.about", "r.event = 5")] {
            let range = format!("r.seq > ? and r.seq <= ? and {column} <= ? and {more}");
            let range = Condition {
                sql: range,
                binds: binds([self.head, to, old]),
            };
            touched.extend(numbers(&self.shared, column, &range, &Condition::all()).await?);
        }
        let sql = "r.seq > ? and r.seq <= ? and r.kind = 5";
        let batches = Condition {
            sql: sql.to_owned(),
            binds: binds([self.head, to]),
        };
        let items = "(select group_concat(i.reply_to) from batch_items i where i.seq = r.seq)";
        touched.extend(
            numbers(&self.shared, items, &batches, &Condition::all())
                .await?
                .into_iter()
                .filter(|seq| u64::from(*seq) <= old.0),
        );
        touched.sort_unstable();
        touched.dedup();
        Ok(touched)
    }
}

/// Judges earlier records again; answers whether one of them entered or left.
async fn judge_again(
    shared: &Shared,
    filter: &Condition,
    seqs: &mut Vec<u32>,
    candidates: &[u32],
) -> Result<bool, HistoryError> {
    if candidates.is_empty() {
        return Ok(false);
    }
    let list = serde_json::Value::from(candidates).to_string();
    let range = Condition {
        sql: "r.seq in (select value from json_each(?))".to_owned(),
        binds: vec![Bind::Text(list)],
    };
    let now = numbers(shared, "r.seq", &range, filter).await?;
    let was = |seq: &u32| seqs.binary_search(seq).is_ok();
    let is = |seq: &u32| now.binary_search(seq).is_ok();
    if candidates.iter().all(|seq| was(seq) == is(seq)) {
        return Ok(false);
    }
    seqs.retain(|seq| is(seq) || candidates.binary_search(seq).is_err());
    seqs.extend(&now);
    seqs.sort_unstable();
    seqs.dedup();
    Ok(true)
}

/// Numbers in ascending order, brought over as one text: a row for each would take ten times as long.
async fn numbers(
    shared: &Shared,
    what: &str,
    range: &Condition,
    filter: &Condition,
) -> Result<Vec<u32>, HistoryError> {
    let sql = format!(
        "select group_concat({what}) from records r where {} and {}",
        range.sql, filter.sql
    );
    let mut arguments = SqliteArguments::default();
    for bind in range.binds.iter().chain(&filter.binds) {
        let added = match bind {
            Bind::Int(value) => arguments.add(*value),
            Bind::Text(value) => arguments.add(value.clone()),
        };
        added.map_err(|error| shared.failed()(sqlx::Error::Encode(error)))?;
    }
    let mut reading = shared.read().await?;
    // The words of a filter are bound; the text around them is ours.
    let query = sqlx::query_scalar_with::<_, Option<String>, _>(AssertSqlSafe(sql), arguments);
    let list = query
        .fetch_one(&mut *reading.conn)
        .await
        .map_err(shared.failed())?;
    let list = list.unwrap_or_default();
    let mut numbers: Vec<u32> = list
        .split(',')
        .filter_map(|number| number.parse().ok())
        .collect();
    if !numbers.is_sorted() {
        numbers.sort_unstable();
    }
    Ok(numbers)
}

fn binds<const N: usize>(seqs: [Seq; N]) -> Vec<Bind> {
    seqs.map(|seq| Bind::Int(i64::try_from(seq.0).unwrap_or(i64::MAX)))
        .into()
}

async fn newest_us(shared: &Shared) -> Result<i64, HistoryError> {
    let mut reading = shared.read().await?;
    let newest = sqlx::query_scalar("select at_us from records order by seq desc limit 1");
    let newest: Option<i64> = newest
        .fetch_optional(&mut *reading.conn)
        .await
        .map_err(shared.failed())?;
    Ok(newest.unwrap_or_else(|| shared.started_us()))
}
