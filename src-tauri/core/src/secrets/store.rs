//! Where secrets are kept: in the keychain of the operating system, or where there is none in memory until the app ends.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt as _, ready};
use parking_lot::Mutex;
use tokio::sync::watch;

use super::SecretError;
use super::keychain::{Keychain, NoKeychain, Vault, bounded};

/// How long the keychain may take where something depends on it: the user may be typing its password.
const ANSWER: Duration = Duration::from_secs(30);
/// How long it may take where nothing depends on it.
const LOOK: Duration = Duration::from_millis(300);
/// How long a deletion is waited for.
const DELETE: Duration = Duration::from_secs(5);
/// Names of secrets that are in memory only begin so: after a restart nothing else is taken for them.
const IN_MEMORY: &str = "memory/";

/// Where secrets are kept.
pub trait SecretStore: Send + Sync {
    /// The secret of that name, if there is one.
    ///
    /// # Errors
    /// Where the store cannot be asked, or does not answer in its time.
    fn get<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Option<String>, SecretError>>;
}

/// Keeps secrets until the app ends.
#[derive(Default)]
pub struct MemorySecrets(Mutex<BTreeMap<String, String>>);

impl MemorySecrets {
    /// Keeps a secret.
    pub fn set(&self, name: &str, value: &str) {
        self.0.lock().insert(name.to_owned(), value.to_owned());
    }
}

impl fmt::Debug for MemorySecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.lock().keys()).finish()
    }
}

impl SecretStore for MemorySecrets {
    fn get<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Option<String>, SecretError>> {
        ready(Ok(self.0.lock().get(name).cloned())).boxed()
    }
}

/// Where a secret is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// In the keychain.
    Keychain,
    /// In memory until the app ends.
    Memory,
    /// Nowhere.
    Missing,
}

/// The secrets of a data folder. A clone is the same store.
#[derive(Clone)]
pub struct Secrets {
    shared: Arc<Shared>,
}

struct Shared {
    vault: Arc<dyn Vault>,
    known: Mutex<Known>,
    changes: watch::Sender<u64>,
}

/// What is known without asking the keychain.
#[derive(Default)]
struct Known {
    values: BTreeMap<String, String>,
    /// Names that the keychain was asked for without need; it may have asked the user to unlock it, so it is done once.
    asked: BTreeSet<String>,
    /// Names that it does not have.
    missing: BTreeSet<String>,
}

impl Known {
    /// Whether the keychain still owes an answer: then nobody waits for the next one.
    fn is_silent(&self) -> bool {
        let answered = |name| self.values.contains_key(name) || self.missing.contains(name);
        !self.asked.iter().all(answered)
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = self.shared.known.lock();
        f.debug_set().entries(known.values.keys()).finish()
    }
}

impl Secrets {
    /// The secrets of the data folder `dir` in the keychain. Those of another folder than the usual one stand apart.
    pub fn in_keychain(dir: &Path) -> Self {
        let usual = dirs::data_dir().map(|data| data.join(crate::IDENTIFIER));
        let service = if usual.as_deref() == Some(dir) {
            crate::IDENTIFIER.to_owned()
        } else {
            format!("{} {}", crate::IDENTIFIER, dir.display())
        };
        Self::over(Arc::new(Keychain { service }))
    }

    /// Keeps nothing beyond the life of this process.
    pub fn in_memory() -> Self {
        Self::over(Arc::new(NoKeychain("this app was told to use none")))
    }

    pub(super) fn over(vault: Arc<dyn Vault>) -> Self {
        let shared = Shared {
            vault,
            known: Mutex::default(),
            changes: watch::Sender::new(0),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// The name of the keychain for the eye.
    ///
    /// # Errors
    /// Why there is none: secrets are kept in memory only.
    pub async fn keychain(&self) -> Result<String, String> {
        bounded(ANSWER, &self.shared.vault, |vault| {
            vault.name().map(str::to_owned)
        })
        .await
    }

    /// Counts up when more is known of a secret that [`Self::look`] was asked for.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.shared.changes.subscribe()
    }

    /// Keeps a secret and answers under which name. Where the keychain does not take it, it is kept in memory, under another
    /// name than one that the keychain may hold.
    pub async fn set(&self, name: &str, value: &str) -> String {
        let (wanted, copy) = (name.to_owned(), value.to_owned());
        let set = bounded(ANSWER, &self.shared.vault, move |vault| {
            vault.set(&wanted, &copy)
        });
        let name = match set.await {
            Ok(()) => name.to_owned(),
            Err(why) => {
                tracing::info!(
                    "a secret is kept in memory only, the keychain cannot be used: {why}"
                );
                format!("{IN_MEMORY}{name}")
            }
        };
        let mut known = self.shared.known.lock();
        known.missing.remove(&name);
        known.values.insert(name.clone(), value.to_owned());
        name
    }

    /// Forgets a secret, here and in the keychain.
    pub async fn delete(&self, name: &str) {
        self.shared.known.lock().values.remove(name);
        if name.starts_with(IN_MEMORY) {
            return;
        }
        let unwanted = name.to_owned();
        let deleted = bounded(DELETE, &self.shared.vault, move |vault| {
            vault.delete(&unwanted)
        });
        if let Err(why) = deleted.await {
            tracing::warn!("the secret {name} is still in the keychain: {why}");
        }
    }

    /// Where a secret is kept, and its value where it can be had without keeping anybody waiting. What comes later is told
    /// by [`Self::changes`].
    pub async fn look(&self, name: &str) -> (Kept, Option<String>) {
        let of_memory = name.starts_with(IN_MEMORY);
        if let Some(value) = self.shared.known.lock().values.get(name).cloned() {
            let kept = if of_memory {
                Kept::Memory
            } else {
                Kept::Keychain
            };
            return (kept, Some(value));
        }
        if of_memory || self.shared.known.lock().missing.contains(name) {
            return (Kept::Missing, None);
        }
        let patience = {
            let mut known = self.shared.known.lock();
            let silent = known.is_silent();
            if !known.asked.insert(name.to_owned()) {
                return (Kept::Keychain, None);
            }
            if silent { Duration::ZERO } else { LOOK }
        };
        match self.ask(name, patience).await {
            Ok(Some(value)) => (Kept::Keychain, Some(value)),
            Ok(None) => (Kept::Missing, None),
            Err(_) => (Kept::Keychain, None),
        }
    }

    async fn ask(&self, name: &str, patience: Duration) -> Result<Option<String>, String> {
        let (shared, wanted) = (Arc::clone(&self.shared), name.to_owned());
        let ask = move |vault: &dyn Vault| {
            // Without a keychain nothing of it can be had, now or later.
            let found = vault.name().map_or(Ok(None), |_| vault.get(&wanted))?;
            let mut known = shared.known.lock();
            match &found {
                Some(value) => known.values.insert(wanted, value.clone()).is_none(),
                None => known.missing.insert(wanted),
            };
            drop(known);
            shared.changes.send_modify(|count| *count += 1);
            Ok(found)
        };
        bounded(patience, &self.shared.vault, ask).await
    }
}

impl SecretStore for Secrets {
    fn get<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Option<String>, SecretError>> {
        async move {
            if name.starts_with(IN_MEMORY) {
                return Ok(self.shared.known.lock().values.get(name).cloned());
            }
            self.shared.known.lock().missing.remove(name);
            self.ask(name, ANSWER)
                .await
                .map_err(|why| SecretError::Store {
                    name: name.to_owned(),
                    why,
                })
        }
        .boxed()
    }
}
