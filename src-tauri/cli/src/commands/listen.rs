//! `listen`: subscribes, and prints what the server tells unasked.

use std::time::Duration;

use framescope_core::client::{Catalog, Client, Notice, SubscriptionState, Watched, ended};
use tokio::sync::broadcast::error::RecvError;

use super::talk::tool_call;
use crate::args::{Options, ServerArgs, What};
use crate::failure::Failure;
use crate::live::with_server;
use crate::print::{Print, visible};
use crate::result::uri_of;

/// What to listen to, and until when.
pub(crate) struct Wanted {
    /// Resources.
    pub(crate) uris: Vec<String>,
    /// Lists.
    pub(crate) lists: Vec<What>,
    /// Ends after so many notifications.
    pub(crate) count: Option<u64>,
    /// Ends after this time.
    pub(crate) during: Option<Duration>,
    /// A tool to be called once it listens.
    pub(crate) call: Option<String>,
}

/// Subscribes and prints until enough came, the time is over, or the server ends it.
pub(crate) async fn listen(
    options: &Options,
    server: ServerArgs,
    wanted: Wanted,
    print: &mut Print,
) -> Result<(), Failure> {
    let call = wanted
        .call
        .as_deref()
        .map(|tool| tool_call(tool, None))
        .transpose()?;
    let quiet = Print::new(options.quiet);
    with_server(options, server, &quiet, async |client: Client| {
        let mut notices = client.notices();
        let list = |what: &What| match what {
            What::Tools => Catalog::Tools,
            What::Prompts => Catalog::Prompts,
            What::Resources | What::Templates => Catalog::Resources,
        };
        let watched = Watched {
            uris: wanted.uris.clone(),
            lists: wanted.lists.iter().map(list).collect(),
        };
        let mut changes = client.subscriptions_changed();
        client.subscribe(watched).await?;
        accepted(&client).await?;
        if let Some(draft) = &call {
            // What it answers is in the log.
            client.call(draft).await?;
        }
        let over = async {
            match wanted.during {
                Some(during) => tokio::time::sleep(during).await,
                None => std::future::pending().await,
            }
        };
        let mut came = 0;
        let told = async {
            loop {
                let notice = tokio::select! {
                    // What came before the end is printed before it.
                    biased;
                    notice = notices.recv() => notice,
                    // The client itself keeps the sender.
                    _ = changes.changed() => match over_by_server(&client) {
                        true => return Ok(()),
                        false => continue,
                    },
                    reason = client.gone() => {
                        return Err(Failure::Connection(format!("{} while it was listened to", ended(&reason))));
                    }
                };
                match notice {
                    Ok(notice) if notice.method == ACKNOWLEDGED => {}
                    Ok(notice) => {
                        show(options, &notice, print)?;
                        came += 1;
                        if wanted.count == Some(came) {
                            return Ok(());
                        }
                    }
                    Err(RecvError::Lagged(missed)) => {
                        print.error(&format!("{missed} notifications came too fast to be printed; they are in the log"));
                    }
                    Err(RecvError::Closed) => return Ok(()),
                }
            }
        };
        tokio::select! {
            told = told => told,
            () = over => Ok(()),
        }
    })
    .await
}

const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";

/// Waits until the server has said yes to everything.
async fn accepted(client: &Client) -> Result<(), Failure> {
    let mut changes = client.subscriptions_changed();
    loop {
        let all = client.subscriptions();
        let refused = all.iter().find_map(|one| match &one.state {
            SubscriptionState::Refused(why) => Some(why.clone()),
            SubscriptionState::Asking | SubscriptionState::Active | SubscriptionState::Ended(_) => {
                None
            }
        });
        if let Some(why) = refused {
            return Err(Failure::Refused(why));
        }
        if all.iter().all(|one| one.state != SubscriptionState::Asking) {
            return Ok(());
        }
        tokio::select! {
            // The client itself keeps the sender.
            _ = changes.changed() => {}
            reason = client.gone() => return Err(Failure::Connection(ended(&reason))),
        }
    }
}

/// Whether the server has ended all that was subscribed to.
fn over_by_server(client: &Client) -> bool {
    let all = client.subscriptions();
    let over = |one: &framescope_core::client::Subscription| {
        matches!(one.state, SubscriptionState::Ended(_))
    };
    !all.is_empty() && all.iter().all(over)
}

fn show(options: &Options, notice: &Notice, print: &mut Print) -> Result<(), Failure> {
    if options.json {
        print.line(&notice.raw)?;
    } else {
        let uri = uri_of(&notice.raw).map(|uri| format!("\t{}", visible(&uri, false)));
        let method = visible(&notice.method, false);
        print.line(format!("{method}{}", uri.unwrap_or_default()))?;
    }
    // Whoever reads wants each as it comes.
    Ok(print.flush()?)
}
