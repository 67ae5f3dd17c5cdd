//! The `PATH` of the user's login shell: a program that a desktop starts does not get it, and so would not find `npx`.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::sync::OnceCell;

/// How long the shell may take: its start files can do anything.
const PATIENCE: Duration = Duration::from_secs(5);
/// Output that is read at most: start files may print.
const OUTPUT: u64 = 256 * 1024;
/// Stands around the value, since start files may print.
const MARK: &str = "__framescope_path__";

static FOUND: OnceCell<Option<String>> = OnceCell::const_new();

/// What the login shell says, asked once; `None` where this program was started from a terminal, or the shell says nothing in
/// time.
pub(super) async fn get() -> Option<String> {
    let terminal = ["TERM", "SHLVL"]
        .iter()
        .any(|name| std::env::var_os(name).is_some());
    if !cfg!(unix) || terminal {
        return None;
    }
    let shell = std::env::var("SHELL")
        .ok()
        .filter(|shell| !shell.is_empty());
    let ask = || async {
        let shell = shell.unwrap_or_else(|| "/bin/sh".to_owned());
        ask(Path::new(&shell), PATIENCE).await
    };
    FOUND.get_or_init(ask).await.clone()
}

/// Asks a shell, which ends with this whatever it does.
async fn ask(shell: &Path, patience: Duration) -> Option<String> {
    // Of `printenv`, since fish keeps its own variable as a list. Interactive: version managers stand in files that are read
    // only then.
    let script = format!("printf %s {MARK}; printenv PATH; printf %s {MARK}");
    let mut command = std::process::Command::new(shell);
    command
        .args(["-i", "-l", "-c", &script])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = tokio::process::Command::from(command)
        .kill_on_drop(true)
        .spawn()
        .ok()?;
    // Dropped, it ends the shell and all that it started.
    let _group = super::process::Group::of(&child);
    let mut stdout = child.stdout.take()?.take(OUTPUT);
    let mut said = Vec::new();
    tokio::time::timeout(patience, stdout.read_to_end(&mut said))
        .await
        .ok()?
        .ok()?;
    between_marks(&String::from_utf8_lossy(&said))
}

fn between_marks(said: &str) -> Option<String> {
    let (_, rest) = said.split_once(MARK)?;
    let (path, _) = rest.split_once(MARK)?;
    Some(path.trim().to_owned()).filter(|path| !path.is_empty())
}

/// The folders of one path, then those that only the other has.
pub(super) fn merged(first: &str, then: &str) -> String {
    // An empty entry is the working directory: it is kept where the user has it, and never added.
    let of = |path: &str| match path {
        "" => Vec::new(),
        path => std::env::split_paths(path).collect(),
    };
    let mut folders = of(first);
    for folder in of(then) {
        if !folders.contains(&folder) && !folder.as_os_str().is_empty() {
            folders.push(folder);
        }
    }
    let joined = std::env::join_paths(folders);
    // A folder with a separator in its name cannot come out of a path.
    joined.map_or_else(
        |_| first.to_owned(),
        |path| path.to_string_lossy().into_owned(),
    )
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn shell(folder: &Path, script: &str) -> std::path::PathBuf {
        let file = folder.join("shell");
        std::fs::write(&file, format!("#!/bin/sh\n{script}")).expect("a folder of the test");
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o755))
            .expect("a folder of the test");
        file
    }

    #[tokio::test]
    async fn s15_the_login_shell_is_asked_for_its_path_within_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let patience = Duration::from_secs(60);
        let chatty = "echo Welcome; PATH=/opt/node/bin:/usr/bin; eval \"$4\"; echo bye";
        let found = ask(&shell(folder.path(), chatty), patience).await;
        assert_eq!(found.as_deref(), Some("/opt/node/bin:/usr/bin"));
        let found = ask(Path::new("/bin/sh"), patience).await;
        assert!(found.is_some_and(|path| !path.is_empty()), "a real shell");
        let found = ask(&shell(folder.path(), "exit 3"), patience).await;
        assert_eq!(found, None);
        let short = Duration::from_millis(200);
        assert_eq!(
            ask(&shell(folder.path(), "sleep 1000"), short).await,
            None,
            "bounded"
        );
        assert_eq!(ask(Path::new("/no/such/shell"), patience).await, None);
    }

    #[test]
    fn s15_paths_are_merged_without_doubles() {
        assert_eq!(merged("/a:/b", "/b:/c:/a"), "/a:/b:/c");
        assert_eq!(
            (merged("/a", ""), merged("", "/a")),
            ("/a".into(), "/a".into())
        );
    }
}
