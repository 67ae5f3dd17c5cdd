//! What the doctor tells: the steps with their times, the fault where one was found, and the facts.

use bytes::Bytes;
use serde::Serialize;

use super::fault::Fault;
use crate::client::Negotiated;
use crate::history::Server;
use crate::protocol::{Era, EraChoice, ServerConfig};
use crate::record::{KnownSecrets, SessionId};

/// A step of connecting, in the order of [`StepId::of`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepId {
    /// The file that the command names.
    Executable,
    /// The process starts.
    Spawn,
    /// It writes something, to stdout or stderr.
    FirstByte,
    /// The host's name is resolved.
    Dns,
    /// A connection is made.
    Tcp,
    /// It is made secure.
    Tls,
    /// An HTTP request is answered.
    Http,
    /// The server lets us in.
    Authorization,
    /// `server/discover` is answered (2026-07-28 and later).
    Discover,
    /// `initialize` is answered (until 2025-11-25).
    Initialize,
}

impl StepId {
    /// The steps over a transport.
    pub fn of(config: &ServerConfig) -> &'static [Self] {
        match config {
            ServerConfig::Stdio { .. } => &[
                Self::Executable,
                Self::Spawn,
                Self::FirstByte,
                Self::Discover,
                Self::Initialize,
            ],
            ServerConfig::StreamableHttp { .. } | ServerConfig::Sse { .. } => &[
                Self::Dns,
                Self::Tcp,
                Self::Tls,
                Self::Http,
                Self::Authorization,
                Self::Discover,
                Self::Initialize,
            ],
        }
    }

    /// Its name for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Executable => "Find executable",
            Self::Spawn => "Start process",
            Self::FirstByte => "First byte",
            Self::Dns => "DNS",
            Self::Tcp => "TCP",
            Self::Tls => "TLS",
            Self::Http => "HTTP",
            Self::Authorization => "Authorization",
            Self::Discover => "server/discover",
            Self::Initialize => "initialize",
        }
    }
}

/// How it stands with a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepState {
    /// Not begun.
    Waiting,
    /// On the way.
    Running,
    /// Done.
    Passed,
    /// The one that failed.
    Failed,
    /// Not needed, or without a result that matters; the fact says why.
    Skipped,
}

/// A step and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Which.
    pub id: StepId,
    /// Its name for people.
    pub label: &'static str,
    /// How it stands.
    pub state: StepState,
    /// What was found, in a few words.
    pub fact: String,
    /// How long it took, microseconds; none where it did not run, or runs.
    pub dur_us: Option<i64>,
    #[serde(skip)]
    began_us: Option<i64>,
}

/// Something that is so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// What it is about.
    pub name: String,
    /// What it is; may have several lines.
    pub value: String,
}

/// How an examination stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Not over.
    Running,
    /// The server can be used.
    Passed,
    /// A step failed.
    Failed,
    /// The user ended it.
    Cancelled,
}

/// The report, complete or growing. Known secrets are masked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The server's name.
    pub server: String,
    /// Command line or URL.
    pub target: String,
    /// How it stands.
    pub outcome: Outcome,
    /// In order.
    pub steps: Vec<Step>,
    /// What is wrong, where a step failed.
    pub fault: Option<Fault>,
    /// What was found out by the way.
    pub facts: Vec<Fact>,
    /// The session that holds what crossed the wire.
    pub session: Option<SessionId>,
    /// When it began, microseconds since the epoch.
    pub started_us: i64,
    /// How long it took so far, microseconds.
    pub total_us: i64,
    /// The last record of the session that was read.
    #[serde(skip)]
    pub(super) read_to: u64,
}

impl Report {
    /// Before the first step.
    pub fn new(server: &Server, now_us: i64) -> Self {
        let step = |id: &StepId| Step {
            id: *id,
            label: id.label(),
            state: StepState::Waiting,
            fact: String::new(),
            dur_us: None,
            began_us: None,
        };
        let mut report = Self {
            server: server.name.clone(),
            target: server.config.display(),
            outcome: Outcome::Running,
            steps: StepId::of(&server.config).iter().map(step).collect(),
            fault: None,
            facts: vec![],
            session: None,
            started_us: now_us,
            total_us: 0,
            read_to: 0,
        };
        report.expect(server);
        report
    }

    /// What is known before anything is tried.
    fn expect(&mut self, server: &Server) {
        let names = |values: Vec<&String>| -> String {
            let names: Vec<_> = values.into_iter().map(String::as_str).collect();
            names.join(", ")
        };
        let (word, set) = match &server.config {
            ServerConfig::Stdio { args, env, .. } => {
                if !args.is_empty() {
                    self.fact("Arguments", args.join(" · "));
                }
                ("Variables", names(env.keys().collect()))
            }
            ServerConfig::StreamableHttp { headers, .. } | ServerConfig::Sse { headers, .. } => (
                "Headers",
                names(headers.iter().map(|(name, _)| name).collect()),
            ),
        };
        if !set.is_empty() {
            self.fact(word, set);
        }
        let modern = match server.era {
            EraChoice::Auto => None,
            EraChoice::Legacy => Some(false),
            EraChoice::Modern => Some(true),
            EraChoice::Revision(revision) => Some(revision.era() == Era::Modern),
        };
        let set_to = format!("not asked: the server’s protocol is set to {}", server.era);
        match (modern, &server.config) {
            (Some(true), _) => self.skip(StepId::Initialize, set_to),
            (Some(false), _) => self.skip(StepId::Discover, set_to),
            (None, ServerConfig::Sse { .. }) => {
                self.skip(StepId::Discover, "not asked: HTTP+SSE is older than it")
            }
            (None, _) => {
                self.step(StepId::Initialize).fact = "only if server/discover is unknown".to_owned()
            }
        }
    }

    /// The first step.
    pub(super) fn first(&self) -> StepId {
        self.steps
            .first()
            .map_or(StepId::Executable, |step| step.id)
    }

    /// A step of this transport; of another, one that nobody sees.
    fn step(&mut self, id: StepId) -> &mut Step {
        let at = self.steps.iter().position(|step| step.id == id);
        &mut self.steps[at.unwrap_or(0)]
    }

    pub(super) fn state(&self, id: StepId) -> Option<StepState> {
        let step = self.steps.iter().find(|step| step.id == id);
        step.map(|step| step.state)
    }

    pub(super) fn is(&self, id: StepId, state: StepState) -> bool {
        self.state(id) == Some(state)
    }

    pub(super) fn fact(&mut self, name: &str, value: impl Into<String>) {
        let (name, value) = (name.to_owned(), value.into());
        match self.facts.iter_mut().find(|fact| fact.name == name) {
            Some(known) => known.value = value,
            None => self.facts.push(Fact { name, value }),
        }
    }

    pub(super) fn begin(&mut self, id: StepId, at_us: i64) {
        let step = self.step(id);
        step.state = StepState::Running;
        step.fact.clear();
        step.began_us = Some(at_us);
    }

    fn settle(&mut self, id: StepId, state: StepState, fact: String, at_us: Option<i64>) {
        let step = self.step(id);
        step.state = state;
        step.fact = fact;
        let began = step.began_us.zip(at_us);
        step.dur_us = began.map(|(began, now)| (now - began).max(0));
    }

    pub(super) fn pass(&mut self, id: StepId, fact: impl Into<String>, at_us: i64) {
        self.settle(id, StepState::Passed, fact.into(), Some(at_us));
    }

    /// Done, and not what decides.
    pub(super) fn leave(&mut self, id: StepId, fact: impl Into<String>, at_us: i64) {
        self.settle(id, StepState::Skipped, fact.into(), Some(at_us));
    }

    pub(super) fn skip(&mut self, id: StepId, fact: impl Into<String>) {
        self.settle(id, StepState::Skipped, fact.into(), None);
    }

    /// A passed step tells more than when it passed.
    pub(super) fn amend(&mut self, id: StepId, fact: impl Into<String>) {
        self.step(id).fact = fact.into();
    }

    pub(super) fn fail(&mut self, id: StepId, fault: Fault, at_us: i64) {
        self.stop_running(Some(id), "not finished");
        self.settle(id, StepState::Failed, fault.short.clone(), Some(at_us));
        self.fault = Some(fault);
        self.outcome = Outcome::Failed;
    }

    pub(super) fn cancel(&mut self) {
        self.stop_running(None, "cancelled");
        self.outcome = Outcome::Cancelled;
    }

    fn stop_running(&mut self, but: Option<StepId>, fact: &str) {
        for step in &mut self.steps {
            if step.state == StepState::Running && Some(step.id) != but {
                step.state = StepState::Skipped;
                step.fact = fact.to_owned();
            } else if step.state == StepState::Waiting {
                step.fact = "not run".to_owned();
            }
        }
    }

    /// Both sides have agreed.
    pub(super) fn connected(&mut self, agreed: &Negotiated, now_us: i64) {
        let who = format!("{} {}", agreed.name, agreed.version);
        let who = who.trim();
        let said = match who.is_empty() {
            true => agreed.revision.to_string(),
            false => format!("{}, {who}", agreed.revision),
        };
        let (done, other) = match agreed.era {
            Era::Modern => (StepId::Discover, StepId::Initialize),
            Era::Legacy => (StepId::Initialize, StepId::Discover),
        };
        match self.is(done, StepState::Passed) {
            true => self.amend(done, &said),
            false => self.pass(done, &said, now_us),
        }
        if !self.is(other, StepState::Skipped) {
            self.skip(other, "not needed");
        }
        if !who.is_empty() {
            self.fact("Server", who);
        }
        self.fact(
            "Revision",
            format!("{} ({})", agreed.revision, agreed.era.as_str()),
        );
        self.stop_running(None, "not needed");
        self.outcome = Outcome::Passed;
    }

    /// The same with known secrets masked.
    pub(super) fn masked(&self, secrets: &KnownSecrets) -> Self {
        let mask = |text: &mut String| {
            let (bytes, _) = secrets.mask(&Bytes::copy_from_slice(text.as_bytes()));
            *text = String::from_utf8_lossy(&bytes).into_owned();
        };
        let mut report = self.clone();
        mask(&mut report.target);
        report
            .steps
            .iter_mut()
            .for_each(|step| mask(&mut step.fact));
        let mut facts: Vec<_> = report.facts.iter_mut().collect();
        if let Some(fault) = &mut report.fault {
            for text in [&mut fault.short, &mut fault.what, &mut fault.next] {
                mask(text);
            }
            facts.extend(&mut fault.evidence);
        }
        facts.into_iter().for_each(|fact| mask(&mut fact.value));
        report
    }
}
