//! What was come by: tokens, each bound to the issuer and the client that it is of, and clients by their issuer. They are in the
//! secret store, and nowhere else.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex;
use reqwest::Url;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use super::client::{Identity, Proof};
use super::jwt::DpopKey;
use crate::record::{Clock, KnownSecrets};
use crate::secrets::{SecretStore as _, Secrets};
use crate::transport::Challenge;

/// A token that expires sooner than this is renewed before it is used, microseconds.
const SOON_US: i64 = 30_000_000;

/// The token of a server, with what is needed to renew and to revoke it. It goes to that server and to no other, and its refresh
/// token to the token endpoint of its issuer.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Held {
    /// The server.
    pub server: String,
    /// Who issued it.
    pub issuer: String,
    /// What it is for, as the server's metadata says.
    pub resource: Option<String>,
    /// The scopes that were asked for.
    pub requested: Vec<String>,
    /// Those that were granted.
    pub scopes: Vec<String>,
    /// When it expires, microseconds since the epoch, where that was said.
    pub expires_us: Option<i64>,
    pub(super) client: Identity,
    pub(super) proof: Proof,
    pub(super) token_endpoint: String,
    pub(super) revocation_endpoint: Option<String>,
    pub(super) access: String,
    pub(super) refresh: Option<String>,
    pub(super) id: Option<String>,
    /// The key that it is bound to.
    pub(super) dpop: Option<String>,
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Held")
            .field("server", &self.server)
            .field("issuer", &self.issuer)
            .finish_non_exhaustive()
    }
}

impl Held {
    /// The client that it was issued to.
    pub fn client_id(&self) -> &str {
        &self.client.id
    }

    /// Whether it can be renewed without a person.
    pub fn refreshable(&self) -> bool {
        self.refresh.is_some()
    }

    /// Whether it is bound to a key (RFC 9449).
    pub fn is_dpop(&self) -> bool {
        self.dpop.is_some()
    }

    /// What the access token says, where it is a JWT.
    pub fn access_claims(&self) -> Option<super::Claims> {
        super::claims(&self.access)
    }

    /// What the ID token says, where there is one.
    pub fn id_claims(&self) -> Option<super::Claims> {
        super::claims(self.id.as_deref()?)
    }

    /// Whether it has expired, or is about to.
    pub fn is_old(&self) -> bool {
        let now = Clock::start().now_us();
        self.expires_us
            .is_some_and(|expires| expires < now + SOON_US)
    }

    pub(super) fn key(&self) -> Option<DpopKey> {
        DpopKey::of(self.dpop.as_deref()?)
    }

    /// Makes its secrets known, so that no log has them.
    pub(super) fn tell(&self, secrets: &KnownSecrets) {
        secrets.learn("access_token", &self.access);
        let others = [
            ("refresh_token", &self.refresh),
            ("id_token", &self.id),
            ("client_secret", &self.client.secret),
        ];
        for (name, value) in others {
            if let Some(value) = value {
                secrets.learn(name, value);
            }
        }
    }
}

/// What was come by. A clone is the same.
#[derive(Clone)]
pub struct Credentials {
    shared: Arc<Shared>,
}

struct Shared {
    secrets: Secrets,
    known: Mutex<Known>,
    changes: watch::Sender<u64>,
}

#[derive(Default)]
struct Known {
    tokens: BTreeMap<String, Option<Arc<Held>>>,
    clients: BTreeMap<String, Identity>,
    /// What a server asked for last that was not answered without a person.
    challenges: BTreeMap<String, Challenge>,
    /// One per server: who renews a token holds it.
    locks: BTreeMap<String, Arc<tokio::sync::Mutex<()>>>,
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials").finish_non_exhaustive()
    }
}

impl Credentials {
    /// Kept in `secrets`.
    pub fn new(secrets: Secrets) -> Self {
        let shared = Shared {
            secrets,
            known: Mutex::default(),
            changes: watch::Sender::new(0),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// Counts up when a token came, was renewed or is gone.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.shared.changes.subscribe()
    }

    /// The token of a server, where it can be had without keeping anybody waiting.
    pub async fn look(&self, server: &str) -> Option<Arc<Held>> {
        let name = token_name(server);
        if let Some(known) = self.shared.known.lock().tokens.get(&name) {
            return known.clone();
        }
        let (_, text) = self.shared.secrets.look(&name).await;
        let held = Arc::new(read::<Held>(&text?)?);
        let mut known = self.shared.known.lock();
        known.tokens.entry(name).or_insert(Some(held)).clone()
    }

    /// The token of a server; waits for the keychain as long as it may take.
    pub async fn held(&self, server: &str) -> Option<Arc<Held>> {
        let name = token_name(server);
        if let Some(known) = self.shared.known.lock().tokens.get(&name) {
            return known.clone();
        }
        let text = self.shared.secrets.get(&name).await.ok().flatten();
        let held = text.and_then(|text| read::<Held>(&text)).map(Arc::new);
        let mut known = self.shared.known.lock();
        known.tokens.entry(name).or_insert(held).clone()
    }

    /// Keeps the token of a server.
    pub(super) async fn keep(&self, held: Held) -> Arc<Held> {
        let name = token_name(&held.server);
        let text = serde_json::to_string(&held).unwrap_or_default();
        let held = Arc::new(held);
        let mine = Some(Arc::clone(&held));
        {
            let mut known = self.shared.known.lock();
            known.tokens.insert(name.clone(), mine);
            known.challenges.remove(&name);
        }
        self.shared.secrets.set(&name, &text).await;
        self.shared.changes.send_modify(|count| *count += 1);
        held
    }

    /// Forgets the token of a server.
    pub async fn forget(&self, server: &str) {
        let name = token_name(server);
        self.shared.known.lock().tokens.insert(name.clone(), None);
        self.shared.secrets.delete(&name).await;
        self.shared.changes.send_modify(|count| *count += 1);
    }

    /// What a server asked for last that needs a person.
    pub fn challenge(&self, server: &str) -> Option<Challenge> {
        let known = self.shared.known.lock();
        known.challenges.get(&token_name(server)).cloned()
    }

    pub(super) fn needs_person(&self, server: &str, challenge: Challenge) {
        let mut known = self.shared.known.lock();
        known.challenges.insert(token_name(server), challenge);
    }

    /// The client that is registered with an issuer.
    pub(super) async fn client(&self, issuer: &str) -> Option<Identity> {
        let name = client_name(issuer);
        if let Some(known) = self.shared.known.lock().clients.get(&name) {
            return Some(known.clone());
        }
        let text = self.shared.secrets.get(&name).await.ok().flatten()?;
        read(&text)
    }

    /// Keeps it.
    pub(super) async fn keep_client(&self, issuer: &str, client: &Identity) {
        let name = client_name(issuer);
        let text = serde_json::to_string(client).unwrap_or_default();
        let copy = client.clone();
        self.shared.known.lock().clients.insert(name.clone(), copy);
        self.shared.secrets.set(&name, &text).await;
    }

    /// Forgets it: the issuer does not know it any more.
    pub(super) async fn forget_client(&self, issuer: &str) {
        let name = client_name(issuer);
        self.shared.known.lock().clients.remove(&name);
        self.shared.secrets.delete(&name).await;
    }

    /// Held by who comes by a token for a server.
    pub(super) fn lock(&self, server: &str) -> Arc<tokio::sync::Mutex<()>> {
        let mut known = self.shared.known.lock();
        Arc::clone(known.locks.entry(token_name(server)).or_default())
    }
}

fn read<T: for<'de> Deserialize<'de>>(text: &str) -> Option<T> {
    serde_json::from_str(text)
        .inspect_err(|_| {
            tracing::warn!("a credential in the secret store cannot be read; sign in again")
        })
        .ok()
}

fn token_name(server: &str) -> String {
    let url = Url::parse(server).map(|mut url| {
        url.set_fragment(None);
        url.to_string()
    });
    format!("oauth token {}", url.unwrap_or_else(|_| server.to_owned()))
}

fn client_name(issuer: &str) -> String {
    format!("oauth client {issuer}")
}
