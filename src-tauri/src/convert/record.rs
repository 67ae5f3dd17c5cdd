//! Rows of the timeline.

use framescope_core::history::{self, filter};
use framescope_core::protocol::sse;
use framescope_core::record::{Flags, Note};

use crate::rows::{self, RecordRow, Verdict};

const MARKS: [(Flags, &str); 9] = [
    (Flags::LATE, "late"),
    (Flags::DUPLICATE, "duplicate"),
    (Flags::ORPHAN, "orphan"),
    (Flags::NOISE, "noise"),
    (Flags::REDACTED, "redacted"),
    (Flags::UNTERMINATED, "unterminated"),
    (Flags::TRUNCATED, "truncated"),
    (Flags::CRASH, "crash"),
    (Flags::OVER_LIMIT, "over-limit"),
];

/// A row of the log as the timeline shows it.
pub(crate) fn record_row(row: history::Row) -> RecordRow {
    RecordRow {
        seq: row.seq.0,
        at_us: row.at_us,
        gap_us: row.gap_us,
        conn: row.conn.0,
        kind: row.kind_word().to_owned(),
        direction: row.direction.map(|direction| direction.as_str().to_owned()),
        method: row.method,
        summary: row.preview,
        id: row.rpc_id,
        reply_to: row.reply_to.map(|seq| seq.0),
        answer: row.answer.map(|seq| seq.0),
        dur_us: row.dur_us,
        verdict: row.verdict.map(verdict),
        code: row.code,
        size: row.size,
        about: row.about.map(|seq| seq.0),
        via: row.via.map(|seq| seq.0),
        flags: MARKS
            .iter()
            .filter(|(flag, _)| row.flags.has(*flag))
            .map(|&(_, word)| word.to_owned())
            .collect(),
        whole: row
            .whole
            .filter(|bytes| !sse::is_block(bytes))
            .and_then(|bytes| String::from_utf8(bytes.to_vec()).ok()),
    }
}

pub(crate) fn verdict(verdict: history::Verdict) -> Verdict {
    match verdict {
        history::Verdict::Ok => Verdict::Ok,
        history::Verdict::Error => Verdict::Error,
        history::Verdict::IsError => Verdict::IsError,
        history::Verdict::TimedOut => Verdict::Timeout,
        history::Verdict::Cancelled => Verdict::Cancelled,
        history::Verdict::Unanswered => Verdict::Unanswered,
        history::Verdict::Pending => Verdict::Pending,
    }
}

/// What a note says, read from the body that rides with its row.
pub(crate) fn note(row: &history::Row) -> Option<Note> {
    serde_json::from_slice(row.whole.as_ref()?).ok()
}

/// What is wrong with a filter that was typed.
pub(crate) fn filter_problem(problem: filter::FilterProblem) -> rows::FilterProblem {
    rows::FilterProblem {
        from: u32::try_from(problem.from).unwrap_or(u32::MAX),
        to: u32::try_from(problem.to).unwrap_or(u32::MAX),
        message: problem.message,
    }
}
