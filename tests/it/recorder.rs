//! A log that cannot be written: the session ends and says why, and a new one works as soon as writing does.

use std::path::Path;
use std::sync::Arc;

use framescope_core::client::{Client, Outcome};
use framescope_core::history::{History, Origin, SessionQuery, SessionState};
use framescope_core::manager::{self, ClientManager, OpenOptions, State};
use framescope_core::protocol::EraChoice;
use framescope_core::record::{NotRecording, Seq, SessionId};
use framescope_core::secrets::MemorySecrets;
use framescope_tests::cli::{Cli, to_its_end};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};
use tempfile::{TempDir, tempdir};

use crate::mount::{Mount, ReadOnly};
use crate::peer::{call, server, soon};

/// Sessions in one data folder.
struct Sessions {
    manager: ClientManager,
    /// Where the servers leave what they wrote.
    servers: TempDir,
}

impl Sessions {
    async fn on(data: &Path) -> Self {
        let history = History::open(data).await.expect("a data folder");
        let manager = ClientManager::new(history, Arc::new(MemorySecrets::default()));
        let servers = tempdir().expect("a folder");
        Self { manager, servers }
    }

    async fn open(&self, scenario: &[&str]) -> Result<SessionId, manager::Error> {
        let server = server(self.servers.path(), scenario, EraChoice::Legacy);
        let options = OpenOptions::new(Origin::App);
        soon("a session", self.manager.open(&server, options)).await
    }

    async fn connected(&self, scenario: &[&str]) -> (SessionId, Client) {
        let id = self.open(scenario).await.expect("a session");
        let client = soon("the handshake", self.manager.connected(id)).await;
        (id, client.expect("connected"))
    }

    /// Waits until the session is told that it is not recorded.
    async fn lost(&self, id: SessionId) -> NotRecording {
        let mut changes = self.manager.subscribe();
        let told = async {
            loop {
                if let Some(State::NotRecording(lost)) = self.manager.state(id) {
                    return lost;
                }
                changes.recv().await.expect("the manager lives");
            }
        };
        soon("the loss", told).await
    }

    /// A new session works, in the same history.
    async fn work_again(&self) {
        let (id, client) = self.connected(&["good"]).await;
        let outcome = outcome(&client).await;
        assert!(matches!(outcome, Outcome::Reply { .. }), "{outcome:?}");
        self.manager.close(id).await.expect("it is open");
        let summary = self.manager.history().session(id).await.expect("listed");
        assert_eq!(summary.state, SessionState::Ended, "{summary:?}");
    }

    /// What was stored until the loss is there, and its number is the one that was told.
    async fn keeps_what_was_stored(&self, id: SessionId, lost: &NotRecording) {
        let history = self.manager.history();
        let summary = history.session(id).await.expect("listed");
        assert!(summary.ended_us.is_some(), "{summary:?}");
        let reader = history.reader(id).await.expect("it opens");
        let head = reader.head().await.expect("a last number");
        assert_eq!(Seq(head.0 + 1), lost.since, "the first that is missing");
        let seqs: Vec<Seq> = (1..=head.0).map(Seq).collect();
        let rows = reader.rows(&seqs).await.expect("rows");
        assert_eq!(rows.len(), seqs.len(), "a number has no record");
    }
}

async fn outcome(client: &Client) -> Outcome {
    let call = soon("the call to be sent", client.call(&call())).await;
    soon("the outcome", call.expect("sent").outcome()).await
}

/// Whether a process runs.
fn runs(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ")
        .is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

async fn pid(sessions: &Sessions, id: SessionId) -> String {
    let reader = sessions.manager.history().reader(id).await;
    let opened = reader.expect("a reader").body(Seq(1)).await;
    let opened: serde_json::Value =
        serde_json::from_slice(&opened.expect("a body")).expect("how it was opened");
    opened["pid"].to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_ends_the_session_and_room_on_it_is_enough_to_go_on() {
    let Some(disk) = Mount::tmpfs("3m") else {
        return;
    };
    let sessions = Sessions::on(disk.path()).await;
    let (id, client) = sessions.connected(&["burst", "1000000"]).await;
    let outcome = outcome(&client).await;
    let Outcome::Closed(reason) = &outcome else {
        panic!("the call ends with the connection: {outcome:?}")
    };
    let words = framescope_core::client::ended(reason);
    let lost = sessions.lost(id).await;
    for part in ["this app closed the connection", "not recording since #"] {
        assert!(words.contains(part), "{part:?}: {words}");
    }
    for part in ["full", "Make room"] {
        assert!(lost.why.contains(part), "{part:?}: {lost}");
    }
    let pid = pid(&sessions, id).await;
    sessions.manager.close(id).await.expect("it was open");
    assert!(!runs(&pid), "the server was ended");

    let error = sessions.open(&["good"]).await.expect_err("still full");
    let words = error.to_string();
    assert!(words.contains("Make room"), "{words}");

    disk.remount("size=64m");
    sessions.work_again().await;
    sessions.keeps_what_was_stored(id, &lost).await;
}

/// A limit on the size of files stands in for the disk, so that this needs no rights.
#[cfg(unix)]
#[test]
fn the_command_line_says_since_when_it_does_not_record() {
    let data = tempdir().expect("a folder");
    let Some(cli) = Cli::on(data.path()) else {
        return;
    };
    let server = env!("CARGO_BIN_EXE_fault-server");
    let run = cli.command(&["call", "fault", "--", server, "stdio", "burst", "1000000"]);
    let mut limited = std::process::Command::new("sh");
    // 1000 blocks of 512 bytes (POSIX); the signal that comes with the error is ignored, as on a full disk there is none.
    limited.args(["-c", "trap '' XFSZ; ulimit -f 1000; exec \"$@\"", "sh"]);
    limited.arg(run.get_program()).args(run.get_args());
    limited.env("FRAMESCOPE_DATA_DIR", data.path());
    let run = to_its_end(limited);
    run.expect(3);
    for part in ["not recording since #", "disk", "try again"] {
        assert!(run.stderr.contains(part), "{part:?}: {}", run.stderr);
    }
    let stored = cli.run(&["log", "last"]).expect(0);
    let last = stored.lines().count() as u64;
    assert!(
        run.stderr.contains(&format!("since #{}", last + 1)),
        "{last} rows are stored: {}",
        run.stderr
    );
    cli.on_server(
        &["call", "fault"],
        &[server, "stdio", "good"].map(str::to_owned),
    )
    .expect(0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_only_folder_is_named_and_a_new_session_works_when_it_is_not() {
    let data = tempdir().expect("a folder");
    let sessions = Sessions::on(data.path()).await;
    sessions.work_again().await;
    let folder = data.path().join("sessions");
    let Some(read_only) = ReadOnly::on(&folder) else {
        return;
    };
    let error = sessions.open(&["good"]).await.expect_err("read-only");
    let words = error.to_string();
    for part in ["this app could not lock", "sessions", "writable"] {
        assert!(words.contains(part), "{part:?}: {words}");
    }
    let all = SessionQuery::default();
    let listed = sessions.manager.history().sessions(&all).await;
    let listed = listed.expect("what is there can be read");
    assert_eq!(listed.len(), 1, "{listed:?}");
    let reader = sessions.manager.history().reader(listed[0].id).await;
    assert!(reader.expect("it opens").head().await.expect("rows") > Seq(0));
    drop(read_only);
    sessions.work_again().await;
}

/// Another program that holds a database.
async fn hold(file: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(file);
    let mut conn = options.connect().await.expect("a connection");
    sqlx::raw_sql("begin immediate")
        .execute(&mut conn)
        .await
        .expect("held");
    conn
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_file_is_waited_for_and_then_given_up() {
    let data = tempdir().expect("a folder");
    let sessions = Sessions::on(data.path()).await;
    let (id, client) = sessions.connected(&["burst", "20000"]).await;
    let file = data.path().join(format!("sessions/{id}.framescope"));
    let holder = hold(&file).await;
    let call = soon("the call to be sent", client.call(&call())).await;
    holder.close().await.expect("given back");
    let outcome = soon("the outcome", call.expect("sent").outcome()).await;
    assert!(
        matches!(outcome, Outcome::Reply { .. }),
        "a short lock costs nothing: {outcome:?}"
    );

    let holder = hold(&file).await;
    // It is logged, and its answer comes; that neither is stored turns out when the recorder has waited long enough.
    let call = soon("the call to be sent", client.call(&self::call())).await;
    soon("the outcome", call.expect("sent").outcome()).await;
    let lost = sessions.lost(id).await;
    for part in ["locked", "Another program"] {
        assert!(lost.why.contains(part), "{part:?}: {lost}");
    }
    holder.close().await.expect("given back");
    sessions.manager.close(id).await.expect("it was open");
    sessions.work_again().await;
    sessions.keeps_what_was_stored(id, &lost).await;
}
