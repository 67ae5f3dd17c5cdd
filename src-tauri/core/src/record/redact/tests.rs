//! What the rules hit is gone, whatever it stands in; every other byte is as it was.

use proptest::prelude::*;

use super::*;
use crate::protocol::Direction;
use crate::record::{Conn, Flags, Seq};

fn rules(keys: &[&str], headers: &[&str], values: &[&str], paths: &[&str]) -> RedactRules {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    RedactRules {
        keys: owned(keys),
        headers: owned(headers),
        values: owned(values),
        paths: owned(paths),
    }
}

fn record(event: EventKind, body: &[u8]) -> CapturedRecord {
    CapturedRecord {
        seq: Seq(1),
        at_us: 0,
        conn: Conn(0),
        event,
        direction: Some(Direction::ServerToClient),
        via: None,
        about: None,
        body: body.to_vec().into(),
        redactions: Vec::new(),
        flags: Flags::default(),
    }
}

fn redacted(rules: &RedactRules, event: EventKind, body: &str) -> (String, Found) {
    let mut record = record(event, body.as_bytes());
    let found = Redactor::new(rules).record(&mut record, 100);
    (String::from_utf8(record.body.to_vec()).unwrap(), found)
}

/// `expected` has `*` for the placeholder.
#[track_caller]
fn check(rules: &RedactRules, event: EventKind, body: &str, expected: &str) {
    let (now, found) = redacted(rules, event, body);
    assert_eq!(now, expected.replace('*', PLACEHOLDER), "{body}");
    assert_eq!(found.hits.is_empty(), now == body, "{found:?}");
}

#[test]
fn keys_are_found_at_any_depth_and_in_json_within_text() {
    let rules = rules(&["token", "Pass"], &[], &[], &[]);
    for (body, expected) in [
        (r#"{"token":"a"}"#, r#"{"token":"*"}"#),
        (
            r#"{ "TOKEN" : "a\"b" ,"n":9007199254740993}"#,
            r#"{ "TOKEN" : "*" ,"n":9007199254740993}"#,
        ),
        (r#"{"a":[{"pass":12},1.0]}"#, r#"{"a":[{"pass":"*"},1.0]}"#),
        (
            r#"{"a":{"token":{"deep":["x"]}},"b":1}"#,
            r#"{"a":{"token":"*"},"b":1}"#,
        ),
        (
            r#"{"token":null,"pass":"","a":true}"#,
            r#"{"token":null,"pass":"","a":true}"#,
        ),
        (r#"{"pass":true}"#, r#"{"pass":"*"}"#),
        (r#"{"to\u006ben":"a"}"#, r#"{"to\u006ben":"*"}"#),
        (
            r#"{"tokens":"a","mytoken":"b"}"#,
            r#"{"tokens":"a","mytoken":"b"}"#,
        ),
        // The text of a result often is JSON once more.
        (
            r#"{"text":"{\"token\":\"a\",\"n\":1}"}"#,
            r#"{"text":"{\"token\":\"*\",\"n\":1}"}"#,
        ),
        (
            r#"{"text":"[{\"pass\":17}]"}"#,
            r#"{"text":"[{\"pass\":\"*\"}]"}"#,
        ),
        // Text around it makes it none.
        (
            r#"{"text":"got {\"token\": \"a\\\"b\", 'pass': 'c', \"n\":{\"pass\":12}}"}"#,
            r#"{"text":"got {\"token\": \"*\", 'pass': '*', \"n\":{\"pass\":*}}"}"#,
        ),
        // What was taken out before stays what it is.
        (r#"{"token":"‹secret:KEY›"}"#, r#"{"token":"‹secret:KEY›"}"#),
        (r#"{"token":"‹secret:KEY› and more"}"#, r#"{"token":"*"}"#),
        // A schema describes a token, and is none.
        (
            r#"{"properties":{"token":{"type":"string"}}}"#,
            r#"{"properties":{"token":{"type":"string"}}}"#,
        ),
        (
            r#"{"properties":{"token":"a"}}"#,
            r#"{"properties":{"token":"*"}}"#,
        ),
        // Of two members of one name both go.
        (
            r#"{"token":"a","token":"b"}"#,
            r#"{"token":"*","token":"*"}"#,
        ),
        // A batch.
        (
            r#"[{"token":"a"},{"token":"b"}]"#,
            r#"[{"token":"*"},{"token":"*"}]"#,
        ),
        // name=value in text.
        (
            r#"{"u":"https://x/?a=1&token=s3&b=2#f"}"#,
            r#"{"u":"https://x/?a=1&token=*&b=2#f"}"#,
        ),
        (
            r#"{"argv":["x","--token=s3"]}"#,
            r#"{"argv":["x","--token=*"]}"#,
        ),
    ] {
        check(&rules, EventKind::Frame, body, expected);
    }
}

#[test]
fn what_is_no_json_is_redacted_as_far_as_it_can_be_read() {
    let rules = rules(&["token"], &[], &["s3c-[0-9]+"], &["$.a.b"]);
    for (body, expected) in [
        (r#"{"token":"abc"#, r#"{"token":"*"#),
        (r#"{"token":{"x":"abc","#, r#"{"token":"*""#),
        (
            r#"{"a":{"b":1}} trailing s3c-12"#,
            r#"{"a":{"b":"*"}} trailing *"#,
        ),
        (
            "Listening, key s3c-99 token=abc",
            "Listening, key * token=*",
        ),
        ("{oops s3c-1 token='a b'}", "{oops * token=*}"),
        ("", ""),
        ("\u{feff}", "\u{feff}"),
        ("]]]}}},,,::", "]]]}}},,,::"),
    ] {
        check(&rules, EventKind::Frame, body, expected);
        check(&rules, EventKind::Stderr, body, expected);
    }
}

#[test]
fn patterns_go_over_text_numbers_names_and_escapes() {
    let rules = rules(
        &[],
        &[],
        &[r"s3\nc", "4111[0-9]{4}", r"Bearer (?<secret>\S+)"],
        &[],
    );
    for (body, expected) in [
        (r#"{"a":"x s3\nc y"}"#, r#"{"a":"x * y"}"#),
        (r#"{"a":"x s3\u000ac y"}"#, r#"{"a":"x * y"}"#),
        (r#"{"a":41112222}"#, r#"{"a":"*"}"#),
        (r#"{"41112222":1}"#, r#"{"*":1}"#),
        (r#"{"a":"Bearer abc def"}"#, r#"{"a":"Bearer * def"}"#),
        (
            r#"{"a":"{\"b\":\"Bearer abc\"}"}"#,
            r#"{"a":"{\"b\":\"Bearer *\"}"}"#,
        ),
        (
            r#"{"a":"\"\\\/\ud83d\ude00 41110000 \ud83d"}"#,
            r#"{"a":"\"\\\/\ud83d\ude00 * \ud83d"}"#,
        ),
    ] {
        check(&rules, EventKind::Frame, body, expected);
    }
    check(
        &RedactRules::usual(),
        EventKind::Stderr,
        "pg://me:pa55@db/x",
        "pg://me:*@db/x",
    );
}

#[test]
fn paths_name_places() {
    for (path, body, expected) in [
        (
            "$.a.b",
            r#"{"a":{"b":1,"c":2},"b":3}"#,
            r#"{"a":{"b":"*","c":2},"b":3}"#,
        ),
        (
            "$..b",
            r#"{"a":{"b":1},"b":[{"b":2}]}"#,
            r#"{"a":{"b":"*"},"b":"*"}"#,
        ),
        ("$.a[*]", r#"{"a":[1,"x",{}]}"#, r#"{"a":["*","*","*"]}"#),
        (
            "$.a[1].c",
            r#"{"a":[{"c":1},{"c":2}]}"#,
            r#"{"a":[{"c":1},{"c":"*"}]}"#,
        ),
        (
            "$['a b']['it\\'s']",
            r#"{"a b":{"it's":1}}"#,
            r#"{"a b":{"it's":"*"}}"#,
        ),
        (
            "$.*.x",
            r#"{"a":{"x":1},"b":{"y":1}}"#,
            r#"{"a":{"x":"*"},"b":{"y":1}}"#,
        ),
        ("$..[0]", r#"{"a":[1,2,[3,4]]}"#, r#"{"a":["*",2,["*",4]]}"#),
        (
            "$..a..c",
            r#"{"a":{"x":{"c":1}},"c":2}"#,
            r#"{"a":{"x":{"c":"*"}},"c":2}"#,
        ),
        ("$.A", r#"{"a":1}"#, r#"{"a":1}"#),
    ] {
        check(
            &rules(&[], &[], &[], &[path]),
            EventKind::Frame,
            body,
            expected,
        );
    }
    for bad in [
        "",
        "a.b",
        "$",
        "$.",
        "$.a b",
        "$[",
        "$[-1]",
        "$[1:2]",
        "$[?(@.a)]",
        "$['a'",
        "$.a$",
    ] {
        let redactor = Redactor::new(&rules(&[], &[], &[], &[bad]));
        let fine = bad == "$.a$";
        assert_eq!(redactor.rules()[0].problem.is_none(), fine, "{bad}");
    }
}

#[test]
fn a_message_in_an_event_stream_is_redacted_in_its_block() {
    let rules = rules(&["token"], &[], &["s3c"], &["$.p.q"]);
    for (body, expected) in [
        (
            "id: 1\ndata: {\"token\":\"a\"}\n\n",
            "id: 1\ndata: {\"token\":\"*\"}\n\n",
        ),
        (
            ": s3c\r\ndata:{\"p\":\r\ndata: {\"q\":\"x\"}}\r\n\r\n",
            ": *\r\ndata:{\"p\":\r\ndata: {\"q\":\"*\"}}\r\n\r\n",
        ),
        // What reaches over two lines is one place.
        (
            "data: {\"token\":{\ndata: \"x\":1}}\n\n",
            "data: {\"token\":\"*\"}\n\n",
        ),
    ] {
        check(&rules, EventKind::Frame, body, expected);
    }
}

#[test]
fn headers_are_those_of_http() {
    let rules = rules(&[], &["Authorization"], &[], &[]);
    let http =
        r#"{"phase":"request","headers":[["authorization","Bearer x"],["host","authorization"]]}"#;
    let gone = r#"{"phase":"request","headers":[["authorization","*"],["host","authorization"]]}"#;
    check(&rules, EventKind::Http, http, gone);
    check(&rules, EventKind::Frame, http, http);
    check(
        &rules,
        EventKind::Http,
        &http.replace("Bearer x", "‹masked›"),
        &http.replace("Bearer x", "‹masked›"),
    );
}

#[test]
fn the_description_of_a_session_is_redacted_too() {
    let json = r#"{"format":1,"session":"01a226e3-e800-7000-8000-000000000001","origin":"app","server":"S s3c","name":"of s3c","config":{"type":"http","url":"https://x/?token=abc","headers":[["Authorization","Bearer zzz"]]},"started_us":1,"tags":["s3c"]}"#;
    let mut header: Header = serde_json::from_str(json).unwrap();
    let redactor = Redactor::new(&rules(&["token"], &["authorization"], &["s3c"], &[]));
    let found = redactor.header(&mut header, 9);
    let now = serde_json::to_string(&header).unwrap();
    let gone = |text: &str| !now.contains(text);
    assert!(gone("s3c") && gone("abc") && gone("zzz"), "{now}");
    assert_eq!(found.counts.iter().map(|(_, n)| n).sum::<u64>(), 5);
    // A rule that takes out too much leaves a header all the same.
    let all = Redactor::new(&rules(&[], &[], &["."], &[]));
    all.header(&mut header, 0);
    assert_eq!((header.config, header.server.as_str()), (None, PLACEHOLDER));
}

#[test]
fn places_of_known_secrets_move_along_or_go() {
    let body = r#"{"a":"‹secret:K›","token":"x ‹secret:L›","b":"‹secret:M›"}"#;
    let mut record = record(EventKind::Frame, body.as_bytes());
    let at = |text: &str| body.find(text).unwrap() as u64;
    record.redactions = ["K", "L", "M"]
        .map(|name| Redaction {
            offset: at(&format!("‹secret:{name}")),
            name: name.to_owned(),
        })
        .into();
    Redactor::new(&rules(&["token"], &[], &[], &[])).record(&mut record, 0);
    let names: Vec<_> = record
        .redactions
        .iter()
        .map(|place| place.name.as_str())
        .collect();
    assert_eq!(names, ["K", "M"]);
    for place in &record.redactions {
        let rest = &record.body[usize::try_from(place.offset).unwrap()..];
        assert!(rest.starts_with(format!("‹secret:{}", place.name).as_bytes()));
    }
}

#[test]
fn hits_are_counted_placed_and_shown() {
    let rules = rules(&["token"], &[], &["zz+"], &["$.x[0]"]);
    let (_, found) = redacted(
        &rules,
        EventKind::Frame,
        r#"{"x":[1],"t":{"token":"abc"},"s":"zz zzz"}"#,
    );
    assert_eq!(found.counts, [(2, 1), (0, 1), (1, 2)]);
    let places: Vec<_> = found.hits.iter().map(|hit| hit.place.as_str()).collect();
    assert_eq!(places, ["$.x[0]", "$.t.token", "$.s", "$.s"]);
    assert!(found.hits[1].before.contains(r#""token":"abc""#));
    assert!(found.hits[1].after.contains(r#""token":"‹redacted›""#));
}

#[test]
fn a_rule_that_cannot_be_read_is_named() {
    let bad = Redactor::of_all(&rules(&["ok"], &[], &["("], &[])).unwrap_err();
    assert_eq!((bad.kind, bad.text.as_str()), (RuleKind::Value, "("));
    assert!(Redactor::of_all(&RedactRules::usual()).is_ok());
    assert!(RedactRules::default().is_empty() && !RedactRules::usual().is_empty());
}

#[test]
fn a_deep_message_does_no_harm() {
    let deep = format!(
        "{}{{\"token\":null}}{}",
        "{\"a\":[".repeat(100_000),
        "]}".repeat(100_000)
    );
    let (now, _) = redacted(
        &rules(&["token"], &[], &["x"], &["$..b"]),
        EventKind::Frame,
        &deep,
    );
    assert!(now == deep, "nothing is hit");
}

proptest! {
    #[test]
    fn nothing_changes_where_nothing_is_hit(body in proptest::collection::vec(any::<u8>(), 0..300)) {
        let mut record = record(EventKind::Frame, &body);
        let rules = rules(&["no such name"], &["x"], &["no such text at all"], &["$.no.such[7]"]);
        let found = Redactor::new(&rules).record(&mut record, 9);
        prop_assert_eq!(&record.body[..], &body[..]);
        prop_assert_eq!(found, Found::default());
    }

    #[test]
    fn a_secret_is_gone_and_json_stays_json(
        secret in "[a-z\"\\\\\n é/]{1,12}", other in "[A-Z0-9 \"\\\\]{0,20}", nested in any::<bool>(),
    ) {
        let inner = serde_json::json!({"token": secret, "other": other, "list": [1, {"token": 5}]});
        let text = if nested {
            serde_json::json!({"text": inner.to_string()}).to_string()
        } else {
            inner.to_string()
        };
        let (now, _) = redacted(&rules(&["token"], &[], &[], &[]), EventKind::Frame, &text);
        let value: serde_json::Value = serde_json::from_str(&now).unwrap();
        let value: serde_json::Value = match value["text"].as_str() {
            Some(text) => serde_json::from_str(text).unwrap(),
            None => value,
        };
        prop_assert_eq!(&value["token"], PLACEHOLDER);
        prop_assert_eq!(&value["list"][1]["token"], PLACEHOLDER);
        prop_assert_eq!(&value["other"], &other);
    }
}
