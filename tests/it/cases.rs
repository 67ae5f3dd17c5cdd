//! Public faults of other clients, by the ids under which they are collected, as the command line shows them.

use std::process::Stdio;

use framescope_tests::cli::Cli;
use tempfile::tempdir;

#[test]
fn p19_numbers_stay_as_they_came() {
    let data = tempdir().expect("a folder");
    let Some(cli) = Cli::on(data.path()) else {
        return;
    };
    let server = cli.demo_server();
    let numbers = r#"{"id":9007199254740993,"u":18446744073709551615,"n":-9223372036854775808,"e":1e400,"z":-0.0,"d":1.10}"#;
    let args = format!(r#"{{"value":{numbers}}}"#);
    for era in ["legacy", "modern"] {
        let call = ["call", "echo", "--args", &args, "--json", "--era", era];
        let result = cli.on_server(&call, &server).expect(0);
        assert!(result.contains(numbers), "{era}: {result}");
        let log = cli.run(&[
            "log",
            "last",
            "--json",
            "--filter",
            "kind:result method:tools/call",
        ]);
        let escaped = numbers.replace('"', "\\\"");
        let text = log.expect(0);
        assert!(
            text.contains(&escaped) || text.contains(numbers),
            "{era}: {text}"
        );
    }
}

#[test]
fn r04_control_codes_reach_no_terminal_and_the_bytes_stay() {
    let data = tempdir().expect("a folder");
    let Some(cli) = Cli::on(data.path()) else {
        return;
    };
    let server = cli.demo_server();
    let hostile = "Apache\u{1b}[2J\u{1b}]0;X\u{7} \u{1b}]8;;http://evil.example\u{7}link\u{1b}]8;;\u{7} \u{1b}[31mred\u{1b}[0m";
    let args = serde_json::json!({ "message": hostile }).to_string();
    let run = cli.on_server(&["call", "is-error", "--args", &args], &server);
    assert!(
        run.expect(1).contains(hostile),
        "what is piped holds the bytes"
    );
    assert!(!run.stderr.contains('\u{1b}'), "{}", run.stderr);
    let error = cli.on_server(&["call", "protocol-error", "--args", &args], &server);
    error.expect(1);
    assert!(
        error.stderr.contains("Apache\\u{1b}[2J"),
        "{}",
        error.stderr
    );
    assert!(!error.stderr.contains('\u{1b}'));
    let log = cli.run(&["log", "last"]).expect(0);
    assert!(!log.contains('\u{1b}') && !log.contains('\u{7}'), "{log}");
}

/// Each answer holds its payload twice, 10 MiB each time: stored once as it came, read without being gathered up.
#[test]
fn p18_answers_of_20_mib_are_stored_as_they_came_and_memory_stays_bounded() {
    const CALLS: u64 = 6;
    let data = tempdir().expect("a folder");
    let Some(cli) = Cli::on(data.path()) else {
        return;
    };
    let calls = CALLS.to_string();
    let mut words = [
        "call",
        "big-result",
        "--args",
        r#"{"kib":10240,"twice":true}"#,
    ]
    .to_vec();
    words.extend(["--repeat", &calls, "--"]);
    let server = cli.demo_server();
    words.extend(server.iter().map(String::as_str));
    let mut run = cli.command(&words);
    run.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = run.spawn().expect("the command line tool starts");
    let mut most = 0;
    let code = loop {
        most = most.max(high_water(child.id()));
        if let Some(status) = child.try_wait().expect("it is a child") {
            break status.code();
        }
        std::thread::yield_now();
    };
    assert_eq!(code, Some(0));
    let answers = CALLS * 20 * 1024 * 1024;
    let sessions = std::fs::read_dir(data.path().join("sessions")).expect("the sessions");
    let stored: u64 = sessions
        .filter_map(|file| Some(file.ok()?.metadata().ok()?.len()))
        .sum();
    assert!(
        (answers..answers + answers / 10).contains(&stored),
        "{stored} bytes are stored for {answers}"
    );
    assert!(
        most < 600 * 1024,
        "the command line tool took {most} KiB at most"
    );
}

/// The most memory that a process has held so far (KiB); 0 once it has ended.
fn high_water(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .unwrap_or_default()
}
