//! Requests to the token endpoint and what it answers (OAuth 2.1 § 3.2, RFC 7523, RFC 8693). Pure.

use reqwest::Url;
use serde::Deserialize;

use super::step::{Party, StepError};

/// The body of a request, `application/x-www-form-urlencoded`, in order.
#[derive(Clone, Default)]
pub(super) struct Form(Vec<(String, String)>);

impl Form {
    /// A form of one grant.
    pub(super) fn of(grant: &str) -> Self {
        Self(vec![("grant_type".to_owned(), grant.to_owned())])
    }

    pub(super) fn push(&mut self, name: &str, value: &str) {
        self.0.push((name.to_owned(), value.to_owned()));
    }

    pub(super) fn push_some(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.push(name, value);
        }
    }

    pub(super) fn encoded(&self) -> String {
        let mut url = Url::parse("http://x/").ok();
        if let Some(url) = &mut url {
            url.query_pairs_mut().extend_pairs(&self.0);
        }
        url.and_then(|url| url.query().map(str::to_owned))
            .unwrap_or_default()
    }
}

/// What the grant of a code is called, and the others.
pub(super) const CODE: &str = "authorization_code";
pub(super) const REFRESH: &str = "refresh_token";
pub(super) const CLIENT: &str = "client_credentials";
pub(super) const BEARER: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
pub(super) const EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
pub(super) const ID_JAG: &str = "urn:ietf:params:oauth:token-type:id-jag";
pub(super) const ID_TOKEN: &str = "urn:ietf:params:oauth:token-type:id_token";

/// What came.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Tokens {
    pub(super) access: String,
    pub(super) refresh: Option<String>,
    pub(super) id: Option<String>,
    pub(super) dpop: bool,
    pub(super) expires_in: Option<u64>,
    pub(super) scopes: Option<Vec<String>>,
    pub(super) issued_type: Option<String>,
}

#[derive(Deserialize, Default)]
struct Answer {
    access_token: Option<String>,
    refresh_token: Option<String>,
    id_token: Option<String>,
    token_type: Option<String>,
    expires_in: Option<serde_json::Value>,
    scope: Option<String>,
    issued_token_type: Option<String>,
    error: Option<String>,
    error_description: Option<String>,
}

/// The code of an error, where the answer is one.
pub(super) fn error_code(body: &str) -> Option<String> {
    serde_json::from_str::<Answer>(body).ok()?.error
}

/// Reads the answer of a token endpoint.
pub(super) fn read(status: u16, body: &str) -> Result<Tokens, StepError> {
    let bad =
        |message: String, next: &str| StepError::new(Party::AuthorizationServer, message, next);
    let answer: Option<Answer> = serde_json::from_str(body).ok();
    // Some answer an error with success.
    if let Some(code) = answer.as_ref().and_then(|answer| answer.error.clone()) {
        let said = answer
            .and_then(|answer| answer.error_description)
            .unwrap_or_default();
        let message = format!("the token endpoint answered `{code}` {said}");
        return Err(bad(message.trim_end().to_owned(), advice(&code)));
    }
    if !(200..300).contains(&status) {
        let next = "See the exchange, and the authorization server's own log";
        return Err(bad(
            format!("the token endpoint answered HTTP {status}"),
            next,
        ));
    }
    let usable = answer.and_then(|answer| {
        let kind = answer
            .token_type
            .as_deref()
            .unwrap_or("Bearer")
            .to_ascii_lowercase();
        let expires = match &answer.expires_in {
            // Some write the number as text.
            Some(serde_json::Value::String(text)) => text.parse().ok(),
            Some(value) => value.as_u64(),
            None => None,
        };
        let scopes = answer.scope.as_deref();
        Some(Tokens {
            access: answer.access_token.filter(|token| !token.is_empty())?,
            refresh: answer.refresh_token,
            id: answer.id_token,
            dpop: kind == "dpop",
            expires_in: expires,
            scopes: scopes.map(|all| all.split_whitespace().map(str::to_owned).collect()),
            issued_type: answer.issued_token_type,
        })
    });
    usable.ok_or_else(|| {
        bad(
            "the token endpoint answered with success and no access token".to_owned(),
            "It has to answer with a JSON object that has access_token and token_type",
        )
    })
}

fn advice(code: &str) -> &'static str {
    match code {
        "invalid_client" => "Check the client's id and secret, and how it may prove itself",
        "invalid_grant" => {
            "The code or token is used up, expired, or another client's: sign in again"
        }
        "invalid_target" => {
            "It does not know this resource: compare `resource` with the server's metadata"
        }
        "invalid_scope" => "Ask for other scopes",
        "unsupported_grant_type" | "unauthorized_client" => "This client may not use this grant",
        _ => "See the exchange, and the authorization server's own log",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_as_servers_write_them() {
        let full = read(
            200,
            r#"{"access_token":"a","token_type":"bearer","expires_in":"60","refresh_token":"r","scope":"x  y","more":1}"#,
        );
        let full = full.ok().unwrap();
        assert_eq!(full.expires_in, Some(60));
        assert_eq!(full.scopes.unwrap(), ["x", "y"]);
        assert!(!full.dpop);
        assert!(
            read(200, r#"{"access_token":"a","token_type":"DPoP"}"#)
                .ok()
                .unwrap()
                .dpop
        );
        for (status, body, words) in [
            (
                400,
                r#"{"error":"invalid_grant","error_description":"old"}"#,
                "`invalid_grant` old",
            ),
            (
                200,
                r#"{"error":"bad_verification_code"}"#,
                "bad_verification_code",
            ),
            (500, "oops", "HTTP 500"),
            (200, "", "no access token"),
            (
                200,
                r#"{"access_token":"","token_type":"Bearer"}"#,
                "no access token",
            ),
            (200, r#"{"access_token":null}"#, "no access token"),
        ] {
            let error = read(status, body).err().expect(body);
            assert!(error.to_string().contains(words), "{error}");
        }
    }

    #[test]
    fn a_form_is_encoded() {
        let mut form = Form::of(CODE);
        form.push("resource", "https://x.test/a b&c");
        form.push_some("scope", None);
        assert_eq!(
            form.encoded(),
            "grant_type=authorization_code&resource=https%3A%2F%2Fx.test%2Fa+b%26c"
        );
    }
}
