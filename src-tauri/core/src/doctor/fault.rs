//! Explains the step that failed: who is at fault and who is not, what shows it, and what to do.

use serde::Serialize;

use super::report::{Fact, Report, StepId, StepState};
use crate::client::{ClientError, ended, seconds};
use crate::manager::Error;
use crate::transport::{CloseReason, HttpError, TransportError};

/// Who is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Party {
    /// What was configured for the server.
    Configuration,
    /// This machine: its system, its certificates, its disk.
    Machine,
    /// What lies between this machine and the server.
    Network,
    /// The server.
    Server,
    /// Nobody: the server asks for a sign-in.
    Nobody,
    /// This app.
    App,
}

impl Party {
    /// For people, as the beginning of a sentence.
    pub fn label(self) -> &'static str {
        match self {
            Self::Configuration => "The configuration of the server is at fault.",
            Self::Machine => "This machine is at fault.",
            Self::Network => "The way to the server is at fault.",
            Self::Server => "The server is at fault.",
            Self::Nobody => "Nobody is at fault: the server asks for a sign-in.",
            Self::App => "This app is at fault.",
        }
    }
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Who is at fault.
    pub party: Party,
    /// The same as a sentence.
    pub headline: &'static str,
    /// What happened, in a few words, for the line of the step.
    pub short: String,
    /// What happened, in full.
    pub what: String,
    /// Who is not at fault, and why that is known; may be empty.
    pub clear: &'static str,
    /// What to do next.
    pub next: String,
    /// What shows it.
    pub evidence: Vec<Fact>,
}

const NOT_STARTED: &str = "No process was started, so the server is not at fault.";
const NOT_SENT: &str = "Nothing was sent, so the server is not at fault.";
const IN_LOG: &str = "See the session’s log for what crossed the wire.";

/// What an error means: the step that failed, and why.
pub(super) fn of(error: &Error, report: &Report) -> (StepId, Fault) {
    match error {
        Error::Failed(error) => of(error, report),
        Error::Client(error) => client(error, report),
        Error::Secret(error) => (
            report.first(),
            Fault::new(
                Party::Configuration,
                "a value cannot be resolved",
                error.to_string(),
            )
            .clear(NOT_SENT)
            .next("Set what it names, or correct the value in the server’s configuration."),
        ),
        Error::Closed(reason) => closed("the handshake", reason, report),
        Error::History(_) | Error::NotRecording(_) => (
            running(report),
            Fault::new(
                Party::Machine,
                "the session cannot be recorded",
                error.to_string(),
            )
            .clear(NOT_SENT)
            .next("Make room on the disk, or make the data folder writable."),
        ),
        Error::NotOpen(_) | Error::SignIn(_) | Error::Internal => (
            running(report),
            Fault::new(Party::App, "this app failed", error.to_string()).next("Report it."),
        ),
    }
}

fn client(error: &ClientError, report: &Report) -> (StepId, Fault) {
    match error {
        ClientError::Transport(error) => transport(error, report),
        ClientError::NoTransport { first, second } => {
            let (step, fault) = client(first, report);
            let evidence = fault.evidence.clone();
            let fault = Fault { evidence, ..fault };
            (
                step,
                fault.shown("HTTP+SSE was tried too", second.to_string()),
            )
        }
        ClientError::Closed { method, reason } => closed(method, reason, report),
        ClientError::TimedOut { method, after } => {
            let (step, short) = match report.is(StepId::FirstByte, StepState::Running) {
                true => (StepId::FirstByte, "it wrote nothing".to_owned()),
                false => (step_of(method, report), "no answer in time".to_owned()),
            };
            let what = format!(
                "The server did not answer {method} within {} s.",
                seconds(*after)
            );
            let fault = Fault::new(Party::Server, short, what)
                .clear("It runs, and was asked.")
                .next("See what it waits for in its own log; where it is only slow, raise the time-out.");
            (step, fault)
        }
        ClientError::NotRead { method, after } => {
            let what = format!(
                "The server has not read its input for {} s: {method} was not sent.",
                seconds(*after)
            );
            let fault = Fault::new(Party::Server, "it does not read its stdin", what)
                .next("See whether it is a server over stdio at all.");
            (step_of(method, report), fault)
        }
        ClientError::Refused { method, error } => {
            let what = format!(
                "The server answered {method} with error {}: {}.",
                error.code, error.message
            );
            let fault = Fault::new(Party::Server, format!("error {}", error.code), what)
                .clear("The way to it works: the answer came over it.")
                .next(IN_LOG);
            (step_of(method, report), fault)
        }
        ClientError::BadResult { method, problem } => {
            let what = format!("The server’s answer to {method} cannot be used: {problem}.");
            let fault = Fault::new(Party::Server, "the answer cannot be used", what)
                .clear("The way to it works: the answer came over it.")
                .next(IN_LOG);
            (step_of(method, report), fault)
        }
        ClientError::OverLimit { method, .. } => {
            let fault = Fault::new(Party::Server, "the answer is too large", error.to_string())
                .next(IN_LOG);
            (step_of(method, report), fault)
        }
        ClientError::Incompatible { .. } => {
            let fault = Fault::new(
                Party::Configuration,
                "no revision in common",
                error.to_string(),
            )
            .clear("Both sides work; they speak different revisions.")
            .next("Choose another protocol for the server: auto asks for all of them.");
            (running(report), fault)
        }
        ClientError::Cancelled { .. }
        | ClientError::NotCallable { .. }
        | ClientError::NotRecording(_) => (
            running(report),
            Fault::new(Party::App, "it ended early", error.to_string()).next("Run it again."),
        ),
    }
}

fn transport(error: &TransportError, report: &Report) -> (StepId, Fault) {
    match error {
        TransportError::NotFound {
            command, folders, ..
        } => {
            let what = format!("`{command}` is in none of {folders} PATH folders.");
            let fault = Fault::new(Party::Configuration, what.trim_end_matches('.'), &what)
                .clear(NOT_STARTED)
                .next("Give its full path, or set PATH in the server’s environment.");
            (StepId::Executable, fault)
        }
        TransportError::NotExecutable { path, why } => {
            let what = format!("`{path}` cannot be started: {why}.");
            let fault = Fault::new(Party::Configuration, *why, what)
                .clear(NOT_STARTED)
                .next("Correct the command of the server.");
            (StepId::Executable, fault)
        }
        TransportError::NoFolder { cwd, .. } => {
            let what = format!("The working folder `{cwd}` does not exist.");
            let fault = Fault::new(Party::Configuration, "no such working folder", what)
                .clear(NOT_STARTED)
                .next("Make it, or correct the working folder of the server.");
            (StepId::Executable, fault)
        }
        TransportError::Spawn { executable, why } => {
            let what = format!("The system did not start `{executable}`: {why}.");
            let fault = Fault::new(Party::Machine, "the system refused", what)
                .clear(NOT_STARTED)
                .next("Try the command in a terminal.");
            (StepId::Spawn, fault)
        }
        TransportError::Http(error) => http(error, report),
        TransportError::Closed
        | TransportError::Congested { .. }
        | TransportError::NotRecording(_) => (
            running(report),
            Fault::new(Party::App, "the connection is closed", error.to_string()).next(IN_LOG),
        ),
    }
}

fn http(error: &HttpError, report: &Report) -> (StepId, Fault) {
    let here = match report.is(StepId::Http, StepState::Passed) {
        true => running(report),
        false => StepId::Http,
    };
    let fault = |party, short: &str| Fault::new(party, short, what(error));
    match error {
        HttpError::Url { .. } => (
            report.first(),
            fault(Party::Configuration, "this is no URL of a server")
                .clear(NOT_SENT)
                .next("Correct the URL."),
        ),
        HttpError::Header { name, .. } => (
            here,
            fault(
                Party::Configuration,
                &format!("the header {name} cannot be sent"),
            )
            .clear(NOT_SENT)
            .next("Correct the header in the server’s configuration."),
        ),
        HttpError::Ca { file, .. } => (
            StepId::Tls,
            fault(Party::Configuration, "no certificates to trust")
                .clear(NOT_SENT)
                .next("Give a file with certificates in PEM.")
                .shown("File", file.as_str()),
        ),
        HttpError::Client { .. } => (
            here,
            fault(Party::Machine, "no HTTP client")
                .clear(NOT_SENT)
                .next("See whether this machine has trusted certificates installed."),
        ),
        HttpError::Dns { host, .. } => (
            StepId::Dns,
            fault(Party::Network, &format!("{host} has no address"))
                .clear(NOT_SENT)
                .next("Check the host in the URL, and this machine’s network and DNS."),
        ),
        HttpError::Refused { at } => (
            StepId::Tcp,
            fault(Party::Server, &format!("{at} refused the connection"))
                .clear("The host itself was reached: it refused.")
                .next("Start the server, or check host and port in the URL."),
        ),
        HttpError::ConnectTimeout { .. } | HttpError::Connect { .. } => (
            StepId::Tcp,
            fault(Party::Network, "no connection")
                .clear(NOT_SENT)
                .next("Check host and port in the URL, and firewalls between."),
        ),
        HttpError::Tls { next, .. } => (
            StepId::Tls,
            fault(Party::Server, "no secure connection")
                .clear("The network works: the host took the connection.")
                .next(*next),
        ),
        HttpError::SignIn { challenge, .. } => {
            let signing = fault(Party::Nobody, &format!("HTTP {}", challenge.status))
                .clear("The server did not fail: it answered as it should.")
                .next("Sign in, or add an Authorization header to the server’s configuration.");
            let asked = match challenge.www_authenticate.join(", ") {
                none if none.is_empty() => "the server sent none".to_owned(),
                asked => asked,
            };
            (
                StepId::Authorization,
                signing.shown("WWW-Authenticate", asked),
            )
        }
        HttpError::Status { status, .. } => (
            StepId::Http,
            fault(Party::Server, &format!("HTTP {status}"))
                .clear("The network works: the answer came over it.")
                .next(after_status(*status)),
        ),
        HttpError::Redirect { location, .. } => (
            StepId::Http,
            fault(Party::Server, "a redirect that was not followed")
                .clear("The network works: the answer came over it.")
                .next("Use that address as the URL, where you trust it.")
                .shown("Location", location.as_str()),
        ),
        HttpError::NotHttp { .. } => (
            StepId::Http,
            fault(Party::Server, "what it sent is no HTTP")
                .next("Check the port, and whether the URL must begin with https://."),
        ),
        HttpError::Broken { .. } | HttpError::StreamEnded { .. } => (
            here,
            fault(Party::Server, "the connection broke")
                .next("See whether the server still runs, and its own log."),
        ),
        HttpError::NoResponse { status, .. } => (
            here,
            fault(Party::Server, &format!("HTTP {status} without an answer"))
                .clear("The network works: the answer came over it.")
                .next("Check the path of the URL: this may not be the MCP endpoint."),
        ),
        HttpError::SessionLost { .. } | HttpError::Endpoint { .. } => {
            (here, fault(Party::Server, "no usable session").next(IN_LOG))
        }
        HttpError::Aborted | HttpError::TooLarge => {
            (here, fault(Party::App, "it ended early").next(IN_LOG))
        }
    }
}

/// What happened, without what to do: that is told apart.
fn what(error: &HttpError) -> String {
    let said = |excerpt: &str| match excerpt {
        "" => String::new(),
        excerpt => format!(", saying `{excerpt}`"),
    };
    match error {
        HttpError::Url { url, why } => format!("`{url}` is no URL of a server: {why}."),
        HttpError::Header { name, why } => format!("The header `{name}` cannot be sent: {why}."),
        HttpError::Dns { host, why } => {
            format!("The name `{host}` could not be resolved: {why}.")
        }
        HttpError::Refused { at } => {
            format!("{at} refused the connection: nothing listens on that port.")
        }
        HttpError::ConnectTimeout { at, after } => {
            format!("No connection to {at} within {} s.", after.as_secs())
        }
        HttpError::Connect { at, why } => format!("No connection to {at}: {why}."),
        HttpError::Tls { at, why, .. } => format!("No secure connection to {at}: {why}."),
        HttpError::SignIn { url, challenge } => format!(
            "The server at {url} needs authorization (HTTP {}).",
            challenge.status
        ),
        HttpError::Status {
            url,
            status,
            excerpt,
        } => format!(
            "The server at {url} answered HTTP {status}{}.",
            said(excerpt)
        ),
        HttpError::NotHttp { url, why } => {
            format!("What {url} sent is not valid HTTP: {why}.")
        }
        HttpError::Broken { url, why } => {
            format!("The connection to {url} broke before the answer was complete: {why}.")
        }
        HttpError::NoResponse {
            url, what, excerpt, ..
        } => format!(
            "The server at {url} did not answer the request: {what}{}.",
            said(excerpt)
        ),
        HttpError::Ca { .. }
        | HttpError::Client { .. }
        | HttpError::Redirect { .. }
        | HttpError::SessionLost { .. }
        | HttpError::Endpoint { .. }
        | HttpError::StreamEnded { .. }
        | HttpError::Aborted
        | HttpError::TooLarge => error.to_string(),
    }
}

fn after_status(status: u16) -> &'static str {
    match status {
        403 => "It may refuse this client’s address or host; see the server’s own log.",
        404 | 405 => "Check the path of the URL: this may not be the MCP endpoint.",
        429 => "Wait before trying again.",
        500.. => "See the server’s own log.",
        _ => IN_LOG,
    }
}

/// The server ended.
fn closed(method: &str, reason: &CloseReason, report: &Report) -> (StepId, Fault) {
    let silent = report.is(StepId::FirstByte, StepState::Running);
    let (step, before) = match silent {
        true => (StepId::FirstByte, "it wrote anything".to_owned()),
        false => (step_of(method, report), format!("it answered {method}")),
    };
    let mut words = ended(reason);
    let short = words.trim_start_matches("the server ").to_owned();
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let fault = Fault::new(Party::Server, short, format!("{words} before {before}."))
        .clear("Its command was found and started.");
    let fault = match reason.last_stderr.is_empty() {
        true => fault.next("Run its command in a terminal to see why: it wrote nothing to stderr."),
        false => fault
            .next("Read its last lines of stderr, and correct what they name.")
            .shown("Last stderr", reason.last_stderr.as_str()),
    };
    (step, fault)
}

/// The step that a request belongs to.
fn step_of(method: &str, report: &Report) -> StepId {
    match method {
        "server/discover" => StepId::Discover,
        "initialize" => StepId::Initialize,
        _ => running(report),
    }
}

/// The last step that has begun and is not over, else the last one that was begun.
fn running(report: &Report) -> StepId {
    let last = |state| report.steps.iter().rev().find(|step| step.state == state);
    last(StepState::Running)
        .or(last(StepState::Passed))
        .map_or(report.first(), |step| step.id)
}

impl Fault {
    fn new(party: Party, short: impl Into<String>, what: impl Into<String>) -> Self {
        Self {
            party,
            headline: party.label(),
            short: short.into(),
            what: what.into(),
            clear: "",
            next: String::new(),
            evidence: vec![],
        }
    }

    fn clear(self, clear: &'static str) -> Self {
        Self { clear, ..self }
    }

    fn next(self, next: impl Into<String>) -> Self {
        Self {
            next: next.into(),
            ..self
        }
    }

    fn shown(mut self, name: &str, value: impl Into<String>) -> Self {
        self.evidence.push(Fact {
            name: name.to_owned(),
            value: value.into(),
        });
        self
    }
}
