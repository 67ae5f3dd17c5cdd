//! Tests of the pure protocol knowledge.

mod envelope;
mod lines;
