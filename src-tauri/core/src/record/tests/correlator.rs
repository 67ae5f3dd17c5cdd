//! Which response answers which request.

use bytes::Bytes;

use crate::protocol::Direction::{self, ClientToServer, ServerToClient};
use crate::protocol::envelope;
use crate::record::{Body, Carriage, Conn, Correlator, Event, Flags, Note, Observed, Record, Seq};
use crate::record::{Closed, EndReason, StoppedBy};

/// A log that grows, with its pairer.
#[derive(Default)]
struct Log {
    correlator: Correlator,
    last: u64,
}

impl Log {
    fn put(&mut self, mut record: Record) -> Observed {
        self.last += 1;
        record.seq = Seq(self.last);
        record.at_us = i64::try_from(self.last).unwrap() * 100;
        self.correlator.observe(&record)
    }

    fn frame(&mut self, direction: Direction, at: Carriage, text: &str) -> Observed {
        let body = Body::Whole(Bytes::copy_from_slice(text.as_bytes()));
        self.put(Record::of_frame(
            direction,
            at,
            body,
            envelope(text.as_bytes()),
        ))
    }

    fn request(&mut self, direction: Direction, at: Carriage, id: &str, method: &str) -> Seq {
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"}}"#);
        assert_eq!(
            self.frame(direction, at, &text),
            Observed::default(),
            "a request relates to nothing"
        );
        Seq(self.last)
    }

    fn result(&mut self, direction: Direction, at: Carriage, id: &str) -> (Option<Seq>, Flags) {
        let seen = self.frame(
            direction,
            at,
            &format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#),
        );
        (seen.reply_to, seen.flags)
    }

    fn event(&mut self, conn: Conn, event: &Event, about: Option<Seq>) {
        self.put(Record {
            about,
            ..Record::of_event(conn, event)
        });
    }
}

fn conn(conn: u32) -> Carriage {
    Carriage {
        conn: Conn(conn),
        ..Carriage::default()
    }
}

fn via(seq: Seq) -> Carriage {
    Carriage {
        via: Some(seq),
        ..Carriage::default()
    }
}

const NONE: Flags = Flags(0);

#[test]
fn a_response_names_its_request_its_method_and_its_time() {
    let mut log = Log::default();
    let one = log.request(ClientToServer, conn(0), "1", "tools/call");
    log.frame(
        ServerToClient,
        conn(0),
        r#"{"jsonrpc":"2.0","method":"notifications/progress"}"#,
    );
    let seen = log.frame(
        ServerToClient,
        conn(0),
        r#"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#,
    );
    assert_eq!(
        (
            seen.reply_to,
            seen.dur_us,
            seen.method.as_deref(),
            seen.flags
        ),
        (Some(one), Some(200), Some("tools/call"), NONE)
    );
}

#[test]
fn ids_are_tokens_and_belong_to_who_asked() {
    let mut log = Log::default();
    let number = log.request(ClientToServer, conn(0), "1", "a");
    let string = log.request(ClientToServer, conn(0), r#""1""#, "b");
    let theirs = log.request(ServerToClient, conn(0), "1", "ping");
    let accented = log.request(ClientToServer, conn(0), r#""é""#, "c");
    assert_eq!(
        log.result(ClientToServer, conn(0), "1"),
        (Some(theirs), NONE)
    );
    assert_eq!(
        log.result(ServerToClient, conn(0), r#""1""#),
        (Some(string), NONE)
    );
    assert_eq!(
        log.result(ServerToClient, conn(0), "1"),
        (Some(number), NONE)
    );
    assert_eq!(
        log.result(ServerToClient, conn(0), r#""\u00e9""#),
        (Some(accented), NONE)
    );
}

#[test]
fn one_id_twice_is_answered_oldest_first_then_as_a_duplicate() {
    let mut log = Log::default();
    let first = log.request(ClientToServer, conn(0), "1", "a");
    let second = log.request(ClientToServer, conn(0), "1", "b");
    assert_eq!(
        log.result(ServerToClient, conn(0), "1"),
        (Some(first), NONE)
    );
    assert_eq!(
        log.result(ServerToClient, conn(0), "1"),
        (Some(second), NONE)
    );
    assert_eq!(
        log.result(ServerToClient, conn(0), "1"),
        (Some(second), Flags::DUPLICATE)
    );
    let again = log.request(ClientToServer, conn(0), "1", "c");
    assert_eq!(
        log.result(ServerToClient, conn(0), "1"),
        (Some(again), NONE),
        "an answered id may be used again"
    );
}

#[test]
fn the_same_exchange_comes_first() {
    let mut log = Log::default();
    let first = log.request(ClientToServer, conn(0), "1", "a");
    let second = log.request(ClientToServer, conn(0), "1", "b");
    let third = log.request(ClientToServer, via(Seq(77)), "1", "c");
    assert_eq!(
        log.result(ServerToClient, via(second), "1"),
        (Some(second), NONE)
    );
    assert_eq!(
        log.result(ServerToClient, via(Seq(77)), "1"),
        (Some(third), NONE)
    );
    assert_eq!(
        log.result(ServerToClient, via(Seq(99)), "1"),
        (Some(first), NONE)
    );
}

#[test]
fn an_answer_without_an_id_is_known_by_its_exchange_alone() {
    let mut log = Log::default();
    let one = log.request(ClientToServer, conn(0), "1", "a");
    let error = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}"#;
    assert_eq!(
        log.frame(ServerToClient, conn(0), error).flags,
        Flags::ORPHAN
    );
    assert_eq!(
        log.frame(ServerToClient, via(one), error).reply_to,
        Some(one)
    );
}

#[test]
fn an_answer_to_nothing_is_an_orphan() {
    let mut log = Log::default();
    log.request(ClientToServer, conn(0), "1", "a");
    assert_eq!(
        log.result(ServerToClient, conn(0), "2"),
        (None, Flags::ORPHAN)
    );
    assert_eq!(
        log.result(ClientToServer, conn(0), "1"),
        (None, Flags::ORPHAN),
        "nobody answers himself"
    );
}

#[test]
fn an_answer_after_a_time_out_or_a_cancellation_is_late() {
    for (note, flags) in [
        (Note::TimedOut { after_ms: 30_000 }, Flags::LATE),
        (Note::Cancelled, Flags::LATE),
        (Note::Extended { by_ms: 1 }, NONE),
    ] {
        let mut log = Log::default();
        let one = log.request(ClientToServer, conn(0), "1", "a");
        let other = log.request(ClientToServer, conn(0), "2", "b");
        log.event(Conn(0), &Event::Note(note), Some(one));
        assert_eq!(
            log.result(ServerToClient, conn(0), "2"),
            (Some(other), NONE)
        );
        assert_eq!(log.result(ServerToClient, conn(0), "1"), (Some(one), flags));
    }
}

#[test]
fn what_a_closed_conn_left_unanswered_stays_so() {
    let mut log = Log::default();
    log.request(ClientToServer, conn(0), "1", "initialize");
    let closed = Closed {
        reason: EndReason::Exited,
        by: StoppedBy::Server,
        code: Some(0),
        signal: None,
        text: None,
        lived_us: 1,
    };
    log.event(Conn(0), &Event::Closed(closed), None);
    let again = log.request(ClientToServer, conn(1), "1", "initialize");
    assert_eq!(
        log.result(ServerToClient, conn(1), "1"),
        (Some(again), NONE)
    );
    assert_eq!(
        log.result(ServerToClient, conn(1), "1"),
        (Some(again), Flags::DUPLICATE)
    );
}

#[test]
fn the_items_of_a_batch_are_paired_one_by_one() {
    let mut log = Log::default();
    let lone = log.request(ClientToServer, conn(0), "9", "x");
    log.frame(
        ClientToServer,
        conn(0),
        r#"[{"jsonrpc":"2.0","id":1,"method":"a"},{"jsonrpc":"2.0","id":2,"method":"b"}]"#,
    );
    let batch = Seq(log.last);
    let seen = log.frame(
        ServerToClient,
        conn(0),
        r#"[{"jsonrpc":"2.0","method":"n"},{"jsonrpc":"2.0","id":2,"result":{}},{"jsonrpc":"2.0","id":3,"result":{}},{"jsonrpc":"2.0","id":9,"result":{}}]"#,
    );
    let answered: Vec<_> = seen
        .answered
        .iter()
        .map(|a| (a.item, a.reply_to, &*a.method))
        .collect();
    assert_eq!(answered, [(1, batch, "b"), (3, lone, "x")]);
    assert_eq!(
        (seen.reply_to, seen.dur_us, seen.flags),
        (Some(batch), Some(100), Flags::ORPHAN)
    );
    assert_eq!(
        log.result(ServerToClient, conn(0), "1"),
        (Some(batch), NONE)
    );
}

#[test]
fn memory_of_answered_requests_is_bounded() {
    let mut log = Log::default();
    for id in 0..10_001 {
        log.request(ClientToServer, conn(0), &id.to_string(), "a");
        log.result(ServerToClient, conn(0), &id.to_string());
    }
    assert_eq!(
        log.result(ServerToClient, conn(0), "0"),
        (None, Flags::ORPHAN)
    );
    assert_eq!(log.result(ServerToClient, conn(0), "1").1, Flags::DUPLICATE);
}
