//! Whole conversations over a pipe in memory, in both eras.

mod both_ways;
mod ends;

use std::collections::HashSet;

use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};

use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::tools;

const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
const MODERN: &str = "2026-07-28";

/// The client's end of a conversation.
struct Client {
    input: WriteHalf<DuplexStream>,
    output: Lines<BufReader<ReadHalf<DuplexStream>>>,
    /// What goes into `_meta` of each request.
    meta: Option<Value>,
    next_id: u64,
    /// The codes with which the server wanted to exit.
    exits: UnboundedReceiver<u8>,
}

impl Client {
    async fn say(&mut self, line: &str) {
        self.input
            .write_all(format!("{line}\n").as_bytes())
            .await
            .expect("the server reads");
    }

    async fn hear(&mut self) -> String {
        self.output
            .next_line()
            .await
            .expect("the server's output is UTF-8")
            .expect("the server is still there")
    }

    async fn hear_json(&mut self) -> Value {
        serde_json::from_str(&self.hear().await).expect("the server writes JSON")
    }

    /// Sends a request, with `extra` members of `_meta`, and does not wait for its answer.
    async fn ask(&mut self, method: &str, mut params: Value, extra: &Value) {
        let mut meta = self.meta.clone().unwrap_or_else(|| json!({}));
        for (key, value) in extra.as_object().into_iter().flatten() {
            meta[key] = value.clone();
        }
        if meta != json!({}) {
            params["_meta"] = meta;
        }
        self.next_id += 1;
        self.say(
            &json!({ "jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params })
                .to_string(),
        )
        .await;
    }

    /// Sends a request and gives its answer, together with the notifications that came before it.
    async fn request(&mut self, method: &str, params: Value, extra: &Value) -> (Value, Vec<Value>) {
        self.ask(method, params, extra).await;
        let mut notifications = Vec::new();
        loop {
            let message = self.hear_json().await;
            if message.get("id").is_some() {
                assert_eq!(
                    message["id"], self.next_id,
                    "the answer is to the last request"
                );
                return (message, notifications);
            }
            notifications.push(message);
        }
    }

    async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
            &Value::Null,
        )
        .await
        .0
    }
}

/// Runs `script` against a server that has just started.
async fn with_server<T>(script: impl AsyncFnOnce(&mut Client) -> T) -> T {
    let (near, far) = tokio::io::duplex(64 * 1024);
    let (input, output) = tokio::io::split(far);
    let (exit, exits) = unbounded_channel();
    let serve = crate::serve(input, output, move |code| {
        exit.send(code).expect("the test is still there")
    });
    let (output, input) = tokio::io::split(near);
    let mut client = Client {
        input,
        output: BufReader::new(output).lines(),
        meta: None,
        next_id: 0,
        exits,
    };
    tokio::select! {
        quit = serve => panic!("the server left in mid-conversation: {quit:?}"),
        result = script(&mut client) => result,
    }
}

/// Runs `script` once per revision, each time with a server and a session of its own.
async fn in_every_revision(script: impl AsyncFn(&mut Client, bool)) {
    for revision in LEGACY {
        with_server(async |client| {
            let hello = json!({ "protocolVersion": revision, "capabilities": {}, "clientInfo": { "name": "test", "version": "0" } });
            let (answer, _) = client.request("initialize", hello, &Value::Null).await;
            assert_eq!(answer["result"]["protocolVersion"], revision, "the server takes the client's revision");
            client.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
            script(client, false).await;
        })
        .await;
    }
    with_server(async |client| {
        client.meta = Some(modern_meta());
        let (answer, _) = client
            .request("server/discover", json!({}), &Value::Null)
            .await;
        assert!(
            answer["result"]["supportedVersions"]
                .as_array()
                .is_some_and(|versions| versions.contains(&json!(MODERN)))
        );
        script(client, true).await;
    })
    .await;
}

fn modern_meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "0" }
    })
}

/// What each tool answers to `arguments`: a part of its first text, and whether it is an error of the tool.
const CALLS: &[(&str, &str, &str, bool)] = &[
    (
        "com.example.weather/current",
        r#"{"location":"Lisbon"}"#,
        "Current weather in Lisbon: ",
        false,
    ),
    (
        "com.example.weather/current",
        r#"{"location":"Lisbon","units":"kelvin"}"#,
        " K, ",
        false,
    ),
    (
        "com.example.weather/current",
        "{}",
        "`location` is required",
        true,
    ),
    (
        "com.example.weather/current",
        r#"{"location":7}"#,
        "`location` must be a string; got 7",
        true,
    ),
    (
        "com.example.weather/current",
        r#"{"location":"Oslo","units":"stone"}"#,
        r#"must be metric, imperial or kelvin; got "stone""#,
        true,
    ),
    ("echo", r#"{"value":1}"#, r#"{"value":1}"#, false),
    (
        "progress",
        r#"{"steps":2,"intervalMs":0}"#,
        "2 steps done, none reported",
        false,
    ),
    ("slow", r#"{"ms":0}"#, "answered after 0 ms", false),
    (
        "slow",
        r#"{"ms":-1}"#,
        "`ms` must be an integer from 0 to 600000; got -1",
        true,
    ),
    ("slow", r#"{"ms":1.5}"#, "got 1.5", true),
    ("big-result", r#"{"kib":1}"#, "         0  The quick", false),
    (
        "big-result",
        r#"{"kib":1,"twice":true}"#,
        "         0  The quick",
        false,
    ),
    ("is-error", r#"{"message":"no"}"#, "no", true),
    (
        "stderr",
        r#"{"lines":1,"ansi":false}"#,
        "1 lines written",
        false,
    ),
    (
        "stderr",
        r#"{"ansi":"yes"}"#,
        "`ansi` must be true or false",
        true,
    ),
    (
        "delete-records",
        r#"{"table":"orders"}"#,
        "0 records of orders would be deleted",
        false,
    ),
    (
        "delete-records",
        r#"{"table":"users"}"#,
        "`table` must be customers or orders",
        true,
    ),
    ("mixed-content", "{}", "for the user", false),
];

#[tokio::test]
async fn tools_answer_in_every_revision() {
    in_every_revision(async |client, modern| {
        for &(tool, arguments, text, is_error) in CALLS {
            let answer = client
                .call(
                    tool,
                    serde_json::from_str(arguments).expect("the table is JSON"),
                )
                .await;
            let result = &answer["result"];
            let first = result["content"][0]["text"].as_str().unwrap_or_default();
            assert!(first.contains(text), "{tool} {arguments}: {answer}");
            assert_eq!(result["isError"], is_error, "{tool} {arguments}");
            let structured = result.get("structuredContent");
            assert_eq!(
                structured.is_some_and(|structured| structured["text"] == first),
                arguments.contains("twice"),
                "{tool} {arguments}: {answer}"
            );
            assert_eq!(
                result.get("resultType").is_some(),
                modern,
                "resultType is of the modern era: {tool}"
            );
            let server = &result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"];
            assert_eq!(
                server == "framescope-demo",
                modern,
                "a modern result says whose it is: {tool}"
            );
        }
    })
    .await;
}

#[tokio::test]
async fn lists_are_described_and_complete() {
    in_every_revision(async |client, modern| {
        for (method, member, least) in [
            ("tools/list", "tools", 20),
            ("resources/list", "resources", 2),
            ("resources/templates/list", "resourceTemplates", 1),
            ("prompts/list", "prompts", 1),
        ] {
            let (answer, _) = client.request(method, json!({}), &Value::Null).await;
            let items = answer["result"][member].as_array().expect(member);
            assert!(items.len() >= least, "{method}: {}", items.len());
            for item in items {
                for field in ["name", "title", "description"] {
                    assert!(
                        item[field].as_str().is_some_and(|text| !text.is_empty()),
                        "{method}: no {field} in {item}"
                    );
                }
            }
            assert_eq!(
                answer["result"].get("ttlMs").is_some(),
                modern,
                "caching hints are of the modern era: {method}"
            );
            let (answer, _) = client
                .request(method, json!({ "cursor": "x" }), &Value::Null)
                .await;
            assert_eq!(
                answer["error"]["code"], -32602,
                "a cursor that was never given: {method}"
            );
        }
    })
    .await;
}

#[test]
fn tool_definitions_are_sound() {
    let mut names = HashSet::new();
    for tool in tools::all() {
        let name = tool.name.as_ref();
        assert!(names.insert(name.to_owned()), "{name} is there twice");
        let plain = name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
        assert!(
            plain || name == tools::weather::NAME,
            "{name} is outside the recommended characters"
        );
        assert_eq!(tool.input_schema["type"], "object", "{name}");
        let properties = tool
            .input_schema
            .get("properties")
            .and_then(Value::as_object);
        let required = tool.input_schema.get("required").and_then(Value::as_array);
        for key in required.into_iter().flatten().filter_map(Value::as_str) {
            assert!(
                properties.is_some_and(|all| all.contains_key(key)),
                "{name} requires {key}, which it does not describe"
            );
        }
        assert!(
            tool.annotations
                .is_some_and(|hints| hints.read_only_hint.is_some()),
            "{name} has no hints"
        );
    }
    let weather = tools::weather::tool();
    let order: Vec<_> = weather.input_schema["properties"]
        .as_object()
        .expect("properties")
        .keys()
        .cloned()
        .collect();
    assert_eq!(
        order,
        ["location", "units"],
        "properties keep the order in which they are written"
    );
}

#[tokio::test]
async fn structured_output_fits_its_schema() {
    with_server(async |client| {
        client.meta = Some(modern_meta());
        let answer = client
            .call(
                tools::weather::NAME,
                json!({ "location": "Lisbon", "units": "imperial" }),
            )
            .await;
        let report = &answer["result"]["structuredContent"];
        let schema = tools::weather::tool()
            .output_schema
            .expect("the weather tool has an output schema");
        for key in schema["required"]
            .as_array()
            .expect("required")
            .iter()
            .filter_map(Value::as_str)
        {
            let kind = schema["properties"][key]["type"].as_str().expect("type");
            let fits = match kind {
                "string" => report[key].is_string(),
                "number" => report[key].is_number(),
                "integer" => report[key].is_u64(),
                other => panic!("{key} is a {other}: teach this test about it"),
            };
            assert!(fits, "{key} is no {kind}: {report}");
        }
        assert_eq!(report["units"], "imperial");
        let text = answer["result"]["content"][1]["text"]
            .as_str()
            .expect("the output as text");
        assert_eq!(
            &serde_json::from_str::<Value>(text).expect("JSON"),
            report,
            "the text is the same report"
        );
    })
    .await;
}

#[tokio::test]
async fn echo_is_exact() {
    const ARGUMENTS: &[&str] = &[
        r#"{"value":9007199254740993}"#,
        r#"{"value":123456789012345678901234567890}"#,
        r#"{"value":-0, "b":1.0,"a":1.50,  "e":1e400}"#,
        r#"{"value":1,"value":2}"#,
        r#"{"value":"\u0041\/\ud83d\ude00 é"}"#,
        r#"{"z":{},"a":[ ]}"#,
        "{}",
    ];
    // Not a `Value`: that cannot hold 1e400.
    #[derive(serde::Deserialize)]
    struct Answer {
        id: String,
        result: Content,
    }
    #[derive(serde::Deserialize)]
    struct Content {
        content: Vec<Text>,
    }
    #[derive(serde::Deserialize)]
    struct Text {
        text: String,
    }
    in_every_revision(async |client, modern| {
        for arguments in ARGUMENTS {
            let meta = if modern { format!(r#","_meta":{}"#, modern_meta()) } else { String::new() };
            client
                .say(&format!(
                    r#"{{"jsonrpc":"2.0","id":"é 1","method":"tools/call","params":{{"name":"echo","arguments":{arguments}{meta}}}}}"#
                ))
                .await;
            let line = client.hear().await;
            assert!(line.contains(&format!(r#""received":{arguments}}}"#)), "{arguments} came back as {line}");
            let answer: Answer = serde_json::from_str(&line).expect("JSON");
            assert_eq!(answer.id, "é 1");
            assert_eq!(answer.result.content[0].text, *arguments, "the text is exact as well");
        }
    })
    .await;
}

#[tokio::test]
async fn failures_are_of_the_right_kind() {
    in_every_revision(async |client, modern| {
        let answer = client
            .call(
                "protocol-error",
                json!({ "code": -32050, "message": "gone" }),
            )
            .await;
        assert_eq!(answer["error"]["code"], -32050);
        assert_eq!(answer["error"]["message"], "gone");
        assert!(
            answer["error"]["data"].is_object(),
            "the error has data: {answer}"
        );
        for (method, params, code) in [
            ("tools/call", json!({ "name": "none" }), -32602),
            ("prompts/get", json!({ "name": "none" }), -32602),
            ("prompts/get", json!({ "name": "plan-a-day" }), -32602),
            (
                "resources/read",
                json!({ "uri": "demo://none" }),
                if modern { -32602 } else { -32002 },
            ),
            (
                "resources/read",
                json!({ "uri": "demo://weather/%zz" }),
                if modern { -32602 } else { -32002 },
            ),
            ("no/such/method", json!({}), -32601),
        ] {
            let (answer, _) = client.request(method, params.clone(), &Value::Null).await;
            assert_eq!(answer["error"]["code"], code, "{method} {params}: {answer}");
        }
    })
    .await;
}

#[tokio::test]
async fn progress_follows_its_token() {
    in_every_revision(async |client, _| {
        for (tool, arguments) in [
            ("progress", json!({ "steps": 4, "intervalMs": 0 })),
            ("burst", json!({ "n": 4 })),
        ] {
            let params = json!({ "name": tool, "arguments": arguments });
            let (answer, notifications) = client
                .request("tools/call", params, &json!({ "progressToken": "p" }))
                .await;
            assert_eq!(answer["result"]["isError"], false, "{tool}");
            let steps: Vec<_> = notifications
                .iter()
                .filter(|n| {
                    n["method"] == "notifications/progress" && n["params"]["progressToken"] == "p"
                })
                .filter_map(|n| n["params"]["progress"].as_f64())
                .collect();
            assert_eq!(
                steps,
                [1.0, 2.0, 3.0, 4.0],
                "{tool}: all of them, in order, before the answer"
            );
        }
    })
    .await;
}

#[tokio::test]
async fn log_messages_follow_the_level() {
    in_every_revision(async |client, modern| {
        // (level that the client wants, level of the message, whether it comes)
        for (wanted, level, comes) in [(None, "debug", !modern), (Some("info"), "info", true), (Some("error"), "warning", false)] {
            let extra = match wanted {
                Some(wanted) if modern => json!({ "io.modelcontextprotocol/logLevel": wanted }),
                Some(wanted) => {
                    let (answer, _) = client.request("logging/setLevel", json!({ "level": wanted }), &Value::Null).await;
                    assert_eq!(answer["result"], json!({}));
                    Value::Null
                }
                None => Value::Null,
            };
            let params = json!({ "name": "log", "arguments": { "level": level, "message": "hi", "logger": "unit" } });
            let (_, notifications) = client.request("tools/call", params, &extra).await;
            let expected = json!({ "level": level, "logger": "unit", "data": { "message": "hi" } });
            let got: Vec<_> = notifications.iter().map(|n| &n["params"]).collect();
            assert_eq!(got, if comes { vec![&expected] } else { vec![] }, "{level} where {wanted:?} is wanted");
        }
    })
    .await;
}

#[tokio::test]
async fn a_burst_needs_no_token_and_no_level() {
    in_every_revision(async |client, modern| {
        let (_, notifications) = client
            .request(
                "tools/call",
                json!({ "name": "burst", "arguments": { "n": 500 } }),
                &Value::Null,
            )
            .await;
        assert_eq!(notifications.len(), 500);
        let method = if modern {
            "notifications/com.example.demo/tick"
        } else {
            "notifications/message"
        };
        assert!(
            notifications.iter().all(|n| n["method"] == method),
            "a modern server logs only where it is asked to"
        );
    })
    .await;
}
