//! A message on its way: one exchange, or several where the server redirects or asks for authorization. Each attempt is a
//! frame of its own, `about` the first.

use std::sync::Arc;

use reqwest::header::{
    ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION,
    WWW_AUTHENTICATE,
};
use reqwest::{Method, StatusCode, Url};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::Shared;
use super::endpoint::brief;
use super::error::HttpError;
use super::exchange::{Request, Stop};
use super::intake::{ReadEnd, Reading};
use crate::protocol::Kind;
use crate::record::{Event, NotRecording, Note, Recorded, Seq};
use crate::transport::{Challenge, Ended, Inbound, Next, TransportError};

/// How often a message is sent on to where the server redirects it.
const REDIRECTS: u32 = 3;
/// How often a message is sent again with other credentials: for a token, for a nonce of the server, for more scopes.
pub(super) const CHALLENGES: u32 = 3;

/// A message on its way.
pub(super) struct Post {
    pub(super) shared: Arc<Shared>,
    pub(super) frame: Recorded,
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
    pub(super) abort: CancellationToken,
    /// Dropped when the response has begun or will not; that of `notifications/initialized` when the server's own stream has.
    pub(super) begun: Option<oneshot::Sender<()>>,
}

/// What follows an attempt.
enum Step {
    /// Nothing; whoever still waits for an answer gets this.
    Over(HttpError),
    /// Another attempt, there.
    Again(Url),
}

/// The head of a response.
pub(super) struct Head {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    /// A session id was sent.
    pub(super) in_session: bool,
    /// The `Authorization` that was refused, or taken.
    pub(super) sent: Option<HeaderValue>,
}

impl Post {
    pub(super) async fn run(mut self) {
        let first = self.frame.seq();
        match self.attempts(first).await {
            // Its answer came, or comes on the server's stream.
            Ok(None) => {}
            Ok(Some(error)) => {
                let why = Ended::Over(TransportError::Http(error));
                self.shared
                    .deliver(Inbound::Ended { via: first, why })
                    .await;
            }
            Err(lost) => self.shared.lost(&lost),
        }
    }

    async fn attempts(&mut self, first: Seq) -> Result<Option<HttpError>, NotRecording> {
        let mut url = match self.shared.address(&self.abort).await {
            Ok(url) => url,
            Err(error) => return Ok(Some(error)),
        };
        let (mut redirects, mut challenges) = (0, 0);
        loop {
            let (next, head) = match self.attempt(&url).await? {
                (Some(next), Some(head)) => (next, head),
                (next, _) => return Ok(next),
            };
            if head.status.is_success() && self.shared.answers_on_stream() {
                return Ok(None);
            }
            let step = match head.status.as_u16() {
                300..=399 => redirected(&url, &head, redirects, next),
                401 | 403 if challenges < CHALLENGES => self.challenged(&url, &head, next).await,
                _ => Step::Over(next),
            };
            match step {
                Step::Over(error) => return Ok(Some(error)),
                Step::Again(there) => {
                    redirects += u32::from(head.status.is_redirection());
                    challenges += u32::from(!head.status.is_redirection());
                    url = there;
                    let Some(raw) = self.frame.raw().cloned() else {
                        return Ok(Some(HttpError::TooLarge));
                    };
                    self.sent_again(head.status, &url).await?;
                    self.frame = self.shared.session.log(raw, Some(first)).await?;
                }
            }
        }
    }

    /// Tells that nothing answers this attempt any more: another one is made.
    async fn sent_again(&self, status: StatusCode, url: &Url) -> Result<(), NotRecording> {
        if self.frame.envelope().kind != Kind::Request {
            return Ok(());
        }
        let why = if status.is_redirection() {
            format!(
                "the server redirects it (HTTP {status}); it is sent again to {}",
                brief(url)
            )
        } else {
            format!(
                "the server asks for other credentials (HTTP {status}); it is sent again with them"
            )
        };
        let session = &self.shared.session;
        let note = Event::Note(Note::Unanswered { why: Some(why) });
        let about = Some(self.frame.seq());
        session
            .tap
            .event(session.conn, note, None, about)
            .await
            .map(drop)
    }

    /// One exchange. What it means for whoever still waits for an answer (none where it came), and the head of the response
    /// where there is one.
    async fn attempt(
        &mut self,
        url: &Url,
    ) -> Result<(Option<HttpError>, Option<Head>), NotRecording> {
        let Some(raw) = self.frame.raw().cloned() else {
            return Ok((Some(HttpError::TooLarge), None));
        };
        let method = self.frame.envelope().method.as_deref();
        let (initialize, initialized) = (
            method == Some("initialize"),
            method == Some("notifications/initialized"),
        );
        let shared = Arc::clone(&self.shared);
        if initialize {
            shared.legacy.begin();
        }
        let in_session = shared.legacy.has_session();
        let request = self.request(url, raw).await;
        let sent = request.headers.get(AUTHORIZATION).cloned();
        let stop = Stop::or(&shared.stop, &self.abort);
        let performed = shared.perform(request, Some(self.frame.seq()), &stop).await;
        let exchange = match performed? {
            Ok(exchange) => exchange,
            Err(error) => return Ok((Some(error), None)),
        };
        let head = Head {
            status: exchange.response.status(),
            headers: exchange.response.headers().clone(),
            in_session,
            sent,
        };
        let success = head.status.is_success();
        if initialize && success {
            shared.legacy.take_session(&head.headers);
        }
        if initialized && success {
            shared.listen(self.begun.take());
        }
        if !head.status.is_redirection() {
            self.begun = None;
        }
        if success && shared.answers_on_stream() && !exchange.is_json() {
            let (via, said) = exchange.text(&stop).await;
            let said = Some(said).filter(|said| !said.is_empty());
            shared.end_of(via, said).await?;
            return Ok((Some(HttpError::Aborted), Some(head)));
        }
        let stream = exchange.is_event_stream();
        let asked = self.frame.envelope();
        let id = asked.id.as_ref().filter(|_| asked.kind == Kind::Request);
        let reading = match id {
            _ if initialize && success => Reading::Initialize,
            _ if matches!(head.status.as_u16(), 401 | 403) => Reading::Refusal,
            _ if in_session && matches!(head.status.as_u16(), 400 | 404) => Reading::Refusal,
            Some(id) => Reading::Answer(id),
            None => Reading::Unasked,
        };
        let mut end = shared.read(exchange, &stop, reading).await?;
        let held = std::mem::take(&mut end.held);
        shared.end_of(end.via, end.broken.clone()).await?;
        if success && end.settled {
            return Ok((None, Some(head)));
        }
        let resumed = match id {
            Some(id) if success && stream && !end.answered && !end.stopped => {
                shared.resume(id, end.cursor.clone(), &stop).await?
            }
            Some(_) | None => None,
        };
        let mut error = unanswered(url, &head, &end, stream);
        if !matches!(
            error,
            HttpError::SessionLost { .. } | HttpError::SignIn { .. }
        ) {
            for frame in held {
                shared.deliver(Inbound::Frame(frame)).await;
            }
        }
        if let (Some(of), HttpError::NoResponse { id, .. }) = (id, &mut error) {
            *id = Some(of.to_string());
        }
        Ok((Some(resumed.unwrap_or(error)), Some(head)))
    }

    async fn request(&self, url: &Url, raw: bytes::Bytes) -> Request {
        let own = [
            (CONTENT_TYPE, HeaderValue::from_static("application/json")),
            (
                ACCEPT,
                HeaderValue::from_static("application/json, text/event-stream"),
            ),
        ];
        let credentials = self.shared.credentials(&Method::POST, url).await;
        let session = self.shared.legacy.headers();
        let headers = self
            .shared
            .endpoint
            .headers(&own, &[&credentials, &session, &self.headers]);
        Request {
            method: Method::POST,
            url: url.clone(),
            headers,
            body: Some(raw),
        }
    }

    /// Asks for credentials.
    async fn challenged(&self, url: &Url, head: &Head, error: HttpError) -> Step {
        let HttpError::SignIn { challenge, .. } = &error else {
            return Step::Over(error);
        };
        let sent = head.sent.as_ref().and_then(|sent| sent.to_str().ok());
        let challenge = (**challenge).clone();
        let asked = self.shared.authorize.on_challenge(challenge, sent);
        match asked.await {
            Next::Retry => Step::Again(url.clone()),
            Next::Stop => Step::Over(error),
        }
    }
}

/// Follows where the method and the body stay the same and no other party gets to see them (RFC 9110 § 15.4).
fn redirected(url: &Url, head: &Head, redirects: u32, error: HttpError) -> Step {
    let Some(location) = head.headers.get(LOCATION) else {
        return Step::Over(error);
    };
    let location = String::from_utf8_lossy(location.as_bytes()).into_owned();
    let refused = |why| {
        let url = brief(url);
        Step::Over(HttpError::Redirect {
            url,
            status: head.status.as_u16(),
            location: location.clone(),
            why,
        })
    };
    let Ok(there) = url.join(&location) else {
        return refused("its Location is no URL");
    };
    match head.status.as_u16() {
        307 | 308 if there.origin() != url.origin() => {
            refused("it is another origin, which must not get this server's headers and messages")
        }
        307 | 308 if redirects >= REDIRECTS => refused("it is the fourth redirect of one message"),
        307 | 308 => Step::Again(there),
        301..=303 => {
            refused("this status turns a POST into a GET; a server keeps the method by 307 or 308")
        }
        _ => Step::Over(error),
    }
}

/// What to tell whoever still waits after the end of an exchange.
pub(super) fn unanswered(url: &Url, head: &Head, end: &ReadEnd, stream: bool) -> HttpError {
    let challenge = challenge(url, head);
    let (url, status) = (brief(url), head.status.as_u16());
    if end.stopped {
        return HttpError::Aborted;
    }
    let bearer = challenge.is_bearer();
    let excerpt = one_line(&end.excerpt);
    match (status, &end.broken) {
        (401, _) => HttpError::SignIn {
            url,
            challenge: Arc::new(challenge),
        },
        (403, _) if bearer => HttpError::SignIn {
            url,
            challenge: Arc::new(challenge),
        },
        // 404 is what the text wants (transports › Session Management); official servers say it by 400.
        (404, _) if head.in_session => lost(url, status, excerpt),
        (400, _) if head.in_session && names_session(&excerpt) => lost(url, status, excerpt),
        (200..=299, Some(why)) => HttpError::Broken {
            url,
            why: why.clone(),
        },
        (200..=299, None) => HttpError::NoResponse {
            id: None,
            url,
            status,
            what: instead(end, stream, status).to_owned(),
            excerpt,
        },
        (_, _) => HttpError::Status {
            url,
            status,
            excerpt,
        },
    }
}

fn challenge(url: &Url, head: &Head) -> Challenge {
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let all = head.headers.get_all(WWW_AUTHENTICATE).iter();
    Challenge {
        url: url.to_string(),
        status: head.status.as_u16(),
        www_authenticate: all.map(text).collect(),
        auth_server: head.headers.get("mcp-auth-server").map(text),
        dpop_nonce: head.headers.get("dpop-nonce").map(text),
    }
}

fn lost(url: String, status: u16, excerpt: String) -> HttpError {
    HttpError::SessionLost {
        url,
        status,
        excerpt,
        renewed: false,
    }
}

/// Whether the words of a refusal are about the session.
fn names_session(excerpt: &str) -> bool {
    let text = excerpt.to_ascii_lowercase();
    text.contains("session id") || text.contains("session not found")
}

fn instead(end: &ReadEnd, stream: bool, status: u16) -> &'static str {
    match (stream, end.frames, status) {
        (true, 0, _) => "its event stream ended without a message",
        (true, _, _) => "its event stream ended before the response",
        (false, 0, 202) => "it only accepted it (HTTP 202)",
        (false, 0, _) => "its answer is empty",
        (false, _, _) => "its answer is no response to it",
    }
}

/// The beginning of a body for an error message.
fn one_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let words: Vec<_> = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    let line = words.join(" ");
    match line.char_indices().nth(200) {
        Some((cut, _)) => format!("{}…", &line[..cut]),
        None => line,
    }
}
