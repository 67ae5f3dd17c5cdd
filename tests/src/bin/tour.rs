//! The tour of `cargo xtask run` without a display.
fn main() {}
