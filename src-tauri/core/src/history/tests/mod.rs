//! The store against real files.

mod follows;
mod indexed;
mod keeps;
mod loses;
mod reads;
mod sessions;
mod transfers;
mod views;

use std::time::Duration;

use bytes::Bytes;
use tempfile::TempDir;
use tokio::time::timeout;
use uuid::Uuid;

use super::{History, NewSession, OnLoss, Origin, Recording, Row, SessionReader};
use crate::protocol::{Direction, ServerConfig};
use crate::record::{
    Carriage, Closed, Conn, EndReason, Event, KnownSecrets, Note, Seq, SessionId, StoppedBy,
};

use Direction::{ClientToServer as C2S, ServerToClient as S2C};

/// A data folder with a session that is being recorded.
struct Fixture {
    dir: TempDir,
    history: History,
    recording: Recording,
    reader: SessionReader,
}

impl Fixture {
    async fn new() -> Self {
        let dir = TempDir::new().unwrap();
        let history = History::open(dir.path()).await.unwrap();
        let recording = history
            .record(new_session("weather"), KnownSecrets::default())
            .await
            .unwrap();
        let reader = history.reader(recording.id).await.unwrap();
        Self {
            dir,
            history,
            recording,
            reader,
        }
    }

    async fn frame(&self, direction: Direction, text: &str) -> Seq {
        self.bytes(direction, text.as_bytes()).await
    }

    async fn bytes(&self, direction: Direction, bytes: &[u8]) -> Seq {
        let bytes = Bytes::copy_from_slice(bytes);
        self.recording
            .tap
            .frame(direction, bytes, Carriage::default())
            .await
            .unwrap()
            .seq()
    }

    async fn event(&self, event: Event, about: Option<Seq>) -> Seq {
        self.recording
            .tap
            .event(Conn(0), event, None, about)
            .await
            .unwrap()
    }

    async fn note(&self, note: Note, about: Seq) -> Seq {
        self.event(Event::Note(note), Some(about)).await
    }

    /// Waits until everything that was logged is stored.
    async fn stored(&self) -> Seq {
        let head = self.recording.tap.head();
        reach(&self.reader, head).await;
        head
    }

    async fn row(&self, seq: Seq) -> Row {
        self.reader.row(seq).await.unwrap().unwrap()
    }
}

/// Waits until a reader hears of a record.
async fn reach(reader: &SessionReader, seq: Seq) {
    let mut follow = reader.follow();
    let heard = timeout(
        Duration::from_secs(10),
        follow.wait_for(|head| *head >= seq),
    )
    .await;
    heard
        .expect("heard of the record in time")
        .expect("the session goes on");
}

fn new_session(server: &str) -> NewSession {
    let config = ServerConfig::Stdio {
        command: "server".to_owned(),
        args: vec!["--token=${secret:T}".to_owned()],
        env: [].into(),
        cwd: None,
    };
    NewSession {
        id: SessionId(Uuid::now_v7()),
        server: None,
        server_name: server.to_owned(),
        config,
        origin: Origin::App,
        previous: None,
        on_loss: OnLoss::Close,
    }
}

fn closed(code: i32) -> Event {
    Event::Closed(Closed {
        reason: EndReason::Exited,
        by: StoppedBy::Server,
        code: Some(code),
        signal: None,
        text: None,
        lived_us: 5,
    })
}

fn seqs(rows: &[Row]) -> Vec<u64> {
    rows.iter().map(|row| row.seq.0).collect()
}
