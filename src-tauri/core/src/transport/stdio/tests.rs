use std::sync::Arc;

use bytes::Bytes;

use super::stderr::StderrLines;
use crate::protocol::{Direction, ServerConfig};
use crate::record::{
    Clock, EndReason, EventKind, Flags, KnownSecrets, NotRecording, Seq, StoppedBy, log_channel,
};
use crate::transport::testing::{Logged, SOON, TestLog, script, short};
use crate::transport::{
    Anonymous, CloseReason, Inbound, Outbound, Session, TransportError, Wire, open,
};

async fn start(log: &TestLog, config: &ServerConfig) -> Result<Wire, TransportError> {
    open(config, log.session(short()), Arc::new(Anonymous)).await
}

/// Everything that comes until the wire is closed: frames, then how it ended.
async fn drain(wire: &mut Wire) -> (Vec<Bytes>, CloseReason) {
    let mut frames = vec![];
    let wait = async {
        loop {
            match wire
                .inbound
                .recv()
                .await
                .expect("Closed is the last thing on a wire")
            {
                Inbound::Frame(frame) => frames.push(frame.raw().expect("readable").clone()),
                Inbound::Ended { .. } => {}
                Inbound::Closed(reason) => return reason,
            }
        }
    };
    let reason = tokio::time::timeout(SOON, wait)
        .await
        .expect("the wire ends");
    (frames, reason)
}

fn inbound(all: &[Logged]) -> Vec<&Logged> {
    all.iter()
        .filter(|logged| logged.is(Direction::ServerToClient))
        .collect()
}

#[tokio::test]
async fn every_byte_of_stdout_is_in_the_log_once() {
    let log = TestLog::start();
    // Blank, not JSON, CRLF, bad UTF-8, a line over the limit, and an unterminated tail.
    let text = r#"printf '\n{"a":1}\r\nnoise \377\n'; head -c 5000000 /dev/zero | tr '\0' x; printf '\ntail'"#;
    let mut wire = start(&log, &script(text)).await.unwrap();
    let (frames, reason) = drain(&mut wire).await;
    let mut expected = b"\n{\"a\":1}\r\nnoise \xff\n".to_vec();
    expected.extend(std::iter::repeat_n(b'x', 5_000_000));
    expected.extend(b"\ntail");
    assert_eq!(frames.join(&b'\n'), expected, "delivered");
    let all = log
        .until("5 frames", |all| {
            (inbound(all).len() == 5).then(|| all.to_vec())
        })
        .await;
    let bodies: Vec<_> = inbound(&all)
        .iter()
        .map(|logged| logged.body.clone())
        .collect();
    assert_eq!(bodies.join(&b'\n'), expected, "logged");
    let unterminated: Vec<_> = inbound(&all)
        .iter()
        .map(|logged| logged.flag(Flags::UNTERMINATED))
        .collect();
    assert_eq!(unterminated, [false, false, false, false, true]);
    assert_eq!(
        (reason.closed.reason, reason.closed.code),
        (EndReason::Exited, Some(0))
    );
    assert_eq!(
        all[0].record.event,
        EventKind::Opened,
        "the first record says what was started"
    );
}

#[tokio::test]
async fn what_is_sent_is_logged_before_it_is_written_one_frame_a_line() {
    let log = TestLog::start();
    let mut wire = start(&log, &script("cat")).await.unwrap();
    let out = Outbound::new("{\"id\":1}");
    let seq = wire.writer.send(out.clone()).await.unwrap();
    assert_eq!(out.seq.get(), Some(&seq));
    wire.writer
        .post(Outbound::new("broken\n{\"two\":2}\n"))
        .unwrap();
    log.until("three echoes", |all| {
        (inbound(all).len() == 3).then_some(())
    })
    .await;
    wire.writer.close(StoppedBy::User, None);
    let (frames, reason) = drain(&mut wire).await;
    assert_eq!(frames, ["{\"id\":1}", "broken", "{\"two\":2}"]);
    assert_eq!(
        (reason.closed.reason, reason.closed.by),
        (EndReason::Closed, StoppedBy::User)
    );
    assert_eq!(
        reason.closed.code,
        Some(0),
        "cat ends when its stdin is closed"
    );
    let all = log.all();
    let position = |direction, text: &str| {
        all.iter()
            .position(|logged| logged.is(direction) && logged.text() == text)
            .expect("logged")
    };
    for text in ["{\"id\":1}", "broken", "{\"two\":2}"] {
        assert!(
            position(Direction::ClientToServer, text) < position(Direction::ServerToClient, text),
            "{text}"
        );
    }
    assert!(
        matches!(wire.writer.send(out).await, Err(TransportError::Closed)),
        "nothing is sent after the end"
    );
}

#[tokio::test]
async fn nothing_of_the_process_group_is_left() {
    // What is left behind by a server that exits itself, and by one that must be killed; both ignore SIGTERM.
    for (text, asked, signal) in [
        ("(trap '' TERM; sleep 1000) & echo $!; exit 3", false, None),
        (
            "trap '' TERM; sleep 1000 & echo $!; while :; do sleep 1000; done",
            true,
            Some("SIGKILL"),
        ),
    ] {
        let log = TestLog::start();
        let mut wire = start(&log, &script(text)).await.unwrap();
        let pid = log
            .until("the pid", |all| {
                inbound(all).first().map(|logged| logged.text())
            })
            .await;
        if asked {
            wire.writer.close(StoppedBy::User, None);
        }
        let (_, reason) = drain(&mut wire).await;
        assert_eq!(reason.closed.signal.as_deref(), signal, "{text}");
        assert_eq!(
            reason.closed.by,
            if asked {
                StoppedBy::User
            } else {
                StoppedBy::Server
            },
            "{text}"
        );
        let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        assert!(
            state.is_empty() || state.contains(" Z "),
            "{text}: {pid} lives: {state}"
        );
    }
}

#[test]
fn nothing_is_left_where_the_runtime_goes_without_closing() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let pid = runtime.block_on(async {
        let log = TestLog::start();
        let text = "sleep 1000 & echo $!; wait";
        let wire = start(&log, &script(text)).await.unwrap();
        let pid = log
            .until("the pid", |all| {
                inbound(all).first().map(|logged| logged.text())
            })
            .await;
        drop(wire);
        pid
    });
    drop(runtime);
    let alive = || {
        let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        !state.is_empty() && !state.contains(" Z ")
    };
    // A killed process takes a moment to go.
    let gone = (0..1_000_000).any(|_| {
        std::thread::yield_now();
        !alive()
    });
    assert!(gone, "{pid} lives");
}

#[tokio::test]
async fn a_process_that_left_the_group_cannot_hold_the_wire() {
    // It writes for ever into the stdout that it inherited.
    let log = TestLog::start();
    let text = "setsid sh -c 'echo $$; while :; do echo line; done' & exit 0";
    let mut wire = start(&log, &script(text)).await.unwrap();
    let (_, reason) = drain(&mut wire).await;
    assert_eq!(
        (reason.closed.reason, reason.closed.code),
        (EndReason::Exited, Some(0))
    );
    drop(wire);
}

#[tokio::test]
async fn a_crash_names_code_and_last_stderr() {
    let log = TestLog::start();
    let mut wire = start(&log, &script("echo one >&2; printf 'two' >&2; exit 3"))
        .await
        .unwrap();
    let (_, reason) = drain(&mut wire).await;
    assert_eq!(
        (reason.closed.code, reason.closed.by),
        (Some(3), StoppedBy::Server)
    );
    assert_eq!(reason.last_stderr, "one\ntwo");
    let mut wire = start(&log, &script("kill -SEGV $$")).await.unwrap();
    let (_, reason) = drain(&mut wire).await;
    assert_eq!(
        (reason.closed.signal.as_deref(), reason.closed.code),
        (Some("SIGSEGV"), None)
    );
}

#[tokio::test]
async fn a_server_that_closes_its_stdout_and_stays_is_ended() {
    let log = TestLog::start();
    let mut wire = start(
        &log,
        &script("exec >&-; trap '' TERM; while :; do sleep 1; done"),
    )
    .await
    .unwrap();
    let (_, reason) = drain(&mut wire).await;
    assert_eq!(
        (reason.closed.reason, reason.closed.by),
        (EndReason::StreamEnded, StoppedBy::Server)
    );
}

#[tokio::test]
async fn a_write_that_fails_is_noted_and_the_exchange_ends() {
    let log = TestLog::start();
    let mut wire = start(&log, &script("exec <&-; echo ready; sleep 1000"))
        .await
        .unwrap();
    log.until("ready", |all| inbound(all).first().map(|_| ()))
        .await;
    let seq = wire.writer.send(Outbound::new("{}")).await.unwrap();
    let note = log
        .until("the note", |all| {
            all.iter()
                .find_map(|logged| logged.note("write-failed").map(|_| logged.record.about))
        })
        .await;
    assert_eq!(note, Some(seq));
    wire.writer.close(StoppedBy::User, None);
    let ended = async {
        while let Some(item) = wire.inbound.recv().await {
            if let Inbound::Ended { via, .. } = item {
                return Some(via);
            }
        }
        None
    };
    assert_eq!(tokio::time::timeout(SOON, ended).await.unwrap(), Some(seq));
}

#[tokio::test]
async fn two_full_pipes_do_not_block_each_other() {
    let log = TestLog::start();
    // Writes a lot before it reads anything.
    let text = "head -c 300000 /dev/zero | tr '\\0' '\\n'; wc -c";
    let mut wire = start(&log, &script(text)).await.unwrap();
    let big = "x".repeat(1_000_000);
    let writer = wire.writer.clone();
    let sent = async {
        for _ in 0..3 {
            writer.send(Outbound::new(big.clone())).await.unwrap();
        }
        writer.close(StoppedBy::User, None);
    };
    let ((), (frames, _)) = tokio::join!(sent, drain(&mut wire));
    assert!(frames.len() >= 300_000, "{} lines came", frames.len());
}

#[tokio::test]
async fn what_a_full_pipe_does_not_take_at_once_follows_before_what_is_sent_later() {
    let log = TestLog::start();
    let folder = tempfile::tempdir().unwrap();
    let go = folder.path().join("go");
    let text = format!(
        "until [ -e '{}' ]; do sleep 0.02; done; exec cat",
        go.display()
    );
    let mut wire = start(&log, &script(&text)).await.unwrap();
    // Two of them are more than a pipe holds: the rest of the second waits, and what follows is logged in its turn.
    let messages: Vec<_> = (b'a'..b'e')
        .map(|letter| Bytes::from(vec![letter; 60_000]))
        .collect();
    let (writer, out) = (wire.writer.clone(), messages.clone());
    let sent = log.tasks.spawn(async move {
        for message in out {
            writer.send(Outbound::new(message)).await.unwrap();
        }
    });
    let outbound = |all: &[Logged]| {
        let frames = all.iter().filter(|one| one.is(Direction::ClientToServer));
        frames.count()
    };
    log.until("two messages", |all| (outbound(all) >= 2).then_some(()))
        .await;
    assert_eq!(outbound(&log.all()), 2, "the third waits for the second");
    std::fs::write(&go, "").unwrap();
    sent.await.unwrap();
    log.until("four echoes", |all| (inbound(all).len() == 4).then_some(()))
        .await;
    wire.writer.close(StoppedBy::User, None);
    let (frames, _) = drain(&mut wire).await;
    assert!(frames == messages, "whole and in order");
}

#[tokio::test]
async fn start_up_errors_name_the_party() {
    let log = TestLog::start();
    let config = |command: &str, cwd: Option<&str>| ServerConfig::Stdio {
        command: command.to_owned(),
        args: vec![],
        env: [("PATH".to_owned(), "/nowhere:/neither".to_owned())].into(),
        cwd: cwd.map(Into::into),
    };
    let check = |error: TransportError, expected: &str| {
        let text = error.to_string();
        assert!(
            text.contains(expected),
            "{text:?} does not say {expected:?}"
        );
    };
    check(
        start(&log, &config("foo", None)).await.unwrap_err(),
        "could not find `foo` in any of 2 PATH folders; no process was started",
    );
    check(
        start(&log, &config("/etc/passwd", None)).await.unwrap_err(),
        "`/etc/passwd`: it is not executable",
    );
    check(
        start(&log, &config("/no/such", None)).await.unwrap_err(),
        "there is no such file",
    );
    check(
        start(&log, &config("/bin/sh", Some("/no/such")))
            .await
            .unwrap_err(),
        "`/no/such` is no folder",
    );
    assert_eq!(
        log.tap.head().0,
        0,
        "nothing was logged where nothing was started"
    );
}

#[tokio::test]
async fn secrets_reach_the_server_and_not_the_log() {
    let log = TestLog::with_secrets(KnownSecrets::new(vec![(
        "key".to_owned(),
        "hunter2-long".to_owned(),
    )]));
    let mut wire = start(
        &log,
        &script("read -r line; echo \"$line\"; echo \"$line\" >&2"),
    )
    .await
    .unwrap();
    wire.writer
        .send(Outbound::new(r#"{"k":"hunter2-long"}"#))
        .await
        .unwrap();
    let (frames, _) = drain(&mut wire).await;
    assert_eq!(
        frames,
        [r#"{"k":"hunter2-long"}"#],
        "the server got it and gave it back"
    );
    log.until("stderr", |all| {
        all.iter()
            .any(|logged| logged.record.event == EventKind::Stderr)
            .then_some(())
    })
    .await;
    let logged = log.lines().join("\n");
    assert!(
        !logged.contains("hunter2") && logged.contains("‹secret:key›"),
        "{logged}"
    );
}

#[tokio::test]
async fn a_wire_that_is_not_recorded_any_more_ends() {
    let (tap, mut receiver) = log_channel(Clock::start(), KnownSecrets::default());
    let log = TestLog::start();
    let session = Session {
        tap,
        ..log.session(short())
    };
    let config = script("trap '' TERM; while :; do echo line; done");
    let mut wire = open(&config, session, Arc::new(Anonymous)).await.unwrap();
    assert!(receiver.recv_many(&mut vec![], 100).await > 0);
    receiver.failure().fail(NotRecording {
        since: Seq(7),
        why: "disk full".to_owned(),
    });
    drop(receiver);
    let (_, reason) = drain(&mut wire).await;
    assert_eq!(
        (reason.closed.reason, reason.closed.by),
        (EndReason::Failed, StoppedBy::App)
    );
    assert_eq!(
        reason.closed.text.as_deref(),
        Some("not recording since #7: disk full")
    );
    let sent = wire.writer.send(Outbound::new("{}")).await;
    assert!(sent.is_err(), "what is not recorded is not sent");
}

#[test]
fn stderr_is_split_into_lines_however_it_comes() {
    let pieces = |chunks: &[&str]| {
        let mut lines = StderrLines::default();
        let mut out = vec![];
        for chunk in chunks {
            // A pause: what stands is logged as it is.
            let pieces = if *chunk == "pause" {
                lines.flush().into_iter().collect()
            } else {
                lines.push(chunk.as_bytes())
            };
            out.extend(pieces);
        }
        out.extend(lines.flush());
        out.iter()
            .map(|piece| {
                (
                    String::from_utf8_lossy(&piece.line).into_owned(),
                    piece.unterminated,
                )
            })
            .collect::<Vec<_>>()
    };
    let line = |text: &str| (text.to_owned(), false);
    let open = |text: &str| (text.to_owned(), true);
    assert_eq!(
        pieces(&["one\ntw", "o\n\n"]),
        [line("one"), line("two"), line("")]
    );
    assert_eq!(
        pieces(&["name? ", "pause", "\nnext\n"]),
        [open("name? "), line("next")]
    );
    assert_eq!(
        pieces(&["name? ", "pause", "x\n", "tail"]),
        [open("name? "), line("x"), open("tail")]
    );
    let long = "x".repeat(64 * 1024);
    assert_eq!(
        pieces(&[&long, "\n"]),
        [line(&long)],
        "just as long as allowed"
    );
    assert_eq!(pieces(&[&long, "yz\n"]), [open(&long), line("yz")]);
}

/// On Windows the standard library quotes for `cmd.exe` and for programs; no run has tried that yet.
#[cfg(unix)]
#[tokio::test]
async fn s14_a_command_with_a_space_gets_its_arguments_as_they_are() {
    use std::os::unix::fs::PermissionsExt as _;
    let log = TestLog::start();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("Program Files");
    std::fs::create_dir(&folder).unwrap();
    let command = folder.join("my server.exe");
    std::fs::write(&command, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n").unwrap();
    std::fs::set_permissions(&command, std::fs::Permissions::from_mode(0o755)).unwrap();
    let args = ["--dir", r"C:\a b", "x&y", "%PATH%", "say \"hi\"", "", "*"];
    let config = ServerConfig::Stdio {
        command: command.to_string_lossy().into_owned(),
        args: args.map(str::to_owned).into(),
        env: Default::default(),
        cwd: None,
    };
    let mut wire = start(&log, &config).await.unwrap();
    let (frames, _) = drain(&mut wire).await;
    assert_eq!(frames, args);
}
