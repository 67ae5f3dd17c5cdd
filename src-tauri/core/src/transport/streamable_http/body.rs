//! The entity of a response: content codings are undone here and not by the HTTP library, which would take the headers away
//! that tell of them.

use std::io;
use std::pin::Pin;
use std::sync::Arc;

use async_compression::tokio::bufread::{BrotliDecoder, GzipDecoder, ZlibDecoder};
use bytes::{Bytes, BytesMut};
use futures_util::TryStreamExt as _;
use parking_lot::Mutex;
use reqwest::Response;
use reqwest::header::CONTENT_ENCODING;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio_util::io::StreamReader;

use super::error::words;

/// Bytes asked for at once.
const CHUNK: usize = 64 * 1024;

/// How much of an entity is kept until it turns out to be decodable.
const KEPT: usize = 64 * 1024;

/// Reads an entity chunk by chunk, as it comes.
pub(super) enum Body {
    Plain(Response),
    Coded(Box<Coded>),
}

/// An entity in a content coding.
pub(super) struct Coded {
    decoded: Pin<Box<dyn AsyncRead + Send>>,
    buffer: BytesMut,
    /// The first bytes as they came, until some could be decoded: what is said to be coded and is not must be seen as well.
    kept: Arc<Mutex<Option<Vec<u8>>>>,
    failed: Option<String>,
}

impl Body {
    pub(super) fn of(response: Response) -> Self {
        let coding = response.headers().get(CONTENT_ENCODING);
        let coding = coding
            .and_then(|coding| coding.to_str().ok())
            .unwrap_or_default();
        let coding = coding.trim().to_ascii_lowercase();
        if !matches!(coding.as_str(), "gzip" | "x-gzip" | "deflate" | "br") {
            return Self::Plain(response);
        }
        let kept = Arc::new(Mutex::new(Some(Vec::new())));
        let keep = Arc::clone(&kept);
        let stream = response.bytes_stream().inspect_ok(move |chunk| {
            if let Some(kept) = keep.lock().as_mut() {
                let room = KEPT.saturating_sub(kept.len()).min(chunk.len());
                kept.extend_from_slice(&chunk[..room]);
            }
        });
        let stream = StreamReader::new(stream.map_err(io::Error::other));
        let decoded: Pin<Box<dyn AsyncRead + Send>> = match coding.as_str() {
            "br" => Box::pin(BrotliDecoder::new(stream)),
            "deflate" => Box::pin(ZlibDecoder::new(stream)),
            _ => {
                let mut decoder = GzipDecoder::new(stream);
                decoder.multiple_members(true);
                Box::pin(decoder)
            }
        };
        Self::Coded(Box::new(Coded {
            decoded,
            buffer: BytesMut::new(),
            kept,
            failed: None,
        }))
    }

    /// The next bytes; `None` at the end; what broke, in words.
    pub(super) async fn chunk(&mut self) -> Result<Option<Bytes>, String> {
        match self {
            Self::Plain(response) => response.chunk().await.map_err(|error| words(&error)),
            Self::Coded(coded) => coded.chunk().await,
        }
    }
}

impl Coded {
    async fn chunk(&mut self) -> Result<Option<Bytes>, String> {
        if let Some(failed) = self.failed.take() {
            return Err(failed);
        }
        self.buffer.reserve(CHUNK);
        match self.decoded.read_buf(&mut self.buffer).await {
            Ok(read) => {
                *self.kept.lock() = None;
                Ok((read > 0).then(|| self.buffer.split().freeze()))
            }
            Err(error) => {
                let failed = format!("its content coding cannot be undone: {}", words(&error));
                let raw = self.kept.lock().take().filter(|raw| !raw.is_empty());
                let Some(raw) = raw else { return Err(failed) };
                self.failed = Some(failed);
                Ok(Some(raw.into()))
            }
        }
    }
}
