//! A log in memory, for tests of what stands above the tap.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;
use tokio::sync::watch;
use tokio_util::task::TaskTracker;

use super::{Session, Waits};
use crate::protocol::{Direction, ServerConfig};
use crate::record::{
    Body, BodyId, Clock, Conn, Entry, EventKind, Flags, KnownSecrets, Record, Tap, log_channel,
};

/// How long a test waits for what must come.
pub(crate) const SOON: Duration = Duration::from_secs(20);

/// What has been logged, bodies together.
#[derive(Clone, Debug)]
pub(crate) struct Logged {
    pub(crate) record: Arc<Record>,
    pub(crate) body: Bytes,
}

impl Logged {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// `Some` with the body of a note, where it is that note.
    pub(crate) fn note(&self, name: &str) -> Option<Value> {
        let body = self.json();
        (self.record.event == EventKind::Note && body["note"] == name).then_some(body)
    }

    pub(crate) fn is(&self, direction: Direction) -> bool {
        self.record.event == EventKind::Frame && self.record.direction == Some(direction)
    }

    pub(crate) fn flag(&self, flag: Flags) -> bool {
        self.record.flags.has(flag)
    }
}

/// The log of a test.
#[derive(Debug)]
pub(crate) struct TestLog {
    pub(crate) tap: Tap,
    pub(crate) tasks: TaskTracker,
    seen: watch::Receiver<Vec<Logged>>,
}

impl TestLog {
    pub(crate) fn start() -> Self {
        Self::with_secrets(KnownSecrets::default())
    }

    pub(crate) fn with_secrets(secrets: KnownSecrets) -> Self {
        let (tap, mut receiver) = log_channel(Clock::start(), secrets);
        let (sender, seen) = watch::channel(vec![]);
        let tasks = TaskTracker::new();
        tasks.spawn(async move {
            let mut parts: BTreeMap<BodyId, Vec<u8>> = BTreeMap::new();
            let mut entries = vec![];
            while receiver.recv_many(&mut entries, 100).await > 0 {
                for entry in entries.drain(..) {
                    match entry {
                        Entry::Part { id, bytes, .. } => {
                            parts.entry(id).or_default().extend_from_slice(&bytes)
                        }
                        Entry::Record(record) => {
                            let body = match &record.body {
                                Body::Whole(bytes) => bytes.clone(),
                                Body::Parts { id, .. } => {
                                    parts.remove(id).unwrap_or_default().into()
                                }
                            };
                            let record = Arc::new(record);
                            sender.send_modify(|all: &mut Vec<Logged>| {
                                all.push(Logged { record, body })
                            });
                        }
                    }
                }
                drop(receiver.uncommitted());
            }
        });
        Self { tap, tasks, seen }
    }

    pub(crate) fn session(&self, waits: Waits) -> Session {
        Session {
            tap: self.tap.clone(),
            conn: Conn(0),
            tasks: self.tasks.clone(),
            waits,
            ca: None,
        }
    }

    pub(crate) fn all(&self) -> Vec<Logged> {
        self.seen.borrow().clone()
    }

    /// Waits until `found` finds something.
    pub(crate) async fn until<T>(&self, what: &str, found: impl Fn(&[Logged]) -> Option<T>) -> T {
        let mut seen = self.seen.clone();
        let wait = async {
            loop {
                if let Some(found) = found(&seen.borrow_and_update()) {
                    return found;
                }
                seen.changed()
                    .await
                    .expect("the log lives as long as the test");
            }
        };
        match tokio::time::timeout(SOON, wait).await {
            Ok(found) => found,
            Err(_) => panic!("waited in vain for {what}; the log: {:#?}", self.lines()),
        }
    }

    /// The log for people.
    pub(crate) fn lines(&self) -> Vec<String> {
        let line = |logged: &Logged| {
            let text: String = logged.text().chars().take(300).collect();
            format!(
                "#{} {:?} {:?} {text}",
                logged.record.seq, logged.record.event, logged.record.direction
            )
        };
        self.all().iter().map(line).collect()
    }
}

/// Waits that no test has to sit through.
pub(crate) fn short() -> Waits {
    let short = Duration::from_millis(300);
    Waits {
        stdin: short,
        term: short,
        kill: Duration::from_secs(5),
    }
}

/// A server that is a shell script.
pub(crate) fn script(text: &str) -> ServerConfig {
    ServerConfig::Stdio {
        command: "sh".to_owned(),
        args: vec!["-c".to_owned(), text.to_owned()],
        env: BTreeMap::new(),
        cwd: None,
    }
}
