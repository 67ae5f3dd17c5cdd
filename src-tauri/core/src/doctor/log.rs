//! Reads the steps of connecting off the session's log.

use super::report::{Report, StepId, StepState};
use crate::history::Row;
use crate::protocol::{Direction, Kind};
use crate::record::{Event, EventKind, HttpEvent, HttpPhase, Note, Opened};

/// Whether [`Report::read`] looks at the body of such a row.
pub(super) fn wants_body(row: &Row) -> bool {
    matches!(
        row.event,
        EventKind::Opened | EventKind::Http | EventKind::Note
    )
}

impl Report {
    /// Takes in the next row of the log.
    pub(super) fn read(&mut self, row: &Row, body: &[u8]) {
        match Event::read(row.event, body, row.flags) {
            Some(Event::Opened(Opened::Stdio { pid, .. })) => self.process(pid, row.at_us),
            Some(Event::Http(http)) => self.exchange(&http, row.at_us),
            Some(Event::Note(Note::Handshake { text }))
                if self.is(StepId::Discover, StepState::Running) =>
            {
                self.leave(StepId::Discover, text, row.at_us);
            }
            Some(Event::Stderr { .. }) => {
                let said = format!("on stderr: {}", row.preview);
                self.byte(said, row.at_us);
            }
            Some(Event::Opened(Opened::Http { .. }) | Event::Note(_) | Event::Closed(_)) => {}
            None if row.event == EventKind::Frame => self.frame(row),
            None => {}
        }
    }

    fn process(&mut self, pid: u32, at_us: i64) {
        if self.is(StepId::Spawn, StepState::Passed) {
            self.amend(StepId::Spawn, format!("pid {pid}, started a second time"));
        } else {
            self.pass(StepId::Spawn, format!("pid {pid}"), at_us);
            self.begin(StepId::FirstByte, at_us);
        }
    }

    fn byte(&mut self, said: String, at_us: i64) {
        if self.is(StepId::FirstByte, StepState::Running) {
            self.pass(StepId::FirstByte, said, at_us);
        }
    }

    fn frame(&mut self, row: &Row) {
        let step = match row.method.as_deref() {
            Some("server/discover") => Some(StepId::Discover),
            Some("initialize") => Some(StepId::Initialize),
            Some(_) | None => None,
        };
        if row.direction == Some(Direction::ServerToClient) {
            let said = match row.kind {
                Some(Kind::Malformed) => format!("on stdout, no JSON-RPC: {}", row.preview),
                Some(_) | None => "on stdout".to_owned(),
            };
            self.byte(said, row.at_us);
        }
        match (step, row.kind) {
            (Some(step), Some(Kind::Request))
                if row.direction == Some(Direction::ClientToServer) =>
            {
                self.begin(step, row.at_us);
            }
            (Some(step), Some(Kind::Result)) if self.is(step, StepState::Running) => {
                self.pass(step, "answered", row.at_us);
            }
            (Some(StepId::Discover), Some(Kind::Error)) => {
                let fact = format!("error {}", row.preview);
                self.leave(StepId::Discover, fact, row.at_us);
            }
            (_, _) => {}
        }
    }

    fn exchange(&mut self, http: &HttpEvent, at_us: i64) {
        match http.phase {
            HttpPhase::Request if !self.is(StepId::Http, StepState::Passed) => {
                let method = http.method.as_deref().unwrap_or_default();
                self.begin(StepId::Http, at_us);
                self.amend(StepId::Http, format!("{method} {}", path(http)));
            }
            HttpPhase::Response => self.response(http, at_us),
            HttpPhase::Request | HttpPhase::End | HttpPhase::Comment => {}
        }
    }

    fn response(&mut self, http: &HttpEvent, at_us: i64) {
        let status = http.status.unwrap_or_default();
        if self.is(StepId::Http, StepState::Running) {
            let asked = self.step_fact(StepId::Http);
            let version = http.text.as_deref().unwrap_or_default();
            let fact = format!("{asked} → {status} {version}");
            self.pass(StepId::Http, fact.trim_end(), at_us);
            let server = header(http, "server");
            if let Some(server) = server {
                self.fact("Server software", server);
            }
        }
        let challenge = header(http, "www-authenticate");
        if let Some(challenge) = challenge {
            self.fact("WWW-Authenticate", challenge);
        }
        match status {
            401 => self.begin(StepId::Authorization, at_us),
            403 if challenge.is_some() => self.begin(StepId::Authorization, at_us),
            _ if self.is(StepId::Authorization, StepState::Running) => {
                self.pass(StepId::Authorization, "accepted", at_us);
            }
            _ if self.is(StepId::Authorization, StepState::Waiting) => {
                self.skip(StepId::Authorization, "not asked for");
            }
            _ => {}
        }
    }

    fn step_fact(&self, id: StepId) -> &str {
        let step = self.steps.iter().find(|step| step.id == id);
        step.map_or("", |step| &step.fact)
    }
}

fn header<'a>(http: &'a HttpEvent, wanted: &str) -> Option<&'a str> {
    let mut headers = http.headers.iter();
    let found = headers.find(|(name, _)| name.eq_ignore_ascii_case(wanted));
    found.map(|(_, value)| value.as_str())
}

fn path(http: &HttpEvent) -> &str {
    let url = http.url.as_deref().unwrap_or_default();
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find('/').map_or("/", |at| &rest[at..])
}
