//! The fuzz targets on stable: their corpus is replayed, and a bounded number of new inputs is tried.

use framescope_tests::fuzz::{TARGETS, envelope, line_splitter, sse_parser};
use framescope_tests::peers::root;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

#[test]
fn what_was_awkward_once_is_read_well() {
    for (name, target) in TARGETS {
        let folder = root().join("tests/fuzz/corpus").join(name);
        let mut replayed = 0;
        for entry in std::fs::read_dir(&folder).expect("the corpus").flatten() {
            let input = std::fs::read(entry.path()).expect("an input");
            if std::panic::catch_unwind(|| target(&input)).is_err() {
                panic!("{}", entry.path().display());
            }
            replayed += 1;
        }
        assert!(replayed > 9, "{}: {replayed} inputs", folder.display());
    }
}

/// Bytes of which streams are made, and any others.
fn stream(words: &'static [&'static [u8]]) -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        9 => select(words).prop_map(<[u8]>::to_vec),
        1 => vec(any::<u8>(), 0..4),
    ];
    vec(word, 0..40).prop_map(|words| words.concat())
}

const LINES: &[&[u8]] = &[
    b"\n",
    b"\r\n",
    b"\n\n",
    b"{}",
    b"abcdef",
    b"\xff",
    b"\xe2\x82",
];

const EVENTS: &[&[u8]] = &[
    b"\n",
    b"\r",
    b"\r\n",
    b"\r\r",
    b"\n\n",
    b"data:",
    b"data",
    b" {}",
    b"id: 1",
    b"event: x",
    b"retry: 9",
    b": c",
    b"\xef\xbb\xbf",
    b"\0",
    b"\xff",
];

const MESSAGES: &[&[u8]] = &[
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\"jsonrpc\":\"2.0\"",
    b"\"id\":",
    b"\"method\":",
    b"\"m\"",
    b"\"result\":",
    b"\"error\":",
    b"{}",
    b"null",
    b"1",
    b"1.0",
    b"1e999",
    b"9007199254740993",
    b"\"\\u0069d\":",
    b"\"\\ud800\"",
    b"\"code\":",
    b"\"isError\":true",
    b" ",
    b"\n",
    b"\r",
    b"data: ",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\0",
];

/// A message with members in any order, some twice.
fn message() -> impl Strategy<Value = Vec<u8>> {
    let members = select(
        &[
            "\"jsonrpc\":\"2.0\"",
            "\"jsonrpc\":2",
            "\"id\":7",
            "\"id\":\"a\\n\"",
            "\"id\":null",
            "\"id\":1.5",
            "\"method\":\"m\"",
            "\"method\":7",
            "\"meth\\u006fd\":\"n\"",
            "\"params\":{}",
            "\"result\":{\"isError\":true}",
            "\"result\":null",
            "\"error\":null",
            "\"error\":{\"code\":-32601}",
            "\"other\":[[[]]]",
        ][..],
    );
    vec(members, 0..7).prop_map(|members| format!("{{{}}}", members.join(",")).into_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_split_into_their_lines(stream in stream(LINES)) {
        line_splitter(&stream);
    }

    #[test]
    fn any_bytes_are_split_into_their_blocks(stream in stream(EVENTS)) {
        sse_parser(&stream);
    }

    #[test]
    fn any_bytes_have_an_envelope(frame in stream(MESSAGES)) {
        envelope(&frame);
    }

    #[test]
    fn any_members_have_an_envelope(messages in vec(message(), 1..4)) {
        envelope(&messages[0]);
        envelope(&[b"[".as_slice(), &messages.join(&b","[..]), b"]"].concat());
    }
}
