//! A session with the fault server: opened, used, ended, and its log held against what the server wrote and read.

use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use framescope_core::client::{Answers, Client, ClientError, Connect, Draft, Outcome, Patience};
use framescope_core::history::{
    History, NewSession, OnLoss, Origin, Recording, Row, Server, SessionReader,
};
use framescope_core::manager::{self, ClientManager, OpenOptions};
use framescope_core::protocol::{Direction, EraChoice, Kind, ServerConfig};
use framescope_core::record::{EventKind, Flags, KnownSecrets, Seq, SessionId};
use framescope_core::secrets::MemorySecrets;
use framescope_core::transport::{Anonymous, Waits};
use serde_json::Value;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

/// What must come comes within this time, also on a busy machine.
pub(crate) const SOON: Duration = Duration::from_secs(90);

/// Bytes of a body that are compared at once.
const WINDOW: u64 = 16 << 20;

/// Waits for what must come.
pub(crate) async fn soon<T>(what: &str, wait: impl Future<Output = T>) -> T {
    match tokio::time::timeout(SOON, wait).await {
        Ok(came) => came,
        Err(_) => panic!("waited in vain for {what}"),
    }
}

/// How to start the fault server; it copies what it writes and reads into the folder.
pub(crate) fn server(dir: &Path, scenario: &[&str], era: EraChoice) -> Server {
    let file = |name: &str| dir.join(name).to_string_lossy().into_owned();
    let mut args = vec![
        "--wrote".to_owned(),
        file("wrote"),
        "--read".to_owned(),
        file("read"),
        "stdio".to_owned(),
    ];
    args.extend(scenario.iter().map(|&word| word.to_owned()));
    Server {
        id: Uuid::nil(),
        name: scenario[0].to_owned(),
        config: ServerConfig::Stdio {
            command: env!("CARGO_BIN_EXE_fault-server").to_owned(),
            args,
            env: [].into(),
            cwd: None,
        },
        era,
        timeout_ms: 60_000,
        position: 0,
        demo: false,
        unconfirmed: false,
    }
}

/// A call of the fault server's tool.
pub(crate) fn call() -> Draft {
    Draft::new(
        "tools/call",
        Some(r#"{"name":"fault","arguments":{}}"#.to_owned()),
    )
}

/// A session with the fault server, through the manager as the shells have it.
pub(crate) struct Peer {
    dir: TempDir,
    manager: ClientManager,
    id: SessionId,
}

impl Peer {
    /// Starts a scenario (with its argument) and begins to connect.
    pub(crate) async fn start(scenario: &[&str]) -> Self {
        Self::speaking(scenario, EraChoice::Auto).await
    }

    /// The same in a given era.
    pub(crate) async fn speaking(scenario: &[&str], era: EraChoice) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let server = server(dir.path(), scenario, era);
        Self::of(dir, &server).await
    }

    /// A session with this server, whose folder is `dir`.
    pub(crate) async fn of(dir: TempDir, server: &Server) -> Self {
        let history = History::open(&dir.path().join("data"))
            .await
            .expect("a data folder");
        let manager = ClientManager::new(history, Arc::new(MemorySecrets::default()));
        let id = manager
            .open(server, OpenOptions::new(Origin::Cli))
            .await
            .expect("a session");
        Self { dir, manager, id }
    }

    /// What came of connecting.
    pub(crate) async fn connected(&self) -> Result<Client, manager::Error> {
        soon("the handshake", self.manager.connected(self.id)).await
    }

    /// The connected client.
    pub(crate) async fn client(&self) -> Client {
        self.connected()
            .await
            .unwrap_or_else(|error| panic!("not connected: {error}"))
    }

    /// Connects and calls the tool.
    pub(crate) async fn called(&self) -> Outcome {
        let client = self.client().await;
        let call = soon("the call to be sent", client.call(&call()))
            .await
            .expect("the call is sent");
        soon("the outcome", call.outcome()).await
    }

    /// Ends the session.
    pub(crate) async fn end(self) -> Log {
        soon("the end", self.manager.close(self.id))
            .await
            .expect("it is open");
        Log::of(self.dir, self.manager.history().clone(), self.id).await
    }
}

/// A session without the manager: for how patient the handshake and the shutdown are.
pub(crate) async fn connect(
    scenario: &[&str],
    patience: Duration,
    then: impl AsyncFnOnce(&Client),
) -> (Result<(), ClientError>, Log) {
    let dir = tempfile::tempdir().expect("a folder");
    let history = History::open(&dir.path().join("data"))
        .await
        .expect("a data folder");
    let server = server(dir.path(), scenario, EraChoice::Auto);
    let recording = record(&history, &server).await;
    let (tasks, stop, id) = (TaskTracker::new(), CancellationToken::new(), recording.id);
    let connect = Connect {
        config: server.config,
        tap: recording.tap.clone(),
        era: EraChoice::Auto,
        // Servers that never answer are given up soon.
        no_probe: false,
        forced: false,
        roots: vec![],
        choice: Default::default(),
        answers: Answers::Refuse,
        timeout: match scenario {
            ["deaf" | "mute"] => Duration::from_secs(1),
            _ => SOON,
        },
        total: Draft::TOTAL,
        patience: Patience {
            from_output: patience,
            from_start: patience,
        },
        waits: Waits {
            stdin: Duration::from_millis(500),
            term: Duration::from_millis(500),
            kill: SOON,
        },
        ca: None,
        authorize: Arc::new(Anonymous),
        tasks: tasks.clone(),
        stop: stop.clone(),
        step: Box::new(|_| {}),
    };
    let connected = match soon("the handshake", connect.run()).await {
        Ok(client) => {
            then(&client).await;
            stop.cancel();
            soon("the end", client.gone()).await;
            Ok(())
        }
        Err(error) => Err(error),
    };
    tasks.close();
    soon("all tasks", tasks.wait()).await;
    recording.finish().await.expect("the log is whole");
    (connected, Log::of(dir, history, id).await)
}

async fn record(history: &History, server: &Server) -> Recording {
    let new = NewSession {
        id: SessionId(Uuid::now_v7()),
        server: None,
        server_name: server.name.clone(),
        config: server.config.clone(),
        origin: Origin::Cli,
        previous: None,
        on_loss: OnLoss::Close,
    };
    history
        .record(new, KnownSecrets::default())
        .await
        .expect("a recording")
}

/// The log of a session that has ended.
pub(crate) struct Log {
    dir: TempDir,
    reader: SessionReader,
    pub(crate) rows: Vec<Row>,
    _history: History,
}

impl Log {
    async fn of(dir: TempDir, history: History, id: SessionId) -> Self {
        let reader = history.reader(id).await.expect("a reader");
        let head = reader.head().await.expect("a head");
        let seqs: Vec<Seq> = (1..=head.0).map(Seq).collect();
        let mut rows = vec![];
        for some in seqs.chunks(1000) {
            rows.extend(reader.rows(some).await.expect("rows"));
        }
        assert_eq!(rows.len(), seqs.len(), "a number has no record");
        Self {
            dir,
            reader,
            rows,
            _history: history,
        }
    }

    /// The frames of a direction.
    pub(crate) fn frames(&self, direction: Direction) -> impl Iterator<Item = &Row> {
        self.rows
            .iter()
            .filter(move |row| row.event == EventKind::Frame && row.direction == Some(direction))
    }

    /// What the server sent.
    pub(crate) fn inbound(&self) -> impl Iterator<Item = &Row> {
        self.frames(Direction::ServerToClient)
    }

    /// The rows of an event.
    pub(crate) fn events(&self, event: EventKind) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.event == event)
    }

    /// The last request with this method.
    pub(crate) fn request(&self, method: &str) -> &Row {
        let found =
            self.rows.iter().rev().find(|row| {
                row.kind == Some(Kind::Request) && row.method.as_deref() == Some(method)
            });
        found.unwrap_or_else(|| panic!("no request {method}\n{self}"))
    }

    /// The bytes of a record.
    pub(crate) async fn body(&self, row: &Row) -> Vec<u8> {
        self.reader.body(row.seq).await.expect("a body").to_vec()
    }

    /// The JSON of a record.
    pub(crate) async fn json(&self, row: &Row) -> Value {
        serde_json::from_slice(&self.body(row).await)
            .unwrap_or_else(|error| panic!("{}: {error}", row.preview))
    }

    /// The notes of this kind, with what they are about.
    pub(crate) async fn notes(&self, name: &str) -> Vec<(Option<Seq>, Value)> {
        let mut found = vec![];
        for row in self.events(EventKind::Note) {
            let note = self.json(row).await;
            if note["note"] == name {
                found.push((row.about, note));
            }
        }
        found
    }

    /// How the (last) process ended.
    pub(crate) async fn closed(&self) -> Value {
        let last = self
            .events(EventKind::Closed)
            .last()
            .unwrap_or_else(|| panic!("no end\n{self}"));
        self.json(last).await
    }

    /// Joining what was recorded gives back to the byte what the server wrote, and what it read.
    pub(crate) async fn holds_every_byte(&self) {
        let mut wrote = Expected::new(self.dir.path().join("wrote"));
        self.replay(Direction::ServerToClient, &mut wrote).await;
        wrote.ends();
        // What the server had not read yet when it ended was sent all the same.
        let mut read = Expected::new(self.dir.path().join("read"));
        self.replay(Direction::ClientToServer, &mut read).await;
        read.ends();
    }

    async fn replay_large(&self, row: &Row, direction: Direction, expected: &mut Expected) {
        let mut from = 0;
        while from < row.size {
            let bytes = self.reader.body_range(row.seq, from, WINDOW).await;
            let bytes = bytes.expect("bytes");
            assert!(!bytes.is_empty(), "#{} is shorter than its size", row.seq);
            expected.takes(&bytes, row, direction);
            from += bytes.len() as u64;
        }
    }

    async fn replay(&self, direction: Direction, expected: &mut Expected) {
        for row in self.frames(direction) {
            if let Some(whole) = &row.whole {
                expected.takes(whole, row, direction);
            } else {
                self.replay_large(row, direction, expected).await;
            }
            if !row.flags.has(Flags::UNTERMINATED) {
                expected.takes(b"\n", row, direction);
            }
        }
    }
}

impl std::fmt::Display for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for row in &self.rows {
            let direction = row.direction.map_or("", Direction::as_str);
            writeln!(
                f,
                "#{} conn {} {} {direction} {:b} {}",
                row.seq,
                row.conn.0,
                row.kind_word(),
                row.flags.0,
                row.preview
            )?;
        }
        Ok(())
    }
}

/// The bytes that the server saw, read along.
struct Expected {
    file: BufReader<File>,
    path: PathBuf,
    offset: u64,
    over: bool,
}

impl Expected {
    fn new(path: PathBuf) -> Self {
        let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Self {
            file: BufReader::new(file),
            path,
            offset: 0,
            over: false,
        }
    }

    fn takes(&mut self, bytes: &[u8], row: &Row, direction: Direction) {
        if self.over {
            return;
        }
        let mut theirs = vec![];
        let limit = bytes.len() as u64;
        self.file
            .by_ref()
            .take(limit)
            .read_to_end(&mut theirs)
            .expect("a readable file");
        if direction == Direction::ClientToServer && theirs.len() < bytes.len() {
            self.over = true;
            assert!(
                bytes.starts_with(&theirs),
                "#{} is not what the server read",
                row.seq
            );
            return;
        }
        let same = theirs
            .iter()
            .zip(bytes)
            .take_while(|(theirs, ours)| theirs == ours)
            .count();
        assert!(
            theirs == bytes,
            "{}: byte {} differs in #{} {}",
            self.path.display(),
            self.offset + same as u64,
            row.seq,
            row.preview
        );
        self.offset += limit;
    }

    fn ends(&mut self) {
        let mut rest = vec![];
        self.file
            .by_ref()
            .take(200)
            .read_to_end(&mut rest)
            .expect("a readable file");
        assert!(
            rest.is_empty(),
            "{}: not in the log from byte {}: {}",
            self.path.display(),
            self.offset,
            String::from_utf8_lossy(&rest)
        );
    }
}
