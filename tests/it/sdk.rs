//! Small servers on the Python and the TypeScript SDK, in both eras: questions, progress, log messages, changes; and what
//! `server-everything` offers besides tools.

use framescope_tests::cli::{Cli, Run};
use framescope_tests::listening::Listening;
use framescope_tests::peers::{python_sdk, server_everything, typescript_sdk};
use serde_json::json;
use tempfile::tempdir;

/// A server on one of the SDKs, and how it is reached.
enum Peer {
    Stdio(Vec<String>),
    Http(Listening),
}

impl Peer {
    fn run(&self, cli: &Cli<'_>, args: &[&str]) -> Run {
        match self {
            Self::Stdio(words) => cli.on_server(args, words),
            Self::Http(server) => cli.run(&[args, &["--url", &server.url]].concat()),
        }
    }
}

/// It asks, works and tells. `rounds`: how many requests its `ask` takes in the modern era; `answer`: what it says then.
fn asks_works_and_tells(peer: &Peer, eras: &[&str], rounds: usize, answer: &str) {
    let data = tempdir().expect("a folder");
    let Some(cli) = Cli::on(data.path()) else {
        return;
    };
    let red = json!({ "role": "assistant", "model": "rule", "content": { "type": "text", "text": "red" } });
    let rules = json!([
        { "method": "elicitation/create", "contains": "Which table?" },
        { "method": "roots/list", "result": { "roots": [{ "uri": "file:///srv/a" }] } },
        { "method": "sampling/createMessage", "contains": "Which wine?", "result": red }
    ]);
    let file = data.path().join("answers.json");
    std::fs::write(&file, rules.to_string()).expect("the folder takes a file");
    for era in eras {
        let ask = [
            "call",
            "ask",
            "--answer",
            &file.to_string_lossy(),
            "--era",
            era,
        ];
        assert_eq!(peer.run(&cli, &ask).expect(0), answer, "{era}");
        let log = cli.run(&["log", "last"]).expect(0);
        let calls = log.matches("→  request       tools/call").count();
        assert_eq!(
            calls,
            if *era == "modern" { rounds } else { 1 },
            "{era}: {log}"
        );

        let level = match *era {
            "modern" => r#""io.modelcontextprotocol/logLevel":"info""#,
            _ => "",
        };
        let params = format!(r#"{{"name":"work","arguments":{{"steps":2}},"_meta":{{{level}}}}}"#);
        let work = ["request", "tools/call", "--params", &params, "--era", era];
        peer.run(&cli, &work).expect(0);
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
        peer.run(&cli, &listen).expect(0),
        "notifications/resources/updated\tpeer://count\n"
    );
    peer.run(&cli, &["stateless", "--era", "modern"]).expect(0);
}

#[test]
fn a_server_on_the_python_sdk_asks_works_and_tells() {
    let Some(words) = python_sdk() else { return };
    let peer = Peer::Stdio(words);
    asks_works_and_tells(&peer, &["modern", "legacy"], 2, "table 4, 1 roots\n");
}

#[test]
fn a_server_on_the_typescript_sdk_asks_works_and_tells() {
    let Some(words) = typescript_sdk("stdio") else {
        return;
    };
    let peer = Peer::Stdio(words);
    let answer = "table 4, 1 roots: red\n";
    asks_works_and_tells(&peer, &["modern", "legacy"], 3, answer);
    completes(&peer);
}

/// Its legacy HTTP keeps no session, so that it can ask nothing there.
#[test]
fn a_server_on_the_typescript_sdk_asks_works_and_tells_over_http() {
    let Some(words) = typescript_sdk("http") else {
        return;
    };
    let server = Listening::start(&words).expect("it listens");
    let peer = Peer::Http(server);
    asks_works_and_tells(&peer, &["modern"], 3, "table 4, 1 roots: red\n");
    completes(&peer);
}

fn completes(peer: &Peer) {
    let data = tempdir().expect("a folder");
    let Some(cli) = Cli::on(data.path()) else {
        return;
    };
    for era in ["modern", "legacy"] {
        for (args, expected) in [
            (&["call", "add", "--args", r#"{"a":2,"b":40}"#][..], "42\n"),
            (
                &["complete", "city=L", "--prompt", "visit"],
                "Lagos\nLisbon\n",
            ),
            (&["read", "peer://count"], "1\n"),
            (
                &["prompt", "visit", "--args", r#"{"city":"Oslo"}"#],
                "user: Plan a day in Oslo.\n",
            ),
        ] {
            let args = [args, &["--era", era]].concat();
            let text = peer.run(&cli, &args).expect(0);
            assert_eq!(text.trim_end(), expected.trim_end(), "{era}: {args:?}");
        }
    }
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
