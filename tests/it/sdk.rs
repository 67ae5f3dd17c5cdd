//! A small server on the Python SDK, in both eras: questions, progress, log messages, changes; and what `server-everything`
//! offers besides tools.

use framescope_tests::cli::Cli;
use framescope_tests::peers::{python_sdk, server_everything};
use serde_json::json;
use tempfile::tempdir;

#[test]
fn a_server_on_the_python_sdk_asks_works_and_tells() {
    let data = tempdir().expect("a folder");
    let (Some(cli), Some(server)) = (Cli::on(data.path()), python_sdk()) else {
        return;
    };
    let rules = json!([
        { "method": "elicitation/create", "contains": "Which table?" },
        { "method": "roots/list", "result": { "roots": [{ "uri": "file:///srv/a" }] } }
    ]);
    let file = data.path().join("answers.json");
    std::fs::write(&file, rules.to_string()).expect("the folder takes a file");
    for era in ["modern", "legacy"] {
        let ask = [
            "call",
            "ask",
            "--answer",
            &file.to_string_lossy(),
            "--era",
            era,
        ];
        assert_eq!(
            cli.on_server(&ask, &server).expect(0),
            "table 4, 1 roots\n",
            "{era}"
        );
        let log = cli.run(&["log", "last"]).expect(0);
        let rounds = log.matches("→  request       tools/call").count();
        assert_eq!(rounds, if era == "modern" { 2 } else { 1 }, "{era}: {log}");

        let level = match era {
            "modern" => r#""io.modelcontextprotocol/logLevel":"info""#,
            _ => "",
        };
        let params = format!(r#"{{"name":"work","arguments":{{"steps":2}},"_meta":{{{level}}}}}"#);
        let work = ["request", "tools/call", "--params", &params, "--era", era];
        cli.on_server(&work, &server).expect(0);
        let told = cli
            .run(&["log", "last", "--filter", "kind:notification dir:s2c"])
            .expect(0);
        for part in ["1/2 step 1", "2/2 step 2", r#"warning work: {"step":2}"#] {
            assert!(told.contains(part), "{era}: {part}: {told}");
        }
    }
    let listen = [
        "listen",
        "--uri",
        "peer://count",
        "--call",
        "touch",
        "--count",
        "1",
        "--era",
        "modern",
    ];
    assert_eq!(
        cli.on_server(&listen, &server).expect(0),
        "notifications/resources/updated\tpeer://count\n"
    );
    cli.on_server(&["stateless", "--era", "modern"], &server)
        .expect(0);
}

#[test]
fn what_server_everything_offers_besides_tools_is_read() {
    let data = tempdir().expect("a folder");
    let (Some(cli), Some(server)) = (Cli::on(data.path()), server_everything()) else {
        return;
    };
    let names = |what: &str| cli.on_server(&["list", what, "--json"], &server).expect(0);
    let resources: serde_json::Value = serde_json::from_str(&names("resources")).expect("JSON");
    let uri = resources[0]["uri"].as_str().expect("a URI").to_owned();
    let read = cli.on_server(&["read", &uri], &server).expect(0);
    assert!(!read.trim().is_empty(), "{uri}");
    let prompts: serde_json::Value = serde_json::from_str(&names("prompts")).expect("JSON");
    let plain = prompts
        .as_array()
        .into_iter()
        .flatten()
        .find(|prompt| prompt["arguments"].as_array().is_none_or(Vec::is_empty));
    let name = plain
        .and_then(|prompt| prompt["name"].as_str())
        .expect("a prompt without arguments");
    let got = cli.on_server(&["prompt", name], &server).expect(0);
    assert!(
        got.starts_with("user: ") || got.starts_with("assistant: "),
        "{got}"
    );
    let about = cli.on_server(&["discover"], &server).expect(0);
    assert!(about.contains("legacy 2025-11-25"), "{about}");
}
