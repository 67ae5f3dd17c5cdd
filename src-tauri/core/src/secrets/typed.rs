//! Variables and headers as typed, and as they stand in the catalogue: secrets go to the store and leave a reference.

use std::collections::BTreeSet;
use std::fmt;

use futures_util::future::BoxFuture;
use uuid::Uuid;

use super::{Part, SecretError, SecretStore, Secrets, parts};

/// Which part of a server's configuration a value belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Typed {
    /// The environment of a child process.
    Env,
    /// The headers of HTTP requests.
    Header,
}

/// A variable or header as typed.
#[derive(Clone)]
pub struct TypedValue {
    /// Its name.
    pub name: String,
    /// Its value; missing where the stored secret of that name stays.
    pub value: Option<String>,
    /// It goes to the store.
    pub secret: bool,
}

/// Secrets that were typed and are not saved, before those that are.
#[derive(Clone, Debug)]
pub struct Unsaved {
    /// Asked first.
    pub typed: Secrets,
    /// Asked for what was not typed.
    pub saved: Secrets,
}

impl SecretStore for Unsaved {
    fn get<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Option<String>, SecretError>> {
        Box::pin(async move {
            match SecretStore::get(&self.typed, name).await? {
                Some(typed) => Ok(Some(typed)),
                None => SecretStore::get(&self.saved, name).await,
            }
        })
    }
}

impl fmt::Debug for TypedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TypedValue")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Secrets {
    /// Keeps the secrets among the values that were typed for a server, and answers names and values as they stand in the
    /// catalogue; `before` are those that it had. Secrets that are not referred to any more are to be deleted once the
    /// server is saved, see [`Self::sweep`].
    ///
    /// # Errors
    /// In words, where a value is missing.
    pub async fn keep(
        &self,
        server: Uuid,
        part: Typed,
        typed: Vec<TypedValue>,
        before: &[(String, String)],
    ) -> Result<Vec<(String, String)>, String> {
        let mut values = Vec::with_capacity(typed.len());
        for TypedValue {
            name,
            value,
            secret,
        } in typed
        {
            let stays = || before.iter().find(|(known, _)| *known == name);
            let value = match (value, secret) {
                (None, _) => match stays() {
                    Some((_, value)) => value.clone(),
                    None => return Err(format!("{name} has no value: type it")),
                },
                (Some(value), true) if !value.is_empty() && !is_reference(&value) => {
                    let key = self.set(&name_of(server, part, &name), &value).await;
                    format!("${{secret:{key}}}")
                }
                (Some(value), _) => value,
            };
            values.push((name, value));
        }
        Ok(values)
    }

    /// Deletes the secrets of a server that its values referred to `before` and do not refer to `now`.
    pub async fn sweep(&self, server: Uuid, before: &[String], now: &[String]) {
        let now: BTreeSet<_> = now.iter().collect();
        for name in before.iter().filter(|name| !now.contains(name)) {
            if is_of(server, name) {
                self.delete(name).await;
            }
        }
    }

    /// The values of a server's copy: its secrets are copied too.
    pub async fn copy(
        &self,
        part: Typed,
        values: &[(String, String)],
        (from, to): (Uuid, Uuid),
    ) -> Vec<(String, String)> {
        let mut copied = Vec::with_capacity(values.len());
        for (name, value) in values {
            let secret = secret_name(value).filter(|secret| is_of(from, secret));
            let value = match secret {
                Some(secret) => {
                    let key = name_of(to, part, name);
                    let key = match super::SecretStore::get(self, secret).await {
                        Ok(Some(value)) => self.set(&key, &value).await,
                        // The copy lacks what the original lacks.
                        Ok(None) | Err(_) => key,
                    };
                    format!("${{secret:{key}}}")
                }
                None => value.clone(),
            };
            copied.push((name.clone(), value));
        }
        copied
    }
}

/// The secret that a value is, all of it.
pub fn secret_name(value: &str) -> Option<&str> {
    match parts(value).as_slice() {
        [Part::Secret(name)] => Some(name),
        _ => None,
    }
}

/// A value that is a reference and nothing else holds no secret.
fn is_reference(value: &str) -> bool {
    matches!(
        parts(value).as_slice(),
        [Part::Secret(_) | Part::Variable(_)]
    )
}

fn name_of(server: Uuid, part: Typed, name: &str) -> String {
    let part = match part {
        Typed::Env => "env",
        Typed::Header => "header",
    };
    // A brace would end the reference.
    format!("{server}/{part}/{}", name.replace('}', "%7D"))
}

fn is_of(server: Uuid, secret: &str) -> bool {
    let name = secret.strip_prefix("memory/").unwrap_or(secret);
    name.strip_prefix(&server.to_string())
        .is_some_and(|rest| rest.starts_with('/'))
}

/// Words in names of variables and headers whose values are secrets.
const SECRET_WORDS: [&str; 18] = [
    "apikey",
    "auth",
    "authorization",
    "bearer",
    "cookie",
    "credential",
    "credentials",
    "jwt",
    "key",
    "pass",
    "passphrase",
    "passwd",
    "password",
    "pat",
    "pwd",
    "secret",
    "secrets",
    "token",
];
/// The same where words are written together.
const SECRET_PARTS: [&str; 5] = ["apikey", "accesskey", "accesstoken", "secret", "password"];
/// How the values of well-known kinds of credentials begin.
const SECRET_STARTS: [&str; 14] = [
    "AKIA",
    "Basic ",
    "Bearer ",
    "eyJ",
    "ghp_",
    "gho_",
    "github_pat_",
    "glpat-",
    "hf_",
    "sk-",
    "sk_",
    "xoxb-",
    "xoxp-",
    "AIza",
];

/// Whether a variable or header looks like a secret, by its name or value. A reference is none.
pub fn looks_secret(name: &str, value: &str) -> bool {
    if value.is_empty() || is_reference(value) {
        return false;
    }
    let joined: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let joined = joined.to_ascii_lowercase();
    words(name).any(|word| SECRET_WORDS.contains(&word.as_str()))
        || SECRET_PARTS.iter().any(|part| joined.contains(part))
        || SECRET_STARTS.iter().any(|start| value.starts_with(start))
}

/// `GITHUB_TOKEN`, `x-api-key` and `apiKey` in lower-case words.
fn words(name: &str) -> impl Iterator<Item = String> {
    let mut spaced = String::new();
    let mut lower_before = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() && lower_before {
            spaced.push(' ');
        }
        lower_before = c.is_ascii_lowercase();
        spaced.push(if c.is_ascii_alphanumeric() { c } else { ' ' });
    }
    let spaced = spaced.to_ascii_lowercase();
    spaced
        .split_whitespace()
        .map(str::to_owned)
        .collect::<Vec<_>>()
        .into_iter()
}
