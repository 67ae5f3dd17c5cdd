//! Splits a byte stream into pieces, without I/O. A piece over the limit comes in parts, so memory stays flat.

use std::collections::VecDeque;
use std::fmt;

use bytes::Bytes;

/// Finds where pieces end. Its state is where it stands in a piece.
pub trait Ends: Default + fmt::Debug {
    /// Looks at the next bytes of a piece. Where it ends in them: how many of them belong to it, and how many more stand
    /// between it and the next.
    fn find(&mut self, bytes: &[u8]) -> Option<(usize, usize)>;
}

/// What a splitter yields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A piece within the limit.
    Whole(Bytes),
    /// The next bytes of one that is over the limit; never empty.
    Part(Bytes),
    /// The end of one that came in parts.
    PartEnd,
}

/// Splits a byte stream: `push` a chunk, then take pieces with `next_piece` until it yields none. A piece that lies within a
/// chunk is not copied; one that does not is copied once.
#[derive(Debug)]
pub struct Splitter<E> {
    ends: E,
    limit: usize,
    chunks: VecDeque<Bytes>,
    /// The beginning of a piece whose end has not come, at most `limit` bytes.
    begun: Vec<u8>,
    /// The piece is over the limit: its bytes go out as they come.
    in_parts: bool,
    ready: VecDeque<Piece>,
}

impl<E: Ends> Splitter<E> {
    /// `limit` is the size in bytes up to which a piece is kept whole.
    pub fn new(limit: usize) -> Self {
        Self {
            ends: E::default(),
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
    pub fn next_piece(&mut self) -> Option<Piece> {
        loop {
            if let Some(piece) = self.ready.pop_front() {
                return Some(piece);
            }
            let chunk = self.chunks.front_mut()?;
            let Some((own, between)) = self.ends.find(chunk) else {
                let bytes = self.chunks.pop_front()?;
                self.more(bytes);
                continue;
            };
            let bytes = chunk.split_to(own);
            bytes::Buf::advance(chunk, between);
            if self.begun.is_empty() && !self.in_parts && bytes.len() <= self.limit {
                return Some(Piece::Whole(bytes));
            }
            self.more(bytes);
            let end = self.end();
            self.ready.extend(end);
        }
    }

    /// At the end of the stream, once `next_piece` yields none: what came after the last end, if anything. The splitter may
    /// be used further; what follows is a piece of its own.
    pub fn finish(&mut self) -> Option<Piece> {
        self.ends = E::default();
        self.end()
    }

    fn end(&mut self) -> Option<Piece> {
        if std::mem::take(&mut self.in_parts) {
            return Some(Piece::PartEnd);
        }
        let piece = std::mem::take(&mut self.begun);
        (!piece.is_empty()).then(|| Piece::Whole(piece.into()))
    }

    /// Takes the next bytes of a piece.
    fn more(&mut self, bytes: Bytes) {
        if !self.in_parts && self.begun.len() + bytes.len() <= self.limit {
            self.begun.extend_from_slice(&bytes);
            return;
        }
        self.in_parts = true;
        let begun = Bytes::from(std::mem::take(&mut self.begun));
        let parts = [begun, bytes].into_iter().filter(|part| !part.is_empty());
        self.ready.extend(parts.map(Piece::Part));
    }
}
