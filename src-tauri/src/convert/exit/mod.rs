//! The end of a session, told from its log: for the card at the tail of the timeline, live or years later.

use framescope_core::history::{HistoryError, Row, SessionReader};
use framescope_core::record::{
    Closed, EndReason, EventKind, Flags, Note, Opened, PathSource, StoppedBy,
};

use super::note;
use crate::rows::{ExitRow, UnansweredRow};

const STDERR_LINES: u32 = 5;
/// Notes of the end that are looked at; more unanswered requests than this are counted by the timeline, not listed.
const NOTES: u32 = 100;

/// The card for the `closed` record `end` of a process or wire that `start` tells about.
pub(crate) async fn exit_row(
    reader: &SessionReader,
    end: &Row,
    start: Option<Opened>,
) -> Result<Option<ExitRow>, HistoryError> {
    let Ok(closed) = serde_json::from_slice::<Closed>(&reader.body(end.seq).await?) else {
        return Ok(None);
    };
    let stderr = reader.last(EventKind::Stderr, STDERR_LINES).await?;
    let lived = match start {
        Some(Opened::Http { .. }) => "It was open",
        Some(Opened::Stdio { .. }) | None => "It ran",
    };
    let (executable, argv, cwd, path, path_source) = match start {
        Some(Opened::Stdio {
            executable,
            argv,
            cwd,
            path,
            path_source,
            ..
        }) => (
            Some(executable),
            argv,
            Some(cwd),
            Some(path),
            Some(source(path_source).to_owned()),
        ),
        Some(Opened::Http { .. }) | None => (None, vec![], None, None, None),
    };
    Ok(Some(ExitRow {
        seq: end.seq.0,
        title: title(&closed),
        detail: detail(&closed, lived),
        crashed: end.flags.has(Flags::CRASH),
        stderr: stderr.into_iter().map(|row| row.preview).collect(),
        stderr_total: reader.view("kind:stderr").await?.total() as u64,
        unanswered: unanswered(reader, end).await?,
        executable,
        argv,
        cwd,
        path,
        path_source,
    }))
}

/// Fact first.
fn title(closed: &Closed) -> String {
    match (closed.reason, closed.by, closed.code, &closed.signal) {
        (EndReason::Exited, StoppedBy::Server, Some(code), _) => {
            format!("The server exited with code {code}")
        }
        (EndReason::Exited, StoppedBy::Server, None, Some(signal)) => {
            format!("The server was ended by {signal}")
        }
        (EndReason::Exited, StoppedBy::Server, None, None) => "The server exited".to_owned(),
        (EndReason::StreamEnded, _, _, _) => "The server closed its output".to_owned(),
        (EndReason::Failed, _, _, _) => "The connection failed".to_owned(),
        (EndReason::Internal, _, _, _) => "Framescope failed and closed the connection".to_owned(),
        (EndReason::Exited | EndReason::Closed, StoppedBy::User, _, _) => {
            "You closed the connection".to_owned()
        }
        (EndReason::Exited | EndReason::Closed, StoppedBy::App, _, _) => {
            "Framescope closed the connection".to_owned()
        }
        (EndReason::Closed, StoppedBy::Server, _, _) => {
            "The server closed the connection".to_owned()
        }
    }
}

/// How long it ran and who ended it.
fn detail(closed: &Closed, lived: &str) -> String {
    let mut text = format!("{lived} {}.", lasted(closed.lived_us));
    let ours = closed.by != StoppedBy::Server;
    match (ours, closed.code, &closed.signal) {
        (false, _, None) if closed.reason == EndReason::Exited => {
            text.push_str(" We did not stop it: no signal was sent.")
        }
        (false, _, Some(_)) => text.push_str(" The signal did not come from us."),
        (true, Some(code), _) => text.push_str(&format!(" The process ended with code {code}.")),
        (true, None, Some(signal)) => {
            text.push_str(&format!(" It did not end by itself: {signal} was sent."))
        }
        _ => {}
    }
    if let Some(words) = &closed.text {
        text.push_str(&format!(" {}", sentence(words)));
    }
    text
}

/// Words as a sentence of their own; a first word that is no plain word stays as it is.
fn sentence(words: &str) -> String {
    let first = words.split([' ', ',']).next().unwrap_or_default();
    let plain = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_lowercase());
    match words.split_at_checked(1) {
        Some((initial, rest)) if plain => initial.to_ascii_uppercase() + rest,
        _ => words.to_owned(),
    }
}

fn source(source: PathSource) -> &'static str {
    match source {
        PathSource::App => "the environment of this app",
        PathSource::LoginShell => "your login shell",
        PathSource::Config => "the server's configuration",
    }
}

/// A duration for people: `424 ms`, `2.1 s`, `4 min 12 s`, `3 h 5 min`.
fn lasted(us: i64) -> String {
    let seconds = us / 1_000_000;
    match us {
        ..1_000_000 => format!("{} ms", us / 1_000),
        1_000_000..60_000_000 => format!("{}.{} s", seconds, us / 100_000 % 10),
        60_000_000..3_600_000_000 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3_600, seconds / 60 % 60),
    }
}

async fn unanswered(reader: &SessionReader, end: &Row) -> Result<Vec<UnansweredRow>, HistoryError> {
    let notes = reader.last(EventKind::Note, NOTES).await?;
    let about: Vec<_> = notes
        .iter()
        .filter(|row| {
            row.conn == end.conn && matches!(note(row), Some(Note::Unanswered { why: None }))
        })
        .filter_map(|row| Some((row.about?, row.at_us)))
        .collect();
    let seqs: Vec<_> = about.iter().map(|&(seq, _)| seq).collect();
    let requests = reader.rows(&seqs).await?;
    Ok(requests
        .into_iter()
        .map(|request| {
            let at_us = about
                .iter()
                .find(|(seq, _)| *seq == request.seq)
                .map_or(request.at_us, |&(_, at_us)| at_us);
            UnansweredRow {
                seq: request.seq.0,
                id: request.rpc_id.clone().unwrap_or_default(),
                what: what(&request),
                waited_us: at_us - request.at_us,
            }
        })
        .collect())
}

/// Its method, and for a tool call the tool, which the summary begins with.
fn what(request: &Row) -> String {
    let method = request.method.as_deref().unwrap_or("request");
    let tool = request
        .preview
        .split_whitespace()
        .next()
        .filter(|_| method == "tools/call");
    tool.map_or_else(|| method.to_owned(), |tool| format!("{method} {tool}"))
}

#[cfg(test)]
mod tests;
