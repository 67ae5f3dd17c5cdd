//! Where secrets are kept: in the keychain of the operating system, or where there is none in memory until the app ends, or by
//! choice in a file that a passphrase opens.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{BoxFuture, FutureExt as _, ready};
use parking_lot::Mutex;
use tokio::sync::watch;

use super::SecretError;
use super::file::{self, SecretFile, Unopened};
use super::keychain::{Keychain, NoKeychain, Vault, bounded};

/// How long the keychain may take where something depends on it: the user may be typing its password.
const ANSWER: Duration = Duration::from_secs(30);
/// How long it may take where nothing depends on it.
const LOOK: Duration = Duration::from_millis(300);
/// How long a deletion is waited for.
const DELETE: Duration = Duration::from_secs(5);
/// Names of secrets that no keychain holds begin so, and nothing else is ever taken for them: they are in memory, and in the
/// file where there is one.
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
    /// In the file that a passphrase opens.
    File,
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
    file: Option<SecretFile>,
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
        Self::with(Arc::new(Keychain { service }), Some(dir))
    }

    /// The same without a keychain, as on a system that has none.
    pub fn without_keychain(dir: &Path) -> Self {
        Self::with(Arc::new(NoKeychain("there is none")), Some(dir))
    }

    /// Keeps nothing beyond the life of this process.
    pub fn in_memory() -> Self {
        Self::with(Arc::new(NoKeychain("this app was told to use none")), None)
    }

    #[cfg(test)]
    pub(super) fn over(vault: Arc<dyn Vault>) -> Self {
        Self::with(vault, None)
    }

    pub(super) fn with(vault: Arc<dyn Vault>, dir: Option<&Path>) -> Self {
        let shared = Shared {
            vault,
            file: dir.map(SecretFile::of),
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
        let own = format!("{IN_MEMORY}{name}");
        let name = match set.await {
            Ok(()) => {
                self.delete_own(&own).await;
                name.to_owned()
            }
            Err(why) => {
                let (key, copy) = (own.clone(), value.to_owned());
                let put = move |file: &SecretFile| file.change(|all| drop(all.insert(key, copy)));
                if let Err(unkept) = self.in_file(ANSWER, put).await {
                    tracing::info!(
                        "a secret is kept in memory only, the keychain cannot be used: {why}{}",
                        unkept
                            .map(|why| format!("; nor the file: {why}"))
                            .unwrap_or_default()
                    );
                }
                own
            }
        };
        let mut known = self.shared.known.lock();
        known.missing.remove(&name);
        known.values.insert(name.clone(), value.to_owned());
        name
    }

    /// Whether secrets go into a file where there is no keychain, and whether that file waits for its passphrase.
    pub fn file(&self) -> (bool, bool) {
        let file = self.shared.file.as_ref().filter(|file| file.exists());
        file.map_or((false, false), |file| (true, !file.is_open()))
    }

    /// From now on secrets go into a file where there is no keychain, those too that are in memory. One that is there is opened.
    ///
    /// # Errors
    /// Where it cannot be made, or the one that is there has another passphrase.
    pub async fn keep_in_file(&self, passphrase: &str) -> Result<(), Unopened> {
        self.opened(passphrase, SecretFile::create).await
    }

    /// Opens the file for the rest of this run; what came into memory meanwhile goes into it.
    ///
    /// # Errors
    /// Where the passphrase is another, or there is no file.
    pub async fn unlock(&self, passphrase: &str) -> Result<(), Unopened> {
        self.opened(passphrase, SecretFile::open).await
    }

    /// From now on secrets are in memory only where there is no keychain. The file is deleted; its values stay until the end.
    ///
    /// # Errors
    /// In words, where it cannot be deleted. Of one that is locked the values are lost.
    pub async fn keep_in_memory(&self) -> Result<(), String> {
        let shared = Arc::clone(&self.shared);
        let removed = self.in_file(ANSWER, move |file| {
            if file.is_open() {
                file.change(|all| shared.known.lock().values.append(all))?;
            }
            file.remove().map_err(|error| error.to_string())
        });
        removed.await.or_else(|why| why.map_or(Ok(()), Err))?;
        self.shared.changes.send_modify(|count| *count += 1);
        Ok(())
    }

    async fn opened(
        &self,
        passphrase: &str,
        open: fn(&SecretFile, &str) -> Result<(), Unopened>,
    ) -> Result<(), Unopened> {
        let passphrase = passphrase.to_owned();
        let shared = Arc::clone(&self.shared);
        let opened = self.in_file(ANSWER, move |file| {
            if let Err(error) = open(file, &passphrase) {
                return Ok(Err(error));
            }
            let known = shared.known.lock().values.clone();
            let own = known
                .into_iter()
                .filter(|(name, _)| name.starts_with(IN_MEMORY));
            // What this run knows is newer.
            let moved = file.change(|all| all.extend(own));
            Ok(moved.map_err(Unopened::Unusable))
        });
        let none = || "this app was told to use no file".to_owned();
        opened
            .await
            .map_err(|why| Unopened::Unusable(why.unwrap_or_else(none)))
            .flatten()?;
        self.shared.changes.send_modify(|count| *count += 1);
        Ok(())
    }

    /// Does something with the file. An error without words: there is none.
    async fn in_file<T: Send + 'static>(
        &self,
        patience: Duration,
        call: impl FnOnce(&SecretFile) -> Result<T, String> + Send + 'static,
    ) -> Result<T, Option<String>> {
        if self.shared.file.is_none() {
            return Err(None);
        }
        let shared = Arc::clone(&self.shared);
        let call = move |_: &dyn Vault| shared.file.as_ref().map(call).transpose();
        match bounded(patience, &self.shared.vault, call).await {
            Ok(done) => done.ok_or(None),
            Err(why) if self.file().0 => Err(Some(why)),
            Err(_) => Err(None),
        }
    }

    async fn delete_own(&self, own: &str) {
        self.shared.known.lock().values.remove(own);
        let unwanted = own.to_owned();
        let gone = self.in_file(DELETE, move |file| {
            file.change(|all| drop(all.remove(&unwanted)))
        });
        if let Err(Some(why)) = gone.await {
            tracing::warn!("a secret is still in the file of secrets: {why}");
        }
    }

    /// What no keychain holds: from the file as it is now, else from memory.
    async fn own(&self, own: &str, patience: Duration) -> Result<Option<String>, SecretError> {
        let known = self.shared.known.lock().values.get(own).cloned();
        let wanted = own.to_owned();
        match self.in_file(patience, move |file| file.get(&wanted)).await {
            Ok(Some(value)) => {
                let mut all = self.shared.known.lock();
                all.values.insert(own.to_owned(), value.clone());
                Ok(Some(value))
            }
            Ok(None) | Err(None) => Ok(known),
            Err(Some(_)) if known.is_some() => Ok(known),
            Err(Some(why)) if why == file::LOCKED => Err(SecretError::Locked {
                name: own.to_owned(),
            }),
            Err(Some(why)) => Err(SecretError::Store {
                name: own.to_owned(),
                why,
            }),
        }
    }

    /// Forgets a secret, here and in the keychain.
    pub async fn delete(&self, name: &str) {
        if name.starts_with(IN_MEMORY) {
            return self.delete_own(name).await;
        }
        self.shared.known.lock().values.remove(name);
        self.delete_own(&format!("{IN_MEMORY}{name}")).await;
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
        if name.starts_with(IN_MEMORY) {
            let kept = if self.file().0 {
                Kept::File
            } else {
                Kept::Memory
            };
            return match self.own(name, LOOK).await {
                Ok(Some(value)) => (kept, Some(value)),
                Ok(None) => (Kept::Missing, None),
                // It may be there.
                Err(_) => (kept, None),
            };
        }
        if let Some(value) = self.shared.known.lock().values.get(name).cloned() {
            return (Kept::Keychain, Some(value));
        }
        if self.shared.known.lock().missing.contains(name) {
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
                return self.own(name, ANSWER).await;
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
