//! Reads chunks from a pipe until it ends, or, once told to drain it, until nothing comes any more.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio_util::sync::CancellationToken;

/// Bytes asked for at once.
const CHUNK: usize = 64 * 1024;

/// How long a pipe may be silent while it is drained: a process that left the group can hold it open for ever.
const SILENCE: Duration = Duration::from_millis(300);

/// What is read at most while it is drained: as much as a pipe can hold, and far less than that process can write. It may
/// write short lines, and each is a record.
const REST: usize = 1024 * 1024;

/// A pipe from the child.
#[derive(Debug)]
pub(super) struct Pipe<R> {
    from: R,
    drain: CancellationToken,
    buffer: BytesMut,
    rest: usize,
}

impl<R: AsyncRead + Unpin> Pipe<R> {
    /// Reads `from`; after `drain` it stops at the first silence.
    pub(super) fn new(from: R, drain: CancellationToken) -> Self {
        Self {
            from,
            drain,
            buffer: BytesMut::new(),
            rest: REST,
        }
    }

    /// The next bytes; `None` at the end. Nothing is lost where the future is dropped.
    pub(super) async fn next(&mut self) -> Option<Bytes> {
        self.buffer.reserve(CHUNK);
        let read = tokio::select! {
            biased;
            () = self.drain.cancelled() => None,
            read = self.from.read_buf(&mut self.buffer) => Some(read),
        };
        let read = match read {
            Some(read) => read,
            None if self.rest == 0 => return None,
            None => {
                let rest = self.from.read_buf(&mut self.buffer);
                let read = tokio::time::timeout(SILENCE, rest).await.ok()?;
                self.rest = self.rest.saturating_sub(*read.as_ref().unwrap_or(&0));
                read
            }
        };
        match read {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(self.buffer.split().freeze()),
        }
    }
}
