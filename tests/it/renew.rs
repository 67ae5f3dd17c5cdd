//! Another wire in the same session: what was subscribed to on the one that was lost is asked for again.

use std::sync::Arc;

use framescope_core::client::{Client, Draft, Subscription, SubscriptionState, Watched};
use framescope_core::history::{History, Origin, Server};
use framescope_core::manager::{ClientManager, OpenOptions};
use framescope_core::protocol::{EraChoice, ServerConfig};
use framescope_core::secrets::MemorySecrets;
use framescope_tests::peers::program;
use uuid::Uuid;

use crate::peer::soon;

const COUNTER: &str = "demo://counter";

/// Waits until a subscription to the counter stands as is asked.
async fn counted(
    client: &Client,
    what: &str,
    holds: impl Fn(&Subscription) -> bool,
) -> Subscription {
    let mut changed = client.subscriptions_changed();
    soon(what, async {
        loop {
            changed.borrow_and_update();
            let mut all = client.subscriptions().into_iter();
            if let Some(found) = all.find(|one| one.asked.uris == [COUNTER] && holds(one)) {
                return found;
            }
            changed.changed().await.expect("the client lives");
        }
    })
    .await
}

fn active(one: &Subscription) -> bool {
    one.state == SubscriptionState::Active
}

async fn call(client: &Client, tool: &str, arguments: &str) {
    let params = format!(r#"{{"name":"{tool}","arguments":{arguments}}}"#);
    let call = client.call(&Draft::new("tools/call", Some(params))).await;
    soon(tool, call.expect("sent").outcome()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subscription_is_taken_up_again_where_the_connection_was_lost() {
    for era in [EraChoice::Legacy, EraChoice::Modern] {
        let Some(program) = program("framescope-cli") else {
            return;
        };
        let dir = tempfile::tempdir().expect("a folder");
        let history = History::open(dir.path()).await.expect("a data folder");
        let manager = ClientManager::new(history, Arc::new(MemorySecrets::default()));
        let server = Server {
            id: Uuid::nil(),
            name: "demo".to_owned(),
            config: ServerConfig::Stdio {
                command: program.to_string_lossy().into_owned(),
                args: vec!["demo-server".to_owned()],
                env: [].into(),
                cwd: None,
            },
            era,
            timeout_ms: 60_000,
            position: 0,
            demo: false,
            unconfirmed: false,
        };
        let mut options = OpenOptions::new(Origin::Cli);
        options.reconnect = true;
        let id = manager.open(&server, options).await.expect("a session");
        let client = soon("the handshake", manager.connected(id))
            .await
            .expect("connected");
        let watched = Watched {
            uris: vec![COUNTER.to_owned()],
            lists: vec![],
        };
        client.subscribe(watched).await.expect("sent");
        let before = counted(&client, "a subscription", active).await;
        call(&client, "exit", r#"{"code":3}"#).await;
        counted(&client, "the end of it", |one| {
            one.seq == before.seq && !active(one)
        })
        .await;
        let after = counted(&client, "another one", active).await;
        assert_ne!(after.seq, before.seq, "{era}");
        call(&client, "touch-resource", "{}").await;
        let told = counted(&client, "an update", |one| one.updates == 1).await;
        assert_eq!(told.seq, after.seq, "{era}");
        let open = client
            .subscriptions()
            .iter()
            .filter(|one| active(one))
            .count();
        assert_eq!(open, 1, "{era}: once, not twice");
        soon("the end", manager.close(id))
            .await
            .expect("it is open");
    }
}
