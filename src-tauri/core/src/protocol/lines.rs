//! Splits a byte stream into lines, without I/O. A line over the limit comes in parts, so memory stays flat.

use std::collections::VecDeque;

use bytes::Bytes;
use memchr::memchr;

/// What the splitter yields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinePiece {
    /// A whole line, without its `\n` (a `\r` before it is kept).
    Line(Bytes),
    /// The next bytes of a line that is over the limit; never empty.
    Part(Bytes),
    /// The end of a line that came in parts.
    PartEnd,
}

/// Splits a byte stream into lines: `push` a chunk, then take pieces with `next_piece` until it yields none. A line that
/// lies within a chunk is not copied; one that does not is copied once.
#[derive(Debug)]
pub struct LineSplitter {
    limit: usize,
    chunks: VecDeque<Bytes>,
    /// The beginning of a line whose end has not come, at most `limit` bytes.
    begun: Vec<u8>,
    /// The line is over the limit: its bytes go out as they come.
    in_parts: bool,
    ready: VecDeque<LinePiece>,
}

impl LineSplitter {
    /// `limit` is the size in bytes up to which a line is kept whole.
    pub fn new(limit: usize) -> Self {
        Self {
            limit,
            chunks: VecDeque::new(),
            begun: Vec::new(),
            in_parts: false,
            ready: VecDeque::new(),
        }
    }

    /// Adds the bytes that were read.
    pub fn push(&mut self, chunk: Bytes) {
        self.chunks.push_back(chunk);
    }

    /// The next piece, if the bytes pushed so far complete one.
    pub fn next_piece(&mut self) -> Option<LinePiece> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                return Some(piece);
            }
            let chunk = self.chunks.front_mut()?;
            let end = memchr(b'\n', chunk);
            let Some(end) = end else {
                let bytes = self.chunks.pop_front()?;
                self.more(bytes);
                continue;
            };
            let bytes = chunk.split_to(end);
            *chunk = chunk.slice(1..);
            if self.begun.is_empty() && !self.in_parts && bytes.len() <= self.limit {
                return Some(LinePiece::Line(bytes));
            }
            self.more(bytes);
            let end = self.finish();
            self.ready.extend(end);
        }
    }

    /// At the end of the stream, once `next_piece` yields none: what came after the last `\n`, if anything. It is
    /// unterminated. The splitter may be used further; what follows is a line of its own.
    pub fn finish(&mut self) -> Option<LinePiece> {
        if std::mem::take(&mut self.in_parts) {
            return Some(LinePiece::PartEnd);
        }
        let line = std::mem::take(&mut self.begun);
        (!line.is_empty()).then(|| LinePiece::Line(line.into()))
    }

    /// Takes the next bytes of a line.
    fn more(&mut self, bytes: Bytes) {
        if !self.in_parts && self.begun.len() + bytes.len() <= self.limit {
            self.begun.extend_from_slice(&bytes);
            return;
        }
        self.in_parts = true;
        let begun = Bytes::from(std::mem::take(&mut self.begun));
        let parts = [begun, bytes].into_iter().filter(|part| !part.is_empty());
        self.ready.extend(parts.map(LinePiece::Part));
    }
}
