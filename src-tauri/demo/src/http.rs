//! The demo server over Streamable HTTP, on this machine only.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use rmcp::transport::streamable_http_server::session::SessionManager as _;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::hub::Hub;
use crate::server::Demo;
use crate::{exact, leave};

/// The path of the endpoint.
const PATH: &str = "/mcp";

type Answer = Response<BoxBody<Bytes, Infallible>>;

/// The demo server on a port of the loopback interface.
#[derive(Debug)]
pub struct HttpServer {
    listener: TcpListener,
    address: SocketAddr,
}

impl HttpServer {
    /// Takes the port; 0 is any free one.
    ///
    /// # Errors
    ///
    /// Where the port is taken.
    pub async fn bind(port: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        Ok(Self { listener, address })
    }

    /// The URL of its endpoint.
    pub fn url(&self) -> String {
        format!("http://{}{PATH}", self.address)
    }

    /// Serves until it is dropped.
    ///
    /// # Errors
    ///
    /// Where the port cannot be listened on any more.
    pub async fn run(self) -> io::Result<()> {
        let sessions = Arc::new(LocalSessionManager::default());
        let hub = Arc::new(Hub::new());
        let front = Arc::new(Front {
            rmcp: StreamableHttpService::new(
                move || Ok(Demo::new(leave, Arc::clone(&hub))),
                Arc::clone(&sessions),
                StreamableHttpServerConfig::default(),
            ),
            sessions,
        });
        let mut connections = JoinSet::new();
        loop {
            let (stream, _) = self.listener.accept().await?;
            connections.spawn(connection(stream, Arc::clone(&front)));
            while connections.try_join_next().is_some() {}
        }
    }
}

/// How a connection ends is its client's business.
async fn connection(stream: TcpStream, front: Arc<Front>) {
    // Without it small answers wait for acknowledgements; that is slower, not wrong.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let front = Arc::clone(&front);
        async move { Ok::<_, Infallible>(front.answer(request).await) }
    });
    let _ = hyper::server::conn::http1::Builder::new()
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

/// Answers the exact tools, and hands the rest over.
struct Front {
    rmcp: StreamableHttpService<Demo, LocalSessionManager>,
    sessions: Arc<LocalSessionManager>,
}

impl Front {
    async fn answer(&self, request: Request<Incoming>) -> Answer {
        if request.uri().path() != PATH {
            return plain(
                StatusCode::NOT_FOUND,
                "text/plain",
                "the endpoint is /mcp\n",
            );
        }
        let (head, body) = request.into_parts();
        let Ok(body) = body
            .collect()
            .await
            .map(http_body_util::Collected::to_bytes)
        else {
            return plain(
                StatusCode::BAD_REQUEST,
                "text/plain",
                "the body did not arrive\n",
            );
        };
        let session = head
            .headers
            .get("mcp-session-id")
            .and_then(|id| id.to_str().ok());
        let initialized = match session {
            Some(id) => matches!(self.sessions.has_session(&id.into()).await, Ok(true)),
            None => false,
        };
        let exact = (head.method == Method::POST).then(|| exact::answer(&body, initialized));
        if let Some(answer) = exact.flatten() {
            return plain(StatusCode::OK, "application/json", answer);
        }
        self.rmcp
            .handle(Request::from_parts(head, Full::new(body)))
            .await
    }
}

fn plain(status: StatusCode, kind: &'static str, body: impl Into<Bytes>) -> Answer {
    let mut response = Response::new(Full::new(body.into()).boxed());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
