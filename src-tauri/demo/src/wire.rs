//! One JSON-RPC message per line, both ways.
//!
//! `rmcp` has such a transport, but it hands over parsed messages only and is silent about broken ones. An inspector's
//! user wants to see what a server says to a broken line, and [`crate::exact`] needs the text.

use std::io;
use std::pin::Pin;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorData, GetMeta, JsonRpcMessage, ProtocolVersion,
    RequestMetaObject, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use serde::{Deserialize, Serialize};
use serde_json::error::Category;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Mutex, Notify};

use crate::exact;

type Writing = Pin<Box<dyn Future<Output = io::Result<()>> + Send>>;

/// Where lines go out. A clone is the same place.
#[derive(Clone)]
pub(crate) struct Output(Arc<Mutex<Box<dyn AsyncWrite + Unpin + Send>>>);

impl Output {
    pub(crate) fn new(output: impl AsyncWrite + Unpin + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(Box::new(output))))
    }

    /// Writes whole lines in full: nothing else comes between their bytes.
    pub(crate) async fn write(self, lines: Vec<u8>) -> io::Result<()> {
        let mut output = self.0.lock().await;
        output.write_all(&lines).await?;
        output.flush().await
    }
}

/// Adds a message to `lines`, as a line.
pub(crate) fn push_line(lines: &mut Vec<u8>, message: &impl Serialize) -> serde_json::Result<()> {
    serde_json::to_writer(&mut *lines, message)?;
    lines.push(b'\n');
    Ok(())
}

/// Reads messages from `R`.
pub(crate) struct LineTransport<R> {
    input: BufReader<R>,
    /// The line being read. `receive` is dropped whenever something else is ready, and must find its place again.
    line: Vec<u8>,
    output: Output,
    /// An answer of our own on its way out, kept here for the same reason.
    writing: Option<Writing>,
    session: Session,
    ended: Arc<Notify>,
}

/// What the client has said so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Session {
    /// Nothing that opens a session: pings and discovery do not.
    None,
    /// `initialize`.
    Legacy,
    /// A request that carries its own version.
    Modern,
}

impl<R: AsyncRead + Unpin> LineTransport<R> {
    pub(crate) fn new(input: R, output: Output) -> Self {
        Self {
            input: BufReader::with_capacity(64 * 1024, input),
            line: Vec::new(),
            output,
            writing: None,
            session: Session::None,
            ended: Arc::default(),
        }
    }

    /// Wakes whoever waits for it when the input has ended.
    pub(crate) fn ended(&self) -> Arc<Notify> {
        Arc::clone(&self.ended)
    }

    /// What `rmcp` is to get of the line just read, if anything. May leave an answer in `writing`.
    fn take_line(&mut self) -> Option<ClientJsonRpcMessage> {
        let line = std::mem::take(&mut self.line);
        let text = line.trim_ascii();
        if text.is_empty() {
            return None;
        }
        if let Some(mut answer) = exact::answer(text, self.session == Session::Legacy) {
            answer.push(b'\n');
            self.answer(answer);
            return None;
        }
        match serde_json::from_slice(text) {
            Ok(message) => self.admit(message),
            Err(why) => {
                let mut answer = Vec::new();
                push_line(&mut answer, &complaint(text, &why)).ok()?;
                self.answer(answer);
                None
            }
        }
    }

    fn answer(&mut self, line: Vec<u8>) {
        self.writing = Some(Box::pin(self.output.clone().write(line)));
    }

    /// Before a session has started, `rmcp` gives up on anything but a request. A notification, say a cancellation of
    /// the discovery request, is no reason to go.
    fn admit(&mut self, message: ClientJsonRpcMessage) -> Option<ClientJsonRpcMessage> {
        if self.session != Session::None {
            return Some(message);
        }
        let JsonRpcMessage::Request(request) = &message else {
            return None;
        };
        let request = &request.request;
        if matches!(request, ClientRequest::InitializeRequest(_)) {
            self.session = Session::Legacy;
        } else if !matches!(
            request,
            ClientRequest::DiscoverRequest(_) | ClientRequest::PingRequest(_)
        ) && is_modern(request.get_meta())
        {
            self.session = Session::Modern;
        }
        Some(message)
    }
}

impl<R: AsyncRead + Unpin + Send> Transport<RoleServer> for LineTransport<R> {
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = self.output.clone();
        async move {
            let mut line = Vec::new();
            push_line(&mut line, &message)?;
            output.write(line).await
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if let Some(writing) = &mut self.writing {
                let written = writing.await;
                self.writing = None;
                written.ok()?;
            }
            // A dropped read leaves what it has in `line`, and the next call goes on from there.
            let read = self.input.read_until(b'\n', &mut self.line).await;
            if read.is_err() || self.line.last() != Some(&b'\n') {
                // The end of the input, and with it of any line that was not finished.
                self.ended.notify_one();
                return None;
            }
            if let Some(message) = self.take_line() {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.0.lock().await.shutdown().await
    }
}

/// Whether a request carries what the modern era demands of each, in a revision that there is.
fn is_modern(meta: &RequestMetaObject) -> bool {
    meta.missing_required_keys(&ProtocolVersion::V_2026_07_28)
        .is_empty()
        && meta
            .protocol_version()
            .is_some_and(|version| ProtocolVersion::KNOWN_VERSIONS.contains(&version))
}

/// The error response to a line that is no message, with the line's id where it has one.
fn complaint(text: &[u8], why: &serde_json::Error) -> ServerJsonRpcMessage {
    #[derive(Deserialize)]
    struct Id {
        id: rmcp::model::RequestId,
    }
    let error = match why.classify() {
        Category::Syntax | Category::Eof => {
            ErrorData::parse_error(format!("this line is not JSON: {why}"), None)
        }
        Category::Data | Category::Io => ErrorData::invalid_request(
            format!("this line is JSON, but no message of MCP: {why}"),
            None,
        ),
    };
    let id = serde_json::from_slice(text).ok().map(|Id { id }| id);
    ServerJsonRpcMessage::error(error, id)
}
