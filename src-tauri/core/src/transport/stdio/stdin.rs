//! The writer of the child's stdin: one message a line, each logged before it is written.

use std::sync::Arc;

use futures_util::FutureExt as _;
use memchr::memchr;
use tokio::io::AsyncWriteExt;
use tokio::process::ChildStdin;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::record::{EndReason, Event, NotRecording, Note, Recorded, Seq, StoppedBy};
use crate::transport::writer::{Desk, Direct, Ending, Job, Switch};
use crate::transport::{Ended, Inbound, Outbound, Session, TransportError};

/// Where it reports to.
pub(super) struct To {
    pub(super) session: Session,
    pub(super) inbound: mpsc::Sender<Inbound>,
    pub(super) switch: Switch,
}

/// Size in bytes below which a message is written at once, with its line break.
const SHORT: usize = 64 * 1024;

/// Writes until it is told to stop or all writers are gone; then stdin is closed. What was queued before is still written
/// (a cancellation, say), as far as the server reads it.
pub(super) async fn write(
    desk: Arc<Desk<Input>>,
    mut jobs: mpsc::Receiver<Job>,
    stop: CancellationToken,
) {
    let mut stopping = false;
    loop {
        let next = tokio::select! {
            biased;
            () = stop.cancelled(), if !stopping => {
                stopping = true;
                jobs.close();
                continue;
            }
            next = desk.next(&mut jobs) => next,
        };
        let Some((job, mut input)) = next else { return };
        if stopping && input.broken {
            return;
        }
        let done = match job {
            Job::Post(out) => input.send(out, |_| ()).await,
            Job::Logged(frame, _, written) => input.put(&frame, written).await,
            Job::Send(_, logged) if logged.is_closed() => Ok(()),
            Job::Send(out, logged) => {
                let mut logged = Some(logged);
                let done = input.send(out, |seq| answer(&mut logged, Ok(seq))).await;
                if let Err(lost) = &done {
                    answer(&mut logged, Err(lost.clone().into()));
                }
                done
            }
        };
        if let Err(lost) = done {
            return input.lost(&lost);
        }
        desk.lay(input);
    }
}

impl Direct for Desk<Input> {
    fn send(
        self: Arc<Self>,
        jobs: &mpsc::Sender<Job>,
        out: &Outbound,
    ) -> Option<Result<Seq, TransportError>> {
        // Elsewhere a write is done by a thread in any case.
        if !cfg!(unix) || out.raw.len() >= SHORT || memchr(b'\n', &out.raw).is_some() {
            return None;
        }
        self.lend(jobs, |input, rest| {
            if input.broken {
                return None;
            }
            let logged = input.to.session.log(out.raw.clone(), out.about);
            let frame = match logged.now_or_never()? {
                Ok(frame) => frame,
                Err(lost) => {
                    input.lost(&lost);
                    return Some(Err(lost.into()));
                }
            };
            let seq = frame.seq();
            // It is set once: a message is logged once.
            let _ = out.seq.set(seq);
            let line = line(&out.raw);
            // What the pipe does not take now, the task waits for; why it takes nothing, the task will find as well.
            let write = input.stdin.write(&line).now_or_never();
            let written = write.and_then(Result::ok).unwrap_or(0);
            if written < line.len() {
                rest.send(Job::Logged(frame, Outbound::default(), written));
            }
            Some(Ok(seq))
        })
    }
}

type Logged = tokio::sync::oneshot::Sender<Result<Seq, TransportError>>;

fn answer(logged: &mut Option<Logged>, with: Result<Seq, TransportError>) {
    if let Some(logged) = logged.take() {
        // The caller may have gone meanwhile; the message is sent all the same, since it is logged.
        let _ = logged.send(with);
    }
}

/// The pipe and what belongs to it.
pub(super) struct Input {
    stdin: ChildStdin,
    to: To,
    stop: CancellationToken,
    /// The server closed its end.
    broken: bool,
}

impl Input {
    pub(super) fn new(stdin: ChildStdin, to: To, stop: CancellationToken) -> Self {
        Self {
            stdin,
            to,
            stop,
            broken: false,
        }
    }

    /// What is not recorded does not happen: the wire ends.
    fn lost(&self, lost: &NotRecording) {
        self.to.switch.end(Ending {
            by: StoppedBy::App,
            reason: EndReason::Failed,
            text: Some(lost.to_string()),
        });
    }

    /// Every line is a frame of its own: that is what the server will read.
    async fn send(
        &mut self,
        out: Outbound,
        mut logged: impl FnMut(Seq),
    ) -> Result<(), NotRecording> {
        let mut rest = out.raw;
        loop {
            let end = rest.iter().position(|byte| *byte == b'\n');
            let line = rest.split_to(end.unwrap_or(rest.len()));
            let frame = self.to.session.log(line, out.about).await?;
            // Only the first call counts: the message is known by its first line.
            let _ = out.seq.set(frame.seq());
            logged(frame.seq());
            self.put(&frame, 0).await?;
            if end.is_none() {
                return Ok(());
            }
            bytes::Buf::advance(&mut rest, 1);
            if rest.is_empty() {
                return Ok(());
            }
        }
    }

    /// Writes the line of a frame from this byte on. It takes nothing that is not logged.
    async fn put(&mut self, frame: &Recorded, from: usize) -> Result<(), NotRecording> {
        let error = match frame.raw() {
            None => "the message is over the size that this app reads".to_owned(),
            Some(_) if self.broken => "the server has closed its input".to_owned(),
            Some(raw) => {
                let written = tokio::select! {
                    biased;
                    written = write_line(&mut self.stdin, raw, from) => written.map_err(|error| error.to_string()),
                    () = self.stop.cancelled() => Err("the connection was closed before all of it was written".to_owned()),
                };
                match written {
                    Ok(()) => return Ok(()),
                    Err(error) => {
                        self.broken = true;
                        error
                    }
                }
            }
        };
        let Session { tap, conn, .. } = &self.to.session;
        tap.event(
            *conn,
            Event::Note(Note::WriteFailed { error }),
            None,
            Some(frame.seq()),
        )
        .await?;
        // Where nobody receives any more, nobody waits for the answer either.
        let _ = self
            .to
            .inbound
            .send(Inbound::Ended {
                via: frame.seq(),
                why: Ended::Unwritten,
            })
            .await;
        Ok(())
    }
}

/// One write, so that a server that reads chunks gets the whole line.
fn line(raw: &[u8]) -> Vec<u8> {
    let mut line = Vec::with_capacity(raw.len() + 1);
    line.extend_from_slice(raw);
    line.push(b'\n');
    line
}

async fn write_line(stdin: &mut ChildStdin, raw: &[u8], from: usize) -> std::io::Result<()> {
    if raw.len() < SHORT {
        stdin.write_all(&line(raw)[from..]).await?;
    } else {
        stdin.write_all(raw).await?;
        stdin.write_all(b"\n").await?;
    }
    stdin.flush().await
}
