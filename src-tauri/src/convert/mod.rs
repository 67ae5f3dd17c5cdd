//! Core types to what crosses the bridge. Facts come from the core; this only names them.

mod exchange;
mod exit;
mod record;
mod session;

pub(crate) use exchange::exchange_row;
pub(crate) use exit::exit_row;
pub(crate) use record::{note, record_row, verdict};
pub(crate) use session::{Facts, facts, server_row, session_row, transport};

#[cfg(test)]
mod tests;
