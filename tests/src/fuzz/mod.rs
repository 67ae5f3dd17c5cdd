//! What must hold of the readers of hostile bytes, whatever the bytes: plain functions for `cargo fuzz` (`tests/fuzz`) and for
//! the replay of its corpus in `it`. Each panics where something does not hold.

mod files;
mod wire;

pub use files::{capture, challenge, filter, mcp_servers};
pub use wire::{envelope, line_splitter, sse_parser};

/// A function that takes any bytes.
pub type Target = fn(&[u8]);

/// All targets, by the names of their folders in the corpus.
pub const TARGETS: [(&str, Target); 7] = [
    ("line_splitter", line_splitter),
    ("sse", sse_parser),
    ("envelope", envelope),
    ("challenge", challenge),
    ("capture", capture),
    ("filter", filter),
    ("mcp_servers", mcp_servers),
];
