//! The parts without I/O.

use serde_json::value::RawValue;

use crate::client::catalog::{prompt, tool};
use crate::client::draft::{Draft, Manner, compose};
use crate::client::handshake::{Patience, Probe, Verdict, discovered, initialized, judge};
use crate::client::{Composed, RpcError, call::reply};
use crate::protocol::{Era, RequestId, Revision, ServerConfig};

const META: &str = concat!(
    r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","#,
    r#""io.modelcontextprotocol/clientInfo":{"name":"framescope","title":"Framescope","version":""#,
    env!("CARGO_PKG_VERSION"),
    r#""},"io.modelcontextprotocol/clientCapabilities":{}"#
);

fn composed(draft: &Draft, revision: Revision) -> Composed {
    compose(
        draft,
        RequestId::from_raw("7"),
        Manner {
            revision,
            one_line: true,
            answers: crate::client::Answers::Refuse,
        },
        &Default::default(),
        None,
    )
}

fn params(method: &str, typed: Option<&str>, revision: Revision) -> (String, Option<String>) {
    let composed = composed(&Draft::new(method, typed.map(ToOwned::to_owned)), revision);
    let text = String::from_utf8(composed.bytes.to_vec()).unwrap();
    let start = format!(r#"{{"jsonrpc":"2.0","id":7,"method":"{method}""#);
    let rest = text
        .strip_prefix(&start)
        .unwrap_or_else(|| panic!("{text} does not begin with {start}"));
    let rest = rest.strip_suffix('}').unwrap();
    (
        rest.strip_prefix(r#","params":"#)
            .unwrap_or(rest)
            .to_owned(),
        composed.problem,
    )
}

#[test]
fn what_was_typed_stays_to_the_byte_in_the_legacy_era() {
    let check = |method: &str, typed: Option<&str>, expected: &str| {
        let (params, problem) = params(method, typed, Revision::LATEST_LEGACY);
        assert_eq!(
            (params.as_str(), problem),
            (expected, None),
            "{method} {typed:?}"
        );
    };
    check("tools/list", None, "");
    check("tools/list", Some("  "), "");
    check(
        "x/y",
        Some(r#"{"a": 9007199254740993, "a":1.0e0}"#),
        r#"{"a": 9007199254740993, "a":1.0e0}"#,
    );
    check("x/y", Some("{\n\t\"a\":\r\n1}"), "{ \t\"a\":  1}");
    check("tools/call", None, r#"{"_meta":{"progressToken":7}}"#);
    check("tools/call", Some("{}"), r#"{"_meta":{"progressToken":7}}"#);
    check(
        "tools/call",
        Some(r#"{ "name":"é}" } "#),
        r#"{ "name":"é}" ,"_meta":{"progressToken":7}} "#,
    );
    check(
        "tools/call",
        Some(r#"{"_meta":{"progressToken":"mine"},"name":"x"}"#),
        r#"{"_meta":{"progressToken":"mine"},"name":"x"}"#,
    );
    check(
        "tools/call",
        Some(r#"{"_meta":{ },"name":"x"}"#),
        r#"{"_meta":{ "progressToken":7},"name":"x"}"#,
    );
    check(
        "tools/call",
        Some(r#"{"_meta":{"a":{"b":"}"}},"name":"x"}"#),
        r#"{"_meta":{"a":{"b":"}"},"progressToken":7},"name":"x"}"#,
    );
    check(
        "tools/call",
        Some(r#"{"_meta":{"x":1},"_meta":{"y":2}}"#),
        r#"{"_meta":{"x":1},"_meta":{"y":2,"progressToken":7}}"#,
    );
}

#[test]
fn the_modern_era_adds_what_is_missing_in_meta() {
    let check = |typed: Option<&str>, expected: &str| {
        let (params, problem) = params("tools/list", typed, Revision::LATEST_MODERN);
        assert_eq!((params.as_str(), problem), (expected, None), "{typed:?}");
    };
    check(None, &format!(r#"{{"_meta":{{{META}}}}}"#));
    check(
        Some(r#"{"cursor":""}"#),
        &format!(r#"{{"cursor":"","_meta":{{{META}}}}}"#),
    );
    check(
        Some(r#"{"_meta":{"k":1}}"#),
        &format!(r#"{{"_meta":{{"k":1,{META}}}}}"#),
    );
    let own = format!(r#"{{"_meta":{{{META}}}}}"#);
    check(Some(&own), &own);
    let (params, _) = params(
        "tools/list",
        Some(r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"x"}}"#),
        Revision::LATEST_MODERN,
    );
    assert_eq!(
        params.matches("protocolVersion").count(),
        1,
        "a wrong version can be sent on purpose: {params}"
    );
}

#[test]
fn anything_can_be_sent_and_what_is_wrong_is_said() {
    let check = |typed: &str, expected: &str, problem: &str| {
        let (params, said) = params("tools/call", Some(typed), Revision::LATEST_MODERN);
        assert_eq!(params, expected, "{typed}");
        assert!(
            said.as_deref().is_some_and(|said| said.contains(problem)),
            "{typed}: {said:?}"
        );
    };
    check("[1, 2]", "[1, 2]", "no JSON object");
    check("{\"a\":", "{\"a\":", "not JSON");
    check("{\"a\":\n}", "{\"a\": }", "not JSON");
    check(
        r#"{"_meta":3}"#,
        r#"{"_meta":3}"#,
        "_meta is no JSON object",
    );
}

#[test]
fn a_draft_can_bring_meta_and_another_revision() {
    let draft = Draft {
        meta: Some(
            r#"{"io.modelcontextprotocol/logLevel":"debug","progressToken":"t"}"#.to_owned(),
        ),
        revision: Some(Revision::V2025_06_18),
        ..Draft::new("tools/call", Some(r#"{"name":"x"}"#.to_owned()))
    };
    let sent = composed(&draft, Revision::LATEST_MODERN);
    let expected = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x","_meta":{"io.modelcontextprotocol/logLevel":"debug","progressToken":"t"}}}"#;
    assert_eq!(sent.bytes, expected);
    assert_eq!(sent.progress_token.as_deref(), Some("\"t\""));
}

fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap()
}

fn error(code: i64, data: Option<&str>) -> Probe {
    let data = data
        .map(|data| format!(r#","data":{data}"#))
        .unwrap_or_default();
    let message = format!(r#"{{"id":1,"error":{{"code":{code},"message":"m"{data}}}}}"#);
    Probe::Error(reply(&message.as_str().into()).unwrap().unwrap_err())
}

#[test]
fn the_decision_table_of_the_handshake() {
    let check = |probe: Probe, expected: &str| {
        let asked = format!("{probe:?}");
        let verdict = judge(probe, Revision::LATEST_MODERN, false);
        let found = match &verdict {
            Verdict::Modern(revision, _) => format!("modern {revision}"),
            Verdict::Undescribed(revision, _) => format!("undescribed {revision}"),
            Verdict::Again(revision) => format!("again {revision}"),
            Verdict::Legacy(_) => "legacy".to_owned(),
            Verdict::Restart(_) => "restart".to_owned(),
            Verdict::RestartModern(_) => "restart modern".to_owned(),
            Verdict::Incompatible(theirs) => format!("incompatible {theirs:?}"),
        };
        assert_eq!(found, expected, "{asked}");
    };
    let result = |versions: &str| {
        Probe::Result(
            format!(r#"{{"supportedVersions":{versions}}}"#)
                .as_str()
                .into(),
        )
    };
    check(result(r#"["2026-07-28"]"#), "modern 2026-07-28");
    check(
        result(r#"["2024-11-05","2026-07-28","2025-11-25"]"#),
        "modern 2026-07-28",
    );
    check(result(r#"["2025-11-25","2025-06-18"]"#), "legacy");
    check(result(r#"["2099-01-01"]"#), "incompatible [\"2099-01-01\"]");
    check(result("[]"), "incompatible []");
    check(result("\"2026-07-28\""), "legacy");
    check(Probe::Result("{}".into()), "legacy");
    check(Probe::Result("[]".into()), "legacy");
    check(
        error(-32022, Some(r#"{"supported":["2026-07-28"]}"#)),
        "again 2026-07-28",
    );
    check(
        error(-32022, Some(r#"{"supported":["2099-01-01"]}"#)),
        "incompatible [\"2099-01-01\"]",
    );
    check(
        error(-32022, Some(r#"{"supported":["2025-11-25"]}"#)),
        "legacy",
    );
    check(error(-32022, None), "incompatible []");
    check(error(-32020, None), "undescribed 2026-07-28");
    check(error(-32021, None), "undescribed 2026-07-28");
    for code in [-32601, -32602, -32600, -32000, 0, 1] {
        check(error(code, None), "legacy");
    }
    check(Probe::Silence, "restart");
    check(Probe::Ended, "restart");
    check(Probe::Late, "restart modern");
    let twice = judge(
        error(-32022, Some(r#"{"supported":["2026-07-28"]}"#)),
        Revision::LATEST_MODERN,
        true,
    );
    assert!(
        matches!(twice, Verdict::Incompatible(_)),
        "a server is asked again only once: {twice:?}"
    );
}

#[test]
fn what_the_server_says_of_itself() {
    let old = discovered(
        Revision::LATEST_MODERN,
        &r#"{"serverInfo":{"name":"a","version":"1"},"instructions":"do"}"#.into(),
    );
    assert_eq!(
        (old.name.as_str(), old.instructions.as_deref()),
        ("a", Some("do"))
    );
    let new = discovered(
        Revision::LATEST_MODERN,
        &r#"{"serverInfo":{"name":"a"},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"b","version":"2"}},"capabilities":{"x": 1}}"#.into(),
    );
    assert_eq!(
        (
            new.name.as_str(),
            new.version.as_str(),
            new.capabilities.get()
        ),
        ("b", "2", r#"{"x": 1}"#)
    );
    let legacy = initialized(&r#"{"protocolVersion":"2024-11-05"}"#.into()).unwrap();
    assert_eq!(
        (legacy.era, legacy.revision, legacy.server.is_none()),
        (Era::Legacy, Revision::V2024_11_05, true)
    );
    assert_eq!(
        initialized(&r#"{"protocolVersion":"2024-10-07"}"#.into()).unwrap_err(),
        "2024-10-07"
    );
    assert!(initialized(&"[]".into()).is_err());
}

#[test]
fn a_server_that_must_be_downloaded_gets_more_time() {
    let check = |command: &str, seconds: u64| {
        let config = ServerConfig::Stdio {
            command: command.to_owned(),
            args: vec![],
            env: super::no_env(),
            cwd: None,
        };
        assert_eq!(
            Patience::of(&config).from_start.as_secs(),
            seconds,
            "{command}"
        );
    };
    check("node", 30);
    check("npx", 60);
    check("/usr/bin/uvx", 60);
    check(r"C:\node\npx.cmd", 60);
    check("/opt/npx/server", 30);
}

#[test]
fn answers_are_read_to_the_byte() {
    let ok = reply(&r#"{"id":1,"result":{"n": 9007199254740993,"n":1.0}}"#.into())
        .unwrap()
        .unwrap();
    assert_eq!(ok.get(), r#"{"n": 9007199254740993,"n":1.0}"#);
    let RpcError {
        code,
        message,
        data,
        raw,
    } = reply(&r#"{"id":1,"error":{"code":-5,"message":"no \u0928","data":[1.0]}}"#.into())
        .unwrap()
        .unwrap_err();
    assert_eq!(
        (code, message.as_str(), data.unwrap().get()),
        (-5, "no न", "[1.0]")
    );
    assert_eq!(
        raw.get(),
        r#"{"code":-5,"message":"no \u0928","data":[1.0]}"#
    );
    let odd = reply(&r#"{"id":1,"error":"boom"}"#.into())
        .unwrap()
        .unwrap_err();
    assert_eq!(
        (odd.code, odd.raw.get()),
        (0, "\"boom\""),
        "an error of the wrong shape is an error"
    );
    assert!(reply(&r#"{"id":1}"#.into()).is_none());
}

#[test]
fn one_bad_item_is_one_bad_item() {
    let check = |text: &str, name: &str, problem: Option<&str>| {
        let tool = tool(raw(text));
        assert_eq!(
            (tool.name.as_str(), tool.problem.as_deref()),
            (name, problem),
            "{text}"
        );
        assert_eq!(tool.raw.get(), text);
    };
    check(r#"{"name":"a","inputSchema":{"type":"object"}}"#, "a", None);
    check(r#"{"name":"a"}"#, "a", Some("it has no `inputSchema`"));
    check(
        r#"{"inputSchema":[]}"#,
        "",
        Some("it has no `name`; `inputSchema` is no object"),
    );
    check(
        r#"{"name":3,"inputSchema":{"type":"object"}}"#,
        "",
        Some("`name` is no string"),
    );
    check("null", "", Some("it is no object"));
    let titled = tool(raw(
        r#"{"name":"a","annotations":{"title":"T","readOnlyHint":true},"inputSchema":{"type":"object"}}"#,
    ));
    assert_eq!(
        (
            titled.title.as_deref(),
            titled.hints.read_only,
            titled.hints.destructive
        ),
        (Some("T"), Some(true), None)
    );
    let prompt = prompt(raw(
        r#"{"name":"p","arguments":[{"name":"x","required":true},{}]}"#,
    ));
    assert_eq!(prompt.arguments.len(), 2);
    assert!(prompt.arguments[0].required);
    assert_eq!(
        prompt.problem.as_deref(),
        Some("argument 2: it has no `name`")
    );
}

/// Case F24 of the corpus: an odd `inputSchema` is a fault of that tool and of no other.
#[test]
fn f24_odd_input_schemas_are_named_tool_by_tool() {
    for (raw, part) in [
        (
            r#"{"name":"a","inputSchema":{"anyOf":[{"type":"object"},{"type":"object"}]}}"#,
            Some("no `type`"),
        ),
        (r#"{"name":"b","inputSchema":{}}"#, Some("no `type`")),
        (r#"{"name":"c","inputSchema":null}"#, Some("no object")),
        (
            r#"{"name":"d","inputSchema":{"type":"object","properties":{},"required":null}}"#,
            Some("`required`"),
        ),
        (r#"{"name":"e"}"#, Some("no `inputSchema`")),
        (
            r#"{"name":"f","inputSchema":{"type":"string"}}"#,
            Some("\"string\""),
        ),
        (
            r#"{"name":"g","inputSchema":{"type":"object","properties":[]}}"#,
            Some("`properties`"),
        ),
        (r#"{"name":"ok","inputSchema":{"type":"object"}}"#, None),
    ] {
        let raw = serde_json::value::RawValue::from_string(raw.to_owned()).unwrap();
        let tool = super::super::catalog::tool(raw);
        assert!(!tool.name.is_empty(), "it is listed: {tool:?}");
        match part {
            None => assert_eq!(tool.problem, None, "{}", tool.name),
            Some(part) => assert!(
                tool.problem
                    .as_ref()
                    .is_some_and(|problem| problem.contains(part)),
                "{part}: {tool:?}"
            ),
        }
    }
}
