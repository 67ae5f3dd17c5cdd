//! Framescope without a window.
fn main() {}
