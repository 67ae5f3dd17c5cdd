//! The writer of the child's stdin: one message a line, each logged before it is written.

use tokio::io::AsyncWriteExt;
use tokio::process::ChildStdin;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::record::{EndReason, Event, NotRecording, Note, Recorded, Seq, StoppedBy};
use crate::transport::writer::{Ending, Job, Switch};
use crate::transport::{Ended, Inbound, Outbound, Session, TransportError};

/// Where it reports to.
pub(super) struct To {
    pub(super) session: Session,
    pub(super) inbound: mpsc::Sender<Inbound>,
    pub(super) switch: Switch,
}

/// Writes until it is told to stop or all writers are gone; then stdin is closed. What was queued before is still written
/// (a cancellation, say), as far as the server reads it.
pub(super) async fn write(
    stdin: ChildStdin,
    mut jobs: mpsc::Receiver<Job>,
    to: To,
    stop: CancellationToken,
) {
    let mut input = Input {
        stdin,
        to,
        stop,
        broken: false,
    };
    let stopped = input.stop.clone();
    let mut stopping = false;
    loop {
        let job = tokio::select! {
            biased;
            () = stopped.cancelled(), if !stopping => {
                stopping = true;
                jobs.close();
                continue;
            }
            job = jobs.recv() => job,
        };
        if stopping && input.broken {
            return;
        }
        let done = match job {
            None => return,
            Some(Job::Post(out)) => input.send(out, |_| ()).await,
            Some(Job::Relay(frame)) => input.put(&frame).await,
            Some(Job::Send(_, logged)) if logged.is_closed() => Ok(()),
            Some(Job::Send(out, logged)) => {
                let mut logged = Some(logged);
                let done = input.send(out, |seq| answer(&mut logged, Ok(seq))).await;
                if let Err(lost) = &done {
                    answer(&mut logged, Err(lost.clone().into()));
                }
                done
            }
        };
        if let Err(lost) = done {
            let text = Some(lost.to_string());
            return input.to.switch.end(Ending {
                by: StoppedBy::App,
                reason: EndReason::Failed,
                text,
            });
        }
    }
}

type Logged = tokio::sync::oneshot::Sender<Result<Seq, TransportError>>;

fn answer(logged: &mut Option<Logged>, with: Result<Seq, TransportError>) {
    if let Some(logged) = logged.take() {
        // The caller may have gone meanwhile; the message is sent all the same, since it is logged.
        let _ = logged.send(with);
    }
}

struct Input {
    stdin: ChildStdin,
    to: To,
    stop: CancellationToken,
    /// The server closed its end.
    broken: bool,
}

impl Input {
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
            self.put(&frame).await?;
            if end.is_none() {
                return Ok(());
            }
            bytes::Buf::advance(&mut rest, 1);
            if rest.is_empty() {
                return Ok(());
            }
        }
    }

    /// The only place that writes, and it takes nothing that is not logged.
    async fn put(&mut self, frame: &Recorded) -> Result<(), NotRecording> {
        let error = match frame.raw() {
            None => "the message is over the size that this app reads".to_owned(),
            Some(_) if self.broken => "the server has closed its input".to_owned(),
            Some(raw) => {
                let written = tokio::select! {
                    biased;
                    written = write_line(&mut self.stdin, raw) => written.map_err(|error| error.to_string()),
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

async fn write_line(stdin: &mut ChildStdin, raw: &[u8]) -> std::io::Result<()> {
    if raw.len() < 64 * 1024 {
        // One write, so that a server that reads chunks gets the whole line.
        let mut line = Vec::with_capacity(raw.len() + 1);
        line.extend_from_slice(raw);
        line.push(b'\n');
        stdin.write_all(&line).await?;
    } else {
        stdin.write_all(raw).await?;
        stdin.write_all(b"\n").await?;
    }
    stdin.flush().await
}
