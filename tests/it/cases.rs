//! Public faults of other clients, by the ids under which they are collected, as the command line shows them.

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
