//! One app per data folder. A second start shows the first one's window (over D-Bus where there is one); where the first
//! cannot be reached, the lock still keeps two apps from one folder, and the second says so.

use std::fs::{File, TryLockError};
use std::path::Path;

use framescope_core::IDENTIFIER;

/// The name under which the app of this data folder is found on the session bus.
pub(crate) fn bus_name(dir: &Path) -> String {
    // FNV-1a: must be the same in every build, which the standard hasher does not promise.
    let hash = dir
        .as_os_str()
        .as_encoded_bytes()
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
    format!("{IDENTIFIER}.d{hash:016x}")
}

/// Takes the folder for this process; it is given back when the answer is dropped or the process dies.
pub(crate) fn lock(dir: &Path) -> Result<File, String> {
    let path = dir.join("app.lock");
    let file = File::create(&path)
        .map_err(|error| format!("cannot use the data folder {}: {error}", dir.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(format!(
            "Framescope already runs on the data folder {}, and its window could not be reached over D-Bus.\n\
             Switch to that window, or set FRAMESCOPE_DATA_DIR to another folder.",
            dir.display()
        )),
        Err(TryLockError::Error(error)) => Err(format!("cannot lock {}: {error}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bus_name_tells_folders_apart_and_never_changes() {
        let name = bus_name(Path::new("/data/a"));
        assert_ne!(name, bus_name(Path::new("/data/b")));
        assert_eq!(
            name, "dev.framescope.desktop.dd6895d7926ce7246",
            "another build must find this one"
        );
    }

    #[test]
    fn a_folder_has_one_app() {
        let dir = tempfile::tempdir().unwrap();
        let first = lock(dir.path()).unwrap();
        let refused = lock(dir.path()).unwrap_err();
        assert!(refused.contains("already runs"), "{refused}");
        drop(first);
        lock(dir.path()).unwrap();
    }
}
