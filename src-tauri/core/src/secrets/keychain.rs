//! The keychain of the operating system: Secret Service, macOS Keychain or Windows Credential Manager. Its calls block, and
//! may wait for the user to unlock it, so each runs on a thread of its own that nobody waits for longer than it may take.

use std::sync::Arc;
use std::time::Duration;

use keyring::{Entry, Error};
use tokio::sync::oneshot;

/// Where values are kept beyond the life of this app. Calls block. Errors say why and what helps.
pub(super) trait Vault: Send + Sync {
    /// Its name for the eye.
    fn name(&self) -> Result<&'static str, String>;
    fn get(&self, name: &str) -> Result<Option<String>, String>;
    fn set(&self, name: &str, value: &str) -> Result<(), String>;
    /// Where there is none of that name, nothing is left to do.
    fn delete(&self, name: &str) -> Result<(), String>;
}

/// The keychain, and under which service our items stand in it.
pub(super) struct Keychain {
    pub(super) service: String,
}

/// In place of a keychain where there is to be none.
pub(super) struct NoKeychain(pub(super) &'static str);

impl Keychain {
    fn entry(&self, name: &str) -> Result<Entry, String> {
        Entry::new(&self.service, name).map_err(|error| words(&error))
    }
}

impl Vault for Keychain {
    fn name(&self) -> Result<&'static str, String> {
        match Entry::store_status() {
            Ok(()) if cfg!(target_os = "macos") => Ok("the macOS keychain"),
            Ok(()) if cfg!(windows) => Ok("the Windows Credential Manager"),
            Ok(()) => Ok("the keychain of this desktop (Secret Service)"),
            Err(error) => Err(words(error)),
        }
    }

    fn get(&self, name: &str) -> Result<Option<String>, String> {
        match self.entry(name)?.get_password() {
            Ok(value) => Ok(Some(value)),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(words(&error)),
        }
    }

    fn set(&self, name: &str, value: &str) -> Result<(), String> {
        let set = self.entry(name)?.set_password(value);
        set.map_err(|error| words(&error))
    }

    fn delete(&self, name: &str) -> Result<(), String> {
        match self.entry(name)?.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(words(&error)),
        }
    }
}

impl Vault for NoKeychain {
    fn name(&self) -> Result<&'static str, String> {
        Err(self.0.to_owned())
    }

    fn get(&self, _name: &str) -> Result<Option<String>, String> {
        Err(self.0.to_owned())
    }

    fn set(&self, _name: &str, _value: &str) -> Result<(), String> {
        Err(self.0.to_owned())
    }

    fn delete(&self, _name: &str) -> Result<(), String> {
        Ok(())
    }
}

/// Never the words of an error that may quote the secret.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "the enum is open, and what is left says nothing that the user could act on"
)]
fn words(error: &Error) -> String {
    match error {
        Error::NoStorageAccess(_) => "it is locked: unlock it, then try again".to_owned(),
        Error::NoDefaultStore => match Entry::store_status() {
            Err(Error::NoDefaultStore) | Ok(()) => "there is none".to_owned(),
            Err(error) => words(error),
        },
        Error::PlatformFailure(why) => format!("there is none that answers ({why})"),
        Error::TooLong(..) => "the value is longer than it takes".to_owned(),
        Error::Ambiguous(_) => "it holds several items of that name: delete all but one".to_owned(),
        Error::BadEncoding(_) | Error::BadDataFormat(..) => {
            "what it holds is no text: type the value again".to_owned()
        }
        _ => "it refused".to_owned(),
    }
}

/// Runs a blocking call on a thread of its own, which ends when it ends; only the wait for it is bounded.
pub(super) async fn bounded<T: Send + 'static>(
    patience: Duration,
    vault: &Arc<dyn Vault>,
    call: impl FnOnce(&dyn Vault) -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    let (tell, told) = oneshot::channel();
    let vault = Arc::clone(vault);
    std::thread::Builder::new()
        .name("keychain".to_owned())
        // Who asked may have gone on by then.
        .spawn(move || drop(tell.send(call(&*vault))))
        .map_err(|error| format!("no thread can be had for it: {error}"))?;
    match tokio::time::timeout(patience, told).await {
        Ok(Ok(done)) => done,
        Ok(Err(_)) => Err("this app failed while it asked; please report it".to_owned()),
        Err(_) => Err(format!(
            "it did not answer within {} s: unlock it, then try again",
            patience.as_secs_f64()
        )),
    }
}
