//! The writer task: logs messages in the order in which they were given, and starts an exchange for each. Where nothing is
//! queued, a caller does it itself.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use reqwest::header::{HeaderName, HeaderValue};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::Shared;
use super::endpoint::parse;
use super::post::Post;
use crate::record::{NotRecording, Recorded, Seq};
use crate::transport::writer::{Direct, Ending, Job};
use crate::transport::{Outbound, TransportError};

/// How long the messages after `notifications/initialized` wait for the server to take it: POSTs overtake each other, and
/// many servers refuse what comes before it.
const SETTLE: Duration = Duration::from_secs(10);
/// Size in bytes below which a message is logged in its caller's task.
const SHORT: usize = 64 * 1024;

/// Runs until the wire is to end or all writers are gone. From then on nothing is started any more.
pub(super) async fn run(shared: &Arc<Shared>, mut jobs: mpsc::Receiver<Job>) {
    loop {
        let next = tokio::select! {
            biased;
            () = shared.switch.ended() => break,
            next = shared.desk.next(&mut jobs) => next,
        };
        let Some((job, ())) = next else {
            shared.switch.end(Ending {
                by: crate::record::StoppedBy::App,
                reason: crate::record::EndReason::Closed,
                text: None,
            });
            break;
        };
        let done = match job {
            Job::Logged(frame, out, _) => {
                start_of(shared, frame, &out).await;
                Ok(())
            }
            Job::Post(out) => send(shared, out, None).await,
            Job::Send(_, logged) if logged.is_closed() => Ok(()),
            Job::Send(out, logged) => send(shared, out, Some(logged)).await,
        };
        if let Err(lost) = done {
            shared.lost(&lost);
        }
        shared.desk.lay(());
    }
    shared.desk.clear();
}

impl Direct for Shared {
    fn send(
        self: Arc<Self>,
        jobs: &mpsc::Sender<Job>,
        out: &Outbound,
    ) -> Option<Result<Seq, TransportError>> {
        if out.raw.len() >= SHORT {
            return None;
        }
        let headers = parse(&out.headers).ok()?;
        self.desk.lend(jobs, |(), rest| {
            let logged = self.session.log(out.raw.clone(), out.about);
            let frame = match logged.now_or_never()? {
                Ok(frame) => frame,
                Err(lost) => {
                    self.lost(&lost);
                    return Some(Err(lost.into()));
                }
            };
            let seq = frame.seq();
            // It is set once: a message is logged once.
            let _ = out.seq.set(seq);
            if settles(&frame) {
                rest.send(Job::Logged(frame, out.clone(), 0));
            } else {
                start(&self, frame, headers, out.abort.clone());
            }
            Some(Ok(seq))
        })
    }
}

type Logged = oneshot::Sender<Result<Seq, TransportError>>;

async fn send(
    shared: &Arc<Shared>,
    out: Outbound,
    logged: Option<Logged>,
) -> Result<(), NotRecording> {
    // Whoever asked may have gone meanwhile; what is logged is sent all the same.
    let answer = |with| logged.map(|logged| drop(logged.send(with)));
    if let Err(error) = parse(&out.headers) {
        answer(Err(error.into()));
        return Ok(());
    }
    let frame = match shared.session.log(out.raw.clone(), out.about).await {
        Ok(frame) => frame,
        Err(lost) => {
            answer(Err(lost.clone().into()));
            return Err(lost);
        }
    };
    // It is set once: a message is logged once.
    let _ = out.seq.set(frame.seq());
    answer(Ok(frame.seq()));
    start_of(shared, frame, &out).await;
    Ok(())
}

/// Starts the exchange of a message whose headers are good; after the one that settles, waits until it has settled.
async fn start_of(shared: &Arc<Shared>, frame: Recorded, out: &Outbound) {
    let settles = settles(&frame);
    let headers = parse(&out.headers).unwrap_or_default();
    let has_begun = start(shared, frame, headers, out.abort.clone());
    if settles {
        tokio::select! {
            // The sender is dropped when the server has taken it, or will not.
            _ = has_begun => {}
            () = shared.switch.ended() => {}
            () = tokio::time::sleep(SETTLE) => {}
        }
    }
}

/// Whether what follows has to wait for it.
fn settles(frame: &Recorded) -> bool {
    frame.envelope().method.as_deref() == Some("notifications/initialized")
}

/// Starts the exchange of a message that is in the log.
fn start(
    shared: &Arc<Shared>,
    frame: Recorded,
    headers: Vec<(HeaderName, HeaderValue)>,
    abort: CancellationToken,
) -> oneshot::Receiver<()> {
    let (begun, has_begun) = oneshot::channel();
    let post = Post {
        shared: Arc::clone(shared),
        frame,
        headers,
        abort,
        begun: Some(begun),
    };
    // Boxed, since a task's future is moved several times. Its caller may stand outside of the runtime.
    let run = Box::pin(post.run());
    shared.exchanges.spawn_on(run, &shared.runtime);
    has_begun
}
