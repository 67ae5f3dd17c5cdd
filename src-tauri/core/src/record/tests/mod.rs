//! Tests of the log's way in.

mod capture;
mod clock;
mod correlator;
mod event;
mod mask;
mod preview;
mod tap;
