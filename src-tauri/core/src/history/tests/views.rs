//! Filters over a session, and views that grow with it.

use super::*;
use crate::history::{Delta, HistoryError};
use crate::record::{EventKind, HttpEvent, HttpPhase};

/// A session with one of everything.
async fn mixed() -> Fixture {
    let fixture = Fixture::new().await;
    let frames = [
        (
            C2S,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"weather","arguments":{"city":"München"}}}"#,
        ),
        (C2S, r#"{"jsonrpc":"2.0","id":"1","method":"tools/list"}"#),
        (
            S2C,
            r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"100% \"quoted\""}}"#,
        ),
        (
            S2C,
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"M\u00fcnchen: rain"}]}}"#,
        ),
        (
            S2C,
            r#"{"jsonrpc":"2.0","id":"1","error":{"code":-32602,"message":"no"}}"#,
        ),
        (C2S, r#"{"jsonrpc":"2.0","id":3,"method":"tools/call"}"#),
        (
            S2C,
            r#"{"jsonrpc":"2.0","id":3,"result":{"isError":true,"content":[]}}"#,
        ),
        (S2C, "starting up"),
        (C2S, r#"{"jsonrpc":"2.0","id":4,"method":"ping"}"#),
        (C2S, r#"{"jsonrpc":"2.0","id":5,"method":"resources/read"}"#),
    ];
    for (direction, text) in frames {
        fixture.frame(direction, text).await;
    }
    fixture.note(Note::TimedOut { after_ms: 5 }, Seq(10)).await;
    fixture
        .event(
            Event::Stderr {
                line: "WARN Low_Memory".into(),
                unterminated: true,
            },
            None,
        )
        .await;
    let http = HttpEvent {
        phase: HttpPhase::Response,
        method: None,
        url: None,
        status: Some(503),
        headers: Vec::new(),
        connect_us: None,
        text: None,
    };
    fixture.event(Event::Http(http), None).await;
    fixture.event(closed(3), None).await;
    fixture.stored().await;
    fixture
}

#[tokio::test]
async fn filters_find_their_rows() {
    let fixture = mixed().await;
    let all: Vec<u64> = (1..=14).collect();
    let cases: [(&str, &[u64]); 44] = [
        ("", &all),
        ("dir:c2s", &[1, 2, 6, 9, 10]),
        ("kind:request", &[1, 2, 6, 9, 10]),
        ("kind:result,error", &[4, 5, 7]),
        ("kind:malformed", &[8]),
        ("kind:stderr,note,http", &[11, 12, 13]),
        ("kind:lifecycle", &[14]),
        ("-kind:request dir:c2s", &[]),
        ("method:tools/*", &[1, 2, 4, 5, 6, 7]),
        ("method:tools/call -dir:s2c", &[1, 6]),
        ("method:[tools", &[]),
        ("id:1", &[1, 4]),
        ("id:\"1\"", &[2, 5]),
        ("status:ok", &[1, 4]),
        ("status:error", &[2, 5]),
        ("status:iserror", &[6, 7]),
        ("status:timeout", &[10]),
        ("status:pending", &[9]),
        ("status:cancelled,check,unanswered", &[]),
        ("status:5xx", &[13]),
        ("status:503", &[13]),
        ("status:404", &[]),
        ("status:-32602", &[5]),
        ("-status:pending kind:request", &[1, 2, 6, 10]),
        ("has:note", &[10]),
        ("has:crash", &[14]),
        ("has:unterminated", &[12]),
        ("has:noise", &[8]),
        ("size:<12", &[8]),
        ("size:15 kind:stderr", &[12]),
        ("conn:0", &all),
        ("conn:>0", &[]),
        ("dur:>=0us", &[1, 2, 4, 5, 6, 7]),
        ("dur:>1h", &[]),
        ("at:last 1h", &all),
        ("at:<2000-01-01", &[]),
        ("starting", &[8]),
        ("WARN", &[12]),
        ("warn low_memory", &[12]),
        ("warn lowxmemory", &[]),
        ("\"100%\"", &[3]),
        ("\"\\\"QUOTED\\\"\"", &[3]),
        ("MÜNCHEN", &[1, 4]),
        (
            "-tools -kind:note,http,stderr,lifecycle",
            &[3, 4, 5, 7, 8, 9, 10],
        ),
    ];
    for (filter, expected) in cases {
        let view = fixture
            .reader
            .view(filter)
            .await
            .unwrap_or_else(|error| panic!("{filter}: {error}"));
        let found: Vec<_> = view.seqs(0, 99).iter().map(|seq| seq.0).collect();
        assert_eq!(found, expected, "{filter}");
        assert_eq!(view.total(), expected.len());
    }
}

#[tokio::test]
async fn a_filter_that_cannot_be_used_says_so() {
    let fixture = Fixture::new().await;
    for filter in ["dir:up", "pinned:yes"] {
        let error = fixture.reader.view(filter).await.expect_err(filter);
        assert!(matches!(error, HistoryError::Filter(_)), "{error}");
    }
}

#[tokio::test]
async fn pages_and_places() {
    let fixture = mixed().await;
    let view = fixture.reader.view("kind:request").await.unwrap();
    assert_eq!(view.seqs(1, 2), [Seq(2), Seq(6)]);
    assert_eq!(view.seqs(4, 100), [Seq(10)]);
    assert_eq!(view.seqs(9, 1), []);
    assert_eq!(view.index_of(Seq(6)), Ok(2));
    assert_eq!(view.index_of(Seq(7)), Err(3));
    let all = fixture.reader.view("").await.unwrap();
    assert_eq!(all.seqs(12, 9), [Seq(13), Seq(14)]);
    assert_eq!(
        (
            all.index_of(Seq(14)),
            all.index_of(Seq(15)),
            all.index_of(Seq(0))
        ),
        (Ok(13), Err(14), Err(0))
    );
    assert_eq!(all.head(), Seq(14));
}

/// A view of each kind, refreshed after every record.
#[tokio::test]
async fn a_view_grows_and_says_what_changed() {
    let fixture = Fixture::new().await;
    let open = async |filter| fixture.reader.view(filter).await.unwrap();
    let mut all = open("").await;
    let mut requests = open("kind:request").await;
    let mut pending = open("status:pending").await;
    let mut slow = open("dur:>=0us kind:request").await;
    let mut noted = open("has:note").await;
    let delta = |first, total, changed: &[u64], reset| Delta {
        first,
        total,
        changed: changed.iter().map(|seq| Seq(*seq)).collect(),
        reset,
    };

    fixture
        .frame(C2S, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
        .await;
    fixture
        .frame(C2S, r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#)
        .await;
    fixture.stored().await;
    assert_eq!(all.refresh().await.unwrap(), delta(0, 2, &[], false));
    assert_eq!(requests.refresh().await.unwrap(), delta(0, 2, &[], false));
    assert_eq!(pending.refresh().await.unwrap(), delta(0, 2, &[], false));
    assert_eq!(slow.refresh().await.unwrap(), delta(0, 0, &[], false));
    assert_eq!(noted.refresh().await.unwrap(), delta(0, 0, &[], false));
    assert_eq!(
        all.refresh().await.unwrap(),
        delta(2, 2, &[], false),
        "nothing came"
    );

    fixture
        .frame(S2C, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
        .await;
    fixture.stored().await;
    assert_eq!(all.refresh().await.unwrap(), delta(2, 3, &[1], false));
    assert_eq!(requests.refresh().await.unwrap(), delta(2, 2, &[1], false));
    assert_eq!(
        pending.refresh().await.unwrap(),
        delta(2, 1, &[], true),
        "#1 left"
    );
    assert_eq!(pending.seqs(0, 9), [Seq(2)]);
    assert_eq!(
        slow.refresh().await.unwrap(),
        delta(0, 1, &[1], true),
        "#1 entered"
    );

    fixture.note(Note::TimedOut { after_ms: 1 }, Seq(2)).await;
    fixture
        .frame(C2S, r#"{"jsonrpc":"2.0","id":3,"method":"ping"}"#)
        .await;
    fixture.stored().await;
    assert_eq!(all.refresh().await.unwrap(), delta(3, 5, &[2], false));
    assert_eq!(pending.refresh().await.unwrap(), delta(1, 1, &[], true));
    assert_eq!(pending.seqs(0, 9), [Seq(5)]);
    assert_eq!(noted.refresh().await.unwrap(), delta(0, 1, &[2], true));

    let batch = r#"[{"jsonrpc":"2.0","id":3,"result":{}},{"jsonrpc":"2.0","id":2,"result":{}}]"#;
    fixture.frame(S2C, batch).await;
    fixture.stored().await;
    assert_eq!(
        all.refresh().await.unwrap(),
        delta(5, 6, &[2, 5], false),
        "both requests of a batch"
    );
    assert_eq!(pending.refresh().await.unwrap(), delta(1, 0, &[], true));
}

/// Growing must not differ from opening anew.
#[tokio::test]
async fn a_view_that_grew_equals_one_that_was_opened() {
    let fixture = Fixture::new().await;
    let filters = [
        "",
        "kind:request",
        "status:ok",
        "-status:ok",
        "status:pending,error",
        "method:b dir:c2s",
        "rain",
    ];
    let mut views = Vec::new();
    for filter in filters {
        views.push(fixture.reader.view(filter).await.unwrap());
    }
    for n in 0..60_u64 {
        let text = match n % 4 {
            0 => format!(r#"{{"jsonrpc":"2.0","id":{n},"method":"a"}}"#),
            1 => format!(r#"{{"jsonrpc":"2.0","id":{n},"method":"b"}}"#),
            2 => format!(
                r#"{{"jsonrpc":"2.0","id":{},"result":{{"t":"rain"}}}}"#,
                n.saturating_sub(6)
            ),
            _ => format!(
                r#"{{"jsonrpc":"2.0","id":{},"error":{{"code":1,"message":"x"}}}}"#,
                n.saturating_sub(10)
            ),
        };
        fixture
            .frame(if n % 4 < 2 { C2S } else { S2C }, &text)
            .await;
        if n % 7 == 0 {
            fixture.stored().await;
            for view in &mut views {
                view.refresh().await.unwrap();
            }
        }
    }
    fixture.stored().await;
    for (view, filter) in views.iter_mut().zip(filters) {
        view.refresh().await.unwrap();
        let anew = fixture.reader.view(filter).await.unwrap();
        assert_eq!(view.seqs(0, 99), anew.seqs(0, 99), "{filter}");
        assert!(anew.total() > 0, "{filter}");
    }
    assert_eq!(fixture.reader.last(EventKind::Closed, 1).await.unwrap(), []);
}
