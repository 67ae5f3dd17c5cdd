//! Where the data folder is. One answer for every program, since app and command line work on one folder at once.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The app's identifier; its name in the application-data folder.
pub const IDENTIFIER: &str = "dev.framescope.desktop";
/// Names another data folder.
pub const DATA_DIR_VARIABLE: &str = "FRAMESCOPE_DATA_DIR";

/// The data folder cannot be told.
#[derive(Debug, thiserror::Error)]
#[error("the operating system names no folder for application data: set {DATA_DIR_VARIABLE}")]
pub struct NoDataDir;

/// The data folder, as an absolute path: `FRAMESCOPE_DATA_DIR` if set and not empty, else the operating system's
/// application-data folder of [`IDENTIFIER`]. It need not exist.
pub fn data_dir() -> Result<PathBuf, NoDataDir> {
    choose(std::env::var_os(DATA_DIR_VARIABLE), dirs::data_dir())
}

fn choose(
    variable: Option<OsString>,
    application_data: Option<PathBuf>,
) -> Result<PathBuf, NoDataDir> {
    match variable {
        // A relative path would name another folder in a process started elsewhere.
        Some(named) if !named.is_empty() => {
            std::path::absolute(Path::new(&named)).map_err(|_| NoDataDir)
        }
        Some(_) | None => application_data
            .map(|dir| dir.join(IDENTIFIER))
            .ok_or(NoDataDir),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_wins_unless_it_is_empty() {
        let own = || Some(PathBuf::from("/data"));
        let cwd = std::env::current_dir().unwrap();
        for (variable, expected) in [
            (None, PathBuf::from("/data").join(IDENTIFIER)),
            (Some(""), PathBuf::from("/data").join(IDENTIFIER)),
            (Some("/elsewhere"), PathBuf::from("/elsewhere")),
            (Some("here"), cwd.join("here")),
        ] {
            assert_eq!(
                choose(variable.map(Into::into), own()).unwrap(),
                expected,
                "{variable:?}"
            );
        }
        assert!(
            choose(None, None).is_err(),
            "no folder is an error, not the working directory"
        );
    }
}
