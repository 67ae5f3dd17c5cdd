//! The built-in demo server: something to inspect with nothing installed.
//!
//! It answers both eras of MCP over stdio, and over Streamable HTTP. `rmcp` does the protocol; [`wire`] carries the lines,
//! and [`exact`] answers the tools whose point is to return their arguments byte for byte.

mod ask;
mod dialog;
mod exact;
mod http;
mod hub;
mod offers;
mod server;
mod tools;
mod wire;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::service::{QuitReason, ServerInitializeError};
use rmcp::transport::stdio_pipes;
use tokio::io::{AsyncRead, AsyncWrite};

pub use http::HttpServer;

use crate::hub::Hub;
use crate::server::Demo;
use crate::wire::{LineTransport, Output};

/// Why the demo server stopped before its input ended.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The client never opened a session: its first messages were neither `initialize` nor a request of the modern era.
    #[error("demo server: the client did not start a session: {0}")]
    NotStarted(#[from] Box<ServerInitializeError>),
    /// A task of the server panicked.
    #[error("demo server: a task failed: {0}")]
    Failed(#[from] tokio::task::JoinError),
}

/// How long requests may still run once the input has ended. A server is to go promptly then (2026-07-28, transports ›
/// stdio), and `rmcp` alone would give them five seconds.
const GRACE: Duration = Duration::from_millis(500);

/// Serves MCP on stdin and stdout until stdin ends.
///
/// Input that ends before a session has started is not an error.
///
/// # Errors
///
/// [`DemoError`], when no session could be started or a task panicked.
pub async fn run_stdio() -> Result<(), DemoError> {
    let (input, output) = stdio_pipes();
    serve(input, output, leave).await
}

async fn serve(
    input: impl AsyncRead + Unpin + Send + 'static,
    output: impl AsyncWrite + Unpin + Send + 'static,
    exit: impl Fn(u8) + Send + Sync + 'static,
) -> Result<(), DemoError> {
    let output = Output::new(output);
    let transport = LineTransport::new(input, output.clone());
    let input_ended = transport.ended();
    let running = match Demo::new(exit, Arc::new(Hub::new()))
        .over(output)
        .serve(transport)
        .await
    {
        Ok(running) => running,
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(why) => return Err(DemoError::NotStarted(Box::new(why))),
    };
    let quit = tokio::select! {
        quit = running.waiting() => quit?,
        () = async { input_ended.notified().await; tokio::time::sleep(GRACE).await } => QuitReason::Closed,
    };
    if let QuitReason::JoinError(why) = quit {
        return Err(why.into());
    }
    Ok(())
}

/// Ends this process at once, which is what the `exit` tool is for.
#[expect(
    clippy::disallowed_methods,
    reason = "the tool shows a server that dies: nothing may be closed or answered first"
)]
fn leave(code: u8) {
    std::process::exit(i32::from(code));
}
