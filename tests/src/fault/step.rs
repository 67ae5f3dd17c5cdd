//! What a scenario over stdio is made of: steps, run in order.

use super::Argument;
use super::handshake::Handshake;

/// A scenario over stdio.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    /// What it does wrong, in one line.
    pub(crate) about: &'static str,
    pub(crate) handshake: Handshake,
    pub(crate) script: fn(Argument<'_>) -> Vec<Step>,
}

/// One thing that the server does. In its texts `$ID` is the id of the kept request and `$N` the number of the round.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Behaves until a message with this method (`*`: any) has come in, which it keeps, if it is a request, and leaves unanswered.
    Until(&'static str),
    /// Behaves until the client has answered so many requests of ours.
    UntilAnswers(usize),
    /// Behaves until stdin ends.
    ToEof,
    /// Reads until stdin ends and answers nothing.
    IgnoreToEof,
    /// Answers the kept request as it should be.
    Answer,
    /// Ends each line with this from now on.
    LineEnd(&'static str),
    /// Writes this text and a line end.
    Line(String),
    /// Writes these bytes, in one go.
    Bytes(Vec<u8>),
    /// Writes this text byte by byte.
    Trickle(String),
    /// Writes this text so many times, many at once, each with a line end.
    Burst(u64, String),
    /// Writes a line of a text, so many mebibytes of `x`, and another text.
    Big(&'static str, u64, &'static str),
    /// Writes this text to stderr.
    Stderr(Vec<u8>),
    /// Does nothing for so many milliseconds.
    Pause(u64),
    /// Does nothing, neither reading nor writing, until it is killed (or ten minutes have passed).
    Hang,
    /// Survives SIGTERM from now on.
    CatchTerm,
    /// Waits for SIGTERM. After [`Step::CatchTerm`].
    AwaitTerm,
    /// Starts a child that holds stdin and stdout, never ends by itself and survives SIGTERM. Its pid stands on stderr.
    Helper,
    /// Closes stdout and goes on as this scenario, in the same process.
    CloseStdoutAnd(&'static str),
    /// Ends with this code.
    Exit(u8),
    /// Ends by this signal (`KILL`, `SEGV` …).
    Signal(String),
}
