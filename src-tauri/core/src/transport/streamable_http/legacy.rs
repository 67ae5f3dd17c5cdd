//! What the legacy era adds: a session that `initialize` opens and DELETE ends, and a stream of the server's own (transports ›
//! Session Management, Protocol Version Header, Listening). A modern server never gets here: it answers no `initialize`.

use std::borrow::Cow;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use reqwest::Method;
use reqwest::header::{ACCEPT, HeaderMap, HeaderName, HeaderValue};
use serde::Deserialize;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::Shared;
use super::exchange::{Request, Stop};
use super::intake::{Cursor, Reading};
use super::resume::{FRUITLESS, RETRY, Streamed};
use crate::record::{NotRecording, Recorded};

const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
/// How long what is sent next waits for the server's own stream: some servers send not even its headers before its first event.
const OPENING: Duration = Duration::from_millis(500);
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
/// The first revision with the `MCP-Protocol-Version` header. Versions are dates, so they compare as text.
const FIRST_WITH_VERSION: &str = "2025-06-18";

/// What `initialize` settled.
#[derive(Debug, Default)]
pub(super) struct Legacy(Mutex<Settled>);

#[derive(Debug, Default)]
struct Settled {
    session: Option<HeaderValue>,
    /// The negotiated revision.
    version: Option<String>,
}

impl Legacy {
    /// `initialize` is sent without a session, and what an earlier one settled is over.
    pub(super) fn begin(&self) {
        *self.0.lock() = Settled::default();
    }

    /// Takes the session id from the response to `initialize`, and from nowhere else: some servers put a fresh one on errors.
    pub(super) fn take_session(&self, headers: &HeaderMap) {
        self.0.lock().session = headers.get(SESSION).cloned();
    }

    /// Takes the revision from the result of `initialize`.
    pub(super) fn take_version(&self, frame: &Recorded) {
        let message = frame.message().unwrap_or_default();
        let Ok(answer) = serde_json::from_slice::<InitializeAnswer<'_>>(&message) else {
            return;
        };
        self.0.lock().version = answer.result.protocol_version.map(Cow::into_owned);
    }

    /// Whether a session id is sent.
    pub(super) fn has_session(&self) -> bool {
        self.0.lock().session.is_some()
    }

    /// Whether `initialize` was answered.
    pub(super) fn is_settled(&self) -> bool {
        self.0.lock().version.is_some()
    }

    /// The headers of every request after `initialize`.
    pub(super) fn headers(&self) -> Vec<(HeaderName, HeaderValue)> {
        let settled = self.0.lock();
        let session = settled.session.clone().map(|id| (SESSION, id));
        let version = settled
            .version
            .as_deref()
            .filter(|version| *version >= FIRST_WITH_VERSION);
        let version = version.and_then(|version| HeaderValue::from_str(version).ok());
        session
            .into_iter()
            .chain(version.map(|version| (VERSION, version)))
            .collect()
    }
}

#[derive(Deserialize)]
struct InitializeAnswer<'a> {
    #[serde(borrow)]
    result: InitializeResult<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct InitializeResult<'a> {
    #[serde(borrow)]
    protocol_version: Option<Cow<'a, str>>,
}

impl Shared {
    /// Asks for the stream of the server's own messages. It is optional: that it is refused is in the log, and no more.
    /// `begun` is dropped when it has begun or was refused, so that what is sent next does not overtake it: servers drop
    /// what they have to ask or tell while there is no stream.
    pub(super) fn listen(self: &Arc<Self>, begun: Option<oneshot::Sender<()>>) {
        if !self.legacy.is_settled() {
            return;
        }
        let shared = Arc::clone(self);
        self.exchanges.spawn(async move {
            if let Err(lost) = shared.listening(begun).await {
                shared.lost(&lost);
            }
        });
    }

    async fn listening(&self, mut begun: Option<oneshot::Sender<()>>) -> Result<(), NotRecording> {
        let stop = Stop::with(&self.stop);
        let (mut cursor, mut fruitless) = (Cursor::default(), 0);
        while fruitless < FRUITLESS {
            let asked = {
                let mut asked = pin!(self.ask(&cursor, &stop));
                match timeout(OPENING, &mut asked).await {
                    Ok(asked) => asked,
                    Err(_) => {
                        drop(begun.take());
                        asked.await
                    }
                }
            };
            drop(begun.take());
            let heard = match self.take(asked?, &cursor, Reading::Unasked, &stop).await? {
                Streamed::Ended(end) if end.stopped => return Ok(()),
                Streamed::Ended(end) => {
                    let heard = end.frames > 0;
                    cursor.follow(end.cursor);
                    heard
                }
                // That it is refused is in the log, and no more: the stream is optional.
                Streamed::Refused(_) => return Ok(()),
                Streamed::Failed(_) => false,
            };
            fruitless = if heard { 0 } else { fruitless + 1 };
            let wait = cursor.retry.unwrap_or(RETRY);
            if stop.unless(tokio::time::sleep(wait)).await.is_err() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Ends the session at the server. That it refuses is in the log, and no more.
    pub(super) async fn delete(&self) {
        if !self.legacy.has_session() {
            return;
        }
        let stop = Stop::after(self.session.waits.stdin);
        if let Err(lost) = self.deleting(&stop).await {
            tracing::warn!("the end of an HTTP session is not in the log: {lost}");
        }
    }

    async fn deleting(&self, stop: &Stop) -> Result<(), NotRecording> {
        let request = self
            .bare(Method::DELETE, "application/json, text/event-stream")
            .await;
        let Some(exchange) = self.perform(request, None, stop).await?.ok() else {
            return Ok(());
        };
        let (via, said) = exchange.text(stop).await;
        self.end_of(via, Some(said).filter(|said| !said.is_empty()))
            .await
    }

    /// A request without a message.
    pub(super) async fn bare(&self, method: Method, accept: &'static str) -> Request {
        let url = self.endpoint.url.clone();
        let credentials = self.credentials(&method, &url).await;
        let own = [(ACCEPT, HeaderValue::from_static(accept))];
        let headers = self
            .endpoint
            .headers(&own, &[&credentials, &self.legacy.headers()]);
        Request {
            method,
            url,
            headers,
            body: None,
        }
    }
}
