//! A Streamable HTTP server that behaves, in both eras (transports › Streamable HTTP).

use super::Style;
use super::answer::{Framing, Part, Response, event};
use super::request::Request;
use super::state::State;
use crate::fault::handshake::Done;
use crate::fault::message::{Asked, error};

/// What the spec asks for; `None` where the scenario's handshake closes the connection.
pub(crate) fn answer(state: &mut State, request: &Request) -> Option<Response> {
    let session = request.header("mcp-session-id");
    match request.method.as_str() {
        "DELETE" => {
            let known = session.is_some_and(|session| state.sessions.remove(session));
            Some(Response::empty(if known { 200 } else { 405 }))
        }
        "POST" => post(state, request),
        _ => Some(Response::empty(405).with("Allow", "POST")),
    }
}

fn post(state: &mut State, request: &Request) -> Option<Response> {
    let Some(asked) = request.asked() else {
        return Some(Response::json(
            400,
            &error("null", -32700, "Parse error", ""),
        ));
    };
    if let Some(refusal) = refused(state, request, &asked) {
        return Some(refusal);
    }
    if asked.id.is_none() || asked.is_response() {
        return Some(Response::empty(202));
    }
    match state.handshake.answer(&asked) {
        Some(Done::Exit(_)) => None,
        Some(Done::WriteAfter(ms, message)) => {
            let mut late = Response::json(200, &message).framed(Framing::Chunked);
            late.parts.insert(0, Part::Pause(ms));
            Some(late)
        }
        Some(Done::Write(messages)) => Some(handshake(state, &asked, messages.first()?)),
        None => Some(ordinary(state, &asked)),
    }
}

/// Errors of the headers: sessions in legacy, mirrored values in modern.
fn refused(state: &State, request: &Request, asked: &Asked) -> Option<Response> {
    let method = asked.method.as_deref();
    if asked.is_modern() {
        let same = request.header("mcp-protocol-version") == Some(asked.version())
            && (asked.id.is_none() || request.header("mcp-method") == method);
        let body = error(asked.id(), -32020, "Header mismatch", "");
        return (!same).then(|| Response::json(400, &body));
    }
    if method == Some("initialize") || !state.mints_sessions {
        return None;
    }
    match request.header("mcp-session-id") {
        None => Some(Response::json(
            400,
            &error(asked.id(), -32000, "Mcp-Session-Id is required", ""),
        )),
        Some(session) if !state.sessions.contains(session) => Some(Response::json(
            404,
            &error(asked.id(), -32001, "Session not found", ""),
        )),
        Some(_) => None,
    }
}

fn handshake(state: &mut State, asked: &Asked, message: &str) -> Response {
    let failed = message.contains(r#""error":{"#);
    let mut response = reply(state, if failed { 400 } else { 200 }, message);
    let begins = asked.method.as_deref() == Some("initialize") && !failed;
    if begins && state.mints_sessions {
        state.minted += 1;
        let session = format!("s{}", state.minted);
        response = response.with("Mcp-Session-Id", &session);
        state.sessions.insert(session);
    }
    response
}

fn ordinary(state: &mut State, asked: &Asked) -> Response {
    let answer = asked.answer().unwrap_or_default();
    let unknown = asked.is_modern() && answer.contains(r#""code":-32601"#);
    reply(state, if unknown { 404 } else { 200 }, &answer)
}

fn reply(state: &mut State, status: u16, message: &str) -> Response {
    match state.style {
        Style::Stream => {
            state.streamed.push(message.to_owned());
            Response::typed(202, "text/plain", "Accepted")
        }
        Style::Sse if status == 200 => Response::sse(vec![Part::Text(event(message))]),
        Style::Json | Style::Sse => Response::json(status, message),
    }
}
