//! A file of bounded size: when it is full, it is put away under a number, and the oldest of those is deleted.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Size of a file at most, in bytes, but for its last line.
pub(super) const FULL: u64 = 1 << 20;
/// How many there are, the one that is written to among them.
pub(super) const FILES: u32 = 5;

/// A file of the log.
#[derive(Debug)]
pub(super) struct LogFile {
    path: PathBuf,
    file: File,
    size: u64,
}

impl LogFile {
    /// Goes on with the file at `path`; nobody else may read it.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        if let Some(dir) = path.parent() {
            fs::create_dir_all(dir)?;
        }
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(path)?;
        Ok(Self {
            path: path.to_owned(),
            size: file.metadata()?.len(),
            file,
        })
    }

    /// Writes whole lines.
    pub(super) fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        if self.size >= FULL {
            self.put_away()?;
        }
        self.file.write_all(lines)?;
        self.size += lines.len() as u64;
        Ok(())
    }

    fn put_away(&mut self) -> io::Result<()> {
        for number in (1..FILES).rev() {
            let newer = match number {
                1 => self.path.clone(),
                _ => self.numbered(number - 1),
            };
            if newer.exists() {
                fs::rename(newer, self.numbered(number))?;
            }
        }
        *self = Self::open(&self.path)?;
        Ok(())
    }

    /// `framescope.1.log`.
    fn numbered(&self, number: u32) -> PathBuf {
        self.path.with_extension(format!("{number}.log"))
    }
}
