//! Text that stands in other bytes in another form, such as a JSON string or the data of an event stream's block, and where each
//! part of it stands there.

use std::borrow::Cow;
use std::ops::Range;

use crate::protocol::sse;

/// A text, and where it stands.
#[derive(Debug)]
pub(super) struct Mapped<'a> {
    pub(super) text: Cow<'a, [u8]>,
    /// In the order of the text, without gaps in it.
    runs: Vec<Run>,
}

/// Bytes of the text that stand together.
#[derive(Debug)]
struct Run {
    /// Where they begin in the text.
    at: usize,
    /// Where they stand.
    raw: Range<usize>,
    /// As they are, and not in another form, which can only be taken whole.
    plain: bool,
}

impl<'a> Mapped<'a> {
    /// A text that stands as it is, from `start` on.
    pub(super) fn plain(text: &'a [u8], start: usize) -> Self {
        let runs = vec![Run {
            at: 0,
            raw: start..start + text.len(),
            plain: true,
        }];
        Self {
            text: Cow::Borrowed(text),
            runs,
        }
    }

    /// The characters of a JSON string whose inside is `inside`, which begins at `start`.
    pub(super) fn of_string(inside: &'a [u8], start: usize) -> Self {
        if !inside.contains(&b'\\') {
            return Self::plain(inside, start);
        }
        let (mut text, mut runs, mut at) = (Vec::with_capacity(inside.len()), Vec::new(), 0);
        while at < inside.len() {
            let from = text.len();
            let rest = &inside[at..];
            let (len, plain) = match memchr::memchr(b'\\', rest) {
                Some(0) => (unescape(rest, &mut text), false),
                until => {
                    let len = until.unwrap_or(rest.len());
                    text.extend_from_slice(&rest[..len]);
                    (len, true)
                }
            };
            runs.push(Run {
                at: from,
                raw: start + at..start + at + len,
                plain,
            });
            at += len;
        }
        Self {
            text: Cow::Owned(text),
            runs,
        }
    }

    /// The joined `data` of a block of an event stream, and the lines of it that hold none.
    pub(super) fn of_block(block: &'a [u8]) -> (Self, Vec<Range<usize>>) {
        let (mut text, mut runs, mut others) = (Vec::new(), Vec::new(), Vec::new());
        let mut at = 0;
        for line in block.split(|byte| matches!(byte, b'\n' | b'\r')) {
            let start = at;
            at += line.len() + 1;
            let Some(value) = line.strip_prefix(b"data:") else {
                others.push(start..start + line.len());
                continue;
            };
            let value = value.strip_prefix(b" ").unwrap_or(value);
            let from = start + line.len() - value.len();
            if !runs.is_empty() {
                // The line feed between two lines of data stands for all that is between them.
                let before = runs.last().map_or(from, |run: &Run| run.raw.end);
                runs.push(Run {
                    at: text.len(),
                    raw: before..from,
                    plain: false,
                });
                text.push(b'\n');
            }
            runs.push(Run {
                at: text.len(),
                raw: from..from + value.len(),
                plain: true,
            });
            text.extend_from_slice(value);
        }
        let mapped = Self {
            text: Cow::Owned(text),
            runs,
        };
        (mapped, others)
    }

    /// The message of a frame: the data of a block, else all of it.
    pub(super) fn of_frame(frame: &'a [u8]) -> (Self, Vec<Range<usize>>) {
        if sse::is_block(frame) {
            Self::of_block(frame)
        } else {
            (Self::plain(frame, 0), Vec::new())
        }
    }

    /// Where a part of the text stands; a part of an escape is the whole of it.
    pub(super) fn place(&self, part: Range<usize>) -> Range<usize> {
        let end = match part.end.checked_sub(1) {
            Some(last) if part.end > part.start => self.run(last).map_or(0, |run| {
                if run.plain {
                    run.raw.start + part.end - run.at
                } else {
                    run.raw.end
                }
            }),
            Some(_) | None => self.start(part.start),
        };
        self.start(part.start)..end
    }

    fn start(&self, at: usize) -> usize {
        self.run(at).map_or(0, |run| {
            if run.plain {
                run.raw.start + at - run.at
            } else {
                run.raw.start
            }
        })
    }

    /// The run that holds a byte of the text.
    fn run(&self, at: usize) -> Option<&Run> {
        let after = self.runs.partition_point(|run| run.at <= at);
        self.runs.get(after.checked_sub(1)?)
    }
}

/// Reads the escape at the beginning of `rest`; gives its length. What is no escape stands for itself.
fn unescape(rest: &[u8], text: &mut Vec<u8>) -> usize {
    let plain = |text: &mut Vec<u8>, byte| {
        text.push(byte);
        2
    };
    match rest.get(1) {
        None => {
            text.push(b'\\');
            1
        }
        Some(b'n') => plain(text, b'\n'),
        Some(b't') => plain(text, b'\t'),
        Some(b'r') => plain(text, b'\r'),
        Some(b'b') => plain(text, 8),
        Some(b'f') => plain(text, 12),
        Some(b'u') => {
            let Some(first) = unit(rest) else {
                return plain(text, b'u');
            };
            let low = (0xd800..0xdc00)
                .contains(&first)
                .then(|| rest.get(6..).and_then(unit))
                .flatten();
            let mut decoded = char::decode_utf16(std::iter::once(first).chain(low));
            let (c, len) = match decoded.next() {
                Some(Ok(c)) => (c, if low.is_some() { 12 } else { 6 }),
                Some(Err(_)) | None => (char::REPLACEMENT_CHARACTER, 6),
            };
            text.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            len
        }
        Some(&other) => plain(text, other),
    }
}

/// The unit of the `\uXXXX` at the beginning.
fn unit(rest: &[u8]) -> Option<u16> {
    let digits = rest.strip_prefix(b"\\u")?.get(..4)?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}
