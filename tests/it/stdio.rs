//! The stdio transport against a server that misbehaves: no byte is lost, nothing is fatal. Ids like `S04` name public
//! faults of other inspectors.

use std::time::Duration;

use framescope_core::client::{Draft, Outcome};
use framescope_core::history::Verdict;
use framescope_core::protocol::{Direction, Kind};
use framescope_core::record::{EventKind, Flags};
use serde_json::Value;

use crate::peer::{Peer, call, soon};

/// What becomes of the call.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Call {
    Answered,
    Closed,
}

/// Runs a scenario with one call, and holds the log against the bytes.
async fn conserves(scenario: &[&str], expected: Call) -> crate::peer::Log {
    let peer = Peer::start(scenario).await;
    let outcome = peer.called().await;
    let came = if matches!(outcome, Outcome::Reply { .. }) {
        Call::Answered
    } else if matches!(outcome, Outcome::Closed(_)) {
        Call::Closed
    } else {
        panic!("{scenario:?}: {outcome:?}")
    };
    assert_eq!(came, expected, "{scenario:?}: {outcome:?}");
    let log = peer.end().await;
    log.holds_every_byte().await;
    log
}

#[tokio::test(flavor = "multi_thread")]
async fn joining_the_frames_gives_back_every_byte() {
    use Call::{Answered, Closed};
    for (scenario, expected) in [
        ("noise", Answered),
        ("split-utf8", Answered),
        ("crlf", Answered),
        ("bom", Answered),
        ("invalid-utf8", Answered),
        ("invalid-utf8-answer", Answered),
        ("blank-lines", Answered),
        ("bytes", Answered),
        ("unterminated", Answered),
        ("mid-line", Closed),
        ("slow", Answered),
        ("deep", Answered),
        ("odd-ids", Answered),
        ("odd-messages", Answered),
        ("duplicate-answer", Answered),
        ("batch", Answered),
        ("asks", Answered),
        ("exit-in-call", Closed),
        ("signal-in-call", Closed),
        ("exit-after-answer", Answered),
    ] {
        conserves(&[scenario], expected).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn s01_foreign_lines_before_the_first_answer() {
    let log = conserves(&["noise"], Call::Answered).await;
    let noise: Vec<_> = log
        .inbound()
        .filter(|row| row.flags.has(Flags::NOISE))
        .collect();
    let texts: Vec<_> = noise
        .iter()
        .map(|row| row.whole.clone().unwrap_or_default())
        .collect();
    assert_eq!(
        texts[..5],
        [
            "",
            "> np@1.0.0 start",
            "> node server.js",
            "",
            "[dotenv] loaded 3 keys"
        ],
        "each line is a row, blank ones too"
    );
    assert_eq!(texts.len(), 6, "and the one in the call\n{log}");
    assert!(noise.iter().all(|row| row.kind == Some(Kind::Malformed)));
}

#[tokio::test(flavor = "multi_thread")]
async fn s02_a_character_cut_between_two_reads() {
    let peer = Peer::start(&["split-utf8"]).await;
    let outcome = peer.called().await;
    let result = result(&outcome);
    assert_eq!(result["content"][0]["text"], "\u{1f600} \u{2014} \u{928}");
    peer.end().await.holds_every_byte().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn s04_long_lines_lose_nothing_and_the_session_goes_on() {
    for scenario in ["big", "big-notification", "big-noise"] {
        let peer = Peer::start(&[scenario, "20"]).await;
        let outcome = peer.called().await;
        assert!(
            matches!(outcome, Outcome::Reply { .. }),
            "{scenario}: {outcome:?}"
        );
        let client = peer.client().await;
        let ping = client.call(&Draft::new("ping", None)).await.expect("sent");
        assert!(
            matches!(
                soon("the pong", ping.outcome()).await,
                Outcome::Reply { .. }
            ),
            "{scenario}"
        );
        let log = peer.end().await;
        assert!(
            log.inbound().any(|row| row.size > 20 << 20),
            "{scenario}: one row\n{log}"
        );
        log.holds_every_byte().await;
    }
}

#[test]
fn a_message_over_the_parse_limit_is_stored_and_memory_is_bounded() {
    const INSIDE: &str = "FRAMESCOPE_TEST_OVER_LIMIT";
    if std::env::var_os(INSIDE).is_some() {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        return runtime.block_on(over_the_limit());
    }
    // In a process of its own, whose memory is that of this test alone.
    let name = std::thread::current()
        .name()
        .map(str::to_owned)
        .expect("the test's name");
    let output = std::process::Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", &name, "--nocapture"])
        .env(INSIDE, "1")
        .output()
        .expect("a process");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(text.contains("1 passed"), "{text}");
}

async fn over_the_limit() {
    let peer = Peer::start(&["big", "300"]).await;
    let outcome = peer.called().await;
    let Outcome::OverLimit { seq } = outcome else {
        panic!("{outcome:?}")
    };
    #[cfg(target_os = "linux")]
    {
        let status = std::fs::read_to_string("/proc/self/status").expect("our memory");
        let peak = status
            .lines()
            .find_map(|line| line.strip_prefix("VmHWM:"))
            .expect("the peak");
        let peak: u64 = peak
            .trim()
            .trim_end_matches(" kB")
            .parse()
            .expect("a number");
        // Up to the limit it is kept, since it may still end before; the rest is what any process takes, and room.
        let limit = framescope_core::record::PARSE_LIMIT >> 10;
        assert!(peak < limit + (48 << 10), "{peak} KiB at the most");
    }
    let client = peer.client().await;
    let ping = client.call(&Draft::new("ping", None)).await.expect("sent");
    assert!(
        matches!(
            soon("the pong", ping.outcome()).await,
            Outcome::Reply { .. }
        ),
        "the wire stays open"
    );
    let log = peer.end().await;
    let row = log.inbound().find(|row| row.seq == seq).expect("its row");
    assert!(
        row.size > 300 << 20 && row.flags.has(Flags::OVER_LIMIT),
        "{log}"
    );
    let notes = log.notes("over-limit").await;
    assert_eq!(
        notes.first().map(|(about, _)| *about),
        Some(Some(seq)),
        "{log}"
    );
    let unanswered = log.notes("unanswered").await;
    let asked = log.rows.iter().find(|row| {
        row.method.as_deref() == Some("tools/call")
            && unanswered.iter().any(|(about, _)| *about == Some(row.seq))
    });
    assert_eq!(
        asked.and_then(|row| row.verdict),
        Some(Verdict::Unanswered),
        "nothing in the log waits for ever: {log}"
    );
    log.holds_every_byte().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn h19_ids_are_used_once() {
    let peer = Peer::start(&["era-exits"]).await;
    let client = peer.client().await;
    let calls = [client.call(&call()).await, client.call(&call()).await];
    for call in calls {
        soon("the answer", call.expect("sent").outcome()).await;
    }
    let log = peer.end().await;
    let ids: Vec<_> = log
        .frames(Direction::ClientToServer)
        .filter_map(|row| row.rpc_id.clone())
        .collect();
    assert_eq!(ids, ["1", "2", "3", "4"], "also over a new process\n{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn s06_lines_that_end_in_crlf() {
    let log = conserves(&["crlf"], Call::Answered).await;
    let bodies: Vec<_> = log.inbound().filter_map(|row| row.whole.clone()).collect();
    assert!(
        bodies.iter().all(|body| body.ends_with(b"\r")),
        "the CR is kept\n{log}"
    );
    assert!(
        log.inbound().all(|row| row.kind != Some(Kind::Malformed)),
        "and read\n{log}"
    );
    let sent = log
        .frames(Direction::ClientToServer)
        .filter_map(|row| row.whole.clone());
    assert!(
        sent.into_iter().all(|body| !body.ends_with(b"\r")),
        "we send LF only"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn s07_a_byte_order_mark() {
    let log = conserves(&["bom"], Call::Answered).await;
    let marked = log.inbound().filter(|row| {
        row.whole
            .as_ref()
            .is_some_and(|body| body.starts_with(b"\xef\xbb\xbf"))
    });
    let kinds: Vec<_> = marked.map(|row| row.kind).collect();
    assert_eq!(
        kinds,
        [Some(Kind::Error), Some(Kind::Result)],
        "read, and kept\n{log}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn s08_bytes_that_are_no_utf8() {
    let log = conserves(&["invalid-utf8"], Call::Answered).await;
    let odd: Vec<_> = log
        .inbound()
        .filter(|row| row.kind == Some(Kind::Malformed))
        .collect();
    assert_eq!(
        odd.len(),
        1,
        "no message, where the other one is a notification\n{log}"
    );
    assert_eq!(
        log.body(odd[0]).await,
        b"{\"t\":\"\xff\"}",
        "its bytes are there"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_with_bytes_that_are_no_utf8_reaches_its_caller() {
    let peer = Peer::start(&["invalid-utf8-answer"]).await;
    let outcome = peer.called().await;
    assert_eq!(result(&outcome)["content"][0]["text"], "caf\u{fffd}");
    let log = peer.end().await;
    assert!(log.request("tools/call").answer.is_some(), "{log}");
    log.holds_every_byte().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn h20_an_answer_inside_of_an_array() {
    let log = conserves(&["batch"], Call::Answered).await;
    let batches: Vec<_> = log
        .inbound()
        .filter(|row| row.kind == Some(Kind::Batch))
        .collect();
    assert_eq!(
        batches.len(),
        2,
        "the empty array and the one with the answer\n{log}"
    );
    assert_eq!(
        log.request("tools/call").answer,
        Some(batches[1].seq),
        "its item answers\n{log}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_burst_of_ten_thousand_notifications_is_whole() {
    let log = conserves(&["burst", "10000"], Call::Answered).await;
    let count = log
        .inbound()
        .filter(|row| row.kind == Some(Kind::Notification))
        .count();
    assert_eq!(count, 10_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_full_pipes_do_not_wait_for_each_other() {
    // The server writes 12 MB without reading; meanwhile we send more than any pipe holds.
    let peer = Peer::start(&["both-full", "100000"]).await;
    let client = peer.client().await;
    let first = client.call(&call()).await.expect("sent");
    let params = format!(r#"{{"filler":"{}"}}"#, "x".repeat(100_000));
    let sent = async {
        for _ in 0..20 {
            client
                .notify("notifications/filler", Some(&params))
                .await
                .expect("sent");
        }
    };
    soon("all notifications to be sent", sent).await;
    let outcome = soon("the answer", first.outcome()).await;
    assert!(matches!(outcome, Outcome::Reply { .. }), "{outcome:?}");
    let log = peer.end().await;
    log.holds_every_byte().await;
    assert!(log.inbound().count() > 100_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_ids_are_rows_with_marks_and_never_answers() {
    let peer = Peer::start(&["odd-ids"]).await;
    let outcome = peer.called().await;
    assert_eq!(
        result(&outcome)["content"][0]["text"],
        "ok",
        "only the right id answers"
    );
    let log = peer.end().await;
    let request = log.request("tools/call");
    let id = request.rpc_id.clone().expect("an id");
    let answers: Vec<_> = log
        .inbound()
        .skip_while(|row| row.seq < request.seq)
        .collect();
    assert_eq!(answers.len(), 13, "{log}");
    let (right, wrong) = answers.split_last().expect("answers");
    assert_eq!(
        (right.reply_to, right.rpc_id.as_deref()),
        (Some(request.seq), Some(id.as_str()))
    );
    for row in wrong {
        assert_eq!(row.reply_to, None, "#{} {}", row.seq, row.preview);
        assert!(
            row.flags.has(Flags::ORPHAN) || row.kind == Some(Kind::Malformed),
            "#{} has no mark: {}\n{log}",
            row.seq,
            row.preview
        );
    }
    assert_eq!(
        wrong[0].rpc_id.as_deref(),
        Some(format!("\"{id}\"").as_str()),
        "text, not a number"
    );
    assert_eq!(
        wrong[2].rpc_id.as_deref(),
        Some("9007199254740993"),
        "to the digit"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_answer_is_marked() {
    let log = conserves(&["duplicate-answer"], Call::Answered).await;
    let request = log.request("tools/call");
    let answers: Vec<_> = log.inbound().filter(|row| row.seq > request.seq).collect();
    assert_eq!(request.answer, Some(answers[0].seq));
    assert!(
        answers[1].flags.has(Flags::DUPLICATE) && !answers[0].flags.has(Flags::DUPLICATE),
        "{log}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn contradicting_messages_are_rows() {
    let log = conserves(&["odd-messages"], Call::Answered).await;
    let request = log.request("tools/call");
    let odd = log
        .inbound()
        .filter(|row| row.seq > request.seq && row.kind == Some(Kind::Malformed))
        .count();
    assert!(odd >= 10, "{odd} are malformed\n{log}");
    assert_eq!(
        request.answer,
        log.inbound().last().map(|row| row.seq),
        "the right answer came last"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_of_the_server_are_answered_also_under_an_id_of_ours() {
    let log = conserves(&["asks"], Call::Answered).await;
    let asked: Vec<_> = log
        .inbound()
        .filter(|row| row.kind == Some(Kind::Request))
        .collect();
    assert_eq!(asked.len(), 4, "{log}");
    for (row, code) in asked
        .iter()
        .zip([None, Some(-32601), Some(-32601), Some(-32601)])
    {
        let answer = log
            .frames(Direction::ClientToServer)
            .find(|answer| answer.reply_to == Some(row.seq));
        let answer = answer.unwrap_or_else(|| panic!("#{} has no answer\n{log}", row.seq));
        assert_eq!(answer.code, code, "#{} {}", row.seq, row.preview);
    }
    let rules = log.notes("answered-by-rule").await;
    assert!(rules.len() >= 3, "{rules:?}");
    let answer = log.request("tools/call").answer;
    assert_eq!(
        answer,
        log.inbound().last().map(|row| row.seq),
        "ids of the two sides do not meet\n{log}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_late_answer_is_marked_and_changes_nothing() {
    let peer = Peer::start(&["late"]).await;
    let client = peer.client().await;
    let call = client.call(&call()).await.expect("sent");
    assert!(call.cancel().await, "it is pending");
    let outcome = call.outcome().await;
    assert!(matches!(outcome, Outcome::Cancelled), "{outcome:?}");
    let ping = client.call(&Draft::new("ping", None)).await.expect("sent");
    soon("the pong", ping.outcome()).await;
    let log = peer.end().await;
    let late: Vec<_> = log
        .inbound()
        .filter(|row| row.flags.has(Flags::LATE))
        .collect();
    assert_eq!(late.len(), 1, "{log}");
    assert_eq!(late[0].reply_to, Some(log.request("tools/call").seq));
    log.holds_every_byte().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn silence_times_out_and_the_session_goes_on() {
    let peer = Peer::start(&["silent"]).await;
    let client = peer.client().await;
    let mut draft = call();
    draft.timeout = Some(Duration::from_millis(50));
    let outcome = client.call(&draft).await.expect("sent").outcome().await;
    assert!(matches!(outcome, Outcome::TimedOut { .. }), "{outcome:?}");
    let ping = client.call(&Draft::new("ping", None)).await.expect("sent");
    assert!(matches!(
        soon("the pong", ping.outcome()).await,
        Outcome::Reply { .. }
    ));
    let log = peer.end().await;
    let request = log.request("tools/call").seq;
    let notes = log.notes("timed-out").await;
    assert_eq!(
        notes.first().map(|(about, _)| *about),
        Some(Some(request)),
        "{log}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_on_stderr_blocks_nothing_and_is_whole() {
    let log = conserves(&["stderr-flood", "10000"], Call::Answered).await;
    assert_eq!(log.events(EventKind::Stderr).count(), 10_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_stderr_is_kept_to_the_byte() {
    let log = conserves(&["stderr-odd"], Call::Answered).await;
    let mut all = vec![];
    for row in log.events(EventKind::Stderr) {
        assert!(row.size <= 64 << 10, "#{} is {} bytes", row.seq, row.size);
        all.extend(log.body(row).await);
        if !row.flags.has(Flags::UNTERMINATED) {
            all.push(b'\n');
        }
    }
    let mut expected = b"\x1b[31mred\x1b[0m\r\n\n\xff\xfe\n".to_vec();
    expected.extend(vec![b'y'; 100 << 10]);
    expected.extend(b"\ntail without end");
    assert!(
        all == expected,
        "{} bytes in place of {}\n{log}",
        all.len(),
        expected.len()
    );
}

/// The result of an answered call.
fn result(outcome: &Outcome) -> Value {
    let Outcome::Reply {
        reply: Ok(result), ..
    } = outcome
    else {
        panic!("no result: {outcome:?}")
    };
    serde_json::from_str(result.get()).expect("JSON")
}
