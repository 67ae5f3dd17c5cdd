//! Which addresses the metadata of a server may send this app to (security best practices › OAuth Authorization URL Validation,
//! Server-Side Request Forgery).

use std::net::{IpAddr, Ipv6Addr};

use reqwest::Url;

use super::step::{Party, StepError};
use crate::transport::reach;

/// Where a host is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// This machine.
    Loopback,
    /// This network, or an address of its infrastructure.
    Private,
    /// Anywhere else.
    Public,
}

/// Where the host of a URL is. A name is looked up; one without an address is public, since nothing can be sent to it.
pub(super) async fn place(url: &Url) -> Place {
    let host = host(url);
    if let Ok(address) = host.parse() {
        return of(address);
    }
    if host == "localhost" || host.ends_with(".localhost") {
        return Place::Loopback;
    }
    let found = reach::addresses(host, url.port_or_known_default().unwrap_or_default()).await;
    let places: Vec<_> = found.into_iter().map(of).collect();
    let near = places.iter().find(|place| **place != Place::Public);
    near.copied().unwrap_or(Place::Public)
}

fn host(url: &Url) -> &str {
    url.host_str().unwrap_or_default().trim_matches(['[', ']'])
}

fn of(address: IpAddr) -> Place {
    match address {
        _ if address.is_loopback() => Place::Loopback,
        IpAddr::V4(v4) => {
            let [a, b, ..] = v4.octets();
            let shared = a == 100 && (64..128).contains(&b);
            let near = v4.is_private() || v4.is_link_local() || v4.is_unspecified() || shared;
            if near { Place::Private } else { Place::Public }
        }
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => of(v4.into()),
            None if v6.is_unique_local() || v6.is_unicast_link_local() => Place::Private,
            None if v6 == Ipv6Addr::UNSPECIFIED => Place::Private,
            None => Place::Public,
        },
    }
}

/// Reads an address that `what` names: https, or http where it does not leave this machine or its network.
pub(super) async fn allowed(text: &str, what: &str) -> Result<(Url, Place), StepError> {
    let refused = |why: &str| {
        StepError::new(
            Party::AuthorizationServer,
            format!("{what} is `{text}`, which was not used: {why}"),
            "The metadata has to name an https address",
        )
    };
    let url = Url::parse(text).map_err(|error| refused(&error.to_string()))?;
    match url.scheme() {
        "https" => {}
        "http" if place(&url).await != Place::Public => {}
        "http" => return Err(refused("it is not encrypted and not on this machine")),
        _ => return Err(refused("only https is used, and http on this machine")),
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err(refused("it names no host"));
    }
    if url.username() != "" || url.password().is_some() {
        return Err(refused("it holds a user name or a password"));
    }
    let place = place(&url).await;
    Ok((url, place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a11_addresses_of_this_machine_and_its_network_are_told_apart() {
        for (url, wanted) in [
            ("http://127.0.0.1:1/", Place::Loopback),
            ("http://[::1]/", Place::Loopback),
            ("http://localhost/x", Place::Loopback),
            ("http://a.localhost/x", Place::Loopback),
            ("http://169.254.169.254/latest", Place::Private),
            ("http://10.0.0.1/", Place::Private),
            ("http://192.168.1.1/", Place::Private),
            ("http://172.16.0.1/", Place::Private),
            ("http://100.64.0.1/", Place::Private),
            ("http://0.0.0.0/", Place::Private),
            ("http://[fe80::1]/", Place::Private),
            ("http://[fd00::1]/", Place::Private),
            ("http://[::ffff:10.0.0.1]/", Place::Private),
            ("https://93.184.215.14/", Place::Public),
            ("https://[2606:4700::1]/", Place::Public),
            // Written in other ways, an address is the same.
            ("http://2130706433/", Place::Loopback),
            ("http://0x7f.1/", Place::Loopback),
        ] {
            assert_eq!(place(&Url::parse(url).unwrap()).await, wanted, "{url}");
        }
    }

    #[tokio::test]
    async fn a10_addresses_that_are_no_web_pages_are_refused() {
        for url in [
            "javascript:alert(1)",
            "file:///etc/passwd",
            "data:text/html,x",
            "ms-msdt:/id",
            "vbscript:x",
            "http://93.184.215.14/authorize",
            "https://user:pass@93.184.215.14/",
            "no url",
            "",
        ] {
            let refused = allowed(url, "the authorization endpoint").await;
            let error = refused.expect_err(url);
            assert!(error.to_string().contains(url), "{error}");
        }
        for url in [
            "https://93.184.215.14/a",
            "http://127.0.0.1:80/a",
            "http://[::1]/a",
        ] {
            assert!(allowed(url, "it").await.is_ok(), "{url}");
        }
    }
}
