//! Rows of the log as rows of the page.

use bytes::Bytes;
use framescope_core::history::{Row, Verdict};
use framescope_core::protocol::{Direction, Kind};
use framescope_core::record::{Conn, EventKind, Flags, Seq};

use super::*;

fn row(event: EventKind, kind: Option<Kind>) -> Row {
    Row {
        seq: Seq(7),
        at_us: 1,
        gap_us: None,
        conn: Conn(0),
        event,
        direction: Some(Direction::ServerToClient),
        via: None,
        about: None,
        kind,
        method: None,
        rpc_id: None,
        reply_to: None,
        answer: None,
        dur_us: None,
        code: None,
        size: 2,
        flags: Flags::default(),
        preview: String::new(),
        settled: None,
        verdict: None,
        whole: Some(Bytes::from_static(b"{}")),
    }
}

#[test]
fn the_kind_column_has_a_word_for_each_event() {
    for (event, kind, expected) in [
        (EventKind::Opened, None, "lifecycle"),
        (EventKind::Closed, None, "lifecycle"),
        (EventKind::Stderr, None, "stderr"),
        (EventKind::Http, None, "http"),
        (EventKind::Note, None, "note"),
        (EventKind::Frame, Some(Kind::Batch), "batch"),
        (EventKind::Frame, Some(Kind::Request), "request"),
        (EventKind::Frame, None, "malformed"),
    ] {
        assert_eq!(
            record_row(row(event, kind)).kind,
            expected,
            "{event:?} {kind:?}"
        );
    }
}

#[test]
fn marks_are_words_and_the_verdict_is_not_among_them() {
    let mut late = row(EventKind::Frame, Some(Kind::Result));
    late.flags = Flags::LATE.with(Flags::DUPLICATE).with(Flags::IS_ERROR);
    late.verdict = Some(Verdict::IsError);
    let late = record_row(late);
    assert_eq!(late.flags, ["late", "duplicate"]);
    assert_eq!(late.verdict, Some(crate::rows::Verdict::IsError));
}

#[test]
fn a_block_of_an_event_stream_is_asked_for_with_its_message() {
    let mut block = row(EventKind::Frame, Some(Kind::Result));
    block.whole = Some(Bytes::from_static(b"data: {}\n\n"));
    assert_eq!(record_row(block).whole, None);
}

#[test]
fn a_body_that_is_not_utf8_does_not_ride_along_as_text() {
    let mut bad = row(EventKind::Frame, Some(Kind::Malformed));
    bad.whole = Some(Bytes::from_static(b"\xff{"));
    assert_eq!(
        record_row(bad).whole,
        None,
        "replaced characters would not be what crossed the wire"
    );
    assert_eq!(
        record_row(row(EventKind::Frame, Some(Kind::Result)))
            .whole
            .as_deref(),
        Some("{}")
    );
}
