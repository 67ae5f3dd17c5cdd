use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

use super::{ClientManager, Error, OpenOptions, OwnWaits, State};
use crate::client::{Draft, Outcome};
use crate::history::{ConnectionOptions, History, Origin, Server, SessionState, Settled};
use crate::protocol::{EraChoice, ServerConfig};
use crate::record::{EventKind, Seq, SessionId};
use crate::secrets::MemorySecrets;

pub(super) const SOON: Duration = Duration::from_secs(20);

/// A manager on a folder of its own.
pub(super) async fn manager() -> (ClientManager, Arc<MemorySecrets>, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let history = History::open(folder.path()).await.unwrap();
    let secrets = Arc::new(MemorySecrets::default());
    (
        ClientManager::new(history, Arc::clone(&secrets) as _),
        secrets,
        folder,
    )
}

pub(super) fn server(script: &str) -> Server {
    Server {
        id: Uuid::nil(),
        name: "fake".to_owned(),
        config: ServerConfig::Stdio {
            command: "sh".to_owned(),
            args: vec!["-c".to_owned(), script.to_owned()],
            env: [("TOKEN".to_owned(), "${secret:token}".to_owned())].into(),
            cwd: None,
        },
        era: EraChoice::Legacy,
        timeout_ms: 20_000,
        position: 0,
        demo: false,
        unconfirmed: false,
    }
}

/// A legacy server that ends with the code 3 at the first request.
const CRASHING: &str = r#"read -r line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"fake","version":"9"}}}'
read -r line; echo "token $TOKEN" >&2; read -r line; echo FATAL >&2; exit 3"#;

async fn open(manager: &ClientManager, script: &str) -> SessionId {
    manager
        .open(&server(script), OpenOptions::new(Origin::Cli))
        .await
        .expect("opens")
}

pub(super) async fn until(
    manager: &ClientManager,
    id: SessionId,
    wanted: impl Fn(&State) -> bool,
) -> State {
    let mut changes = manager.subscribe();
    let wait = async {
        loop {
            let state = manager.state(id).expect("opened here");
            if wanted(&state) {
                return state;
            }
            // Behind or not: the state is read again.
            let _ = changes.recv().await;
        }
    };
    tokio::time::timeout(SOON, wait)
        .await
        .expect("the state comes")
}

#[tokio::test]
async fn a_session_from_its_opening_to_the_crash_of_its_server() {
    let (manager, secrets, _folder) = manager().await;
    secrets.set("token", "s3cr3t-value");
    let id = open(&manager, CRASHING).await;
    let client = manager.connected(id).await.unwrap();
    let State::Connected {
        negotiated,
        since_us,
    } = manager.state(id).unwrap()
    else {
        panic!("connected")
    };
    assert_eq!(negotiated.version, "9");
    assert!(since_us > 0);
    assert_eq!(manager.live().len(), 1);

    let call = client.call(&Draft::new("tools/list", None)).await.unwrap();
    let asked = call.seq();
    let Outcome::Closed(reason) = call.outcome().await else {
        panic!("it has crashed")
    };
    assert_eq!(reason.closed.code, Some(3));
    let state = until(&manager, id, |state| !state.is_live()).await;
    assert!(matches!(state, State::Closed { reason } if reason.closed.code == Some(3)));
    assert!(manager.client(id).is_none() && manager.live().is_empty());
    assert!(matches!(manager.connected(id).await, Err(Error::Closed(_))));
    manager.close(id).await.unwrap();

    let reader = manager.history().reader(id).await.unwrap();
    let head = reader.head().await.unwrap();
    let rows = reader
        .rows(&(1..=head.0).map(Seq).collect::<Vec<_>>())
        .await
        .unwrap();
    assert_eq!(rows.last().unwrap().event, EventKind::Closed);
    let asked = rows.iter().find(|row| row.seq == asked).unwrap();
    assert_eq!(asked.settled, Some(Settled::Unanswered));
    let previews: Vec<_> = rows.iter().map(|row| row.preview.as_str()).collect();
    assert!(previews.contains(&"token ‹secret:token›"), "{previews:#?}");
    let summary = manager.history().session(id).await.unwrap();
    assert_eq!(
        (summary.state, summary.crashed),
        (SessionState::Ended, true)
    );
}

#[tokio::test]
async fn a_failure_is_told_and_stored() {
    let (manager, secrets, _folder) = manager().await;
    secrets.set("token", "s3cr3t-value");
    let id = open(&manager, "echo boom >&2; exit 1").await;
    let error = manager.connected(id).await.unwrap_err().to_string();
    assert_eq!(
        error,
        "the server exited with code 1 before answering initialize; last stderr: boom"
    );
    manager.close(id).await.unwrap();
    assert!(matches!(manager.state(id), Some(State::Failed { .. })));
    assert!(
        manager
            .history()
            .session(id)
            .await
            .unwrap()
            .ended_us
            .is_some()
    );
}

#[tokio::test]
async fn a_command_that_is_not_there_is_told_in_the_log_too() {
    let (manager, _, _folder) = manager().await;
    let missing = Server {
        config: ServerConfig::Stdio {
            command: "no-such-command".to_owned(),
            args: vec![],
            env: Default::default(),
            cwd: None,
        },
        ..server("")
    };
    let opened = manager.open(&missing, OpenOptions::new(Origin::Cli)).await;
    let id = opened.expect("the session exists");
    let error = manager.connected(id).await.unwrap_err().to_string();
    assert!(
        error.starts_with("this app could not find `no-such-command` in any of"),
        "{error}"
    );
    manager.close(id).await.unwrap();
    let reader = manager.history().reader(id).await.unwrap();
    let logged = reader.body(Seq(1)).await.unwrap();
    let logged = String::from_utf8_lossy(&logged);
    assert!(
        logged.contains("could not find `no-such-command`"),
        "{logged}"
    );
}

#[tokio::test]
async fn nothing_is_opened_where_a_secret_is_missing() {
    let (manager, _, _folder) = manager().await;
    let error = manager
        .open(&server("exit 0"), OpenOptions::new(Origin::Cli))
        .await
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("TOKEN") && error.contains("`token`"),
        "{error}"
    );
    assert!(manager.live().is_empty());
    assert!(matches!(
        manager.close(SessionId(Uuid::now_v7())).await,
        Err(Error::NotOpen(_))
    ));
}

#[tokio::test]
async fn closing_works_at_any_time_and_for_all_at_once() {
    let (manager, secrets, _folder) = manager().await;
    secrets.set("token", "s3cr3t-value");
    let connecting = open(&manager, "cat >/dev/null").await;
    let connected = open(
        &manager,
        &CRASHING.replace("read -r line; echo FATAL >&2; exit 3", "cat >/dev/null"),
    )
    .await;
    manager.connected(connected).await.unwrap();
    tokio::time::timeout(SOON, manager.close_all())
        .await
        .expect("both end");
    for id in [connecting, connected] {
        assert!(
            matches!(manager.state(id), Some(State::Closed { .. })),
            "{:?}",
            manager.state(id)
        );
        assert_eq!(
            manager.history().session(id).await.unwrap().state,
            SessionState::Ended
        );
    }
}

/// A legacy server that answers each request.
const QUICK: &str = r#"while IFS= read -r line; do id=${line#*'"id":'}; id=${id%%,*}
case $line in
*initialize\"*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"f","version":"1"}}}' ;;
*tools/list*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"tools":[]}}' ;;
esac; done"#;

#[tokio::test]
async fn of_many_servers_at_once_none_delays_another() {
    let (manager, secrets, folder) = manager().await;
    secrets.set("token", "s3cr3t-value");
    // One never answers, one never answers a call, one does not end until it is told to.
    let silent = open(&manager, "cat >/dev/null").await;
    let deaf = open(
        &manager,
        &QUICK.replace("*tools/list*)", "*tools/list*) cat >/dev/null"),
    )
    .await;
    let deaf = manager.connected(deaf).await.unwrap();
    let waiting = deaf.call(&Draft::new("tools/list", None)).await.unwrap();
    let told = folder.path().join("told");
    let script = format!(
        "{QUICK}; until [ -e {} ]; do sleep 0.1; done",
        told.display()
    );
    let patient = OpenOptions {
        waits: OwnWaits {
            grace: Some(Duration::from_secs(60)),
            ..OwnWaits::default()
        },
        ..OpenOptions::new(Origin::Cli)
    };
    let undying = manager.open(&server(&script), patient).await.unwrap();
    manager.connected(undying).await.unwrap();
    let closing = manager.close(undying);
    let others = async {
        until(&manager, undying, |state| {
            matches!(state, State::Closing { .. })
        })
        .await;
        let ids = futures_util::future::join_all((0..8).map(|_| open(&manager, QUICK))).await;
        for id in ids {
            let client = manager.connected(id).await.unwrap();
            let call = client.call(&Draft::new("tools/list", None)).await.unwrap();
            assert!(matches!(call.outcome().await, Outcome::Reply { .. }));
        }
        // All of them are done while the slow ones are still at it.
        assert!(matches!(
            manager.state(silent),
            Some(State::Connecting { .. })
        ));
        assert!(matches!(
            manager.state(undying),
            Some(State::Closing { .. })
        ));
        assert_eq!(deaf.pending().len(), 1);
        std::fs::write(&told, "").unwrap();
    };
    let (closed, ()) = tokio::join!(closing, others);
    closed.unwrap();
    tokio::time::timeout(SOON, manager.close_all())
        .await
        .expect("all of them end");
    assert!(matches!(waiting.outcome().await, Outcome::Closed(_)));
}

/// A legacy server that makes progress with a call for ever.
const ENDLESS: &str = r#"while IFS= read -r line; do id=${line#*'"id":'}; id=${id%%,*}
case $line in
*initialize\"*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"f","version":"1"}}}' ;;
*tools/call*) while echo '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":'$id',"progress":1}}'; do sleep 0.1; done ;;
esac; done"#;

#[tokio::test]
async fn the_waits_of_a_server_are_those_of_the_catalogue_or_of_the_run() {
    let (manager, secrets, _folder) = manager().await;
    secrets.set("token", "s3cr3t-value");
    let saved = Server {
        id: Uuid::now_v7(),
        timeout_ms: 1_000,
        ..server(ENDLESS)
    };
    let history = manager.history();
    history.save_server(&saved).await.unwrap();
    let kept = ConnectionOptions {
        total: Some(Duration::from_secs(2)),
        grace: Some(Duration::ZERO),
        start: Some(Duration::from_secs(300)),
        ..ConnectionOptions::default()
    };
    history
        .set_connection_options(saved.id, &kept)
        .await
        .unwrap();
    assert_eq!(history.connection_options(saved.id).await.unwrap(), kept);
    let session = manager
        .open(&saved, OpenOptions::new(Origin::Cli))
        .await
        .unwrap();
    let client = manager.connected(session).await.unwrap();
    let call = Draft::new("tools/call", Some(r#"{"name":"x"}"#.to_owned()));
    let call = client.call(&call).await.unwrap();
    let outcome = tokio::time::timeout(SOON, call.outcome()).await;
    let outcome = outcome.expect("progress puts it off no longer than that");
    assert!(matches!(outcome, Outcome::TimedOut { .. }), "{outcome:?}");
    let patient = OpenOptions {
        waits: OwnWaits {
            grace: Some(Duration::from_secs(30)),
            ..OwnWaits::default()
        },
        ..OpenOptions::new(Origin::Cli)
    };
    let shortest = manager.closing_time();
    manager.close(session).await.unwrap();
    let session = manager.open(&saved, patient).await.unwrap();
    assert_eq!(
        manager.closing_time() - shortest,
        Duration::from_secs(30),
        "the run's own counts"
    );
    manager.connected(session).await.unwrap();
    manager.close(session).await.unwrap();
}

/// A legacy server that counts its starts in a file, and ends with the code 3 at the first request of the first `$lives`.
fn dying(folder: &TempDir, lives: u32) -> String {
    let starts = folder.path().join("starts");
    format!(
        r#"echo >>{starts}; n=$(wc -l <{starts}); read -r line; echo '{{"jsonrpc":"2.0","id":'"$(($n + 0))"',"result":{{}}}}' >/dev/null
id=${{line#*'"id":'}}; id=${{id%%,*}}
echo '{{"jsonrpc":"2.0","id":'$id',"result":{{"protocolVersion":"2025-11-25","capabilities":{{}},"serverInfo":{{"name":"fake","version":"'$n'"}}}}}}'
read -r line; read -r line; [ $n -le {lives} ] && exit 3
id=${{line#*'"id":'}}; id=${{id%%,*}}; echo '{{"jsonrpc":"2.0","id":'$id',"result":{{"tools":[]}}}}'; cat >/dev/null"#,
        starts = starts.display(),
    )
}

#[tokio::test]
async fn a_lost_connection_is_made_again_in_the_same_session() {
    let (manager, secrets, folder) = manager().await;
    secrets.set("token", "s3cr3t-value");
    let server = Server {
        id: Uuid::now_v7(),
        ..server(&dying(&folder, 1))
    };
    let history = manager.history();
    history.save_server(&server).await.unwrap();
    let options = ConnectionOptions {
        reconnect: true,
        ..ConnectionOptions::default()
    };
    history
        .set_connection_options(server.id, &options)
        .await
        .unwrap();
    let id = manager
        .open(&server, OpenOptions::new(Origin::Cli))
        .await
        .unwrap();
    let client = manager.connected(id).await.unwrap();
    let lost = client.call(&Draft::new("tools/list", None)).await.unwrap();
    assert!(matches!(lost.outcome().await, Outcome::Closed(_)));
    let again = until(
        &manager,
        id,
        |state| matches!(state, State::Connecting { step } if step.contains("attempt 1 of")),
    );
    again.await;
    let state = until(&manager, id, |state| {
        matches!(state, State::Connected { .. })
    })
    .await;
    let State::Connected { negotiated, .. } = state else {
        panic!("connected")
    };
    assert_eq!((negotiated.version.as_str(), client.conn().0), ("2", 1));
    let call = client.call(&Draft::new("tools/list", None)).await.unwrap();
    assert!(
        matches!(call.outcome().await, Outcome::Reply { .. }),
        "the same client goes on"
    );
    manager.close(id).await.unwrap();
    assert!(matches!(manager.state(id), Some(State::Closed { .. })));
}

/// Counts its starts; ends at a first message that is not `initialize`, and takes `initialize` in the era it is given.
fn shy(folder: &TempDir) -> String {
    let starts = folder.path().join("starts");
    format!(
        r#"echo >>{starts}; read -r line; case $line in *initialize\"*) ;; *) exit 1 ;; esac
id=${{line#*'"id":'}}; id=${{id%%,*}}
echo '{{"jsonrpc":"2.0","id":'$id',"result":{{"protocolVersion":"2025-11-25","capabilities":{{}},"serverInfo":{{"name":"shy","version":"1"}}}}}}'
cat >/dev/null"#,
        starts = starts.display(),
    )
}

#[tokio::test]
async fn e01_a_server_that_ends_at_the_probe_is_not_probed_again() {
    let (manager, secrets, folder) = manager().await;
    secrets.set("token", "s3cr3t-value");
    let mut server = Server {
        id: Uuid::now_v7(),
        era: EraChoice::Auto,
        ..server(&shy(&folder))
    };
    let history = manager.history();
    history.save_server(&server).await.unwrap();
    let starts = || std::fs::read(folder.path().join("starts")).unwrap().len();
    let mut expected = 0;
    for (again, why) in [
        (2, "it ends at the probe and is started again"),
        (1, "that is remembered"),
    ] {
        let id = manager
            .open(&server, OpenOptions::new(Origin::Cli))
            .await
            .unwrap();
        let client = manager.connected(id).await.unwrap();
        assert_eq!(client.negotiated().version, "1");
        expected += again;
        assert_eq!(starts(), expected, "{why}");
        manager.close(id).await.unwrap();
        // What was learnt is stored while the session goes on.
        manager.close_all().await;
        let learnt = async {
            while !history.no_probe(server.id).await.unwrap() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(SOON, learnt)
            .await
            .expect("it is kept");
    }
    history.save_server(&server).await.unwrap();
    assert!(
        history.no_probe(server.id).await.unwrap(),
        "nothing has changed"
    );
    server.config = ServerConfig::Stdio {
        command: "sh".to_owned(),
        args: vec!["-c".to_owned(), "exit 0".to_owned()],
        env: Default::default(),
        cwd: None,
    };
    history.save_server(&server).await.unwrap();
    assert!(
        !history.no_probe(server.id).await.unwrap(),
        "another command is another server"
    );
}

/// A legacy server whose tools say each time that they have changed, and whose prompts have, when it is told so.
const CHANGING: &str = r#"while IFS= read -r line; do id=${line#*'"id":'}; id=${id%%,*}
changed='{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'
case $line in
*initialize\"*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"prompts":{"listChanged":true}},"serverInfo":{"name":"f","version":"1"}}}' ;;
*initialized*) for i in 1 2 3 4 5; do echo "$changed"; done ;;
*tools/list*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"tools":[]}}'; echo "$changed" ;;
*prompts/list*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"prompts":[{"name":"p"}]}}' ;;
*setLevel*) echo '{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}'; echo '{"jsonrpc":"2.0","id":'$id',"result":{}}' ;;
*ping*) echo '{"jsonrpc":"2.0","id":'$id',"result":{}}' ;;
esac; done"#;

#[tokio::test]
async fn a_list_that_changed_is_read_once_and_not_in_a_loop() {
    let (manager, secrets, _folder) = manager().await;
    secrets.set("token", "s3cr3t-value");
    let options = OpenOptions {
        follow_lists: true,
        ..OpenOptions::new(Origin::Cli)
    };
    let id = manager.open(&server(CHANGING), options).await.unwrap();
    let client = manager.connected(id).await.unwrap();
    let reader = manager.history().reader(id).await.unwrap();
    // Answers bear the method of what they answer.
    let answers = async |method: &str| {
        let head = reader.head().await.unwrap();
        let rows = reader
            .rows(&(1..=head.0).map(Seq).collect::<Vec<_>>())
            .await
            .unwrap();
        let answers = rows
            .iter()
            .filter(|row| row.reply_to.is_some() && row.method.as_deref() == Some(method));
        answers.count()
    };
    let ask = async |method: &'static str| {
        let call = client.call(&Draft::new(method, None)).await.unwrap();
        call.outcome().await;
    };
    let settled = async {
        // It turns out to be the same: first, and twice more, ever more rarely.
        while answers("tools/list").await < 3 {
            ask("ping").await;
        }
        // The tools have said for the third time that they have changed; what the prompts say now is heeded after that.
        ask("logging/setLevel").await;
        while answers("prompts/list").await < 1 {
            ask("ping").await;
        }
        answers("tools/list").await
    };
    let read = tokio::time::timeout(SOON, settled).await.expect("no loop");
    assert_eq!(read, 3);
    manager.close(id).await.unwrap();
}

#[tokio::test]
async fn closing_shows_at_once_and_lasts_until_all_is_stored() {
    let (manager, secrets, _folder) = manager().await;
    secrets.set("token", "s3cr3t-value");
    // It takes its time to end.
    let slow = r#"read -r line; id=${line#*'"id":'}; id=${id%%,*}
echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"f","version":"1"}}}'
cat >/dev/null; sleep 2; exit 0"#;
    let id = open(&manager, slow).await;
    manager.connected(id).await.unwrap();
    let shown = until(&manager, id, |state| {
        !matches!(state, State::Connected { .. })
    });
    let (closed, state) = tokio::join!(manager.close(id), shown);
    closed.unwrap();
    assert!(matches!(state, State::Closing { .. }), "{state:?}");
    let Some(State::Closed { reason }) = manager.state(id) else {
        panic!("closed")
    };
    assert_eq!(
        (reason.closed.code, reason.closed.signal.as_deref()),
        (Some(0), None),
        "it was given the time to end by itself"
    );
}

/// Lists ask the history first and the manager then: what the one has the other knows, however early they ask.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_is_listed_has_a_state() {
    let (manager, secrets, _folder) = manager().await;
    secrets.set("token", "s3cr3t-value");
    let stop = CancellationToken::new();
    let (looking, done) = (manager.clone(), stop.clone());
    let tasks = TaskTracker::new();
    let lists = tasks.spawn(async move {
        while !done.is_cancelled() {
            for id in looking.history().ids().await.unwrap() {
                assert!(looking.state(id).is_some(), "{id} has no state");
            }
        }
    });
    for _ in 0..20 {
        open(&manager, "exit 0").await;
    }
    stop.cancel();
    lists
        .await
        .expect("every session that was listed had a state");
}
