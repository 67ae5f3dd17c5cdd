//! The command line tool against real servers, by its contract.

use framescope_tests::cli::Cli;
use framescope_tests::peers::{node_peer, server_everything, server_time};
use serde_json::Value;
use tempfile::tempdir;

/// 2^53 + 1: the first integer that a double cannot hold.
const BIG: &str = "9007199254740993";

#[test]
fn lists_and_calls_a_legacy_server() {
    let data = tempdir().expect("a folder");
    let (Some(cli), Some(server)) = (Cli::on(data.path()), server_everything()) else {
        return;
    };
    let tools = cli.on_server(&["list", "tools"], &server).expect(0);
    assert!(
        tools.lines().any(|line| line.starts_with("get-sum\t")),
        "one line per tool, name first: {tools}"
    );
    let sum = cli
        .on_server(&["call", "get-sum", "--args", r#"{"a":2,"b":40}"#], &server)
        .expect(0);
    assert!(sum.contains("42"), "text content as text: {sum}");
    for what in ["resources", "templates", "prompts"] {
        let items = cli.on_server(&["list", what, "--json"], &server).expect(0);
        let items: Vec<Value> =
            serde_json::from_str(&items).unwrap_or_else(|error| panic!("{what}: {error}: {items}"));
        assert!(!items.is_empty(), "server-everything has {what}");
    }
    let log = cli.run(&["log", "last"]).expect(0);
    assert!(
        log.contains("initialize") && log.contains("prompts/list"),
        "every frame is a row: {log}"
    );
    assert!(
        log.contains("server/discover"),
        "the probe is a row too: {log}"
    );
}

#[test]
fn lists_and_calls_a_modern_server() {
    let data = tempdir().expect("a folder");
    let (Some(cli), Some(server)) = (Cli::on(data.path()), server_time()) else {
        return;
    };
    let tools = cli.on_server(&["list", "tools"], &server).expect(0);
    assert!(
        tools
            .lines()
            .any(|line| line.starts_with("get_current_time\t")),
        "{tools}"
    );
    let time = cli
        .on_server(
            &[
                "call",
                "get_current_time",
                "--args",
                r#"{"timezone":"UTC"}"#,
            ],
            &server,
        )
        .expect(0);
    assert!(time.contains("UTC"), "{time}");
    let log = cli.run(&["log", "last", "--json"]).expect(0);
    assert!(
        log.contains("2026-07-28") && !log.contains(r#"\"method\":\"initialize\""#),
        "modern, no initialize: {log}"
    );
    cli.on_server(&["list", "tools", "--era", "legacy"], &server)
        .expect(0);
    let log = cli.run(&["log", "last"]).expect(0);
    assert!(
        log.contains("initialize") && !log.contains("server/discover"),
        "the era can be forced: {log}"
    );
}

#[test]
fn calls_the_demo_server_in_both_eras() {
    let data = tempdir().expect("a folder");
    let Some(cli) = Cli::on(data.path()) else {
        return;
    };
    let server = cli.demo_server();
    for era in ["modern", "legacy", "2025-06-18"] {
        let args = [
            "call",
            "com.example.weather/current",
            "--args",
            r#"{"location":"Berlin"}"#,
            "--era",
            era,
        ];
        let weather = cli.on_server(&args, &server).expect(0);
        assert!(weather.contains("Berlin"), "{era}: {weather}");
    }
}

#[test]
fn shows_noise_stderr_and_the_exit() {
    let data = tempdir().expect("a folder");
    let (Some(cli), Some(server)) = (Cli::on(data.path()), node_peer("torture.mjs")) else {
        return;
    };
    cli.on_server(&["call", "stdout-garbage"], &server)
        .expect(0);
    let noise = cli
        .run(&["log", "last", "--filter", "kind:malformed"])
        .expect(0);
    assert!(
        noise.contains("Server listening on port 3000 (oops, stdout)"),
        "the line that is no message: {noise}"
    );
    cli.on_server(&["call", "stderr"], &server).expect(0);
    let stderr = cli
        .run(&["log", "last", "--filter", "kind:stderr"])
        .expect(0);
    assert!(
        stderr.contains("torture server up") && stderr.contains("WARN something on stderr"),
        "{stderr}"
    );
    assert!(
        stderr.contains("line2") && !stderr.contains('\u{1b}'),
        "one row a line, control codes visible: {stderr}"
    );
    let log = cli.run(&["log", "last"]).expect(0);
    assert!(
        log.lines()
            .last()
            .is_some_and(|row| row.contains("lifecycle")),
        "the exit is the last row: {log}"
    );
}

#[test]
fn a_crash_is_exit_code_3_and_stays_in_the_log() {
    let data = tempdir().expect("a folder");
    let (Some(cli), Some(server)) = (Cli::on(data.path()), node_peer("torture.mjs")) else {
        return;
    };
    let run = cli.on_server(&["call", "crash"], &server);
    run.expect(3);
    assert!(
        run.stderr.contains("code 3") && run.stderr.contains("FATAL: about to exit 3"),
        "says why: {}",
        run.stderr
    );
    let log = cli.run(&["log", "last"]).expect(0);
    assert!(
        log.contains("FATAL: about to exit 3") && log.contains("exited, code 3"),
        "{log}"
    );
    let pending = cli
        .run(&[
            "log",
            "last",
            "--filter",
            "kind:request method:tools/call -status:ok",
        ])
        .expect(0);
    assert!(
        pending.contains("crash"),
        "the unanswered call is found: {pending}"
    );
    assert!(
        cli.run(&["log", "last", "--filter", "has:crash"])
            .expect(0)
            .contains("code 3")
    );
}

#[test]
fn the_server_s_errors_are_exit_code_1() {
    let data = tempdir().expect("a folder");
    let (Some(cli), Some(server)) = (Cli::on(data.path()), node_peer("torture.mjs")) else {
        return;
    };
    let tool = cli.on_server(&["call", "tool-error"], &server);
    assert!(
        tool.expect(1).contains("disk is full"),
        "the tool's own text is the result"
    );
    let rpc = cli.on_server(&["call", "rpc-error", "--json"], &server);
    assert_eq!(
        rpc.expect(1).trim_end(),
        r#"{"code":-32042,"message":"custom failure","data":{"hint":"look here","trace":[1,2,3]}}"#
    );
}

#[test]
fn other_failures_have_their_own_exit_codes() {
    let data = tempdir().expect("a folder");
    let (Some(cli), Some(server)) = (Cli::on(data.path()), node_peer("torture.mjs")) else {
        return;
    };
    cli.run(&["list", "nonsense", "--", "true"]).expect(2);
    cli.on_server(&["call", "sleep", "--args", "{not json"], &server)
        .expect(2);
    let missing = cli.run(&["list", "tools", "--", "framescope-no-such-program"]);
    missing.expect(3);
    assert!(
        missing.stderr.contains("framescope-no-such-program") && missing.stderr.contains("PATH"),
        "{}",
        missing.stderr
    );
    let args = [
        "call",
        "sleep",
        "--args",
        r#"{"ms":60000}"#,
        "--timeout",
        "1",
    ];
    cli.on_server(&args, &server).expect(4);
    let log = cli
        .run(&["log", "last", "--filter", "status:timeout"])
        .expect(0);
    assert!(
        log.contains("sleep"),
        "the request that timed out is found: {log}"
    );
    assert!(
        cli.run(&["log", "last"])
            .expect(0)
            .contains("notifications/cancelled"),
        "the server is told"
    );
}

#[test]
fn integers_above_2_53_stay_exact_everywhere() {
    let data = tempdir().expect("a folder");
    let (Some(cli), Some(server)) = (Cli::on(data.path()), node_peer("torture.mjs")) else {
        return;
    };
    let result = cli
        .on_server(&["call", "bigint-result", "--json"], &server)
        .expect(0);
    assert!(
        result.contains(&format!(r#""structuredContent":{{"big":{BIG}}}"#)),
        "in a result: {result}"
    );
    let args = format!(r#"{{"str":"abc","bigint":{BIG},"num":1.0,"num":1.50}}"#);
    cli.on_server(&["call", "schema-torture", "--args", &args], &server)
        .expect(0);
    let lines = cli.run(&["log", "last", "--json"]).expect(0);
    let sent: Vec<String> = bodies(&lines)
        .into_iter()
        .filter(|body| body.contains("schema-torture"))
        .collect();
    assert!(
        sent.iter().any(|body| body.contains(&args)),
        "in arguments, to the byte: {sent:?}"
    );

    let file = data.path().join("session.jsonl");
    cli.run(&[
        "export",
        "last",
        "--format",
        "jsonl",
        "-o",
        &file.to_string_lossy(),
    ])
    .expect(0);
    let other = tempdir().expect("a folder");
    let Some(cli) = Cli::on(other.path()) else {
        return;
    };
    cli.run(&["import", &file.to_string_lossy()]).expect(0);
    let imported = cli.run(&["log", "last", "--json"]).expect(0);
    assert_eq!(
        bodies(&imported),
        bodies(&lines),
        "export and import lose nothing"
    );
}

#[test]
fn an_export_is_redacted_and_encrypted_on_demand() {
    let data = tempdir().expect("a folder");
    let (Some(cli), Some(server)) = (Cli::on(data.path()), node_peer("torture.mjs")) else {
        return;
    };
    let args = r#"{"sel":{"api_key":"hidden-1"},"any":"sk-abcdefghijklmnopqrst","num":1.50}"#;
    cli.on_server(&["call", "schema-torture", "--args", args], &server)
        .expect(0);
    let export = ["export", "last", "--format", "jsonl"];
    let with = |more: &[&str]| cli.run(&[&export[..], more].concat());
    let plain = with(&[]).expect(0);
    assert!(plain.contains("hidden-1") && plain.contains("sk-abcdef"));
    let usual = with(&["--redact-default"]).expect(0);
    assert!(
        !usual.contains("hidden-1") && !usual.contains("sk-abcdef"),
        "{usual}"
    );
    assert!(usual.contains("1.50"), "what is not hit stays");
    let path = with(&["--redact-path", "$.params.arguments.sel"]).expect(0);
    assert!(path.contains("sk-abcdef"));
    let refused = with(&["--redact-value", "("]);
    assert!(
        refused.stderr.contains("--redact-value"),
        "{}",
        refused.stderr
    );
    refused.expect(2);
    let refused = with(&["--encrypt"]);
    assert!(
        refused.stderr.contains("FRAMESCOPE_PASSPHRASE"),
        "{}",
        refused.stderr
    );
    refused.expect(2);

    let (word, other) = (data.path().join("word"), data.path().join("other"));
    std::fs::write(&word, "correct horse\n").expect("a file");
    std::fs::write(&other, "wrong horse\n").expect("a file");
    let (word, other) = (word.to_string_lossy(), other.to_string_lossy());
    let file = data.path().join("s.jsonl.age");
    let file = file.to_string_lossy();
    with(&["--passphrase-file", &word, "-o", &file]).expect(0);
    let bytes = std::fs::read(&*file).expect("the export");
    assert!(
        bytes.starts_with(b"age-encryption.org/v1") && !bytes.windows(8).any(|w| w == b"hidden-1")
    );
    for (given, code) in [(None, 2), (Some(&other), 2), (Some(&word), 0)] {
        let mut line = vec!["import", &*file];
        if let Some(given) = given {
            line.extend(["--passphrase-file", &**given]);
        }
        cli.run(&line).expect(code);
    }
    assert_eq!(
        bodies(&with(&[]).expect(0)),
        bodies(&plain),
        "what went out came in"
    );
}

#[test]
fn a_request_and_its_envelope_are_byte_exact() {
    let data = tempdir().expect("a folder");
    let (Some(cli), Some(server)) = (Cli::on(data.path()), node_peer("torture.mjs")) else {
        return;
    };
    assert_eq!(
        cli.on_server(&["request", "ping"], &server)
            .expect(0)
            .trim_end(),
        "{}"
    );
    let whole = cli
        .on_server(&["request", "ping", "--envelope"], &server)
        .expect(0);
    let whole: Value = serde_json::from_str(&whole).expect("a message");
    assert_eq!(
        (&whole["jsonrpc"], &whole["result"]),
        (&Value::from("2.0"), &serde_json::json!({}))
    );
}

#[test]
fn repeated_calls_give_one_line_of_figures_and_are_all_recorded() {
    let data = tempdir().expect("a folder");
    let (Some(cli), Some(server)) = (Cli::on(data.path()), node_peer("torture.mjs")) else {
        return;
    };
    let repeat = ["--repeat", "50", "--concurrency", "4"];
    let good = [&["call", "stderr"], repeat.as_slice()].concat();
    let figures = cli.on_server(&good, &server).expect(0);
    let figures: Value = serde_json::from_str(&figures).expect("one line of JSON");
    assert_eq!(
        (&figures["n"], &figures["errors"]),
        (&Value::from(50), &Value::from(0))
    );
    assert!(
        figures["p50_us"].as_i64() <= figures["max_us"].as_i64(),
        "{figures}"
    );
    let log = cli.run(&["log", "last", "--filter", "kind:result method:tools/call"]);
    assert_eq!(log.expect(0).lines().count(), 50, "every answer is a row");
    let bad = [&["call", "tool-error"], repeat.as_slice()].concat();
    let figures = cli.on_server(&bad, &server).expect(1);
    assert!(
        figures.contains(r#""n":50,"errors":50"#),
        "isError is an error: {figures}"
    );
    cli.on_server(&["call", "stderr", "--concurrency", "4"], &server)
        .expect(2);
}

#[test]
fn sessions_are_listed_and_found() {
    let data = tempdir().expect("a folder");
    let (Some(cli), Some(server)) = (Cli::on(data.path()), node_peer("torture.mjs")) else {
        return;
    };
    let run = cli.on_server(&["call", "stdout-garbage"], &server);
    run.expect(0);
    cli.on_server(&["list", "tools"], &server).expect(0);
    let sessions = cli.run(&["sessions", "--json"]).expect(0);
    let ids: Vec<String> = sessions
        .lines()
        .filter_map(|line| {
            Some(
                serde_json::from_str::<Value>(line).ok()?["id"]
                    .as_str()?
                    .to_owned(),
            )
        })
        .collect();
    let all: Vec<Value> = serde_json::from_str(&sessions).unwrap_or_default();
    assert_eq!(
        ids.len().max(all.len()),
        2,
        "every run is a session: {sessions}"
    );
    let found = cli.run(&["sessions", "--search", "oops, stdout"]).expect(0);
    assert_eq!(
        found.lines().count(),
        1,
        "only the session with the noise: {found}"
    );
    let id = run
        .stderr
        .split_whitespace()
        .find(|word| word.len() == 36 && word.contains('-'))
        .expect("the id on stderr");
    assert!(
        cli.run(&["log", id]).expect(0).contains("stdout-garbage"),
        "a session is addressed by its id"
    );
    cli.run(&["log", "ffffffff"]).expect(2);
}

fn bodies(capture: &str) -> Vec<String> {
    let lines = capture.lines().skip(1).map(|line| {
        serde_json::from_str::<Value>(line)
            .unwrap_or_else(|error| panic!("not a JSON line: {error}: {line}"))
    });
    lines
        .map(|line| line["body"].as_str().unwrap_or_default().to_owned())
        .collect()
}
