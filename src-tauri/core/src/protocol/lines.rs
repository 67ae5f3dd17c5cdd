//! Splits a byte stream into lines.

use memchr::memchr;

use super::split::{Ends, Splitter};

/// Splits into lines: a piece is a line without its `\n` (a `\r` before it is kept). What [`Splitter::finish`] yields is
/// unterminated.
pub type LineSplitter = Splitter<LineEnds>;

/// A line ends at its `\n`.
#[derive(Debug, Default)]
pub struct LineEnds;

impl Ends for LineEnds {
    fn find(&mut self, bytes: &[u8]) -> Option<(usize, usize)> {
        memchr(b'\n', bytes).map(|end| (end, 1))
    }
}
