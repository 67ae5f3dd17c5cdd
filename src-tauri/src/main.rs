//! The desktop app.
fn main() {}
