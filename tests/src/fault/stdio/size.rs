//! Much at once: long lines, many lines, full pipes.

use super::{in_call, instead_of_answer, legacy, line};
use crate::fault::message::notification;
use crate::fault::step::{Scenario, Step};

pub(super) const SIZE: &[Scenario] = &[
    legacy("big", "an answer of ARGUMENT MiB (20)", |mebibytes| {
        instead_of_answer(vec![Step::Big(
            r#"{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":""#,
            mebibytes.number(20),
            r#""}]}}"#,
        )])
    }),
    legacy(
        "big-notification",
        "a notification of ARGUMENT MiB (20) before the answer",
        |mebibytes| {
            let start = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":""#;
            in_call(vec![Step::Big(start, mebibytes.number(20), r#""}}"#)])
        },
    ),
    legacy(
        "big-noise",
        "a line of ARGUMENT MiB (20) that is no JSON before the answer",
        |mebibytes| in_call(vec![Step::Big("> ", mebibytes.number(20), "")]),
    ),
    legacy(
        "deep",
        "ARGUMENT (100000) nested arrays as a notification's data",
        |depth| {
            let depth = usize::try_from(depth.number(100_000)).unwrap_or(usize::MAX);
            let data = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            in_call(vec![line(&format!(
                r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":"info","data":{data}}}}}"#
            ))])
        },
    ),
    legacy(
        "burst",
        "ARGUMENT (10000) notifications before the answer",
        |count| {
            in_call(vec![Step::Burst(
                count.number(10_000),
                notification("message $N"),
            )])
        },
    ),
    legacy(
        "both-full",
        "ARGUMENT (100000) notifications without reading stdin, then the answer",
        |count| {
            in_call(vec![Step::Burst(
                count.number(100_000),
                notification("message $N of a flood that nothing stops"),
            )])
        },
    ),
    legacy(
        "stderr-flood",
        "ARGUMENT (10000) lines on stderr before the answer",
        |lines| {
            let flood = "WARN nobody reads this\n"
                .repeat(usize::try_from(lines.number(10_000)).unwrap_or(0));
            in_call(vec![Step::Stderr(flood.into())])
        },
    ),
    legacy(
        "stderr-odd",
        "a line of 100 KiB, escape sequences, no UTF-8, a tail without end on stderr",
        |_| {
            let mut text = b"\x1b[31mred\x1b[0m\r\n\n\xff\xfe\n".to_vec();
            text.extend(vec![b'y'; 100 << 10]);
            text.extend(b"\ntail without end");
            in_call(vec![Step::Stderr(text)])
        },
    ),
];
