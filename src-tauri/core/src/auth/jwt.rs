//! JSON Web Tokens: those that this client signs, and what those of others say.

use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use aws_lc_rs::{digest, rand};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use reqwest::Url;
use serde_json::{Value, json};

use crate::record::Clock;

/// How long a client assertion holds.
const HOLDS_S: i64 = 300;

/// What a token says. Its signature was not checked: only its audience can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claims {
    /// Its header, as JSON.
    pub header: String,
    /// Its claims, as JSON.
    pub claims: String,
}

/// What a token says, where it is a JWT.
pub fn claims(token: &str) -> Option<Claims> {
    let mut parts = token.split('.');
    let (header, claims, _signature) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    let text = |part: &str| {
        let bytes = URL_SAFE_NO_PAD.decode(part.trim_end_matches('=')).ok()?;
        let value: Value = serde_json::from_slice(&bytes).ok()?;
        value
            .is_object()
            .then(|| String::from_utf8_lossy(&bytes).into_owned())
    };
    Some(Claims {
        header: text(header)?,
        claims: text(claims)?,
    })
}

/// Random text of 256 bits, for what must not be guessed. Errors are words.
pub(super) fn random() -> Result<String, String> {
    let mut bytes = [0; 32];
    let failed = |_| "this machine gives no random numbers".to_owned();
    rand::fill(&mut bytes).map_err(failed)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// SHA-256, as Base64url: the challenge of a code verifier (RFC 7636 § 4.2), the `ath` of a token (RFC 9449 § 4.2).
pub(super) fn hashed(text: &str) -> String {
    URL_SAFE_NO_PAD.encode(digest::digest(&digest::SHA256, text.as_bytes()))
}

/// What proves this client by its private key (RFC 7523 § 2.2). Errors are words.
pub(super) fn assertion(
    client: &str,
    audience: &str,
    pem: &str,
    algorithm: Option<&str>,
) -> Result<String, String> {
    let (algorithm, key) = key(pem, algorithm)?;
    let now = now_s();
    let claims = json!({
        "iss": client, "sub": client, "aud": audience, "jti": random()?, "iat": now, "exp": now + HOLDS_S,
    });
    encode(&Header::new(algorithm), &claims, &key).map_err(|error| error.to_string())
}

/// A private key and what it signs with: as told, else as its kind wants.
fn key(pem: &str, algorithm: Option<&str>) -> Result<(Algorithm, EncodingKey), String> {
    let bytes = pem.as_bytes();
    let wanted: Option<Algorithm> = match algorithm {
        Some(name) => Some(
            name.parse()
                .map_err(|_| format!("`{name}` is no algorithm that this app signs with"))?,
        ),
        None => None,
    };
    let kinds = [
        (EncodingKey::from_ec_pem(bytes), Algorithm::ES256),
        (EncodingKey::from_rsa_pem(bytes), Algorithm::RS256),
        (EncodingKey::from_ed_pem(bytes), Algorithm::EdDSA),
    ];
    let fits = |(key, usual): (Result<EncodingKey, _>, Algorithm)| {
        let key = key.ok()?;
        let algorithm = wanted.unwrap_or(usual);
        encode(&Header::new(algorithm), &json!({}), &key).ok()?;
        Some((algorithm, key))
    };
    let none = || "it is no private key in PEM (PKCS #8) that this algorithm can use".to_owned();
    kinds.into_iter().find_map(fits).ok_or_else(none)
}

fn now_s() -> i64 {
    Clock::start().now_us() / 1_000_000
}

/// The key of a token that is bound to one (RFC 9449).
#[derive(Clone)]
pub(super) struct DpopKey {
    der: Vec<u8>,
}

impl std::fmt::Debug for DpopKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DpopKey").finish_non_exhaustive()
    }
}

impl DpopKey {
    /// A new one.
    pub(super) fn new() -> Result<Self, String> {
        let failed = |_| "this machine made no key".to_owned();
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).map_err(failed)?;
        let der = pair.to_pkcs8v1().map_err(failed)?;
        Ok(Self {
            der: der.as_ref().to_vec(),
        })
    }

    /// As text to be kept.
    pub(super) fn kept(&self) -> String {
        STANDARD.encode(&self.der)
    }

    /// From that text.
    pub(super) fn of(kept: &str) -> Option<Self> {
        let der = STANDARD.decode(kept).ok()?;
        Some(Self { der })
    }

    /// The proof for one request (RFC 9449 § 4.2): `token` where it carries one, `nonce` where the server wants one.
    pub(super) fn proof(
        &self,
        method: &str,
        url: &Url,
        token: Option<&str>,
        nonce: Option<&str>,
    ) -> Result<String, String> {
        let key = EncodingKey::from_ec_der(&self.der);
        let words = |error: jsonwebtoken::errors::Error| error.to_string();
        let mut header = Header::new(Algorithm::ES256);
        header.typ = Some("dpop+jwt".to_owned());
        header.jwk = Some(Jwk::from_encoding_key(&key, Algorithm::ES256).map_err(words)?);
        let mut target = url.clone();
        target.set_query(None);
        target.set_fragment(None);
        let mut claims = json!({
            "jti": random()?, "htm": method, "htu": target.as_str(), "iat": now_s(),
        });
        if let Some(token) = token {
            claims["ath"] = hashed(token).into();
        }
        if let Some(nonce) = nonce {
            claims["nonce"] = nonce.into();
        }
        encode(&header, &claims, &key).map_err(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_challenge_of_a_verifier_is_that_of_the_text() {
        // RFC 7636 appendix B.
        assert_eq!(
            hashed("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        );
        let (one, other) = (random().unwrap(), random().unwrap());
        assert_ne!(one, other);
        assert!((43..=128).contains(&one.len()), "{one}");
    }

    #[test]
    fn a_token_is_read_without_being_believed() {
        let token = format!(
            "{}.{}.x",
            URL_SAFE_NO_PAD.encode(r#"{"alg":"none"}"#),
            URL_SAFE_NO_PAD.encode(r#"{"sub":"a","n":12345678901234567890}"#)
        );
        let read = claims(&token).unwrap();
        assert_eq!(read.claims, r#"{"sub":"a","n":12345678901234567890}"#);
        for opaque in ["", "abc", "a.b.c", "a.b.c.d", &format!("{token}.y")] {
            assert_eq!(claims(opaque), None, "{opaque}");
        }
    }

    #[test]
    fn a_proof_is_of_one_request_and_shows_no_private_key() {
        let key = DpopKey::new().unwrap();
        let key = DpopKey::of(&key.kept()).unwrap();
        let url = Url::parse("https://x.test/mcp?a=1#b").unwrap();
        let read = |proof: String| {
            let read = claims(&proof).unwrap();
            let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
            (value(&read.header), value(&read.claims))
        };
        let (header, first) = read(key.proof("POST", &url, Some("t"), Some("n")).unwrap());
        assert_eq!(header["typ"], "dpop+jwt");
        assert_eq!(header["jwk"]["crv"], "P-256");
        assert_eq!(header["jwk"].get("d"), None);
        assert_eq!(
            (&first["htm"], &first["htu"], &first["nonce"]),
            (&json!("POST"), &json!("https://x.test/mcp"), &json!("n"))
        );
        assert_eq!(first["ath"], hashed("t"));
        let (_, second) = read(key.proof("POST", &url, None, None).unwrap());
        assert_ne!(first["jti"], second["jti"]);
        assert_eq!(second.get("ath"), None);
    }

    #[test]
    fn a_client_is_proven_by_its_key() {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
        let pem = format!(
            "-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n",
            STANDARD.encode(pair.to_pkcs8v1().unwrap().as_ref())
        );
        for algorithm in [None, Some("ES256")] {
            let signed = assertion("me", "https://as.test", &pem, algorithm).unwrap();
            let read: Value = serde_json::from_str(&claims(&signed).unwrap().claims).unwrap();
            assert_eq!(
                (&read["iss"], &read["sub"], &read["aud"]),
                (&json!("me"), &json!("me"), &json!("https://as.test"))
            );
        }
        for (pem, algorithm) in [("x", None), (&*pem, Some("RS256")), (&*pem, Some("x"))] {
            assert!(
                assertion("me", "a", pem, algorithm).is_err(),
                "{algorithm:?}"
            );
        }
    }
}
