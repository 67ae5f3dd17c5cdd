//! Restarts a server when its files change: the session ends, and a new one that restarts it begins.

mod paths;
mod seen;

use std::path::PathBuf;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};
use uuid::Uuid;

pub use paths::{PathError, check};

use super::{ClientManager, Error, OpenOptions};
use crate::history::{ConnectionOptions, Server};
use crate::protocol::ServerConfig;
use crate::record::SessionId;
use paths::Place;
use seen::{Changed, Watcher};

/// A change so soon after the start may be the server's own doing.
const EARLY: Duration = Duration::from_secs(5);
/// So many of them in a row are taken for it.
const IN_A_ROW: u32 = 5;

/// How the files of a session's server are watched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watch {
    /// How many of the paths are watched.
    pub paths: usize,
    /// Why others are not, or none is any more.
    pub problem: Option<String>,
}

/// The watch over a server.
#[derive(Debug)]
pub(super) struct Watching {
    session: SessionId,
    shown: Watch,
    stop: CancellationToken,
    /// Its task has ended.
    done: CancellationToken,
}

impl ClientManager {
    /// How the files of this session's server are watched; none where they are not. It goes on when the server ends by
    /// itself: what comes next may mend it.
    pub fn watch(&self, session: SessionId) -> Option<Watch> {
        let watches = self.shared.watches.lock();
        let of_it = watches.values().find(|watch| watch.session == session);
        of_it.map(|watch| watch.shown.clone())
    }

    /// Begins to watch what a session's server is made of.
    pub(super) fn begin_watch(
        &self,
        server: Uuid,
        session: SessionId,
        options: OpenOptions,
        wanted: Wanted,
    ) {
        let (stop, done) = (CancellationToken::new(), CancellationToken::new());
        let watching = Watching {
            session,
            shown: Watch::default(),
            stop: stop.clone(),
            done: done.clone(),
        };
        self.shared.watches.lock().insert(server, watching);
        let follow = Follow {
            manager: self.clone(),
            server,
            session,
            options,
            opened: Instant::now(),
            early: 0,
            stop,
            _done: done.drop_guard(),
        };
        self.shared.tasks.spawn(follow.run(wanted));
    }

    /// Ends watches, and waits until none of them can open a session any more.
    pub(super) async fn unwatch(&self, which: impl Fn(Uuid, SessionId) -> bool) {
        let ended: Vec<_> = {
            let mut watches = self.shared.watches.lock();
            let gone = watches.extract_if(|server, watch| which(*server, watch.session));
            gone.map(|(_, watch)| watch).collect()
        };
        for watch in ended {
            watch.stop.cancel();
            watch.done.cancelled().await;
        }
    }
}

/// What is to be watched, as it stands in the catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    typed: Vec<String>,
    /// Where relative paths begin.
    base: PathBuf,
}

impl Wanted {
    /// None where nothing is.
    pub(super) fn of(server: &Server, kept: ConnectionOptions) -> Option<Self> {
        let folder = match &server.config {
            ServerConfig::Stdio { cwd, .. } => cwd.clone(),
            ServerConfig::StreamableHttp { .. } | ServerConfig::Sse { .. } => None,
        };
        let base = std::path::absolute(folder.unwrap_or_default())
            .or_else(|_| std::env::current_dir())
            .unwrap_or_default();
        (!kept.watch.is_empty()).then_some(Self {
            typed: kept.watch,
            base: base.canonicalize().unwrap_or(base),
        })
    }

    /// Begins; how many paths are watched, and what is not.
    fn start(&self) -> (Option<Watcher>, usize, Vec<String>) {
        let (mut places, mut problems) = (vec![], vec![]);
        for typed in &self.typed {
            match Place::of(typed, &self.base) {
                Ok(place) => places.push(place),
                Err(error) => problems.push(error.to_string()),
            }
        }
        if places.is_empty() {
            return (None, 0, problems);
        }
        let count = places.len();
        let (watcher, failed) = Watcher::start(places);
        problems.extend(failed);
        (watcher, count, problems)
    }
}

/// Follows the files of one server, from session to session.
struct Follow {
    manager: ClientManager,
    server: Uuid,
    /// The newest session.
    session: SessionId,
    options: OpenOptions,
    /// When that was opened.
    opened: Instant,
    /// Changes in a row that came soon after a start.
    early: u32,
    stop: CancellationToken,
    _done: DropGuard,
}

impl Follow {
    async fn run(mut self, mut wanted: Wanted) {
        let stop = self.stop.clone();
        while let Some(next) = self.watched(&wanted, &stop).await {
            wanted = next;
        }
        // What is still shown tells why nothing is watched any more; whoever stopped it has taken it away.
        if !stop.is_cancelled() && self.is_quiet() {
            self.manager.shared.watches.lock().remove(&self.server);
            self.tell();
        }
    }

    /// Restarts the server at each change, until other paths are wanted, or none.
    async fn watched(&mut self, wanted: &Wanted, stop: &CancellationToken) -> Option<Wanted> {
        let starting = wanted.clone();
        // Large folders take their time.
        let started = tokio::task::spawn_blocking(move || starting.start()).await;
        let (watcher, paths, problems) = started.ok()?;
        for problem in &problems {
            self.note(problem.clone()).await;
        }
        let mut problem = problems.into_iter().next();
        self.show(paths, problem.clone());
        let mut watcher = watcher?;
        loop {
            let changed = tokio::select! {
                changed = watcher.settled() => changed?,
                () = stop.cancelled() => return None,
            };
            if let Some(why) = &changed.problem {
                self.note(why.clone()).await;
                problem = Some(why.clone());
                self.show(paths, problem.clone());
            }
            if changed.is_empty() {
                continue;
            }
            let what = changed.words(&wanted.base);
            if self.is_loop(&changed) {
                self.give_up(&what).await;
                return None;
            }
            match self.restart(&what, &mut watcher).await {
                Ok(Some(now)) if now == *wanted => self.show(paths, problem.clone()),
                Ok(now) => return now,
                Err(error) => self.show(
                    paths,
                    Some(format!(
                        "{what}, and the server could not be restarted: {error}"
                    )),
                ),
            }
        }
    }

    /// Whether the server seems to write what it is watched for.
    fn is_loop(&mut self, changed: &Changed) -> bool {
        let early = changed.since.duration_since(self.opened) < EARLY;
        self.early = if early { self.early + 1 } else { 0 };
        self.early == IN_A_ROW
    }

    async fn give_up(&self, what: &str) {
        let text = format!(
            "{what}, for the {IN_A_ROW}th time in a row within {} s of the server's start: the server seems to write there itself, so it is not restarted and its files are not watched any more. Watch a path that it does not write to, then restart it",
            EARLY.as_secs()
        );
        self.note(text.clone()).await;
        self.show(0, Some(text));
    }

    /// Ends the session and opens the one that restarts it, with what stands in the catalogue now. What is wanted from then
    /// on; none where the server is not to be started any more.
    async fn restart(
        &mut self,
        what: &str,
        watcher: &mut Watcher,
    ) -> Result<Option<Wanted>, Error> {
        let history = self.manager.history();
        let server = history.server(&self.server.to_string()).await?;
        let Some(server) = server.filter(|server| !server.unconfirmed) else {
            return Ok(None);
        };
        let kept = history.connection_options(self.server).await?;
        let Some(wanted) = Wanted::of(&server, kept) else {
            return Ok(None);
        };
        let options = OpenOptions {
            previous: Some(self.session),
            roots: history.roots(self.server).await?,
            choice: history.client_choice(self.server).await?,
            ..self.options.clone()
        };
        self.note(format!("{what}: the server is restarted in a new session"))
            .await;
        self.manager.held(self.session)?.close().await;
        if self.stop.is_cancelled() {
            return Ok(None);
        }
        watcher.forget();
        self.opened = Instant::now();
        let why = format!("restarted, since {what}");
        let id = self.manager.open_as(&server, options, Some(why)).await?;
        self.session = id;
        if let Some(watching) = self.manager.shared.watches.lock().get_mut(&self.server) {
            watching.session = id;
        }
        if self.stop.is_cancelled() {
            self.manager.held(id)?.close().await;
        }
        Ok(Some(wanted))
    }

    async fn note(&self, text: String) {
        if let Ok(held) = self.manager.held(self.session) {
            held.note(text).await;
        }
    }

    fn show(&self, paths: usize, problem: Option<String>) {
        if let Some(watching) = self.manager.shared.watches.lock().get_mut(&self.server) {
            watching.shown = Watch { paths, problem };
        }
        self.tell();
    }

    fn is_quiet(&self) -> bool {
        let shown = self.manager.watch(self.session);
        shown.is_none_or(|shown| shown.problem.is_none())
    }

    fn tell(&self) {
        // Nobody may be listening.
        let _ = self.manager.shared.changes.send(self.session);
    }
}

#[cfg(test)]
mod tests;
