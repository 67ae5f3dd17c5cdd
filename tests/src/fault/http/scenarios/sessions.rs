//! Oddities of sessions (transports › Session Management).

use super::{Rules, legacy};
use crate::fault::http::answer::{Answer, Response};
use crate::fault::http::{On, Scenario};
use crate::fault::message::error;

pub(super) const SESSIONS: &[Scenario] = &[
    legacy(
        "session-expires",
        "the session is forgotten before the first request: 404, once",
        |_| once(Answer::ForgetSessions),
    ),
    legacy(
        "session-lost",
        "404 to every request after the handshake",
        |_| {
            let gone = Response::json(404, &error("$ID", -32001, "Session not found", ""));
            vec![(On::Request, vec![gone.into()])]
        },
    ),
    legacy(
        "session-expires-400",
        "the same as session-expires, with 400 and words only",
        |_| {
            once(
                Response::json(
                    400,
                    &error(
                        "null",
                        -32000,
                        "Bad Request: No valid session ID provided",
                        "",
                    ),
                )
                .into(),
            )
        },
    ),
    legacy(
        "session-expires-200",
        "the same as session-expires, with 200 and a JSON-RPC error",
        |_| once(Response::json(200, &error("$ID", -32001, "Session not found", "")).into()),
    ),
    legacy(
        "session-on-error",
        "a session id on an error, which is not to be taken",
        |_| {
            let refusal = Response::json(400, &error("$ID", -32000, "Server not initialized", ""));
            vec![(
                On::Message("server/discover"),
                vec![refusal.with("Mcp-Session-Id", "not-yours").into()],
            )]
        },
    ),
    legacy("delete-refused", "405 to DELETE", |_| {
        vec![(On::Http("DELETE"), vec![Response::empty(405).into()])]
    }),
    legacy("delete-accepted", "202 to DELETE", |_| {
        vec![(On::Http("DELETE"), vec![Response::empty(202).into()])]
    }),
];

/// This to the first request after the handshake; then it behaves.
fn once(answer: Answer) -> Rules {
    vec![(On::Request, vec![answer, Answer::Good])]
}
