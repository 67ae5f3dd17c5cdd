//! Pure protocol knowledge: bytes to envelopes, lines, names, revisions. No I/O, no clock, and parsing never fails.

mod auth;
mod choice;
mod config;
mod envelope;
mod lines;
mod names;
mod read;
mod split;
pub mod sse;

#[cfg(test)]
mod tests;

pub use auth::{AuthChoice, Grant};
pub use choice::{ClientChoice, LogLevel, Rule, RuleError};
pub use config::{Root, ServerConfig};
pub use envelope::{Envelope, Kind, Problem, RequestId};
pub use lines::LineSplitter;
pub use names::{Direction, Era, EraChoice, Revision};
pub use read::{envelope, text};
pub use split::{Piece, Splitter};
