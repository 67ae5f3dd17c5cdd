//! A file system of its own: small, full or read-only. Only root may mount; elsewhere the test that wants it is skipped.

use std::path::Path;
use std::process::{Command, Stdio};

use framescope_tests::peers::missing;
use tempfile::TempDir;

/// A mounted folder.
pub(crate) struct Mount {
    dir: TempDir,
}

impl Mount {
    /// An empty file system in memory of this size, e.g. `2m`. `None`, counted as a skip, where nothing may be mounted.
    pub(crate) fn tmpfs(size: &str) -> Option<Self> {
        let dir = tempfile::tempdir().expect("a folder");
        let size = format!("size={size}");
        if mount(&["-t", "tmpfs", "-o", &size, "tmpfs"], dir.path()) {
            return Some(Self { dir });
        }
        missing("the right to mount a file system")
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Changes its options, e.g. `ro`.
    pub(crate) fn remount(&self, options: &str) {
        let options = format!("remount,{options}");
        assert!(
            mount(&["-o", &options], self.path()),
            "mounted again with {options}"
        );
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        unmount(self.path());
    }
}

/// Makes a folder read-only while this lives, though files in it are open.
pub(crate) struct ReadOnly<'a>(&'a Path);

impl<'a> ReadOnly<'a> {
    /// `None`, counted as a skip, where nothing may be mounted.
    pub(crate) fn on(folder: &'a Path) -> Option<Self> {
        let same = folder.to_string_lossy();
        if !mount(&["--bind", &same], folder) {
            return missing("the right to mount a file system");
        }
        let made = Self(folder);
        assert!(
            mount(&["-o", "remount,bind,ro"], folder),
            "mounted read-only"
        );
        Some(made)
    }
}

impl Drop for ReadOnly<'_> {
    fn drop(&mut self) {
        unmount(self.0);
    }
}

fn mount(args: &[&str], on: &Path) -> bool {
    let mut command = Command::new("mount");
    command.args(args).arg(on).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Also while something holds a file in it.
fn unmount(path: &Path) {
    let _ = Command::new("umount").arg("--lazy").arg(path).status();
}
