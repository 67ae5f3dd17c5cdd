//! What a session has subscribed to, in either era: `resources/subscribe` of the legacy one (server/resources › Subscriptions),
//! `subscriptions/listen` of the modern one (basic/patterns/subscriptions).

use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::value::RawValue;
use tokio::sync::watch;

use super::json::{Members, items, quoted, string};
use super::link::Link;
use super::{Call, Catalog, Client, ClientError, Draft, Outcome, Reply};
use crate::record::{Clock, Seq};

const SUBSCRIBE: &str = "resources/subscribe";
const UNSUBSCRIBE: &str = "resources/unsubscribe";
const LISTEN: &str = "subscriptions/listen";
const UPDATED: &str = "notifications/resources/updated";
const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";
/// The members of a filter that ask for lists.
const LISTS: [(Catalog, &str); 3] = [
    (Catalog::Tools, "toolsListChanged"),
    (Catalog::Prompts, "promptsListChanged"),
    (Catalog::Resources, "resourcesListChanged"),
];

/// What can be subscribed to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    /// URIs of resources.
    pub uris: Vec<String>,
    /// Lists: tools, prompts, resources.
    pub lists: Vec<Catalog>,
}

/// A subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// The request that asked for it.
    pub seq: Seq,
    /// What was asked for.
    pub asked: Watched,
    /// What the server honours, once it has said so.
    pub granted: Option<Watched>,
    /// How it stands.
    pub state: SubscriptionState,
    /// How many notifications came.
    pub updates: u64,
    /// When the newest came (microseconds since the epoch), and its record.
    pub last: Option<(i64, Seq)>,
}

/// How it stands with a subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubscriptionState {
    /// The server has not said yes yet.
    Asking,
    /// It is told what changes.
    Active,
    /// The server said no, in these words.
    Refused(String),
    /// It is over, and how.
    Ended(String),
}

impl Watched {
    /// As the `notifications` member of a listen request.
    fn filter(&self) -> String {
        let mut members: Vec<_> = LISTS
            .iter()
            .filter(|(list, _)| self.lists.contains(list))
            .map(|(_, key)| format!(r#""{key}":true"#))
            .collect();
        if !self.uris.is_empty() {
            let uris: Vec<_> = self.uris.iter().map(|uri| quoted(uri)).collect();
            members.push(format!(r#""resourceSubscriptions":[{}]"#, uris.join(",")));
        }
        format!("{{{}}}", members.join(","))
    }

    /// Reads a filter out of the params of a listen request or an acknowledgement.
    fn of(params: &str) -> Option<Self> {
        let filter = Members::of(params).ok()?.get("notifications")?;
        let filter = Members::of(filter.get()).ok()?;
        let uris = filter.get("resourceSubscriptions");
        let uris = uris.and_then(|uris| items(uris.get())).unwrap_or_default();
        let wanted = |key: &str| filter.get(key).is_some_and(|value| value.get() == "true");
        Some(Self {
            uris: uris.into_iter().filter_map(string).collect(),
            lists: LISTS
                .iter()
                .filter(|(_, key)| wanted(key))
                .map(|(list, _)| *list)
                .collect(),
        })
    }
}

/// The subscriptions of a session, also those that are over.
#[derive(Debug, Default)]
pub(super) struct Subscriptions {
    all: Mutex<Vec<Subscription>>,
    changed: watch::Sender<()>,
}

impl Subscriptions {
    /// Changes the subscription that was asked for as `seq`; a notification may come before its request's sender goes on.
    fn change(&self, seq: Seq, change: impl FnOnce(&mut Subscription)) {
        let mut all = self.all.lock();
        let at = all.iter().position(|one| one.seq == seq);
        let at = at.unwrap_or_else(|| {
            all.push(Subscription {
                seq,
                asked: Watched::default(),
                granted: None,
                state: SubscriptionState::Asking,
                updates: 0,
                last: None,
            });
            all.len() - 1
        });
        if let Some(one) = all.get_mut(at) {
            change(one);
        }
        drop(all);
        self.changed.send_replace(());
    }

    fn get(&self, seq: Seq) -> Option<Subscription> {
        self.all.lock().iter().find(|one| one.seq == seq).cloned()
    }

    fn end(&self, seq: Seq, state: SubscriptionState) {
        self.change(seq, |one| {
            // What was ended on purpose stays so.
            if matches!(
                one.state,
                SubscriptionState::Asking | SubscriptionState::Active
            ) {
                one.state = state;
            }
        });
    }

    /// A notification of the legacy era, which names no subscription.
    fn updated(&self, uri: &str, from: Seq) {
        let all = self.all.lock();
        let concerned: Vec<_> = all
            .iter()
            .filter(|one| one.state == SubscriptionState::Active)
            .filter(|one| one.asked.uris.iter().any(|asked| concerns(asked, uri)))
            .map(|one| one.seq)
            .collect();
        drop(all);
        for seq in concerned {
            self.count(seq, from);
        }
    }

    fn count(&self, seq: Seq, from: Seq) {
        self.change(seq, |one| {
            one.updates += 1;
            one.last = Some((Clock::start().now_us(), from));
        });
    }
}

impl Client {
    /// What was subscribed to, oldest first.
    pub fn subscriptions(&self) -> Vec<Subscription> {
        self.latest().dial.subscriptions.all.lock().clone()
    }

    /// Changes whenever [`Client::subscriptions`] does.
    pub fn subscriptions_changed(&self) -> watch::Receiver<()> {
        self.latest().dial.subscriptions.changed.subscribe()
    }

    /// Subscribes. A legacy server is asked for each resource, and tells of lists unasked; a modern one is asked once. Gives the
    /// requests; how they stand is told by [`Client::subscriptions`].
    ///
    /// # Errors
    /// Where a request is not sent.
    pub async fn subscribe(&self, watched: Watched) -> Result<Vec<Seq>, ClientError> {
        let link = self.latest();
        if link.is_modern() {
            let call = self.listen(&watched.filter()).await?;
            let seq = call.seq();
            link.subscribed(call, watched);
            return Ok(vec![seq]);
        }
        let mut seqs = vec![];
        for uri in watched.uris {
            seqs.push(link.subscribe(uri).await?);
        }
        Ok(seqs)
    }

    /// Ends the subscription that was asked for as `seq`. False where there is none.
    ///
    /// # Errors
    /// Where a legacy server could not be told.
    pub async fn unsubscribe(&self, seq: Seq) -> Result<bool, ClientError> {
        let link = self.latest();
        let Some(subscription) = link.dial.subscriptions.get(seq) else {
            return Ok(false);
        };
        let over = SubscriptionState::Ended("ended by the user".to_owned());
        link.dial.subscriptions.end(seq, over);
        if link.is_modern() {
            return Ok(self.cancel(seq).await);
        }
        for uri in &subscription.asked.uris {
            let params = format!(r#"{{"uri":{}}}"#, quoted(uri));
            let call = self.call(&Draft::new(UNSUBSCRIBE, Some(params))).await?;
            if let Err(error) = call.outcome().await.answered(UNSUBSCRIBE)? {
                let method = UNSUBSCRIBE.to_owned();
                return Err(ClientError::Refused { method, error });
            }
        }
        Ok(true)
    }
}

impl Link {
    /// Asks a legacy server for a resource.
    async fn subscribe(self: &Arc<Self>, uri: String) -> Result<Seq, ClientError> {
        let params = format!(r#"{{"uri":{}}}"#, quoted(&uri));
        let call = self.ask(&Draft::new(SUBSCRIBE, Some(params))).await?;
        let seq = call.seq();
        let watched = Watched {
            uris: vec![uri],
            lists: vec![],
        };
        self.dial
            .subscriptions
            .change(seq, |one| one.asked = watched);
        let link = Arc::clone(self);
        self.dial.how.tasks.spawn(async move {
            let outcome = call.outcome().await;
            let all = &link.dial.subscriptions;
            match outcome.answered(SUBSCRIBE) {
                Ok(Ok(_)) => all.change(seq, |one| {
                    one.granted = Some(one.asked.clone());
                    if one.state == SubscriptionState::Asking {
                        one.state = SubscriptionState::Active;
                    }
                }),
                refused => all.end(seq, SubscriptionState::Refused(words(refused))),
            }
        });
        Ok(seq)
    }

    /// A listen request was sent.
    pub(super) fn subscribed(self: &Arc<Self>, call: Call, watched: Watched) {
        let seq = call.seq();
        self.dial
            .subscriptions
            .change(seq, |one| one.asked = watched);
        let link = Arc::clone(self);
        self.dial.how.tasks.spawn(async move {
            let outcome = call.outcome().await;
            let ended = match outcome {
                Outcome::Reply { reply: Ok(_), .. } => "the server ended it".to_owned(),
                Outcome::Cancelled => "ended by the user".to_owned(),
                Outcome::Reply { .. }
                | Outcome::TimedOut { .. }
                | Outcome::Closed(_)
                | Outcome::Failed(_)
                | Outcome::OverLimit { .. } => words(outcome.answered(LISTEN)),
            };
            let all = &link.dial.subscriptions;
            let acknowledged = all.get(seq).is_some_and(|one| one.granted.is_some());
            all.end(
                seq,
                match acknowledged {
                    true => SubscriptionState::Ended(ended),
                    false => SubscriptionState::Refused(ended),
                },
            );
        });
    }

    /// Takes up on this wire what an earlier one of the same session had; `params` are those of a listen request.
    pub(super) fn listened_again(self: &Arc<Self>, call: Call, params: Option<&str>) {
        let watched = params.and_then(Watched::of).unwrap_or_default();
        self.subscribed(call, watched);
    }

    /// Takes the resources up on this wire that were subscribed to on an earlier one of the same legacy session.
    pub(super) async fn subscribe_again(self: &Arc<Self>) {
        let open: Vec<_> = {
            let all = self.dial.subscriptions.all.lock();
            let active = all
                .iter()
                .filter(|one| one.state == SubscriptionState::Active);
            active
                .map(|one| (one.seq, one.asked.uris.clone()))
                .collect()
        };
        for (seq, uris) in open {
            let lost = SubscriptionState::Ended("the connection was lost".to_owned());
            self.dial.subscriptions.end(seq, lost);
            for uri in uris {
                if let Err(error) = self.subscribe(uri).await {
                    tracing::debug!("a subscription was not taken up again: {error}");
                }
            }
        }
    }

    /// A notification concerns a subscription: that of the listen request `listen`, or in the legacy era whichever it fits.
    pub(super) fn concerns(
        &self,
        listen: Option<Seq>,
        method: &str,
        text: Option<&str>,
        from: Seq,
    ) {
        let all = &self.dial.subscriptions;
        let params = || Members::of(text?).ok()?.get("params").map(RawValue::get);
        match (listen, method) {
            (Some(seq), ACKNOWLEDGED) => all.change(seq, |one| {
                one.granted = params().and_then(Watched::of);
                if one.state == SubscriptionState::Asking {
                    one.state = SubscriptionState::Active;
                }
            }),
            (Some(seq), _) => all.count(seq, from),
            (None, UPDATED) if !all.all.lock().is_empty() => {
                let uri = params().and_then(|params| Members::of(params).ok()?.string("uri"));
                if let Some(uri) = uri {
                    all.updated(&uri, from);
                }
            }
            (None, _) => {}
        }
    }
}

/// Whether a notification of `uri` is for whoever subscribed to `asked`: it may name a part of it (server/resources ›
/// Subscriptions).
fn concerns(asked: &str, uri: &str) -> bool {
    uri.strip_prefix(asked).is_some_and(|part| {
        part.is_empty() || asked.ends_with('/') || part.starts_with(['/', '?', '#'])
    })
}

fn words(answered: Result<Reply, ClientError>) -> String {
    match answered {
        Ok(Ok(_)) => "the server answered".to_owned(),
        Ok(Err(error)) => format!("the server answered with {}: {}", error.code, error.message),
        Err(error) => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_resource_concerns_it_and_a_neighbour_does_not() {
        for (uri, concerned) in [
            ("file:///a", true),
            ("file:///a/b", true),
            ("file:///a#line", true),
            ("file:///ab", false),
            ("file:///", false),
        ] {
            assert_eq!(concerns("file:///a", uri), concerned, "{uri}");
        }
        assert!(concerns("file:///a/", "file:///a/b"));
    }

    #[test]
    fn a_filter_says_what_is_watched_and_is_read_back() {
        let watched = Watched {
            uris: vec!["a://\"b\"".to_owned()],
            lists: vec![Catalog::Prompts, Catalog::Tools],
        };
        let filter = watched.filter();
        assert_eq!(
            filter,
            r#"{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["a://\"b\""]}"#
        );
        let read = Watched::of(&format!(r#"{{"notifications":{filter}}}"#)).unwrap();
        assert_eq!(read.uris, watched.uris);
        assert_eq!(read.lists, [Catalog::Tools, Catalog::Prompts]);
        assert_eq!(Watched::default().filter(), "{}");
    }
}
