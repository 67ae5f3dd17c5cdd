//! The reader of the child's stdout: each line is a frame, JSON or not.

use bytes::Bytes;
use tokio::process::ChildStdout;
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

use super::pipe::Pipe;
use crate::protocol::{Direction, LineSplitter, Piece};
use crate::record::{Carriage, EndReason, Flags, NotRecording, PartTap, Recorded, StoppedBy};
use crate::transport::writer::{Ending, Switch};
use crate::transport::{Inbound, Session};

/// Size in bytes up to which a line is kept whole; a longer one is logged in parts.
const LIMIT: usize = 4 * 1024 * 1024;

/// Where the lines go.
pub(super) struct To {
    pub(super) session: Session,
    pub(super) inbound: mpsc::Sender<Inbound>,
    pub(super) alive: watch::Sender<bool>,
    pub(super) switch: Switch,
}

/// Reads until the stream ends. Where the log cannot be written, reading stops and the wire ends.
pub(super) async fn read(from: ChildStdout, to: To, drain: CancellationToken) {
    let mut pipe = Pipe::new(from, drain);
    let mut lines = Lines {
        to,
        splitter: LineSplitter::new(LIMIT),
        long: None,
    };
    let lost = loop {
        let Some(chunk) = pipe.next().await else {
            break lines.finish().await;
        };
        lines.to.alive.send_replace(true);
        if let Err(lost) = lines.push(chunk).await {
            break Err(lost);
        }
    };
    if let Err(lost) = lost {
        let text = Some(lost.to_string());
        lines.to.switch.end(Ending {
            by: StoppedBy::App,
            reason: EndReason::Failed,
            text,
        });
    }
}

struct Lines {
    to: To,
    splitter: LineSplitter,
    /// A line over the limit whose end has not come yet.
    long: Option<PartTap>,
}

impl Lines {
    async fn push(&mut self, chunk: Bytes) -> Result<(), NotRecording> {
        self.splitter.push(chunk);
        while let Some(piece) = self.splitter.next_piece() {
            self.take(piece, Flags::default()).await?;
        }
        Ok(())
    }

    async fn finish(&mut self) -> Result<(), NotRecording> {
        match self.splitter.finish() {
            Some(rest) => self.take(rest, Flags::UNTERMINATED).await,
            None => Ok(()),
        }
    }

    async fn take(&mut self, piece: Piece, flags: Flags) -> Result<(), NotRecording> {
        let at = Carriage {
            conn: self.to.session.conn,
            flags,
            ..Carriage::default()
        };
        let tap = &self.to.session.tap;
        match piece {
            Piece::Whole(line) => {
                let frame = tap.frame(Direction::ServerToClient, line, at).await?;
                self.deliver(frame).await;
                Ok(())
            }
            Piece::Part(bytes) => {
                let long = self
                    .long
                    .get_or_insert_with(|| tap.begin(Direction::ServerToClient, at));
                long.part(bytes).await
            }
            Piece::PartEnd => {
                if let Some(mut long) = self.long.take() {
                    long.flag(flags);
                    let frame = long.finish().await?;
                    self.deliver(frame).await;
                }
                Ok(())
            }
        }
    }

    /// Where nobody receives any more, the wire ends, but what still comes is logged.
    async fn deliver(&self, frame: Recorded) {
        if self.to.inbound.send(Inbound::Frame(frame)).await.is_err() {
            self.to.switch.end(Ending {
                by: StoppedBy::App,
                reason: EndReason::Internal,
                text: None,
            });
        }
    }
}
