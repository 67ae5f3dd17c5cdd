//! How and when the process ends, or does not.

use super::{CALL, legacy};
use crate::fault::Argument;
use crate::fault::step::{Scenario, Step};

pub(super) const ENDS: &[Scenario] = &[
    legacy(
        "exit-at-once",
        "exit ARGUMENT (1) before the handshake, the reason on stderr",
        |code| vec![Step::Stderr(NO_MODULE.into()), exit(code, 1)],
    ),
    legacy(
        "exit-reason-late",
        "stdout is closed first, the reason on stderr follows",
        |_| vec![Step::CloseStdoutAnd("reason-late")],
    ),
    legacy(
        "reason-late",
        "20 ms, then a reason on stderr and exit 1",
        |_| {
            vec![
                Step::Pause(20),
                Step::Stderr(NO_MODULE.into()),
                Step::Exit(1),
            ]
        },
    ),
    legacy(
        "exit-in-handshake",
        "exit ARGUMENT (1) when the first message is in",
        |code| vec![Step::Until("*"), exit(code, 1)],
    ),
    legacy(
        "exit-in-call",
        "exit ARGUMENT (3) instead of the answer to a call, with a line on stderr",
        |code| {
            vec![
                CALL,
                Step::Stderr(b"FATAL: about to exit\n".into()),
                exit(code, 3),
            ]
        },
    ),
    legacy(
        "signal-in-call",
        "ended by the signal ARGUMENT (KILL) instead of the answer to a call",
        |name| vec![CALL, Step::Signal(name.text("KILL"))],
    ),
    legacy("exit-at-eof", "exit ARGUMENT (4) when stdin ends", |code| {
        vec![Step::ToEof, exit(code, 4)]
    }),
    legacy(
        "exit-after-answer",
        "answers a call, then exit 0 with stdin still open",
        |_| vec![CALL, Step::Answer, Step::Exit(0)],
    ),
    legacy(
        "closes-stdout",
        "closes stdout in a call and lives on",
        |_| vec![CALL, Step::CloseStdoutAnd("deaf")],
    ),
    legacy(
        "ignores-eof",
        "lives on when stdin ends, until SIGTERM",
        |_| vec![Step::ToEof, Step::Hang],
    ),
    legacy(
        "ignores-term",
        "lives on when stdin ends and after SIGTERM",
        |_| vec![Step::CatchTerm, Step::ToEof, Step::Hang],
    ),
    legacy(
        "says-bye",
        "ignores the end of stdin; on SIGTERM a line on stderr, 300 ms, exit 0",
        |_| {
            vec![
                Step::CatchTerm,
                Step::ToEof,
                Step::AwaitTerm,
                Step::Stderr(b"bye\n".into()),
                Step::Pause(300),
                Step::Exit(0),
            ]
        },
    ),
    legacy(
        "helper",
        "a child that holds the pipes and survives SIGTERM; itself ends with stdin",
        |_| vec![Step::Helper, Step::ToEof],
    ),
    legacy(
        "helper-crash",
        "the same, but itself is killed in a call",
        |_| vec![Step::Helper, CALL, Step::Signal("KILL".into())],
    ),
];

const NO_MODULE: &[u8] = b"ModuleNotFoundError: No module named foo\n";

fn exit(code: Argument<'_>, default: u8) -> Step {
    Step::Exit(u8::try_from(code.number(default.into())).unwrap_or(default))
}
