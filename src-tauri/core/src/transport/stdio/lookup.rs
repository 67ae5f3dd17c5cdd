//! Finds the file that a command names, as a shell would, so that the log can tell what was started.

use std::path::{Path, PathBuf};

use super::Command;
use super::login_path::merged;
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

/// Looks a command up: in `PATH` where it holds no separator, else from the working directory. `login`: the path of the
/// user's login shell, where it is to be used.
pub(super) fn find(command: &Command<'_>, login: Option<&str>) -> Result<Found, TransportError> {
    let name = command.command;
    let cwd = working_directory(command)?;
    let own = || std::env::var("PATH").unwrap_or_default();
    let (mut path, path_source) = match (command.env.get("PATH"), login) {
        (Some(path), _) => (path.clone(), PathSource::Config),
        (None, Some(login)) => (merged(login, &own()), PathSource::LoginShell),
        (None, None) => (own(), PathSource::App),
    };
    let executable = if name.contains(std::path::is_separator) {
        let files = candidates(&cwd, name);
        match files.into_iter().find(|file| verdict(file).is_ok()) {
            Some(file) => file,
            None => {
                let file = cwd.join(name);
                return Err(TransportError::NotExecutable {
                    path: file.display().to_string(),
                    why: verdict(&file).err().unwrap_or("it is no program"),
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
                path: path.clone(),
            })?
    };
    // A script names what runs it by its first line, and that often lies beside it: node beside npx.
    if path_source != PathSource::Config
        && let Some(folder) = executable.parent()
    {
        path = merged(&path, &folder.to_string_lossy());
    }
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

/// The files that a command can mean in a folder. On Windows a name is completed by the endings that the system runs.
fn candidates(folder: &Path, name: &str) -> Vec<PathBuf> {
    if !cfg!(windows) {
        return vec![folder.join(name)];
    }
    let endings = std::env::var("PATHEXT").unwrap_or_default();
    let names = windows_names(name, &endings);
    names.into_iter().map(|name| folder.join(name)).collect()
}

/// A name as it stands where it has one of the endings, else with each of them, as Windows looks for it. What it runs by
/// `cmd.exe` (`npx.cmd`) the standard library quotes for it. No run on Windows has tried this yet.
fn windows_names(name: &str, pathext: &str) -> Vec<String> {
    const USUAL: &str = ".COM;.EXE;.BAT;.CMD";
    let endings = if pathext.trim().is_empty() {
        USUAL
    } else {
        pathext
    };
    let endings: Vec<_> = endings
        .split(';')
        .map(|ending| ending.trim().to_ascii_lowercase())
        .filter(|ending| ending.starts_with('.'))
        .collect();
    let lower = name.to_ascii_lowercase();
    if endings
        .iter()
        .any(|ending| lower.ends_with(ending.as_str()))
    {
        return vec![name.to_owned()];
    }
    let completed = endings.iter().map(|ending| format!("{name}{ending}"));
    completed.collect()
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

#[cfg(test)]
mod tests {
    use super::windows_names;

    #[test]
    fn s13_a_command_is_completed_as_windows_does() {
        for (name, pathext, files) in [
            (
                "npx",
                ".COM;.EXE;.BAT;.CMD",
                &["npx.com", "npx.exe", "npx.bat", "npx.cmd"][..],
            ),
            ("npx", "", &["npx.com", "npx.exe", "npx.bat", "npx.cmd"]),
            ("npx.cmd", ".EXE;.CMD", &["npx.cmd"]),
            (r"C:\srv\my server.EXE", ".exe", &[r"C:\srv\my server.EXE"]),
            (
                "node.js-tool",
                ".exe; .cmd ;nonsense",
                &["node.js-tool.exe", "node.js-tool.cmd"],
            ),
        ] {
            assert_eq!(windows_names(name, pathext), files, "{name} {pathext}");
        }
    }
}
