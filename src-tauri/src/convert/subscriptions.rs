//! Subscriptions as rows.

use framescope_core::client::{Catalog, Client, Subscription, SubscriptionState, Watched};

use crate::rows::{self, GrantRow, ListName, SubscriptionRow};

/// All subscriptions of a session, oldest first.
pub(crate) fn subscription_rows(client: &Client) -> Vec<SubscriptionRow> {
    client.subscriptions().into_iter().map(row).collect()
}

fn row(subscription: Subscription) -> SubscriptionRow {
    let (state, message) = match subscription.state {
        SubscriptionState::Asking => (rows::SubscriptionState::Asking, None),
        SubscriptionState::Active => (rows::SubscriptionState::Active, None),
        SubscriptionState::Refused(why) => (rows::SubscriptionState::Refused, Some(why)),
        SubscriptionState::Ended(how) => (rows::SubscriptionState::Ended, Some(how)),
    };
    let asked = grant(subscription.asked);
    SubscriptionRow {
        seq: subscription.seq.0,
        uris: asked.uris,
        lists: asked.lists,
        granted: subscription.granted.map(grant),
        state,
        message,
        updates: subscription.updates,
        last_us: subscription.last.map(|(at, _)| at),
        last_seq: subscription.last.map(|(_, seq)| seq.0),
    }
}

fn grant(watched: Watched) -> GrantRow {
    let list = |list| match list {
        Catalog::Tools => ListName::Tools,
        Catalog::Prompts => ListName::Prompts,
        // One notification tells of both lists.
        Catalog::Resources | Catalog::Templates => ListName::Resources,
    };
    GrantRow {
        uris: watched.uris,
        lists: watched.lists.into_iter().map(list).collect(),
    }
}
