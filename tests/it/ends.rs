//! The end of a server at every moment: how it ended and what it left unanswered is in the log, and no process is left.

use std::fs;
use std::time::Duration;

use framescope_core::client::Outcome;
use framescope_core::history::{Settled, Verdict};
use framescope_core::record::{EventKind, Flags};
use serde_json::json;

use crate::peer::{Log, Peer, call, connect, soon};

/// Processes of the group of each process that the session started.
fn left(log: &Log, groups: &[u64]) -> Vec<String> {
    assert!(!groups.is_empty(), "nothing was started\n{log}");
    let mut found = vec![];
    for entry in fs::read_dir("/proc").expect("the processes").flatten() {
        let Ok(stat) = fs::read_to_string(entry.path().join("stat")) else {
            continue;
        };
        // pid (name) state parent group …; the name may hold anything.
        let fields: Vec<&str> = stat
            .rsplit(')')
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .collect();
        let group = fields.get(2).and_then(|group| group.parse().ok());
        if fields.first() != Some(&"Z") && group.is_some_and(|group| groups.contains(&group)) {
            found.push(stat);
        }
    }
    found
}

/// Nothing that the session started is left.
pub(crate) async fn nothing_is_left(log: &Log) {
    let mut groups = vec![];
    for row in log.events(EventKind::Opened) {
        groups.extend(log.json(row).await["pid"].as_u64());
    }
    let left = left(log, &groups);
    assert!(left.is_empty(), "{left:?}\n{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_in_a_call_is_told_by_code_and_signal() {
    for (scenario, code, signal) in [
        (["exit-in-call", "3"], Some(3), None),
        (["exit-in-call", "0"], Some(0), None),
        (["signal-in-call", "KILL"], None, Some("SIGKILL")),
        (["signal-in-call", "SEGV"], None, Some("SIGSEGV")),
        (["signal-in-call", "TERM"], None, Some("SIGTERM")),
        (["mid-line", ""], Some(0), None),
    ] {
        let peer = Peer::start(&scenario).await;
        let outcome = peer.called().await;
        let Outcome::Closed(reason) = &outcome else {
            panic!("{scenario:?}: {outcome:?}")
        };
        assert_eq!(
            (reason.closed.code, reason.closed.signal.as_deref()),
            (code, signal),
            "{scenario:?}"
        );
        let log = peer.end().await;
        let closed = log.closed().await;
        assert_eq!(
            (&closed["code"], &closed["signal"]),
            (&json!(code), &json!(signal)),
            "{scenario:?}"
        );
        assert_eq!(closed["by"], "server", "{scenario:?}: {closed}");
        let request = log.request("tools/call");
        assert_eq!(
            request.settled,
            Some(Settled::Unanswered),
            "{scenario:?}\n{log}"
        );
        assert_eq!(
            request.verdict,
            Some(Verdict::Unanswered),
            "{scenario:?}\n{log}"
        );
        let notes = log.notes("unanswered").await;
        let about: Vec<_> = notes.iter().map(|(about, _)| *about).collect();
        assert_eq!(about, [Some(request.seq)], "{scenario:?}\n{log}");
        let end = log.events(EventKind::Closed).last().expect("an end");
        assert_eq!(
            end.flags.has(Flags::CRASH),
            code != Some(0),
            "{scenario:?}\n{log}"
        );
        assert!(
            notes.iter().all(|(about, _)| *about < Some(end.seq)),
            "first what was left, then the end\n{log}"
        );
        log.holds_every_byte().await;
        nothing_is_left(&log).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn s09_the_end_before_the_handshake_names_command_code_and_reason() {
    for (scenario, reason) in [
        ("exit-at-once", "No module named foo"),
        ("exit-reason-late", "No module named foo"),
        ("exit-in-handshake", ""),
    ] {
        let peer = Peer::start(&[scenario]).await;
        let error = match peer.connected().await {
            Ok(_) => panic!("{scenario}: connected"),
            Err(error) => error.to_string(),
        };
        assert!(
            error.contains("exited with code 1") && error.contains(reason),
            "{scenario}: {error}"
        );
        let log = peer.end().await;
        let closed = log.closed().await;
        assert_eq!(
            (&closed["code"], &closed["by"]),
            (&json!(1), &json!("server")),
            "{scenario}: {closed}"
        );
        nothing_is_left(&log).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_end_that_was_asked_for_is_no_crash() {
    for (scenario, code) in [(["good", ""], 0), (["exit-at-eof", "4"], 4)] {
        let peer = Peer::start(&scenario).await;
        peer.client().await;
        let log = peer.end().await;
        let closed = log.closed().await;
        assert_eq!(
            (&closed["code"], &closed["by"]),
            (&json!(code), &json!("user")),
            "{scenario:?}: {closed}"
        );
        let end = log.events(EventKind::Closed).last().expect("an end");
        assert!(!end.flags.has(Flags::CRASH), "{scenario:?}\n{log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn s11_nothing_of_the_process_group_is_left() {
    for (scenario, signal) in [
        ("good", None),
        ("helper", None),
        ("ignores-eof", Some("SIGTERM")),
        ("ignores-term", Some("SIGKILL")),
        ("deaf", Some("SIGKILL")),
    ] {
        let patience = Duration::from_millis(if scenario == "deaf" { 100 } else { 30_000 });
        let (connected, log) = connect(&[scenario], patience, async |_| {}).await;
        assert_eq!(
            connected.is_ok(),
            scenario != "deaf",
            "{scenario}: {connected:?}"
        );
        let closed = log.closed().await;
        assert_eq!(closed["signal"], json!(signal), "{scenario}: {closed}");
        nothing_is_left(&log).await;
        log.holds_every_byte().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_never_answers_is_given_up_and_ended() {
    let (connected, log) = connect(&["mute"], Duration::from_millis(100), async |_| {}).await;
    let error = connected.expect_err("it says nothing").to_string();
    assert!(error.contains("did not answer initialize"), "{error}");
    let settled: Vec<_> = ["server/discover", "initialize"]
        .map(|method| log.request(method).settled)
        .into();
    assert_eq!(
        settled,
        [Some(Settled::Unanswered), Some(Settled::TimedOut)],
        "{log}"
    );
    let cancelled = log
        .rows
        .iter()
        .any(|row| row.method.as_deref() == Some("notifications/cancelled"));
    assert!(!cancelled, "initialize must not be cancelled\n{log}");
    nothing_is_left(&log).await;
    log.holds_every_byte().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_takes_its_helpers_along() {
    let (connected, log) = connect(&["helper-crash"], Duration::from_secs(30), async |client| {
        let outcome = client.call(&call()).await.expect("sent").outcome();
        let outcome = soon("the end of the call", outcome).await;
        assert!(matches!(outcome, Outcome::Closed(_)), "{outcome:?}");
    })
    .await;
    connected.expect("connected");
    assert_eq!(log.closed().await["signal"], "SIGKILL", "{log}");
    nothing_is_left(&log).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_closes_its_stdout_is_ended() {
    let (connected, log) = connect(
        &["closes-stdout"],
        Duration::from_secs(30),
        async |client| {
            let outcome = client.call(&call()).await.expect("sent").outcome();
            let outcome = soon("the end of the call", outcome).await;
            assert!(matches!(outcome, Outcome::Closed(_)), "{outcome:?}");
        },
    )
    .await;
    connected.expect("connected");
    let closed = log.closed().await;
    assert_eq!(
        (&closed["reason"], &closed["by"]),
        (&json!("stream-ended"), &json!("server")),
        "{closed}"
    );
    nothing_is_left(&log).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn s12_what_is_said_while_it_ends_lands_in_its_session() {
    for _ in 0..3 {
        let (connected, log) = connect(&["says-bye"], Duration::from_secs(30), async |_| {}).await;
        connected.expect("every connect works");
        let last = log
            .events(EventKind::Stderr)
            .last()
            .and_then(|row| row.whole.clone());
        assert_eq!(last.as_deref(), Some(b"bye".as_slice()), "{log}");
        assert_eq!(
            log.closed().await["code"],
            0,
            "it ended by itself after the signal\n{log}"
        );
        let end = log.events(EventKind::Closed).last().expect("an end");
        assert!(
            log.rows.last().map(|row| row.seq) == Some(end.seq),
            "nothing follows the end\n{log}"
        );
    }
}
