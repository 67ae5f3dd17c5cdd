//! Tests of the log's way in.

mod clock;
mod tap;
