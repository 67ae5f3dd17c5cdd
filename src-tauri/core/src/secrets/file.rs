//! Secrets in two files of the data folder, by the user's choice where there is no keychain. `secrets.key.age` holds a key and
//! opens with the passphrase; `secrets.age` holds the secrets and opens with that key, so that the passphrase costs its second of
//! work once a run. Other processes may write at the same time: every change reads the file again under a lock, and moves a
//! new one in its place. Calls block.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use age::secrecy::{ExposeSecret as _, SecretString};
use age::{DecryptError, scrypt, x25519};
use parking_lot::Mutex;

/// Scrypt's work for the key, as a power of two: a quarter of a GiB and about a second. Tests of debug builds take less.
const WORK: u8 = if cfg!(debug_assertions) { 12 } else { 18 };
/// Scrypt's work at most: the file is ours, but who else may write in the folder may have changed it.
const MOST_WORK: u8 = 20;

/// The file cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unopened {
    /// By this passphrase.
    #[error("the passphrase does not open the file of secrets: type it again")]
    WrongPassphrase,
    /// At all.
    #[error("the file of secrets cannot be used: {0}")]
    Unusable(String),
}

/// The secrets of a data folder in a file.
pub(super) struct SecretFile {
    dir: PathBuf,
    key: Mutex<Option<x25519::Identity>>,
}

impl SecretFile {
    pub(super) fn of(dir: &Path) -> Self {
        Self {
            dir: dir.to_owned(),
            key: Mutex::new(None),
        }
    }

    /// Whether it was chosen, in whichever process.
    pub(super) fn exists(&self) -> bool {
        self.path(KEY).exists()
    }

    /// Whether its passphrase was given in this run.
    pub(super) fn is_open(&self) -> bool {
        self.key.lock().is_some() && self.exists()
    }

    /// Makes it, with nothing in it; opens it where it is there.
    pub(super) fn create(&self, passphrase: &str) -> Result<(), Unopened> {
        let _lock = self.lock().map_err(|error| unusable(&error))?;
        if self.exists() {
            return self.open(passphrase);
        }
        let key = x25519::Identity::generate();
        let mut recipient = scrypt::Recipient::new(SecretString::from(passphrase));
        recipient.set_work_factor(WORK);
        let sealed = age::encrypt(&recipient, key.to_string().expose_secret().as_bytes());
        let sealed = sealed.map_err(|error| Unopened::Unusable(error.to_string()))?;
        // What another key wrote would never open again.
        remove(&self.path(VALUES)).map_err(|error| unusable(&error))?;
        self.put(KEY, &sealed).map_err(|error| unusable(&error))?;
        *self.key.lock() = Some(key);
        Ok(())
    }

    /// Opens it for the rest of this run.
    pub(super) fn open(&self, passphrase: &str) -> Result<(), Unopened> {
        let sealed = fs::read(self.path(KEY)).map_err(|error| unusable(&error))?;
        let mut identity = scrypt::Identity::new(SecretString::from(passphrase));
        identity.set_max_work_factor(MOST_WORK);
        let text = age::decrypt(&identity, &sealed).map_err(opened)?;
        let text = String::from_utf8(text).map_err(|_| damaged())?;
        let key = text.trim().parse().map_err(|_| damaged())?;
        *self.key.lock() = Some(key);
        Ok(())
    }

    /// Deletes it.
    pub(super) fn remove(&self) -> io::Result<()> {
        let _lock = self.lock()?;
        // The key first: without it the other one is of no use to anybody.
        remove(&self.path(KEY))?;
        *self.key.lock() = None;
        remove(&self.path(VALUES))
    }

    /// A secret, as it stands in the file now.
    pub(super) fn get(&self, name: &str) -> Result<Option<String>, String> {
        Ok(self.read()?.remove(name))
    }

    /// Changes what stands in it.
    pub(super) fn change(
        &self,
        change: impl FnOnce(&mut BTreeMap<String, String>),
    ) -> Result<(), String> {
        let words = |error: io::Error| error.to_string();
        if !self.exists() {
            return Err(NONE.to_owned());
        }
        let _lock = self.lock().map_err(words)?;
        let mut values = self.read()?;
        let before = values.clone();
        change(&mut values);
        if values == before {
            return Ok(());
        }
        let recipient = match &*self.key.lock() {
            Some(key) => key.to_public(),
            None => return Err(LOCKED.to_owned()),
        };
        let text = serde_json::to_vec(&values).map_err(|error| error.to_string())?;
        let sealed = age::encrypt(&recipient, &text).map_err(|error| error.to_string())?;
        self.put(VALUES, &sealed).map_err(words)
    }

    fn read(&self) -> Result<BTreeMap<String, String>, String> {
        if !self.exists() {
            return Err(NONE.to_owned());
        }
        let key = self.key.lock().clone().ok_or(LOCKED)?;
        let sealed = match fs::read(self.path(VALUES)) {
            Ok(sealed) => sealed,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
            Err(error) => return Err(error.to_string()),
        };
        let text = age::decrypt(&key, &sealed);
        // Another process may have made it anew, with another passphrase.
        let text = text.map_err(|error| format!("{VALUES} does not open ({error}): {LOCKED}"))?;
        serde_json::from_slice(&text).map_err(|_| format!("{VALUES} is damaged"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Held by who changes the files.
    fn lock(&self) -> io::Result<File> {
        let lock = private().truncate(false).open(self.path("secrets.lock"))?;
        lock.lock()?;
        Ok(lock)
    }

    /// Puts a whole file in the place of the one before.
    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let part = self.path(&format!("{name}.part"));
        remove(&part)?;
        let mut file = private().create_new(true).open(&part)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&part, self.path(name))
    }
}

const KEY: &str = "secrets.key.age";
const VALUES: &str = "secrets.age";
const NONE: &str = "there is no file of secrets";
/// Why nothing can be had of it, and what helps.
pub(super) const LOCKED: &str = "it is locked: unlock it in Settings, or give framescope-cli --passphrase-file FILE or FRAMESCOPE_PASSPHRASE";

/// A file that nobody else may read.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

fn unusable(error: &io::Error) -> Unopened {
    Unopened::Unusable(error.to_string())
}

fn damaged() -> Unopened {
    Unopened::Unusable(format!("{KEY} is damaged"))
}

#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "the enum is open, and what is left says nothing that the user could act on"
)]
fn opened(error: DecryptError) -> Unopened {
    match error {
        DecryptError::DecryptionFailed
        | DecryptError::KeyDecryptionFailed
        | DecryptError::NoMatchingKeys => Unopened::WrongPassphrase,
        DecryptError::Io(error) => unusable(&error),
        _ => damaged(),
    }
}
