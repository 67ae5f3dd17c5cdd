//! What an event says, in words.

use super::json::Json;
use crate::record::{
    Closed, EndReason, Event, HttpEvent, HttpPhase, Note, Opened, Record, StoppedBy,
};

/// None for what only its bytes can say.
pub(super) fn words(record: &Record, event: &Event) -> Option<String> {
    Some(match event {
        Event::Opened(opened) => open(opened),
        Event::Http(event) => http(event),
        Event::Note(Note::Unknown) | Event::Stderr { .. } => return None,
        Event::Note(about) => match record.about {
            Some(seq) => note(about, &format!("#{seq}")),
            None => note(about, "the request"),
        },
        Event::Closed(closed) => close(closed),
    })
}

fn open(opened: &Opened) -> String {
    match opened {
        Opened::Stdio { argv, pid, .. } => format!("started {} · pid {pid}", argv.join(" ")),
        Opened::Http { url } => format!("opened {url}"),
    }
}

fn http(event: &HttpEvent) -> String {
    let phase = match event.phase {
        HttpPhase::Request | HttpPhase::Response => None,
        HttpPhase::End => Some("end of the response"),
        HttpPhase::Comment => Some("comment"),
    };
    let words = [
        phase.map(str::to_owned),
        event.method.clone(),
        event.url.clone(),
        event.status.map(|status| status.to_string()),
    ];
    let words: Vec<_> = words.into_iter().flatten().collect();
    with_text(words.join(" "), event.text.as_deref())
}

fn note(note: &Note, what: &str) -> String {
    match note {
        Note::Negotiated {
            era,
            revision,
            server,
            ..
        } => {
            let name = |member| {
                server.as_ref().and_then(|raw| {
                    Json::new(raw.get())
                        .get(member)?
                        .string()
                        .map(String::from_iter)
                })
            };
            let server: Vec<_> = [name("name"), name("version")]
                .into_iter()
                .flatten()
                .collect();
            with_text(format!("{era} {revision}"), Some(&server.join(" ")))
        }
        Note::Handshake { text } | Note::Watch { text } | Note::AnsweredByRule { text } => {
            text.clone()
        }
        Note::TimedOut { after_ms } => format!("no answer to {what} within {}", seconds(*after_ms)),
        Note::Cancelled => format!("{what} was cancelled"),
        Note::Unanswered { why: None } => {
            format!("{what} was not answered before the connection ended")
        }
        Note::Unanswered { why: Some(why) } => format!("{what} was not answered: {why}"),
        Note::Extended { by_ms } => format!("{what} was given {} more", seconds(*by_ms)),
        Note::Revision { revision } => format!("{what} is written in revision {revision}"),
        Note::Retried { why } => format!("{what} was sent again: {why}"),
        Note::Deviation { text } => format!("{what}: {text}"),
        Note::WriteFailed { error } => format!("{what} could not be written: {error}"),
        Note::OverLimit { limit } => {
            format!("{what} is over {} MiB: stored, not read", limit >> 20)
        }
        Note::Gap { frames, bytes } => format!("{frames} frames ({bytes} bytes) went unrecorded"),
        Note::ClockMoved { by_us } => {
            format!(
                "the clock moved forward by {}",
                seconds(by_us.unsigned_abs() / 1000)
            )
        }
        Note::Unknown => String::new(),
    }
}

fn close(closed: &Closed) -> String {
    let how = match (&closed.signal, closed.code, closed.reason) {
        (Some(signal), ..) => format!("ended by {signal}"),
        (None, Some(code), _) => format!("exited, code {code}"),
        (None, None, EndReason::Exited) => "exited".to_owned(),
        (None, None, EndReason::StreamEnded) => "the stream ended".to_owned(),
        (None, None, EndReason::Closed) => "closed".to_owned(),
        (None, None, EndReason::Failed) => "the transport failed".to_owned(),
        (None, None, EndReason::Internal) => "this app failed".to_owned(),
    };
    let by = match closed.by {
        StoppedBy::Server => "",
        StoppedBy::User => "stopped by the user",
        StoppedBy::App => "stopped by this app",
    };
    with_text(with_text(how, Some(by)), closed.text.as_deref())
}

fn with_text(said: String, text: Option<&str>) -> String {
    match text.filter(|text| !text.is_empty()) {
        Some(text) if said.is_empty() => text.to_owned(),
        Some(text) => format!("{said} · {text}"),
        None => said,
    }
}

fn seconds(ms: u64) -> String {
    let (whole, rest) = (ms / 1000, ms % 1000);
    match (whole, rest) {
        (0, _) => format!("{ms} ms"),
        (_, 0) => format!("{whole} s"),
        _ => format!("{whole}.{} s", rest / 100),
    }
}
