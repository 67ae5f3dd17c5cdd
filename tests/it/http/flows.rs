//! What one request can lead to: streams that go on, new sessions, another transport, answers that ask for another request.

use std::time::Duration;

use framescope_core::client::{Client, ClientError, Draft};
use framescope_core::protocol::{Direction, EraChoice, Revision};
use framescope_core::record::HttpPhase;
use framescope_core::transport::{HttpError, TransportError};

use super::OK;
use super::peer::{How, Log, call, called, session, soon, words};

/// The result of a modern call that went well.
pub(super) const MODERN_OK: &str = r#""content":[{"type":"text","text":"ok"}]"#;

async fn listed(client: &Client) -> String {
    let call = client.call(&Draft::new("tools/list", None)).await;
    words(&soon("the list", call.expect("sent").outcome()).await)
}

/// Calls the tool once.
pub(super) async fn once(scenario: &[&str], how: How) -> (String, Log) {
    let (done, log) = session(scenario, how, async |client, _| {
        words(&called(client).await)
    })
    .await;
    let said = done.unwrap_or_else(|error| panic!("{scenario:?}: {error}\n{log}"));
    log.is_linked();
    (said, log)
}

fn resumed(log: &Log) -> Vec<String> {
    let gets = log.requests("GET").into_iter();
    gets.filter_map(|get| get["headers"]["last-event-id"].as_str().map(str::to_owned))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn h13_a_stream_with_event_ids_is_gone_on_with() {
    let (said, log) = once(&["sse-polls"], How::default()).await;
    assert_eq!(said, OK, "{log}");
    assert_eq!(resumed(&log), ["5", "6"], "{log}");
    let (said, log) = once(&["sse-resumed-in-vain"], How::default()).await;
    assert!(
        said.contains("no response received for request id 3") && said.contains("brought none"),
        "{said}"
    );
    assert_eq!(resumed(&log), ["5", "5", "5"], "bounded");
    let (said, log) = once(&["sse-ends-primed"], How::default()).await;
    assert!(said.contains("could not be resumed (HTTP 404)"), "{said}");
    assert_eq!(resumed(&log), ["5"]);
}

/// What a server asks during a call goes over its own stream, or nowhere where that is not open yet.
#[tokio::test(flavor = "multi_thread")]
async fn no_request_overtakes_the_servers_own_stream() {
    for scenario in [&["get-resumes"][..], &["get-refused", "405"]] {
        let (_, log) = once(scenario, How::default()).await;
        let asked = log
            .http(HttpPhase::Request)
            .find(|(_, http)| http.method.as_deref() == Some("GET"));
        let asked = asked
            .map(|(request, _)| request.via.unwrap_or(request.seq))
            .expect("a GET");
        let begun = log
            .http(HttpPhase::Response)
            .find(|(response, _)| response.via == Some(asked))
            .map(|(response, _)| response.seq);
        let called = log.records.iter().find(|logged| {
            logged.is_frame(Direction::ClientToServer)
                && String::from_utf8_lossy(&logged.body).contains("tools/call")
        });
        assert!(begun < called.map(|call| call.record.seq), "{log}");
        assert!(begun.is_some(), "{log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_servers_own_stream_goes_on_where_it_was_left() {
    let (done, log) = session(
        &["get-resumes"],
        How::default(),
        async |client, mut seen| {
            seen.until("three notifications", |records| {
                let told = |body: &[u8]| String::from_utf8_lossy(body).contains("by GET");
                let told = records.iter().filter(|logged| {
                    logged.is_frame(Direction::ServerToClient) && told(&logged.body)
                });
                told.count() == 3
            })
            .await;
            words(&called(client).await)
        },
    )
    .await;
    assert_eq!(done.expect("connected"), OK);
    assert_eq!(resumed(&log), ["1", "2"], "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn h09_a_lost_session_is_begun_anew_once() {
    for scenario in ["session-expires", "session-expires-400"] {
        let (done, log) = session(&[scenario], How::default(), async |client, _| {
            [listed(client).await, words(&called(client).await)]
        })
        .await;
        let [list, called] = done.expect("connected");
        assert!(
            list.contains(r#""name":"fault""#),
            "{scenario}: {list}\n{log}"
        );
        assert_eq!(called, OK, "{scenario}\n{log}");
        let sent = log.sent();
        let expected = [
            "0:1 server/discover",
            "0:2 initialize",
            "0:- notifications/initialized",
            "0:3 tools/list",
            "1:4 initialize",
            "1:- notifications/initialized",
            "1:5 tools/list",
            "1:6 tools/call",
        ];
        assert_eq!(
            sent, expected,
            "{scenario}: repeated in the new session\n{log}"
        );
        let again: Vec<_> = log
            .requests("POST")
            .into_iter()
            .filter(|post| post["headers"]["mcp-session-id"].is_null())
            .collect();
        assert_eq!(
            again.len(),
            3,
            "initialize goes without a session: {again:?}"
        );
        assert_eq!(log.notes("retried").len(), 1, "{log}");
        let told = log.notes("handshake");
        assert!(
            told.iter().any(|(_, note)| note["text"]
                .as_str()
                .is_some_and(|text| text.contains("connecting anew"))),
            "{told:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn h09_a_call_that_may_change_something_is_not_repeated_and_nothing_loops() {
    let (done, log) = session(&["session-expires"], How::default(), async |client, _| {
        [words(&called(client).await), words(&called(client).await)]
    })
    .await;
    let [first, second] = done.expect("connected");
    assert!(
        first.contains("it was not repeated") || first.contains("was not repeated"),
        "{first}"
    );
    assert_eq!(second, OK, "{log}");
    let (done, log) = session(&["session-lost"], How::default(), async |client, _| {
        for _ in 0..3 {
            let said = listed(client).await;
            assert!(said.contains("does not know this session"), "{said}");
        }
    })
    .await;
    done.expect("connected");
    let begun = log
        .sent()
        .iter()
        .filter(|sent| sent.ends_with(" initialize"))
        .count();
    assert_eq!(
        begun, 2,
        "a session that never answered is not renewed\n{log}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn h15_http_with_sse_by_configuration_and_by_fallback() {
    for endpoint in [
        "/messages?s=1",
        "messages?s=1",
        "$ORIGIN/messages?s=1",
        "?s=1",
    ] {
        let scenario = &["old-sse", endpoint];
        let how = || How {
            sse: true,
            ..How::default()
        };
        let (said, log) = once(scenario, how()).await;
        assert_eq!(said, OK, "{endpoint}\n{log}");
        assert_eq!(
            log.sent(),
            [
                "0:1 initialize",
                "0:- notifications/initialized",
                "0:2 tools/call"
            ],
            "no probe: its revision is older than the other era"
        );
        assert!(
            log.requests("POST")
                .iter()
                .all(|post| post["path"] != "/mcp" || endpoint == "?s=1")
        );
        if endpoint == "?s=1" {
            continue;
        }
        let (said, log) = once(scenario, How::default()).await;
        assert_eq!(said, OK, "{endpoint}\n{log}");
        let told = log.notes("handshake");
        let text = |(_, note): &(_, serde_json::Value)| {
            note["text"].as_str().unwrap_or_default().to_owned()
        };
        let told: Vec<_> = told.iter().map(text).collect();
        assert!(
            told.iter()
                .any(|text| text.contains("HTTP 405") && text.contains("trying HTTP+SSE")),
            "the first error stays visible: {told:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn h15_what_http_with_sse_cannot_do_is_said() {
    let error = async |scenario: &[&str], how: How| {
        let (done, log) = session(scenario, how, async |_, _| ()).await;
        log.is_linked();
        done.expect_err("no connection").to_string()
    };
    let how = || How {
        sse: true,
        ..How::default()
    };
    let refused = error(&["old-sse", "$OTHER/messages"], how()).await;
    assert!(refused.contains("another origin"), "{refused}");
    let forced = How {
        forced: true,
        ..How::default()
    };
    let refused = error(&["old-sse"], forced).await;
    assert!(
        refused.contains("answered HTTP 405") && !refused.contains("HTTP+SSE"),
        "{refused}"
    );
    let both = error(&["html", "404"], How::default()).await;
    assert!(
        both.contains("answered HTTP 404")
            && both.contains("HTTP+SSE of 2024-11-05 was tried as well"),
        "{both}"
    );
    let neither = error(&["json"], how()).await;
    assert!(neither.contains("answered HTTP 405"), "{neither}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_the_only_stream_is_the_end_of_the_connection() {
    let how = How {
        sse: true,
        ..How::default()
    };
    let (done, log) = session(&["old-sse-ends"], how, async |client, _| {
        let outcome = words(&called(client).await);
        let gone = soon("the end", client.gone()).await;
        (outcome, gone.closed.text.clone().unwrap_or_default())
    })
    .await;
    let (outcome, text) = done.expect("connected");
    assert_eq!(outcome, "closed", "{log}");
    assert!(text.contains("event stream of"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mutual_revision_is_tried_once() {
    let (said, log) = once(&["modern-unsupported"], How::default()).await;
    assert!(said.contains(MODERN_OK), "{said}\n{log}");
    assert_eq!(
        log.sent(),
        ["0:1 server/discover", "0:2 tools/call", "0:3 tools/call"]
    );
    assert_eq!(log.notes("retried").len(), 1);
    let (said, log) = once(&["modern-unsupported-always"], How::default()).await;
    assert!(said.contains("-32022"), "{said}");
    assert_eq!(log.sent().len(), 3, "{log}");
    // What somebody chose to send is not corrected.
    let (done, log) = session(
        &["modern-unsupported"],
        How::default(),
        async |client, _| {
            let draft = Draft {
                revision: Some(Revision::V2025_11_25),
                ..call()
            };
            let draft = Draft {
                revision: Some(Revision::V2026_07_28),
                ..draft
            };
            words(
                &soon(
                    "the outcome",
                    client.call(&draft).await.expect("sent").outcome(),
                )
                .await,
            )
        },
    )
    .await;
    assert!(done.expect("connected").contains("-32022"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn e08_a_stale_schema_is_listed_again_once() {
    let (done, log) = session(
        &["modern-stale-schema"],
        How::default(),
        async |client, _| {
            let params = r#"{"name":"fault","arguments":{"team":"blue"}}"#.to_owned();
            let call = client
                .call(&Draft::new("tools/call", Some(params)))
                .await
                .expect("sent");
            words(&soon("the outcome", call.outcome()).await)
        },
    )
    .await;
    assert!(done.expect("connected").contains(MODERN_OK), "{log}");
    assert_eq!(
        log.sent(),
        [
            "0:1 server/discover",
            "0:2 tools/call",
            "0:3 tools/list",
            "0:4 tools/call"
        ]
    );
    let last = log.requests("POST").pop().expect("a POST");
    assert_eq!(last["headers"]["mcp-param-team"], "blue");
    let (done, log) = session(
        &["modern-stale-schema"],
        How::default(),
        async |client, _| {
            let draft = Draft {
                headers: vec![("Mcp-Param-Team".into(), "red".into())],
                ..call()
            };
            words(
                &soon(
                    "the outcome",
                    client.call(&draft).await.expect("sent").outcome(),
                )
                .await,
            )
        },
    )
    .await;
    assert!(
        done.expect("connected").contains("-32020"),
        "a header of one's own is not corrected\n{log}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn e07_a_tool_with_wrong_annotations_is_shown_and_not_called() {
    let (done, log) = session(&["modern-annotated"], How::default(), async |client, _| {
        let tools = soon("the tools", client.list_tools())
            .await
            .expect("a list");
        let draft = |name: &str| {
            Draft::new(
                "tools/call",
                Some(format!(
                    r#"{{"name":"{name}","arguments":{{"team":"Grüße"}}}}"#
                )),
            )
        };
        let refused = client.call(&draft("bad")).await.expect_err("not called");
        assert!(
            matches!(refused, ClientError::NotCallable { .. }),
            "{refused}"
        );
        assert!(client.compose(&draft("bad")).problem.is_some());
        let shown = client.compose(&draft("fault")).headers;
        let call = client.call(&draft("fault")).await.expect("sent");
        let said = words(&soon("the outcome", call.outcome()).await);
        (tools.items, shown, said)
    })
    .await;
    let (tools, shown, said) = done.expect("connected");
    assert!(tools[0].problem.is_none(), "{tools:?}");
    assert!(
        tools[1]
            .problem
            .as_deref()
            .is_some_and(|problem| problem.contains("over HTTP")),
        "{tools:?}"
    );
    assert!(said.contains(MODERN_OK), "{said}\n{log}");
    let sent = log.requests("POST").pop().expect("a POST");
    assert_eq!(sent["headers"]["mcp-param-team"], "=?base64?R3LDvMOfZQ==?=");
    let shown: Vec<_> = shown.iter().map(|(name, _)| name.as_str()).collect();
    assert!(
        shown.contains(&"Mcp-Param-Team"),
        "what will be sent is shown: {shown:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subscription_is_told_apart_and_has_no_time_out() {
    let how = How {
        timeout: Duration::from_secs(1),
        ..How::default()
    };
    let (done, log) = session(&["modern-listen"], how, async |client, _| {
        let mut notices = client.notices();
        let filter = r#"{"toolsListChanged":true,"promptsListChanged":true}"#;
        let call = client.listen(filter).await.expect("sent");
        let mut heard = vec![];
        for _ in 0..3 {
            let notice = soon("a notification", notices.recv()).await.expect("heard");
            heard.push((notice.method, notice.subscription.map(|id| id.to_string())));
        }
        // Longer than the time-out of requests.
        tokio::time::sleep(Duration::from_millis(1500)).await;
        client.notify("ping", None).await.expect("sent");
        (heard, words(&soon("its end", call.outcome()).await))
    })
    .await;
    let (heard, end) = done.expect("connected");
    assert_eq!(end, r#"result {"resultType":"complete"}"#, "{log}");
    let of = |method: &str, id: &str| (method.to_owned(), Some(id.to_owned()));
    assert_eq!(
        heard,
        [
            of("notifications/subscriptions/acknowledged", "2"),
            of("notifications/tools/list_changed", "2"),
            of("notifications/tools/list_changed", r#""other""#),
        ]
    );
    let said: Vec<_> = log
        .notes("deviation")
        .iter()
        .map(|(_, note)| note["text"].to_string())
        .collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(
        said[0].contains("does not offer promptsListChanged"),
        "{said:?}"
    );
    assert!(said[1].contains("which is not open"), "{said:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_array_is_noted_where_its_revision_does_not_allow_it() {
    for (revision, noted) in [(Revision::V2025_03_26, 0), (Revision::V2025_11_25, 1)] {
        let how = How {
            era: EraChoice::Revision(revision),
            ..How::default()
        };
        let (said, log) = once(&["json-batch"], how).await;
        assert_eq!(said, OK);
        assert_eq!(log.notes("deviation").len(), noted, "{revision}\n{log}");
        assert!(log.http(HttpPhase::End).count() > 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_is_kept_whatever_its_body_says() {
    for (scenario, status, server) in [
        (&["unauthorized"][..], 401, None),
        (&["unauthorized-json"], 401, Some("https://as.test")),
        (&["unauthorized-json", "403"], 403, Some("https://as.test")),
    ] {
        let (done, log) = session(scenario, How::default(), async |_, _| ()).await;
        let error = done.expect_err("no connection");
        let ClientError::Transport(TransportError::Http(HttpError::SignIn { challenge, .. })) =
            error
        else {
            panic!("{scenario:?}: {error}\n{log}");
        };
        assert_eq!(
            (challenge.status, challenge.auth_server.as_deref()),
            (status, server)
        );
        assert!(
            challenge.parameter("resource_metadata").is_some(),
            "{challenge:?}"
        );
        assert_eq!(log.sent().len(), 1, "it is no sign of an era\n{log}");
    }
    let (done, _) = session(&["forbidden"], How::default(), async |_, _| ()).await;
    let error = done.expect_err("no connection").to_string();
    assert!(error.contains("answered HTTP 403"), "{error}");
}
