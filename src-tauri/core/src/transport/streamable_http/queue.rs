//! The writer task: logs messages in the order in which they were given, and starts an exchange for each.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{HeaderName, HeaderValue};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::Shared;
use super::endpoint::parse;
use super::post::Post;
use crate::record::{NotRecording, Recorded};
use crate::transport::writer::{Ending, Job};
use crate::transport::{Outbound, TransportError};

/// How long the messages after `notifications/initialized` wait for the server to take it: POSTs overtake each other, and
/// many servers refuse what comes before it.
const SETTLE: Duration = Duration::from_secs(10);

/// Runs until the wire is to end or all writers are gone.
pub(super) async fn run(shared: &Arc<Shared>, mut jobs: mpsc::Receiver<Job>) {
    loop {
        let job = tokio::select! {
            biased;
            () = shared.switch.ended() => return,
            job = jobs.recv() => job,
        };
        let done = match job {
            None => {
                return shared.switch.end(Ending {
                    by: crate::record::StoppedBy::App,
                    reason: crate::record::EndReason::Closed,
                    text: None,
                });
            }
            Some(Job::Relay(frame)) => {
                start(shared, frame, Vec::new(), CancellationToken::new()).await;
                Ok(())
            }
            Some(Job::Post(out)) => send(shared, out, None).await,
            Some(Job::Send(_, logged)) if logged.is_closed() => Ok(()),
            Some(Job::Send(out, logged)) => send(shared, out, Some(logged)).await,
        };
        if let Err(lost) = done {
            shared.lost(&lost);
        }
    }
}

type Logged = oneshot::Sender<Result<crate::record::Seq, TransportError>>;

async fn send(
    shared: &Arc<Shared>,
    out: Outbound,
    logged: Option<Logged>,
) -> Result<(), NotRecording> {
    // Whoever asked may have gone meanwhile; what is logged is sent all the same.
    let answer = |with| logged.map(|logged| drop(logged.send(with)));
    let headers = match parse(&out.headers) {
        Ok(headers) => headers,
        Err(error) => {
            answer(Err(error.into()));
            return Ok(());
        }
    };
    let frame = match shared.session.log(out.raw, out.about).await {
        Ok(frame) => frame,
        Err(lost) => {
            answer(Err(lost.clone().into()));
            return Err(lost);
        }
    };
    // It is set once: a message is logged once.
    let _ = out.seq.set(frame.seq());
    answer(Ok(frame.seq()));
    start(shared, frame, headers, out.abort).await;
    Ok(())
}

/// Starts the exchange of a message that is in the log.
async fn start(
    shared: &Arc<Shared>,
    frame: Recorded,
    headers: Vec<(HeaderName, HeaderValue)>,
    abort: CancellationToken,
) {
    let settles = frame.envelope().method.as_deref() == Some("notifications/initialized");
    let (begun, has_begun) = oneshot::channel();
    let post = Post {
        shared: Arc::clone(shared),
        frame,
        headers,
        abort,
        begun: Some(begun),
    };
    shared.exchanges.spawn(post.run());
    if settles {
        tokio::select! {
            // The sender is dropped when the server has taken it, or will not.
            _ = has_begun => {}
            () = shared.switch.ended() => {}
            () = tokio::time::sleep(SETTLE) => {}
        }
    }
}
