//! The life of one session: connecting, being used, ending, and its last record.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{broadcast, watch};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use super::{Error, Live, State, lists};
use crate::auth::{self, Authorizer, Browser, Credentials};
use crate::client::{Answers, Client, ClientError, Connect, Patience};
use crate::history::Recording;
use crate::protocol::{AuthChoice, ClientChoice, Era, EraChoice, Root, ServerConfig};
use crate::record::{Clock, Conn, Event, NotRecording, Note, SessionId, StoppedBy, Tap};
use crate::transport::{Anonymous, Authorize, Waits, Web};

/// How often in a row a lost connection is made again.
const ATTEMPTS: u32 = 6;
/// How long to wait before the first time; each later one waits twice as long.
const PAUSE: Duration = Duration::from_millis(500);

/// A connection that held for so long was a good one: the count begins anew after it.
const STEADY: Duration = Duration::from_secs(60);

/// Counts how often a lost connection was made again, so that a server that ends again and again is left alone in the end.
#[derive(Debug, Default)]
struct Attempts(u32);

impl Attempts {
    /// A connection was lost that had held for this time.
    fn lost_after(&mut self, held: Duration) {
        if held >= STEADY {
            self.0 = 0;
        }
    }

    /// The next attempt and the pause before it; none where there were enough.
    fn next(&mut self) -> Option<(u32, Duration)> {
        if self.0 == ATTEMPTS {
            return None;
        }
        let pause = PAUSE * 2_u32.pow(self.0);
        self.0 += 1;
        Some((self.0, pause))
    }
}

/// How to connect.
pub(super) struct Plan {
    /// With values in place of references.
    pub(super) config: ServerConfig,
    pub(super) era: EraChoice,
    /// The server is known to end at `server/discover`.
    pub(super) no_probe: bool,
    /// Told when that turns out to be so, or not to be so any more.
    pub(super) learn: Box<dyn Fn(bool) + Send + Sync>,
    pub(super) forced: bool,
    pub(super) ca: Option<PathBuf>,
    pub(super) auth: Auth,
    pub(super) reconnect: bool,
    pub(super) follow_lists: bool,
    pub(super) answers: Answers,
    pub(super) roots: Vec<Root>,
    pub(super) choice: ClientChoice,
    pub(super) timeout: Duration,
    pub(super) total: Duration,
    pub(super) patience: Patience,
    /// Why this app opens it by itself.
    pub(super) why: Option<String>,
}

/// How to sign in.
pub(super) struct Auth {
    /// With values in place of references.
    pub(super) choice: AuthChoice,
    pub(super) credentials: Credentials,
    pub(super) browser: Option<Arc<dyn Browser>>,
}

impl Plan {
    /// Who supplies the credentials of this session.
    fn authorize(&self, tap: &Tap) -> Arc<dyn Authorize> {
        let (ServerConfig::StreamableHttp { url, headers } | ServerConfig::Sse { url, headers }) =
            &self.config
        else {
            return Arc::new(Anonymous);
        };
        let plan = auth::Plan {
            server: url.clone(),
            headers: headers.clone(),
            choice: self.auth.choice.clone(),
            ..auth::Plan::default()
        };
        let log = Some((tap.clone(), Conn::default()));
        let web = Web::new(log, tap.known_secrets(), self.ca.clone());
        let (credentials, browser) = (self.auth.credentials.clone(), self.auth.browser.clone());
        Arc::new(Authorizer::new(
            plan,
            credentials,
            web,
            tap.clone(),
            browser,
        ))
    }
}

/// A session of this process, live or ended.
pub(super) struct Held {
    id: SessionId,
    server: Option<Uuid>,
    server_name: String,
    state: watch::Sender<State>,
    client: Mutex<Option<Client>>,
    /// Its log, while it is written.
    tap: Mutex<Option<Tap>>,
    waits: Waits,
    /// The user wants it to end.
    stop: CancellationToken,
    /// It has ended and all of it is stored.
    done: CancellationToken,
    changes: broadcast::Sender<SessionId>,
}

impl Held {
    pub(super) fn new(
        id: SessionId,
        server: Option<Uuid>,
        server_name: String,
        waits: Waits,
        changes: broadcast::Sender<SessionId>,
    ) -> Self {
        let state = watch::Sender::new(State::Connecting {
            step: "starting".to_owned(),
        });
        let (stop, done) = (CancellationToken::new(), CancellationToken::new());
        Self {
            id,
            server,
            server_name,
            state,
            client: Mutex::default(),
            tap: Mutex::default(),
            waits,
            stop,
            done,
            changes,
        }
    }

    pub(super) fn live(&self) -> Live {
        Live {
            id: self.id,
            server: self.server,
            server_name: self.server_name.clone(),
            state: self.state.borrow().clone(),
        }
    }

    pub(super) fn client(&self) -> Option<Client> {
        self.client.lock().clone()
    }

    pub(super) async fn connected(&self) -> Result<Client, Error> {
        let mut state = self.state.subscribe();
        let settled = state
            .wait_for(|state| !matches!(state, State::Connecting { .. } | State::Closing { .. }))
            .await;
        let settled = settled
            .map(|state| state.clone())
            .map_err(|_| Error::Internal)?;
        match settled {
            State::Connected { .. } => self.client().ok_or(Error::Internal),
            State::Failed { error } => Err(Error::Failed(error)),
            State::Closed { reason } => Err(Error::Closed(reason)),
            State::NotRecording(lost) => Err(lost.into()),
            State::Connecting { .. } | State::Closing { .. } => Err(Error::Internal),
        }
    }

    pub(super) async fn close(&self) {
        self.stop.cancel();
        self.set(State::Closing {
            since_us: Clock::start().now_us(),
        });
        self.done.cancelled().await;
    }

    /// Its log is written from now on.
    pub(super) fn begin(&self, recording: &Recording) {
        *self.tap.lock() = Some(recording.tap.clone());
    }

    /// Notes what came of watching the server's files, where its log is still written.
    pub(super) async fn note(&self, text: String) {
        let tap = self.tap.lock().clone();
        let conn = self.client().map_or(Conn(0), |client| client.conn());
        if let Some(tap) = tap {
            let note = Event::Note(Note::Watch { text });
            // Where it cannot be written, the session says so itself.
            let _ = tap.event(conn, note, None, None).await;
        }
    }

    /// How long its server may take to end.
    pub(super) fn closing_time(&self) -> Duration {
        self.waits.stdin + self.waits.term + self.waits.kill
    }

    /// It could not be stored, and so is not begun.
    pub(super) fn give_up(&self) {
        self.done.cancel();
    }

    fn set(&self, state: State) {
        self.state.send_modify(|now| {
            // What is being ended is not on its way any more, whatever its task still tells; what has ended stays so.
            let closing = matches!(state, State::Closing { .. });
            let over = !now.is_live() || (matches!(now, State::Closing { .. }) && state.is_live());
            if !(over && (closing || state.is_live())) {
                *now = state;
            }
        });
        // Nobody may be listening.
        let _ = self.changes.send(self.id);
    }

    /// From the first step to the last record. Where the work fails, only this session ends.
    pub(super) fn run(
        self: &Arc<Self>,
        plan: Plan,
        recording: Recording,
    ) -> impl Future<Output = ()> + use<> {
        let held = Arc::clone(self);
        async move {
            if let Some(why) = plan.why.clone() {
                held.note(why).await;
            }
            let tasks = TaskTracker::new();
            let work = tasks.spawn(Arc::clone(&held).work(plan, &recording, tasks.clone()));
            let last = match work.await {
                Ok(state) => state,
                Err(_) => State::Failed {
                    error: Arc::new(Error::Internal),
                },
            };
            // After a failure of ours the wire may still be open.
            held.stop.cancel();
            held.client.lock().take();
            held.tap.lock().take();
            tasks.close();
            tasks.wait().await;
            let lost = recording.loss().borrow().clone();
            held.set(lost.map_or(last, State::NotRecording));
            if let Err(error) = recording.finish().await {
                tracing::warn!("session {} was not ended properly: {error}", held.id);
            }
            held.done.cancel();
            let _ = held.changes.send(held.id);
        }
    }

    /// Connects, stays with the connection until it has ended, and tells how it ended.
    fn work(
        self: Arc<Self>,
        plan: Plan,
        recording: &Recording,
        tasks: TaskTracker,
    ) -> impl Future<Output = State> + use<> {
        let (tap, clock, loss) = (recording.tap.clone(), recording.clock(), recording.loss());
        async move {
            let helpers = tasks.clone();
            let authorize = plan.authorize(&tap);
            let reporter = Arc::clone(&self);
            let connect = Connect {
                patience: plan.patience,
                config: plan.config,
                tap,
                era: plan.era,
                no_probe: plan.no_probe,
                forced: plan.forced,
                answers: plan.answers,
                roots: plan.roots,
                choice: plan.choice,
                timeout: plan.timeout,
                total: plan.total,
                waits: self.waits,
                ca: plan.ca,
                authorize,
                tasks,
                stop: self.stop.clone(),
                step: Box::new(move |step| reporter.set(State::Connecting { step })),
            };
            let client = match connect.run().await {
                Ok(client) => client,
                Err(ClientError::Closed { reason, .. }) if reason.closed.by == StoppedBy::User => {
                    return State::Closed { reason };
                }
                Err(error) => {
                    return State::Failed {
                        error: Arc::new(error.into()),
                    };
                }
            };
            if client.ended_at_probe() {
                (plan.learn)(true);
            } else if plan.no_probe && client.negotiated().era == Era::Modern {
                (plan.learn)(false);
            }
            *self.client.lock() = Some(client.clone());
            self.set(State::Connected {
                negotiated: client.negotiated(),
                since_us: clock.now_us(),
            });
            if plan.follow_lists {
                helpers.spawn(lists::follow(client.clone(), self.stop.clone()));
            }
            let mut attempts = Attempts::default();
            loop {
                let since = Instant::now();
                let reason = tokio::select! {
                    reason = client.gone() => reason,
                    lost = lost(loss.clone()) => {
                        client.close(StoppedBy::App, Some(lost.to_string()));
                        client.gone().await
                    }
                };
                attempts.lost_after(since.elapsed());
                let again = plan.reconnect && reason.closed.by == StoppedBy::Server;
                if !again || !self.reconnected(&client, &mut attempts).await {
                    return State::Closed { reason };
                }
                self.set(State::Connected {
                    negotiated: client.negotiated(),
                    since_us: clock.now_us(),
                });
            }
        }
    }

    /// Connects again, with growing pauses. False where it is given up, or the user wants no more of it.
    async fn reconnected(&self, client: &Client, attempts: &mut Attempts) -> bool {
        while let Some((attempt, pause)) = attempts.next() {
            let step = format!("connecting again, attempt {attempt} of {ATTEMPTS}");
            self.set(State::Connecting { step });
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = self.stop.cancelled() => return false,
            }
            match client.reconnect().await {
                Ok(()) => return true,
                Err(error) => tracing::debug!("session {}: {error}", self.id),
            }
        }
        false
    }
}

/// Waits until the log cannot be written any more.
async fn lost(mut loss: watch::Receiver<Option<NotRecording>>) -> NotRecording {
    let found = loss
        .wait_for(Option::is_some)
        .await
        .map(|loss| loss.clone());
    match found {
        Ok(Some(lost)) => lost,
        // The recorder has gone without a loss.
        Ok(None) | Err(_) => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_ends_again_and_again_is_left_alone() {
        let mut attempts = Attempts::default();
        let mut pauses = vec![];
        while let Some((attempt, pause)) = attempts.next() {
            pauses.push((attempt, pause.as_millis()));
            attempts.lost_after(Duration::from_secs(1));
        }
        let all = [
            (1, 500),
            (2, 1000),
            (3, 2000),
            (4, 4000),
            (5, 8000),
            (6, 16_000),
        ];
        assert_eq!(pauses, all);
        attempts.lost_after(STEADY);
        assert_eq!(attempts.next(), Some((1, PAUSE)), "it was well meanwhile");
    }
}
