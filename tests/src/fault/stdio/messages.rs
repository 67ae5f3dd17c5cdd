//! Messages that contradict the spec: ids, shapes, silence, requests of the server.

use super::{CALL, in_call, instead_of_answer, legacy, line};
use crate::fault::message::{notification, response, text_result};
use crate::fault::step::{Scenario, Step};

pub(super) const MESSAGES: &[Scenario] = &[
    legacy(
        "odd-ids",
        "answers with every wrong id before the right one",
        |_| {
            let ids = [
                r#""$ID""#,
                "null",
                "9007199254740993",
                "9007199254740992",
                "$ID.0",
                "$IDe0",
                "-1",
                "true",
                "[$ID]",
                r#""""#,
                r#""no such""#,
            ];
            let mut wrong: Vec<Step> = ids
                .iter()
                .map(|id| line(&response(id, &text_result("wrong"))))
                .collect();
            wrong.push(line(r#"{"jsonrpc":"2.0","result":{}}"#));
            in_call(wrong)
        },
    ),
    legacy(
        "duplicate-answer",
        "two answers to one request, which differ",
        |_| {
            instead_of_answer(vec![
                Step::Answer,
                line(&response("$ID", &text_result("second"))),
            ])
        },
    ),
    legacy(
        "odd-messages",
        "JSON that is no message, and messages that contradict themselves",
        |_| in_call(ODD_MESSAGES.iter().map(|text| line(text)).collect()),
    ),
    legacy(
        "batch",
        "the answer inside of an array, with a notification; an empty array before",
        |_| {
            let answer = response("$ID", &text_result("ok"));
            instead_of_answer(vec![
                line("[]"),
                line(&format!("[{answer},{}]", notification("in a batch"))),
            ])
        },
    ),
    legacy(
        "asks",
        "requests to the client (ping, roots, sampling, unknown, id of a client request); the answer after theirs",
        |_| {
            let ask = |id: &str, method: &str| {
                line(&format!(
                    r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"}}"#
                ))
            };
            in_call(vec![
                ask("$ID", "ping"),
                ask(r#""s-1""#, "roots/list"),
                ask(r#""s-2""#, "sampling/createMessage"),
                ask(r#""s-3""#, "no/such"),
                Step::UntilAnswers(4),
            ])
        },
    ),
    legacy(
        "silent",
        "no answer to a call; the rest is answered",
        |_| vec![CALL, Step::ToEof],
    ),
    legacy(
        "late",
        "the answer to a call only when it has been cancelled",
        |_| {
            vec![
                CALL,
                Step::Until("notifications/cancelled"),
                Step::Answer,
                Step::ToEof,
            ]
        },
    ),
    legacy("mute", "reads all and answers nothing", |_| {
        vec![Step::IgnoreToEof]
    }),
    legacy(
        "deaf",
        "reads nothing, survives SIGTERM, never ends",
        |_| vec![Step::CatchTerm, Step::Hang],
    ),
];

const ODD_MESSAGES: &[&str] = &[
    "42",
    "null",
    r#""text""#,
    "{}",
    r#"{"jsonrpc":"2.0"}"#,
    r#"{"jsonrpc":"1.0","method":"notifications/message"}"#,
    r#"{"method":"notifications/message","params":{"level":"info","data":"no jsonrpc"}}"#,
    r#"{"jsonrpc":"2.0","id":990001,"result":{},"error":{"code":1,"message":"both"}}"#,
    r#"{"jsonrpc":"2.0","id":990002,"method":"ping","result":{}}"#,
    r#"{"jsonrpc":"2.0","id":990003,"error":"text"}"#,
    r#"{"jsonrpc":"2.0","id":990004,"error":{"code":"text","message":7}}"#,
    r#"{"jsonrpc":"2.0","id":990005,"id":990006,"result":{}}"#,
    r#"{"jsonrpc":"2.0","method":7}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/progress","params":[1,2]}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/\ud800","params":{}}"#,
    r#"{"jsonrpc":"2.0","method":"notifications/cut""#,
    r#"{"jsonrpc":"2.0","method":"notifications/a"}{"jsonrpc":"2.0","method":"notifications/b"}"#,
];
