//! Events are read as they were written.

use serde_json::value::RawValue;

use crate::protocol::{Era, Revision};
use crate::record::{
    Closed, EndReason, Event, EventKind, Flags, HttpEvent, HttpPhase, Note, Opened, PathSource,
    StoppedBy,
};

fn raw(text: &str) -> Option<Box<RawValue>> {
    Some(RawValue::from_string(text.to_owned()).unwrap())
}

/// Writes it, compares the body, reads it and writes that.
#[track_caller]
fn check(event: &Event, body: &str) {
    assert_eq!(event.body(), body);
    let read = Event::read(event.kind(), body.as_bytes(), Flags::default()).expect("readable");
    assert_eq!(read.body(), body);
    assert_eq!(format!("{read:?}"), format!("{event:?}"));
}

#[test]
fn every_event_comes_back() {
    let negotiated = Note::Negotiated {
        era: "legacy".into(),
        revision: "2025-11-25".into(),
        server: raw(r#"{"name" : "x","n":9007199254740993,"n":1}"#),
        capabilities: raw("{}"),
        instructions: None,
    };
    check(
        &Event::Note(negotiated),
        r#"{"note":"negotiated","era":"legacy","revision":"2025-11-25","server":{"name" : "x","n":9007199254740993,"n":1},"capabilities":{}}"#,
    );
    let plain = Note::negotiated(Era::Modern, Revision::V2026_07_28);
    check(
        &Event::Note(plain),
        r#"{"note":"negotiated","era":"modern","revision":"2026-07-28"}"#,
    );
    for (note, body) in [
        (
            Note::Handshake {
                text: "fell back".into(),
            },
            r#"{"note":"handshake","text":"fell back"}"#,
        ),
        (
            Note::Watch {
                text: "a.js changed".into(),
            },
            r#"{"note":"watch","text":"a.js changed"}"#,
        ),
        (
            Note::TimedOut { after_ms: 30_000 },
            r#"{"note":"timed-out","after_ms":30000}"#,
        ),
        (Note::Cancelled, r#"{"note":"cancelled"}"#),
        (Note::Unanswered { why: None }, r#"{"note":"unanswered"}"#),
        (
            Note::Unanswered {
                why: Some("refused".into()),
            },
            r#"{"note":"unanswered","why":"refused"}"#,
        ),
        (
            Note::Extended { by_ms: 5 },
            r#"{"note":"extended","by_ms":5}"#,
        ),
        (
            Note::Revision {
                revision: "2025-03-26".into(),
            },
            r#"{"note":"revision","revision":"2025-03-26"}"#,
        ),
        (
            Note::AnsweredByRule {
                text: "ping".into(),
            },
            r#"{"note":"answered-by-rule","text":"ping"}"#,
        ),
        (
            Note::WriteFailed {
                error: "broken pipe".into(),
            },
            r#"{"note":"write-failed","error":"broken pipe"}"#,
        ),
        (
            Note::OverLimit { limit: 1 << 40 },
            r#"{"note":"over-limit","limit":1099511627776}"#,
        ),
        (
            Note::Gap {
                frames: 2,
                bytes: 9,
            },
            r#"{"note":"gap","frames":2,"bytes":9}"#,
        ),
        (
            Note::ClockMoved { by_us: 3_000_000 },
            r#"{"note":"clock-moved","by_us":3000000}"#,
        ),
    ] {
        check(&Event::Note(note), body);
    }
    let stdio = Opened::Stdio {
        executable: "/usr/bin/node".into(),
        argv: vec!["node".into(), "server.js".into()],
        cwd: "/srv".into(),
        path: "/usr/bin".into(),
        path_source: PathSource::LoginShell,
        env: vec!["TOKEN".into()],
        pid: 7,
    };
    check(
        &Event::Opened(stdio),
        r#"{"transport":"stdio","executable":"/usr/bin/node","argv":["node","server.js"],"cwd":"/srv","path":"/usr/bin","path_source":"login-shell","env":["TOKEN"],"pid":7}"#,
    );
    check(
        &Event::Opened(Opened::Http {
            url: "http://x/".into(),
        }),
        r#"{"transport":"http","url":"http://x/"}"#,
    );
    let http = HttpEvent {
        phase: HttpPhase::Response,
        method: None,
        url: None,
        status: Some(404),
        headers: vec![("a".into(), "b".into())],
        connect_us: None,
        text: None,
    };
    check(
        &Event::Http(http),
        r#"{"phase":"response","status":404,"headers":[["a","b"]]}"#,
    );
    let closed = Closed {
        reason: EndReason::Exited,
        by: StoppedBy::Server,
        code: Some(3),
        signal: None,
        text: None,
        lived_us: 9,
    };
    check(
        &Event::Closed(closed),
        r#"{"reason":"exited","by":"server","code":3,"lived_us":9}"#,
    );
    check(
        &Event::Stderr {
            line: "boom".into(),
            unterminated: false,
        },
        "boom",
    );
}

#[test]
fn what_a_newer_program_wrote_is_no_error() {
    for body in [
        r#"{"note":"teleported","to":1}"#,
        r#"{"note":"timed-out"}"#,
        "{}",
        "?",
    ] {
        assert!(
            matches!(
                Event::read(EventKind::Note, body.as_bytes(), Flags::default()),
                Some(Event::Note(Note::Unknown))
            ),
            "{body}"
        );
    }
    let more = r#"{"note":"cancelled","because":"of the weather"}"#;
    assert!(matches!(
        Event::read(EventKind::Note, more.as_bytes(), Flags::default()),
        Some(Event::Note(Note::Cancelled))
    ));
    assert!(
        Event::read(
            EventKind::Opened,
            br#"{"transport":"smoke"}"#,
            Flags::default()
        )
        .is_none()
    );
    assert_eq!(
        (EventKind::from_number(99), EventKind::from_word("smoke")),
        (EventKind::Unknown, EventKind::Unknown)
    );
    assert_eq!(
        (EventKind::from_number(4), EventKind::from_word("stderr")),
        (EventKind::Stderr, EventKind::Stderr)
    );
}

#[test]
fn a_crash_is_an_end_that_nobody_asked_for() {
    let flags = |by, code: Option<i32>, signal: Option<&str>| {
        let signal = signal.map(str::to_owned);
        Event::Closed(Closed {
            reason: EndReason::Exited,
            by,
            code,
            signal,
            text: None,
            lived_us: 0,
        })
        .flags()
    };
    assert_eq!(flags(StoppedBy::Server, Some(3), None), Flags::CRASH);
    assert_eq!(
        flags(StoppedBy::Server, None, Some("SIGSEGV")),
        Flags::CRASH
    );
    assert_eq!(flags(StoppedBy::Server, Some(0), None), Flags::default());
    assert_eq!(
        flags(StoppedBy::User, None, Some("SIGTERM")),
        Flags::default()
    );
}
