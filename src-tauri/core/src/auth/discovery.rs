//! Where metadata stands and what it has to say (RFC 9728 § 3, RFC 8414 § 3, OpenID Connect Discovery § 4). Pure.

use reqwest::Url;
use serde::Deserialize;

/// What a server says about itself (RFC 9728 § 2).
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct ResourceMetadata {
    pub(super) resource: Option<String>,
    pub(super) authorization_servers: Option<Vec<String>>,
    pub(super) scopes_supported: Option<Vec<String>>,
    pub(super) dpop_bound_access_tokens_required: Option<bool>,
}

/// What an authorization server says about itself (RFC 8414 § 2); null equals absent.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct ServerMetadata {
    pub(super) issuer: Option<String>,
    pub(super) authorization_endpoint: Option<String>,
    pub(super) token_endpoint: Option<String>,
    pub(super) registration_endpoint: Option<String>,
    pub(super) revocation_endpoint: Option<String>,
    pub(super) scopes_supported: Option<Vec<String>>,
    pub(super) code_challenge_methods_supported: Option<Vec<String>>,
    pub(super) token_endpoint_auth_methods_supported: Option<Vec<String>>,
    pub(super) client_id_metadata_document_supported: Option<bool>,
    pub(super) authorization_response_iss_parameter_supported: Option<bool>,
}

impl ServerMetadata {
    /// What holds for a server of 2025-03-26 without metadata (authorization › Fallbacks for Servers without Metadata
    /// Discovery).
    pub(super) fn by_default(base: &Url) -> Self {
        let at = |path: &str| Some(with_path(base, path).to_string());
        Self {
            issuer: Some(base.origin().ascii_serialization()),
            authorization_endpoint: at("/authorize"),
            token_endpoint: at("/token"),
            registration_endpoint: at("/register"),
            token_endpoint_auth_methods_supported: Some(
                ["none", "client_secret_post", "client_secret_basic"]
                    .map(str::to_owned)
                    .into(),
            ),
            ..Self::default()
        }
    }
}

/// Where a server's metadata may stand, in the order to try: what its challenge names, the path form, the root.
pub(super) fn resource_metadata_urls(server: &Url, named: &[String]) -> Vec<String> {
    let known = "/.well-known/oauth-protected-resource";
    let path = server.path().trim_end_matches('/');
    let mut formed = with_path(server, &format!("{known}{path}"));
    formed.set_query(server.query());
    let all = named
        .iter()
        .cloned()
        .chain([formed.to_string(), with_path(server, known).to_string()]);
    let mut urls = Vec::new();
    for url in all {
        if !urls.contains(&url) {
            urls.push(url);
        }
    }
    urls
}

/// Where an issuer's metadata may stand, in the order to try.
pub(super) fn server_metadata_urls(issuer: &Url) -> Vec<Url> {
    let (oauth, openid) = (
        "/.well-known/oauth-authorization-server",
        "/.well-known/openid-configuration",
    );
    let path = issuer.path().trim_end_matches('/');
    let mut paths = vec![format!("{oauth}{path}"), format!("{openid}{path}")];
    if !path.is_empty() {
        paths.push(format!("{path}{openid}"));
    }
    paths.iter().map(|path| with_path(issuer, path)).collect()
}

fn with_path(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_path(path);
    url.set_query(None);
    url.set_fragment(None);
    url
}

/// How the issuer that a document names stands to the one that it was asked for by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Issuers {
    /// To the character.
    Same,
    /// But for the slash of the root path, which real providers add. 2026-07-28 forbids even that.
    ButForSlash,
    /// Another one.
    Other,
}

/// Compares issuers.
pub(super) fn compare(asked: &str, named: &str) -> Issuers {
    if asked == named {
        return Issuers::Same;
    }
    let root = |text: &str| {
        let url = Url::parse(text).ok()?;
        let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        let written = text.strip_suffix('/').unwrap_or(text).to_owned();
        bare.then_some(written)
    };
    match (root(asked), root(named)) {
        (Some(asked), Some(named)) if asked == named => Issuers::ButForSlash,
        _ => Issuers::Other,
    }
}

/// Whether metadata about `resource` is about the server: the same origin, and its path or one above it.
pub(super) fn covers(resource: &str, server: &Url) -> bool {
    let Ok(resource) = Url::parse(resource) else {
        return false;
    };
    let path = resource.path().trim_end_matches('/');
    let below = server.path().strip_prefix(path);
    resource.origin() == server.origin()
        && resource.fragment().is_none()
        && below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn a01_resource_metadata_is_looked_for_where_the_challenge_says_then_by_path_then_at_the_root()
    {
        let server = url("https://h.example/mod/mcp");
        let (path, root) = (
            "https://h.example/.well-known/oauth-protected-resource/mod/mcp",
            "https://h.example/.well-known/oauth-protected-resource",
        );
        let named = "https://h.example/x/prm.json".to_owned();
        assert_eq!(
            resource_metadata_urls(&server, std::slice::from_ref(&named)),
            [&named, path, root]
        );
        assert_eq!(resource_metadata_urls(&server, &[]), [path, root]);
        assert_eq!(
            resource_metadata_urls(&url("https://h.example"), &[root.to_owned()]),
            [root]
        );
        assert_eq!(
            resource_metadata_urls(&url("https://h.example/mcp?t=1"), &[])[0],
            "https://h.example/.well-known/oauth-protected-resource/mcp?t=1"
        );
    }

    #[test]
    fn a02_server_metadata_is_looked_for_in_order() {
        let all = |issuer: &str| {
            let urls = server_metadata_urls(&url(issuer));
            urls.iter()
                .map(|url| url.path().to_owned())
                .collect::<Vec<_>>()
        };
        let plain = [
            "/.well-known/oauth-authorization-server",
            "/.well-known/openid-configuration",
        ];
        let tenant = [
            "/.well-known/oauth-authorization-server/tenant1",
            "/.well-known/openid-configuration/tenant1",
            "/tenant1/.well-known/openid-configuration",
        ];
        assert_eq!(all("https://as.example"), plain);
        assert_eq!(all("https://as.example/"), plain);
        assert_eq!(all("https://as.example/tenant1"), tenant);
        assert_eq!(all("https://as.example/tenant1/"), tenant);
    }

    #[test]
    fn a06_issuers_are_compared_to_the_character_but_for_the_slash_of_the_root() {
        for (asked, named, wanted) in [
            ("https://as.example", "https://as.example", Issuers::Same),
            (
                "https://as.example",
                "https://as.example/",
                Issuers::ButForSlash,
            ),
            (
                "https://as.example/",
                "https://as.example",
                Issuers::ButForSlash,
            ),
            (
                "https://as.example/t/",
                "https://as.example/t/",
                Issuers::Same,
            ),
            (
                "https://as.example/t",
                "https://as.example/t/",
                Issuers::Other,
            ),
            (
                "https://as.example/t",
                "https://as.example/u",
                Issuers::Other,
            ),
            ("https://as.example", "https://evil.example", Issuers::Other),
            ("https://as.example", "https://AS.example", Issuers::Other),
            (
                "https://as.example",
                "https://as.example:443",
                Issuers::Other,
            ),
            ("https://as.example", "", Issuers::Other),
        ] {
            assert_eq!(compare(asked, named), wanted, "{asked} {named}");
        }
    }

    #[test]
    fn a08_metadata_of_another_resource_is_told() {
        let server = url("http://localhost:5253/a/mcp");
        for (resource, about) in [
            ("http://localhost:5253/a/mcp", true),
            ("http://localhost:5253/a/mcp/", true),
            ("http://localhost:5253/a", true),
            ("http://localhost:5253", true),
            ("HTTP://LOCALHOST:5253/a", true),
            ("http://localhost:5253/a/m", false),
            ("http://localhost:5253/b", false),
            ("http://localhost:5254/a/mcp", false),
            ("https://localhost:5253/a/mcp", false),
            ("https://prod.example/mcp", false),
            ("http://localhost:5253/a/mcp#x", false),
            ("mcp", false),
        ] {
            assert_eq!(covers(resource, &server), about, "{resource}");
        }
    }

    #[test]
    fn a05_null_equals_absent() {
        let text = r#"{"issuer":"https://as.example","registration_endpoint":null,"scopes_supported":null,"x":1}"#;
        let metadata: ServerMetadata = serde_json::from_str(text).unwrap();
        assert_eq!(metadata.registration_endpoint, None);
    }
}
