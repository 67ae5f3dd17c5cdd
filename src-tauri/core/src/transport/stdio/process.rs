//! The end of a child: who ended it and how, and that nothing of its process group is left.

use std::process::ExitStatus;
use std::time::Duration;

use tokio::process::Child;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::stderr::Tail;
use crate::record::{Closed, EndReason, Event, StoppedBy};
use crate::transport::writer::{Ending, Switch};
use crate::transport::{CloseReason, Inbound, Session};

/// How often to look whether the rest of a process group is gone; nothing tells it.
const LOOK: Duration = Duration::from_millis(10);

/// What ends the tasks of a wire.
#[derive(Debug, Default)]
pub(super) struct Ends {
    /// Ends the writer, which closes stdin.
    pub(super) stop_writing: CancellationToken,
    /// Ends the readers as soon as their pipes are dry.
    pub(super) drain: CancellationToken,
}

/// The tasks of a wire.
#[derive(Debug)]
pub(super) struct Tasks {
    pub(super) stdout: JoinHandle<()>,
    pub(super) stderr: JoinHandle<()>,
    pub(super) stdin: JoinHandle<()>,
}

/// A running child and all that must end with it.
pub(super) struct Watched {
    pub(super) child: Child,
    pub(super) group: Group,
    pub(super) tasks: Tasks,
    pub(super) ends: Ends,
    pub(super) switch: Switch,
    pub(super) tail: Tail,
    pub(super) inbound: mpsc::Sender<Inbound>,
    pub(super) session: Session,
    pub(super) started: Instant,
}

/// What was seen first.
enum First {
    Exit(Option<ExitStatus>),
    Asked,
    /// The child closed its stdout, or the task that reads it failed; it has ended either way.
    Silent {
        failed: bool,
    },
}

impl Watched {
    /// Waits for the end, brings it about where asked to, and reports it as the last thing on the wire.
    pub(super) async fn until_gone(mut self) {
        let first = tokio::select! {
            biased;
            () = self.switch.ended() => First::Asked,
            status = self.child.wait() => First::Exit(status.ok()),
            read = &mut self.tasks.stdout => First::Silent { failed: read.is_err() },
        };
        self.ends.stop_writing.cancel();
        let (status, forced) = match first {
            First::Exit(status) => (status, false),
            First::Asked | First::Silent { .. } => self.shut_down().await,
        };
        self.clear_group().await;
        self.ends.drain.cancel();
        let mut internal = match first {
            First::Silent { failed } => failed,
            First::Exit(_) | First::Asked => (&mut self.tasks.stdout).await.is_err(),
        };
        internal |= (&mut self.tasks.stderr).await.is_err();
        internal |= (&mut self.tasks.stdin).await.is_err();
        let closed = self.closed(&first, status, forced, internal);
        let reason = CloseReason {
            closed,
            last_stderr: self.tail.text(),
        };
        // The receiver logs the end after what it has to say itself; where there is none any more, nobody else would.
        if self
            .inbound
            .send(Inbound::Closed(reason.clone()))
            .await
            .is_err()
        {
            let Session { tap, conn, .. } = &self.session;
            // Where the log has failed, everybody knows by now.
            let _ = tap
                .event(*conn, Event::Closed(reason.closed), None, None)
                .await;
        }
    }

    /// stdin is closed by now: wait, `SIGTERM`, wait, `SIGKILL` (basic/lifecycle › Shutdown). Tells whether it was forced.
    async fn shut_down(&mut self) -> (Option<ExitStatus>, bool) {
        if let Ok(status) = timeout(self.session.waits.stdin, self.child.wait()).await {
            return (status.ok(), false);
        }
        self.group.terminate();
        if let Ok(status) = timeout(self.session.waits.term, self.child.wait()).await {
            return (status.ok(), true);
        }
        self.group.kill();
        // Also where there are no process groups.
        let _ = self.child.start_kill();
        let status = timeout(self.session.waits.kill, self.child.wait()).await;
        (status.ok().and_then(Result::ok), true)
    }

    /// Ends what the child started and left behind.
    async fn clear_group(&mut self) {
        for (signal, wait) in [
            (Group::terminate as fn(&Group), self.session.waits.term),
            (Group::kill, self.session.waits.kill),
        ] {
            if self.group.is_gone() {
                return;
            }
            signal(&self.group);
            let _ = timeout(wait, async {
                while !self.group.is_gone() {
                    tokio::time::sleep(LOOK).await;
                }
            })
            .await;
        }
    }

    fn closed(
        &self,
        first: &First,
        status: Option<ExitStatus>,
        forced: bool,
        internal: bool,
    ) -> Closed {
        let lived_us = i64::try_from(self.started.elapsed().as_micros()).unwrap_or(i64::MAX);
        let asked = match first {
            First::Asked => self.switch.why().cloned(),
            First::Exit(_) | First::Silent { .. } => None,
        };
        let failed = internal.then(|| Ending {
            by: StoppedBy::App,
            reason: EndReason::Internal,
            text: Some("this app failed while it read from the server".to_owned()),
        });
        let Ending { by, reason, text } = failed.or(asked).unwrap_or_else(|| match forced {
            false => Ending {
                by: StoppedBy::Server,
                reason: EndReason::Exited,
                text: None,
            },
            true => Ending {
                by: StoppedBy::Server,
                reason: EndReason::StreamEnded,
                text: Some(
                    "the server closed its stdout and did not exit; this app ended it".to_owned(),
                ),
            },
        });
        let (code, signal) =
            status.map_or((None, None), |status| (status.code(), signal_name(status)));
        Closed {
            reason,
            by,
            code,
            signal,
            text,
            lived_us,
        }
    }
}

/// The process group of a child; the child is its leader.
#[derive(Debug)]
pub(super) struct Group {
    #[cfg(unix)]
    leader: Option<rustix::process::Pid>,
}

#[cfg(unix)]
impl Group {
    pub(super) fn of(child: &Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        Self {
            leader: id.and_then(rustix::process::Pid::from_raw),
        }
    }

    fn signal(&self, signal: rustix::process::Signal) {
        if let Some(leader) = self.leader {
            // It fails only where nobody is left, which is what is wanted.
            let _ = rustix::process::kill_process_group(leader, signal);
        }
    }

    fn terminate(&self) {
        self.signal(rustix::process::Signal::TERM);
    }

    fn kill(&self) {
        self.signal(rustix::process::Signal::KILL);
    }

    /// Once gone it is never signalled again: the number may be given to somebody else.
    fn is_gone(&mut self) -> bool {
        let alive = |leader: &_| rustix::process::test_kill_process_group(*leader).is_ok();
        self.leader = self.leader.filter(alive);
        self.leader.is_none()
    }
}

/// Where the task that watches the child is dropped with its runtime, nothing of the group may outlive it either.
impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(not(unix))]
impl Group {
    pub(super) fn of(_child: &Child) -> Self {
        Self {}
    }

    fn terminate(&self) {}

    fn kill(&self) {}

    fn is_gone(&mut self) -> bool {
        true
    }
}

#[cfg(unix)]
fn signal_name(status: ExitStatus) -> Option<String> {
    use rustix::process::Signal;
    let number = std::os::unix::process::ExitStatusExt::signal(&status)?;
    let name = match Signal::from_named_raw(number) {
        Some(Signal::HUP) => "SIGHUP",
        Some(Signal::INT) => "SIGINT",
        Some(Signal::QUIT) => "SIGQUIT",
        Some(Signal::ILL) => "SIGILL",
        Some(Signal::TRAP) => "SIGTRAP",
        Some(Signal::ABORT) => "SIGABRT",
        Some(Signal::BUS) => "SIGBUS",
        Some(Signal::FPE) => "SIGFPE",
        Some(Signal::KILL) => "SIGKILL",
        Some(Signal::SEGV) => "SIGSEGV",
        Some(Signal::PIPE) => "SIGPIPE",
        Some(Signal::ALARM) => "SIGALRM",
        Some(Signal::TERM) => "SIGTERM",
        Some(Signal::XCPU) => "SIGXCPU",
        Some(Signal::XFSZ) => "SIGXFSZ",
        Some(Signal::SYS) => "SIGSYS",
        _ => return Some(format!("signal {number}")),
    };
    Some(name.to_owned())
}

#[cfg(not(unix))]
fn signal_name(_status: ExitStatus) -> Option<String> {
    None
}
