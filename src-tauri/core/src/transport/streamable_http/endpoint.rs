//! The endpoint: its URL, its HTTP client, and the headers of requests as they are sent and as they are logged.

use std::path::Path;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Certificate, Url};
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;

use super::connect::Timed;
use super::error::HttpError;

/// How long a connection may take to be made, TLS included.
pub(super) const CONNECT: Duration = Duration::from_secs(10);
/// How long an unused connection is kept: less than the 5 s after which common servers close it, so that a request does not
/// meet that moment.
const IDLE: Duration = Duration::from_secs(4);

/// An HTTP endpoint and what is sent to it with every request.
pub(in crate::transport) struct Endpoint {
    pub(super) url: Url,
    pub(super) client: reqwest::Client,
    configured: Vec<(HeaderName, HeaderValue)>,
}

impl Endpoint {
    /// `ca`: a file of further trusted certificates.
    pub(in crate::transport) fn new(
        url: &str,
        headers: &[(String, String)],
        ca: Option<&Path>,
    ) -> Result<Self, HttpError> {
        let parsed = parse_url(url)?;
        let trusted = ca.map(certificates).transpose()?.unwrap_or_default();
        let client = client(&parsed, &trusted).map_err(|error| HttpError::Client {
            why: super::error::words(&error),
        })?;
        Ok(Self {
            url: parsed,
            client,
            configured: parse(headers)?,
        })
    }

    /// The URL for people and the log: without a password.
    pub(super) fn shown(&self) -> String {
        shown(&self.url)
    }

    /// The headers of a request, later ones in place of earlier ones with the same name.
    pub(super) fn headers(
        &self,
        own: &[(HeaderName, HeaderValue)],
        further: &[Headers<'_>],
    ) -> HeaderMap {
        let mut map = HeaderMap::new();
        let always = [
            (
                reqwest::header::ACCEPT_ENCODING,
                HeaderValue::from_static("gzip, deflate, br"),
            ),
            (
                reqwest::header::USER_AGENT,
                HeaderValue::from_static(concat!("framescope/", env!("CARGO_PKG_VERSION"))),
            ),
        ];
        for headers in [&always, own, &self.configured[..]].iter().chain(further) {
            for (name, _) in *headers {
                map.remove(name);
            }
            for (name, value) in *headers {
                map.append(name, value.clone());
            }
        }
        map
    }
}

/// The URL of an endpoint.
pub(in crate::transport) fn parse_url(url: &str) -> Result<Url, HttpError> {
    let refused = |why: String| HttpError::Url {
        url: url.to_owned(),
        why,
    };
    let parsed = Url::parse(url).map_err(|error| refused(error.to_string()))?;
    match parsed.scheme() {
        "http" | "https" => Ok(parsed),
        other => Err(refused(format!("`{other}` is no scheme that MCP uses"))),
    }
}

/// Headers in order.
pub(super) type Headers<'a> = &'a [(HeaderName, HeaderValue)];

/// Checks headers.
pub(super) fn parse(
    headers: &[(String, String)],
) -> Result<Vec<(HeaderName, HeaderValue)>, HttpError> {
    let parsed = headers.iter().map(|(name, value)| {
        let refused = |why| HttpError::Header {
            name: name.clone(),
            why,
        };
        let key = HeaderName::from_bytes(name.trim().as_bytes())
            .map_err(|_| refused("its name may hold letters, digits and hyphens only"))?;
        let value = HeaderValue::from_bytes(value.trim().as_bytes())
            .map_err(|_| refused("its value holds a line break or another control character"))?;
        Ok((key, value))
    });
    parsed.collect()
}

/// The certificates in a file (PEM); there is at least one.
pub(in crate::transport) fn certificates(
    file: &Path,
) -> Result<Vec<CertificateDer<'static>>, HttpError> {
    let refused = |why: String| HttpError::Ca {
        file: file.display().to_string(),
        why,
    };
    let pem = std::fs::read(file).map_err(|error| refused(error.to_string()))?;
    let found = CertificateDer::pem_slice_iter(&pem).collect::<Result<Vec<_>, _>>();
    let found = found.map_err(|error| refused(error.to_string()))?;
    if found.is_empty() {
        return Err(refused("it holds no certificate in PEM".to_owned()));
    }
    Ok(found)
}

fn client(url: &Url, trusted: &[CertificateDer<'_>]) -> Result<reqwest::Client, reqwest::Error> {
    let mut builder = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .connect_timeout(CONNECT)
        .connector_layer(Timed)
        .pool_idle_timeout(IDLE);
    if is_loopback(url) {
        // A proxy could not reach this machine under that name.
        builder = builder.no_proxy();
    }
    if url.scheme() == "http" && is_loopback(url) {
        // Loading the certificates of the machine takes longer than the whole exchange.
        builder = builder.tls_certs_only([]);
    }
    if !trusted.is_empty() {
        let trusted = trusted.iter().map(|one| Certificate::from_der(one));
        builder = builder.tls_certs_merge(trusted.collect::<Result<Vec<_>, _>>()?);
    }
    builder.build()
}

pub(in crate::transport) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || host.ends_with(".localhost")
        || address
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

/// A URL for people and the log: without a password.
pub(super) fn shown(url: &Url) -> String {
    let mut url = url.clone();
    if url.password().is_some() {
        // It fails only for URLs that have no host.
        let _ = url.set_password(Some("***"));
    }
    url.into()
}

/// A URL for an error message: the query may hold secrets.
pub(super) fn brief(url: &Url) -> String {
    let port = url
        .port()
        .map(|port| format!(":{port}"))
        .unwrap_or_default();
    format!(
        "{}://{}{port}{}",
        url.scheme(),
        url.host_str().unwrap_or_default(),
        url.path()
    )
}

/// Host and port of a URL.
pub(super) fn at(url: &Url) -> String {
    let port = url.port_or_known_default().unwrap_or_default();
    format!("{}:{port}", url.host_str().unwrap_or_default())
}

/// Headers for the log; the tap masks those that are credentials.
pub(super) fn logged(headers: &HeaderMap) -> Vec<(String, String)> {
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    headers
        .iter()
        .map(|(name, value)| (name.as_str().to_owned(), text(value)))
        .collect()
}
