//! The tap: dense numbers in the order of the queue, nothing lost or logged by half, bounded, and honest when it fails.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use tokio::sync::Semaphore;

use crate::protocol::Direction::{ClientToServer, ServerToClient};
use crate::protocol::Problem;
use crate::record::channel::{QUEUE, channel};
use crate::record::{
    Body, BodyId, Carriage, Clock, Conn, Entry, Event, EventKind, Flags, HttpEvent, HttpPhase,
    KnownSecrets, LogReceiver, NotRecording, Note, Record, Redaction, Seq, Tap, log_channel,
};

const MIB: usize = 1 << 20;

fn pair() -> (Tap, LogReceiver) {
    log_channel(Clock::start(), KnownSecrets::default())
}

/// With a byte budget of its own, which may be filled without holding up other tests.
fn own_budget(bytes: usize) -> (Tap, LogReceiver, Arc<Semaphore>) {
    let budget = Arc::new(Semaphore::new(bytes));
    let (tap, receiver) = channel(Clock::start(), KnownSecrets::default(), Arc::clone(&budget));
    (tap, receiver, budget)
}

async fn frame(tap: &Tap, body: impl Into<Bytes>) -> Result<Seq, NotRecording> {
    tap.frame(ServerToClient, body.into(), Carriage::default())
        .await
        .map(|recorded| recorded.seq())
}

fn poll_once<F: Future>(future: F) -> Poll<F::Output> {
    pin!(future).poll(&mut Context::from_waker(Waker::noop()))
}

async fn take(receiver: &mut LogReceiver, max: usize) -> Vec<Entry> {
    let mut out = Vec::new();
    let count = receiver.recv_many(&mut out, max).await;
    assert_eq!(count, out.len());
    out
}

fn record(entry: &Entry) -> &Record {
    match entry {
        Entry::Record(record) => record,
        Entry::Part { .. } => panic!("a part where a record was expected"),
    }
}

#[tokio::test]
async fn a_frame_is_logged_with_what_is_known_of_it() {
    let (tap, mut receiver) = pair();
    let at = Carriage {
        conn: Conn(2),
        via: Some(Seq(7)),
        about: Some(Seq(8)),
        flags: Flags::UNTERMINATED,
    };
    let before = Clock::start().now_us();
    let recorded = tap
        .frame(ClientToServer, Bytes::from_static(b"\xff\r"), at)
        .await
        .unwrap();
    assert_eq!(
        (recorded.seq(), recorded.raw().unwrap().as_ref()),
        (Seq(1), b"\xff\r".as_ref())
    );
    assert_eq!(tap.head(), Seq(1));
    let entries = take(&mut receiver, 10).await;
    let logged = record(&entries[0]);
    assert_eq!(
        (logged.seq, logged.conn, logged.via, logged.about),
        (Seq(1), Conn(2), Some(Seq(7)), Some(Seq(8)))
    );
    assert_eq!(
        (logged.event, logged.direction),
        (EventKind::Frame, Some(ClientToServer))
    );
    assert!(
        logged.flags.has(Flags::UNTERMINATED) && !logged.flags.has(Flags::NOISE),
        "noise comes from servers only"
    );
    assert_eq!(logged.body.head().as_ref(), b"\xff\r");
    assert!(logged.at_us >= before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_order_of_the_queue_is_the_order_of_the_numbers() {
    let (tap, mut receiver) = pair();
    let writers: Vec<_> = (0..8)
        .map(|writer| {
            let tap = tap.clone();
            #[allow(clippy::disallowed_methods, reason = "a test has no session")]
            tokio::spawn(async move {
                let mut given = Vec::new();
                for n in 0..2_000 {
                    given.push(frame(&tap, format!("{writer} {n}")).await.unwrap());
                }
                assert!(given.is_sorted(), "one writer's frames keep their order");
            })
        })
        .collect();
    drop(tap);
    let (mut next, mut last_us) = (1, i64::MIN);
    loop {
        let entries = take(&mut receiver, 100).await;
        if entries.is_empty() {
            break;
        }
        for entry in &entries {
            let record = record(entry);
            assert_eq!(record.seq, Seq(next), "dense and in order");
            assert!(record.at_us >= last_us, "times never run backwards");
            (next, last_us) = (next + 1, record.at_us);
        }
    }
    assert_eq!(next, 16_001);
    for writer in writers {
        writer.await.unwrap();
    }
}

#[tokio::test]
async fn a_full_queue_waits_and_a_caller_who_gives_up_leaves_nothing() {
    let (tap, mut receiver) = pair();
    for _ in 0..QUEUE {
        frame(&tap, "x").await.unwrap();
    }
    assert!(poll_once(frame(&tap, "given up")).is_pending());
    assert_eq!(tap.head(), Seq(QUEUE as u64), "no number was taken");
    assert_eq!(take(&mut receiver, 24).await.len(), 24);
    assert_eq!(frame(&tap, "next").await.unwrap(), Seq(QUEUE as u64 + 1));
    assert_eq!(take(&mut receiver, 5_000).await.len(), QUEUE - 23);
}

#[tokio::test]
async fn the_byte_budget_is_held_until_the_next_batch_is_asked_for() {
    let (tap, mut receiver, budget) = own_budget(8 * MIB);
    frame(&tap, vec![b'x'; 3 * MIB]).await.unwrap();
    frame(&tap, vec![b'x'; 3 * MIB]).await.unwrap();
    assert!(
        poll_once(frame(&tap, vec![b'x'; 3 * MIB])).is_pending(),
        "over the budget"
    );
    assert_eq!(
        take(&mut receiver, 10).await.len(),
        1,
        "a batch ends where it reaches 1 MiB"
    );
    assert_eq!(budget.available_permits(), 2 * MIB, "taken, not committed");
    drop(receiver.uncommitted());
    assert_eq!(budget.available_permits(), 5 * MIB);
    assert_eq!(frame(&tap, vec![b'x'; 3 * MIB]).await.unwrap(), Seq(3));
    take(&mut receiver, 10).await;
    take(&mut receiver, 10).await;
    assert_eq!(
        budget.available_permits(),
        5 * MIB,
        "only the last batch holds its bytes"
    );
    drop(receiver);
    assert_eq!(budget.available_permits(), 8 * MIB);
}

#[tokio::test]
async fn a_batch_takes_no_more_than_it_is_asked_for() {
    let (tap, mut receiver) = pair();
    for size in [10, 10, 10, MIB / 2, MIB / 2, 10] {
        frame(&tap, vec![b'x'; size]).await.unwrap();
    }
    assert_eq!(take(&mut receiver, 2).await.len(), 2, "by count");
    assert_eq!(take(&mut receiver, 100).await.len(), 3, "by bytes");
    assert_eq!(take(&mut receiver, 100).await.len(), 1, "the rest");
    assert!(poll_once(take(&mut receiver, 100)).is_pending());
    drop(tap);
    assert_eq!(take(&mut receiver, 100).await.len(), 0, "all taps are gone");
}

#[tokio::test]
async fn a_body_larger_than_the_whole_budget_goes_through_in_parts() {
    let (tap, mut receiver, budget) = own_budget(8 * MIB);
    let sent: Bytes = (0..20 * MIB + 5)
        .map(|n| (n % 251) as u8)
        .collect::<Vec<_>>()
        .into();
    let whole = sent.clone();
    let writer = async move {
        let one = tap
            .frame(ServerToClient, whole.clone(), Carriage::default())
            .await
            .unwrap();
        let mut parts = tap.begin(ServerToClient, Carriage::default());
        parts.part(whole.slice(..7)).await.unwrap();
        parts.part(whole.slice(7..)).await.unwrap();
        parts.flag(Flags::UNTERMINATED);
        assert_eq!(
            tap.head(),
            Seq(1),
            "a frame in parts has no number before its end"
        );
        let two = parts.finish().await.unwrap();
        assert_eq!(one.raw(), two.raw());
    };
    let reader = async {
        let mut bodies: Vec<(BodyId, Vec<u8>, u32)> = Vec::new();
        let mut records: Vec<Record> = Vec::new();
        loop {
            let entries = take(&mut receiver, 100).await;
            if entries.is_empty() {
                return (bodies, records);
            }
            for entry in entries {
                match entry {
                    Entry::Record(record) => records.push(record),
                    Entry::Part { id, part, bytes } => {
                        assert!(bytes.len() <= 4 * MIB);
                        if part == 0 {
                            bodies.push((id, Vec::new(), 0));
                        }
                        let body = bodies.last_mut().unwrap();
                        assert_eq!((body.0, body.2), (id, part));
                        body.1.extend_from_slice(&bytes);
                        body.2 += 1;
                    }
                }
            }
        }
    };
    let ((), (bodies, records)) = tokio::join!(writer, reader);
    assert_eq!(
        records.iter().map(|record| record.seq).collect::<Vec<_>>(),
        [Seq(1), Seq(2)]
    );
    for (record, (id, bytes, _)) in records.iter().zip(&bodies) {
        let Body::Parts { id: of, size, head } = &record.body else {
            panic!("a body in parts")
        };
        assert_eq!((of, *size as usize, head.len()), (id, sent.len(), 64 << 10));
        assert!(bytes[..] == sent[..], "the parts make up the body");
        assert_eq!(head[..], sent[..64 << 10]);
    }
    assert!(
        records[1].flags.has(Flags::UNTERMINATED) && !records[0].flags.has(Flags::UNTERMINATED)
    );
    drop(receiver);
    assert_eq!(budget.available_permits(), 8 * MIB);
}

#[tokio::test]
async fn a_part_given_up_half_way_is_logged_by_the_next_call() {
    let (tap, mut receiver, _) = own_budget(8);
    let mut parts = tap.begin(ServerToClient, Carriage::default());
    parts.part(Bytes::from_static(b"12345678")).await.unwrap();
    assert!(poll_once(parts.part(Bytes::from_static(b"abc"))).is_pending());
    assert!(matches!(
        &take(&mut receiver, 1).await[0],
        Entry::Part { part: 0, .. }
    ));
    drop(receiver.uncommitted());
    parts.part(Bytes::new()).await.unwrap();
    let Entry::Part { part, bytes, .. } = &take(&mut receiver, 1).await[0] else {
        panic!("a part")
    };
    assert_eq!((*part, bytes.as_ref()), (1, b"abc".as_ref()));
}

#[tokio::test]
async fn events_are_logged_among_the_frames() {
    let (tap, mut receiver) = pair();
    let line = Event::Stderr {
        line: Bytes::from_static(b"boom"),
        unterminated: true,
    };
    tap.event(Conn(1), line, None, None).await.unwrap();
    tap.event(
        Conn(1),
        Event::Note(Note::TimedOut { after_ms: 5 }),
        None,
        Some(Seq(1)),
    )
    .await
    .unwrap();
    let entries = take(&mut receiver, 10).await;
    let (line, note) = (record(&entries[0]), record(&entries[1]));
    assert_eq!(
        (line.event, line.body.head().as_ref(), line.flags),
        (EventKind::Stderr, b"boom".as_ref(), Flags::UNTERMINATED)
    );
    assert_eq!(
        (note.event, note.about, note.conn),
        (EventKind::Note, Some(Seq(1)), Conn(1))
    );
    assert_eq!(
        note.body.head().as_ref(),
        br#"{"note":"timed-out","after_ms":5}"#
    );
}

#[tokio::test]
async fn after_a_failure_every_call_says_since_when() {
    let (tap, mut receiver) = pair();
    for _ in 0..QUEUE {
        frame(&tap, "x").await.unwrap();
    }
    let lost = NotRecording {
        since: Seq(3),
        why: "disk full".into(),
    };
    let mut parts = tap.begin(ServerToClient, Carriage::default());
    let waiting = async {
        let (one, two) = tokio::join!(
            frame(&tap, "waits"),
            parts.part(Bytes::from_static(b"waits too"))
        );
        assert_eq!(one.unwrap_err(), lost);
        assert_eq!(two.unwrap_err(), lost);
    };
    let failing = async {
        take(&mut receiver, 2).await;
        receiver.failure().fail(lost.clone());
        receiver.failure().fail(NotRecording {
            since: Seq(9),
            why: "again".into(),
        });
    };
    let ((), ()) = tokio::join!(biased; waiting, failing);
    assert_eq!(
        tap.event(Conn(0), Event::Note(Note::Cancelled), None, None)
            .await
            .unwrap_err(),
        lost
    );
    assert_eq!(parts.finish().await.unwrap_err(), lost);
    assert_eq!(tap.head(), Seq(QUEUE as u64), "no number is given any more");
}

#[tokio::test]
async fn an_ended_log_gives_what_is_queued_and_takes_no_more() {
    let (tap, mut receiver) = pair();
    for _ in 0..QUEUE {
        frame(&tap, "x").await.unwrap();
    }
    let ending = async {
        assert!(!receiver.is_ended());
        receiver.end();
        assert!(receiver.is_ended());
        let mut taken = 0;
        loop {
            match take(&mut receiver, 1000).await.len() {
                0 => return taken,
                some => taken += some,
            }
        }
    };
    let (refused, taken) = tokio::join!(biased; frame(&tap, "waits"), ending);
    assert_eq!(
        refused.unwrap_err(),
        NotRecording {
            since: Seq(QUEUE as u64 + 1),
            why: "the session has ended".into()
        }
    );
    assert_eq!(taken, QUEUE);
}

#[tokio::test]
async fn a_recorder_that_ends_without_a_word_fails_its_taps() {
    let (tap, mut receiver) = pair();
    for _ in 0..QUEUE {
        frame(&tap, "x").await.unwrap();
    }
    let waiting = frame(&tap, "waits");
    let ending = async {
        take(&mut receiver, 2).await;
        drop(receiver);
    };
    let (failed, ()) = tokio::join!(biased; waiting, ending);
    assert_eq!(
        failed.unwrap_err().since,
        Seq(3),
        "what was not taken is missing"
    );
    assert_eq!(frame(&tap, "x").await.unwrap_err().since, Seq(3));
}

#[tokio::test]
async fn a_clock_that_moved_is_noted_before_the_record_that_shows_it() {
    let clock = Clock::start().set_back_by(5_000_000);
    let (tap, mut receiver) = log_channel(clock, KnownSecrets::default());
    assert_eq!(frame(&tap, "x").await.unwrap(), Seq(2));
    let entries = take(&mut receiver, 10).await;
    let (note, after) = (record(&entries[0]), record(&entries[1]));
    assert_eq!(
        (note.seq, note.event, after.seq),
        (Seq(1), EventKind::Note, Seq(2))
    );
    assert!(
        note.body
            .head()
            .starts_with(br#"{"note":"clock-moved","by_us":5"#),
        "{:?}",
        note.body
    );
    assert!(after.at_us >= note.at_us);
}

#[tokio::test]
async fn known_secrets_are_masked_in_the_log_and_kept_for_the_client() {
    let secrets = KnownSecrets::new(vec![("TOKEN".into(), "hunter2hunter2".into())]);
    let (tap, mut receiver) = log_channel(Clock::start(), secrets);
    let sent = Bytes::from_static(br#"{"jsonrpc":"2.0","id":"hunter2hunter2","method":"m"}"#);
    let whole = tap
        .frame(ClientToServer, sent.clone(), Carriage::default())
        .await
        .unwrap();
    let mut parts = tap.begin(ClientToServer, Carriage::default());
    parts.part(sent.slice(..30)).await.unwrap();
    parts.part(sent.slice(30..)).await.unwrap();
    let parts = parts.finish().await.unwrap();
    for recorded in [&whole, &parts] {
        assert_eq!(recorded.raw(), Some(&sent));
        assert_eq!(
            recorded.envelope().id.as_ref().unwrap().as_str(),
            "\"hunter2hunter2\""
        );
    }
    let headers = vec![
        ("Authorization".into(), "Bearer abc".into()),
        ("X".into(), "a hunter2hunter2".into()),
    ];
    let http = HttpEvent {
        phase: HttpPhase::Request,
        method: None,
        url: None,
        status: None,
        headers,
        connect_us: None,
        text: None,
    };
    tap.event(Conn(0), Event::Http(http), None, None)
        .await
        .unwrap();
    drop((tap, whole, parts));
    let masked = "{\"jsonrpc\":\"2.0\",\"id\":\"‹secret:TOKEN›\",\"method\":\"m\"}";
    let (mut records, mut stored) = (Vec::new(), Vec::new());
    for entry in take(&mut receiver, 100).await {
        match entry {
            Entry::Record(record) => records.push(record),
            Entry::Part { bytes, .. } => stored.extend_from_slice(&bytes),
        }
    }
    assert_eq!(records[0].body.head(), masked);
    assert_eq!(stored, masked.as_bytes());
    for record in &records[..2] {
        assert!(record.flags.has(Flags::REDACTED));
        assert_eq!(
            record.redactions,
            [Redaction {
                offset: 23,
                name: "TOKEN".into()
            }]
        );
        assert_eq!(
            record
                .envelope
                .as_ref()
                .unwrap()
                .id
                .as_ref()
                .unwrap()
                .as_str(),
            "\"‹secret:TOKEN›\""
        );
    }
    let http =
        r#"{"phase":"request","headers":[["Authorization","‹masked›"],["X","a ‹secret:TOKEN›"]]}"#;
    assert_eq!(records[2].body.head(), http);
}

#[tokio::test]
async fn a_frame_over_the_parse_limit_is_stored_and_marked() {
    let (tap, mut receiver) = pair();
    let mut parts = tap
        .begin(ServerToClient, Carriage::default())
        .with_parse_limit(10);
    parts
        .part(Bytes::from_static(br#"{"jsonrpc":"2.0"#))
        .await
        .unwrap();
    parts
        .part(Bytes::from_static(br#"","id":1}"#))
        .await
        .unwrap();
    let recorded = parts.finish().await.unwrap();
    assert!(recorded.raw().is_none());
    assert_eq!(recorded.envelope().problems, [Problem::OverLimit]);
    let entries = take(&mut receiver, 10).await;
    assert_eq!(entries.len(), 3);
    let logged = record(&entries[2]);
    assert!(logged.flags.has(Flags::OVER_LIMIT));
    assert_eq!(logged.body.size(), 24);
}
