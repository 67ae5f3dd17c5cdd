//! A filter over a session: the matching numbers, kept up to date.
use super::HistoryError;
use crate::record::Seq;

/// What a refresh changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delta {
    /// Index of the first new row.
    pub first: usize,
    /// Rows that match now.
    pub total: usize,
    /// Earlier rows of the view whose duration or verdict changed, in order.
    pub changed: Vec<Seq>,
    /// Rows entered or left among the earlier ones: every index may be another.
    pub reset: bool,
}

/// A filter over a session: the matching numbers, kept up to date.
#[derive(Debug)]
pub struct View {
    seqs: Vec<u32>,
}

#[allow(clippy::unused_async, reason = "bodies follow")]
impl View {
    /// How many match.
    pub fn total(&self) -> usize {
        self.seqs.len()
    }
    /// The numbers from this index on, at most `n`.
    pub fn seqs(&self, from: usize, n: usize) -> Vec<Seq> {
        self.seqs
            .iter()
            .skip(from)
            .take(n)
            .map(|seq| Seq(u64::from(*seq)))
            .collect()
    }
    /// The index of a record, or the index where it would stand.
    pub fn index_of(&self, seq: Seq) -> Result<usize, usize> {
        self.seqs
            .binary_search_by_key(&seq.0, |seq| u64::from(*seq))
    }
    /// Takes in what was stored since.
    pub async fn refresh(&mut self) -> Result<Delta, HistoryError> {
        Ok(Delta {
            first: self.total(),
            total: self.total(),
            ..Delta::default()
        })
    }
}
