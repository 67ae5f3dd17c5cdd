//! Core types to what crosses the bridge. Facts come from the core; this only names them.

mod auth;
mod doctor;
mod edit;
mod exchange;
mod exit;
mod export;
mod pending;
mod record;
mod session;
mod subscriptions;

pub(crate) use auth::{Which, auth_draft, grant, sign_in_row, step_kind, token_row};
pub(crate) use doctor::doctor_report;
pub(crate) use edit::edit_row;
pub(crate) use exchange::exchange_row;
pub(crate) use exit::exit_row;
pub(crate) use export::export_preview;
pub(crate) use pending::{input_rows, pending_rows};
pub(crate) use record::{filter_problem, note, record_row, verdict};
pub(crate) use session::{Facts, facts, server_row, session_row, transport};
pub(crate) use subscriptions::subscription_rows;

#[cfg(test)]
mod tests;
