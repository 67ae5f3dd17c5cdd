//! Oddities of the modern era: answers that ask for another request.

use super::modern;
use crate::fault::http::answer::{Answer, Part, Response, event};
use crate::fault::http::{On, Scenario};
use crate::fault::message::{error, response, unsupported};

pub(super) const MODERN: &[Scenario] = &[
    modern(
        "modern-unsupported",
        "-32022 to the first request, naming the version that was asked for",
        |_| {
            let data = unsupported(r#""2026-07-28""#, "2026-07-28");
            let refused = error("$ID", -32022, "Unsupported protocol version", &data);
            vec![(
                On::Request,
                vec![Response::json(400, &refused).into(), Answer::Good],
            )]
        },
    ),
    modern(
        "modern-unsupported-always",
        "-32022 to every request, naming the version that was asked for",
        |_| {
            let data = unsupported(r#""2026-07-28""#, "2026-07-28");
            let refused = error("$ID", -32022, "Unsupported protocol version", &data);
            vec![(On::Request, vec![Response::json(400, &refused).into()])]
        },
    ),
    modern(
        "modern-stale-schema",
        "-32020 to the first call; the tool's schema wants a header since then",
        |_| {
            let refused = error("$ID", -32020, "Mcp-Param-Team is missing", "");
            vec![
                (
                    On::Message("tools/list"),
                    vec![Response::json(200, &response("$ID", TOOLS)).into()],
                ),
                (
                    On::Message("tools/call"),
                    vec![Response::json(400, &refused).into(), Answer::Good],
                ),
            ]
        },
    ),
    modern(
        "modern-annotated",
        "tools with headers for their arguments, right and wrong ones",
        |_| {
            let listed = Response::json(200, &response("$ID", TOOLS));
            vec![(On::Message("tools/list"), vec![listed.into()])]
        },
    ),
    modern(
        "modern-input",
        "three rounds of input before the result: a form, nothing, the roots",
        |_| {
            let rounds = [
                r#"{"resultType":"input_required","inputRequests":{"q":{"method":"elicitation/create","params":{"mode":"form","message":"Name?","requestedSchema":{"type":"object","properties":{"n":{"type":"string","default":"x"}}}}}},"requestState":"opaque=1"}"#,
                r#"{"resultType":"input_required","requestState":"opaque=2"}"#,
                r#"{"resultType":"input_required","inputRequests":{"r":{"method":"roots/list"}}}"#,
            ];
            let rounds = rounds.map(|round| Response::json(200, &response("$ID", round)).into());
            vec![(
                On::Message("tools/call"),
                [&rounds[..], &[Answer::Good]].concat(),
            )]
        },
    ),
    modern(
        "modern-input-endless",
        "another round of input, for ever",
        |_| {
            let round =
                r#"{"resultType":"input_required","inputRequests":{"r":{"method":"roots/list"}}}"#;
            vec![(
                On::Message("tools/call"),
                vec![Response::json(200, &response("$ID", round)).into()],
            )]
        },
    ),
    modern(
        "modern-listen",
        "a subscription with less than was asked for, a change, a foreign notification, its end",
        |_| {
            let changed = |id: &str| {
                let meta = format!(r#""_meta":{{"io.modelcontextprotocol/subscriptionId":{id}}}"#);
                format!(
                    r#"{{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{{{meta}}}}}"#
                )
            };
            let stream = Response::sse(vec![
                Part::Text(event(ACKNOWLEDGED)),
                Part::Text(event(&changed("$ID"))),
                Part::Text(event(&changed(r#""other""#))),
                Part::Await("ping"),
                Part::Text(event(&response("$ID", r#"{"resultType":"complete"}"#))),
            ]);
            vec![(On::Message("subscriptions/listen"), vec![stream.into()])]
        },
    ),
];

const ACKNOWLEDGED: &str = r#"{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":$ID},"notifications":{"toolsListChanged":true}}}"#;

const TOOLS: &str = r#"{"resultType":"complete","ttlMs":60000,"cacheScope":"private","tools":[{"name":"fault","inputSchema":{"type":"object","properties":{"team":{"type":"string","x-mcp-header":"Team"}}}},{"name":"bad","inputSchema":{"type":"object","properties":{"a":{"type":"number","x-mcp-header":"A"}}}}]}"#;
