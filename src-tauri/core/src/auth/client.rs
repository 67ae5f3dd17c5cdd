//! Who this client is to an authorization server: the order of authorization › Client Registration Approaches, dynamic
//! registration (RFC 7591), and how the client proves itself at the token endpoint (RFC 6749 § 2.3). Pure.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::discovery::ServerMetadata;
use super::jwt;
use super::token::Form;
use crate::protocol::AuthChoice;

/// A client as an authorization server knows it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Identity {
    pub(super) id: String,
    pub(super) secret: Option<String>,
    /// How it proves itself, where the registration said so.
    pub(super) method: Option<String>,
    /// The port of its redirect address, where it was registered with one.
    pub(super) port: Option<u16>,
    /// How it came to be.
    pub(super) source: Source,
}

impl std::fmt::Debug for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Identity")
            .field("id", &self.id)
            .field("source", &self.source)
            .finish_non_exhaustive()
    }
}

/// How a client came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Source {
    /// The user gave its id.
    Preregistered,
    /// Its id is the address of its metadata document.
    MetadataDocument,
    /// It was registered dynamically.
    Registered,
}

/// What to do for a client.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// This one.
    Is(Identity),
    /// Register it there.
    Register(String),
    /// Ask the user for an id.
    Ask,
    /// The configured one belongs to another issuer, this one.
    Foreign(String),
}

/// Which client to be, with the issuer's metadata.
pub(super) fn way(choice: &AuthChoice, metadata: &ServerMetadata, issuer: &str) -> Way {
    if let Some(id) = &choice.client_id {
        if let Some(theirs) = choice.issuer.as_ref().filter(|theirs| *theirs != issuer) {
            return Way::Foreign(theirs.clone());
        }
        return Way::Is(Identity {
            id: id.clone(),
            secret: choice.client_secret.clone(),
            method: None,
            port: None,
            source: Source::Preregistered,
        });
    }
    if metadata.client_id_metadata_document_supported == Some(true)
        && let Some(url) = &choice.metadata_url
    {
        return Way::Is(Identity {
            id: url.clone(),
            secret: None,
            method: None,
            port: None,
            source: Source::MetadataDocument,
        });
    }
    match &metadata.registration_endpoint {
        Some(endpoint) => Way::Register(endpoint.clone()),
        None => Way::Ask,
    }
}

/// The body of a registration.
pub(super) fn registration(metadata: &ServerMetadata, redirect_uri: &str) -> String {
    let offered = metadata.token_endpoint_auth_methods_supported.as_ref();
    let known = ["none", "client_secret_basic", "client_secret_post"];
    let method = match offered {
        // A public client needs no secret that it could not keep.
        None => "none",
        Some(offered) => known
            .into_iter()
            .find(|known| offered.iter().any(|one| one == known))
            .unwrap_or("none"),
    };
    json!({
        "client_name": "Framescope",
        "redirect_uris": [redirect_uri],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": method,
        "application_type": "native",
    })
    .to_string()
}

/// What a registration answers.
#[derive(Deserialize)]
pub(super) struct Registered {
    pub(super) client_id: String,
    pub(super) client_secret: Option<String>,
    pub(super) token_endpoint_auth_method: Option<String>,
}

/// How a client proves itself at the token endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Proof {
    None,
    Basic,
    Post,
    PrivateKey,
}

impl Proof {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Basic => "client_secret_basic",
            Self::Post => "client_secret_post",
            Self::PrivateKey => "private_key_jwt",
        }
    }
}

/// The way that both sides know. A server that lists none knows `client_secret_basic` (RFC 8414 § 2).
pub(super) fn proof(client: &Identity, has_key: bool, metadata: &ServerMetadata) -> Proof {
    let offered = metadata.token_endpoint_auth_methods_supported.as_deref();
    let offers = |name: &str| match offered {
        None => name == "client_secret_basic",
        Some(offered) => offered.iter().any(|one| one == name),
    };
    if has_key && (offers("private_key_jwt") || client.secret.is_none()) {
        return Proof::PrivateKey;
    }
    if client.secret.is_none() || client.method.as_deref() == Some("none") {
        return Proof::None;
    }
    match client.method.as_deref() {
        Some("client_secret_basic") => return Proof::Basic,
        Some("client_secret_post") => return Proof::Post,
        Some(_) | None => {}
    }
    if offers("client_secret_basic") {
        Proof::Basic
    } else if offers("client_secret_post") {
        Proof::Post
    } else if offers("none") {
        Proof::None
    } else {
        Proof::Basic
    }
}

/// Puts the proof into a request: parameters, and a header where it has one. Errors are words.
pub(super) fn prove(
    form: &mut Form,
    client: &Identity,
    choice: &AuthChoice,
    proof: Proof,
    audience: &str,
) -> Result<Option<(String, String)>, String> {
    match proof {
        Proof::Basic => {
            let secret = client.secret.as_deref().unwrap_or_default();
            return Ok(Some(basic(&client.id, secret)));
        }
        Proof::None => form.push("client_id", &client.id),
        Proof::Post => {
            form.push("client_id", &client.id);
            form.push(
                "client_secret",
                client.secret.as_deref().unwrap_or_default(),
            );
        }
        Proof::PrivateKey => {
            let pem = choice.private_key.as_deref().unwrap_or_default();
            let signed = jwt::assertion(&client.id, audience, pem, choice.key_alg.as_deref())?;
            form.push("client_id", &client.id);
            form.push(
                "client_assertion_type",
                "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            );
            form.push("client_assertion", &signed);
        }
    }
    Ok(None)
}

/// Both are form-encoded before they are joined (RFC 6749 § 2.3.1).
fn basic(id: &str, secret: &str) -> (String, String) {
    use base64::Engine as _;
    let coded = |text: &str| {
        let mut form = Form::default();
        form.push("", text);
        form.encoded().trim_start_matches('=').to_owned()
    };
    let joined = format!("{}:{}", coded(id), coded(secret));
    let value = base64::engine::general_purpose::STANDARD.encode(joined);
    ("authorization".to_owned(), format!("Basic {value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metadata(text: &str) -> ServerMetadata {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a05_a_client_is_come_by_in_the_order_of_the_specification() {
        let (issuer, document) = ("https://as.test", "https://me.test/client.json");
        let none = AuthChoice::default();
        let id = AuthChoice {
            client_id: Some("mine".to_owned()),
            metadata_url: Some(document.to_owned()),
            ..AuthChoice::default()
        };
        let url = AuthChoice {
            client_id: None,
            ..id.clone()
        };
        let elsewhere = AuthChoice {
            issuer: Some("https://other.test".to_owned()),
            ..id.clone()
        };
        let all = r#"{"client_id_metadata_document_supported":true,"registration_endpoint":"https://as.test/r"}"#;
        let dynamic = r#"{"registration_endpoint":"https://as.test/r"}"#;
        let closed = r#"{"registration_endpoint":null}"#;
        for (choice, known, wanted) in [
            (&id, all, "mine"),
            (&url, all, document),
            (&url, dynamic, "register https://as.test/r"),
            (&none, all, "register https://as.test/r"),
            (&none, closed, "ask"),
            (&id, closed, "mine"),
            (&elsewhere, all, "foreign https://other.test"),
        ] {
            let got = match way(choice, &metadata(known), issuer) {
                Way::Is(client) => client.id,
                Way::Register(at) => format!("register {at}"),
                Way::Ask => "ask".to_owned(),
                Way::Foreign(theirs) => format!("foreign {theirs}"),
            };
            assert_eq!(got, wanted, "{known}");
        }
    }

    #[test]
    fn a_client_proves_itself_in_a_way_that_both_sides_know() {
        let client = |secret: Option<&str>, method: Option<&str>| Identity {
            id: "me".to_owned(),
            secret: secret.map(str::to_owned),
            method: method.map(str::to_owned),
            port: None,
            source: Source::Registered,
        };
        let offers = |all: &str| {
            metadata(&format!(
                r#"{{"token_endpoint_auth_methods_supported":{all}}}"#
            ))
        };
        for (secret, method, key, offered, wanted) in [
            (Some("s"), None, false, "null", Proof::Basic),
            (
                Some("s"),
                None,
                false,
                r#"["client_secret_post"]"#,
                Proof::Post,
            ),
            (
                Some("s"),
                None,
                false,
                r#"["client_secret_post","client_secret_basic"]"#,
                Proof::Basic,
            ),
            (
                Some("s"),
                Some("client_secret_post"),
                false,
                "null",
                Proof::Post,
            ),
            (Some("s"), None, false, r#"["none"]"#, Proof::None),
            (Some("s"), Some("none"), false, "null", Proof::None),
            (None, None, false, r#"["client_secret_basic"]"#, Proof::None),
            (None, None, true, "null", Proof::PrivateKey),
            (
                Some("s"),
                None,
                true,
                r#"["private_key_jwt"]"#,
                Proof::PrivateKey,
            ),
            (
                Some("s"),
                None,
                true,
                r#"["client_secret_basic"]"#,
                Proof::Basic,
            ),
        ] {
            let got = proof(&client(secret, method), key, &offers(offered));
            assert_eq!(got, wanted, "{secret:?} {method:?} {key} {offered}");
        }
    }

    #[test]
    fn what_a_secret_holds_does_not_break_the_header() {
        let (_, value) = basic("a:b", "c d&é");
        use base64::Engine as _;
        let coded = value.strip_prefix("Basic ").unwrap();
        let plain = base64::engine::general_purpose::STANDARD
            .decode(coded)
            .unwrap();
        assert_eq!(String::from_utf8(plain).unwrap(), "a%3Ab:c+d%26%C3%A9");
    }
}
