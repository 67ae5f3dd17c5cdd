//! Pure parts: what is sent, what is shown, and what an error is called. Exchanges are tested against real servers.

use std::io;

use reqwest::Url;
use reqwest::header::{ACCEPT, HeaderValue};

use super::endpoint::{Endpoint, at, brief, parse, shown};
use super::error::{HttpError, of_request, tls_words};

fn pairs(headers: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    headers.iter().map(owned).collect()
}

fn url(text: &str) -> Url {
    Url::parse(text).expect("a URL")
}

#[test]
fn later_headers_replace_earlier_ones_and_one_may_stand_twice() {
    let configured = pairs(&[
        ("accept", "text/html"),
        ("X-A", "1"),
        ("x-a", "2"),
        ("Empty", ""),
    ]);
    let endpoint = Endpoint::new("http://127.0.0.1:1/mcp", &configured, None).expect("an endpoint");
    let own = [(ACCEPT, HeaderValue::from_static("application/json"))];
    let further = parse(&pairs(&[("User-Agent", "mine"), ("EMPTY", "now")])).expect("headers");
    let headers = endpoint.headers(&own, &[&further]);
    let mut sent: Vec<_> = headers
        .iter()
        .map(|(name, value)| format!("{name}: {}", value.to_str().expect("text")))
        .collect();
    sent.sort();
    let expected = [
        "accept-encoding: gzip, deflate, br",
        "accept: text/html",
        "empty: now",
        "user-agent: mine",
        "x-a: 1",
        "x-a: 2",
    ];
    assert_eq!(sent, expected);
}

#[test]
fn a_header_that_cannot_be_sent_is_named() {
    for (name, value) in [("bad name", "x"), ("", "x"), ("x", "a\nb"), ("x", "a\0b")] {
        let error = parse(&pairs(&[(name, value)])).expect_err("refused");
        assert!(
            error.to_string().contains(&format!("`{name}`")),
            "{name:?}: {value:?}: {error}"
        );
    }
    assert!(parse(&pairs(&[("x", "Grüße"), ("y", "")])).is_ok());
}

#[test]
fn a_url_is_shown_without_its_secrets() {
    let url = url("https://user:pa55@example.test:8443/mcp?key=s3cret");
    assert_eq!(
        shown(&url),
        "https://user:***@example.test:8443/mcp?key=s3cret"
    );
    assert_eq!(brief(&url), "https://example.test:8443/mcp");
    assert_eq!(at(&url), "example.test:8443");
    assert_eq!(at(&self::url("http://[::1]/mcp")), "[::1]:80");
}

#[test]
fn only_http_urls_are_endpoints() {
    for text in [
        "",
        "mcp",
        "127.0.0.1:3000/mcp",
        "file:///mcp",
        "http://",
        "ws://h/mcp",
    ] {
        let refused = Endpoint::new(text, &[], None).err();
        assert!(
            matches!(refused, Some(HttpError::Url { .. })),
            "{text:?}: {refused:?}"
        );
    }
}

#[test]
fn tls_failures_are_said_in_words() {
    let check = |why: &str, meaning: &str, advice: &str| {
        let (words, next) = tls_words(why.to_owned());
        assert!(words.starts_with(meaning) && words.contains(why), "{words}");
        assert!(next.contains(advice), "{next}");
    };
    check(
        "invalid peer certificate: UnknownIssuer",
        "this machine does not trust",
        "authority",
    );
    check(
        "invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))",
        "the server's certificate is signed by itself",
        "signed by an authority",
    );
    check(
        "received corrupt message of type InvalidContentType",
        "what came is no TLS",
        "http://",
    );
    check("something new", "something new", "server's own log");
}

/// The error of a request to what `listen` gives; `None` where there was none.
async fn error_of(url: &str) -> Option<HttpError> {
    let endpoint = Endpoint::new(url, &[], None).expect("an endpoint");
    let address = at(&endpoint.url);
    let sent = endpoint.client.get(endpoint.url.clone()).send().await;
    let error = sent.err()?;
    Some(of_request(&error, url, address, super::endpoint::CONNECT))
}

#[tokio::test]
async fn failures_to_connect_are_told_apart() -> io::Result<()> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    drop(listener);
    let refused = error_of(&format!("http://{address}/")).await;
    assert!(
        matches!(refused, Some(HttpError::Refused { .. })),
        "{refused:?}"
    );
    let dns = error_of("http://no-such-host.invalid:81/").await;
    assert!(
        matches!(&dns, Some(HttpError::Dns { host, .. }) if host == "no-such-host.invalid"),
        "{dns:?}"
    );
    Ok(())
}
