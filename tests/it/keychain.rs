//! Secrets in a real Secret Service: gnome-keyring in a D-Bus session of its own, with a home of its own; also one that is
//! locked, and none at all. The steps run as this same program inside that session.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use framescope_core::auth::Credentials;
use framescope_core::history::History;
use framescope_core::manager::ClientManager;
use framescope_core::protocol::ServerConfig;
use framescope_core::secrets::{Kept, SecretStore as _, Secrets};
use framescope_tests::issuer::Issuer;
use framescope_tests::peers::missing;

use crate::planted::{Agrees, connects, server};

/// Names the step to a copy of this program inside of the session.
const STEP: &str = "FRAMESCOPE_TEST_KEYCHAIN";
const DATA: &str = "FRAMESCOPE_TEST_DATA";
const NAME: &str = "0000/env/TOKEN";

/// Runs these lines of shell in a D-Bus session; `step NAME` runs a step of this program.
#[allow(clippy::disallowed_methods, reason = "wall time of a whole session")]
fn session(lines: &str) -> Option<Duration> {
    for program in ["dbus-run-session", "gnome-keyring-daemon"] {
        if !installed(program) {
            return missing(program);
        }
    }
    let home = tempfile::tempdir().expect("a folder");
    let own = std::env::current_exe().expect("this program");
    let script = format!(
        "set -e\nexport HOME='{home}' XDG_DATA_HOME='{home}/data' XDG_CACHE_HOME='{home}' XDG_RUNTIME_DIR='{home}' {DATA}='{home}'\n\
         step() {{ {STEP}=$1 '{own}' --exact keychain::a_step --nocapture; }}\n{lines}\n",
        home = home.path().display(),
        own = own.display(),
    );
    let began = Instant::now();
    let done = Command::new("dbus-run-session")
        .args(["--", "sh", "-c", &script])
        .output()
        .expect("a D-Bus session");
    let shown =
        String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{shown}");
    Some(began.elapsed())
}

fn installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Does nothing unless it runs inside of a session.
#[tokio::test]
async fn a_step() {
    let (Ok(step), Ok(data)) = (std::env::var(STEP), std::env::var(DATA)) else {
        return;
    };
    let secrets = Secrets::in_keychain(Path::new(&data));
    let value = Some("geheim-0815".to_owned());
    match step.as_str() {
        "write" => {
            secrets.keychain().await.expect("a keychain");
            assert_eq!(secrets.set(NAME, "first").await, NAME);
            assert_eq!(secrets.set(NAME, "geheim-0815").await, NAME, "written over");
        }
        "read" => {
            let elsewhere = Secrets::in_keychain(Path::new("/elsewhere"));
            assert_eq!(
                elsewhere.get(NAME).await,
                Ok(None),
                "another folder's are others"
            );
            assert_eq!(secrets.get(NAME).await, Ok(value.clone()));
            assert_eq!(secrets.look(NAME).await, (Kept::Keychain, value));
        }
        "delete" => {
            secrets.delete(NAME).await;
            assert_eq!(secrets.get(NAME).await, Ok(None));
            assert_eq!(secrets.look(NAME).await, (Kept::Missing, None));
            secrets.delete(NAME).await;
        }
        "memory" => {
            let name = secrets.set(NAME, "geheim-0815").await;
            assert_ne!(name, NAME);
            assert_eq!(secrets.get(&name).await, Ok(value.clone()));
            assert_eq!(secrets.look(&name).await, (Kept::Memory, value));
        }
        "sign-in" => sign_in(secrets, Path::new(&data)).await,
        "signed-in" | "signed-out" => {
            let url = std::fs::read_to_string(Path::new(&data).join("url")).expect("a URL");
            let held = Credentials::new(secrets).held(&url).await;
            assert_eq!(held.is_some(), step == "signed-in", "{url}");
        }
        "none" => assert!(secrets.keychain().await.is_err()),
        other => panic!("no step {other}"),
    }
}

/// Comes by tokens for a server whose URL it leaves behind.
async fn sign_in(secrets: Secrets, home: &Path) {
    let issuer = Issuer::start(Box::new(|_, _| None));
    std::fs::write(home.join("url"), issuer.mcp()).expect("written");
    let history = History::open(&home.join("app")).await.expect("a history");
    let manager = ClientManager::new(history, Arc::new(secrets.clone()))
        .with_credentials(Credentials::new(secrets))
        .with_browser(Arc::new(Agrees));
    let config = ServerConfig::StreamableHttp {
        url: issuer.mcp(),
        headers: vec![],
    };
    assert!(connects(&manager, &server("signed", config)).await);
    manager.close_all().await;
    assert_eq!(
        issuer.tokens(),
        [format!("access-token-1-{}", issuer.base.len())]
    );
}

#[test]
fn tokens_outlive_the_process_in_an_unlocked_keychain_and_nowhere_else() {
    session(
        "printf '\\n' | gnome-keyring-daemon --unlock --components=secrets >/dev/null\n\
         step sign-in\nstep signed-in\n\
         if grep -rlE 'access-token-|refresh-token-' $HOME; then exit 1; fi",
    );
    session(
        "unset DBUS_SESSION_BUS_ADDRESS\nstep sign-in\nstep signed-out\n\
         if grep -rlE 'access-token-|refresh-token-' $HOME; then exit 1; fi",
    );
}

#[test]
fn secrets_outlive_the_process_in_an_unlocked_keychain() {
    session(
        "printf '\\n' | gnome-keyring-daemon --unlock --components=secrets >/dev/null\n\
         step write\nstep read\nstep delete\n\
         if grep -rl geheim-0815 $HOME; then exit 1; fi",
    );
}

#[test]
fn a_locked_or_missing_keychain_is_no_hindrance() {
    let locked =
        session("gnome-keyring-daemon --start --components=secrets >/dev/null\nstep memory");
    let missing = session("unset DBUS_SESSION_BUS_ADDRESS\nstep none\nstep memory");
    for took in [locked, missing].into_iter().flatten() {
        assert!(took < Duration::from_secs(60), "{took:?}");
    }
}
