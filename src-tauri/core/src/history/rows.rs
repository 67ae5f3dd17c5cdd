//! Rows as they are read from a session file.

use bytes::Bytes;
use sqlx::Row as _;
use sqlx::sqlite::SqliteRow;

use super::codes;
use super::types::{Row, Settled, Verdict};
use crate::record::{Conn, EventKind, Flags, Seq};

/// Everything of the rows whose numbers are the values of the JSON array `?1`. The answer of a request is its first one, alone
/// or in a batch; the note is the first that settles it.
pub(super) const SELECT: &str = "
with r as (
    select r.*,
           case when r.kind = 1 then coalesce(
               (select min(a.seq) from records a where a.reply_to = r.seq),
               (select min(i.seq) from batch_items i where i.reply_to = r.seq)) end as answer
    from records r where r.seq in (select value from json_each(?1))
)
select r.seq, r.at_us, r.at_us - p.at_us as gap_us, r.conn, r.event, r.direction, r.via, r.about, r.kind, r.method, r.rpc_id,
       r.reply_to, r.answer, coalesce(r.dur_us, a.at_us - r.at_us) as dur_us, r.code, r.size, r.flags, r.preview,
       case when a.kind = 5 then i.kind else a.kind end as answer_kind,
       case when a.kind = 5 then i.flags else a.flags end as answer_flags,
       (select min(n.kind) from records n where n.about = r.seq and n.kind in (21, 22, 23)) as settled,
       case when r.size <= 2048 then
           (select b.bytes from bodies b where b.body = r.body and length(b.bytes) = r.size) end as whole
from r
left join records p on p.seq = (select max(seq) from records where seq < r.seq)
left join records a on a.seq = r.answer
left join batch_items i on a.kind = 5 and i.seq = r.answer and i.reply_to = r.seq";

/// Reads a row of [`SELECT`].
pub(super) fn decode(row: &SqliteRow) -> Result<Row, sqlx::Error> {
    let seq =
        |column: &str| Ok::<_, sqlx::Error>(row.try_get::<Option<i64>, _>(column)?.map(seq_of));
    let kind: Option<i64> = row.try_get("kind")?;
    let flags = flags(row.try_get("flags")?);
    let size = row.try_get::<i64, _>("size")?.unsigned_abs();
    let settled = row.try_get::<Option<i64>, _>("settled")?.and_then(settled);
    let answer_flags: Option<i64> = row.try_get("answer_flags")?;
    let answer = row
        .try_get::<Option<i64>, _>("answer_kind")?
        .zip(answer_flags);
    let whole = row
        .try_get::<Option<&[u8]>, _>("whole")?
        .map(Bytes::copy_from_slice);
    Ok(Row {
        seq: seq_of(row.try_get("seq")?),
        at_us: row.try_get("at_us")?,
        gap_us: row.try_get("gap_us")?,
        conn: Conn(u32::try_from(row.try_get::<i64, _>("conn")?).unwrap_or(u32::MAX)),
        event: EventKind::from_number(row.try_get("event")?),
        direction: row
            .try_get::<Option<i64>, _>("direction")?
            .and_then(codes::direction_of),
        via: seq("via")?,
        about: seq("about")?,
        kind: kind.and_then(codes::kind_of),
        method: row.try_get("method")?,
        rpc_id: row.try_get("rpc_id")?,
        reply_to: seq("reply_to")?,
        answer: seq("answer")?,
        dur_us: row.try_get("dur_us")?,
        code: row.try_get("code")?,
        size,
        flags,
        preview: row.try_get("preview")?,
        settled: settled.filter(|_| kind == Some(codes::REQUEST)),
        verdict: verdict(kind, flags, settled, answer),
        whole: whole.or_else(|| (size == 0).then(Bytes::new)),
    })
}

fn seq_of(seq: i64) -> Seq {
    Seq(seq.unsigned_abs())
}

fn flags(flags: i64) -> Flags {
    Flags(u32::try_from(flags).unwrap_or(0))
}

fn settled(note: i64) -> Option<Settled> {
    match note {
        codes::NOTE_TIMED_OUT => Some(Settled::TimedOut),
        codes::NOTE_CANCELLED => Some(Settled::Cancelled),
        codes::NOTE_UNANSWERED => Some(Settled::Unanswered),
        _ => None,
    }
}

/// A late answer does not undo a time-out. The filter `status:` says the same in SQL.
fn verdict(
    kind: Option<i64>,
    flags: Flags,
    settled: Option<Settled>,
    answer: Option<(i64, i64)>,
) -> Option<Verdict> {
    let of = |kind: i64, flags: Flags| match kind {
        codes::RESULT if flags.has(Flags::IS_ERROR) => Some(Verdict::IsError),
        codes::RESULT => Some(Verdict::Ok),
        codes::ERROR => Some(Verdict::Error),
        _ => None,
    };
    if kind? != codes::REQUEST {
        return of(kind?, flags);
    }
    Some(match (settled, answer) {
        (Some(Settled::TimedOut), _) => Verdict::TimedOut,
        (Some(Settled::Cancelled), _) => Verdict::Cancelled,
        (_, Some((kind, answer_flags))) => of(kind, self::flags(answer_flags))?,
        (Some(Settled::Unanswered), None) => Verdict::Unanswered,
        (None, None) => Verdict::Pending,
    })
}
