//! Reads the answer of an exchange: a body is one frame, an event stream one frame a block.

use std::time::Duration;

use bytes::Bytes;
use reqwest::header::HeaderValue;

use super::Shared;
use super::body::Body;
use super::charset::Charset;
use super::exchange::{Exchange, Stop, empty};
use crate::protocol::sse::{self, SseFields, SseParser};
use crate::protocol::{Direction, Envelope, Kind, Piece, RequestId};
use crate::record::{
    Carriage, Event, Flags, HttpEvent, HttpPhase, NotRecording, Note, PartTap, Recorded, Seq,
};
use crate::transport::Inbound;

/// Size in bytes up to which a body or block is kept whole; a larger one is logged in parts.
const LIMIT: usize = 4 * 1024 * 1024;
/// How much of a body is kept for an error message.
const EXCERPT: usize = 1024;

/// What is read.
#[derive(Clone, Copy)]
pub(super) enum Reading<'a> {
    /// The answer to `initialize`, which settles the legacy session.
    Initialize,
    /// The answer to the request with this id.
    Answer(&'a RequestId),
    /// What answers no request.
    Unasked,
    /// What may tell that the session is over: held back, since that says more than its words.
    Refusal,
}

/// Where an event stream stands, to go on after its end (transports › Resumability and Redelivery).
#[derive(Clone, Debug, Default)]
pub(super) struct Cursor {
    /// The last `id`; none where the stream cannot be resumed.
    pub(super) last: Option<HeaderValue>,
    /// How long the server wants us to wait.
    pub(super) retry: Option<Duration>,
}

/// How reading an answer ended.
pub(super) struct ReadEnd {
    pub(super) via: Seq,
    /// The answer that was awaited came, or what may be it.
    pub(super) answered: bool,
    /// It came with its id, so nobody waits any more.
    pub(super) settled: bool,
    /// Where the event stream stood.
    pub(super) cursor: Cursor,
    /// Frames that came.
    pub(super) frames: u64,
    /// The beginning of a body that is no event stream.
    pub(super) excerpt: Vec<u8>,
    /// Why it did not end by itself.
    pub(super) broken: Option<String>,
    /// This app stopped it.
    pub(super) stopped: bool,
    /// Frames of a [`Reading::Refusal`], logged and not delivered.
    pub(super) held: Vec<Recorded>,
}

impl Shared {
    /// Reads an answer to its end.
    pub(super) async fn read(
        &self,
        exchange: Exchange,
        stop: &Stop,
        reading: Reading<'_>,
    ) -> Result<ReadEnd, NotRecording> {
        let mut intake = Intake {
            shared: self,
            via: exchange.via,
            reading,
            frames: 0,
            long: None,
            answered: false,
            settled: false,
            cursor: Cursor::default(),
            held: Vec::new(),
        };
        let stream = exchange.is_event_stream();
        let mut charset = Charset::of(exchange.response.headers());
        let mut foreign = charset.as_ref().map(Charset::name);
        // Whatever its type says (WHATWG HTML § Server-sent events).
        charset = charset.filter(|_| !stream);
        let mut content = if stream {
            Content::Events(SseParser::new(LIMIT))
        } else {
            Content::Whole {
                begun: Vec::new(),
                excerpt: Vec::new(),
            }
        };
        let mut body = Body::of(exchange.response);
        let (broken, stopped) = loop {
            match stop.unless(body.chunk()).await {
                Ok(Ok(Some(chunk))) => {
                    if let Some(name) = foreign.take() {
                        self.foreign(name, stream, intake.via).await?;
                    }
                    let chunk = match &mut charset {
                        Some(charset) => charset.decode(&chunk, false),
                        None => chunk,
                    };
                    content.push(chunk, &mut intake).await?;
                }
                Ok(Ok(None)) => break (None, false),
                Ok(Err(why)) => break (Some(why), false),
                Err(why) => break (Some(why.to_owned()), true),
            }
        };
        if let Some(mut charset) = charset {
            content.push(charset.decode(b"", true), &mut intake).await?;
        }
        let excerpt = content.finish(&mut intake, broken.is_some()).await?;
        Ok(ReadEnd {
            via: intake.via,
            answered: intake.answered,
            settled: intake.settled,
            cursor: intake.cursor,
            frames: intake.frames,
            excerpt,
            broken,
            stopped,
            held: intake.held,
        })
    }

    /// Notes that an answer says to be in another charset than UTF-8.
    async fn foreign(&self, name: &str, stream: bool, via: Seq) -> Result<(), NotRecording> {
        let then = if stream {
            "an event stream is UTF-8, and is read so"
        } else {
            "JSON must be UTF-8, and its frame is recorded so"
        };
        let text = format!("the answer says that its charset is {name}: {then}");
        let note = Event::Note(Note::Deviation { text });
        let tap = &self.session.tap;
        tap.event(self.session.conn, note, None, Some(via)).await?;
        Ok(())
    }
}

/// What the body is read as.
enum Content {
    Events(SseParser),
    /// One frame, whatever its type.
    Whole {
        begun: Vec<u8>,
        excerpt: Vec<u8>,
    },
}

impl Content {
    async fn push(&mut self, chunk: Bytes, to: &mut Intake<'_>) -> Result<(), NotRecording> {
        match self {
            Self::Events(parser) => {
                parser.push(chunk);
                while let Some(piece) = parser.next_piece() {
                    to.piece(piece, Flags::default()).await?;
                }
                Ok(())
            }
            Self::Whole { begun, excerpt } => {
                let room = EXCERPT.saturating_sub(excerpt.len()).min(chunk.len());
                excerpt.extend_from_slice(&chunk[..room]);
                if to.long.is_none() && begun.len() + chunk.len() <= LIMIT {
                    begun.extend_from_slice(&chunk);
                    return Ok(());
                }
                let begun = std::mem::take(begun);
                if !begun.is_empty() {
                    to.part(begun.into()).await?;
                }
                to.part(chunk).await
            }
        }
    }

    async fn finish(self, to: &mut Intake<'_>, broken: bool) -> Result<Vec<u8>, NotRecording> {
        match self {
            Self::Events(mut parser) => {
                if let Some(piece) = parser.finish() {
                    to.piece(piece, Flags::UNTERMINATED).await?;
                }
                Ok(Vec::new())
            }
            Self::Whole { begun, excerpt } => {
                let flags = Flags::default().with_if(broken, Flags::TRUNCATED);
                if !begun.is_empty() {
                    to.frame(begun.into(), flags).await?;
                }
                to.end_long(flags).await?;
                Ok(excerpt)
            }
        }
    }
}

struct Intake<'a> {
    shared: &'a Shared,
    via: Seq,
    reading: Reading<'a>,
    frames: u64,
    /// A body or block over the limit whose end has not come yet.
    long: Option<PartTap>,
    answered: bool,
    settled: bool,
    cursor: Cursor,
    held: Vec<Recorded>,
}

impl Intake<'_> {
    async fn piece(&mut self, piece: Piece, last: Flags) -> Result<(), NotRecording> {
        match piece {
            Piece::Whole(block) => {
                let complete = last == Flags::default() || sse::ends_in_blank_line(&block);
                let fields = sse::fields(&block);
                if complete {
                    self.cursor.take(&fields);
                }
                let endpoint = complete && self.shared.takes_endpoint(&fields);
                let silent = endpoint || fields.data.is_none_or(|data| data.is_empty());
                // One that is no text is kept as a frame: a record's text could not hold it.
                let comment = std::str::from_utf8(&block)
                    .ok()
                    .filter(|_| complete && silent);
                if let Some(comment) = comment.map(str::to_owned) {
                    let comment = HttpEvent {
                        phase: HttpPhase::Comment,
                        text: Some(comment),
                        ..empty()
                    };
                    return self.shared.log(comment, Some(self.via)).await.map(drop);
                }
                self.frame(block, if complete { Flags::default() } else { last })
                    .await
            }
            Piece::Part(bytes) => self.part(bytes).await,
            Piece::PartEnd => self.end_long(last).await,
        }
    }

    fn carriage(&self, flags: Flags) -> Carriage {
        Carriage {
            conn: self.shared.session.conn,
            via: Some(self.via),
            about: None,
            flags,
        }
    }

    async fn frame(&mut self, raw: Bytes, flags: Flags) -> Result<(), NotRecording> {
        let tap = &self.shared.session.tap;
        let frame = tap
            .frame(Direction::ServerToClient, raw, self.carriage(flags))
            .await?;
        self.deliver(frame).await;
        Ok(())
    }

    async fn part(&mut self, bytes: Bytes) -> Result<(), NotRecording> {
        let at = self.carriage(Flags::default());
        let tap = &self.shared.session.tap;
        let long = self
            .long
            .get_or_insert_with(|| tap.begin(Direction::ServerToClient, at));
        long.part(bytes).await
    }

    async fn end_long(&mut self, flags: Flags) -> Result<(), NotRecording> {
        let Some(mut long) = self.long.take() else {
            return Ok(());
        };
        long.flag(flags);
        let frame = long.finish().await?;
        self.deliver(frame).await;
        Ok(())
    }

    async fn deliver(&mut self, frame: Recorded) {
        self.frames += 1;
        let envelope = frame.envelope();
        match self.reading {
            Reading::Initialize if envelope.kind == Kind::Result => {
                self.shared.legacy.take_version(&frame);
            }
            Reading::Answer(id) if !self.settled => {
                self.answered |= answers(envelope, id);
                self.settled = matches!(envelope.kind, Kind::Result | Kind::Error)
                    && envelope.id.as_ref() == Some(id);
            }
            Reading::Refusal => return self.held.push(frame),
            Reading::Initialize | Reading::Answer(_) | Reading::Unasked => {}
        }
        self.shared.deliver(Inbound::Frame(frame)).await;
    }
}

/// Whether a frame holds the response to a request, or might: one that was not read names no id.
fn answers(envelope: &Envelope, id: &RequestId) -> bool {
    match envelope.kind {
        Kind::Batch => envelope.items.iter().any(|item| answers(item, id)),
        Kind::Result | Kind::Error => envelope.id.as_ref().is_none_or(|found| found == id),
        Kind::Malformed => envelope.id.as_ref() == Some(id),
        Kind::Request | Kind::Notification => false,
    }
}

impl Cursor {
    fn take(&mut self, fields: &SseFields<'_>) {
        if let Some(id) = fields.id {
            // An empty id takes back what came before (WHATWG HTML § Server-sent events).
            self.last = HeaderValue::from_bytes(id).ok().filter(|id| !id.is_empty());
        }
        self.retry = fields.retry.map(Duration::from_millis).or(self.retry);
    }

    /// Goes on with where a later stream stood.
    pub(super) fn follow(&mut self, later: Self) {
        self.last = later.last.or(self.last.take());
        self.retry = later.retry.or(self.retry);
    }
}
