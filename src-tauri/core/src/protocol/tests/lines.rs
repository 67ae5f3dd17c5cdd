//! However a stream is cut into chunks, its lines are the same.

use bytes::Bytes;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::protocol::{LineSplitter, Piece};

/// What a reader makes of the stream: each line with whether it came in parts, and the unterminated rest.
#[derive(Debug, Default, PartialEq)]
struct Read {
    lines: Vec<(Vec<u8>, bool)>,
    rest: Option<(Vec<u8>, bool)>,
}

fn read(chunks: &[&[u8]], limit: usize) -> Read {
    let mut splitter = LineSplitter::new(limit);
    let (mut read, mut parts) = (Read::default(), None::<Vec<u8>>);
    let mut take = |piece: Piece| match piece {
        Piece::Whole(line) => {
            assert!(line.len() <= limit && parts.is_none());
            Some((line.to_vec(), false))
        }
        Piece::Part(part) => {
            assert!(!part.is_empty());
            parts.get_or_insert_default().extend_from_slice(&part);
            None
        }
        Piece::PartEnd => Some((parts.take().expect("parts before their end"), true)),
    };
    for chunk in chunks {
        splitter.push(Bytes::copy_from_slice(chunk));
        while let Some(piece) = splitter.next_piece() {
            read.lines.extend(take(piece));
        }
    }
    read.rest = splitter.finish().and_then(&mut take);
    assert_eq!(splitter.finish(), None, "the rest comes once");
    read
}

/// The definition: what stands between line feeds.
fn expected(stream: &[u8], limit: usize) -> Read {
    let mut lines: Vec<_> = stream
        .split(|&byte| byte == b'\n')
        .map(|line| (line.to_vec(), line.len() > limit))
        .collect();
    let rest = lines.pop().filter(|(line, _)| !line.is_empty());
    Read { lines, rest }
}

#[test]
fn keeps_every_byte_but_the_line_feed() {
    let cases: &[(&[&[u8]], usize)] = &[
        (&[], 4),
        (&[b""], 4),
        (&[b"\n"], 4),
        (&[b"a\nb\n\n\nc"], 4),
        (&[b"a\r\n\r\n\xff\xfe\n"], 4),
        (&[b"ab", b"cd", b"\n", b"e", b"\nf\n"], 4),
        (&[b"abcd\nabcde\n"], 4),
        (&[b"abc", b"de\n", b"f\n"], 4),
        (&[b"abcdefgh", b"", b"ij", b"\nk"], 4),
        (&[b"abcdefgh", b"ij"], 4),
        (&[b"a\n"], 0),
    ];
    for (chunks, limit) in cases {
        assert_eq!(
            read(chunks, *limit),
            expected(&chunks.concat(), *limit),
            "{chunks:?} at {limit}"
        );
    }
}

#[test]
fn does_not_copy_a_line_within_a_chunk() {
    let chunk = Bytes::from_static(b"first\nsecond\n");
    let mut splitter = LineSplitter::new(100);
    splitter.push(chunk.clone());
    for from in [0, 6] {
        let Some(Piece::Whole(line)) = splitter.next_piece() else {
            panic!("a line")
        };
        assert_eq!(line.as_ptr(), chunk[from..].as_ptr());
    }
}

#[test]
fn goes_on_after_a_tail_was_taken() {
    let mut splitter = LineSplitter::new(100);
    splitter.push(Bytes::from_static(b"prompt> "));
    assert_eq!(splitter.next_piece(), None);
    assert_eq!(
        splitter.finish(),
        Some(Piece::Whole(Bytes::from_static(b"prompt> ")))
    );
    splitter.push(Bytes::from_static(b"rest\n"));
    assert_eq!(
        splitter.next_piece(),
        Some(Piece::Whole(Bytes::from_static(b"rest")))
    );
}

proptest! {
    #[test]
    fn any_cut_gives_the_same_lines(
        chunks in vec(vec(prop_oneof![3 => Just(b'\n'), 1 => Just(b'\r'), 9 => any::<u8>()], 0..40), 0..20),
        limit in 0_usize..50,
    ) {
        let stream = chunks.concat();
        let cut: Vec<&[u8]> = chunks.iter().map(Vec::as_slice).collect();
        prop_assert_eq!(read(&cut, limit), expected(&stream, limit));
    }
}
