//! Build entry points.
fn main() {}
