//! The entity of a response: content codings are undone here and not by the HTTP library, which would take the headers away
//! that tell of them.

use std::io;
use std::pin::Pin;

use async_compression::tokio::bufread::{BrotliDecoder, GzipDecoder, ZlibDecoder};
use bytes::{Bytes, BytesMut};
use futures_util::TryStreamExt as _;
use reqwest::Response;
use reqwest::header::CONTENT_ENCODING;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio_util::io::StreamReader;

use super::error::words;

/// Bytes asked for at once.
const CHUNK: usize = 64 * 1024;

/// Reads an entity chunk by chunk, as it comes.
pub(super) enum Body {
    Plain(Response),
    Coded(Pin<Box<dyn AsyncRead + Send>>, BytesMut),
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
        let stream = StreamReader::new(response.bytes_stream().map_err(io::Error::other));
        let decoded: Pin<Box<dyn AsyncRead + Send>> = match coding.as_str() {
            "br" => Box::pin(BrotliDecoder::new(stream)),
            "deflate" => Box::pin(ZlibDecoder::new(stream)),
            _ => {
                let mut decoder = GzipDecoder::new(stream);
                decoder.multiple_members(true);
                Box::pin(decoder)
            }
        };
        Self::Coded(decoded, BytesMut::new())
    }

    /// The next bytes; `None` at the end; what broke, in words.
    pub(super) async fn chunk(&mut self) -> Result<Option<Bytes>, String> {
        match self {
            Self::Plain(response) => response.chunk().await.map_err(|error| words(&error)),
            Self::Coded(reader, buffer) => {
                buffer.reserve(CHUNK);
                let read = reader
                    .read_buf(buffer)
                    .await
                    .map_err(|error| words(&error))?;
                Ok((read > 0).then(|| buffer.split().freeze()))
            }
        }
    }
}
