//! What all connections of one server share: a counter that can be watched, and who listens to changes.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use rmcp::service::{SubscriptionContext, SubscriptionSink};
use tokio::sync::watch;

/// The lists that can change.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum List {
    Tools,
    Prompts,
    Resources,
}

/// How long to wait for streams that were accepted and do not begin.
const ARRIVAL: Duration = Duration::from_secs(1);

/// Shared by the connections of one server.
pub(crate) struct Hub {
    counter: AtomicU64,
    /// The open `subscriptions/listen` streams.
    sinks: Mutex<Vec<(u64, SubscriptionSink)>>,
    /// How many were accepted and have not begun.
    arriving: watch::Sender<usize>,
    next: AtomicU64,
    /// Changes when the server ends all of them.
    end: watch::Sender<()>,
}

impl Hub {
    pub(crate) fn new() -> Self {
        Self {
            counter: AtomicU64::new(0),
            sinks: Mutex::default(),
            arriving: watch::Sender::new(0),
            next: AtomicU64::new(0),
            end: watch::Sender::new(()),
        }
    }

    pub(crate) fn counter(&self) -> u64 {
        self.counter.load(Ordering::Relaxed)
    }

    pub(crate) fn count(&self) -> u64 {
        self.counter.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// A stream was accepted. Its client is told so before [`Self::listen`] begins, and may act on it at once.
    pub(crate) fn accepted(&self) {
        self.arriving.send_modify(|count| *count += 1);
    }

    /// Serves one stream until its client or [`Self::end`] ends it.
    pub(crate) async fn listen(&self, subscription: &SubscriptionContext) {
        let mut ended = self.end.subscribe();
        let key = self.next.fetch_add(1, Ordering::Relaxed);
        self.sinks.lock().push((key, subscription.sink().clone()));
        self.arriving
            .send_modify(|count| *count = count.saturating_sub(1));
        tokio::select! {
            () = subscription.cancelled() => {}
            _ = ended.changed() => {}
        }
        self.sinks.lock().retain(|(other, _)| *other != key);
    }

    /// Ends all streams in an orderly way, and says how many there were.
    pub(crate) async fn end(&self) -> usize {
        self.all_begun().await;
        let open = self.sinks.lock().len();
        self.end.send_replace(());
        open
    }

    /// Tells whoever listens for it that a resource changed, and says how many they are.
    pub(crate) async fn updated(&self, uri: &str) -> usize {
        let mut heard = 0;
        for sink in self.sinks().await {
            heard += usize::from(sink.notify_resource_updated(uri).await.is_ok());
        }
        heard
    }

    /// Tells whoever listens for it that a list changed, and says how many they are.
    pub(crate) async fn list_changed(&self, list: List) -> usize {
        let mut heard = 0;
        for sink in self.sinks().await {
            let sent = match list {
                List::Tools => sink.notify_tool_list_changed().await,
                List::Prompts => sink.notify_prompt_list_changed().await,
                List::Resources => sink.notify_resource_list_changed().await,
            };
            heard += usize::from(sent.is_ok());
        }
        heard
    }

    async fn all_begun(&self) {
        let mut arriving = self.arriving.subscribe();
        let begun = arriving.wait_for(|count| *count == 0);
        if tokio::time::timeout(ARRIVAL, begun).await.is_err() {
            // Their clients went away in between.
            self.arriving.send_replace(0);
        }
    }

    async fn sinks(&self) -> Vec<SubscriptionSink> {
        self.all_begun().await;
        let sinks = self.sinks.lock();
        sinks.iter().map(|(_, sink)| sink.clone()).collect()
    }
}

/// What one legacy connection has subscribed to.
pub(crate) type Subscribed = Mutex<BTreeSet<String>>;
