//! Against the servers of `../shared/peers`, where they are.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use super::connect;
use crate::client::{Client, Draft, Outcome};
use crate::protocol::{EraChoice, ServerConfig};
use crate::record::{EventKind, Flags};
use crate::transport::testing::TestLog;

static SKIPPED: AtomicU32 = AtomicU32::new(0);

/// A client of the torture server; `None`, loudly, where it or Node is missing.
async fn torture(log: &TestLog) -> Option<Client> {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/peers/torture.mjs");
    let node = std::process::Command::new("node")
        .arg("--version")
        .output()
        .is_ok();
    if !file.exists() || !node {
        let count = SKIPPED.fetch_add(1, Ordering::Relaxed) + 1;
        eprintln!(
            "SKIPPED ({count} so far): {} or node is missing",
            file.display()
        );
        return None;
    }
    let config = ServerConfig::Stdio {
        command: "node".to_owned(),
        args: vec![file.display().to_string()],
        env: super::no_env(),
        cwd: None,
    };
    Some(
        connect(log, config, EraChoice::Auto)
            .run()
            .await
            .expect("connects"),
    )
}

async fn tool(client: &Client, name: &str, arguments: &str) -> Outcome {
    let params = format!(r#"{{"name":"{name}","arguments":{arguments}}}"#);
    client
        .call(&Draft::new("tools/call", Some(params)))
        .await
        .expect("sent")
        .outcome()
        .await
}

fn result(outcome: Outcome) -> String {
    let Outcome::Reply {
        reply: Ok(result), ..
    } = outcome
    else {
        panic!("{outcome:?}")
    };
    result.get().to_owned()
}

#[tokio::test]
async fn the_torture_server_is_listed_and_called() {
    let log = TestLog::start();
    let Some(client) = torture(&log).await else {
        return;
    };
    assert_eq!(client.list_tools().await.unwrap().items.len(), 12);
    assert!(result(tool(&client, "bigint-result", "{}").await).contains("9007199254740993"));
    assert!(result(tool(&client, "stdout-garbage", "{}").await).contains("ok"));
    assert!(result(tool(&client, "big-result", r#"{"kib":5120}"#).await).len() > 5_000_000);
    assert!(result(tool(&client, "burst", r#"{"n":2000}"#).await).contains("done"));
    let all = log.all();
    let bursts: Vec<_> = all
        .iter()
        .filter(|logged| logged.text().contains("notifications/message"))
        .map(|logged| logged.json()["params"]["data"]["i"].as_u64())
        .collect();
    assert_eq!(
        bursts,
        (0..2000).map(Some).collect::<Vec<_>>(),
        "every notification, in order, before the answer"
    );
    assert_eq!(
        all.iter()
            .filter(|logged| logged.flag(Flags::NOISE))
            .count(),
        1
    );
    let Outcome::Reply {
        reply: Err(error), ..
    } = tool(&client, "rpc-error", "{}").await
    else {
        panic!("an error")
    };
    assert_eq!(
        error.raw.get(),
        r#"{"code":-32042,"message":"custom failure","data":{"hint":"look here","trace":[1,2,3]}}"#
    );
    let Outcome::Closed(reason) = tool(&client, "crash", "{}").await else {
        panic!("a crash")
    };
    assert_eq!(reason.closed.code, Some(3));
    assert!(
        reason.last_stderr.ends_with("FATAL: about to exit 3"),
        "{}",
        reason.last_stderr
    );
    let tail = log
        .until("the end", |all| {
            (all.last()?.record.event == EventKind::Closed).then(|| all[all.len() - 3..].to_vec())
        })
        .await;
    assert_eq!(tail[0].text(), "FATAL: about to exit 3");
    assert!(tail[1].note("unanswered").is_some());
    assert!(tail[2].flag(Flags::CRASH));
}
