//! Everything that a server offers besides tools, and what it asks, from the command line and in both eras.

use std::path::{Path, PathBuf};

use framescope_tests::cli::{Cli, Run};
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

const ERAS: [&str; 2] = ["legacy", "modern"];

/// Runs a command on the demo server in an era.
fn demo(data: &Path, era: &str, args: &[&str]) -> Option<Run> {
    let cli = Cli::on(data)?;
    let args: Vec<_> = args.iter().copied().chain(["--era", era]).collect();
    Some(cli.on_server(&args, &cli.demo_server()))
}

/// A file of rules in a folder.
fn answers(folder: &TempDir, rules: &Value) -> PathBuf {
    let file = folder.path().join("answers.json");
    std::fs::write(&file, rules.to_string()).expect("the folder takes a file");
    file
}

#[test]
fn a_resource_is_read_a_prompt_is_got_and_an_argument_is_completed() {
    let data = tempdir().expect("a folder");
    for era in ERAS {
        for (args, expected) in [
            (&["read", "demo://text"][..], "Plain text, in two lines."),
            (
                &["read", "demo://bytes"],
                "[resource demo://bytes application/octet-stream 1 kB]",
            ),
            (&["read", "demo://folder"], "[resource demo://folder/bytes"),
            (
                &["prompt", "plan-a-day", "--args", r#"{"city":"Oslo"}"#],
                "user: Plan one moderate day in Oslo.",
            ),
            (&["prompt", "all-contents"], "user: [image png"),
            (
                &["complete", "city=L", "--prompt", "plan-a-day"],
                "Lagos\nLisbon\nLondon\n",
            ),
            (
                &[
                    "complete",
                    "sku=",
                    "--template",
                    "demo://orders/{region}/{sku}",
                    "--given",
                    "region=us",
                ],
                "us-anvil\nus-rope\n",
            ),
            (&["discover"], "framescope-demo "),
            (&["discover", "--json"], r#""framescope-demo""#),
        ] {
            let Some(run) = demo(data.path(), era, args) else {
                return;
            };
            let text = run.expect(0);
            assert!(text.contains(expected), "{era} {args:?}: {text}");
        }
        let Some(run) = demo(data.path(), era, &["read", "demo://none", "--json"]) else {
            return;
        };
        let error: Value = serde_json::from_str(&run.expect(1)).expect("the error as JSON");
        assert_eq!(error["code"], if era == "modern" { -32602 } else { -32002 });
        assert!(run.stderr.contains("no resource"), "{}", run.stderr);
    }
}

#[test]
fn what_a_server_asks_is_answered_by_rules_in_both_eras() {
    let (data, folder) = (tempdir().expect("a folder"), tempdir().expect("a folder"));
    let number = json!({ "method": "elicitation/create", "contains": "Pick a number", "result": { "action": "accept", "content": { "number": 9_007_199_254_740_993_i64 } } });
    let model = json!({ "method": "sampling/createMessage", "result": { "role": "assistant", "model": "rule", "content": { "type": "text", "text": "blue" } } });
    let roots = json!({ "method": "roots/list", "result": { "roots": [{ "uri": "file:///srv/by-rule" }] } });
    let all = answers(&folder, &json!([number, model, roots]));
    for era in ERAS {
        let args = ["call", "ask-parallel", "--answer", &all.to_string_lossy()];
        let Some(run) = demo(data.path(), era, &args) else {
            return;
        };
        let text = run.expect(0);
        for part in ["9007199254740993", "blue", "file:///srv/by-rule"] {
            assert!(text.contains(part), "{era}: {part}: {text}");
        }
        let cli = Cli::on(data.path()).expect("it was there before");
        let log = cli.run(&["log", "last", "--filter", "kind:note"]).expect(0);
        assert!(
            log.contains("was answered by rule 2"),
            "{era}: each answer is told: {log}"
        );
    }
    // Rounds: the same rule again and again; defaults: the form's own.
    let defaults = answers(&folder, &json!([{ "method": "elicitation/create" }]));
    for era in ERAS {
        for (what, expected) in [
            (&["call", "ask-in-rounds"][..], r#""number":7"#),
            (&["read", "demo://guarded"], r#""yes":true"#),
            (&["prompt", "guarded"], r#""yes":true"#),
        ] {
            let file = defaults.to_string_lossy();
            let args: Vec<_> = what.iter().copied().chain(["--answer", &file]).collect();
            let Some(run) = demo(data.path(), era, &args) else {
                return;
            };
            let text = run.expect(0);
            assert!(text.contains(expected), "{era} {what:?}: {text}");
        }
    }
}

#[test]
fn a_question_without_an_answer_is_exit_code_5_and_a_bad_file_2() {
    let (data, folder) = (tempdir().expect("a folder"), tempdir().expect("a folder"));
    let file = answers(&folder, &json!([{ "method": "roots/list" }]));
    let file = file.to_string_lossy();
    for era in ERAS {
        let Some(run) = demo(data.path(), era, &["call", "sample", "--answer", &file]) else {
            return;
        };
        run.expect(5);
    }
    for rules in [
        json!({}),
        json!([{ "result": {} }]),
        json!([{ "method": "roots/list", "reslt": {} }]),
    ] {
        answers(&folder, &rules);
        let Some(run) = demo(
            data.path(),
            "modern",
            &["call", "sample", "--answer", &file],
        ) else {
            return;
        };
        run.expect(2);
        assert!(run.stderr.contains("--answer"), "{}", run.stderr);
    }
}

#[test]
fn a_call_that_wants_a_page_visited_first_is_made_again() {
    let (data, folder) = (tempdir().expect("a folder"), tempdir().expect("a folder"));
    let agree = json!([{ "method": "elicitation/create", "contains": "example.com/sign-in", "result": { "action": "accept" } }]);
    let file = answers(&folder, &agree);
    let file = file.to_string_lossy();
    for era in ERAS {
        let Some(run) = demo(
            data.path(),
            era,
            &["call", "url-required", "--answer", &file],
        ) else {
            return;
        };
        let text = run.expect(0);
        assert!(
            text.contains(if era == "modern" {
                "accept"
            } else {
                "the page was visited"
            }),
            "{era}: {text}"
        );
    }
    answers(
        &folder,
        &json!([{ "method": "elicitation/create", "result": { "action": "decline" } }]),
    );
    let Some(run) = demo(
        data.path(),
        "legacy",
        &["call", "url-required", "--answer", &file],
    ) else {
        return;
    };
    run.expect(1);
    assert!(
        run.stderr.contains("-32042"),
        "the refusal stands: {}",
        run.stderr
    );
}

#[test]
fn what_changes_is_printed_as_it_comes() {
    let data = tempdir().expect("a folder");
    for era in ERAS {
        let touch = [
            "listen",
            "--uri",
            "demo://counter",
            "--call",
            "touch-resource",
            "--count",
            "1",
        ];
        let Some(run) = demo(data.path(), era, &touch) else {
            return;
        };
        assert_eq!(
            run.expect(0),
            "notifications/resources/updated\tdemo://counter\n",
            "{era}"
        );
        let list = [
            "listen",
            "--list",
            "tools",
            "--call",
            "change-list",
            "--count",
            "1",
            "--json",
        ];
        let Some(run) = demo(data.path(), era, &list) else {
            return;
        };
        let told: Value = serde_json::from_str(&run.expect(0)).expect("a raw message");
        assert_eq!(told["method"], "notifications/tools/list_changed", "{era}");
        let nothing = ["listen", "--uri", "demo://counter", "--during", "0.2"];
        let Some(run) = demo(data.path(), era, &nothing) else {
            return;
        };
        assert_eq!(run.expect(0), "", "{era}: nothing changed");
    }
    let end = [
        "listen",
        "--uri",
        "demo://counter",
        "--call",
        "end-subscriptions",
    ];
    let Some(run) = demo(data.path(), "modern", &end) else {
        return;
    };
    run.expect(0);
}

#[test]
fn a_stateless_server_answers_alike_over_one_connection_and_alone() {
    let data = tempdir().expect("a folder");
    let alike = [
        "stateless",
        "--call",
        "com.example.weather/current",
        "--args",
        r#"{"location":"Oslo"}"#,
    ];
    let Some(run) = demo(data.path(), "modern", &alike) else {
        return;
    };
    let text = run.expect(0);
    for line in [
        "same server/discover",
        "same tools/list",
        "same prompts/list",
        "same tools/call · com.example.weather/current",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let Some(run) = demo(data.path(), "legacy", &["stateless"]) else {
        return;
    };
    run.expect(2);
}
