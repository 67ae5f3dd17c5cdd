//! Oddities of HTTP itself: heads, redirects, connections.

use super::{Rules, first, legacy};
use crate::fault::Argument;
use crate::fault::http::answer::{Answer, Response};
use crate::fault::http::{On, Scenario};
use crate::fault::message::{response, text_result};

pub(super) const HEADS: &[Scenario] = &[
    legacy("slow-head", "a head byte by byte, with pauses", |_| {
        vec![(
            On::Request,
            vec![
                Response {
                    slow_head: true,
                    ..json()
                }
                .into(),
            ],
        )]
    }),
    legacy("no-head", "reads requests and sends nothing", |_| {
        vec![(On::Request, vec![Answer::Silence])]
    }),
    legacy(
        "closes",
        "the connection closes without an answer, once",
        |_| vec![(On::Request, vec![Answer::Raw(String::new()), Answer::Good])],
    ),
    legacy(
        "closes-after",
        "the connection closes after each answer, which does not say so",
        |_| {
            let raw = "HTTP/1.1 202 Fine\r\nContent-Length: 0\r\n\r\n";
            vec![(
                On::Message("notifications/initialized"),
                vec![Answer::Raw(raw.into())],
            )]
        },
    ),
    legacy("no-http", "bytes that are no HTTP", |_| {
        vec![(On::Any, vec![Answer::Raw("SSH-2.0-OpenSSH_9.2\r\n".into())])]
    }),
    legacy("http-10", "an answer in HTTP/1.0", |_| {
        raw(
            "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n",
            &ok(),
        )
    }),
    legacy("early-hints", "103 and 100 before the answer", |_| {
        raw(
            "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n",
            &ok(),
        )
    }),
    legacy("bad-chunk", "a chunk whose size is no number", |_| {
        raw(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "{}",
        )
    }),
    legacy("two-lengths", "two lengths that differ", |_| {
        raw(
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\n",
            "{}",
        )
    }),
    legacy(
        "big-head",
        "a header of 40 KiB, headers twice, odd bytes in one",
        |_| {
            let answer = json()
                .with("X-Big", &"y".repeat(40 << 10))
                .with("Set-Cookie", "a=1")
                .with("Set-Cookie", "b=2")
                .with("X-Odd", "\u{e9}\u{7f}");
            vec![(On::Request, vec![answer.into()])]
        },
    ),
    // Redirects
    legacy(
        "redirect",
        "status ARGUMENT (307) from /mcp to /mcp/",
        |status| to("/mcp/", status),
    ),
    legacy(
        "redirect-absolute",
        "status ARGUMENT (307) from /mcp to the same origin, with a whole URL",
        |status| to("$ORIGIN/mcp/", status),
    ),
    legacy(
        "redirect-other",
        "status ARGUMENT (307) from /mcp to another origin",
        |status| to("$OTHER/elsewhere", status),
    ),
    legacy("redirect-loop", "307 from any path to itself", |_| {
        vec![(
            On::Any,
            vec![Response::empty(307).with("Location", "/mcp").into()],
        )]
    }),
    legacy("redirect-nowhere", "307 without a Location", |_| {
        vec![(On::Any, vec![Response::empty(307).into()])]
    }),
    legacy(
        "redirect-later",
        "307 to /mcp/ for one request after the handshake",
        |_| first(Response::empty(307).with("Location", "/mcp/")),
    ),
];

fn ok() -> String {
    response("$ID", &text_result("ok"))
}

fn json() -> Response {
    Response::json(200, &ok())
}

fn raw(head: &str, body: &str) -> Rules {
    vec![(
        On::Request,
        vec![Answer::Raw(format!("{head}{body}")), Answer::Good],
    )]
}

fn to(location: &str, status: Argument<'_>) -> Rules {
    let status = u16::try_from(status.number(307)).unwrap_or(307);
    vec![(
        On::Path("/mcp"),
        vec![Response::empty(status).with("Location", location).into()],
    )]
}
