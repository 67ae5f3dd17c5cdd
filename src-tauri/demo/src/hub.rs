//! What all connections of one server share: a counter that can be watched, and who listens to changes.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

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

/// Shared by the connections of one server.
pub(crate) struct Hub {
    counter: AtomicU64,
    /// The open `subscriptions/listen` streams.
    sinks: Mutex<Vec<(u64, SubscriptionSink)>>,
    next: AtomicU64,
    /// Changes when the server ends all of them.
    end: watch::Sender<()>,
}

impl Hub {
    pub(crate) fn new() -> Self {
        Self {
            counter: AtomicU64::new(0),
            sinks: Mutex::default(),
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

    /// Serves one stream until its client or [`Self::end`] ends it.
    pub(crate) async fn listen(&self, subscription: &SubscriptionContext) {
        let mut ended = self.end.subscribe();
        let key = self.next.fetch_add(1, Ordering::Relaxed);
        self.sinks.lock().push((key, subscription.sink().clone()));
        tokio::select! {
            () = subscription.cancelled() => {}
            _ = ended.changed() => {}
        }
        self.sinks.lock().retain(|(other, _)| *other != key);
    }

    /// Ends all streams in an orderly way, and says how many there were.
    pub(crate) fn end(&self) -> usize {
        let open = self.sinks.lock().len();
        self.end.send_replace(());
        open
    }

    /// Tells whoever listens for it that a resource changed, and says how many they are.
    pub(crate) async fn updated(&self, uri: &str) -> usize {
        let mut heard = 0;
        for sink in self.sinks() {
            heard += usize::from(sink.notify_resource_updated(uri).await.is_ok());
        }
        heard
    }

    /// Tells whoever listens for it that a list changed, and says how many they are.
    pub(crate) async fn list_changed(&self, list: List) -> usize {
        let mut heard = 0;
        for sink in self.sinks() {
            let sent = match list {
                List::Tools => sink.notify_tool_list_changed().await,
                List::Prompts => sink.notify_prompt_list_changed().await,
                List::Resources => sink.notify_resource_list_changed().await,
            };
            heard += usize::from(sent.is_ok());
        }
        heard
    }

    fn sinks(&self) -> Vec<SubscriptionSink> {
        let sinks = self.sinks.lock();
        sinks.iter().map(|(_, sink)| sink.clone()).collect()
    }
}

/// What one legacy connection has subscribed to.
pub(crate) type Subscribed = Mutex<BTreeSet<String>>;
