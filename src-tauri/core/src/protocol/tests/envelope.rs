//! Any bytes have an envelope, and what is wrong with them is named.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::protocol::Kind::{self, Batch, Error, Malformed, Notification, Request, Result};
use crate::protocol::Problem::{self, *};
use crate::protocol::{RequestId, envelope};

/// Kind, method, id and problems of a frame.
type Seen<'a> = (Kind, Option<&'a str>, Option<&'a str>, &'a [Problem]);

#[track_caller]
fn check(frame: &str, (kind, method, id, problems): Seen<'_>) {
    let seen = envelope(frame.as_bytes());
    let id_seen = seen.id.as_ref().map(RequestId::as_str);
    assert_eq!(
        (
            seen.kind,
            seen.method.as_deref(),
            id_seen,
            &seen.problems[..]
        ),
        (kind, method, id, problems),
        "{frame}"
    );
}

#[test]
fn reads_what_the_spec_allows() {
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        (Request, Some("ping"), Some("1"), &[]),
    );
    check(
        r#" {"method":"a\u002fb","params":{"id":2},"id":"x","jsonrpc":"2.0"} "#,
        (Request, Some("a/b"), Some("\"x\""), &[]),
    );
    check(
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        (Notification, Some("notifications/initialized"), None, &[]),
    );
    check(
        r#"{"jsonrpc":"2.0","id":9007199254740993,"result":{}}"#,
        (Result, None, Some("9007199254740993"), &[]),
    );
    check(
        r#"{"jsonrpc":"2.0","id":-1,"error":{"code":-32601,"message":"no"}}"#,
        (Error, None, Some("-1"), &[]),
    );
    check(
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}"#,
        (Error, None, Some("null"), &[]),
    );
    check(
        r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"?"}}"#,
        (Error, None, None, &[]),
    );
    check(
        "{\"jsonrpc\":\"2.0\",\"method\":\"a\"}\r",
        (Notification, Some("a"), None, &[]),
    );
}

#[test]
fn names_what_the_spec_forbids() {
    for (frame, problem) in [
        ("", NotJson),
        ("Listening on 3000", NotJson),
        ("{\"jsonrpc\":\"2.0\"", NotJson),
        ("{} {}", NotJson),
    ] {
        check(frame, (Malformed, None, None, &[problem]));
    }
    for frame in ["1", "1e999", "null", "\"a\"", "\"\\ud800\""] {
        check(frame, (Malformed, None, None, &[NotAnObject]));
    }
    assert_eq!(envelope(b"\xff\xfe").problems, [NotUtf8]);
    assert_eq!(
        envelope(b"{\"a\":\"\xff\"}").problems,
        [NotUtf8, JsonRpcVersion, NoMeaning]
    );
    let answer = envelope(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"\xff\"}}");
    assert_eq!(
        (answer.kind, answer.problems),
        (Result, vec![NotUtf8]),
        "still the answer that a caller waits for"
    );
    check(
        "\u{feff}{\"jsonrpc\":\"2.0\",\"method\":\"a\"}",
        (Notification, Some("a"), None, &[ByteOrderMark]),
    );
    check(
        "\u{feff}Listening",
        (Malformed, None, None, &[NotJson, ByteOrderMark]),
    );
    check("{}", (Malformed, None, None, &[JsonRpcVersion, NoMeaning]));
    check(
        r#"{"jsonrpc":"1.0","id":1,"method":"m"}"#,
        (Request, Some("m"), Some("1"), &[JsonRpcVersion]),
    );
    check(
        r#"{"jsonrpc":2.0,"method":"m"}"#,
        (Notification, Some("m"), None, &[JsonRpcVersion]),
    );
    check(
        r#"{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}"#,
        (Request, Some("m"), Some("2"), &[DuplicateMember]),
    );
    check(
        r#"{"jsonrpc":"2.0","params":{},"params":{},"method":"m"}"#,
        (Notification, Some("m"), None, &[DuplicateMember]),
    );
    for id in ["1.0", "1e3", "true", "{}", "null"] {
        check(
            &format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"m"}}"#),
            (Request, Some("m"), Some(id), &[IdType]),
        );
    }
    check(
        r#"{"jsonrpc":"2.0","result":{}}"#,
        (Result, None, None, &[IdType]),
    );
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":5}"#,
        (Malformed, None, Some("1"), &[MethodType]),
    );
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"m","result":{}}"#,
        (Malformed, Some("m"), Some("1"), &[Ambiguous]),
    );
    check(
        r#"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#,
        (Malformed, None, Some("1"), &[Ambiguous]),
    );
    check(
        r#"{"jsonrpc":"2.0","id":1,"result":{},"error":null}"#,
        (Result, None, Some("1"), &[Ambiguous]),
    );
    check(
        r#"{"jsonrpc":"2.0","id":1,"result":null,"error":{}}"#,
        (Error, None, Some("1"), &[Ambiguous]),
    );
}

#[test]
fn reads_one_level_into_results_and_errors() {
    let of = |frame: &str| {
        (
            envelope(frame.as_bytes()).is_error,
            envelope(frame.as_bytes()).code,
        )
    };
    assert_eq!(
        of(r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"isError":true}]}}"#),
        (false, None)
    );
    assert_eq!(
        of(r#"{"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":true}}"#),
        (true, None)
    );
    assert_eq!(
        of(r#"{"jsonrpc":"2.0","id":1,"result":{"isError":"true"}}"#),
        (false, None)
    );
    assert_eq!(
        of(r#"{"jsonrpc":"2.0","id":1,"result":"isError"}"#),
        (false, None)
    );
    assert_eq!(
        of(r#"{"jsonrpc":"2.0","id":1,"error":{"data":{"code":1},"code":-32602}}"#),
        (false, Some(-32602))
    );
    assert_eq!(
        of(r#"{"jsonrpc":"2.0","id":1,"error":"no"}"#),
        (false, None)
    );
    assert_eq!(
        of(r#"{"jsonrpc":"2.0","id":1,"error":{"code":1.5}}"#),
        (false, None)
    );
}

#[test]
fn reads_batches_item_by_item() {
    let seen = envelope(br#" [{"jsonrpc":"2.0","id":1,"method":"a"}, 5, [[]], {"jsonrpc":"2.0","id":1,"result":{"isError":true}}]"#);
    assert_eq!((seen.kind, &seen.problems[..]), (Batch, &[][..]));
    let kinds: Vec<_> = seen.items.iter().map(|item| item.kind).collect();
    assert_eq!(kinds, [Request, Malformed, Malformed, Result]);
    assert!(seen.items[3].is_error);
    check("[]", (Batch, None, None, &[EmptyBatch]));
    check("[1,", (Malformed, None, None, &[NotJson]));
}

#[test]
fn half_a_surrogate_pair_costs_nothing_else() {
    check(
        r#"{"jsonrpc":"2.0","\ud800":1,"id":"\ud800","method":"m","params":"\ud800"}"#,
        (Request, Some("m"), Some(r#""\ud800""#), &[]),
    );
    check(
        r#"{"jsonrpc":"2.0","method":"\ud800"}"#,
        (Notification, Some(r"\ud800"), None, &[]),
    );
}

#[test]
fn depth_cannot_exhaust_the_stack() {
    let deep = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    for depth in [10_000, 1_000_000] {
        let params = format!(
            r#"{{"jsonrpc":"2.0","method":"m","params":{}}}"#,
            deep(depth)
        );
        check(&params, (Notification, Some("m"), None, &[]));
        assert_eq!(envelope(deep(depth).as_bytes()).kind, Batch);
        assert_eq!(envelope("[".repeat(depth).as_bytes()).problems, [NotJson]);
        assert_eq!(
            envelope("{\"a\":".repeat(depth).as_bytes()).problems,
            [NotJson]
        );
    }
}

#[test]
fn ids_that_differ_only_in_escapes_are_one() {
    for (written, canonical) in [
        ("1", "1"),
        (r#""é""#, r#""é""#),
        (r#""\u00e9""#, r#""é""#),
        (r#""\ud800""#, r#""\ud800""#),
    ] {
        assert_eq!(
            RequestId::from_raw(written).canonical(),
            RequestId::from_raw(canonical)
        );
    }
}

proptest! {
    #[test]
    fn any_bytes_have_an_envelope(bytes in any::<Vec<u8>>()) {
        envelope(&bytes);
    }

    #[test]
    fn anything_like_json_has_an_envelope(words in vec(select(WORDS), 0..30)) {
        envelope(words.concat().as_bytes());
    }
}

const WORDS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"jsonrpc\"",
    "\"2.0\"",
    "\"id\"",
    "\"method\"",
    "\"result\"",
    "\"error\"",
    "\"isError\"",
    "\"code\"",
    "true",
    "null",
    "1",
    "-",
    "1e400",
    "\"",
    "\\",
    "\\ud800",
    " ",
    "\n",
    "x",
];
