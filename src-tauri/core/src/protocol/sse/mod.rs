//! Splits an event stream into blocks and reads their fields, without I/O (WHATWG HTML § Server-sent events).
//!
//! A block is a frame: its bytes are kept as they came, comments and line ends included, so joining all blocks gives back
//! the stream. The message of a block is its joined `data`: [`message`].

mod split;

#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub use split::SseParser;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// What the lines of a block say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SseFields<'a> {
    /// `event`; a message carries none, or `message`.
    pub event: Option<&'a [u8]>,
    /// The `data` lines, joined by line feeds.
    pub data: Option<Cow<'a, [u8]>>,
    /// `id`; one with a NUL is ignored.
    pub id: Option<&'a [u8]>,
    /// `retry`, in milliseconds; one with anything but digits is ignored.
    pub retry: Option<u64>,
}

impl SseFields<'_> {
    /// Whether a JSON-RPC message stands in `data`. An empty `data` only carries an `id` (transports › Sending Messages).
    pub fn has_message(&self) -> bool {
        let named = self
            .event
            .is_some_and(|event| !matches!(event, b"" | b"message"));
        !named && self.data.as_ref().is_some_and(|data| !data.is_empty())
    }
}

/// Reads the fields of a block. A byte order mark is skipped at the start of any block, since the stream is not known here.
pub fn fields(block: &[u8]) -> SseFields<'_> {
    let mut fields = SseFields::default();
    for line in lines(block.strip_prefix(BOM).unwrap_or(block)) {
        let colon = line.iter().position(|&byte| byte == b':');
        let (name, value) = line.split_at(colon.unwrap_or(line.len()));
        let value = value.strip_prefix(b":").unwrap_or(value);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match name {
            b"event" => fields.event = Some(value),
            b"data" => fields.data = Some(joined(fields.data.take(), value)),
            b"id" if !value.contains(&0) => fields.id = Some(value),
            b"retry" if !value.is_empty() && value.iter().all(u8::is_ascii_digit) => {
                fields.retry = std::str::from_utf8(value)
                    .ok()
                    .and_then(|digits| digits.parse().ok());
            }
            _ => {}
        }
    }
    fields
}

fn joined<'a>(data: Option<Cow<'a, [u8]>>, line: &'a [u8]) -> Cow<'a, [u8]> {
    let Some(data) = data else {
        return Cow::Borrowed(line);
    };
    let mut data = data.into_owned();
    data.push(b'\n');
    data.extend_from_slice(line);
    Cow::Owned(data)
}

/// The lines of a block; the two halves of a CRLF yield an empty one between them, which says nothing.
fn lines(block: &[u8]) -> impl Iterator<Item = &[u8]> {
    block.split(|&byte| byte == b'\n' || byte == b'\r')
}

/// The message in a frame: the `data` of an event stream's block, or the frame itself where it is none. Nothing but the
/// bytes decides, so a reader of the log needs to know nothing else: a block ends in an empty line, and no JSON object or
/// array begins like one. A block whose empty line never came is no event, so its message is not read.
pub fn message(frame: &[u8]) -> Cow<'_, [u8]> {
    if !is_block(frame) {
        // JSON on its own must not begin with a mark (RFC 8259 §8.1); a reader may ignore it.
        return Cow::Borrowed(frame.strip_prefix(BOM).unwrap_or(frame));
    }
    let fields = fields(frame);
    if fields.has_message() {
        fields.data.unwrap_or_default()
    } else {
        Cow::Borrowed(b"")
    }
}

/// As [`message`], of a frame of which only the first bytes are at hand.
pub fn message_head(head: &[u8]) -> Cow<'_, [u8]> {
    let start = head.strip_prefix(BOM).unwrap_or(head).trim_ascii_start();
    let begins = [&b"data:"[..], b"event:", b"id:", b"retry:", b":"]
        .iter()
        .any(|field| start.starts_with(field));
    match fields(head).data {
        Some(data) if begins => data,
        Some(_) | None => Cow::Borrowed(head),
    }
}

/// Whether a byte order mark stands where none may: before a message that is no block of an event stream.
pub(super) fn is_marked(frame: &[u8]) -> bool {
    frame.starts_with(BOM) && !is_block(frame)
}

/// Whether a frame is a block of an event stream.
pub fn is_block(frame: &[u8]) -> bool {
    if !ends_in_blank_line(frame) {
        return false;
    }
    let text = frame.strip_prefix(BOM).unwrap_or(frame).trim_ascii_start();
    !matches!(text.first(), None | Some(b'{' | b'['))
}

/// Whether the block is complete: its last line is empty.
pub fn ends_in_blank_line(block: &[u8]) -> bool {
    [&b"\n\n"[..], b"\r\r", b"\n\r", b"\n\r\n"]
        .iter()
        .any(|end| block.ends_with(end))
}
