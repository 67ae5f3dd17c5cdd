//! Goes on with an event stream that ended too early (transports › Resumability and Redelivery).

use std::time::Duration;

use reqwest::Method;
use reqwest::header::HeaderName;
use tokio::time::sleep;

use super::Shared;
use super::endpoint::brief;
use super::error::HttpError;
use super::exchange::{Exchange, Stop};
use super::intake::{Cursor, ReadEnd, Reading};
use crate::protocol::RequestId;
use crate::record::NotRecording;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// How often in a row a stream is asked for that brings nothing.
pub(super) const FRUITLESS: u32 = 3;
/// How long to wait where the server does not say it.
pub(super) const RETRY: Duration = Duration::from_secs(1);

/// What came of asking for a stream.
pub(super) enum Streamed {
    /// It came and has ended.
    Ended(ReadEnd),
    /// The server offers none, with this status.
    Refused(u16),
    /// There was no answer.
    Failed(HttpError),
}

impl Shared {
    /// Asks for the rest of the stream that should have brought the answer to a request, until the answer is there. `None`
    /// where it is, or where nothing can be resumed: a modern stream, or one without event ids.
    pub(super) async fn resume(
        &self,
        id: &RequestId,
        mut cursor: Cursor,
        stop: &Stop,
    ) -> Result<Option<HttpError>, NotRecording> {
        if !self.legacy.is_settled() || cursor.last.is_none() {
            return Ok(None);
        }
        let mut fruitless = 0;
        let mut why = String::new();
        while fruitless < FRUITLESS {
            let wait = cursor.retry.unwrap_or(RETRY);
            if stop.unless(sleep(wait)).await.is_err() {
                return Ok(Some(HttpError::Aborted));
            }
            let asked = self.ask(&cursor, stop).await?;
            match self.take(asked, &cursor, Reading::Answer(id), stop).await? {
                Streamed::Ended(end) if end.answered => return Ok(None),
                Streamed::Ended(end) if end.stopped => return Ok(Some(HttpError::Aborted)),
                Streamed::Ended(end) => {
                    let moved = end.cursor.last.is_some() && end.cursor.last != cursor.last;
                    fruitless = if moved { 0 } else { fruitless + 1 };
                    cursor.follow(end.cursor);
                    why = "resuming it brought none".to_owned();
                }
                Streamed::Refused(status) => {
                    fruitless = FRUITLESS;
                    why = format!("it could not be resumed (HTTP {status})");
                }
                Streamed::Failed(error) => {
                    fruitless += 1;
                    why = error.to_string();
                }
            }
        }
        Ok(Some(HttpError::NoResponse {
            id: Some(id.to_string()),
            url: brief(&self.endpoint.url),
            status: 200,
            what: format!("its event stream ended before the response, and {why}"),
            excerpt: String::new(),
        }))
    }

    /// Asks for a stream by GET.
    pub(super) async fn ask(
        &self,
        cursor: &Cursor,
        stop: &Stop,
    ) -> Result<Result<Exchange, HttpError>, NotRecording> {
        let mut request = self.bare(Method::GET, "text/event-stream").await;
        if let Some(last) = &cursor.last {
            request.headers.insert(LAST_EVENT_ID, last.clone());
        }
        self.perform(request, None, stop).await
    }

    /// Reads the stream that was asked for to its end.
    pub(super) async fn take(
        &self,
        asked: Result<Exchange, HttpError>,
        cursor: &Cursor,
        reading: Reading<'_>,
        stop: &Stop,
    ) -> Result<Streamed, NotRecording> {
        let exchange = match asked {
            Ok(exchange) => exchange,
            Err(error) => return Ok(Streamed::Failed(error)),
        };
        let status = exchange.response.status().as_u16();
        if status == 200 && exchange.is_event_stream() {
            let end = self.read(exchange, stop, reading).await?;
            let ended = || Some("the server ended its stream".to_owned());
            let text = end.broken.clone().or_else(ended);
            self.end_of(end.via, text).await?;
            return Ok(Streamed::Ended(end));
        }
        let (via, said) = exchange.text(stop).await;
        let text = match &cursor.last {
            Some(_) => format!("the server does not go on with its stream (HTTP {status})\n{said}"),
            None => format!(
                "the server offers no stream of its own (HTTP {status}); the connection stays\n{said}"
            ),
        };
        self.end_of(via, Some(text.trim_end().to_owned())).await?;
        Ok(Streamed::Refused(status))
    }
}
