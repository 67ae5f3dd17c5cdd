//! References in server configurations: `${NAME}` is a variable that is set for the server, else one of this app's
//! environment; `${secret:NAME}` is an item of the secret store. They are resolved only to connect; files and the log keep the reference.
//!
//! Nothing else is expanded: `$NAME`, `~` and `|` stay as typed, and so does a `${…}` that is neither form.

mod file;
mod keychain;
mod store;
#[cfg(test)]
mod tests;
mod typed;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use crate::protocol::{AuthChoice, ServerConfig};
use crate::record::KnownSecrets;

pub use file::Unopened;
pub use store::{Kept, MemorySecrets, SecretStore, Secrets};
pub use typed::{Typed, TypedValue, Unsaved, looks_secret, secret_name};

/// Headers whose values are secrets whatever they hold.
const CREDENTIAL_HEADERS: [&str; 5] = [
    "authorization",
    "cookie",
    "set-cookie",
    "proxy-authorization",
    "x-api-key",
];

/// A reference could not be resolved; nothing was started or sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// The variable is not set in the environment of this app.
    #[error(
        "{field} of the server refers to ${{{name}}}, which is not set in the environment of this app; nothing was started. Set it, or write the value itself"
    )]
    UnsetVariable {
        /// The variable.
        name: String,
        /// Which part of the configuration holds it.
        field: String,
    },
    /// The store has no such secret.
    #[error(
        "{field} of the server refers to the secret `{name}`, which is not stored; nothing was started. Store it first"
    )]
    NoSecret {
        /// The secret.
        name: String,
        /// Which part of the configuration holds it.
        field: String,
    },
    /// The secret is in a file whose passphrase was not given.
    #[error(
        "the secret `{name}` is in the encrypted file of secrets, which is locked: unlock it in Settings, or give framescope-cli --passphrase-file FILE or FRAMESCOPE_PASSPHRASE"
    )]
    Locked {
        /// The secret.
        name: String,
    },
    /// The store cannot be asked.
    #[error("this app could not use the keychain for the secret `{name}`: {why}")]
    Store {
        /// The secret.
        name: String,
        /// Why, and what helps.
        why: String,
    },
}

/// A configuration with its values in place of references. Never shown and never stored.
#[derive(Clone)]
pub struct ResolvedConfig {
    values: ServerConfig,
    secrets: KnownSecrets,
}

impl ResolvedConfig {
    /// The configuration with its values.
    pub fn values(&self) -> &ServerConfig {
        &self.values
    }

    /// What must be masked in the log.
    pub fn secrets(&self) -> &KnownSecrets {
        &self.secrets
    }
}

impl fmt::Debug for ResolvedConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResolvedConfig")
            .field("secrets", &self.secrets)
            .finish_non_exhaustive()
    }
}

/// Puts values in place of references; `env` reads a variable of this app's environment. Nothing is started where the store
/// does not answer in its time.
///
/// # Errors
/// Where a variable is unset or a secret is missing; the message names it and the field.
pub async fn resolve(
    config: &ServerConfig,
    env: impl Fn(&str) -> Option<String>,
    store: &dyn SecretStore,
) -> Result<ResolvedConfig, SecretError> {
    let mut secrets = BTreeMap::new();
    for name in names(config) {
        let value = store.get(&name).await?;
        secrets.extend(value.map(|value| (name, value)));
    }
    put(config, &env, &secrets)
}

/// The same for how to sign in. Its values are made known where they are used.
///
/// # Errors
/// Where a variable is unset or a secret is missing; the message names it and the field.
pub async fn resolve_auth(
    choice: &AuthChoice,
    env: impl Fn(&str) -> Option<String>,
    store: &dyn SecretStore,
) -> Result<AuthChoice, SecretError> {
    let mut choice = choice.clone();
    let mut secrets = BTreeMap::new();
    for name in auth_names(&choice) {
        let value = store.get(&name).await?;
        secrets.extend(value.map(|value| (name, value)));
    }
    let mut found = Found::new(&env, &secrets);
    for (field, value) in auth_values(&mut choice) {
        if let Some(value) = value {
            *value = found.text(value, &format!("The {field} of the sign-in"))?;
        }
    }
    Ok(choice)
}

/// The secrets that a sign-in refers to.
pub fn auth_names(choice: &AuthChoice) -> Vec<String> {
    let mut choice = choice.clone();
    let values = auth_values(&mut choice).into_iter();
    let texts = values.filter_map(|(_, value)| value.as_deref());
    secrets_in(texts)
}

/// What of a sign-in may hold references.
fn auth_values(choice: &mut AuthChoice) -> [(&'static str, &mut Option<String>); 8] {
    [
        ("client id", &mut choice.client_id),
        ("client secret", &mut choice.client_secret),
        ("private key", &mut choice.private_key),
        ("metadata document", &mut choice.metadata_url),
        ("scopes", &mut choice.scopes),
        ("assertion", &mut choice.assertion),
        ("identity provider", &mut choice.idp_token_endpoint),
        (
            "client id at the identity provider",
            &mut choice.idp_client_id,
        ),
    ]
}

/// The secrets that a configuration refers to.
pub fn names(config: &ServerConfig) -> Vec<String> {
    let texts: Vec<&str> = match config {
        ServerConfig::Stdio {
            command,
            args,
            env,
            cwd,
        } => {
            let cwd = cwd.iter().filter_map(|cwd| cwd.to_str());
            let fixed = std::iter::once(command).chain(args).chain(env.values());
            fixed.map(String::as_str).chain(cwd).collect()
        }
        ServerConfig::StreamableHttp { url, headers } | ServerConfig::Sse { url, headers } => {
            let values = headers.iter().map(|(_, value)| value.as_str());
            std::iter::once(url.as_str()).chain(values).collect()
        }
    };
    secrets_in(texts)
}

fn secrets_in<'a>(texts: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let parts = texts.into_iter().flat_map(parts);
    let mut names: Vec<_> = parts
        .filter_map(|part| match part {
            Part::Secret(name) => Some(name.to_owned()),
            Part::Text(_) | Part::Variable(_) => None,
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn put(
    config: &ServerConfig,
    env: &dyn Fn(&str) -> Option<String>,
    secrets: &BTreeMap<String, String>,
) -> Result<ResolvedConfig, SecretError> {
    let mut found = Found::new(env, secrets);
    let values = match config {
        ServerConfig::Stdio {
            command,
            args,
            env,
            cwd,
        } => {
            // First, since the others may refer to it. A variable that refers to its own name means that of this app.
            let env: BTreeMap<_, _> = env
                .iter()
                .map(|(name, value)| {
                    Ok((
                        name.clone(),
                        found.text(value, &format!("The variable {name}"))?,
                    ))
                })
                .collect::<Result<_, SecretError>>()?;
            found.own = env.clone();
            ServerConfig::Stdio {
                command: found.text(command, "The command")?,
                args: found.texts(args)?,
                env,
                cwd: found.folder(cwd.as_ref())?,
            }
        }
        ServerConfig::StreamableHttp { url, headers } => ServerConfig::StreamableHttp {
            url: found.text(url, "The URL")?,
            headers: found.headers(headers)?,
        },
        ServerConfig::Sse { url, headers } => ServerConfig::Sse {
            url: found.text(url, "The URL")?,
            headers: found.headers(headers)?,
        },
    };
    Ok(ResolvedConfig {
        values,
        secrets: KnownSecrets::with_headers(found.known, &found.headers),
    })
}

struct Found<'a> {
    env: &'a dyn Fn(&str) -> Option<String>,
    /// Variables that are set for the server.
    own: BTreeMap<String, String>,
    secrets: &'a BTreeMap<String, String>,
    known: Vec<(String, String)>,
    /// Headers that hold a secret.
    headers: Vec<String>,
}

impl<'a> Found<'a> {
    fn new(env: &'a dyn Fn(&str) -> Option<String>, secrets: &'a BTreeMap<String, String>) -> Self {
        Self {
            env,
            own: BTreeMap::new(),
            secrets,
            known: vec![],
            headers: vec![],
        }
    }

    fn text(&mut self, text: &str, field: &str) -> Result<String, SecretError> {
        let mut out = String::with_capacity(text.len());
        for part in parts(text) {
            match part {
                Part::Text(plain) => out.push_str(plain),
                Part::Variable(name) => {
                    let own = self.own.get(name).cloned();
                    let value = own.or_else(|| (self.env)(name));
                    out.push_str(&value.ok_or_else(|| SecretError::UnsetVariable {
                        name: name.to_owned(),
                        field: field.to_owned(),
                    })?)
                }
                Part::Secret(name) => {
                    let missing = || SecretError::NoSecret {
                        name: name.to_owned(),
                        field: field.to_owned(),
                    };
                    let value = self.secrets.get(name).ok_or_else(missing)?;
                    out.push_str(value);
                    self.know(name, value.clone());
                }
            }
        }
        Ok(out)
    }

    fn texts(&mut self, args: &[String]) -> Result<Vec<String>, SecretError> {
        args.iter()
            .enumerate()
            .map(|(at, arg)| self.text(arg, &format!("Argument {}", at + 1)))
            .collect()
    }

    fn folder(&mut self, cwd: Option<&PathBuf>) -> Result<Option<PathBuf>, SecretError> {
        match cwd.map(|cwd| (cwd, cwd.to_str())) {
            None => Ok(None),
            // A path that is no text holds no reference.
            Some((cwd, None)) => Ok(Some(cwd.clone())),
            Some((_, Some(text))) => Ok(Some(self.text(text, "The working directory")?.into())),
        }
    }

    fn headers(
        &mut self,
        headers: &[(String, String)],
    ) -> Result<Vec<(String, String)>, SecretError> {
        headers
            .iter()
            .map(|(name, value)| {
                if parts(value)
                    .iter()
                    .any(|part| matches!(part, Part::Secret(_)))
                {
                    self.headers.push(name.clone());
                }
                let value = self.text(value, &format!("The header {name}"))?;
                if CREDENTIAL_HEADERS.contains(&name.to_ascii_lowercase().as_str()) {
                    self.know(name, value.clone());
                }
                Ok((name.clone(), value))
            })
            .collect()
    }

    fn know(&mut self, name: &str, value: String) {
        if !self.known.iter().any(|(_, known)| *known == value) {
            self.known.push((name.to_owned(), value));
        }
    }
}

/// A stretch of a configured text.
#[derive(Debug, PartialEq, Eq)]
enum Part<'a> {
    Text(&'a str),
    Variable(&'a str),
    Secret(&'a str),
}

/// Splits a text at its references.
fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = vec![];
    let (mut rest, mut searched) = (text, 0);
    while let Some(start) = rest[searched..].find("${").map(|at| searched + at) {
        let Some(length) = rest[start..].find('}') else {
            break;
        };
        let Some(reference) = reference(&rest[start + 2..start + length]) else {
            searched = start + 2;
            continue;
        };
        if start > 0 {
            parts.push(Part::Text(&rest[..start]));
        }
        parts.push(reference);
        (rest, searched) = (&rest[start + length + 1..], 0);
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest));
    }
    parts
}

fn reference(inner: &str) -> Option<Part<'_>> {
    if let Some(name) = inner.strip_prefix("secret:") {
        return (!name.is_empty()).then_some(Part::Secret(name));
    }
    let starts = inner.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let plain = inner.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (starts && plain).then_some(Part::Variable(inner))
}
