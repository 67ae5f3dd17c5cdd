//! The reader of the child's stderr: one record a line. It is always drained, or the child could block on it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use bytes::{Buf, Bytes, BytesMut};
use parking_lot::Mutex;
use tokio::process::ChildStderr;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::pipe::Pipe;
use crate::record::{EndReason, Event, NotRecording, StoppedBy};
use crate::transport::Session;
use crate::transport::writer::{Ending, Switch};

/// A longer line is logged in pieces of this size.
const LONGEST: usize = 64 * 1024;

/// How long a line may stand without its `\n` before it is logged as unterminated, e.g. a prompt.
const PATIENCE: Duration = Duration::from_millis(50);

/// Lines kept for error messages, and their bytes together.
const KEPT: (usize, usize) = (6, 2048);

/// Where the lines go.
pub(super) struct To {
    pub(super) session: Session,
    pub(super) tail: Tail,
    pub(super) alive: watch::Sender<bool>,
    pub(super) switch: Switch,
}

/// Reads until the stream ends. Where the log cannot be written, the wire ends.
pub(super) async fn read(from: ChildStderr, to: To, drain: CancellationToken) {
    let mut pipe = Pipe::new(from, drain);
    let mut lines = StderrLines::default();
    let lost = loop {
        let chunk = match lines.is_open() {
            false => pipe.next().await,
            true => match tokio::time::timeout(PATIENCE, pipe.next()).await {
                Ok(chunk) => chunk,
                Err(_) => {
                    if let Err(lost) = log(&to, lines.flush()).await {
                        break Some(lost);
                    }
                    continue;
                }
            },
        };
        let (pieces, ended) = match chunk {
            Some(chunk) => (lines.push(&chunk), false),
            None => (lines.flush().into_iter().collect(), true),
        };
        to.alive
            .send_if_modified(|alive| !ended && !std::mem::replace(alive, true));
        if let Err(lost) = log(&to, pieces).await {
            break Some(lost);
        }
        if ended {
            break None;
        }
    };
    if let Some(lost) = lost {
        to.switch.end(Ending {
            by: StoppedBy::App,
            reason: EndReason::Failed,
            text: Some(lost.to_string()),
        });
    }
}

async fn log(to: &To, pieces: impl IntoIterator<Item = Piece>) -> Result<(), NotRecording> {
    for Piece { line, unterminated } in pieces {
        to.tail.keep(&to.session.tap.known_secrets().mask(&line).0);
        to.session
            .tap
            .event(
                to.session.conn,
                Event::Stderr { line, unterminated },
                None,
                None,
            )
            .await?;
    }
    Ok(())
}

/// A line or a piece of one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) line: Bytes,
    pub(super) unterminated: bool,
}

/// Splits stderr into lines, without I/O.
#[derive(Debug, Default)]
pub(super) struct StderrLines {
    rest: BytesMut,
    /// A piece of the present line is out already, so that its `\n` alone is no line.
    begun: bool,
}

impl StderrLines {
    /// Whether a line has begun that has no end yet and is not logged.
    pub(super) fn is_open(&self) -> bool {
        !self.rest.is_empty()
    }

    /// Adds what was read; yields what is complete.
    pub(super) fn push(&mut self, chunk: &[u8]) -> Vec<Piece> {
        let mut pieces = vec![];
        // Only the new bytes can hold the end of the line.
        let mut searched = self.rest.len();
        self.rest.extend_from_slice(chunk);
        loop {
            let end = self.rest[searched..]
                .iter()
                .position(|byte| *byte == b'\n')
                .map(|at| searched + at);
            searched = 0;
            match end {
                Some(end) if end <= LONGEST => {
                    let line = self.rest.split_to(end).freeze();
                    self.rest.advance(1);
                    if !(line.is_empty() && self.begun) {
                        pieces.push(Piece {
                            line,
                            unterminated: false,
                        });
                    }
                    self.begun = false;
                }
                _ if self.rest.len() > LONGEST => {
                    pieces.push(Piece {
                        line: self.rest.split_to(LONGEST).freeze(),
                        unterminated: true,
                    });
                    self.begun = true;
                }
                _ => return pieces,
            }
        }
    }

    /// Takes a line whose end has not come.
    pub(super) fn flush(&mut self) -> Option<Piece> {
        if self.rest.is_empty() {
            return None;
        }
        self.begun = true;
        Some(Piece {
            line: self.rest.split().freeze(),
            unterminated: true,
        })
    }
}

/// The last lines of stderr, for error messages.
#[derive(Clone, Debug, Default)]
pub(super) struct Tail(Arc<Mutex<VecDeque<String>>>);

impl Tail {
    fn keep(&self, line: &[u8]) {
        let mut lines = self.0.lock();
        lines.push_back(
            String::from_utf8_lossy(&line[..line.len().min(KEPT.1)])
                .trim_end()
                .to_owned(),
        );
        while lines.len() > KEPT.0 || lines.iter().map(String::len).sum::<usize>() > KEPT.1 {
            lines.pop_front();
        }
    }

    /// The lines, oldest first.
    pub(super) fn text(&self) -> String {
        self.0
            .lock()
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join("\n")
    }
}
