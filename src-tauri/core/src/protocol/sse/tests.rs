//! The splitter against a reader written from the specification, and what the fields of a block say.

use bytes::Bytes;
use proptest::prelude::*;

use super::*;
use crate::protocol::Piece;

/// All pieces of a stream that comes in these chunks; a block in parts is put together again.
fn split<'a>(chunks: impl IntoIterator<Item = &'a [u8]>, limit: usize) -> Vec<Vec<u8>> {
    let mut parser = SseParser::new(limit);
    let (mut blocks, mut open) = (Vec::new(), Vec::new());
    let mut take = |piece| match piece {
        Piece::Whole(block) => {
            assert!(open.is_empty() && block.len() <= limit && !block.is_empty());
            blocks.push(block.to_vec());
        }
        Piece::Part(part) => {
            assert!(!part.is_empty());
            open.extend_from_slice(&part);
        }
        Piece::PartEnd => {
            assert!(open.len() > limit, "a block within the limit stays whole");
            blocks.push(std::mem::take(&mut open));
        }
    };
    for chunk in chunks {
        parser.push(Bytes::copy_from_slice(chunk));
        while let Some(piece) = parser.next_piece() {
            take(piece);
        }
    }
    parser.finish().into_iter().for_each(take);
    assert_eq!(parser.finish(), None, "the rest comes once");
    blocks
}

fn check(stream: &str, blocks: &[&str]) {
    let whole = split([stream.as_bytes()], 1 << 20);
    let text: Vec<_> = whole
        .iter()
        .map(|block| std::str::from_utf8(block).unwrap())
        .collect();
    assert_eq!(text, blocks, "blocks of {stream:?}");
}

#[test]
fn a_block_ends_with_its_empty_line() {
    check("", &[]);
    check("data: a\n\ndata: b\n\n", &["data: a\n\n", "data: b\n\n"]);
    check(
        "data: a\r\n\r\ndata: b\r\n\r\n",
        &["data: a\r\n\r\n", "data: b\r\n\r\n"],
    );
    check("data: a\r\rdata: b\r\r", &["data: a\r\r", "data: b\r\r"]);
    check(": ping\n\n:\n\n", &[": ping\n\n", ":\n\n"]);
    check("\n\n\ndata: a\n\n\n\n", &["\n\n\ndata: a\n\n", "\n\n"]);
    check("\r\n\r\ndata: a\r\n\r\n", &["\r\n\r\ndata: a\r\n\r\n"]);
    check("\u{feff}data: a\n\ndata", &["\u{feff}data: a\n\n", "data"]);
    check(
        "data: a\ndata: b\nid: 1\n\nx",
        &["data: a\ndata: b\nid: 1\n\n", "x"],
    );
    check("data: a\r\n\r", &["data: a\r\n\r"]);
    check(
        "data: a\r\n\rdata: b\n\n",
        &["data: a\r\n\r", "data: b\n\n"],
    );
}

#[test]
fn an_answer_is_not_kept_back_for_a_byte_that_may_never_come() {
    for stream in ["data: a\n\n", "data: a\r\r", "data: a\r\n\r\n"] {
        let mut parser = SseParser::new(64);
        parser.push(Bytes::from_static(stream.as_bytes()));
        let block = Piece::Whole(Bytes::from_static(stream.as_bytes()));
        assert_eq!(parser.next_piece(), Some(block), "{stream:?}");
    }
}

#[test]
fn a_block_over_the_limit_comes_in_parts() {
    let long = format!("data: {}\n\n", "x".repeat(100));
    let stream = format!("data: a\n\n{long}data: b\n\n");
    let expected = [&b"data: a\n\n"[..], long.as_bytes(), b"data: b\n\n"];
    assert_eq!(split(stream.as_bytes().chunks(7), 16), expected);
    assert_eq!(split([stream.as_bytes()], 16), expected);
}

#[test]
fn fields_are_read_as_the_specification_says() {
    let block = b": note\nevent: message\nid: 7\nretry: 500\ndata: a\ndata:b\ndata\nodd\n\n";
    let seen = fields(block);
    assert_eq!(seen.event, Some(&b"message"[..]));
    assert_eq!(seen.data.as_deref(), Some(&b"a\nb\n"[..]));
    assert_eq!((seen.id, seen.retry), (Some(&b"7"[..]), Some(500)));
    assert_eq!(fields(b"id: a\0b\nretry: 5s\n\n"), SseFields::default());
    assert_eq!(
        fields(b"data:  two\n\n").data.as_deref(),
        Some(&b" two"[..])
    );
    assert_eq!(
        fields(b" data: a\n\n").data,
        None,
        "a space makes another name"
    );
}

#[test]
fn the_message_of_a_frame_is_its_data() {
    let check = |frame: &str, expected: &str, why| {
        let found = message(frame.as_bytes());
        assert_eq!(std::str::from_utf8(&found).unwrap(), expected, "{why}");
    };
    check(r#"{"a":1}"#, r#"{"a":1}"#, "a body of JSON");
    check(
        "{\"a\":1}\n\n",
        "{\"a\":1}\n\n",
        "a body of JSON with empty lines after it",
    );
    check("\n[1]\r\n\r\n", "\n[1]\r\n\r\n", "and before it");
    check("data: {\"a\":1}\n\n", "{\"a\":1}", "a block");
    check(
        "\u{feff}data: {}\r\n\r\n",
        "{}",
        "the first block of a stream with a mark",
    );
    check(
        "event: message\nid: 2\ndata: {\ndata:}\n\n",
        "{\n}",
        "H04: many data lines",
    );
    check("id: 1\ndata: \n\n", "", "H06: the priming event");
    check(": ping\n\n", "", "H06: a comment");
    check(
        "event: custom\ndata: {}\n\n",
        "",
        "H06: an event that is no message",
    );
    check("data: {}\n", "data: {}\n", "its end never came");
    check("data: {}", "data: {}", "a line of stdout");
    check("data: {}\r", "data: {}\r", "a line of stdout with its CR");
    check("Not found\n\n", "", "a page of text");
}

#[test]
fn a_message_that_stands_in_one_line_is_not_copied() {
    assert!(matches!(
        message(b"event: message\ndata: {}\n\n"),
        Cow::Borrowed(b"{}")
    ));
}

#[test]
fn the_head_of_a_message_can_be_read_before_its_end() {
    assert_eq!(*message_head(b"event: message\ndata: {\"a\":"), *b"{\"a\":");
    assert_eq!(*message_head(b"{\"a\":\"data: x"), *b"{\"a\":\"data: x");
}

/// The events of a stream, by the algorithm of the specification: line by line, dispatched at empty lines.
fn dispatched(stream: &[u8]) -> Vec<Vec<u8>> {
    let stream = stream.strip_prefix(BOM).unwrap_or(stream);
    let (mut events, mut data, mut rest) = (Vec::new(), None::<Vec<u8>>, stream);
    while let Some(end) = rest.iter().position(|byte| b"\r\n".contains(byte)) {
        let line = &rest[..end];
        let width = if rest[end..].starts_with(b"\r\n") {
            2
        } else {
            1
        };
        rest = &rest[end + width..];
        if line.is_empty() {
            events.extend(data.take());
        } else if let Some(value) = line.strip_prefix(b"data:") {
            let value = value.strip_prefix(b" ").unwrap_or(value);
            data = Some(data.map_or(value.to_vec(), |data| [&data, value].join(&b'\n')));
        }
    }
    events
}

/// Streams dense in what matters.
fn streams() -> impl Strategy<Value = Vec<u8>> {
    let words = [
        "\n", "\r", "\r\n", "\n\n", "\r\n\r\n", "data:", "data: a", ":", " ", "x",
    ];
    let words = prop::collection::vec(prop::sample::select(words.to_vec()), 0..40);
    (prop::sample::select(vec!["", "\u{feff}"]), words)
        .prop_map(|(mark, words)| [mark, &words.concat()].concat().into_bytes())
}

proptest! {
    #[test]
    fn any_split_gives_the_same_blocks(
        stream in streams(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        limit in 1..30usize,
    ) {
        let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
        cuts.extend([0, stream.len()]);
        cuts.sort_unstable();
        let chunks = cuts.windows(2).map(|pair| &stream[pair[0]..pair[1]]);
        let blocks = split(chunks, limit);
        prop_assert_eq!(&blocks, &split([&stream[..]], 1 << 20), "cut at {:?}", cuts);
        prop_assert_eq!(blocks.concat(), stream, "nothing is lost or added");
    }

    #[test]
    fn blocks_say_what_the_specification_says(stream in streams()) {
        let blocks = split([&stream[..]], 1 << 20);
        let complete = blocks.iter().filter(|block| ends_in_blank_line(block));
        let data: Vec<_> = complete.filter_map(|block| fields(block).data.map(Cow::into_owned)).collect();
        prop_assert_eq!(data, dispatched(&stream));
    }
}
