//! The connection doctor: connects to a server step by step, each step with its time and a bound, and explains the one that
//! fails. Afterwards nothing is left of it but the session that it recorded.
//!
//! What lies below the first message (the executable, DNS, TCP, TLS) is tried apart, on a socket of its own. From then on the
//! doctor connects as every session does and reads its steps off the log: what it says is what the log says.

mod fault;
mod log;
mod report;
#[cfg(test)]
mod tests;
mod text;

use std::path::Path;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

pub use fault::{Fault, Party};
pub use report::{Fact, Outcome, Report, Step, StepId, StepState};

use crate::history::{Label, Server, SessionReader};
use crate::manager::{ClientManager, Error, OpenOptions};
use crate::protocol::ServerConfig;
use crate::record::{Clock, KnownSecrets, PathSource, Seq, SessionId};
use crate::transport::reach::Route;
use crate::transport::{HttpError, TransportError, locate};

/// The tag of sessions that the doctor has recorded.
pub const TAG: &str = "doctor";

/// Rows of the log that are read at once.
const PAGE: u64 = 200;

/// Connects to a server, in the way that `options` tells and no other, and ends the connection again. `told` has the report as it grows; `stop` ends the examination at any
/// time. A session is recorded as soon as a process is started or a message sent; it belongs to no server of the catalogue,
/// so that it does not stand for the server's own.
pub async fn examine(
    manager: &ClientManager,
    server: &Server,
    options: OpenOptions,
    stop: &CancellationToken,
    told: &watch::Sender<Report>,
) -> Report {
    let clock = Clock::start();
    let mut exam = Exam {
        report: Report::new(server, clock.now_us()),
        secrets: KnownSecrets::default(),
        clock,
        told,
    };
    exam.tell();
    let end = tokio::select! {
        end = exam.below(manager, server, options.ca.as_deref()) => Some(end),
        () = stop.cancelled() => None,
    };
    match end {
        None => exam.report.cancel(),
        Some(Err(error)) => exam.fail(&error),
        Some(Ok(())) => exam.connect(manager, server, options, stop).await,
    }
    exam.end()
}

/// An examination in progress.
struct Exam<'a> {
    report: Report,
    secrets: KnownSecrets,
    clock: Clock,
    told: &'a watch::Sender<Report>,
}

impl Exam<'_> {
    fn now(&self) -> i64 {
        self.clock.now_us()
    }

    fn tell(&mut self) {
        self.report.total_us = self.now() - self.report.started_us;
        self.told.send_replace(self.report.masked(&self.secrets));
    }

    fn begin(&mut self, step: StepId) {
        let now = self.now();
        self.report.begin(step, now);
        self.tell();
    }

    fn pass(&mut self, step: StepId, fact: impl Into<String>) {
        let now = self.now();
        self.report.pass(step, fact, now);
        self.tell();
    }

    fn fail(&mut self, error: &Error) {
        let (step, fault) = fault::of(error, &self.report);
        let now = self.now();
        self.report.fail(step, fault, now);
    }

    fn end(mut self) -> Report {
        self.tell();
        self.report.masked(&self.secrets)
    }

    /// What lies below the first message.
    async fn below(
        &mut self,
        manager: &ClientManager,
        server: &Server,
        ca: Option<&Path>,
    ) -> Result<(), Error> {
        self.begin(self.report.first());
        let resolved = manager.resolved(server).await?;
        self.secrets = resolved.secrets().clone();
        let config = resolved.values().clone();
        match &config {
            ServerConfig::Stdio { .. } => self.executable(&config).await?,
            ServerConfig::StreamableHttp { url, .. } | ServerConfig::Sse { url, .. } => {
                let reached = self.socket(url, ca).await;
                reached.map_err(|error| Error::Client(TransportError::Http(error).into()))?;
            }
        }
        Ok(())
    }

    async fn executable(&mut self, config: &ServerConfig) -> Result<(), Error> {
        let Some(found) = locate(config).await else {
            return Ok(());
        };
        let found = found.map_err(|error| Error::Client(error.into()))?;
        let executable = found.executable.display().to_string();
        let source = match found.path_source {
            PathSource::App => "this app’s environment",
            PathSource::LoginShell => "the login shell",
            PathSource::Config => "the server’s environment",
        };
        self.report.fact("Executable", &executable);
        self.report
            .fact("Working folder", found.cwd.display().to_string());
        self.report
            .fact("PATH", format!("{} (from {source})", found.path));
        self.pass(StepId::Executable, executable);
        self.begin(StepId::Spawn);
        Ok(())
    }

    async fn socket(&mut self, url: &str, ca: Option<&Path>) -> Result<(), HttpError> {
        let route = Route::of(url)?;
        if let Some(proxy) = &route.proxy {
            self.report.fact(
                "Proxy",
                format!("{proxy}, named by the environment or the system"),
            );
        }
        let addresses = route.resolve().await?;
        let shown: Vec<_> = addresses
            .iter()
            .map(|found| found.ip().to_string())
            .collect();
        self.report.fact("Addresses", shown.join(", "));
        self.pass(
            StepId::Dns,
            format!(
                "{} → {}",
                route.host,
                shown.first().map_or("", String::as_str)
            ),
        );
        self.begin(StepId::Tcp);
        let (stream, address) = route.connect(&addresses).await?;
        self.pass(StepId::Tcp, address.to_string());
        if route.tls {
            self.begin(StepId::Tls);
            if let Some(file) = ca {
                self.report
                    .fact("Trusted besides", file.display().to_string());
            }
            let secured = route.secure(stream, ca).await?;
            let protocol = secured.protocol.as_deref().unwrap_or("no protocol chosen");
            self.pass(StepId::Tls, format!("{}, {protocol}", secured.version));
        } else {
            let why = match route.proxy {
                Some(_) => "behind the proxy: part of the HTTP step",
                None => "not used: the URL begins with http://",
            };
            self.report.skip(StepId::Tls, why);
        }
        self.begin(StepId::Http);
        Ok(())
    }

    /// From the first message on: connects as a session does.
    async fn connect(
        &mut self,
        manager: &ClientManager,
        server: &Server,
        options: OpenOptions,
        stop: &CancellationToken,
    ) {
        let nobody = Server {
            id: uuid::Uuid::nil(),
            ..server.clone()
        };
        let id = match manager.open(&nobody, options).await {
            Ok(id) => id,
            Err(error) => return self.fail(&error),
        };
        self.report.session = Some(id);
        self.tell();
        let end = self.follow(manager, id, stop).await;
        // All of it is stored then, and no process is left.
        let closed = manager.close(id).await;
        self.read_rest(manager, id).await;
        match (end, closed) {
            (None, _) => self.report.cancel(),
            (Some(Ok(client)), Ok(())) => {
                let now = self.now();
                self.report.connected(&client, now);
            }
            (Some(Err(error)), _) | (Some(Ok(_)), Err(error)) => self.fail(&error),
        }
        let tagged = manager
            .history()
            .label(id, Label::Tags(vec![TAG.to_owned()]));
        if let Err(error) = tagged.await {
            tracing::warn!("the session {id} of the doctor has no tag: {error}");
        }
    }

    /// Reads the log until the session is connected, has failed, or is to stop (`None`).
    async fn follow(
        &mut self,
        manager: &ClientManager,
        id: SessionId,
        stop: &CancellationToken,
    ) -> Option<Result<std::sync::Arc<crate::client::Negotiated>, Error>> {
        let reader = manager.history().reader(id).await.ok();
        let mut heads = reader.as_ref().map(SessionReader::follow);
        let connected = manager.connected(id);
        tokio::pin!(connected);
        loop {
            let grown = async {
                let told = match &mut heads {
                    Some(heads) => heads.changed().await.is_ok(),
                    None => false,
                };
                if !told {
                    std::future::pending::<()>().await;
                }
            };
            tokio::select! {
                biased;
                () = stop.cancelled() => return None,
                end = &mut connected => return Some(end.map(|client| client.negotiated())),
                () = grown => {
                    if let Some(reader) = &reader {
                        self.read(reader).await;
                    }
                }
            }
        }
    }

    async fn read_rest(&mut self, manager: &ClientManager, id: SessionId) {
        if let Ok(reader) = manager.history().reader(id).await {
            self.read(&reader).await;
        }
    }

    /// Reads what has been logged since. A log that cannot be read tells no steps; the session's end is told all the same.
    async fn read(&mut self, reader: &SessionReader) {
        let Ok(head) = reader.head().await else {
            return;
        };
        while self.report.read_to < head.0 {
            let from = self.report.read_to + 1;
            let to = head.0.min(self.report.read_to + PAGE);
            let seqs: Vec<_> = (from..=to).map(Seq).collect();
            let Ok(rows) = reader.rows(&seqs).await else {
                return;
            };
            for row in &rows {
                let body = match (log::wants_body(row), &row.whole) {
                    (false, _) => Default::default(),
                    (true, Some(whole)) => whole.clone(),
                    (true, None) => reader.body(row.seq).await.unwrap_or_default(),
                };
                self.report.read(row, &body);
            }
            self.report.read_to = to;
            self.tell();
        }
    }
}
