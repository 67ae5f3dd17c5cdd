//! Oddities of whole bodies: type, coding, length, status, what is said to notifications.

use super::{Rules, always, first, legacy};
use crate::fault::Argument;
use crate::fault::http::answer::{Answer, Coding, Framing, Part, Response};
use crate::fault::http::{On, Scenario};
use crate::fault::message::{error, notification, response, text_result};

pub(super) const BODIES: &[Scenario] = &[
    legacy(
        "content-type",
        "a JSON answer of type ARGUMENT (application/vnd.api+json)",
        |name| {
            always(Response::typed(
                200,
                &name.text("application/vnd.api+json"),
                &ok(),
            ))
        },
    ),
    legacy("no-content-type", "a JSON answer without a type", |_| {
        let mut answer = Response::empty(200);
        answer.parts = vec![Part::Text(ok())];
        always(answer)
    }),
    legacy(
        "json-chunked",
        "a JSON answer byte by byte, each in a chunk",
        |_| always(parts(vec![Part::Trickle(ok())])),
    ),
    legacy(
        "json-pretty",
        "a JSON answer over several lines, a line end after it",
        |_| {
            let answer = ok().replace(',', ",\n  ") + "\r\n";
            always(Response::json(200, &answer))
        },
    ),
    legacy("json-bom", "a byte order mark before a JSON answer", |_| {
        always(Response::json(200, &format!("\u{feff}{}", ok())))
    }),
    legacy(
        "json-invalid-utf8",
        "bytes that are no UTF-8 as JSON answer",
        |_| {
            always(parts(vec![Part::Bytes(
                b"{\"jsonrpc\":\"2.0\",\"id\":\xff}".into(),
            )]))
        },
    ),
    legacy(
        "json-latin1",
        "a JSON answer in ISO-8859-1, and said to be so",
        |_| {
            let mut answer = Response::typed(200, "application/json; charset=ISO-8859-1", "");
            let text = response("$ID", &text_result("Gr\u{fc}\u{df}e"));
            let bytes = text.chars().map(|c| u8::try_from(c).unwrap_or(b'?'));
            answer.parts = vec![Part::Bytes(bytes.collect())];
            always(answer)
        },
    ),
    legacy(
        "json-batch",
        "an answer inside of an array, with a notification",
        |_| {
            always(Response::json(
                200,
                &format!("[{},{}]", notification("in a batch"), ok()),
            ))
        },
    ),
    legacy(
        "json-other-id",
        "an answer to no request of the client",
        |_| {
            always(Response::json(
                200,
                &response("990001", &text_result("wrong")),
            ))
        },
    ),
    legacy(
        "json-big",
        "a JSON answer of ARGUMENT MiB (20)",
        |mebibytes| {
            let start = r#"{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":""#;
            always(parts(vec![Part::Big(
                start,
                mebibytes.number(20),
                r#""}]}}"#,
            )]))
        },
    ),
    legacy(
        "json-cut",
        "less of a JSON answer than Content-Length says",
        |_| always(Response::json(200, &ok()).framed(Framing::Length(100))),
    ),
    legacy(
        "json-until-close",
        "a JSON answer that ends with the connection",
        |_| always(Response::json(200, &ok()).framed(Framing::Close)),
    ),
    legacy(
        "json-reset",
        "the connection is reset in the middle of a JSON answer",
        |_| {
            always(parts(vec![
                Part::Text(r#"{"jsonrpc":"2.0","id":$ID,"#.into()),
                Part::Pause(50),
                Part::Reset,
            ]))
        },
    ),
    legacy(
        "gzip",
        "an answer in gzip, though nobody may have asked for it",
        |_| always(Response::json(200, &ok()).coded(Coding::Gzip, "gzip")),
    ),
    legacy(
        "brotli",
        "an answer in brotli, though nobody may have asked for it",
        |_| always(Response::json(200, &ok()).coded(Coding::Brotli, "br")),
    ),
    legacy(
        "gzip-broken",
        "an answer that says gzip and is none",
        |_| always(Response::json(200, &ok()).with("Content-Encoding", "gzip")),
    ),
    legacy(
        "html",
        "an HTML page with status ARGUMENT (200) to every POST",
        |status| {
            let page = Response::typed(code(status, 200), "text/html; charset=utf-8", HTML);
            vec![(On::Http("POST"), vec![page.into()])]
        },
    ),
    legacy(
        "html-later",
        "an HTML page with status ARGUMENT (502) to a request, once",
        |status| first(Response::typed(code(status, 502), "text/html", HTML)),
    ),
    legacy(
        "text",
        "plain text with status ARGUMENT (400) to a request, once",
        |status| {
            first(Response::typed(
                code(status, 400),
                "text/plain",
                "malformed payload",
            ))
        },
    ),
    legacy(
        "empty",
        "status ARGUMENT (200) without a body to a request, once",
        |status| first(Response::empty(code(status, 200))),
    ),
    legacy(
        "error",
        "a JSON-RPC error with status ARGUMENT (400) to a request, once",
        |status| {
            first(Response::json(
                code(status, 400),
                &error("$ID", -32602, "No such thing", r#"{"hint":7}"#),
            ))
        },
    ),
    legacy(
        "error-without-id",
        "a JSON-RPC error with id null and status ARGUMENT (400), once",
        |status| {
            first(Response::json(
                code(status, 400),
                &error("null", -32600, "Cannot read that", ""),
            ))
        },
    ),
    legacy(
        "unauthorized-json",
        "status ARGUMENT (401) with a challenge, an Mcp-Auth-Server and a JSON-RPC error to everything",
        |status| {
            let status = u16::try_from(status.number(401)).unwrap_or(401);
            let refused = Response::json(status, &error("$ID", -32000, "Sign in first", ""))
                .with(
                    "WWW-Authenticate",
                    r#"Bearer scope="a b", resource_metadata="$ORIGIN/prm""#,
                )
                .with("Mcp-Auth-Server", "https://as.test");
            vec![(On::Any, vec![refused.into()])]
        },
    ),
    legacy("unauthorized", "401 with a challenge to everything", |_| {
        let challenge =
            r#"Bearer resource_metadata="$ORIGIN/.well-known/oauth-protected-resource""#;
        vec![(
            On::Any,
            vec![
                Response::empty(401)
                    .with("WWW-Authenticate", challenge)
                    .into(),
            ],
        )]
    }),
    legacy("forbidden", "403 to everything", |_| {
        vec![(On::Any, vec![Response::empty(403).into()])]
    }),
    legacy(
        "header-mismatch",
        "-32020 with 400 to a request, once",
        |_| {
            first(Response::json(
                400,
                &error("$ID", -32020, "Header mismatch", ""),
            ))
        },
    ),
    // To notifications
    legacy("notify-204", "204 to notifications", |_| {
        to_notifications(Response::empty(204).framed(Framing::Empty))
    }),
    legacy("notify-200", "200 without a body to notifications", |_| {
        to_notifications(Response::empty(200))
    }),
    legacy(
        "notify-null",
        "200 and null as JSON to notifications",
        |_| to_notifications(Response::json(200, "null")),
    ),
    legacy(
        "notify-html",
        "202 of type text/html to notifications",
        |_| to_notifications(Response::typed(202, "text/html", "")),
    ),
    legacy("notify-text", "202 and a word to notifications", |_| {
        to_notifications(Response::typed(202, "text/plain", "Accepted"))
    }),
    legacy(
        "notify-chunked",
        "200, chunked and empty, to notifications",
        |_| to_notifications(Response::empty(200).framed(Framing::Chunked)),
    ),
    legacy(
        "notify-refused",
        "400 and a JSON-RPC error to notifications",
        |_| to_notifications(Response::json(400, &error("null", -32600, "Not now", ""))),
    ),
];

const HTML: &str =
    "<!doctype html>\n<title>Bad gateway</title>\n<script>alert(1)</script><h1>Bad gateway</h1>\n";

fn ok() -> String {
    response("$ID", &text_result("ok"))
}

fn parts(parts: Vec<Part>) -> Response {
    let mut answer = Response::json(200, "").framed(Framing::Chunked);
    answer.parts = parts;
    answer
}

fn code(argument: Argument<'_>, default: u16) -> u16 {
    u16::try_from(argument.number(default.into())).unwrap_or(default)
}

fn to_notifications(response: Response) -> Rules {
    let answer: Answer = response.into();
    ["notifications/initialized", "notifications/cancelled"]
        .map(|method| (On::Message(method), vec![answer.clone()]))
        .into()
}
