//! Reads a list again when the server says that it has changed: once for many notifications, and never in a loop.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::client::{Catalog, Client, Watched};
use crate::protocol::Era;

/// Notifications within this time lead to one request.
const DEBOUNCE: Duration = Duration::from_millis(250);
/// The longest time between two readings of a server that announces changes without end.
const LONGEST: Duration = Duration::from_secs(30);
/// How often in a row a list is read again that turns out to be the same: some servers announce a change whenever it is
/// read. It counts anew where the server was quiet for [`LONGEST`].
const SAME: u32 = 2;

/// What is known of a list.
#[derive(Default)]
struct Known {
    items: Option<Vec<String>>,
    same: u32,
}

/// Runs until it is stopped; a client that is connected again is the same client.
pub(super) async fn follow(client: Client, stop: CancellationToken) {
    tokio::select! {
        () = listening(&client) => {}
        () = stop.cancelled() => {}
    }
}

async fn listening(client: &Client) {
    let mut notices = client.notices();
    subscribe(client).await;
    let mut known: HashMap<Catalog, Known> = HashMap::new();
    let (mut pause, mut read_at) = (DEBOUNCE, None::<Instant>);
    loop {
        let mut changed = vec![];
        let mut next = notices.recv().await;
        // Changes that follow a reading at once are read ever more rarely.
        let quiet = read_at.map(|at| at.elapsed());
        let again = quiet.is_some_and(|time| time < 2 * pause);
        if quiet.is_some_and(|time| time > LONGEST) {
            known.values_mut().for_each(|list| list.same = 0);
        }
        pause = if again {
            (2 * pause).min(LONGEST)
        } else {
            DEBOUNCE
        };
        let until = Instant::now() + pause;
        loop {
            match next {
                Ok(notice) => add(&mut changed, &notice.method),
                // What was lost is in the log; another notification will come with the next change.
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return,
            }
            match timeout_at(until, notices.recv()).await {
                Ok(more) => next = more,
                Err(_) => break,
            }
        }
        for what in &changed {
            read(client, *what, known.entry(*what).or_default()).await;
        }
        if !changed.is_empty() {
            read_at = Some(Instant::now());
        }
    }
}

/// Where a list cannot be read, the log tells why, and the others go on.
async fn read(client: &Client, what: Catalog, known: &mut Known) {
    if known.same == SAME {
        return;
    }
    let Ok(listed) = client.list_raw(what).await else {
        return;
    };
    let items: Vec<_> = listed
        .items
        .iter()
        .map(|item| item.get().to_owned())
        .collect();
    let same = known.items.as_ref() == Some(&items);
    known.same = if same { known.same + 1 } else { 0 };
    known.items = Some(items);
    if !same {
        client.tell_lists_changed();
    }
}

fn add(changed: &mut Vec<Catalog>, method: &str) {
    for what in Catalog::changed_by(method) {
        if !changed.contains(what) {
            changed.push(*what);
        }
    }
}

/// A modern server tells of changes only to whoever subscribes.
async fn subscribe(client: &Client) {
    let negotiated = client.negotiated();
    if negotiated.era != Era::Modern {
        return;
    }
    let offered: Value = serde_json::from_str(negotiated.capabilities.get()).unwrap_or_default();
    let lists = [
        ("tools", Catalog::Tools),
        ("prompts", Catalog::Prompts),
        ("resources", Catalog::Resources),
    ];
    let wanted: Vec<_> = lists
        .into_iter()
        .filter(|(capability, _)| offered[capability]["listChanged"] == true)
        .map(|(_, list)| list)
        .collect();
    if !wanted.is_empty() {
        let watched = Watched {
            uris: vec![],
            lists: wanted,
        };
        // Where it is refused, the log tells.
        let _ = client.subscribe(watched).await;
    }
}
