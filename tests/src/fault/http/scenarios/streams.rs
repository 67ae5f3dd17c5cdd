//! Oddities of event streams.

use super::{Rules, always, first, legacy, modern};
use crate::fault::http::answer::{Part, Response, event};
use crate::fault::http::{On, Scenario, Style};
use crate::fault::message::{initialize_result, notification, response, text_result};

pub(super) const STREAMS: &[Scenario] = &[
    legacy(
        "sse-comments",
        "comments, retry, a priming event and an event of another name around the answer",
        |_| {
            text(&format!(
                ": ok\n\nretry: 500\n\nid: 1\ndata: \n\n: ping\n\nevent: message\nid: 2\ndata: {}\n\nevent: custom\ndata: hello\n\n",
                ok()
            ))
        },
    ),
    legacy("sse-lines", "an answer over several data lines", |_| {
        text(
            "event: message\ndata: {\"jsonrpc\":\ndata: \"2.0\",\ndata:\"id\":$ID,\"result\":\ndata: {\"content\":[]}}\n\n",
        )
    }),
    legacy("sse-cr", "lines that end in CR", |_| {
        text(&event(&ok()).replace('\n', "\r"))
    }),
    legacy("sse-crlf", "lines that end in CR LF", |_| {
        text(&event(&ok()).replace('\n', "\r\n"))
    }),
    legacy(
        "sse-bom",
        "a byte order mark before the first event",
        |_| text(&format!("\u{feff}{}", event(&ok()))),
    ),
    legacy(
        "sse-bare",
        "no event line, no space after the colon",
        |_| text(&format!("data:{}\n\n", ok())),
    ),
    legacy(
        "sse-unknown-fields",
        "fields that nobody knows, without and with a colon",
        |_| {
            text(&format!(
                "x\nfoo: bar\nevent\ndata: {}\nid:\u{1}\u{0}\n\n",
                ok()
            ))
        },
    ),
    legacy(
        "sse-invalid-utf8",
        "bytes that are no UTF-8 in an event before the answer",
        |_| {
            events(vec![
                Part::Bytes(b"data: {\"t\":\"\xff\"}\n\n".into()),
                Part::Text(event(&ok())),
            ])
        },
    ),
    legacy("sse-noise", "events whose data is no JSON", |_| {
        text(&format!(
            "data: hello\n\ndata: {{\n\ndata: [DONE]\n\n{}",
            event(&ok())
        ))
    }),
    legacy(
        "sse-split",
        "byte by byte, characters of several bytes in it",
        |_| {
            let answer = response("$ID", &text_result("\u{1f600} \u{2014}"));
            events(vec![Part::Trickle(event(&answer))])
        },
    ),
    legacy(
        "sse-batch",
        "the answer inside of an array, with a notification",
        |_| {
            text(&event(&format!(
                "[{},{}]",
                notification("in a batch"),
                ok()
            )))
        },
    ),
    legacy(
        "sse-oddities",
        "all of these in one stream, an unfinished event at its end",
        |_| events(every_oddity()),
    ),
    legacy(
        "sse-big",
        "an answer of ARGUMENT MiB (20) as one event",
        |mebibytes| {
            let start = "data: {\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"";
            events(vec![Part::Big(start, mebibytes.number(20), "\"}]}}\n\n")])
        },
    ),
    legacy(
        "sse-burst",
        "ARGUMENT (10000) notifications before the answer",
        |count| {
            events(vec![
                Part::Burst(count.number(10_000), event(&notification("message $N"))),
                Part::Text(event(&ok())),
            ])
        },
    ),
    legacy(
        "sse-asks",
        "a ping of the server inside of the answer's stream; the answer after the client's",
        |_| {
            let ping = r#"{"jsonrpc":"2.0","id":"s-1","method":"ping"}"#;
            events(vec![
                Part::Text(event(ping)),
                Part::Await(""),
                Part::Text(event(&ok())),
            ])
        },
    ),
    // Ends
    legacy(
        "sse-endless",
        "notifications for ever and no answer",
        |_| events(vec![Part::Endless(5, event(&notification("message $N")))]),
    ),
    modern(
        "sse-endless-modern",
        "modern; notifications for ever and no answer",
        |_| events(vec![Part::Endless(5, event(&notification("message $N")))]),
    ),
    legacy(
        "sse-stays-open",
        "the stream does not end after the answer",
        |_| events(vec![Part::Text(event(&ok())), Part::Hang]),
    ),
    legacy(
        "sse-silent",
        "the head of a stream and nothing more",
        |_| events(vec![Part::Hang]),
    ),
    legacy(
        "sse-late",
        "the answer only when it has been cancelled",
        |_| {
            events(vec![
                Part::Await("notifications/cancelled"),
                Part::Text(event(&ok())),
            ])
        },
    ),
    legacy(
        "sse-ends",
        "a progress notification, then the end of the stream, once",
        |_| first(Response::sse(vec![Part::Text(event(PROGRESS))])),
    ),
    legacy(
        "sse-ends-at-once",
        "the end of the stream before any event, once",
        |_| first(Response::sse(vec![])),
    ),
    legacy(
        "sse-ends-primed",
        "an event with an id, a retry time, the end; 404 to GET, once",
        |_| {
            let mut rules = first(Response::sse(vec![Part::Text(
                "id: 5\nretry: 10\ndata: \n\n".into(),
            )]));
            rules.push((On::Http("GET"), vec![Response::empty(404).into()]));
            rules
        },
    ),
    legacy(
        "sse-cut",
        "the connection ends in the middle of the answer's event, once",
        |_| first(Response::sse(vec![Part::Text(HALF.into()), Part::Cut])),
    ),
    legacy(
        "sse-unfinished",
        "the answer's event without the blank line after it, then the end, once",
        |_| first(Response::sse(vec![Part::Text(format!("data: {}\n", ok()))])),
    ),
    legacy(
        "sse-reset",
        "the connection is reset in the middle of the answer's event, once",
        |_| {
            first(Response::sse(vec![
                Part::Text(HALF.into()),
                Part::Pause(50),
                Part::Reset,
            ]))
        },
    ),
    legacy(
        "sse-polls",
        "the answer only on the second stream that goes on with the first one",
        |_| {
            let first = "id: 5\nretry: 50\ndata: \n\n";
            let mut rules = always(Response::sse(vec![Part::Text(first.into())]));
            let more = Response::sse(vec![Part::Text("id: 6\ndata: \n\n".into())]);
            let last = Response::sse(vec![Part::Text(format!("id: 7\n{}", event(&ok())))]);
            rules.push((On::Resume, vec![more.into(), last.into()]));
            rules
        },
    ),
    legacy(
        "sse-resumed-in-vain",
        "an event with an id, the end, and the same to whoever wants to go on",
        |_| {
            let stream = || Response::sse(vec![Part::Text("id: 5\nretry: 10\ndata: \n\n".into())]);
            let mut rules = always(stream());
            rules.push((On::Resume, vec![stream().into()]));
            rules
        },
    ),
    // GET
    legacy(
        "get-stream",
        "notifications on the stream of a GET, which stays open",
        |_| {
            get(Response::sse(vec![
                Part::Text(event(&notification("by GET"))),
                Part::Hang,
            ]))
        },
    ),
    legacy(
        "get-refused",
        "status ARGUMENT (404) of type text/html to GET",
        |status| {
            let status = u16::try_from(status.number(404)).unwrap_or(404);
            get(Response::typed(status, "text/html", "<h1>No</h1>"))
        },
    ),
    legacy("get-hangs", "no answer to GET", |_| {
        get(Response {
            slow_head: true,
            ..Response::sse(vec![Part::Hang])
        }
        .with("X-Slow", &"x".repeat(100)))
    }),
    legacy(
        "get-ends",
        "the stream of a GET ends at once, each time",
        |_| get(Response::sse(vec![])),
    ),
    legacy(
        "get-resumes",
        "the stream of a GET ends after each event; it goes on where it was left",
        |_| {
            let part = |id: u32| {
                let text = format!("id: {id}\nretry: 10\n{}", event(&notification("by GET")));
                Response::sse(vec![Part::Text(text)])
            };
            let mut last = part(3);
            last.parts.push(Part::Hang);
            vec![
                (On::Resume, vec![part(2).into(), last.into()]),
                (On::Http("GET"), vec![part(1).into()]),
            ]
        },
    ),
    // HTTP+SSE of 2024-11-05
    legacy(
        "old-sse-ends",
        "HTTP+SSE; the stream ends at the first tools/call",
        |_| {
            let parts = vec![
                Part::Text("event: endpoint\ndata: /messages\n\n".into()),
                Part::Await("initialize"),
                Part::Text(event(&response("1", &initialize_result("2025-11-25")))),
                Part::Await("tools/call"),
            ];
            vec![
                (On::Http("GET"), vec![Response::sse(parts).into()]),
                (On::Path("/mcp"), vec![Response::empty(405).into()]),
            ]
        },
    )
    .sessions(false)
    .style(Style::Stream),
    legacy(
        "old-sse",
        "HTTP+SSE of 2024-11-05; endpoint ARGUMENT (/messages?s=1)",
        |endpoint| {
            let endpoint = format!(
                "event: endpoint\ndata: {}\n\n",
                endpoint.text("/messages?s=1")
            );
            let refuse = vec![Response::empty(405).into()];
            let open = Response::sse(vec![Part::Text(endpoint), Part::Stream]);
            vec![
                (On::Http("GET"), vec![open.into()]),
                (On::Path("/mcp"), refuse),
            ]
        },
    )
    .sessions(false)
    .style(Style::Stream),
];

const PROGRESS: &str = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":$ID,"progress":1}}"#;
const HALF: &str = "data: {\"jsonrpc\":\"2.0\",\"id\":$ID,\"result\":{\"cont";

fn ok() -> String {
    response("$ID", &text_result("ok"))
}

fn events(parts: Vec<Part>) -> Rules {
    always(Response::sse(parts))
}

fn text(text: &str) -> Rules {
    events(vec![Part::Text(text.to_owned())])
}

fn get(response: Response) -> Rules {
    vec![(On::Http("GET"), vec![response.into()])]
}

fn every_oddity() -> Vec<Part> {
    let mut parts = vec![
        Part::Text("\u{feff}: first\n\n\n\nretry: 10\n\nid: 1\ndata: \n\n".into()),
        Part::Text(event(&notification("crlf")).replace('\n', "\r\n")),
        Part::Text(event(&notification("cr")).replace('\n', "\r")),
        Part::Text(format!(
            "x\nfoo: bar\nevent\ndata:{}\n\n",
            notification("fields")
        )),
        Part::Bytes(b"data: {\"t\":\"\xff\"}\n\n".into()),
        Part::Text("data: hello\n\ndata: {\n\n: ping\r\r".into()),
        Part::Trickle(event(&notification("\u{1f600} split \u{2014}"))),
        Part::Text(
            "data: {\"jsonrpc\":\"2.0\",\ndata: \"method\":\"notifications/lines\"}\n\n".into(),
        ),
    ];
    let start = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/big\",\"params\":{\"x\":\"";
    parts.push(Part::Big(start, 5, "\"}}\n\n"));
    parts.push(Part::Burst(100, event(&notification("message $N"))));
    parts.push(Part::Text(event(&ok())));
    parts.push(Part::Text(event(&notification("after the answer"))));
    parts.push(Part::Text("data: never end".into()));
    parts
}
