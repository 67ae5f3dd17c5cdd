//! Frames, and the streams that they come in.

use framescope_core::protocol::{
    Envelope, Kind, LineSplitter, Piece, Problem, envelope as read,
    sse::{self, SseParser},
};
use serde_json::Value;

/// Sizes of the chunks in which a stream comes.
const CHUNKS: [usize; 4] = [1, 2, 7, usize::MAX];
/// Sizes up to which a line or block is kept whole.
const LIMITS: [usize; 3] = [0, 5, 4096];

/// Lines are what stands between line feeds, however the stream is cut; those over the limit come in parts, no others.
pub fn line_splitter(stream: &[u8]) {
    let mut expected: Vec<&[u8]> = stream.split(|&byte| byte == b'\n').collect();
    if expected.last().is_some_and(|rest| rest.is_empty()) {
        expected.pop();
    }
    for limit in LIMITS {
        for size in CHUNKS {
            let mut joiner = Joiner::default();
            let mut splitter = LineSplitter::new(limit);
            let mut take = |piece| match piece {
                Piece::Whole(line) => joiner.whole(&line, limit),
                Piece::Part(part) => joiner.part(&part),
                Piece::PartEnd => joiner.end(limit),
            };
            for chunk in stream.chunks(size.min(stream.len().max(1))) {
                splitter.push(chunk.to_vec().into());
                while let Some(piece) = splitter.next_piece() {
                    take(piece);
                }
            }
            splitter.finish().into_iter().for_each(&mut take);
            assert!(splitter.finish().is_none(), "the rest comes once");
            assert_eq!(joiner.done, expected, "limit {limit}, chunks of {size}");
        }
    }
}

/// Blocks joined give back the stream, are the same however it is cut, and end in an empty line; their fields can be read.
pub fn sse_parser(stream: &[u8]) {
    let mut first = None;
    for limit in LIMITS {
        for size in CHUNKS {
            let blocks = blocks(stream, limit, size);
            let first = first.get_or_insert_with(|| blocks.clone());
            assert_eq!(*first, blocks, "limit {limit}, chunks of {size}");
        }
    }
    let blocks = first.unwrap_or_default();
    assert_eq!(blocks.concat(), stream, "joined they are the stream");
    for (place, block) in blocks.iter().enumerate() {
        let last = place + 1 == blocks.len();
        assert!(
            last || sse::ends_in_blank_line(block),
            "block {place} is complete"
        );
        let fields = sse::fields(block);
        let message = sse::message(block);
        if sse::is_block(block) && fields.has_message() {
            assert_eq!(fields.data.as_deref(), Some(&*message), "block {place}");
        }
        let _ = sse::message_head(block);
    }
}

fn blocks(stream: &[u8], limit: usize, size: usize) -> Vec<Vec<u8>> {
    let mut joiner = Joiner::default();
    let mut parser = SseParser::new(limit);
    let mut take = |piece| match piece {
        Piece::Whole(block) => joiner.whole(&block, limit),
        Piece::Part(part) => joiner.part(&part),
        Piece::PartEnd => joiner.end(limit),
    };
    for chunk in stream.chunks(size.min(stream.len().max(1))) {
        parser.push(chunk.to_vec().into());
        while let Some(piece) = parser.next_piece() {
            take(piece);
        }
    }
    parser.finish().into_iter().for_each(&mut take);
    assert!(parser.finish().is_none(), "the rest comes once");
    joiner.done
}

/// Puts together what comes in parts.
#[derive(Default)]
struct Joiner {
    done: Vec<Vec<u8>>,
    open: Option<Vec<u8>>,
}

impl Joiner {
    fn whole(&mut self, bytes: &[u8], limit: usize) {
        assert!(self.open.is_none(), "a whole one amid parts");
        assert!(bytes.len() <= limit, "over the limit, and whole");
        self.done.push(bytes.to_vec());
    }

    fn part(&mut self, bytes: &[u8]) {
        assert!(!bytes.is_empty(), "an empty part");
        self.open
            .get_or_insert_with(Vec::new)
            .extend_from_slice(bytes);
    }

    fn end(&mut self, limit: usize) {
        let whole = self.open.take().unwrap_or_default();
        assert!(whole.len() > limit, "within the limit, and in parts");
        self.done.push(whole);
    }
}

/// What is read off a frame agrees with a JSON parser wherever that one can read it, and does not depend on how the message
/// is carried.
pub fn envelope(frame: &[u8]) {
    let found = read(frame);
    let message = sse::message(frame);
    if let Ok(value) = serde_json::from_slice::<Value>(&message) {
        agrees(&found, &value, frame);
    }
    let carried = !message.is_empty()
        && message.len() == frame.len()
        && !frame.iter().any(|byte| matches!(byte, b'\r' | b'\n'));
    if carried {
        let block = [b"data: ", frame, b"\n\n"].concat();
        assert_eq!(read(&block), found, "the same as data of an event stream");
    }
}

fn agrees(found: &Envelope, value: &Value, frame: &[u8]) {
    let of = || String::from_utf8_lossy(frame).into_owned();
    let not_json = found.problems.contains(&Problem::NotJson);
    assert!(!not_json, "it is JSON: {}", of());
    let not_an_object = found.problems.contains(&Problem::NotAnObject);
    match value {
        Value::Array(items) => {
            assert_eq!(found.kind, Kind::Batch, "{}", of());
            assert_eq!(found.items.len(), items.len(), "{}", of());
            for (found, item) in found.items.iter().zip(items) {
                // An array in a batch is no batch.
                if !item.is_array() {
                    agrees(found, item, frame);
                }
            }
        }
        Value::Object(members) => {
            assert!(!not_an_object, "{}", of());
            let method = members.get("method").and_then(Value::as_str);
            assert_eq!(found.method.as_deref(), method, "{}", of());
            let id = found.id.as_ref().map(|id| {
                serde_json::from_str::<Value>(id.as_str()).unwrap_or_else(|error| {
                    panic!("the id is no JSON: {error}: {}", of());
                })
            });
            assert_eq!(id.as_ref(), members.get("id"), "{}", of());
            let answers = matches!(found.kind, Kind::Result | Kind::Error);
            assert!(!answers || method.is_none(), "{}", of());
            let asks = matches!(found.kind, Kind::Request | Kind::Notification);
            assert!(!asks || method.is_some(), "{}", of());
            let silent = found.kind == Kind::Malformed && found.problems.is_empty();
            assert!(!silent, "says what is wrong: {}", of());
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            assert!(not_an_object, "{}", of());
        }
    }
}
