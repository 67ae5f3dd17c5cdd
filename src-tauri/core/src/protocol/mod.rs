//! Pure protocol knowledge: bytes to envelopes, lines, names, revisions. No I/O, no clock, and parsing never fails.

mod config;
mod correlator;
mod envelope;
mod lines;
mod names;

pub use config::ServerConfig;
pub use correlator::{Correlator, Paired};
pub use envelope::{Envelope, Kind, Problem, RequestId, envelope};
pub use lines::{LinePiece, LineSplitter};
pub use names::{Direction, Era, EraChoice, Revision};
