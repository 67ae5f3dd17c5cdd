//! Pairs responses with requests: a pure state machine run in `seq` order.

/// How a record relates to an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paired;

/// Pairs responses with requests: same exchange first, else the oldest unanswered request of the opposite direction with
/// that id. The only pairer of the log.
#[derive(Debug, Default)]
pub struct Correlator;
