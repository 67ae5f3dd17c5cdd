//! Oddities in the bytes on stdout.

use super::{CALL, in_call, instead_of_answer, legacy, line};
use crate::fault::message::{notification, response, text_result};
use crate::fault::step::{Scenario, Step};

pub(super) const BYTES: &[Scenario] = &[
    legacy(
        "noise",
        "lines that are no JSON, before the handshake and in a call",
        |_| {
            let banner = "\n> np@1.0.0 start\n> node server.js\n\n[dotenv] loaded 3 keys\n";
            let mut steps = vec![Step::Bytes(banner.into())];
            steps.extend(in_call(vec![line(
                "Server listening on port 3000 \u{1b}[31mred\u{1b}[0m",
            )]));
            steps
        },
    ),
    legacy("split-utf8", "an answer cut inside of characters", |_| {
        let answer = response("$ID", &text_result("\u{1f600} \u{2014} \u{928}"));
        instead_of_answer(vec![Step::Trickle(answer), Step::Bytes(b"\n".into())])
    }),
    legacy("crlf", "lines that end in CR LF", |_| {
        let mut steps = vec![Step::LineEnd("\r\n")];
        steps.extend(in_call(vec![line(&notification("windows"))]));
        steps
    }),
    legacy(
        "bom",
        "a byte order mark before the first answer and before a later one",
        |_| {
            let mut steps = vec![Step::Bytes(BOM.into())];
            steps.extend(in_call(vec![Step::Bytes(BOM.into())]));
            steps
        },
    ),
    legacy(
        "invalid-utf8",
        "bytes that are no UTF-8, as a line and inside of a message",
        |_| {
            in_call(vec![
            Step::Bytes(b"{\"t\":\"\xff\"}\n".into()),
            Step::Bytes(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"\xc3(\"}}\n".into()),
        ])
        },
    ),
    legacy(
        "invalid-utf8-answer",
        "an answer with bytes in it that are no UTF-8",
        |_| {
            let answer = response("$ID", &text_result("caf"));
            let (start, end) = answer.split_at(answer.find("\"}]").unwrap_or(0));
            instead_of_answer(vec![
                Step::Trickle(start.to_owned()),
                Step::Bytes(b"\xe9".into()),
                line(end),
            ])
        },
    ),
    legacy(
        "blank-lines",
        "empty lines and lines of white space",
        |_| in_call(vec![Step::Bytes(b"\n\n \t \n\r\n\n".into())]),
    ),
    legacy(
        "bytes",
        "every oddity of bytes at once, and an unterminated last line",
        |_| {
            let mut steps = vec![Step::Bytes(BOM.into())];
            steps.extend(in_call(every_oddity()));
            steps.push(Step::Bytes(
                b"{\"jsonrpc\":\"2.0\",\"method\":\"never/ended".into(),
            ));
            steps
        },
    ),
    legacy(
        "unterminated",
        "the answer without a line end, then exit 0",
        |_| {
            let answer = response("$ID", &text_result("ok")).into_bytes();
            vec![
                CALL,
                Step::Trickle(String::from_utf8_lossy(&answer).into_owned()),
                Step::Exit(0),
            ]
        },
    ),
    legacy("mid-line", "half an answer, then exit 0", |_| {
        vec![
            CALL,
            Step::Trickle(r#"{"jsonrpc":"2.0","id":$ID,"result":{"content":["#.into()),
            Step::Exit(0),
        ]
    }),
    legacy(
        "slow",
        "an answer byte by byte, with a pause in between",
        |_| {
            let pause = Step::Pause(20);
            instead_of_answer(vec![
                Step::Trickle(r#"{"jsonrpc":"2.0","id":$ID,"#.into()),
                pause.clone(),
                Step::Trickle(r#""result":{"content":["#.into()),
                pause,
                Step::Trickle("]}}\n".into()),
            ])
        },
    ),
];

const BOM: &[u8] = b"\xef\xbb\xbf";

fn every_oddity() -> Vec<Step> {
    vec![
        Step::Bytes(b"\n\n\r\n \n> np@1.0.0 start\n".into()),
        Step::Bytes(b"{\"t\":\"\xff\"}\n\xff\xfe\n\0\0\n\r\r\n".into()),
        Step::Bytes(b"a\rb\x0bc\x0cd\xc2\x85e\xe2\x80\xa8f\n".into()),
        Step::LineEnd("\r\n"),
        line(&notification("\u{1f600} crlf")),
        Step::LineEnd("\n"),
        Step::Bytes(BOM.into()),
        line(&notification("bom")),
        Step::Trickle(notification("\u{1f600} \u{2014} split")),
        Step::Bytes(b"\n".into()),
        line("[]"),
        line("{\"jsonrpc\" :\t\"2.0\", \"method\":\"notifications/odd\\u0000\"  }  "),
        Step::Big("noise of 5 MiB ", 5, " end"),
        Step::Big(
            r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":""#,
            5,
            r#""}}"#,
        ),
        Step::Burst(100, notification("message $N")),
    ]
}
