//! A client on the fault server over HTTP, with a log in memory that is held against what the server saw.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use framescope_core::client::{Answers, Client, ClientError, Connect, Draft, Outcome, Patience};
use framescope_core::protocol::{Direction, EraChoice, ServerConfig};
use framescope_core::record::{
    Body, Clock, Entry, Event, EventKind, HttpEvent, HttpPhase, KnownSecrets, LogReceiver, Record,
    Seq, log_channel,
};
use framescope_core::transport::{Anonymous, Waits};
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// What must come comes within this time, also on a busy machine.
pub(crate) const SOON: Duration = Duration::from_secs(60);

/// Waits for what must come.
pub(crate) async fn soon<T>(what: &str, wait: impl Future<Output = T>) -> T {
    match tokio::time::timeout(SOON, wait).await {
        Ok(came) => came,
        Err(_) => panic!("waited in vain for {what}"),
    }
}

/// A running fault server.
pub(crate) struct Server {
    child: Child,
    dir: TempDir,
    pub(crate) url: String,
}

impl Server {
    pub(crate) fn start(scenario: &[&str]) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let mut child = Command::new(env!("CARGO_BIN_EXE_fault-server"))
            .arg("--wrote")
            .arg(dir.path().join("wrote"))
            .arg("--read")
            .arg(dir.path().join("read"))
            .arg("http")
            .args(scenario)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the fault server starts");
        let mut url = String::new();
        let stdout = child.stdout.take().expect("its stdout");
        BufReader::new(stdout).read_line(&mut url).expect("its URL");
        Self {
            child,
            dir,
            url: url.trim().to_owned(),
        }
    }

    /// Ends it; what it read, and its folder.
    pub(crate) fn end(mut self) -> (Vec<Value>, TempDir) {
        drop(self.child.stdin.take());
        self.child.wait().expect("it ends with its stdin");
        let read = std::fs::read_to_string(self.dir.path().join("read")).expect("what it read");
        let lines = read
            .lines()
            .map(|line| serde_json::from_str(line).expect("a line of JSON"));
        (lines.collect(), self.dir)
    }
}

/// How to connect.
#[derive(Clone, Debug)]
pub(crate) struct How {
    pub(crate) era: EraChoice,
    pub(crate) timeout: Duration,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) forced: bool,
    /// HTTP+SSE of 2024-11-05.
    pub(crate) sse: bool,
    pub(crate) ca: Option<std::path::PathBuf>,
    pub(crate) answers: Answers,
}

impl Default for How {
    fn default() -> Self {
        Self {
            era: EraChoice::Auto,
            timeout: SOON,
            headers: vec![],
            forced: false,
            sse: false,
            ca: None,
            answers: Answers::Refuse,
        }
    }
}

/// A record with all of its body.
pub(crate) struct Logged {
    pub(crate) record: Record,
    pub(crate) body: Bytes,
}

impl Logged {
    pub(crate) fn http(&self) -> Option<HttpEvent> {
        match Event::of(&self.record) {
            Some(Event::Http(http)) => Some(http),
            _ => None,
        }
    }

    pub(crate) fn is_frame(&self, direction: Direction) -> bool {
        self.record.event == EventKind::Frame && self.record.direction == Some(direction)
    }
}

/// What a session left behind.
pub(crate) struct Log {
    pub(crate) records: Vec<Arc<Logged>>,
    /// What the server read.
    pub(crate) read: Vec<Value>,
    dir: Option<TempDir>,
}

/// The log while it grows.
#[derive(Clone)]
pub(crate) struct Seen(watch::Receiver<Vec<Arc<Logged>>>);

impl Seen {
    /// Waits until this holds of what is logged.
    pub(crate) async fn until(&mut self, what: &str, holds: impl Fn(&[Arc<Logged>]) -> bool) {
        soon(what, self.0.wait_for(|records| holds(records)))
            .await
            .expect("the log lives as long as the session");
    }
}

/// Connects to a scenario, does something, ends it, and gives what came of it and the log.
pub(crate) async fn session<T>(
    scenario: &[&str],
    how: How,
    work: impl AsyncFnOnce(&Client, Seen) -> T,
) -> (Result<T, ClientError>, Log) {
    let server = Server::start(scenario);
    let (url, headers) = (server.url.clone(), how.headers.clone());
    let config = if how.sse {
        ServerConfig::Sse { url, headers }
    } else {
        ServerConfig::StreamableHttp { url, headers }
    };
    let (done, records) = client(config, how, work).await;
    let (read, dir) = server.end();
    (
        done,
        Log {
            records,
            read,
            dir: Some(dir),
        },
    )
}

/// The same with any server.
pub(crate) async fn client<T>(
    config: ServerConfig,
    how: How,
    work: impl AsyncFnOnce(&Client, Seen) -> T,
) -> (Result<T, ClientError>, Vec<Arc<Logged>>) {
    let (tap, receiver) = log_channel(Clock::start(), KnownSecrets::default());
    let (grows, seen) = watch::channel(vec![]);
    let log = tokio::task::JoinSet::from_iter([collect(receiver, grows)]);
    let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
    let connect = Connect {
        config,
        tap,
        era: how.era,
        no_probe: false,
        forced: how.forced,
        roots: vec![],
        choice: Default::default(),
        answers: how.answers,
        timeout: how.timeout,
        total: Draft::TOTAL,
        patience: Patience {
            from_output: SOON,
            from_start: SOON,
        },
        waits: Waits {
            stdin: Duration::from_secs(5),
            ..Waits::default()
        },
        ca: how.ca,
        authorize: Arc::new(Anonymous),
        tasks: tasks.clone(),
        stop: stop.clone(),
        step: Box::new(|_| {}),
    };
    let done = match soon("the handshake", connect.run()).await {
        Ok(client) => {
            let done = work(&client, Seen(seen.clone())).await;
            stop.cancel();
            soon("the end", client.gone()).await;
            Ok(done)
        }
        Err(error) => Err(error),
    };
    tasks.close();
    soon("all tasks", tasks.wait()).await;
    soon("the log", log.join_all()).await;
    let records = seen.borrow().clone();
    (done, records)
}

async fn collect(mut receiver: LogReceiver, grows: watch::Sender<Vec<Arc<Logged>>>) {
    let mut entries = vec![];
    let mut parts: std::collections::HashMap<u64, Vec<u8>> = std::collections::HashMap::new();
    while receiver.recv_many(&mut entries, 1000).await > 0 {
        for entry in entries.drain(..) {
            match entry {
                Entry::Part { id, bytes, .. } => {
                    parts.entry(id.0).or_default().extend_from_slice(&bytes)
                }
                Entry::Record(record) => {
                    let body = match &record.body {
                        Body::Whole(bytes) => bytes.clone(),
                        Body::Parts { id, .. } => parts.remove(&id.0).unwrap_or_default().into(),
                    };
                    let logged = Arc::new(Logged { record, body });
                    grows.send_modify(|all| all.push(logged));
                }
            }
        }
        drop(receiver.uncommitted());
    }
}

/// A call of the fault server's tool.
pub(crate) fn call() -> Draft {
    Draft::new(
        "tools/call",
        Some(r#"{"name":"fault","arguments":{}}"#.to_owned()),
    )
}

/// Calls the tool and tells what came of it.
pub(crate) async fn called(client: &Client) -> Outcome {
    let call = soon("the call to be sent", client.call(&call()))
        .await
        .expect("the call is sent");
    soon("the outcome", call.outcome()).await
}

/// An outcome in words.
pub(crate) fn words(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Reply {
            reply: Ok(result), ..
        } => format!("result {}", result.get()),
        Outcome::Reply {
            reply: Err(error), ..
        } => format!("error {}", error.raw.get()),
        Outcome::TimedOut { .. } => "timed out".to_owned(),
        Outcome::Cancelled => "cancelled".to_owned(),
        Outcome::Closed(_) => "closed".to_owned(),
        Outcome::Failed(error) => format!("failed: {error}"),
        Outcome::OverLimit { .. } => "over limit".to_owned(),
    }
}

impl Log {
    /// The `Http` records of a phase.
    pub(crate) fn http(&self, phase: HttpPhase) -> impl Iterator<Item = (&Record, HttpEvent)> {
        self.records
            .iter()
            .filter_map(|logged| Some((&logged.record, logged.http()?)))
            .filter(move |(_, http)| http.phase == phase)
    }

    /// The notes of a kind, with the record that each is about.
    pub(crate) fn notes(&self, name: &str) -> Vec<(Option<Seq>, Value)> {
        let notes = self.records.iter().filter_map(|logged| {
            let body: Value = serde_json::from_slice(&logged.body).ok()?;
            let this = logged.record.event == EventKind::Note && body["note"] == name;
            this.then_some((logged.record.about, body))
        });
        notes.collect()
    }

    /// Methods of the messages that we sent, as `conn:id method`.
    pub(crate) fn sent(&self) -> Vec<String> {
        let frames = self
            .records
            .iter()
            .filter(|logged| logged.is_frame(Direction::ClientToServer));
        let word = |logged: &Arc<Logged>| {
            let message: Value = serde_json::from_slice(&logged.body).expect("JSON");
            let id = message.get("id").map_or("-".to_owned(), Value::to_string);
            let method = message["method"].as_str().unwrap_or("(answer)");
            format!("{}:{id} {method}", logged.record.conn.0)
        };
        frames.map(word).collect()
    }

    /// The lines that the server wrote for requests with this HTTP method.
    pub(crate) fn requests(&self, method: &str) -> Vec<&Value> {
        self.read
            .iter()
            .filter(|line| line["method"] == method)
            .collect()
    }

    /// Numbers have no gap; every exchange has a request and an end, and the response between them where one came.
    pub(crate) fn is_linked(&self) {
        for (at, logged) in self.records.iter().enumerate() {
            assert_eq!(logged.record.seq, Seq(at as u64 + 1), "{self}");
        }
        for (request, http) in self.http(HttpPhase::Request) {
            let via = request.via.unwrap_or(request.seq);
            let carried = |phase| {
                self.http(phase)
                    .filter(move |(record, _)| record.via == Some(via))
            };
            let ends: Vec<_> = carried(HttpPhase::End).collect();
            assert_eq!(
                ends.len(),
                1,
                "{} #{} ends once\n{self}",
                http.method.unwrap_or_default(),
                request.seq
            );
            assert!(
                carried(HttpPhase::Response).count() <= 1,
                "#{}\n{self}",
                request.seq
            );
            let last = self.records.iter().rfind(|logged| {
                logged.record.via == Some(via)
                    && logged.record.direction == Some(Direction::ServerToClient)
            });
            assert_eq!(
                last.map(|last| last.record.seq),
                Some(ends[0].0.seq),
                "nothing follows the end\n{self}"
            );
        }
    }

    /// Joining what was recorded of each answer to a POST gives back the entity that the server wrote. An exchange that this
    /// side ended may lack the rest.
    pub(crate) fn holds_every_byte(&self) {
        self.is_linked();
        let dir = self.dir.as_ref().expect("a fault server");
        let mut posts: Vec<_> = self.requests("POST");
        for logged in self
            .records
            .iter()
            .filter(|logged| logged.is_frame(Direction::ClientToServer))
        {
            let sent = String::from_utf8_lossy(&logged.body);
            let Some(at) = posts.iter().position(|post| post["body"] == sent.as_ref()) else {
                continue;
            };
            let Some(wrote) = wrote(
                dir.path(),
                posts.remove(at)["request"].as_u64().expect("a number"),
            ) else {
                continue;
            };
            let via = logged.record.seq;
            let seen = self.entity(via);
            let stopped = self.http(HttpPhase::End).any(|(end, http)| {
                end.via == Some(via) && http.text.is_some_and(|text| text.starts_with("this app"))
            });
            let same = if stopped {
                wrote.starts_with(&seen)
            } else {
                wrote == seen
            };
            assert!(
                same,
                "#{via}: the server wrote {:?}, recorded is {:?}\n{self}",
                String::from_utf8_lossy(&wrote[..wrote.len().min(2000)]),
                String::from_utf8_lossy(&seen[..seen.len().min(2000)]),
            );
        }
        assert!(
            posts.is_empty(),
            "every POST is in the log: {posts:?}\n{self}"
        );
    }

    /// What an exchange brought: its frames and comments.
    pub(crate) fn entity(&self, via: Seq) -> Vec<u8> {
        let carried = self
            .records
            .iter()
            .filter(|logged| logged.record.via == Some(via));
        let bytes = carried.filter_map(|logged| match logged.http() {
            Some(HttpEvent {
                phase: HttpPhase::Comment,
                text,
                ..
            }) => Some(text?.into_bytes()),
            Some(_) => None,
            None => logged
                .is_frame(Direction::ServerToClient)
                .then(|| logged.body.to_vec()),
        });
        bytes.collect::<Vec<_>>().concat()
    }
}

/// The entity of an answer; `None` where the scenario wrote it as a whole with its head.
fn wrote(dir: &Path, number: u64) -> Option<Vec<u8>> {
    let wrote = std::fs::read(dir.join(format!("wrote.{number}"))).expect("what the server wrote");
    Some(wrote).filter(|wrote| !wrote.is_empty())
}

impl std::fmt::Display for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for logged in &self.records {
            let Logged { record, body } = &**logged;
            let text = String::from_utf8_lossy(&body[..body.len().min(300)]);
            let via = record
                .via
                .map_or(String::new(), |via| format!(" via {via}"));
            writeln!(
                f,
                "#{}{via} {:?} {:?} {text:?}",
                record.seq, record.event, record.direction
            )?;
        }
        Ok(())
    }
}
