//! Reads chunks from a pipe until it ends, or, once told to drain it, until nothing comes any more.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio_util::sync::CancellationToken;

/// Bytes asked for at once.
const CHUNK: usize = 64 * 1024;

/// How long a pipe may be silent while it is drained: a process that left the group can hold it open for ever.
const SILENCE: Duration = Duration::from_millis(300);

/// A pipe from the child.
#[derive(Debug)]
pub(super) struct Pipe<R> {
    from: R,
    drain: CancellationToken,
    buffer: BytesMut,
}

impl<R: AsyncRead + Unpin> Pipe<R> {
    /// Reads `from`; after `drain` it stops at the first silence.
    pub(super) fn new(from: R, drain: CancellationToken) -> Self {
        Self {
            from,
            drain,
            buffer: BytesMut::new(),
        }
    }

    /// The next bytes; `None` at the end. Nothing is lost where the future is dropped.
    pub(super) async fn next(&mut self) -> Option<Bytes> {
        self.buffer.reserve(CHUNK);
        let read = tokio::select! {
            read = self.from.read_buf(&mut self.buffer) => Some(read),
            () = self.drain.cancelled() => None,
        };
        let read = match read {
            Some(read) => read,
            None => tokio::time::timeout(SILENCE, self.from.read_buf(&mut self.buffer))
                .await
                .ok()?,
        };
        match read {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(self.buffer.split().freeze()),
        }
    }
}
