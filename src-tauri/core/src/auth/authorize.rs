//! The authorization request and what the browser comes back with (OAuth 2.1 § 4.1, RFC 9207). Pure.

use reqwest::Url;

use super::step::{Check, Party, StepError};

/// What is recorded before the browser goes.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    /// Ties what comes back to what was sent.
    pub(super) state: String,
    /// Proves to the token endpoint who asked.
    pub(super) verifier: String,
    pub(super) redirect_uri: String,
    /// The issuer of the metadata that was used.
    pub(super) issuer: String,
    /// The metadata promises `iss` in every response.
    pub(super) promises_iss: bool,
}

/// The parameters of a request.
#[derive(Clone, Debug)]
pub(super) struct Request<'a> {
    pub(super) client_id: &'a str,
    pub(super) challenge: &'a str,
    pub(super) scope: Option<&'a str>,
    pub(super) resource: Option<&'a str>,
}

/// Where to send the browser. Parameters that the endpoint has already stay.
pub(super) fn url(endpoint: &Url, pending: &Pending, request: &Request<'_>) -> Url {
    let mut url = endpoint.clone();
    {
        let mut query = url.query_pairs_mut();
        query
            .append_pair("response_type", "code")
            .append_pair("client_id", request.client_id)
            .append_pair("redirect_uri", &pending.redirect_uri)
            .append_pair("code_challenge", request.challenge)
            .append_pair("code_challenge_method", "S256")
            .append_pair("state", &pending.state);
        for (name, value) in [("resource", request.resource), ("scope", request.scope)] {
            if let Some(value) = value {
                query.append_pair(name, value);
            }
        }
    }
    url
}

/// The query of what came back: a name that stands twice counts as missing (RFC 6749 § 3.1).
pub(super) fn parameter(url: &str, name: &str) -> Option<String> {
    let url = Url::parse(url).ok()?;
    let mut found = url.query_pairs().filter(|(key, _)| key == name);
    let first = found.next()?.1.into_owned();
    found.next().is_none().then_some(first)
}

/// Judges what came back, before anything of it goes anywhere: the code, and what was checked.
pub(super) fn returned(url: &str, pending: &Pending) -> (Vec<Check>, Result<String, StepError>) {
    let mut checks = Vec::new();
    let state = parameter(url, "state");
    let known = state.as_deref() == Some(&*pending.state);
    checks.push(
        Check::new(
            "state is the one that was sent",
            "authorization › Open Redirection",
            known,
        )
        .found(state.unwrap_or_else(|| "none".to_owned()))
        .expected(&pending.state),
    );
    if !known {
        let error = StepError::new(
            Party::AuthorizationServer,
            "the browser came back with another state than it was sent with, so nothing of it was used",
            "Sign in again; if it happens again, the authorization server loses the state",
        );
        return (checks, Err(error));
    }
    let iss = parameter(url, "iss");
    let fits = match &iss {
        Some(iss) => *iss == pending.issuer,
        None => !pending.promises_iss,
    };
    checks.push(
        Check::new(
            "iss is the issuer of the metadata",
            "authorization › Authorization Response Validation; RFC 9207 § 2.4",
            fits,
        )
        .found(iss.unwrap_or_else(|| "none".to_owned()))
        .expected(if pending.promises_iss {
            pending.issuer.clone()
        } else {
            format!("{} or none", pending.issuer)
        }),
    );
    if !fits {
        // What such a response says of errors is not shown either.
        let error = StepError::new(
            Party::AuthorizationServer,
            "the answer in the browser is not from the authorization server that was asked, so its code was sent nowhere",
            "It may be an attack that mixes up servers. Compare both issuers below",
        );
        return (checks, Err(error));
    }
    if let Some(code) = parameter(url, "error") {
        let said = parameter(url, "error_description").unwrap_or_default();
        let (party, next) = match code.as_str() {
            "access_denied" => (
                Party::User,
                "Sign in again and agree, or ask for other scopes",
            ),
            _ => (
                Party::AuthorizationServer,
                "Compare the request with what the authorization server's documentation asks for",
            ),
        };
        let message = format!("the authorization server answered `{code}` {said}");
        return (checks, Err(StepError::new(party, message.trim_end(), next)));
    }
    let code = parameter(url, "code").ok_or_else(|| {
        StepError::new(
            Party::AuthorizationServer,
            "the browser came back without a code",
            "See the authorization server's own log",
        )
    });
    (checks, code)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pending(promises_iss: bool) -> Pending {
        Pending {
            state: "s1".to_owned(),
            verifier: "v".to_owned(),
            redirect_uri: "http://127.0.0.1:7/callback".to_owned(),
            issuer: "https://as.test".to_owned(),
            promises_iss,
        }
    }

    #[test]
    fn the_request_keeps_what_the_endpoint_has() {
        let endpoint = Url::parse("https://as.test/a?tenant=1").unwrap();
        let request = Request {
            client_id: "me&you",
            challenge: "c",
            scope: Some("a b"),
            resource: Some("https://x.test/mcp"),
        };
        let url = url(&endpoint, &pending(false), &request).to_string();
        for (name, value) in [
            ("tenant", "1"),
            ("client_id", "me&you"),
            ("code_challenge_method", "S256"),
            ("scope", "a b"),
            ("resource", "https://x.test/mcp"),
            ("redirect_uri", "http://127.0.0.1:7/callback"),
            ("state", "s1"),
            ("response_type", "code"),
        ] {
            assert_eq!(parameter(&url, name).as_deref(), Some(value), "{url}");
        }
    }

    #[test]
    fn what_comes_back_is_judged_by_the_table_of_rfc_9207() {
        let back = |query: &str, promises: bool| {
            let url = format!("http://127.0.0.1:7/callback?{query}");
            returned(&url, &pending(promises)).1
        };
        let right = "iss=https%3A%2F%2Fas.test";
        for (query, promises, code) in [
            (format!("code=c&state=s1&{right}"), true, true),
            ("code=c&state=s1".to_owned(), true, false),
            (format!("code=c&state=s1&{right}"), false, true),
            ("code=c&state=s1".to_owned(), false, true),
            (
                "code=c&state=s1&iss=https://as.test/".to_owned(),
                false,
                false,
            ),
            (
                "code=c&state=s1&iss=https://evil.test".to_owned(),
                true,
                false,
            ),
            (format!("code=c&state=s1&{right}&{right}"), true, false),
            (format!("code=c&state=s2&{right}"), true, false),
            (format!("code=c&{right}"), true, false),
            (format!("state=s1&{right}"), true, false),
            (format!("code=c&code=d&state=s1&{right}"), true, false),
        ] {
            assert_eq!(back(&query, promises).is_ok(), code, "{query} {promises}");
        }
        let denied = back(&format!("error=access_denied&state=s1&{right}"), true).unwrap_err();
        assert_eq!(denied.party, Party::User);
        let foreign = back("error=x&error_description=secret&state=s1&iss=y", true).unwrap_err();
        assert!(!foreign.to_string().contains("secret"), "{foreign}");
    }
}
