//! One HTTP exchange: its request and response records, and what ends it early.

use std::pin::pin;
use std::time::Duration;

use bytes::Bytes;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, Response, Url};
use tokio_util::sync::CancellationToken;

use super::Shared;
use super::body::Body;
use super::connect::timed;
use super::endpoint::{CONNECT, at, brief, logged, parse, shown};
use super::error::{HttpError, of_request};
use crate::record::{Event, HttpEvent, HttpPhase, NotRecording, Seq};

/// How much of a body that is no frame is kept in its record.
const KEPT: usize = 64 * 1024;

/// A request to be made.
pub(super) struct Request {
    pub(super) method: Method,
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) body: Option<Bytes>,
}

/// What ends an exchange early.
pub(super) struct Stop {
    wire: CancellationToken,
    abort: CancellationToken,
    patience: Option<Duration>,
}

impl Stop {
    /// The end of the wire.
    pub(super) fn with(wire: &CancellationToken) -> Self {
        Self {
            wire: wire.clone(),
            abort: CancellationToken::new(),
            patience: None,
        }
    }

    /// The end of the wire, or a caller who gives up.
    pub(super) fn or(wire: &CancellationToken, abort: &CancellationToken) -> Self {
        Self {
            abort: abort.clone(),
            ..Self::with(wire)
        }
    }

    /// A time.
    pub(super) fn after(patience: Duration) -> Self {
        Self {
            patience: Some(patience),
            ..Self::with(&CancellationToken::new())
        }
    }

    /// Does something unless stopped; then says why.
    pub(super) async fn unless<T>(&self, work: impl Future<Output = T>) -> Result<T, &'static str> {
        let work = pin!(work);
        let elapsed = async {
            match self.patience {
                Some(patience) => tokio::time::sleep(patience).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = self.abort.cancelled() => Err("this app ended it: the request was given up"),
            () = self.wire.cancelled() => Err("this app ended it: the connection is closed"),
            () = elapsed => Err("this app ended it: no answer came in time"),
            done = work => Ok(done),
        }
    }
}

/// An exchange whose response has begun.
pub(super) struct Exchange {
    /// What carries its records: the outbound frame, or the request record where there is none.
    pub(super) via: Seq,
    pub(super) response: Response,
}

impl Exchange {
    pub(super) fn is_event_stream(&self) -> bool {
        self.is("text/event-stream")
    }

    pub(super) fn is_json(&self) -> bool {
        self.is("application/json")
    }

    /// Whether the body is of this type; its parameters do not matter.
    fn is(&self, wanted: &str) -> bool {
        let value = self.response.headers().get(CONTENT_TYPE);
        let kind = value
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default();
        kind.trim().eq_ignore_ascii_case(wanted)
    }

    /// The body of what carries no messages, as text.
    pub(super) async fn text(self, stop: &Stop) -> (Seq, String) {
        let mut body = Body::of(self.response);
        let mut kept = Vec::new();
        while kept.len() < KEPT
            && let Ok(Ok(Some(chunk))) = stop.unless(body.chunk()).await
        {
            kept.extend_from_slice(&chunk);
        }
        kept.truncate(KEPT);
        (self.via, String::from_utf8_lossy(&kept).into_owned())
    }
}

impl Shared {
    /// Makes a request. Its record is in the log before anything is sent, its response as soon as it begins; where there is
    /// none, its end is logged as well.
    pub(super) async fn perform(
        &self,
        request: Request,
        frame: Option<Seq>,
        stop: &Stop,
    ) -> Result<Result<Exchange, HttpError>, NotRecording> {
        let Request {
            method,
            url,
            headers,
            body,
        } = request;
        let address = at(&url);
        let record = HttpEvent {
            phase: HttpPhase::Request,
            method: Some(method.to_string()),
            url: Some(shown(&url)),
            headers: as_sent(&address, body.as_ref(), &headers),
            ..empty()
        };
        let seq = self.log(record, frame).await?;
        let via = frame.unwrap_or(seq);
        let mut builder = self
            .endpoint
            .client
            .request(method, url.clone())
            .headers(headers);
        if let Some(body) = body {
            builder = builder.body(body);
        }
        let (answered, took) = timed(stop.unless(builder.send())).await;
        let (error, text) = match answered {
            Ok(Ok(response)) => {
                self.alive.send_replace(true);
                self.log(response_record(&response, took), Some(via))
                    .await?;
                return Ok(Ok(Exchange { via, response }));
            }
            Ok(Err(error)) => {
                let error = of_request(&error, &brief(&url), address, CONNECT);
                let text = error.to_string();
                (error, text)
            }
            Err(why) => (HttpError::Aborted, why.to_owned()),
        };
        self.end_of(via, Some(text)).await?;
        Ok(Err(error))
    }

    /// Logs the end of an exchange.
    pub(super) async fn end_of(&self, via: Seq, text: Option<String>) -> Result<(), NotRecording> {
        let end = HttpEvent {
            phase: HttpPhase::End,
            text,
            ..empty()
        };
        self.log(end, Some(via)).await.map(drop)
    }

    /// Logs a part of an exchange.
    pub(super) async fn log(&self, http: HttpEvent, via: Option<Seq>) -> Result<Seq, NotRecording> {
        self.session
            .tap
            .event(self.session.conn, Event::Http(http), via, None)
            .await
    }

    /// What the user or the authorization supplies. A header that cannot be sent was none of ours: it is left out.
    pub(super) async fn credentials(
        &self,
        method: &Method,
        url: &Url,
    ) -> Vec<(HeaderName, HeaderValue)> {
        let headers = self.authorize.headers(method.as_str(), url.as_str()).await;
        parse(&headers).unwrap_or_default()
    }
}

/// A record that says nothing yet.
pub(super) fn empty() -> HttpEvent {
    HttpEvent {
        phase: HttpPhase::End,
        method: None,
        url: None,
        status: None,
        headers: Vec::new(),
        connect_us: None,
        text: None,
    }
}

/// The headers as they are sent: the HTTP library adds these two.
pub(super) fn as_sent(
    address: &str,
    body: Option<&Bytes>,
    headers: &HeaderMap,
) -> Vec<(String, String)> {
    let mut sent = logged(headers);
    let host = address
        .strip_suffix(":80")
        .or(address.strip_suffix(":443"))
        .unwrap_or(address);
    sent.insert(0, ("host".to_owned(), host.to_owned()));
    if let Some(body) = body {
        sent.push(("content-length".to_owned(), body.len().to_string()));
    }
    sent
}

/// A response that has begun; `connect`: how long its connection took to be made, none where it went over one that was there.
pub(super) fn response_record(response: &Response, connect: Duration) -> HttpEvent {
    HttpEvent {
        phase: HttpPhase::Response,
        status: Some(response.status().as_u16()),
        headers: logged(response.headers()),
        connect_us: connect.as_micros().try_into().ok(),
        text: Some(format!("{:?}", response.version())),
        ..empty()
    }
}
