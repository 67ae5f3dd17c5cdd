//! HTTP+SSE of 2024-11-05: one stream brings everything from the server, and tells by its first event where messages are
//! posted (2024-11-05 basic/transports › HTTP with SSE). What differs from Streamable HTTP is here.

use std::sync::Arc;

use reqwest::header::{AUTHORIZATION, HeaderValue};
use reqwest::{Method, Url};
use tokio_util::sync::CancellationToken;

use super::Shared;
use super::endpoint::brief;
use super::error::HttpError;
use super::exchange::Stop;
use super::intake::{ReadEnd, Reading};
use super::post::{CHALLENGES, Head, unanswered};
use crate::protocol::sse::SseFields;
use crate::record::{EndReason, NotRecording, StoppedBy};
use crate::transport::Next;
use crate::transport::writer::Ending;

/// Where messages are posted.
#[derive(Clone, Debug)]
pub(super) enum Address {
    /// The stream has not told yet.
    Awaited,
    /// There.
    Known(Url),
    /// Nowhere.
    Failed(HttpError),
}

impl Shared {
    /// Whether answers come on the server's stream and not to the POST.
    pub(super) fn answers_on_stream(&self) -> bool {
        self.address.is_some()
    }

    /// Where to post a message: the endpoint, or what the stream names as soon as it does.
    pub(super) async fn address(&self, abort: &CancellationToken) -> Result<Url, HttpError> {
        let Some(address) = &self.address else {
            return Ok(self.endpoint.url.clone());
        };
        let mut changes = address.subscribe();
        let told = changes.wait_for(|address| !matches!(address, Address::Awaited));
        match Stop::or(&self.stop, abort).unless(told).await {
            Ok(Ok(address)) => match &*address {
                Address::Known(url) => Ok(url.clone()),
                Address::Failed(error) => Err(error.clone()),
                Address::Awaited => Err(HttpError::Aborted),
            },
            Ok(Err(_)) | Err(_) => Err(HttpError::Aborted),
        }
    }

    /// Takes the address for messages from an event of the stream. True where it is that event.
    pub(super) fn takes_endpoint(&self, fields: &SseFields<'_>) -> bool {
        let Some(address) = &self.address else {
            return false;
        };
        if fields.event != Some(b"endpoint") {
            return false;
        }
        let named = String::from_utf8_lossy(fields.data.as_deref().unwrap_or_default());
        let found = match resolve(&self.endpoint.url, named.trim()) {
            Ok(url) => Address::Known(url),
            Err(error) => Address::Failed(error),
        };
        // It is told once; another one would move a running session.
        address.send_if_modified(|known| {
            let first = matches!(known, Address::Awaited);
            if first {
                *known = found;
            }
            first
        });
        true
    }

    /// Reads the stream; the connection lives as long as it.
    pub(super) async fn live(self: Arc<Self>) {
        match self.lived().await {
            Ok(None) => {}
            Ok(Some(error)) => self.fail(error),
            Err(lost) => self.lost(&lost),
        }
    }

    /// Why the stream ended, unless this side ended it. Where it wants a token, it is asked for again with one.
    async fn lived(&self) -> Result<Option<HttpError>, NotRecording> {
        for _ in 0..CHALLENGES {
            let (Some(error), sent) = self.stream().await? else {
                return Ok(None);
            };
            let HttpError::SignIn { challenge, .. } = &error else {
                return Ok(Some(error));
            };
            let sent = sent.as_ref().and_then(|sent| sent.to_str().ok());
            let asked = self.authorize.on_challenge((**challenge).clone(), sent);
            tokio::select! {
                next = asked => if next == Next::Stop { return Ok(Some(error)) },
                () = self.stop.cancelled() => return Ok(None),
            }
        }
        self.stream().await.map(|(error, _)| error)
    }

    /// One stream: why it ended, and the `Authorization` with which it was asked for.
    async fn stream(&self) -> Result<(Option<HttpError>, Option<HeaderValue>), NotRecording> {
        let stop = Stop::with(&self.stop);
        let request = self.bare(Method::GET, "text/event-stream").await;
        let sent = request.headers.get(AUTHORIZATION).cloned();
        let exchange = match self.perform(request, None, &stop).await? {
            Ok(exchange) => exchange,
            Err(error) => return Ok((Some(error).filter(|_| !self.stop.is_cancelled()), sent)),
        };
        let url = &self.endpoint.url;
        let status = exchange.response.status();
        if !status.is_success() || !exchange.is_event_stream() {
            let head = Head {
                status,
                headers: exchange.response.headers().clone(),
                in_session: false,
                sent: sent.clone(),
            };
            let (via, said) = exchange.text(&stop).await;
            let end = ReadEnd {
                via,
                answered: false,
                settled: false,
                cursor: Default::default(),
                frames: 0,
                excerpt: said.clone().into_bytes(),
                broken: None,
                stopped: false,
                held: Vec::new(),
            };
            self.end_of(via, Some(said).filter(|said| !said.is_empty()))
                .await?;
            let mut error = unanswered(url, &head, &end, false);
            if let HttpError::NoResponse { what, .. } = &mut error {
                "it sent no event stream".clone_into(what);
            }
            return Ok((Some(error), sent));
        }
        let end = self.read(exchange, &stop, Reading::Unasked).await?;
        let ended = "the server ended its stream".to_owned();
        let how = end.broken.clone().unwrap_or(ended);
        self.end_of(end.via, Some(how)).await?;
        let how = match &end.broken {
            Some(why) => format!("broke: {why}"),
            None => "ended".to_owned(),
        };
        let url = brief(url);
        let ended = HttpError::StreamEnded { url, how };
        Ok(((!end.stopped).then_some(ended), sent))
    }

    /// Fails whoever waits for the address, and ends the wire.
    fn fail(&self, error: HttpError) {
        let text = error.to_string();
        let reason = if matches!(error, HttpError::StreamEnded { .. }) {
            EndReason::StreamEnded
        } else {
            EndReason::Failed
        };
        let waited = self.address.as_ref().is_some_and(|address| {
            address.send_if_modified(|address| {
                let awaited = matches!(address, Address::Awaited);
                if awaited {
                    *address = Address::Failed(error);
                }
                awaited
            })
        });
        // Who waited for the address learns why there is none, and that ends the connection.
        if !waited {
            self.switch.end(Ending {
                by: StoppedBy::Server,
                reason,
                text: Some(text),
            });
        }
    }
}

/// The address that an `endpoint` event names. Another origin is refused: it would get the messages of this one.
fn resolve(stream: &Url, named: &str) -> Result<Url, HttpError> {
    let refused = |why, next| HttpError::Endpoint {
        url: brief(stream),
        endpoint: named.chars().take(200).collect(),
        why,
        next,
    };
    let url = stream.join(named).map_err(|_| {
        refused(
            "that is no URL",
            "See the server's own documentation for its URL",
        )
    })?;
    if url.origin() == stream.origin() {
        Ok(url)
    } else {
        Err(refused(
            "that is another origin than the stream's, which must not get this server's messages and headers",
            "If you trust that address, use its origin in the URL of the server",
        ))
    }
}

#[cfg(test)]
mod tests {
    use reqwest::Url;

    use super::resolve;

    #[test]
    fn an_endpoint_is_resolved_against_the_stream_and_stays_at_its_origin() {
        let stream = Url::parse("https://h.example/api/sse").expect("a URL");
        for (named, expected) in [
            ("/messages?s=1", Some("https://h.example/messages?s=1")),
            ("messages?s=1", Some("https://h.example/api/messages?s=1")),
            (
                "https://h.example/api/messages?s=1",
                Some("https://h.example/api/messages?s=1"),
            ),
            ("?s=1", Some("https://h.example/api/sse?s=1")),
            ("http://0.0.0.0:3001/messages?s=1", None),
            ("http://h.example/messages", None),
            ("//evil.example/messages", None),
            ("https://h.example:8443/messages", None),
        ] {
            let found = resolve(&stream, named).ok().map(String::from);
            assert_eq!(found.as_deref(), expected, "{named}");
        }
    }
}
