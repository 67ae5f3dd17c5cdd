//! The Summary column.

use bytes::Bytes;
use proptest::prelude::*;

use crate::protocol::Direction::ServerToClient;
use crate::protocol::{Era, Revision, envelope};
use crate::record::{
    Body, Carriage, Closed, Conn, EndReason, Event, EventKind, Note, Opened, PathSource, Record,
    Seq, StoppedBy, preview,
};

fn frame(body: &[u8]) -> String {
    let whole = Body::Whole(Bytes::copy_from_slice(body));
    preview(&Record::of_frame(
        ServerToClient,
        Carriage::default(),
        whole,
        envelope(body),
    ))
}

#[track_caller]
fn check_frame(rest: &str, expected: &str) {
    assert_eq!(
        frame(format!(r#"{{"jsonrpc":"2.0",{rest}}}"#).as_bytes()),
        expected,
        "{rest}"
    );
}

#[test]
fn requests_and_notifications_show_what_tells_them_apart() {
    check_frame(
        r#""id":1,"method":"tools/call","params":{"name":"get-sum","arguments":{ "a": 9007199254740993, "b" : "x y" },"_meta":{}}"#,
        r#"get-sum {"a":9007199254740993,"b":"x y"}"#,
    );
    check_frame(
        r#""id":1,"method":"tools/call","params":{"name":"ping"}"#,
        "ping",
    );
    check_frame(
        r#""id":1,"method":"tools/list","params":{"_meta":{"a":1}}"#,
        "",
    );
    check_frame(
        r#""id":1,"method":"tools/list","params":{"_meta":{"a":1},"cursor":"2"}"#,
        r#"{"cursor":"2"}"#,
    );
    check_frame(r#""id":1,"method":"ping""#, "");
    check_frame(r#""id":1,"method":"x","params":[1, 2]"#, "[1,2]");
    check_frame(
        r#""id":1,"method":"resources/read","params":{"uri":"file:///a"}"#,
        "file:///a",
    );
    check_frame(
        r#""id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}"#,
        "x 1 · 2025-11-25",
    );
    check_frame(
        r#""method":"notifications/progress","params":{"progressToken":23,"progress":71,"total":120,"message":"Denver"}"#,
        "71/120 Denver · token 23",
    );
    check_frame(
        r#""method":"notifications/progress","params":{"progressToken":"a","progress":0.5}"#,
        "0.5 · token a",
    );
    check_frame(
        r#""method":"notifications/message","params":{"level":"info","logger":"db","data":"one\ntwo"}"#,
        "info db: one␊two",
    );
    check_frame(
        r#""method":"notifications/message","params":{"level":"info","data":{"a": 1}}"#,
        r#"info: {"a":1}"#,
    );
    check_frame(
        r#""method":"notifications/cancelled","params":{"requestId":5,"reason":"enough"}"#,
        "id 5 · enough",
    );
}

#[test]
fn results_and_errors_show_their_content() {
    check_frame(
        r#""id":1,"result":{"content":[{"type":"text","text":"{}"}],"structuredContent":{"t": 21}}"#,
        r#"{"t":21}"#,
    );
    check_frame(
        r#""id":1,"result":{"content":[{"type":"text","text":"a\u00e9\ud83d\ude00\ud83d"},{"type":"image","mimeType":"image/png","data":"AA"}]}"#,
        "aé😀\u{fffd} · [image image/png]",
    );
    check_frame(
        r#""id":1,"result":{"contents":[{"uri":"file:///a","mimeType":"a/b","blob":"AA"}]}"#,
        "[a/b file:///a]",
    );
    check_frame(
        r#""id":1,"result":{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}]}"#,
        "user: hi",
    );
    check_frame(
        r#""id":1,"result":{"tools":[{"name":"a"},{"name":"b"}]}"#,
        "2 tools: a, b",
    );
    check_frame(
        r#""id":1,"result":{"resources":[{"uri":"x:y"}]}"#,
        "1 resource: x:y",
    );
    check_frame(r#""id":1,"result":{"resourceTemplates":[]}"#, "0 templates");
    check_frame(
        r#""id":1,"result":{"protocolVersion":"2025-11-25","serverInfo":{"name":"s","version":"2"}}"#,
        "s 2 · 2025-11-25",
    );
    check_frame(
        r#""id":1,"result":{"supportedVersions":["2026-07-28"],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"2"}}}"#,
        r#"s 2 · ["2026-07-28"]"#,
    );
    check_frame(r#""id":1,"result":{}"#, "");
    check_frame(
        r#""id":1,"result":{"a": [1, {}], "_meta":{}}"#,
        r#"{"a":[1,{}]}"#,
    );
    check_frame(
        r#""id":1,"error":{"code":-32602,"message":"no such city","data":{"city": "X"}}"#,
        r#"-32602 no such city · {"city":"X"}"#,
    );
    check_frame(r#""id":1,"error":"odd""#, r#""odd""#);
}

#[test]
fn other_frames_show_themselves() {
    assert_eq!(frame(b"\x1b[31mdebug:\xff\r"), "␛[31mdebug:\u{fffd}␍");
    assert_eq!(frame("a\u{202e}b".as_bytes()), r"a\u{202e}b");
    let block =
        b"event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\ndata: \"result\":{\"a\":1}}\n\n";
    assert_eq!(frame(block), r#"{"a":1}"#);
    assert_eq!(
        frame(b"data: hello"),
        "data: hello",
        "a line of noise is shown as it is"
    );
    let batch = br#"[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":1,"result":{}}]"#;
    assert_eq!(frame(batch), "2 messages: a, result");
}

#[test]
fn a_preview_is_short_however_large_the_body() {
    for text in [
        "é".repeat(100_000),
        "x ".repeat(100_000),
        "\u{202e}".repeat(1_000),
        "[".repeat(1_000_000),
    ] {
        let line = frame(text.as_bytes());
        assert!(line.chars().count() == 160 && line.ends_with('…'), "{line}");
    }
    assert_eq!(frame("é".repeat(160).as_bytes()), "é".repeat(160));
    let tools: Vec<_> = (0..5_000)
        .map(|n| format!(r#"{{"name":"t{n}","description":"d"}}"#))
        .collect();
    let list = format!(
        r#"{{"jsonrpc":"2.0","id":1,"result":{{"tools":[{}]}}}}"#,
        tools.join(",")
    );
    let line = frame(list.as_bytes());
    assert!(
        line.starts_with("tools: t0, t1, "),
        "the count is not in sight: {line}"
    );
}

#[track_caller]
fn check_event(event: &Event, about: Option<u64>, expected: &str) {
    assert_eq!(
        preview(&Record {
            about: about.map(Seq),
            ..Record::of_event(Conn(0), event)
        }),
        expected
    );
}

#[test]
fn events_say_what_happened() {
    let opened = Opened::Stdio {
        executable: "/bin/node".into(),
        argv: vec!["node".into(), "s.js".into()],
        cwd: "/".into(),
        path: "/bin".into(),
        path_source: PathSource::App,
        env: vec![],
        pid: 7,
    };
    check_event(&Event::Opened(opened), None, "started node s.js · pid 7");
    let closed = |by, code, signal: Option<&str>| {
        let signal = signal.map(str::to_owned);
        Event::Closed(Closed {
            reason: EndReason::Exited,
            by,
            code,
            signal,
            text: None,
            lived_us: 1,
        })
    };
    check_event(
        &closed(StoppedBy::Server, Some(3), None),
        None,
        "exited, code 3",
    );
    check_event(
        &closed(StoppedBy::App, None, Some("SIGKILL")),
        None,
        "ended by SIGKILL · stopped by this app",
    );
    check_event(
        &Event::Stderr {
            line: "a\tb".into(),
            unterminated: false,
        },
        None,
        "a␉b",
    );
    check_event(
        &Event::Note(Note::negotiated(Era::Legacy, Revision::V2025_11_25)),
        None,
        "legacy 2025-11-25",
    );
    check_event(
        &Event::Note(Note::TimedOut { after_ms: 30_000 }),
        Some(4),
        "no answer to #4 within 30 s",
    );
    check_event(
        &Event::Note(Note::TimedOut { after_ms: 1_500 }),
        Some(4),
        "no answer to #4 within 1.5 s",
    );
    check_event(
        &Event::Note(Note::Unanswered { why: None }),
        Some(4),
        "#4 was not answered before the connection ended",
    );
    check_event(
        &Event::Note(Note::ClockMoved {
            by_us: 3_600_000_000,
        }),
        None,
        "the clock moved forward by 3600 s",
    );
    let unknown = Record {
        event: EventKind::Unknown,
        body: Body::Whole(Bytes::from_static(b"{\"new\":1}")),
        ..Record::of_event(Conn(0), &Event::Note(Note::Cancelled))
    };
    assert_eq!(preview(&unknown), "{\"new\":1}");
}

proptest! {
    #[test]
    fn any_cut_of_a_frame_has_a_preview(at in 0_usize..400) {
        let whole = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a\u00e9\ud83d\ude00 \"x\""}],"tools":[{"name":"é"},{"name":"b\\"}],"n":[1,{"a":null}]}}"#;
        let kinds = envelope(whole.as_bytes());
        let cut = Bytes::copy_from_slice(&whole.as_bytes()[..at.min(whole.len())]);
        preview(&Record::of_frame(ServerToClient, Carriage::default(), Body::Whole(cut), kinds));
    }
}
