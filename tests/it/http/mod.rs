//! The Streamable HTTP transport against a server that misbehaves: no byte is lost, nothing hangs, and what went wrong is
//! said in words. Ids like `H04` name public faults of other clients.

mod flows;
mod input;
mod peer;
mod peers;
mod proxy;
mod talk;
mod tls;

use framescope_core::record::{Flags, HttpPhase};
use peer::{How, Log, called, session, words};

/// The result of a call that went well.
const OK: &str = r#"result {"content":[{"type":"text","text":"ok"}]}"#;

/// Calls the tool twice, holds the log against the bytes, and gives both outcomes, or why there was no connection.
async fn twice(scenario: &[&str]) -> (Result<[String; 2], String>, Log) {
    let (done, log) = session(scenario, How::default(), async |client, _| {
        [words(&called(client).await), words(&called(client).await)]
    })
    .await;
    log.holds_every_byte();
    (done.map_err(|error| error.to_string()), log)
}

async fn expect(scenario: &[&str], outcomes: [&str; 2]) -> Log {
    let (done, log) = twice(scenario).await;
    let found = done.unwrap_or_else(|error| panic!("{scenario:?}: not connected: {error}\n{log}"));
    for (found, expected) in found.iter().zip(outcomes) {
        assert!(
            found.contains(expected),
            "{scenario:?}: {found}, expected {expected}\n{log}"
        );
    }
    log
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_of_any_shape_are_read_and_no_byte_is_lost() {
    for scenario in [
        "json",
        "sse",
        "no-session",
        "json-chunked",
        "json-until-close",
        "json-batch",
        "gzip",
        "brotli",
        "sse-cr",
        "sse-crlf",
        "sse-bom",
        "sse-bare",
        "sse-unknown-fields",
        "sse-invalid-utf8",
        "sse-noise",
        "sse-batch",
        "sse-oddities",
        "sse-asks",
        "sse-burst",
        "sse-stays-open",
        "get-stream",
        "get-hangs",
        "get-ends",
        "slow-head",
        "closes-after",
        "http-10",
        "early-hints",
        "session-on-error",
        "delete-refused",
        "delete-accepted",
        "era-unsupported-legacy",
    ] {
        expect(&[scenario], [OK, OK]).await;
    }
    for scenario in ["modern-json", "modern-sse", "era-unsupported-once"] {
        let modern = r#""content":[{"type":"text","text":"ok"}]"#;
        expect(&[scenario], [modern, modern]).await;
    }
    expect(&["sse-split"], ["😀 —", "😀 —"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn large_answers_are_stored_in_parts_and_read_whole() {
    for scenario in ["json-big", "sse-big"] {
        expect(&[scenario, "20"], ["result {", "result {"]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_brings_no_answer_says_why_and_the_connection_stays() {
    let check = async |scenario: &[&str], words| expect(scenario, [words, OK]).await;
    check(
        &["html-later"],
        "answered HTTP 502, saying `<!doctype html>",
    )
    .await;
    check(&["empty"], "its answer is empty").await;
    check(&["empty", "202"], "it only accepted it (HTTP 202)").await;
    check(&["error"], r#"error {"code":-32602"#).await;
    check(&["error-without-id"], r#"error {"code":-32600"#).await;
    check(&["header-mismatch"], r#"error {"code":-32020"#).await;
    check(&["sse-ends-primed"], "could not be resumed (HTTP 404)").await;
    check(
        &["sse-unfinished"],
        "its event stream ended before the response",
    )
    .await;
    check(
        &["closes"],
        "broke before the answer was complete: connection closed",
    )
    .await;
    check(&["bad-chunk"], "broke before the answer was complete").await;
    check(
        &["two-lengths"],
        "is not valid HTTP: invalid content-length",
    )
    .await;
    check(&["session-expires-400"], "No valid session ID provided").await;
    expect(&["json-other-id"], ["its answer is no response to it"; 2]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entity_in_no_known_coding_is_kept_as_it_came() {
    let (done, log) = session(&["gzip-broken"], How::default(), async |client, _| {
        words(&called(client).await)
    })
    .await;
    done.expect("connected");
    let ends = log.http(HttpPhase::End).filter_map(|(_, end)| end.text);
    assert_eq!(
        ends.filter(|text| text.contains("its content coding cannot be undone"))
            .count(),
        1,
        "{log}"
    );
    let said = log
        .records
        .iter()
        .rfind(|logged| logged.record.flags.has(Flags::TRUNCATED));
    assert!(
        said.is_some_and(|said| said.body.starts_with(b"{")),
        "{log}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_connected_to_names_the_party_and_the_next_step() {
    for (scenario, expected) in [
        (&["html"][..], "That is a web page: check the URL"),
        (&["html", "500"], "answered HTTP 500"),
        (
            &["unauthorized"],
            "needs authorization (HTTP 401, Bearer resource_metadata=",
        ),
        (&["forbidden"], "answered HTTP 403"),
        (
            &["no-http"],
            "is not valid HTTP: invalid HTTP version parsed",
        ),
        (&["era-exits"], "broke before the answer was complete"),
        (&["era-unsupported-modern"], "share no protocol revision"),
    ] {
        let (done, log) = twice(scenario).await;
        let error = done.expect_err("no connection");
        assert!(error.contains(expected), "{scenario:?}: {error}\n{log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn h01_any_answer_to_a_notification_is_accepted() {
    for how in ["204", "200", "null", "html", "text", "chunked", "refused"] {
        expect(&[&format!("notify-{how}")], [OK, OK]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn h02_a_refused_stream_of_the_servers_own_is_noted_once() {
    for status in ["404", "405", "406", "400", "501"] {
        let log = expect(&["get-refused", status], [OK, OK]).await;
        let said: Vec<_> = log
            .http(HttpPhase::End)
            .filter_map(|(_, end)| end.text)
            .filter(|text| text.contains("offers no stream of its own"))
            .collect();
        assert_eq!(said.len(), 1, "{said:?}\n{log}");
        assert!(said[0].contains(&format!("HTTP {status}")), "{said:?}");
        assert_eq!(log.requests("GET").len(), 1, "it is not asked for again");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn h04_a_message_over_several_data_lines() {
    expect(&["sse-lines"], [r#"result {"content":[]}"#; 2]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn h06_comments_priming_events_and_other_events_are_no_messages() {
    let log = expect(&["sse-comments"], [OK, OK]).await;
    let comments: Vec<_> = log
        .http(HttpPhase::Comment)
        .filter_map(|(_, comment)| comment.text)
        .collect();
    assert!(
        comments.iter().any(|text| text.starts_with(':')),
        "{comments:?}"
    );
    assert!(
        comments.iter().any(|text| text.contains("id:")),
        "the priming event: {comments:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn h07_the_content_type_is_compared_as_http_says() {
    for kind in [
        "application/json; charset=utf-8",
        "Application/JSON",
        "application/vnd.api+json",
        "text/plain",
    ] {
        expect(&["content-type", kind], [OK, OK]).await;
    }
    expect(&["no-content-type"], [OK, OK]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_in_another_charset_is_read_and_noted() {
    let (done, log) = session(&["json-latin1"], How::default(), async |client, _| {
        words(&called(client).await)
    })
    .await;
    let answer = done.expect("connected");
    assert!(answer.contains("Gr\u{fc}\u{df}e"), "{answer}\n{log}");
    let notes = log.notes("deviation");
    assert!(
        notes
            .iter()
            .any(|(about, note)| about.is_some()
                && note["text"].to_string().contains("windows-1252")),
        "{notes:?}\n{log}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn h11_redirects_within_the_origin_are_followed_and_each_hop_is_a_frame() {
    for scenario in [
        &["redirect", "307"][..],
        &["redirect", "308"],
        &["redirect-absolute"],
        &["redirect-later"],
    ] {
        let log = expect(scenario, [OK, OK]).await;
        let again = log
            .records
            .iter()
            .filter(|logged| logged.record.about.is_some() && logged.record.envelope.is_some());
        let mut hops = 0;
        for again in again {
            let first = again.record.about.expect("the first");
            let first = &log.records[usize::try_from(first.0).expect("a number") - 1];
            assert_eq!(first.body, again.body, "the same bytes are sent on");
            hops += 1;
        }
        assert!(hops > 0, "{scenario:?}\n{log}");
    }
    for (scenario, why) in [
        (&["redirect", "301"][..], "turns a POST into a GET"),
        (&["redirect", "302"], "turns a POST into a GET"),
        (&["redirect", "303"], "turns a POST into a GET"),
        (&["redirect-loop"], "the fourth redirect"),
        (&["redirect-nowhere"], "answered HTTP 307"),
    ] {
        let (done, log) = twice(scenario).await;
        let error = done.expect_err("no connection");
        assert!(error.contains(why), "{scenario:?}: {error}\n{log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn h12_no_header_reaches_another_origin() {
    let how = How {
        headers: vec![("X-Api-Key".to_owned(), "k-12345678".to_owned())],
        ..How::default()
    };
    let (done, log) = session(&["redirect-other"], how, async |_, _| ()).await;
    let error = done.expect_err("no connection").to_string();
    assert!(
        error.contains("/elsewhere`") && error.contains("another origin"),
        "{error}"
    );
    let keys = log
        .read
        .iter()
        .filter(|line| line["headers"]["x-api-key"] == "k-12345678")
        .count();
    assert_eq!(
        keys,
        log.read.len(),
        "only the server itself was asked: {:?}",
        log.read
    );
    assert!(
        log.read.iter().all(|line| line["path"] == "/mcp"),
        "{:?}",
        log.read
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn h13_a_stream_that_ends_before_the_answer_fails_the_call_at_once() {
    for (scenario, why) in [
        ("sse-ends", "its event stream ended before the response"),
        (
            "sse-ends-at-once",
            "its event stream ended without a message",
        ),
        ("sse-cut", "broke before the answer was complete"),
        ("sse-reset", "broke before the answer was complete"),
    ] {
        expect(&[scenario], [why, OK]).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn h17_an_error_as_text_is_shown_with_its_status() {
    for status in ["400", "404", "421"] {
        let (done, log) = twice(&["text", status]).await;
        let [first, second] = done.expect("connected");
        let expected = if status == "404" {
            "does not know this session any more"
        } else {
            "malformed payload"
        };
        assert!(first.contains(expected), "{first}\n{log}");
        assert_eq!(second, OK);
    }
}
