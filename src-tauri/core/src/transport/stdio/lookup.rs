//! Finds the file that a command names, as a shell would, so that the log can tell what was started.

use std::path::{Path, PathBuf};

use super::Command;
use crate::record::PathSource;
use crate::transport::TransportError;

/// What a command names.
#[derive(Clone, Debug)]
pub struct Found {
    /// The file that is started.
    pub executable: PathBuf,
    /// The folder that it is started in.
    pub cwd: PathBuf,
    /// The `PATH` that was searched.
    pub path: String,
    /// Where that came from.
    pub path_source: PathSource,
}

/// Looks a command up: in `PATH` where it holds no separator, else from the working directory.
pub(super) fn find(command: &Command<'_>) -> Result<Found, TransportError> {
    let name = command.command;
    let cwd = working_directory(command)?;
    let (path, path_source) = match command.env.get("PATH") {
        Some(path) => (path.clone(), PathSource::Config),
        None => (std::env::var("PATH").unwrap_or_default(), PathSource::App),
    };
    let executable = if name.contains(std::path::is_separator) {
        let file = cwd.join(name);
        match verdict(&file) {
            Ok(()) => file,
            Err(why) => {
                return Err(TransportError::NotExecutable {
                    path: file.display().to_string(),
                    why,
                });
            }
        }
    } else {
        let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
        let candidates = folders
            .iter()
            .flat_map(|folder| candidates(&cwd.join(folder), name));
        candidates
            .into_iter()
            .find(|file| verdict(file).is_ok())
            .ok_or(TransportError::NotFound {
                command: name.to_owned(),
                folders: folders.len(),
            })?
    };
    Ok(Found {
        executable,
        cwd,
        path,
        path_source,
    })
}

fn working_directory(command: &Command<'_>) -> Result<PathBuf, TransportError> {
    let own = std::env::current_dir().unwrap_or_default();
    let Some(wanted) = command.cwd else {
        return Ok(own);
    };
    let cwd = own.join(wanted);
    if cwd.is_dir() {
        return Ok(cwd);
    }
    Err(TransportError::NoFolder {
        command: command.command.to_owned(),
        cwd: wanted.display().to_string(),
    })
}

fn candidates(folder: &Path, name: &str) -> Vec<PathBuf> {
    if cfg!(windows) && Path::new(name).extension().is_none() {
        return ["exe", "cmd", "bat", "com"]
            .iter()
            .map(|ext| folder.join(format!("{name}.{ext}")))
            .collect();
    }
    vec![folder.join(name)]
}

fn verdict(file: &Path) -> Result<(), &'static str> {
    let Ok(found) = file.metadata() else {
        return Err("there is no such file");
    };
    if found.is_dir() {
        return Err("it is a folder");
    }
    #[cfg(unix)]
    if std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o111 == 0 {
        return Err("it is not executable");
    }
    Ok(())
}
