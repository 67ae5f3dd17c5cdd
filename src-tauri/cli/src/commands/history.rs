//! `sessions`, `log`, `export` and `import`: the commands that read the history.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use chrono::{DateTime, Local};
use framescope_core::history::{
    History, HistoryError, Row, Sealed, SessionQuery, SessionState, SessionSummary, Verdict,
};
use framescope_core::protocol::Direction;
use framescope_core::record::redact::{RedactRules, Redactor};
use framescope_core::record::{Flags, SessionId};
use serde::Serialize;

use crate::args::Options;
use crate::failure::Failure;
use crate::live::{history, passphrase};
use crate::print::{Print, visible};
use crate::result::size;

/// Rows that are read at a time.
const PAGE: usize = 500;

/// Lists sessions, newest first.
pub(crate) async fn sessions(
    options: &Options,
    text: Option<&str>,
    print: &mut Print,
) -> Result<(), Failure> {
    let history = history(options).await?;
    let mut sessions = history.sessions(&SessionQuery::default()).await?;
    if let Some(text) = text {
        let found = found(&history, text, print).await?;
        sessions.retain(|session| found.contains(&session.id));
    }
    if options.json {
        let rows: Vec<_> = sessions.iter().map(SessionJson::from).collect();
        let text = serde_json::to_string(&rows).map_err(std::io::Error::from)?;
        print.line(text)?;
    } else {
        for session in &sessions {
            print.line(session_line(session))?;
        }
    }
    Ok(())
}

/// The sessions that hold a text in their names or in a record.
async fn found(
    history: &History,
    text: &str,
    print: &Print,
) -> Result<BTreeSet<SessionId>, Failure> {
    // The text is one word of the filter language, whatever it holds.
    let word = format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let named = history.list(&word, usize::MAX).await?.sessions;
    let mut found: BTreeSet<_> = named.into_iter().map(|session| session.id).collect();
    let mut search = history.search(&word).await?.once();
    while let Some(batch) = search.next().await {
        found.extend(batch.hits.iter().map(|hit| hit.session));
        for problem in &batch.problems {
            print.say(&format!("not searched: {problem}"));
        }
    }
    Ok(found)
}

/// Prints a session's log.
pub(crate) async fn log(
    options: &Options,
    word: &str,
    filter: Option<&str>,
    print: &mut Print,
) -> Result<(), Failure> {
    let history = history(options).await?;
    let id = history.resolve(word).await?;
    if options.json && filter.is_none() {
        history.export(id, print.out()).await?;
        return Ok(());
    }
    let reader = history.reader(id).await?;
    let view = reader.view(filter.unwrap_or_default()).await?;
    if options.json {
        history.export_view(id, &view, print.out()).await?;
        return Ok(());
    }
    let width = view.total().max(1).ilog10() as usize + 1;
    for from in (0..view.total()).step_by(PAGE) {
        for row in reader.rows(&view.seqs(from, PAGE)).await? {
            print.line(log_line(&row, width.max(4)))?;
        }
    }
    Ok(())
}

/// How a session is written.
pub(crate) struct Export {
    /// What is taken out.
    pub(crate) rules: RedactRules,
    /// Encrypt it also where the passphrase stands in the environment alone.
    pub(crate) encrypt: bool,
    /// Where to; stdout where missing.
    pub(crate) to: Option<PathBuf>,
}

/// Writes a session as a capture file.
pub(crate) async fn export(
    options: &Options,
    word: &str,
    how: Export,
    print: &mut Print,
) -> Result<(), Failure> {
    let redactor = Redactor::of_all(&how.rules).map_err(|rule| {
        let why = rule.problem.unwrap_or_default();
        let (kind, text) = (rule.kind.as_str(), rule.text);
        Failure::Usage(format!("--redact-{kind} {text:?} cannot be read: {why}"))
    })?;
    let passphrase = passphrase(options)?;
    let encrypt = how.encrypt || options.passphrase_file.is_some();
    if encrypt && passphrase.is_none() {
        let missing = "--encrypt needs a passphrase: give --passphrase-file FILE, or set FRAMESCOPE_PASSPHRASE";
        return Err(Failure::Usage(missing.to_owned()));
    }
    let history = history(options).await?;
    let id = history.resolve(word).await?;
    let passphrase = passphrase.filter(|_| encrypt);
    let passphrase = passphrase.as_deref();
    let Some(path) = how.to else {
        let refused = |source| HistoryError::Export { id, source };
        let out = write(&history, id, &redactor, passphrase, print.out()).await?;
        return out.1.flush().map_err(refused).map_err(Failure::from);
    };
    let named =
        |error: std::io::Error| Failure::Usage(format!("cannot write {}: {error}", path.display()));
    let file = BufWriter::new(File::create(&path).map_err(named)?);
    let (records, mut file) = write(&history, id, &redactor, passphrase, file).await?;
    file.flush().map_err(named)?;
    print.say(&format!(
        "{records} records of session {id} written to {}",
        path.display()
    ));
    Ok(())
}

/// Writes it; how many records.
async fn write<W: Write + Send>(
    history: &History,
    id: SessionId,
    redactor: &Redactor,
    passphrase: Option<&str>,
    mut out: W,
) -> Result<(u64, W), Failure> {
    let refused = |source| HistoryError::Export { id, source };
    let Some(passphrase) = passphrase else {
        let records = history.export_redacted(id, redactor, &mut out).await?;
        return Ok((records, out));
    };
    let mut sealed = Sealed::new(out, passphrase).map_err(refused)?;
    let records = history.export_redacted(id, redactor, &mut sealed).await?;
    Ok((records, sealed.finish().map_err(refused)?))
}

/// Takes a file into the history; prints the id of the session.
pub(crate) async fn import(
    options: &Options,
    file: &Path,
    print: &mut Print,
) -> Result<(), Failure> {
    let history = history(options).await?;
    let id = match passphrase(options)? {
        Some(passphrase) => history.import_sealed(file, &passphrase).await,
        None => history.import(file).await,
    };
    if let Err(error @ HistoryError::NeedsPassphrase { .. }) = &id {
        return Err(Failure::Usage(format!(
            "{error}: give --passphrase-file FILE, or set FRAMESCOPE_PASSPHRASE"
        )));
    }
    let id: SessionId = id?;
    print.line(id.to_string())?;
    Ok(())
}

/// A session of `sessions --json`.
#[derive(Serialize)]
struct SessionJson<'a> {
    id: String,
    server: &'a str,
    number: u32,
    name: Option<&'a str>,
    origin: &'static str,
    state: &'static str,
    started_us: i64,
    ended_us: Option<i64>,
    outcome: Option<&'a str>,
    crashed: bool,
    peer: Option<&'a str>,
    era: Option<&'a str>,
    revision: Option<&'a str>,
    records: u64,
    frames: u64,
    bytes: u64,
    errors: u64,
    target: String,
}

impl<'a> From<&'a SessionSummary> for SessionJson<'a> {
    fn from(session: &'a SessionSummary) -> Self {
        Self {
            id: session.id.to_string(),
            server: &session.server_name,
            number: session.number,
            name: session.name.as_deref(),
            origin: session.origin.as_str(),
            state: state(session.state),
            started_us: session.started_us,
            ended_us: session.ended_us,
            outcome: session.outcome.as_deref(),
            crashed: session.crashed,
            peer: session.peer.as_deref(),
            era: session.era.as_deref(),
            revision: session.revision.as_deref(),
            records: session.records,
            frames: session.frames,
            bytes: session.bytes,
            errors: session.errors,
            target: session.config.display(),
        }
    }
}

fn state(state: SessionState) -> &'static str {
    match state {
        SessionState::Live | SessionState::LiveElsewhere => "live",
        SessionState::Ended => "ended",
        SessionState::OwnerGone => "owner-gone",
    }
}

fn session_line(session: &SessionSummary) -> String {
    let ended = match session.state {
        SessionState::Live | SessionState::LiveElsewhere => "live",
        SessionState::OwnerGone => "owner gone",
        SessionState::Ended => session.outcome.as_deref().unwrap_or("ended"),
    };
    let name = session
        .name
        .as_deref()
        .map(|name| format!("  {name:?}"))
        .unwrap_or_default();
    let line = format!(
        "{}  {}  {:<6}  {:<10}  {:>7} rows  {:>7}  {} #{}{name}  {}",
        session.id,
        local(session.started_us, "%Y-%m-%d %H:%M:%S"),
        session.origin,
        ended,
        session.records,
        size(usize::try_from(session.bytes).unwrap_or(usize::MAX)),
        session.server_name,
        session.number,
        session.peer.as_deref().unwrap_or_default(),
    );
    visible(line.trim_end(), false)
}

/// A row: number, time, gap, arrow, kind, id, method, duration, summary.
fn log_line(row: &Row, width: usize) -> String {
    let arrow = match row.direction {
        Some(Direction::ClientToServer) => "→",
        Some(Direction::ServerToClient) => "←",
        None => "·",
    };
    let line = format!(
        "{:>width$}  {}  {:>9}  {arrow}  {:<12}  {:<24}  {:>8}  {}{}",
        row.seq.0,
        local(row.at_us, "%H:%M:%S%.3f"),
        row.gap_us
            .map(|us| format!("+{}", span(us)))
            .unwrap_or_default(),
        row.kind_word(),
        row.method.as_deref().unwrap_or_default(),
        row.dur_us.map(span).unwrap_or_default(),
        row.preview,
        remarks(row),
    );
    visible(line.trim_end(), false)
}

/// What stands in no column.
fn remarks(row: &Row) -> String {
    let verdict = match row.verdict {
        Some(Verdict::TimedOut) => Some("timed out"),
        Some(Verdict::Cancelled) => Some("cancelled"),
        Some(Verdict::Unanswered) => Some("unanswered"),
        Some(Verdict::Pending) => Some("pending"),
        Some(Verdict::IsError) => Some("isError"),
        Some(Verdict::Ok | Verdict::Error) | None => None,
    };
    let marks = [
        (Flags::LATE, "late"),
        (Flags::DUPLICATE, "duplicate"),
        (Flags::ORPHAN, "answers no request"),
        (Flags::NOISE, "not JSON-RPC"),
        (Flags::REDACTED, "redacted"),
        (Flags::UNTERMINATED, "no line end"),
        (Flags::TRUNCATED, "truncated"),
        (Flags::OVER_LIMIT, "over the limit"),
    ];
    let marks = marks
        .iter()
        .filter(|(flag, _)| row.flags.has(*flag))
        .map(|&(_, word)| word);
    verdict
        .into_iter()
        .chain(marks)
        .map(|word| format!("  · {word}"))
        .collect()
}

/// A span for people: `250 µs`, `4.0 ms`, `37 ms`, `2.1 s`, `252 s`.
fn span(us: i64) -> String {
    match us {
        ..1_000 => format!("{us} µs"),
        1_000..10_000 => format!("{}.{} ms", us / 1_000, us / 100 % 10),
        10_000..1_000_000 => format!("{} ms", us / 1_000),
        1_000_000..60_000_000 => format!("{}.{} s", us / 1_000_000, us / 100_000 % 10),
        _ => format!("{} s", us / 1_000_000),
    }
}

fn local(us: i64, format: &str) -> String {
    match DateTime::from_timestamp_micros(us) {
        Some(time) => time.with_timezone(&Local).format(format).to_string(),
        None => us.to_string(),
    }
}
