use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;
use uuid::Uuid;

use crate::client::Client;
use crate::history::{ConnectionOptions, Origin, Server, SessionQuery};
use crate::manager::tests::{SOON, manager, server, until};
use crate::manager::{ClientManager, OpenOptions, State};
use crate::protocol::ServerConfig;
use crate::record::{EventKind, Seq, SessionId};

/// A legacy server whose version stands in a file: `crash` ends it at its start.
const VERSIONED: &str = r#"version=$(cat dist/version); [ "$version" = crash ] && exit 3
while IFS= read -r line; do id=${line#*'"id":'}; id=${id%%,*}; case $line in
*initialize\"*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"f","version":"'$version'"}}}' ;;
esac; done"#;

struct Watched {
    manager: ClientManager,
    server: Server,
    folder: TempDir,
    _data: TempDir,
}

impl Watched {
    /// A server of the catalogue in a folder of its own, of which these paths are watched.
    async fn new(script: &str, watch: &[&str]) -> Self {
        let (manager, secrets, data) = manager().await;
        secrets.set("token", "s3cr3t-value");
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("dist")).unwrap();
        let mut server = Server {
            id: Uuid::now_v7(),
            ..server(script)
        };
        if let ServerConfig::Stdio { cwd, .. } = &mut server.config {
            *cwd = Some(folder.path().to_owned());
        }
        let options = ConnectionOptions {
            watch: watch.iter().copied().map(str::to_owned).collect(),
            ..ConnectionOptions::default()
        };
        let history = manager.history();
        history.save_server(&server).await.unwrap();
        history
            .set_connection_options(server.id, &options)
            .await
            .unwrap();
        let watched = Self {
            manager,
            server,
            folder,
            _data: data,
        };
        watched.write("one");
        watched
    }

    fn write(&self, version: &str) {
        std::fs::write(self.folder.path().join("dist/version"), version).unwrap();
    }

    /// Opens the first session and waits until its files are watched.
    async fn open(&self) -> SessionId {
        let options = OpenOptions {
            watch: true,
            ..OpenOptions::new(Origin::App)
        };
        let id = self.manager.open(&self.server, options).await.unwrap();
        self.told(id, |manager| {
            manager
                .watch(id)
                .is_some_and(|watch| watch.paths > 0 || watch.problem.is_some())
        })
        .await;
        id
    }

    /// Waits until that is so; it is asked at every change of a session.
    async fn told(&self, id: SessionId, so: impl Fn(&ClientManager) -> bool) {
        let mut changes = self.manager.subscribe();
        let wait = async {
            while !so(&self.manager) {
                // Behind or not: it is asked again.
                let _ = changes.recv().await;
            }
        };
        let told = tokio::time::timeout(SOON, wait).await;
        assert!(told.is_ok(), "{:?}", self.manager.watch(id));
    }

    /// The session that restarts this one.
    async fn next(&self, before: SessionId) -> SessionId {
        self.told(before, |manager| manager.watch(before).is_none())
            .await;
        let newest = self.sessions().await.remove(0);
        assert_eq!(newest.previous, Some(before));
        newest.id
    }

    async fn sessions(&self) -> Vec<crate::history::SessionSummary> {
        let query = SessionQuery {
            server: Some(self.server.id),
            ..SessionQuery::default()
        };
        self.manager.history().sessions(&query).await.unwrap()
    }

    async fn connected(&self, id: SessionId) -> Client {
        self.manager.connected(id).await.unwrap()
    }

    /// Waits until a note of a session tells this; lists show its beginning.
    async fn tells(&self, id: SessionId, text: &str) {
        let reader = self.manager.history().reader(id).await.unwrap();
        let mut stored = reader.follow();
        let found = async {
            loop {
                stored.mark_unchanged();
                let notes = self.notes(id).await;
                if notes
                    .iter()
                    .any(|note| text.starts_with(note.trim_end_matches('…')))
                {
                    return;
                }
                // The sender goes with the session; then all of it is stored.
                let _ = stored.changed().await;
            }
        };
        let found = tokio::time::timeout(SOON, found).await;
        assert!(found.is_ok(), "{text}: {:?}", self.notes(id).await);
    }

    /// The notes of a session.
    async fn notes(&self, id: SessionId) -> Vec<String> {
        let reader = self.manager.history().reader(id).await.unwrap();
        let head = reader.head().await.unwrap();
        let all: Vec<_> = (1..=head.0).map(Seq).collect();
        let rows = reader.rows(&all).await.unwrap();
        rows.into_iter()
            .filter(|row| row.event == EventKind::Note)
            .map(|row| row.preview)
            .collect()
    }
}

#[tokio::test]
async fn a_change_restarts_the_server_in_a_new_session_and_both_tell_why() {
    let watched = Watched::new(VERSIONED, &["dist"]).await;
    let first = watched.open().await;
    assert_eq!(watched.connected(first).await.negotiated().version, "one");
    watched.write("two");
    let second = watched.next(first).await;
    assert_eq!(watched.connected(second).await.negotiated().version, "two");
    assert!(matches!(
        watched.manager.state(first),
        Some(State::Closed { .. })
    ));
    let file = Path::new("dist").join("version").display().to_string();
    let told = format!("{file} changed: the server is restarted in a new session");
    assert_eq!(watched.notes(first).await.last(), Some(&told));
    let why = format!("restarted, since {file} changed");
    watched.tells(second, &why).await;
    assert_eq!(watched.notes(second).await[0], why, "first of all");

    watched.write("crash");
    let third = watched.next(second).await;
    let failed = until(&watched.manager, third, |state| !state.is_live()).await;
    assert!(matches!(failed, State::Failed { .. }), "{failed:?}");
    watched.write("four");
    let fourth = watched.next(third).await;
    let client = watched.connected(fourth).await;
    assert_eq!(
        client.negotiated().version,
        "four",
        "what comes next mends it"
    );

    watched.manager.close(fourth).await.unwrap();
    assert_eq!(watched.manager.watch(fourth), None, "the user ended it");
}

#[tokio::test]
async fn a_build_that_writes_for_seconds_restarts_the_server_once() {
    let watched = Watched::new(VERSIONED, &["dist"]).await;
    let first = watched.open().await;
    // Longer than what is taken for quiet, with shorter pauses.
    let mut pace = tokio::time::interval(Duration::from_millis(150));
    for part in 0..12 {
        pace.tick().await;
        watched.write(&format!("part {part}"));
    }
    watched.write("whole");
    let second = watched.next(first).await;
    let version = watched.connected(second).await.negotiated().version.clone();
    assert_eq!(version, "whole");
    assert_eq!(watched.sessions().await.len(), 2, "once");
    watched.manager.close_all().await;
}

#[tokio::test]
async fn a_server_that_writes_what_it_is_watched_for_is_left_alone() {
    let script = format!("echo >>dist/log; {VERSIONED}");
    let watched = Watched::new(&script, &["dist"]).await;
    let first = watched.open().await;
    // The first start may have written before it was watched.
    watched.write("two");
    watched
        .told(first, |manager| {
            manager.live().iter().any(|live| {
                manager
                    .watch(live.id)
                    .is_some_and(|watch| watch.paths == 0 && watch.problem.is_some())
            })
        })
        .await;
    let sessions = watched.sessions().await;
    assert_eq!(sessions.len(), 5, "as often as is allowed");
    let newest = sessions[0].id;
    let problem = watched.manager.watch(newest).unwrap().problem.unwrap();
    assert!(problem.contains("seems to write there itself"), "{problem}");
    watched.tells(newest, &problem).await;
    assert_eq!(watched.connected(newest).await.negotiated().version, "two");
    watched.manager.close_all().await;
}

#[tokio::test]
async fn a_path_that_is_not_there_is_told_and_the_others_are_watched() {
    let watched = Watched::new(VERSIONED, &["gone", "dist/*"]).await;
    let first = watched.open().await;
    let shown = watched.manager.watch(first).unwrap();
    assert_eq!(shown.paths, 1);
    let problem = shown.problem.unwrap();
    assert!(problem.contains("`gone` is not there"), "{problem}");
    watched.tells(first, &problem).await;
    watched.write("two");
    let second = watched.next(first).await;
    assert_eq!(watched.connected(second).await.negotiated().version, "two");
    watched.manager.close_all().await;
}

#[tokio::test]
async fn what_stands_in_the_catalogue_at_a_restart_counts() {
    let watched = Watched::new(VERSIONED, &["dist/version"]).await;
    let first = watched.open().await;
    let history = watched.manager.history();
    let none = ConnectionOptions::default();
    history
        .set_connection_options(watched.server.id, &none)
        .await
        .unwrap();
    watched.write("two");
    watched
        .told(first, |manager| manager.watch(first).is_none())
        .await;
    assert_eq!(watched.sessions().await.len(), 1, "nothing is watched now");
    watched.manager.close_all().await;
}
