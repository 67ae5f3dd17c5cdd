//! Tests of the log's way in.

mod clock;
mod correlator;
mod event;
mod mask;
mod preview;
mod tap;
