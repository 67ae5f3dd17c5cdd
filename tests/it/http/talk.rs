//! What this side sends: headers of both eras, credentials, and the end of a request that is given up.

use std::time::Duration;

use framescope_core::client::Draft;
use framescope_core::protocol::{Direction, EraChoice, Kind, Revision, ServerConfig};
use framescope_core::record::HttpPhase;
use serde_json::Value;

use super::OK;
use super::peer::{How, Logged, call, called, client, session, soon, words};

#[tokio::test(flavor = "multi_thread")]
async fn h10_session_and_version_are_sent_with_everything_after_initialize() {
    let revision = Revision::V2025_06_18;
    let how = How {
        era: EraChoice::Revision(revision),
        ..How::default()
    };
    let (done, log) = session(&["get-stream"], how, async |client, _| {
        words(&called(client).await)
    })
    .await;
    assert_eq!(done.expect("connected"), OK);
    let header = |line: &Value, name: &str| line["headers"][name].as_str().map(str::to_owned);
    let (first, rest) = log.read.split_first().expect("requests");
    assert_eq!(
        header(first, "mcp-session-id"),
        None,
        "initialize begins without a session"
    );
    let methods: Vec<_> = rest
        .iter()
        .filter_map(|line| line["method"].as_str())
        .collect();
    for method in ["POST", "GET", "DELETE"] {
        assert!(methods.contains(&method), "{methods:?}");
    }
    for line in rest.iter().filter(|line| line["method"].is_string()) {
        assert_eq!(
            header(line, "mcp-session-id").as_deref(),
            Some("s1"),
            "{line}"
        );
        assert_eq!(
            header(line, "mcp-protocol-version").as_deref(),
            Some("2025-06-18"),
            "{line}"
        );
    }
    for line in &log.read {
        assert_eq!(header(line, "origin"), None, "an inspector is no web page");
        if line["method"] == "POST" {
            assert_eq!(
                header(line, "accept").as_deref(),
                Some("application/json, text/event-stream")
            );
            assert_eq!(
                header(line, "content-type").as_deref(),
                Some("application/json")
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn h19_requests_in_flight_have_ids_of_their_own() {
    let (done, log) = session(&["sse"], How::default(), async |client, _| {
        let mut calls = vec![];
        for _ in 0..20 {
            calls.push(client.call(&call()).await.expect("sent"));
        }
        let mut found = vec![];
        for call in calls {
            found.push(words(&soon("the outcome", call.outcome()).await));
        }
        found
    })
    .await;
    assert_eq!(done.expect("connected"), vec![OK; 20]);
    log.holds_every_byte();
    let sent = log
        .records
        .iter()
        .filter(|logged| logged.is_frame(Direction::ClientToServer));
    let mut ids: Vec<_> = sent
        .filter_map(|logged| logged.record.envelope.as_ref()?.id.clone())
        .collect();
    let all = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), all, "no id stands twice\n{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn h20_an_array_is_read_item_by_item() {
    for scenario in ["json-batch", "sse-batch"] {
        let (done, log) = session(&[scenario], How::default(), async |client, _| {
            words(&called(client).await)
        })
        .await;
        assert_eq!(done.expect("connected"), OK, "{scenario}");
        let batches = log.records.iter().filter(|logged| {
            let envelope = logged.record.envelope.as_ref();
            envelope
                .is_some_and(|envelope| envelope.kind == Kind::Batch && envelope.items.len() == 2)
        });
        assert_eq!(
            batches.count(),
            1,
            "it is a row, and seen to be an array\n{log}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_id_is_taken_from_nothing_but_the_answer_to_initialize() {
    let (done, log) = session(&["session-on-error"], How::default(), async |client, _| {
        words(&called(client).await)
    })
    .await;
    assert_eq!(done.expect("connected"), OK);
    let sent: Vec<_> = log
        .read
        .iter()
        .filter_map(|line| line["headers"]["mcp-session-id"].as_str())
        .collect();
    assert!(
        !sent.is_empty() && sent.iter().all(|id| *id == "s1"),
        "{sent:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_modern_request_repeats_its_body_in_headers_and_opens_no_session() {
    let (done, log) = session(&["modern-sse"], How::default(), async |client, _| {
        let params = r#"{"uri":"demo://grüße"}"#.to_owned();
        let call = client
            .call(&Draft::new("resources/read", Some(params)))
            .await
            .expect("sent");
        words(&soon("the outcome", call.outcome()).await)
    })
    .await;
    assert!(done.expect("connected").contains("-32601"));
    let last = log.requests("POST").pop().expect("a POST");
    let header = |name: &str| {
        last["headers"][name]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(header("mcp-protocol-version"), "2026-07-28");
    assert_eq!(header("mcp-method"), "resources/read");
    assert_eq!(header("mcp-name"), "=?base64?ZGVtbzovL2dyw7zDn2U=?=");
    for method in ["GET", "DELETE"] {
        assert!(
            log.requests(method).is_empty(),
            "there is no session: {:?}",
            log.read
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_modern_request_is_cancelled_by_the_end_of_its_stream() {
    let (done, log) = session(
        &["sse-endless-modern"],
        How::default(),
        async |client, _| {
            let call = client.call(&call()).await.expect("sent");
            assert!(call.cancel().await);
            words(&soon("the outcome", call.outcome()).await)
        },
    )
    .await;
    assert_eq!(done.expect("connected"), "cancelled");
    log.holds_every_byte();
    assert!(!log.read.iter().any(|line| {
        line["body"]
            .as_str()
            .is_some_and(|body| body.contains("cancelled"))
    }));
    let end = log
        .http(HttpPhase::End)
        .last()
        .and_then(|(_, end)| end.text);
    assert_eq!(
        end.as_deref(),
        Some("this app ended it: the request was given up"),
        "{log}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_legacy_request_is_cancelled_by_a_notification_and_its_late_answer_is_logged() {
    let how = How {
        timeout: Duration::from_secs(1),
        ..How::default()
    };
    let (done, log) = session(&["sse-late"], how, async |client, mut seen| {
        let first = words(&called(client).await);
        seen.until("the late answer", |records| {
            records.iter().any(|logged| is_answer(logged))
        })
        .await;
        first
    })
    .await;
    assert_eq!(done.expect("connected"), "timed out");
    log.holds_every_byte();
    let sent = log.read.iter().filter(|line| {
        line["body"]
            .as_str()
            .is_some_and(|body| body.contains("notifications/cancelled"))
    });
    assert_eq!(sent.count(), 1, "{:?}", log.read);
}

fn is_answer(logged: &Logged) -> bool {
    logged.is_frame(Direction::ServerToClient)
        && String::from_utf8_lossy(&logged.body).contains(r#""text":"ok""#)
}

#[tokio::test(flavor = "multi_thread")]
async fn credentials_are_sent_and_not_logged() {
    let headers = [
        ("Authorization", "Bearer t0ps3cret-token"),
        ("X-Api-Key", "k-12345678"),
        ("X-Plain", "seen"),
    ];
    let headers = headers
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec();
    let how = How {
        headers,
        ..How::default()
    };
    let (done, log) = session(&["json"], how, async |client, _| {
        words(&called(client).await)
    })
    .await;
    assert_eq!(done.expect("connected"), OK);
    for line in &log.read {
        assert_eq!(
            line["headers"]["authorization"], "Bearer t0ps3cret-token",
            "{line}"
        );
    }
    let text = log.to_string();
    assert!(
        !text.contains("t0ps3cret") && !text.contains("k-12345678"),
        "{text}"
    );
    let (_, first) = log.http(HttpPhase::Request).next().expect("a request");
    let has =
        |name: &str, value: &str| first.headers.contains(&(name.to_owned(), value.to_owned()));
    assert!(has("authorization", "‹masked›"), "{:?}", first.headers);
    assert!(
        has("x-api-key", "‹masked›") && has("x-plain", "seen"),
        "{:?}",
        first.headers
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_hangs_is_in_the_log_before_its_end() {
    let how = How {
        timeout: Duration::from_secs(1),
        era: EraChoice::Legacy,
        ..How::default()
    };
    let (done, log) = session(&["no-head"], how, async |client, _| {
        words(&called(client).await)
    })
    .await;
    assert_eq!(done.expect("connected"), "timed out");
    log.is_linked();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_reached_is_told_apart() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let closed = format!("http://{}/mcp", listener.local_addr().expect("its address"));
    drop(listener);
    let plain = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let tls = format!("https://{}/mcp", plain.local_addr().expect("its address"));
    std::thread::spawn(move || {
        use std::io::{Read as _, Write as _};
        for mut stream in plain.incoming().flatten() {
            // What comes is no request of HTTP, and a server says so.
            let _ = stream.read(&mut [0; 1024]);
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        }
    });
    for (url, expected) in [
        (
            closed.as_str(),
            "refused the connection: nothing listens on that port",
        ),
        (tls.as_str(), "try http:// in the URL"),
        (
            "http://no-such-host.invalid/mcp",
            "`no-such-host.invalid` could not be resolved",
        ),
        ("127.0.0.1:80/mcp", "as the URL of a server"),
        ("ftp://127.0.0.1/mcp", "`ftp` is no scheme that MCP uses"),
    ] {
        let config = ServerConfig::StreamableHttp {
            url: url.to_owned(),
            headers: vec![],
        };
        let how = How { ..How::default() };
        let (done, _) = client(config, how, async |_, _| ()).await;
        let error = done.expect_err("no connection").to_string();
        assert!(error.contains(expected), "{url}: {error}");
    }
}
