//! What lies below HTTP, step by step on a connection of its own: for a diagnosis, which shows the steps apart. No byte of a
//! message crosses it, so nothing of it is in a log.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hyper_util::client::proxy::matcher::Matcher;
use reqwest::Url;
use rustls_platform_verifier::Verifier;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, Error as TlsError};

use super::streamable_http::{HttpError, certificates, is_loopback, parse_url, tls_words};

/// How long each of the steps may take.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// Which host a URL is reached at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The host as DNS knows it, or its address; an IPv6 address without brackets.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// TLS begins as soon as the connection is there. A proxy is spoken to in plain text first.
    pub tls: bool,
    /// That host is a proxy, which the environment or the system names for this URL: its host and port.
    pub proxy: Option<String>,
}

/// What was agreed on for a secure connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secured {
    /// The version of TLS, e.g. `TLS 1.3`.
    pub version: String,
    /// The protocol on top of it, e.g. `h2`; none where the server chose none.
    pub protocol: Option<String>,
}

/// The addresses of a host; none where it has none or the resolver does not answer in [`PATIENCE`].
pub async fn addresses(host: &str, port: u16) -> Vec<std::net::IpAddr> {
    match timeout(PATIENCE, tokio::net::lookup_host((host, port))).await {
        Ok(Ok(found)) => found.map(|address| address.ip()).collect(),
        Ok(Err(_)) | Err(_) => Vec::new(),
    }
}

impl Route {
    /// The way to a URL from here.
    ///
    /// # Errors
    /// Where the URL is none that MCP uses.
    pub fn of(url: &str) -> Result<Self, HttpError> {
        let url = parse_url(url)?;
        let tls = url.scheme() == "https";
        match proxy(&url) {
            Some((host, port)) => Ok(Self {
                proxy: Some(format!("{host}:{port}")),
                host: bare(&host),
                port,
                tls: false,
            }),
            None => Ok(Self {
                host: bare(url.host_str().unwrap_or_default()),
                port: url.port_or_known_default().unwrap_or_default(),
                tls,
                proxy: None,
            }),
        }
    }

    /// Host and port.
    pub fn at(&self) -> String {
        match self.host.contains(':') {
            true => format!("[{}]:{}", self.host, self.port),
            false => format!("{}:{}", self.host, self.port),
        }
    }

    /// The addresses of the host.
    ///
    /// # Errors
    /// Where it has none, or the resolver does not answer in [`PATIENCE`].
    pub async fn resolve(&self) -> Result<Vec<SocketAddr>, HttpError> {
        let failed = |why: String| HttpError::Dns {
            host: self.host.clone(),
            why,
        };
        let asked = tokio::net::lookup_host((self.host.as_str(), self.port));
        let found = match timeout(PATIENCE, asked).await {
            Ok(found) => found.map_err(|error| failed(error.to_string()))?,
            Err(_) => {
                return Err(failed(format!("no answer within {} s", PATIENCE.as_secs())));
            }
        };
        let addresses: Vec<_> = found.collect();
        match addresses.is_empty() {
            true => Err(failed("it has no address".to_owned())),
            false => Ok(addresses),
        }
    }

    /// A connection to the first of the addresses that takes one. All of them together have [`PATIENCE`].
    ///
    /// # Errors
    /// Where none takes one: what the last one said.
    pub async fn connect(
        &self,
        addresses: &[SocketAddr],
    ) -> Result<(TcpStream, SocketAddr), HttpError> {
        let at = self.at();
        let share = PATIENCE / u32::try_from(addresses.len().max(1)).unwrap_or(1);
        let mut last = HttpError::ConnectTimeout {
            at: at.clone(),
            after: PATIENCE,
        };
        for address in addresses {
            let error = match timeout(share, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => return Ok((stream, *address)),
                Ok(Err(error)) => error,
                Err(_) => continue,
            };
            let at = at.clone();
            last = if error.kind() == io::ErrorKind::ConnectionRefused {
                HttpError::Refused { at }
            } else {
                let why = error.to_string();
                HttpError::Connect { at, why }
            };
        }
        Err(last)
    }

    /// Agrees on TLS, as this machine trusts and besides whom the certificates in `ca` (PEM) name, and closes the
    /// connection again.
    ///
    /// # Errors
    /// Where the two cannot agree, or not in [`PATIENCE`]; where `ca` holds no certificate.
    pub async fn secure(&self, stream: TcpStream, ca: Option<&Path>) -> Result<Secured, HttpError> {
        let at = self.at();
        let failed = |why: String| {
            let (why, next) = tls_words(why);
            HttpError::Tls {
                at: at.clone(),
                why,
                next,
            }
        };
        let trusted = ca.map(certificates).transpose()?.unwrap_or_default();
        let config = client_config(trusted)
            .await
            .map_err(|why| HttpError::Client { why })?;
        let name = ServerName::try_from(self.host.clone()).map_err(|_| {
            failed(format!(
                "`{}` is no name that a certificate can be for",
                self.host
            ))
        })?;
        let handshake = TlsConnector::from(config).connect(name, stream);
        let stream = match timeout(PATIENCE, handshake).await {
            Ok(stream) => stream.map_err(|error| failed(error.to_string()))?,
            Err(_) => {
                return Err(failed(format!(
                    "no answer to the handshake within {} s",
                    PATIENCE.as_secs()
                )));
            }
        };
        let (_, session) = stream.get_ref();
        let version = session.protocol_version().and_then(|version| {
            version
                .as_str()
                .map(|name| name.replace("TLSv1_", "TLS 1."))
        });
        let protocol = session.alpn_protocol();
        Ok(Secured {
            version: version.unwrap_or_else(|| "TLS".to_owned()),
            protocol: protocol.map(|name| String::from_utf8_lossy(name).into_owned()),
        })
    }
}

/// Reads the certificates of the machine, which takes a while.
async fn client_config(trusted: Vec<CertificateDer<'static>>) -> Result<Arc<ClientConfig>, String> {
    let build = move || -> Result<ClientConfig, TlsError> {
        let builder = ClientConfig::builder();
        let verifier =
            Verifier::new_with_extra_roots(trusted, Arc::clone(builder.crypto_provider()))?;
        let builder = builder.dangerous(); // It only means that the verifier is not rustls' own.
        let builder = builder.with_custom_certificate_verifier(Arc::new(verifier));
        Ok(builder.with_no_client_auth())
    };
    let config = tokio::task::spawn_blocking(build).await;
    let mut config = config
        .map_err(|error| error.to_string())?
        .map_err(|error| error.to_string())?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// The proxy for a URL, as the HTTP client sees it.
fn proxy(url: &Url) -> Option<(String, u16)> {
    if is_loopback(url) {
        return None;
    }
    let destination = url.as_str().parse().ok()?;
    let through = Matcher::from_system().intercept(&destination)?;
    let proxy = through.uri();
    let port = proxy.port_u16().unwrap_or(match proxy.scheme_str() {
        Some("https") => 443,
        Some("socks4" | "socks4a" | "socks5" | "socks5h") => 1080,
        Some(_) | None => 80,
    });
    Some((proxy.host()?.to_owned(), port))
}

fn bare(host: &str) -> String {
    host.trim_start_matches('[')
        .trim_end_matches(']')
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn route(host: &str, port: u16, tls: bool) -> Route {
        Route {
            host: host.to_owned(),
            port,
            tls,
            proxy: None,
        }
    }

    #[test]
    fn a_url_names_its_host_its_port_and_whether_it_is_secure() {
        for (url, expected, at) in [
            (
                "http://127.0.0.1:8080/mcp",
                route("127.0.0.1", 8080, false),
                "127.0.0.1:8080",
            ),
            (
                "https://localhost/mcp",
                route("localhost", 443, true),
                "localhost:443",
            ),
            ("http://[::1]:9/", route("::1", 9, false), "[::1]:9"),
        ] {
            let route = Route::of(url).expect("a URL");
            assert_eq!(route, expected, "{url}");
            assert_eq!(route.at(), at, "{url}");
        }
        for url in ["ftp://host/", "nonsense", ""] {
            assert!(
                matches!(Route::of(url), Err(HttpError::Url { .. })),
                "{url:?} is no URL of a server"
            );
        }
    }

    #[tokio::test]
    async fn a_port_that_nothing_listens_on_is_refused() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let open = route("localhost", port, false);
        let addresses = open.resolve().await.expect("it has an address");
        let here: Vec<_> = addresses.into_iter().filter(SocketAddr::is_ipv4).collect();
        let (_, address) = open.connect(&here).await.expect("it listens");
        assert_eq!(address.port(), port);
        drop(listener);
        assert!(
            matches!(open.connect(&here).await, Err(HttpError::Refused { .. })),
            "nobody listens any more"
        );
    }

    #[tokio::test]
    async fn a_name_without_an_address_and_a_host_without_tls_are_told_apart() {
        let nowhere = route("no-such-host.invalid", 443, true);
        assert!(
            matches!(nowhere.resolve().await, Err(HttpError::Dns { host, .. }) if host == "no-such-host.invalid"),
            ".invalid never resolves (RFC 6761)"
        );
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let plain = route("127.0.0.1", listener.local_addr().unwrap().port(), true);
        let addresses = plain.resolve().await.unwrap();
        let (stream, _) = plain.connect(&addresses).await.unwrap();
        let (answered, secured) = tokio::join!(
            async {
                let (mut peer, _) = listener.accept().await.unwrap();
                tokio::io::AsyncWriteExt::write_all(&mut peer, b"HTTP/1.1 400 Bad Request\r\n\r\n")
                    .await
            },
            plain.secure(stream, None)
        );
        answered.expect("the peer wrote");
        let Err(HttpError::Tls { why, next, .. }) = secured else {
            panic!("no TLS can come of that: {secured:?}")
        };
        assert!(
            why.contains("no TLS") && next.contains("http://"),
            "{why} · {next}"
        );
    }
}
