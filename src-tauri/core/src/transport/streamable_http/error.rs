//! What can go wrong between this app and an HTTP endpoint, in words that name the party and the next step.

use std::error::Error;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use crate::transport::Challenge;

/// An HTTP exchange brought no answer. URLs stand here without user information and query.
#[derive(Clone, Debug, thiserror::Error)]
pub enum HttpError {
    /// The URL cannot be used.
    #[error(
        "this app cannot use `{url}` as the URL of a server: {why}; nothing was sent. Give the full http:// or https:// URL of \
         its MCP endpoint"
    )]
    Url {
        /// The URL as configured.
        url: String,
        /// What is wrong with it.
        why: String,
    },
    /// A header cannot be sent.
    #[error(
        "this app cannot send the header `{name}`: {why}; nothing was sent. Correct it in the server's configuration"
    )]
    Header {
        /// Its name.
        name: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The file of further trusted certificates cannot be used.
    #[error(
        "this app cannot use `{file}` as certificates to trust: {why}; nothing was sent. Give a file with certificates in PEM"
    )]
    Ca {
        /// The file as configured.
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// The HTTP client could not be set up.
    #[error("this app could not set up its HTTP client: {why}; nothing was sent")]
    Client {
        /// Its words.
        why: String,
    },
    /// The host has no address.
    #[error(
        "the name `{host}` could not be resolved: {why}. Check the host in the URL, and this machine's network and DNS"
    )]
    Dns {
        /// The host.
        host: String,
        /// The resolver's words.
        why: String,
    },
    /// The host refused the connection.
    #[error(
        "{at} refused the connection: nothing listens on that port. Start the server, or check host and port in the URL"
    )]
    Refused {
        /// Host and port.
        at: String,
    },
    /// The host did not take the connection in time.
    #[error("no connection to {at} within {} s. Check host and port in the URL, whether it must be http:// or https://, and firewalls between", after.as_secs())]
    ConnectTimeout {
        /// Host and port.
        at: String,
        /// How long we waited.
        after: Duration,
    },
    /// The connection could not be made for another reason.
    #[error("this app could not connect to {at}: {why}. Check host and port in the URL")]
    Connect {
        /// Host and port.
        at: String,
        /// The operating system's words.
        why: String,
    },
    /// No TLS connection could be agreed on.
    #[error("no secure connection to {at}: {why}. {next}")]
    Tls {
        /// Host and port.
        at: String,
        /// The TLS library's words.
        why: String,
        /// What to try.
        next: &'static str,
    },
    /// The connection broke before the answer was complete.
    #[error(
        "the connection to {url} broke before the answer was complete: {why}. See whether the server still runs"
    )]
    Broken {
        /// The endpoint.
        url: String,
        /// What broke.
        why: String,
    },
    /// The other side does not speak HTTP, or speaks it wrongly.
    #[error(
        "what {url} sent is not valid HTTP: {why}. Check the port and whether the URL must begin with https://"
    )]
    NotHttp {
        /// The endpoint.
        url: String,
        /// What was wrong.
        why: String,
    },
    /// The server asks for authorization (HTTP 401, or 403 with a Bearer challenge).
    #[error(
        "the server at {url} needs authorization (HTTP {}{}){}. Sign in, or add an Authorization header to the server's \
         configuration",
        challenge.status,
        challenge.www_authenticate.first().map(|first| format!(", {first}")).unwrap_or_default(),
        challenge.hints().iter().map(|hint| format!("; {hint}")).collect::<String>()
    )]
    SignIn {
        /// The endpoint.
        url: String,
        /// What it asked for.
        challenge: Arc<Challenge>,
    },
    /// The server does not know the session any more (HTTP 404 with a session id; some say it by 400).
    #[error(
        "the server at {url} does not know this session any more (HTTP {status}{}): it ended it or was restarted. {}",
        said(excerpt),
        if *renewed {
            "A new session was begun; the request was not repeated, since it may change something: send it again"
        } else {
            "Connect again"
        }
    )]
    SessionLost {
        /// The endpoint.
        url: String,
        /// The status.
        status: u16,
        /// The beginning of the body, as one line.
        excerpt: String,
        /// A new session was begun in its place.
        renewed: bool,
    },
    /// The server sends us elsewhere, and we do not follow.
    #[error(
        "the server at {url} redirects to `{location}` (HTTP {status}), which was not followed: {why}. If you trust that \
         address, use it as the URL of the server"
    )]
    Redirect {
        /// The endpoint.
        url: String,
        /// The status.
        status: u16,
        /// Its `Location`.
        location: String,
        /// Why it was not followed.
        why: &'static str,
    },
    /// The server answered with a status that is no success, and with no response to the request.
    #[error("the server at {url} answered HTTP {status}{}. {}", said(excerpt), advice(*status))]
    Status {
        /// The endpoint.
        url: String,
        /// The status.
        status: u16,
        /// The beginning of the body, as one line.
        excerpt: String,
    },
    /// The server answered with success, but with no response to the request.
    #[error(
        "{}the server at {url} did not answer the request: {what}{}. {}",
        id.as_ref().map(|id| format!("no response received for request id {id}: ")).unwrap_or_default(),
        said(excerpt),
        advice_on(excerpt)
    )]
    NoResponse {
        /// The id of the request, as its JSON text.
        id: Option<String>,
        /// The endpoint.
        url: String,
        /// The status.
        status: u16,
        /// What came instead.
        what: String,
        /// The beginning of the body, as one line.
        excerpt: String,
    },
    /// HTTP+SSE: the server's stream named no address for messages that can be used.
    #[error(
        "the event stream of {url} names `{endpoint}` as the address for messages: {why}; nothing was sent. {next}"
    )]
    Endpoint {
        /// The stream.
        url: String,
        /// What it named.
        endpoint: String,
        /// What is wrong with it.
        why: &'static str,
        /// What to try.
        next: &'static str,
    },
    /// HTTP+SSE: the server's stream ended.
    #[error(
        "the event stream of {url} {how}, and with it the connection. See whether the server still runs, and connect again"
    )]
    StreamEnded {
        /// The stream.
        url: String,
        /// How.
        how: String,
    },
    /// This app ended the exchange.
    #[error("this app ended the exchange before an answer came")]
    Aborted,
    /// The message is too large to be sent.
    #[error("the message is over the size that this app reads; nothing was sent")]
    TooLarge,
}

impl HttpError {
    /// The same for a session that another one took the place of.
    #[must_use]
    pub fn renewed(mut self) -> Self {
        if let Self::SessionLost { renewed, .. } = &mut self {
            *renewed = true;
        }
        self
    }

    /// The status of the answer, where one came.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::SignIn { challenge, .. } => Some(challenge.status),
            Self::SessionLost { status, .. }
            | Self::Redirect { status, .. }
            | Self::Status { status, .. }
            | Self::NoResponse { status, .. } => Some(*status),
            Self::Url { .. }
            | Self::Header { .. }
            | Self::Ca { .. }
            | Self::Client { .. }
            | Self::Dns { .. }
            | Self::Refused { .. }
            | Self::ConnectTimeout { .. }
            | Self::Connect { .. }
            | Self::Tls { .. }
            | Self::Broken { .. }
            | Self::NotHttp { .. }
            | Self::Endpoint { .. }
            | Self::StreamEnded { .. }
            | Self::Aborted
            | Self::TooLarge => None,
        }
    }
}

fn said(excerpt: &str) -> String {
    if excerpt.is_empty() {
        String::new()
    } else {
        format!(", saying `{excerpt}`")
    }
}

fn advice_on(excerpt: &str) -> &'static str {
    if excerpt.starts_with('<') {
        "That is a web page: check the URL, this may not be the MCP endpoint"
    } else {
        "See the exchange in the log"
    }
}

fn advice(status: u16) -> &'static str {
    match status {
        403 => "It may refuse this client's address or host; see the server's own log",
        404 | 405 => "Check the path of the URL: this may not be the MCP endpoint",
        406 | 415 => "Check the Accept and Content-Type headers of the server's configuration",
        429 => "Wait before trying again",
        500.. => "See the server's own log",
        _ => "See the exchange in the log for what it objects to",
    }
}

/// Why a request could not be sent or its answer could not be begun.
pub(super) fn of_request(
    error: &reqwest::Error,
    url: &str,
    at: String,
    patience: Duration,
) -> HttpError {
    let why = words(error);
    if error.is_dns() {
        let host = at
            .rsplit_once(':')
            .map_or(at.as_str(), |(host, _)| host)
            .to_owned();
        return HttpError::Dns { host, why };
    }
    if !error.is_connect() {
        let url = url.to_owned();
        return if causes(error).any(is_parse) {
            HttpError::NotHttp { url, why }
        } else {
            HttpError::Broken { url, why }
        };
    }
    if error.is_timeout() {
        return HttpError::ConnectTimeout {
            at,
            after: patience,
        };
    }
    let kinds = io_kinds(error);
    if kinds.contains(&io::ErrorKind::ConnectionRefused) {
        HttpError::Refused { at }
    } else if kinds.contains(&io::ErrorKind::InvalidData) {
        let (why, next) = tls_words(why);
        HttpError::Tls { at, why, next }
    } else {
        HttpError::Connect { at, why }
    }
}

/// The kinds of the I/O errors among the causes: a connector wraps one in the other.
fn io_kinds(error: &(dyn Error + 'static)) -> Vec<io::ErrorKind> {
    let mut kinds = Vec::new();
    for cause in causes(error) {
        let mut io = cause.downcast_ref::<io::Error>();
        while let Some(error) = io {
            kinds.push(error.kind());
            io = error.get_ref().and_then(|inner| inner.downcast_ref());
        }
    }
    kinds
}

/// hyper's error says this in words only.
fn is_parse(error: &(dyn Error + 'static)) -> bool {
    let text = error.to_string();
    text.starts_with("invalid ") || text.starts_with("message head is too large")
}

/// What rustls calls the common failures, what they mean, and what helps. Its words are those of its source code.
const TLS: [(&str, &str, &str); 7] = [
    (
        "InvalidContentType",
        "what came is no TLS",
        "The server may speak plain HTTP: try http:// in the URL",
    ),
    (
        "UnknownIssuer",
        "this machine does not trust who signed the server's certificate",
        "Give the server's configuration a file with that authority's certificate, or add it to those that this machine trusts",
    ),
    (
        "CaUsedAsEndEntity",
        "the server's certificate is signed by itself and marked as an authority's",
        "Give the server a certificate of its own, signed by an authority that this machine trusts",
    ),
    (
        "NotValidForName",
        "the server's certificate is for another name",
        "Use the name that stands in the certificate, or give the server another one",
    ),
    (
        "Expired",
        "the server's certificate has expired",
        "Renew it, and check this machine's clock",
    ),
    (
        "NotValidYet",
        "the server's certificate is not valid yet",
        "Check this machine's clock",
    ),
    (
        "HandshakeFailure",
        "both sides share no way to encrypt",
        "See which TLS versions the server allows: this app speaks 1.2 and 1.3",
    ),
];

/// A TLS failure in words, and what to try.
pub(in crate::transport) fn tls_words(why: String) -> (String, &'static str) {
    match TLS.iter().find(|(sign, ..)| why.contains(sign)) {
        Some((_, meaning, next)) => (format!("{meaning} ({why})"), next),
        None => (why, "See the server's own log for the TLS failure"),
    }
}

fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error: &&'a (dyn Error + 'static)| {
        (*error).source()
    })
}

/// The most specific words of an error: those of its last cause.
pub(super) fn words(error: &(dyn Error + 'static)) -> String {
    let last = causes(error).last().map(ToString::to_string);
    last.unwrap_or_default()
}
