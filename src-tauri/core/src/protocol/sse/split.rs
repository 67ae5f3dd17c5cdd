//! Finds the ends of blocks in a byte stream.

use crate::protocol::split::{Ends, Splitter};

/// Splits an event stream into blocks: a piece is a block with the empty line that ends it, and empty lines before it. What
/// [`Splitter::finish`] yields is incomplete unless [`super::ends_in_blank_line`].
pub type SseParser = Splitter<BlockEnds>;

/// A block ends with the empty line after its first text. This is where the scanner stands in a block.
///
/// Whether the `\n` of a CRLF belongs to the block is decided by what stands before it, never by how the bytes were cut
/// or by waiting: where the line before the empty one ended in CRLF, so does the empty one; where it ended in a lone CR,
/// the stream is written with lone CRs and a block must not wait for a byte that may never come.
#[derive(Debug, Default)]
pub struct BlockEnds {
    /// The block has a line that is not empty.
    has_text: bool,
    /// So has the current line.
    in_text: bool,
    /// The last byte was a CR that ended a line.
    after_cr: bool,
    /// The last line ended in CRLF.
    after_crlf: bool,
    /// The last byte was the CR of the empty line, and its LF may follow.
    at_end: bool,
}

impl Ends for BlockEnds {
    fn find(&mut self, bytes: &[u8]) -> Option<(usize, usize)> {
        self.block_end(bytes).map(|end| (end, 0))
    }
}

impl BlockEnds {
    /// How many of the bytes belong to the block, where it ends in them.
    fn block_end(&mut self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            if self.at_end {
                *self = Self::default();
                return Some(if byte == b'\n' { at + 1 } else { at });
            }
            if byte != b'\n' && byte != b'\r' {
                (self.has_text, self.in_text, self.after_cr) = (true, true, false);
                let text = bytes[at..]
                    .iter()
                    .position(|&byte| byte == b'\n' || byte == b'\r');
                at += text?;
                continue;
            }
            at += 1;
            if byte == b'\n' && std::mem::take(&mut self.after_cr) {
                self.after_crlf = true;
                continue;
            }
            let empty = !std::mem::take(&mut self.in_text);
            if empty && self.has_text {
                if byte == b'\n' || !self.after_crlf {
                    *self = Self::default();
                    return Some(at);
                }
                self.at_end = true;
                continue;
            }
            (self.after_cr, self.after_crlf) = (byte == b'\r', false);
        }
        None
    }
}
