//! Exports that are encrypted to a passphrase: age files (`age-encryption.org/v1`, scrypt), which other tools open too.

use std::io::{self, BufRead, Read, Write};
use std::path::Path;

use age::secrecy::SecretString;
use age::stream::StreamWriter;
use age::{DecryptError, Decryptor, Encryptor, scrypt};

use super::HistoryError;

/// How an age file begins.
const MAGIC: &[u8] = b"age-encryption.org/v1\n";
/// Scrypt's work at most, as a power of two: about a GiB of memory. A file could ask for any.
pub(crate) const MOST_WORK: u8 = 20;
/// Scrypt's work for what is written, as a power of two: a quarter of a GiB and about a second. Tests of debug builds take less.
pub(crate) const WORK: u8 = if cfg!(debug_assertions) { 12 } else { 18 };

/// Encrypts what is written to it.
pub struct Sealed<W: Write>(StreamWriter<W>);

impl<W: Write> std::fmt::Debug for Sealed<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sealed").finish_non_exhaustive()
    }
}

impl<W: Write> Sealed<W> {
    /// Begins a file that `passphrase` opens.
    ///
    /// # Errors
    /// Where the beginning cannot be written.
    pub fn new(out: W, passphrase: &str) -> io::Result<Self> {
        let mut recipient = scrypt::Recipient::new(SecretString::from(passphrase));
        recipient.set_work_factor(WORK);
        let encryptor = Encryptor::with_recipients(std::iter::once(&recipient as _));
        let encryptor = encryptor.map_err(io::Error::other)?;
        encryptor.wrap_output(out).map(Self)
    }

    /// Ends the file; without it the file does not open.
    ///
    /// # Errors
    /// Where the end cannot be written.
    pub fn finish(self) -> io::Result<W> {
        let mut out = self.0.finish()?;
        out.flush()?;
        Ok(out)
    }
}

impl<W: Write> Write for Sealed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Whether a file that begins so is encrypted.
pub(super) fn is_sealed(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// What an encrypted file holds.
pub(super) fn open<R: BufRead>(
    path: &Path,
    input: R,
    passphrase: &str,
) -> Result<impl Read + use<R>, HistoryError> {
    let bad = |error: DecryptError| opened(path, error);
    let decryptor = Decryptor::new_buffered(input).map_err(bad)?;
    if !decryptor.is_scrypt() {
        return Err(HistoryError::Sealed {
            path: path.to_owned(),
            why: "it is encrypted to a key, not to a passphrase: decrypt it with age first"
                .to_owned(),
        });
    }
    let mut identity = scrypt::Identity::new(SecretString::from(passphrase));
    identity.set_max_work_factor(MOST_WORK);
    decryptor
        .decrypt(std::iter::once(&identity as _))
        .map_err(bad)
}

#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "the enum is open, and what is left says nothing that the user could act on"
)]
fn opened(path: &Path, error: DecryptError) -> HistoryError {
    let path = path.to_owned();
    match error {
        DecryptError::DecryptionFailed
        | DecryptError::KeyDecryptionFailed
        | DecryptError::NoMatchingKeys => HistoryError::WrongPassphrase { path },
        DecryptError::ExcessiveWork { .. } => HistoryError::Sealed {
            path,
            why: "to open it would take more memory than this app gives: decrypt it with age first"
                .to_owned(),
        },
        DecryptError::Io(source) => HistoryError::File {
            doing: "read",
            path,
            source,
        },
        _ => HistoryError::Sealed {
            path,
            why: "it is damaged, or of a newer age".to_owned(),
        },
    }
}
