//! Requests and what becomes of them, with real processes as servers.

use std::sync::Arc;
use std::time::Duration;

use super::{connect, fake, legacy, modern, sent};
use crate::client::connect::Dial;
use crate::client::link::{Limits, Link};
use crate::client::{Client, ClientError, Draft, Outcome, dispatch};
use crate::protocol::{Direction, EraChoice, Revision};
use crate::record::{Conn, EventKind, StoppedBy};
use crate::transport::testing::{Logged, SOON, TestLog, script, short};
use crate::transport::{Anonymous, Outbound, open};

pub(super) fn ask(method: &str) -> Draft {
    Draft::new(method, None)
}

pub(super) async fn outcome(client: &Client, draft: &Draft) -> Outcome {
    let call = client.call(draft).await.expect("sent");
    tokio::time::timeout(SOON, call.outcome())
        .await
        .expect("something becomes of it")
}

pub(super) fn text(outcome: Outcome) -> String {
    match outcome {
        Outcome::Reply {
            reply: Ok(result), ..
        } => result.get().to_owned(),
        Outcome::Reply {
            reply: Err(error), ..
        } => error.raw.get().to_owned(),
        Outcome::TimedOut { .. } => "timed out".to_owned(),
        Outcome::Cancelled => "cancelled".to_owned(),
        Outcome::Closed(reason) => super::super::ended(&reason),
        Outcome::Failed(error) => error.to_string(),
        Outcome::OverLimit { .. } => "over limit".to_owned(),
    }
}

#[tokio::test]
async fn results_and_errors_are_answers_and_nothing_else_is() {
    let log = TestLog::start();
    let client = legacy(
        &log,
        &[
            ("result", r#"{"jsonrpc":"2.0","id":$id,"result":{"n": 9007199254740993}}"#),
            ("error", r#"{"jsonrpc":"2.0","id":$id,"error":{"code":7,"message":"m"}}"#),
            // Noise, an answer to nobody, the wrong type of id, a broken line; then the answer, twice.
            ("noise", "Listening on port 3000\n{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}\n{\"jsonrpc\":\"2.0\",\"id\":\"$id\",\"result\":{\"wrong\":1}}\n{\"id\":$id,\n{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"right\":1}}\n{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{\"second\":1}}"),
            ("batch", r#"[{"jsonrpc":"2.0","method":"notifications/message"},{"jsonrpc":"2.0","id":$id,"result":{"in":"batch"}}]"#),
            ("both", r#"{"jsonrpc":"2.0","id":$id,"result":{},"error":{"code":1,"message":"x"}}"#),
        ],
    )
    .await;
    let check = async |method: &str, expected: &str| {
        assert_eq!(
            text(outcome(&client, &ask(method)).await),
            expected,
            "{method}"
        )
    };
    check("result", r#"{"n": 9007199254740993}"#).await;
    check("error", r#"{"code":7,"message":"m"}"#).await;
    check("noise", r#"{"right":1}"#).await;
    check("batch", r#"{"in":"batch"}"#).await;
    check("both", r#"{"code":1,"message":"x"}"#).await;
    check("result", r#"{"n": 9007199254740993}"#).await;
}

#[tokio::test]
async fn what_is_composed_is_what_is_sent() {
    let log = TestLog::start();
    let client = modern(
        &log,
        &[("tools/call", r#"{"jsonrpc":"2.0","id":$id,"result":{}}"#)],
    )
    .await;
    let draft = Draft::new(
        "tools/call",
        Some("{\"name\": \"x\",\n\"arguments\":{\"a\":9007199254740993}}".to_owned()),
    );
    let shown = client.compose(&draft);
    assert_eq!(client.compose(&draft), shown, "composing changes nothing");
    let call = client.call(&draft).await.unwrap();
    let seq = call.seq();
    call.outcome().await;
    let sent = log
        .until("the call", |all| {
            all.iter()
                .find(|logged| logged.record.seq == seq)
                .map(|logged| logged.body.clone())
        })
        .await;
    assert_eq!(sent, shown.bytes);
    let other = Draft {
        revision: Some(Revision::V2025_06_18),
        ..draft
    };
    let call = client.call(&other).await.unwrap();
    let seq = call.seq();
    let note = log
        .until("the note", |all| {
            all.iter()
                .find(|logged| logged.note("revision").is_some())
                .cloned()
        })
        .await;
    assert_eq!(
        (note.record.about, note.json()["revision"].as_str()),
        (Some(seq), Some("2025-06-18"))
    );
}

#[tokio::test]
async fn a_time_out_is_noted_told_and_survives_a_late_answer() {
    let log = TestLog::start();
    let client = legacy(
        &log,
        &[
            ("slow", "!"),
            (
                "notifications/cancelled",
                r#"{"jsonrpc":"2.0","id":3,"result":{"late":1}}"#,
            ),
            ("quick", r#"{"jsonrpc":"2.0","id":$id,"result":{}}"#),
        ],
    )
    .await;
    let draft = Draft {
        timeout: Some(Duration::from_millis(50)),
        ..ask("slow")
    };
    let call = client.call(&draft).await.unwrap();
    let seq = call.seq();
    assert!(
        matches!(call.outcome().await, Outcome::TimedOut { after } if after >= Duration::from_millis(50))
    );
    let late = |logged: &&Logged| logged.text().contains("late");
    let all = log
        .until("the late answer", |all| {
            all.iter().find(late).map(|_| all.to_vec())
        })
        .await;
    let note = all
        .iter()
        .find(|logged| logged.note("timed-out").is_some())
        .expect("a note");
    assert_eq!(note.record.about, Some(seq));
    let told = all
        .iter()
        .find(|logged| logged.is(Direction::ClientToServer) && logged.text().contains("cancelled"))
        .expect("told");
    assert_eq!(told.json()["params"]["requestId"], 3);
    assert_eq!(
        text(outcome(&client, &ask("quick")).await),
        "{}",
        "the client goes on"
    );
}

#[tokio::test]
async fn progress_and_the_user_give_more_time() {
    let log = TestLog::start();
    // Twice the time-out, with signs of life far closer together than it.
    let step = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$id,"progress":1}}
        !sleep 0.2
    "#;
    let answer = r#"{"jsonrpc":"2.0","id":$id,"result":{"done":1}}"#;
    let client = legacy(
        &log,
        &[
            ("tools/call", &format!("{}{answer}", step.repeat(15))),
            ("slow", &format!("!sleep 2\n{answer}")),
        ],
    )
    .await;
    let ask_for = |method, total| Draft {
        timeout: Some(Duration::from_millis(1500)),
        total,
        ..ask(method)
    };
    let draft = ask_for("tools/call", None);
    assert_eq!(text(outcome(&client, &draft).await), r#"{"done":1}"#);
    let call = client.call(&ask_for("slow", None)).await.unwrap();
    assert!(call.extend(SOON).await);
    assert_eq!(text(call.outcome().await), r#"{"done":1}"#);
    assert!(
        log.all()
            .iter()
            .any(|logged| logged.note("extended").is_some())
    );
    let capped = ask_for("tools/call", Some(Duration::from_millis(700)));
    let said = text(outcome(&client, &capped).await);
    assert_eq!(said, "timed out", "progress does not lift the hard limit");
}

#[tokio::test]
async fn the_user_can_cancel() {
    let log = TestLog::start();
    let client = legacy(&log, &[]).await;
    let call = client.call(&ask("never")).await.unwrap();
    let seq = call.seq();
    assert!(client.cancel(seq).await);
    assert!(!client.cancel(seq).await, "only once");
    assert!(!call.extend(SOON).await, "nothing is pending any more");
    assert_eq!(text(call.outcome().await), "cancelled");
    log.until("the notification", |_| {
        sent(&log)
            .contains(&"0:- notifications/cancelled".to_owned())
            .then_some(())
    })
    .await;
    let about = log
        .all()
        .iter()
        .find(|logged| logged.note("cancelled").is_some())
        .and_then(|logged| logged.record.about);
    assert_eq!(about, Some(seq));
}

#[tokio::test]
async fn a_crash_settles_what_was_pending_before_the_end_is_logged() {
    let log = TestLog::start();
    let client = legacy(
        &log,
        &[("never", "!"), ("crash", "!echo FATAL >&2; exit 3")],
    )
    .await;
    let waiting = client.call(&ask("never")).await.unwrap();
    let crash = client.call(&ask("crash")).await.unwrap();
    let seqs = [waiting.seq(), crash.seq()];
    let Outcome::Closed(reason) = crash.outcome().await else {
        panic!("the server has gone")
    };
    assert_eq!(
        (reason.closed.code, reason.last_stderr.as_str()),
        (Some(3), "FATAL")
    );
    assert_eq!(
        text(waiting.outcome().await),
        "the server exited with code 3"
    );
    let all = log
        .until("the end", |all| {
            (all.last()?.record.event == EventKind::Closed).then(|| all.to_vec())
        })
        .await;
    let unanswered: Vec<_> = all
        .iter()
        .filter(|logged| logged.note("unanswered").is_some())
        .filter_map(|logged| logged.record.about)
        .collect();
    assert_eq!(
        unanswered, seqs,
        "one note each, in the order of the requests, before the end"
    );
    let after = client.call(&ask("late")).await;
    assert!(
        matches!(&after, Err(ClientError::Closed { reason, .. }) if reason.closed.code == Some(3)),
        "nothing is sent after the end, and the error says how it ended: {after:?}"
    );
    client.gone().await;
}

#[tokio::test]
async fn an_input_that_is_closed_fails_the_call_and_not_the_connection() {
    let log = TestLog::start();
    let client = legacy(&log, &[("deaf", "!exec <&-; sleep 1000")]).await;
    client.call(&ask("deaf")).await.unwrap();
    // Until the pipe is closed on the other side, writes succeed.
    let big = "x".repeat(100_000);
    let failed = client.send_raw(Outbound::new(big)).await.unwrap();
    log.until("a failed write", |all| {
        all.iter()
            .any(|logged| {
                logged.note("write-failed").is_some() && logged.record.about == Some(failed)
            })
            .then_some(())
    })
    .await;
    let failed = text(outcome(&client, &ask("late")).await);
    assert_eq!(
        failed,
        "the server closed its input, so the message was not sent"
    );
    assert!(client.closed().is_none(), "the server may still speak");
}

#[tokio::test]
async fn requests_of_the_server_are_answered_by_rule() {
    let log = TestLog::start();
    let asks = r#"{"jsonrpc":"2.0","id":"a/b","method":"ping"}
        {"jsonrpc":"2.0","id":5,"method":"roots/list"}
        {"jsonrpc":"2.0","id":$id,"result":{}}"#;
    let client = legacy(&log, &[("go", asks)]).await;
    outcome(&client, &ask("go")).await;
    let answers = |all: &[Logged]| -> Vec<String> {
        all.iter()
            .filter(|logged| {
                logged.is(Direction::ClientToServer) && logged.json()["method"].is_null()
            })
            .map(|logged| logged.text())
            .collect()
    };
    let answers = log
        .until("two answers", |all| {
            Some(answers(all)).filter(|answers| answers.len() == 2)
        })
        .await;
    assert_eq!(answers[0], r#"{"jsonrpc":"2.0","id":"a/b","result":{}}"#);
    assert!(
        answers[1].contains(r#""id":5,"error":{"code":-32601"#),
        "{}",
        answers[1]
    );
    assert_eq!(
        log.all()
            .iter()
            .filter(|logged| logged.note("answered-by-rule").is_some())
            .count(),
        1
    );

    let log = TestLog::start();
    let client = modern(&log, &[("go", asks)]).await;
    outcome(&client, &ask("go")).await;
    log.until("two notes", |all| {
        (all.iter()
            .filter(|logged| logged.note("answered-by-rule").is_some())
            .count()
            == 2)
            .then_some(())
    })
    .await;
    assert_eq!(
        sent(&log),
        ["0:1 server/discover", "0:2 go"],
        "a modern client sends no responses"
    );
}

#[tokio::test]
async fn lists_are_paged_and_a_repeated_cursor_ends_them() {
    let log = TestLog::start();
    let page = |items: &str, next: &str| {
        format!(
            "printf '%s\\n' \"{}\"",
            format!(r#"{{"jsonrpc":"2.0","id":$id,"result":{{"tools":[{items}]{next}}}}}"#)
                .replace('"', "\\\"")
        )
    };
    let tools = format!(
        "!case $line in *'\"cursor\":\"\"'*) {};; *'\"cursor\":\"loop\"'*) {};; *) {};; esac",
        page(
            r#"{"name":"b","inputSchema":{}},17"#,
            r#","nextCursor":"loop""#
        ),
        page(
            r#"{"name":"c","inputSchema":{}}"#,
            r#","nextCursor":"loop""#
        ),
        page(r#"{"name":"a","inputSchema":{}}"#, r#","nextCursor":"""#),
    );
    let prompts = r#"{"jsonrpc":"2.0","id":$id,"result":{"prompts":{}}}"#;
    let resources = r#"{"jsonrpc":"2.0","id":$id,"result":{"resources":[],"nextCursor":null}}"#;
    let templates = r#"{"jsonrpc":"2.0","id":$id,"error":{"code":-32601,"message":"no"}}"#;
    let client = modern(
        &log,
        &[
            ("tools/list", &tools),
            ("prompts/list", prompts),
            ("resources/list", resources),
            ("resources/templates/list", templates),
        ],
    )
    .await;
    let tools = client.list_tools().await.unwrap();
    let names: Vec<_> = tools.items.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!((names, tools.pages), (vec!["a", "b", "", "c"], 3));
    assert_eq!(tools.items[2].problem.as_deref(), Some("it is no object"));
    assert_eq!(
        tools.problems,
        ["the server repeats the cursor \"loop\"; the list ends here"]
    );
    let prompts = client.list_prompts().await.unwrap_err().to_string();
    assert_eq!(
        prompts,
        "the server's answer to prompts/list cannot be used: its `prompts` is no array. Its bytes are in the log"
    );
    assert_eq!(client.list_resources().await.unwrap().problems.len(), 1);
    let templates = client.list_templates().await.unwrap_err();
    assert!(matches!(templates, ClientError::Refused { error, .. } if error.code == -32601));
}

#[tokio::test]
async fn a_server_that_does_not_read_its_input_blocks_nobody() {
    let log = TestLog::start();
    let answers = [super::NOT_FOUND, super::INITIALIZE, ("stop", "!sleep 1000")];
    let client = connect(&log, fake(&answers), EraChoice::Auto)
        .run()
        .await
        .unwrap();
    client.call(&ask("stop")).await.unwrap();
    let draft = |timeout| Draft {
        timeout: Some(timeout),
        ..Draft::new("big", Some(format!("[\"{}\"]", "x".repeat(200_000))))
    };
    // The first is written in part, so it times out; the second never gets there.
    let stuck = client.call(&draft(Duration::from_secs(1))).await.unwrap();
    assert_eq!(text(stuck.outcome().await), "timed out");
    let unsent = client
        .call(&draft(Duration::from_millis(50)))
        .await
        .unwrap_err();
    assert_eq!(
        unsent.to_string(),
        "big was not sent: the server has not read its input for 0.05 s"
    );
    client.close(StoppedBy::User, None);
    assert_eq!(
        client.gone().await.closed.by,
        StoppedBy::User,
        "closing works all the same"
    );
    assert!(
        sent(&log)
            .iter()
            .filter(|sent| sent.contains("big"))
            .count()
            == 1,
        "what was not sent is not logged"
    );
}

#[tokio::test]
async fn many_callers_at_once_get_their_own_answers() {
    let log = TestLog::start();
    let client = legacy(
        &log,
        &[("echo", r#"{"jsonrpc":"2.0","id":$id,"result":{"id":$id}}"#)],
    )
    .await;
    let calls = (0..200).map(|_| async {
        let call = client.call(&ask("echo")).await.unwrap();
        let seq = call.seq();
        (seq, call.outcome().await)
    });
    let outcomes = futures_util::future::join_all(calls).await;
    let all = log
        .until("all answers", |all| {
            (all.iter()
                .filter(|logged| logged.is(Direction::ServerToClient))
                .count()
                == 202)
                .then(|| all.to_vec())
        })
        .await;
    for (seq, outcome) in outcomes {
        let asked = all
            .iter()
            .find(|logged| logged.record.seq == seq)
            .unwrap()
            .json()["id"]
            .clone();
        let Outcome::Reply { raw, .. } = outcome else {
            panic!("no answer")
        };
        let message: serde_json::Value = serde_json::from_slice(&raw).unwrap();
        assert_eq!((&message["id"], &message["result"]["id"]), (&asked, &asked));
    }
}

#[tokio::test]
async fn a_task_that_fails_ends_its_connection_and_nobody_waits() {
    let log = TestLog::start();
    let session = log.session(short());
    let wire = open(&script("sleep 1000"), session, Arc::new(Anonymous))
        .await
        .unwrap();
    let config = script("sleep 1000");
    let dial = Dial::new(connect(&log, config.clone(), EraChoice::Auto));
    let link = Link::new(Arc::new(dial), config, Conn(0), wire.writer);
    let link = Arc::new(link);
    let task = log
        .tasks
        .spawn(dispatch::run(Arc::clone(&link), wire.inbound));
    let limits = Limits {
        timeout: Some(SOON),
        total: SOON,
    };
    let call = link
        .call(&ask("never"), link.manner(), limits)
        .await
        .unwrap();
    task.abort();
    assert_eq!(
        text(call.outcome().await),
        "this app closed the connection (this app failed)"
    );
    let closed = |logged: &Logged| logged.record.event == EventKind::Closed;
    log.until("the end of the process", |all| {
        all.iter().any(closed).then_some(())
    })
    .await;
}

#[tokio::test]
async fn what_waits_is_listed_with_its_progress_and_raw_frames_too() {
    let log = TestLog::start();
    let progress = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$id,"progress":0.5,"total":2,"message":"half"}}"#;
    let client = legacy(
        &log,
        &[
            ("tools/call", progress),
            ("quick", r#"{"jsonrpc":"2.0","id":$id,"result":{}}"#),
        ],
    )
    .await;
    let mut changes = client.pending_changes();
    assert_eq!(client.pending(), []);
    let params = Some(r#"{"name":"slow"}"#.to_owned());
    let call = client
        .call(&Draft::new("tools/call", params))
        .await
        .unwrap();
    let listed = loop {
        changes.changed().await.unwrap();
        if let [listed] = client.pending().as_slice()
            && listed.progress.is_some()
        {
            break listed.clone();
        }
    };
    let told = listed.progress.unwrap();
    assert_eq!(
        (
            listed.seq,
            listed.what.as_deref(),
            told.progress,
            told.total,
            told.message.as_deref(),
            told.count
        ),
        (call.seq(), Some("slow"), 0.5, Some(2.0), Some("half"), 1)
    );
    let left = listed.deadline_us.unwrap() - listed.sent_us;
    assert!(left >= i64::try_from(SOON.as_micros()).unwrap(), "{left}");

    // A raw frame with the id of the call: the log pairs an answer with what was sent first, and so does the list.
    let same = format!(r#"{{"jsonrpc":"2.0","id":{},"method":"quick"}}"#, listed.id);
    let raw = client.send_raw(Outbound::new(same)).await.unwrap();
    assert_eq!(text(call.outcome().await), "{}");
    let seqs: Vec<_> = client
        .pending()
        .iter()
        .map(|call| (call.seq, call.deadline_us))
        .collect();
    assert_eq!(seqs, [(raw, None)]);
    let own = r#"{"jsonrpc":"2.0","id":99,"method":"quick"}"#;
    client.send_raw(Outbound::new(own)).await.unwrap();
    while client.pending().len() > 1 {
        changes.changed().await.unwrap();
    }
    for none in [
        "no message",
        r#"{"jsonrpc":"2.0","method":"note"}"#,
        "{}\n{}",
    ] {
        client.send_raw(Outbound::new(none)).await.unwrap();
    }
    assert_eq!(client.pending().len(), 1, "what asks nothing does not wait");
    assert!(client.cancel(raw).await && !client.cancel(raw).await);
    let last = client
        .send_raw(Outbound::new(
            r#"{"jsonrpc":"2.0","id":"z","method":"never"}"#,
        ))
        .await
        .unwrap();
    client.close(StoppedBy::User, None);
    client.gone().await;
    assert_eq!(client.pending(), []);
    let noted = |seq, kind: &str| {
        let all = log.all();
        all.iter()
            .any(|logged| logged.record.about == Some(seq) && logged.note(kind).is_some())
    };
    assert!(noted(raw, "cancelled") && noted(last, "unanswered"));
}
