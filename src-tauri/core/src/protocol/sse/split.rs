//! Finds the ends of blocks in a byte stream. A block over the limit comes in parts, so memory stays flat.

use std::collections::VecDeque;

use bytes::Bytes;

/// What the parser yields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SsePiece {
    /// A whole block with the empty line that ends it, and empty lines before it.
    Block(Bytes),
    /// The next bytes of a block that is over the limit; never empty.
    Part(Bytes),
    /// The end of a block that came in parts.
    PartEnd,
}

/// Splits an event stream into blocks: `push` a chunk, then take pieces with `next_piece` until it yields none. A block
/// that lies within a chunk is not copied; one that does not is copied once.
#[derive(Debug)]
pub struct SseParser {
    limit: usize,
    chunks: VecDeque<Bytes>,
    /// The beginning of a block whose end has not come, at most `limit` bytes.
    begun: Vec<u8>,
    /// The block is over the limit: its bytes go out as they come.
    in_parts: bool,
    ready: VecDeque<SsePiece>,
    scan: Scan,
}

impl SseParser {
    /// `limit` is the size in bytes up to which a block is kept whole.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            chunks: VecDeque::new(),
            begun: Vec::new(),
            in_parts: false,
            ready: VecDeque::new(),
            scan: Scan::default(),
        }
    }

    /// Adds the bytes that were read.
    pub fn push(&mut self, chunk: Bytes) {
        self.chunks.push_back(chunk);
    }

    /// The next piece, if the bytes pushed so far complete one.
    pub fn next_piece(&mut self) -> Option<SsePiece> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                return Some(piece);
            }
            let mut chunk = self.chunks.pop_front()?;
            let Some(end) = self.scan.block_end(&chunk) else {
                self.more(chunk);
                continue;
            };
            let bytes = chunk.split_to(end);
            if !chunk.is_empty() {
                self.chunks.push_front(chunk);
            }
            if self.begun.is_empty() && !self.in_parts && bytes.len() <= self.limit {
                return Some(SsePiece::Block(bytes));
            }
            self.more(bytes);
            let end = self.end_block();
            self.ready.extend(end);
        }
    }

    /// At the end of the stream, once `next_piece` yields none: what came after the last block, if anything. It is
    /// incomplete unless [`super::ends_in_blank_line`].
    pub fn finish(&mut self) -> Option<SsePiece> {
        self.scan = Scan::default();
        self.end_block()
    }

    fn end_block(&mut self) -> Option<SsePiece> {
        if std::mem::take(&mut self.in_parts) {
            return Some(SsePiece::PartEnd);
        }
        let block = std::mem::take(&mut self.begun);
        (!block.is_empty()).then(|| SsePiece::Block(block.into()))
    }

    /// Takes the next bytes of a block.
    fn more(&mut self, bytes: Bytes) {
        if !self.in_parts && self.begun.len() + bytes.len() <= self.limit {
            self.begun.extend_from_slice(&bytes);
            return;
        }
        self.in_parts = true;
        let begun = Bytes::from(std::mem::take(&mut self.begun));
        let parts = [begun, bytes].into_iter().filter(|part| !part.is_empty());
        self.ready.extend(parts.map(SsePiece::Part));
    }
}

/// Where the scanner stands in a block. A block ends with the empty line after its first text.
///
/// Whether the `\n` of a CRLF belongs to the block is decided by what stands before it, never by how the bytes were cut
/// or by waiting: where the line before the empty one ended in CRLF, so does the empty one; where it ended in a lone CR,
/// the stream is written with lone CRs and a block must not wait for a byte that may never come.
#[derive(Debug, Default)]
struct Scan {
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

impl Scan {
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
