//! Rows, bodies, pairs.

use super::*;
use crate::history::{HistoryError, Settled, Verdict};
use crate::protocol::Kind;
use crate::record::{Conn, Event, EventKind, Flags, HttpEvent, HttpPhase};

#[tokio::test]
async fn bodies_come_back_to_the_byte() {
    let fixture = Fixture::new().await;
    let bodies: [&[u8]; 7] = [
        br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"n":9007199254740993,"x":1.0,"n":2}}"#,
        b"not JSON \xff\xfe\x00 at all",
        b"",
        b"\r",
        "‹secret:NAME›".as_bytes(),
        b"  {\"jsonrpc\" : \"2.0\"}  \r",
        &[0; 5000],
    ];
    for body in bodies {
        fixture.bytes(S2C, body).await;
    }
    fixture.stored().await;
    for (index, body) in bodies.iter().enumerate() {
        let seq = Seq(index as u64 + 1);
        assert_eq!(fixture.reader.body(seq).await.unwrap(), *body, "#{seq}");
        let row = fixture.row(seq).await;
        assert_eq!(row.size, body.len() as u64);
        assert_eq!(
            row.whole.as_deref(),
            (body.len() <= 2048).then_some(*body),
            "#{seq}"
        );
    }
    let missing = fixture.reader.body(Seq(99)).await;
    assert!(
        matches!(missing, Err(HistoryError::NoRecord { .. })),
        "{missing:?}"
    );
}

#[tokio::test]
async fn a_range_of_a_body_in_parts_is_found() {
    let fixture = Fixture::new().await;
    let mut tap = fixture.recording.tap.begin(S2C, Carriage::default());
    let parts: [&[u8]; 3] = [&[b'a'; 3000], &[b'b'; 10], &[b'c'; 3000]];
    for part in parts {
        tap.part(Bytes::copy_from_slice(part)).await.unwrap();
    }
    let seq = tap.finish().await.unwrap().seq();
    fixture.stored().await;
    let whole = parts.concat();
    assert_eq!(fixture.row(seq).await.size, 6010);
    assert_eq!(fixture.reader.body(seq).await.unwrap(), whole);
    for (from, len) in [
        (0, 1),
        (2999, 3),
        (3000, 10),
        (2995, 20),
        (6000, 100),
        (6010, 1),
        (9999, 1),
        (5, 0),
    ] {
        let range = fixture
            .reader
            .body_range(seq, from as u64, len as u64)
            .await
            .unwrap();
        let end = (from + len).min(whole.len());
        assert_eq!(
            range,
            whole.get(from..end).unwrap_or_default(),
            "{from}+{len}"
        );
    }
}

#[tokio::test]
async fn pairs_stand_on_both_rows() {
    let fixture = Fixture::new().await;
    let call = fixture
        .frame(
            C2S,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}"#,
        )
        .await;
    let open = fixture
        .frame(C2S, r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#)
        .await;
    let note = fixture
        .frame(S2C, r#"{"jsonrpc":"2.0","method":"notifications/message"}"#)
        .await;
    let failed = fixture
        .frame(C2S, r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#)
        .await;
    let answer = fixture
        .frame(
            S2C,
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":true}}"#,
        )
        .await;
    let error = fixture
        .frame(
            S2C,
            r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"no"}}"#,
        )
        .await;
    let again = fixture
        .frame(S2C, r#"{"jsonrpc":"2.0","id":3,"result":{}}"#)
        .await;
    let orphan = fixture
        .frame(S2C, r#"{"jsonrpc":"2.0","id":77,"result":{}}"#)
        .await;
    fixture.stored().await;

    let row = fixture.row(call).await;
    assert_eq!(
        (row.kind, row.direction, row.event),
        (Some(Kind::Request), Some(C2S), EventKind::Frame)
    );
    assert_eq!(
        (row.answer, row.verdict),
        (Some(answer), Some(Verdict::IsError))
    );
    assert_eq!(
        (row.method.as_deref(), row.rpc_id.as_deref()),
        (Some("tools/call"), Some("1"))
    );
    let response = fixture.row(answer).await;
    assert_eq!(response.reply_to, Some(call));
    assert_eq!(
        response.method.as_deref(),
        Some("tools/call"),
        "a response carries its request's method"
    );
    assert_eq!(response.dur_us, Some(response.at_us - row.at_us));
    assert_eq!(row.dur_us, response.dur_us);
    assert_eq!(row.gap_us, None);
    assert!(response.flags.has(Flags::IS_ERROR));
    assert_eq!(
        response.gap_us,
        Some(response.at_us - fixture.row(failed).await.at_us)
    );

    assert_eq!(fixture.row(open).await.verdict, Some(Verdict::Pending));
    assert_eq!(fixture.row(note).await.verdict, None);
    let row = fixture.row(failed).await;
    assert_eq!(
        (row.answer, row.verdict),
        (Some(error), Some(Verdict::Error)),
        "the first answer counts"
    );
    assert_eq!(fixture.row(error).await.code, Some(-32601));
    assert!(fixture.row(again).await.flags.has(Flags::DUPLICATE));
    assert!(fixture.row(orphan).await.flags.has(Flags::ORPHAN));
    let reply = fixture.reader.reply_to(call).await.unwrap();
    assert_eq!(reply.map(|row| row.seq), Some(answer));
    assert_eq!(fixture.reader.reply_to(open).await.unwrap(), None);
}

#[tokio::test]
async fn a_batch_answers_each_request() {
    let fixture = Fixture::new().await;
    let one = fixture
        .frame(C2S, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
        .await;
    let two = fixture
        .frame(C2S, r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#)
        .await;
    let batch = r#"[{"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"x"}},{"jsonrpc":"2.0","id":1,"result":{}}]"#;
    let batch = fixture.frame(S2C, batch).await;
    fixture.stored().await;
    for (seq, verdict) in [(one, Verdict::Ok), (two, Verdict::Error)] {
        let row = fixture.row(seq).await;
        assert_eq!(
            (row.answer, row.verdict),
            (Some(batch), Some(verdict)),
            "#{seq}"
        );
        assert!(row.dur_us.is_some());
    }
    assert_eq!(fixture.row(batch).await.kind, Some(Kind::Batch));
}

#[tokio::test]
async fn notes_settle_a_request_and_a_late_answer_does_not_undo_it() {
    let fixture = Fixture::new().await;
    let mut requests = Vec::new();
    for id in 1..=3 {
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call"}}"#);
        requests.push(fixture.frame(C2S, &text).await);
    }
    let extended = fixture.note(Note::Extended { by_ms: 1 }, requests[0]).await;
    let timed_out = fixture
        .note(Note::TimedOut { after_ms: 1 }, requests[0])
        .await;
    fixture.note(Note::Cancelled, requests[1]).await;
    fixture
        .note(Note::Unanswered { why: None }, requests[2])
        .await;
    let late = fixture
        .frame(S2C, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
        .await;
    fixture.stored().await;
    let rows = fixture.reader.rows(&requests).await.unwrap();
    let settled: Vec<_> = rows.iter().map(|row| (row.settled, row.verdict)).collect();
    let expected = [
        (Settled::TimedOut, Verdict::TimedOut),
        (Settled::Cancelled, Verdict::Cancelled),
        (Settled::Unanswered, Verdict::Unanswered),
    ];
    assert_eq!(
        settled,
        expected.map(|(settled, verdict)| (Some(settled), Some(verdict)))
    );
    assert_eq!(rows[0].answer, Some(late));
    assert!(fixture.row(late).await.flags.has(Flags::LATE));
    assert_eq!(fixture.row(late).await.verdict, Some(Verdict::Ok));
    let notes = fixture.reader.notes_about(requests[0]).await.unwrap();
    assert_eq!(seqs(&notes), [extended.0, timed_out.0]);
}

#[tokio::test]
async fn rows_come_in_the_order_that_was_asked_for() {
    let fixture = Fixture::new().await;
    for n in 0..5 {
        fixture
            .event(
                Event::Stderr {
                    line: format!("line {n}").into(),
                    unterminated: false,
                },
                None,
            )
            .await;
    }
    fixture.event(closed(3), None).await;
    fixture.stored().await;
    let rows = fixture
        .reader
        .rows(&[Seq(3), Seq(99), Seq(1), Seq(3)])
        .await
        .unwrap();
    assert_eq!(seqs(&rows), [3, 1, 3]);
    let last = fixture.reader.last(EventKind::Stderr, 2).await.unwrap();
    assert_eq!(seqs(&last), [4, 5]);
    assert_eq!(last[1].preview, "line 4");
    let end = fixture.row(Seq(6)).await;
    assert_eq!((end.code, end.flags.has(Flags::CRASH)), (Some(3), true));
    assert_eq!(fixture.reader.head().await.unwrap(), Seq(6));
}

#[tokio::test]
async fn many_records_are_stored_in_order() {
    let fixture = Fixture::new().await;
    for n in 0..3000 {
        let text = format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"n":{n}}}}}"#
        );
        assert_eq!(fixture.frame(S2C, &text).await, Seq(n + 1));
    }
    fixture.stored().await;
    let id = fixture.recording.id;
    let summary = fixture.history.session(id).await.unwrap();
    assert_eq!((summary.records, summary.frames), (3000, 3000));
    for n in [0, 1, 127, 128, 999, 1000, 2999] {
        let body = fixture.reader.body(Seq(n + 1)).await.unwrap();
        assert!(
            String::from_utf8_lossy(&body).contains(&format!("\"n\":{n}}}")),
            "{n}"
        );
    }
    fixture.recording.finish().await.unwrap();
}

#[tokio::test]
async fn an_exchange_is_put_together_from_its_records() {
    let fixture = Fixture::new().await;
    let log = async |phase, via| {
        let event = HttpEvent {
            phase,
            method: None,
            url: None,
            status: None,
            headers: vec![],
            connect_us: None,
            text: None,
        };
        let tap = &fixture.recording.tap;
        tap.event(Conn(0), Event::Http(event), via, None)
            .await
            .unwrap()
    };
    let post = fixture
        .frame(C2S, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
        .await;
    let get = log(HttpPhase::Request, None).await;
    let asked = log(HttpPhase::Request, Some(post)).await;
    let streamed = log(HttpPhase::Response, Some(get)).await;
    log(HttpPhase::Comment, Some(get)).await;
    let answered = log(HttpPhase::Response, Some(post)).await;
    let ended = log(HttpPhase::End, Some(post)).await;
    fixture.stored().await;
    for (via, expected) in [
        (post, vec![asked, answered, ended]),
        (get, vec![get, streamed]),
        (answered, vec![answered]),
        (Seq(99), vec![]),
    ] {
        let rows = fixture.reader.exchange(via).await.unwrap();
        let seqs: Vec<_> = rows.iter().map(|row| row.seq).collect();
        assert_eq!(seqs, expected, "#{via}");
    }
}
