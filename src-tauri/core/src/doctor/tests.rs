use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{Outcome, Party, Report, StepId, StepState, examine};
use crate::history::{History, Origin, Server, SessionState};
use crate::manager::{ClientManager, OpenOptions};
use crate::protocol::{EraChoice, ServerConfig};
use crate::secrets::MemorySecrets;

const SOON: Duration = Duration::from_secs(30);

/// A legacy server that knows no `server/discover`.
const LEGACY: &str = r#"echo ready >&2
read -r line; echo '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}'
read -r line; echo '{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"fake","version":"9"}}}'
cat >/dev/null"#;

async fn manager() -> (ClientManager, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let history = History::open(folder.path()).await.unwrap();
    let secrets = MemorySecrets::default();
    secrets.set("token", "s3cr3t-value");
    (ClientManager::new(history, Arc::new(secrets)), folder)
}

fn server(config: ServerConfig) -> Server {
    Server {
        id: Uuid::now_v7(),
        name: "fake".to_owned(),
        config,
        era: EraChoice::Auto,
        timeout_ms: 20_000,
        position: 0,
        demo: false,
        unconfirmed: false,
    }
}

fn command(command: &str, args: &[&str]) -> Server {
    server(ServerConfig::Stdio {
        command: command.to_owned(),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        env: [("TOKEN".to_owned(), "${secret:token}".to_owned())].into(),
        cwd: None,
    })
}

fn url(url: String) -> Server {
    server(ServerConfig::StreamableHttp {
        url,
        headers: vec![],
    })
}

async fn run(manager: &ClientManager, server: &Server) -> Report {
    let told = watch::Sender::new(Report::new(server, 0));
    let options = OpenOptions::new(Origin::Cli);
    let stop = CancellationToken::new();
    let report = examine(manager, server, options, &stop, &told);
    let report = tokio::time::timeout(SOON, report)
        .await
        .expect("it is bounded");
    assert_eq!(
        *told.borrow(),
        report,
        "the last that was told is the whole report"
    );
    report
}

fn states(report: &Report) -> Vec<(StepId, StepState)> {
    report
        .steps
        .iter()
        .map(|step| (step.id, step.state))
        .collect()
}

use StepId::{
    Authorization, Discover, Dns, Executable, FirstByte, Http, Initialize, Spawn, Tcp, Tls,
};
use StepState::{Failed, Passed, Skipped, Waiting};

#[tokio::test]
async fn a_server_that_works_passes_each_step_and_leaves_a_session_only() {
    let (manager, _folder) = manager().await;
    let report = run(&manager, &command("sh", &["-c", LEGACY])).await;
    assert_eq!(
        states(&report),
        [
            (Executable, Passed),
            (Spawn, Passed),
            (FirstByte, Passed),
            (Discover, Skipped),
            (Initialize, Passed),
        ],
        "{}",
        report.text()
    );
    assert_eq!(report.outcome, Outcome::Passed);
    let fact = |id| &report.steps.iter().find(|step| step.id == id).unwrap().fact;
    assert_eq!(fact(FirstByte), "on stderr: ready");
    assert!(fact(Discover).contains("-32601"), "{}", fact(Discover));
    assert_eq!(fact(Initialize), "2025-11-25, fake 9");
    for step in &report.steps {
        assert!(step.dur_us.is_some_and(|us| us >= 0), "{step:?} has a time");
    }
    let id = report.session.expect("it was recorded");
    let session = manager.history().session(id).await.unwrap();
    assert_eq!((session.state, session.server), (SessionState::Ended, None));
    assert_eq!(session.tags, ["doctor"]);
    assert!(manager.live().is_empty(), "nothing is left running");
}

#[tokio::test]
async fn what_fails_on_this_machine_is_told_with_who_is_at_fault() {
    let (manager, _folder) = manager().await;
    let crash = "echo \"no database for $TOKEN\" >&2; exit 3";
    for (server, step, party, said) in [
        (
            command("no-such-command", &[]),
            Executable,
            Party::Configuration,
            "is in none of",
        ),
        (
            command("/no/such/file", &[]),
            Executable,
            Party::Configuration,
            "there is no such file",
        ),
        (
            command("sh", &["-c", "exit 3"]),
            FirstByte,
            Party::Server,
            "exited with code 3 before it wrote anything",
        ),
        (
            command("sh", &["-c", crash]),
            Initialize,
            Party::Server,
            "exited with code 3 before it answered initialize",
        ),
        (
            server(ServerConfig::Stdio {
                command: "sh".to_owned(),
                args: vec![],
                env: [("A".to_owned(), "${secret:lost}".to_owned())].into(),
                cwd: None,
            }),
            Executable,
            Party::Configuration,
            "`lost`",
        ),
    ] {
        let report = run(&manager, &server).await;
        let text = report.text();
        let fault = report.fault.as_ref().unwrap_or_else(|| panic!("{text}"));
        assert_eq!(report.outcome, Outcome::Failed, "{text}");
        assert!(
            report
                .steps
                .iter()
                .any(|found| (found.id, found.state) == (step, Failed)),
            "{text}"
        );
        assert_eq!(fault.party, party, "{text}");
        assert!(fault.what.contains(said), "{text}");
        assert!(!fault.next.is_empty() && !fault.clear.is_empty(), "{text}");
        assert!(!text.contains("s3cr3t-value"), "a secret is masked: {text}");
        assert!(manager.live().is_empty(), "nothing is left running");
    }
}

#[tokio::test]
async fn it_ends_at_any_time_and_leaves_no_process() {
    let (manager, folder) = manager().await;
    let mark = folder.path().join("pid");
    let script = format!(
        "echo $$ > {}; echo waiting >&2; cat >/dev/null",
        mark.display()
    );
    let server = command("sh", &["-c", &script]);
    let told = watch::Sender::new(Report::new(&server, 0));
    let mut heard = told.subscribe();
    let stop = CancellationToken::new();
    let begun = async {
        let byte = |report: &Report| report.is(FirstByte, Passed);
        heard.wait_for(byte).await.expect("it is told of");
        stop.cancel();
    };
    let options = OpenOptions::new(Origin::Cli);
    let both = async { tokio::join!(examine(&manager, &server, options, &stop, &told), begun) };
    let (report, ()) = tokio::time::timeout(SOON, both).await.expect("it ends");
    assert_eq!(report.outcome, Outcome::Cancelled, "{}", report.text());
    let pid: i32 = std::fs::read_to_string(mark)
        .unwrap()
        .trim()
        .parse()
        .unwrap();
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    assert!(
        rustix::process::test_kill_process(pid).is_err(),
        "the process is gone"
    );
}

/// Answers each connection with these bytes, whatever is asked.
async fn http(answer: &'static str) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    tokio_util::task::TaskTracker::new().spawn(async move {
        while let Ok((mut peer, _)) = listener.accept().await {
            let mut asked = [0; 4096];
            // The doctor's own socket asks nothing.
            if peer.read(&mut asked).await.is_ok_and(|n| n > 0) {
                let _ = peer.write_all(answer.as_bytes()).await;
            }
        }
    });
    format!("http://{at}/mcp")
}

#[tokio::test]
async fn what_fails_on_the_way_to_an_endpoint_is_told_apart() {
    let (manager, _folder) = manager().await;
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let closed = format!("http://{}/mcp", free.local_addr().unwrap());
    drop(free);
    let challenge = "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer realm=\"x\"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    let broken = "HTTP/1.1 503 Busy\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    for (server, expected, party) in [
        (
            url("http://no-such-host.invalid/mcp".to_owned()),
            vec![(Dns, Failed), (Tcp, Waiting)],
            Party::Network,
        ),
        (
            url(closed),
            vec![
                (Dns, Passed),
                (Tcp, Failed),
                (Tls, Waiting),
                (Http, Waiting),
            ],
            Party::Server,
        ),
        (
            url(http(challenge).await),
            vec![
                (Tls, Skipped),
                (Http, Passed),
                (Authorization, Failed),
                (Initialize, Waiting),
            ],
            Party::Nobody,
        ),
        (
            url(http(broken).await),
            vec![(Tcp, Passed), (Http, Failed), (Authorization, Skipped)],
            Party::Server,
        ),
        (
            url(http("SSH-2.0-OpenSSH_9.2\r\n").await),
            vec![(Tcp, Passed), (Http, Failed)],
            Party::Server,
        ),
    ] {
        let report = run(&manager, &server).await;
        let text = report.text();
        for found in expected {
            assert!(states(&report).contains(&found), "{found:?} in\n{text}");
        }
        let fault = report.fault.as_ref().unwrap_or_else(|| panic!("{text}"));
        assert_eq!(fault.party, party, "{text}");
        assert!(!fault.next.is_empty(), "{text}");
    }
}
