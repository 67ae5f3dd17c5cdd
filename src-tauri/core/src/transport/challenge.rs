//! A server's demand for authorization, as its headers tell it (RFC 9110 § 11.6.1, RFC 6750 § 3, RFC 9728 § 5.1).

/// Schemes whose challenges a sign-in by OAuth answers.
const SCHEMES: [&str; 2] = ["bearer", "dpop"];

/// A server's demand for authorization (HTTP 401, or 403 with a Bearer or DPoP challenge).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Challenge {
    /// The URL that was asked for.
    pub url: String,
    /// The status of the answer.
    pub status: u16,
    /// Its `WWW-Authenticate` headers.
    pub www_authenticate: Vec<String>,
    /// Its `Mcp-Auth-Server` header: where some servers say who signs in.
    pub auth_server: Option<String>,
    /// Its `DPoP-Nonce` header (RFC 9449 § 9).
    pub dpop_nonce: Option<String>,
}

impl Challenge {
    /// The value of a parameter of a Bearer or DPoP challenge, such as `scope` or `resource_metadata`.
    pub fn parameter(&self, name: &str) -> Option<String> {
        self.parameters(name).into_iter().next()
    }

    /// All values of a parameter that stands more than once, which no text allows and servers do.
    pub fn parameters(&self, name: &str) -> Vec<String> {
        let all = self.www_authenticate.iter().flat_map(|one| schemes(one));
        let ours = all.filter(|scheme| SCHEMES.contains(&scheme.name.as_str()));
        ours.flat_map(|scheme| scheme.parameters)
            .filter(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
            .collect()
    }

    /// Whether a sign-in by OAuth can answer it.
    pub fn is_bearer(&self) -> bool {
        let mut all = self.www_authenticate.iter().flat_map(|one| schemes(one));
        all.any(|scheme| SCHEMES.contains(&scheme.name.as_str()))
    }

    /// The token lacks scopes, and more of them may help (RFC 6750 § 3.1). Any other 403 is final.
    pub fn wants_scopes(&self) -> bool {
        self.status == 403 && self.parameter("error").as_deref() == Some("insufficient_scope")
    }

    /// The scopes that it asks for.
    pub fn scopes(&self) -> Vec<String> {
        let scope = self.parameter("scope").unwrap_or_default();
        scope.split_whitespace().map(str::to_owned).collect()
    }

    /// What it tells about how to sign in, in words.
    pub fn hints(&self) -> Vec<String> {
        let told = |name: &str, words: &str| {
            self.parameter(name)
                .map(|value| format!("{words} `{value}`"))
        };
        let server = self.auth_server.as_ref();
        [
            told("error", "the server says"),
            told("error_description", "because"),
            told("scope", "it wants the scope"),
            told("resource_metadata", "how to sign in stands at"),
            server.map(|server| format!("its authorization server is `{server}`")),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// One of the challenges of a header.
#[derive(Debug, Default)]
struct Scheme {
    /// In lower case.
    name: String,
    parameters: Vec<(String, String)>,
}

/// The challenges of a header. What is none of either is passed over.
fn schemes(header: &str) -> Vec<Scheme> {
    let mut found: Vec<Scheme> = Vec::new();
    for item in items(header) {
        let word = item.find([' ', '\t', '=']).unwrap_or(item.len());
        let (first, rest) = (&item[..word], item[word..].trim_start());
        let parameter = if rest.starts_with('=') {
            item
        } else {
            found.push(Scheme {
                name: first.to_ascii_lowercase(),
                parameters: Vec::new(),
            });
            rest
        };
        if let (Some(scheme), Some(parameter)) = (found.last_mut(), pair(parameter)) {
            scheme.parameters.push(parameter);
        }
    }
    found
}

/// What commas part, but for those within quotes.
fn items(header: &str) -> Vec<&str> {
    let (mut items, mut start) = (Vec::new(), 0);
    let (mut quoted, mut escaped) = (false, false);
    for (at, char) in header.char_indices() {
        match char {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ',' if !quoted => {
                items.push(&header[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(&header[start..]);
    let trimmed = items.into_iter().map(str::trim);
    trimmed.filter(|item| !item.is_empty()).collect()
}

/// `name=token` or `name="quoted"`, with spaces around the sign as servers write them.
fn pair(text: &str) -> Option<(String, String)> {
    let (name, value) = text.split_once('=')?;
    let (name, value) = (name.trim(), value.trim_start());
    if name.is_empty() || name.contains(char::is_whitespace) {
        return None;
    }
    let value = match value.strip_prefix('"') {
        Some(quoted) => unquoted(quoted)?,
        None => value.split_whitespace().next()?.to_owned(),
    };
    Some((name.to_owned(), value))
}

/// A quoted string up to its end.
fn unquoted(text: &str) -> Option<String> {
    let mut value = String::new();
    let mut chars = text.chars();
    loop {
        match chars.next()? {
            '"' => return Some(value),
            '\\' => value.push(chars.next()?),
            char => value.push(char),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn challenge(headers: &[&str], auth_server: Option<&str>) -> Challenge {
        Challenge {
            url: "https://x.test/mcp".to_owned(),
            status: 401,
            www_authenticate: headers.iter().map(|&header| header.to_owned()).collect(),
            auth_server: auth_server.map(str::to_owned),
            dpop_nonce: None,
        }
    }

    #[test]
    fn a_challenge_tells_how_to_sign_in() {
        let full = challenge(
            &[
                "Basic realm=\"a, scope=b\"",
                r#"bearer error="invalid_token", error_description="it is \"old\", really",scope="a b", resource_metadata=https://x.test/prm"#,
            ],
            Some("https://as.test"),
        );
        for (name, value) in [
            ("error", Some("invalid_token")),
            ("error_description", Some("it is \"old\", really")),
            ("scope", Some("a b")),
            ("Resource_Metadata", Some("https://x.test/prm")),
            ("realm", None),
        ] {
            assert_eq!(full.parameter(name).as_deref(), value, "{name}");
        }
        assert_eq!(full.hints().len(), 5, "{:?}", full.hints());
        for odd in [
            "Bearer",
            "Bearer x",
            "Bearer a=\"b",
            "Bearer =",
            "",
            ",,",
            "=x",
        ] {
            assert_eq!(
                challenge(&[odd], None).hints(),
                Vec::<String>::new(),
                "{odd}"
            );
        }
    }

    #[test]
    fn a04_the_address_of_the_metadata_is_found_however_it_is_written() {
        let one = |header| challenge(&[header], None).parameters("resource_metadata");
        for (header, found) in [
            (
                r#"Bearer resource_metadata = "https://a.example/p""#,
                &["https://a.example/p"][..],
            ),
            (
                r#"bearer realm="a, b", Resource_Metadata="https://a.example/p?x=1,2", scope="r w""#,
                &["https://a.example/p?x=1,2"],
            ),
            (
                r#"Basic realm="x", Bearer error="invalid_token", resource_metadata="https://a.example/p""#,
                &["https://a.example/p"],
            ),
            (
                r#"Bearer resource_metadata="https://a.example/1", error="e", resource_metadata="https://a.example/2""#,
                &["https://a.example/1", "https://a.example/2"],
            ),
            ("Negotiate", &[]),
            (r#"Basic resource_metadata="https://a.example/p""#, &[]),
            (
                r#"Bearer x="\"", resource_metadata="https://a.example/\"p""#,
                &["https://a.example/\"p"],
            ),
            (
                r#"DPoP algs="ES256", resource_metadata="https://a.example/p", Bearer"#,
                &["https://a.example/p"],
            ),
        ] {
            assert_eq!(one(header), found, "{header}");
        }
    }
}
