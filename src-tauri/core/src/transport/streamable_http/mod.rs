//! Streamable HTTP: one POST for each message, answered by JSON or an event stream (transports › Streamable HTTP).
//!
//! One writer task logs the messages in order and starts a task for each exchange, which reads its answer: order is claimed
//! within an exchange only. Each exchange is in the log as its request frame, three `Http` records and the frames of the
//! answer, all linked by `via`; records appear as things happen, so a request that hangs is visible. HTTP+SSE, its predecessor,
//! is the same but for where messages go and where answers come from: [`two_endpoints`].

mod body;
mod charset;
mod connect;
mod endpoint;
mod error;
mod exchange;
mod intake;
mod legacy;
mod post;
mod queue;
mod resume;
#[cfg(test)]
mod tests;
mod two_endpoints;
mod web;

use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub(super) use endpoint::{certificates, is_loopback, parse_url};
pub use error::HttpError;
pub(super) use error::tls_words;
pub use web::{Answer, Ask, Web};

use super::writer::{Desk, Ending, Switch};
use super::{Authorize, CloseReason, Inbound, Session, TransportError, Wire, Writer};
use crate::record::{Closed, EndReason, Event, NotRecording, Opened, StoppedBy};
pub(super) use endpoint::Endpoint;
use legacy::Legacy;
use two_endpoints::Address;

/// Frames that may wait for the receiver of the wire.
const INBOUND: usize = 64;

/// What all exchanges of a wire share.
struct Shared {
    endpoint: Endpoint,
    session: Session,
    authorize: Arc<dyn Authorize>,
    inbound: mpsc::Sender<Inbound>,
    alive: watch::Sender<bool>,
    switch: Switch,
    desk: Desk<()>,
    runtime: Handle,
    /// Ends every exchange.
    stop: CancellationToken,
    exchanges: TaskTracker,
    legacy: Legacy,
    /// HTTP+SSE: where messages are posted.
    address: Option<watch::Sender<Address>>,
    opened: Instant,
}

/// Which of the two transports over HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Streamable HTTP.
    Streamable,
    /// HTTP+SSE of 2024-11-05.
    TwoEndpoints,
}

/// Logs `Opened` and starts the writer task. Over Streamable HTTP nothing is sent before the first message.
pub(super) async fn open(
    shape: Shape,
    endpoint: Endpoint,
    session: Session,
    authorize: Arc<dyn Authorize>,
) -> Result<Wire, TransportError> {
    let opened = Event::Opened(Opened::Http {
        url: endpoint.shown(),
    });
    session.tap.event(session.conn, opened, None, None).await?;
    let (writer, jobs, switch) = Writer::new();
    let (inbound, receiver) = mpsc::channel(INBOUND);
    let (alive, is_alive) = watch::channel(false);
    let tasks = session.tasks.clone();
    let shared = Arc::new(Shared {
        endpoint,
        session,
        authorize,
        inbound,
        alive,
        switch,
        desk: Desk::new(()),
        runtime: Handle::current(),
        stop: CancellationToken::new(),
        exchanges: TaskTracker::new(),
        legacy: Legacy::default(),
        address: (shape == Shape::TwoEndpoints).then(|| watch::Sender::new(Address::Awaited)),
        opened: Instant::now(),
    });
    let writer = writer.with(&shared);
    if shared.answers_on_stream() {
        shared.exchanges.spawn(Arc::clone(&shared).live());
    }
    tasks.spawn(async move {
        queue::run(&shared, jobs).await;
        shared.end().await;
    });
    Ok(Wire {
        writer,
        inbound: receiver,
        alive: is_alive,
    })
}

impl Shared {
    /// What is not recorded does not happen: the wire ends.
    fn lost(&self, lost: &NotRecording) {
        self.switch.end(Ending {
            by: StoppedBy::App,
            reason: EndReason::Failed,
            text: Some(lost.to_string()),
        });
    }

    /// Hands something to the receiver of the wire; where nobody receives any more, the wire ends.
    async fn deliver(&self, item: Inbound) {
        if self.inbound.send(item).await.is_err() {
            self.switch.end(Ending {
                by: StoppedBy::App,
                reason: EndReason::Internal,
                text: None,
            });
        }
    }

    /// Ends the exchanges, then the session, and reports it as the last thing on the wire.
    async fn end(self: &Arc<Self>) {
        self.stop.cancel();
        self.exchanges.close();
        self.exchanges.wait().await;
        self.delete().await;
        let ending = self.switch.why().cloned().unwrap_or(Ending {
            by: StoppedBy::App,
            reason: EndReason::Closed,
            text: None,
        });
        let lived = self.opened.elapsed().as_micros();
        let closed = Closed {
            reason: ending.reason,
            by: ending.by,
            code: None,
            signal: None,
            text: ending.text,
            lived_us: i64::try_from(lived).unwrap_or(i64::MAX),
        };
        let reason = CloseReason {
            closed,
            last_stderr: String::new(),
        };
        // Nobody is left to hear it where the receiver was dropped.
        let _ = self.inbound.send(Inbound::Closed(reason)).await;
    }
}
