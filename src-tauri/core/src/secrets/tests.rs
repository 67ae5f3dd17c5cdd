use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use uuid::Uuid;

use super::keychain::{Vault, bounded};
use super::{
    Kept, MemorySecrets, Part, SecretError, SecretStore as _, Secrets, Typed, TypedValue, Unopened,
    looks_secret, names, parts, resolve, secret_name,
};
use crate::protocol::ServerConfig;

#[test]
fn only_the_two_forms_are_references() {
    let check = |text: &'static str, expected: Vec<Part<'static>>| {
        assert_eq!(parts(text), expected, "{text}")
    };
    check("", vec![]);
    check("plain ~ | $HOME", vec![Part::Text("plain ~ | $HOME")]);
    check("${HOME}", vec![Part::Variable("HOME")]);
    check(
        "a${_B1}c",
        vec![Part::Text("a"), Part::Variable("_B1"), Part::Text("c")],
    );
    check(
        "${secret:my key}/x",
        vec![Part::Secret("my key"), Part::Text("/x")],
    );
    check(
        "${A}${secret:B}",
        vec![Part::Variable("A"), Part::Secret("B")],
    );
    check("${1}", vec![Part::Text("${1}")]);
    check("${A:-b}", vec![Part::Text("${A:-b}")]);
    check("${secret:}", vec![Part::Text("${secret:}")]);
    check("${open", vec![Part::Text("${open")]);
    check("${x-${A}", vec![Part::Text("${x-"), Part::Variable("A")]);
    check(
        "é${A}ü",
        vec![Part::Text("é"), Part::Variable("A"), Part::Text("ü")],
    );
}

fn environment(name: &str) -> Option<String> {
    (name == "SET").then(|| "value of SET".to_owned())
}

fn stdio(arg: &str) -> ServerConfig {
    ServerConfig::Stdio {
        command: "run".to_owned(),
        args: vec![arg.to_owned()],
        env: BTreeMap::from([("KEY".to_owned(), "x${SET}".to_owned())]),
        cwd: Some("${SET}/sub".into()),
    }
}

#[tokio::test]
async fn every_field_is_resolved_and_a_value_is_not_expanded_again() {
    let secrets = MemorySecrets::default();
    secrets.set("token", "${SET} in a secret");
    let resolved = resolve(&stdio("--t=${secret:token}"), environment, &secrets)
        .await
        .unwrap();
    let ServerConfig::Stdio { args, env, cwd, .. } = resolved.values() else {
        panic!("the transport changed")
    };
    assert_eq!(args, &["--t=${SET} in a secret"]);
    assert_eq!(env["KEY"], "xvalue of SET");
    assert_eq!(
        cwd.as_deref(),
        Some(std::path::Path::new("value of SET/sub"))
    );
    let shown = format!("{resolved:?} {secrets:?}");
    assert!(
        shown.contains("token") && !shown.contains("in a secret"),
        "values must not be printed: {shown}"
    );
}

#[tokio::test]
async fn what_is_missing_is_named_with_its_field() {
    let secrets = MemorySecrets::default();
    let unset = resolve(&stdio("${GONE}"), environment, &secrets)
        .await
        .unwrap_err();
    assert_eq!(
        unset,
        SecretError::UnsetVariable {
            name: "GONE".to_owned(),
            field: "Argument 1".to_owned()
        }
    );
    assert!(unset.to_string().contains("${GONE}"), "{unset}");
    let missing = resolve(&stdio("${secret:gone}"), environment, &secrets)
        .await
        .unwrap_err();
    assert_eq!(
        missing,
        SecretError::NoSecret {
            name: "gone".to_owned(),
            field: "Argument 1".to_owned()
        }
    );
}

/// A keychain that does as it is told.
#[derive(Clone, Default)]
struct FakeVault {
    items: Arc<Mutex<BTreeMap<String, String>>>,
    locked: Arc<Mutex<bool>>,
}

impl FakeVault {
    fn open(&self) -> Result<parking_lot::MutexGuard<'_, BTreeMap<String, String>>, String> {
        match *self.locked.lock() {
            true => Err("it is locked".to_owned()),
            false => Ok(self.items.lock()),
        }
    }

    fn secrets(&self) -> Secrets {
        Secrets::over(Arc::new(self.clone()))
    }
}

impl Vault for FakeVault {
    fn name(&self) -> Result<&'static str, String> {
        Ok("a fake")
    }

    fn get(&self, name: &str) -> Result<Option<String>, String> {
        Ok(self.open()?.get(name).cloned())
    }

    fn set(&self, name: &str, value: &str) -> Result<(), String> {
        self.open()?.insert(name.to_owned(), value.to_owned());
        Ok(())
    }

    fn delete(&self, name: &str) -> Result<(), String> {
        self.open()?.remove(name);
        Ok(())
    }
}

fn typed(name: &str, value: Option<&str>, secret: bool) -> TypedValue {
    TypedValue {
        name: name.to_owned(),
        value: value.map(str::to_owned),
        secret,
    }
}

#[tokio::test]
async fn typed_secrets_go_to_the_keychain_and_follow_their_server() {
    let vault = FakeVault::default();
    let secrets = vault.secrets();
    let (server, copy) = (Uuid::now_v7(), Uuid::now_v7());
    let values = secrets
        .keep(
            server,
            Typed::Env,
            vec![
                typed("TOKEN", Some("geheim"), true),
                typed("REF", Some("${HOME}"), true),
                typed("EMPTY", Some(""), true),
                typed("PLAIN", Some("x"), false),
            ],
            &[],
        )
        .await
        .unwrap();
    let token = format!("{server}/env/TOKEN");
    let expected = [
        ("TOKEN", format!("${{secret:{token}}}")),
        ("REF", "${HOME}".to_owned()),
        ("EMPTY", String::new()),
        ("PLAIN", "x".to_owned()),
    ];
    assert_eq!(
        values,
        expected.map(|(name, value)| (name.to_owned(), value))
    );
    assert_eq!(
        vault.items.lock().clone(),
        BTreeMap::from([(token.clone(), "geheim".to_owned())])
    );

    let stays = secrets
        .keep(
            server,
            Typed::Env,
            vec![typed("TOKEN", None, true)],
            &values,
        )
        .await
        .unwrap();
    assert_eq!(stays[0], values[0]);
    let missing = secrets
        .keep(
            server,
            Typed::Env,
            vec![typed("OTHER", None, true)],
            &values,
        )
        .await;
    assert!(missing.is_err_and(|why| why.contains("OTHER")));

    let copied = secrets.copy(Typed::Env, &values, (server, copy)).await;
    let of_copy = format!("{copy}/env/TOKEN");
    assert_eq!(secret_name(&copied[0].1), Some(of_copy.as_str()));
    let gone = names(&stdio(&values[0].1));
    secrets.sweep(server, &gone, &[]).await;
    assert_eq!(
        vault.items.lock().keys().collect::<Vec<_>>(),
        [&of_copy],
        "the copy keeps its own"
    );
    let others = std::slice::from_ref(&of_copy);
    secrets.sweep(server, others, &[]).await;
    assert_eq!(
        vault.items.lock().len(),
        1,
        "another server's is left alone"
    );
    assert_eq!(secrets.look(&token).await, (Kept::Missing, None));
    assert_eq!(
        secrets.look(&of_copy).await,
        (Kept::Keychain, Some("geheim".to_owned()))
    );
}

#[tokio::test]
async fn a_locked_keychain_leaves_secrets_in_memory_and_never_serves_an_old_one() {
    let vault = FakeVault::default();
    let secrets = vault.secrets();
    assert_eq!(secrets.set("s/env/A", "old").await, "s/env/A");
    *vault.locked.lock() = true;
    let name = secrets.set("s/env/A", "new").await;
    assert_eq!(name, "memory/s/env/A");
    assert_eq!(
        secrets.look(&name).await,
        (Kept::Memory, Some("new".to_owned()))
    );
    assert_eq!(secrets.get(&name).await, Ok(Some("new".to_owned())));
    let restarted = vault.secrets();
    assert_eq!(restarted.look(&name).await, (Kept::Missing, None));
    assert_eq!(restarted.get(&name).await, Ok(None));
    assert_eq!(
        restarted.look("s/env/A").await,
        (Kept::Keychain, None),
        "it is there, and locked"
    );
    assert!(
        restarted
            .get("s/env/A")
            .await
            .is_err_and(|error| error.to_string().contains("locked"))
    );
    *vault.locked.lock() = false;
    assert_eq!(restarted.get("s/env/A").await, Ok(Some("old".to_owned())));
}

#[tokio::test]
async fn a_keychain_that_hangs_is_not_waited_for() {
    let vault: Arc<dyn Vault> = Arc::new(FakeVault::default());
    let (hold, held) = std::sync::mpsc::channel::<()>();
    let asked = bounded(Duration::from_millis(20), &vault, move |_| {
        // Until the test ends.
        let _ = held.recv();
        Ok(())
    });
    assert!(asked.await.is_err_and(|why| why.contains("did not answer")));
    drop(hold);
    let failed = bounded(Duration::from_secs(10), &vault, |_| -> Result<(), String> {
        panic!("as a library might")
    });
    assert!(failed.await.is_err());
}

#[test]
fn names_and_values_of_secrets_are_known_by_their_looks() {
    for (name, value, expected) in [
        ("GITHUB_TOKEN", "x", true),
        ("apiKey", "x", true),
        ("APIKEY", "x", true),
        ("x-api-key", "x", true),
        ("Authorization", "Bearer x", true),
        ("DB_PASSWORD", "x", true),
        ("OTHER", "sk-123", true),
        ("OTHER", "ghp_123", true),
        ("GITHUB_TOKEN", "${GITHUB_TOKEN}", false),
        ("GITHUB_TOKEN", "", false),
        ("KEYBOARD", "us", false),
        ("AUTHOR", "me", false),
        ("MONKEY", "x", false),
        ("PATH", "/bin", false),
        ("MODE", "skip", false),
    ] {
        assert_eq!(looks_secret(name, value), expected, "{name}={value}");
    }
}

#[tokio::test]
async fn s17_an_argument_may_refer_to_a_variable_of_the_server() {
    let secrets = MemorySecrets::default();
    secrets.set("token", "abc def-secret");
    let config = ServerConfig::Stdio {
        command: "run".to_owned(),
        args: ["--auth=${TOKEN_LINE}", "--dir", "${SET}/x"]
            .map(str::to_owned)
            .into(),
        env: [
            ("TOKEN_LINE", "Basic ${secret:token}"),
            ("SET", "own ${SET}"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into(),
        cwd: None,
    };
    let resolved = resolve(&config, environment, &secrets).await.unwrap();
    let ServerConfig::Stdio { args, .. } = resolved.values() else {
        panic!("stdio")
    };
    assert_eq!(
        args,
        &["--auth=Basic abc def-secret", "--dir", "own value of SET/x"],
        "one argument each, spaces kept"
    );
    let line = bytes::Bytes::from(args[0].clone().into_bytes());
    let (masked, _) = resolved.secrets().mask(&line);
    assert_eq!(masked, "--auth=Basic \u{2039}secret:token\u{203a}");
}

/// The secrets of a folder on a system without a keychain.
fn without(dir: &tempfile::TempDir) -> Secrets {
    Secrets::without_keychain(dir.path())
}

fn files(dir: &tempfile::TempDir) -> Vec<String> {
    let mut names: Vec<_> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_file_of_secrets_outlives_the_process_and_opens_with_its_passphrase_alone() {
    let dir = tempfile::tempdir().unwrap();
    let secrets = without(&dir);
    let before = secrets.set("s/env/A", "geheim-0815").await;
    assert_eq!(
        files(&dir),
        [""; 0],
        "nothing is written that was not chosen"
    );
    secrets.keep_in_file("correct horse").await.unwrap();
    let after = secrets.set("s/env/B", "geheim-4711").await;
    for (name, value) in [(&before, "geheim-0815"), (&after, "geheim-4711")] {
        let found = (Kept::File, Some(value.to_owned()));
        assert_eq!(secrets.look(name).await, found, "{name}");
    }
    assert_eq!(
        files(&dir),
        ["secrets.age", "secrets.key.age", "secrets.lock"]
    );
    for name in files(&dir) {
        let path = dir.path().join(name);
        let bytes = std::fs::read(&path).unwrap();
        assert!(
            !bytes
                .windows(6)
                .any(|part| part == b"geheim" || part == b"s/env/")
        );
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = path.metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{path:?}");
        }
    }

    let restarted = without(&dir);
    assert_eq!(restarted.file(), (true, true));
    assert_eq!(
        restarted.look(&before).await,
        (Kept::File, None),
        "it is there, and locked"
    );
    let locked = restarted.get(&before).await.unwrap_err();
    assert!(
        locked.to_string().contains("unlock it in Settings"),
        "{locked}"
    );
    let wrong = restarted.unlock("wrong horse").await;
    assert_eq!(wrong, Err(Unopened::WrongPassphrase));
    // What comes while it is locked is in memory, and moves into it.
    let late = restarted.set("s/env/C", "geheim-late").await;
    assert_eq!(
        restarted.get(&late).await,
        Ok(Some("geheim-late".to_owned()))
    );
    restarted.unlock("correct horse").await.unwrap();
    assert_eq!(
        restarted.get(&before).await,
        Ok(Some("geheim-0815".to_owned()))
    );
    assert_eq!(
        secrets.get(&late).await,
        Ok(Some("geheim-late".to_owned())),
        "the other process sees it"
    );
    restarted.delete(&after).await;
    let third = without(&dir);
    third.keep_in_file("correct horse").await.unwrap();
    assert_eq!(
        third.get(&after).await,
        Ok(None),
        "chosen again, it is opened"
    );
    assert_eq!(third.get(&late).await, Ok(Some("geheim-late".to_owned())));
    let refused = without(&dir).keep_in_file("another horse").await;
    assert_eq!(refused, Err(Unopened::WrongPassphrase));
}

#[tokio::test]
async fn memory_again_deletes_the_file_and_keeps_the_values_until_the_end() {
    let dir = tempfile::tempdir().unwrap();
    let secrets = without(&dir);
    secrets.keep_in_file("correct horse").await.unwrap();
    let name = secrets.set("s/env/A", "geheim-0815").await;
    secrets.keep_in_memory().await.unwrap();
    assert_eq!(files(&dir), ["secrets.lock"]);
    let found = (Kept::Memory, Some("geheim-0815".to_owned()));
    assert_eq!(secrets.look(&name).await, found);
    assert_eq!(without(&dir).look(&name).await, (Kept::Missing, None));
    // One whose passphrase is forgotten can be given up.
    secrets.keep_in_file("correct horse").await.unwrap();
    without(&dir).keep_in_memory().await.unwrap();
    assert_eq!(files(&dir), ["secrets.lock"]);
    assert!(
        Secrets::in_memory()
            .keep_in_file("correct horse")
            .await
            .is_err()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_lose_nothing_of_each_other() {
    let dir = tempfile::tempdir().unwrap();
    let both = [without(&dir), without(&dir)];
    for secrets in &both {
        secrets.keep_in_file("correct horse").await.unwrap();
    }
    let writes = (0..20).map(|number| {
        let secrets = both[number % 2].clone();
        async move {
            secrets
                .set(&format!("s/env/{number}"), &format!("value {number}"))
                .await
        }
    });
    let names = futures_util::future::join_all(writes).await;
    let third = without(&dir);
    third.unlock("correct horse").await.unwrap();
    for (number, name) in names.iter().enumerate() {
        assert_eq!(third.get(name).await, Ok(Some(format!("value {number}"))));
    }
}

#[tokio::test]
async fn a_keychain_that_works_again_takes_over() {
    let (dir, vault) = (tempfile::tempdir().unwrap(), FakeVault::default());
    let secrets = Secrets::with(Arc::new(vault.clone()), Some(dir.path()));
    *vault.locked.lock() = true;
    secrets.keep_in_file("correct horse").await.unwrap();
    let own = secrets.set("s/env/A", "old").await;
    assert_eq!(
        secrets.look(&own).await,
        (Kept::File, Some("old".to_owned()))
    );
    *vault.locked.lock() = false;
    assert_eq!(secrets.set("s/env/A", "new").await, "s/env/A");
    assert_eq!(secrets.get(&own).await, Ok(None), "no old one stays behind");
    assert_eq!(secrets.get("s/env/A").await, Ok(Some("new".to_owned())));
}

#[tokio::test]
async fn a_damaged_file_of_secrets_is_said_and_not_written_over() {
    let dir = tempfile::tempdir().unwrap();
    let secrets = without(&dir);
    secrets.keep_in_file("correct horse").await.unwrap();
    let name = secrets.set("s/env/A", "geheim-0815").await;
    let path = dir.path().join("secrets.age");
    std::fs::write(&path, b"age-encryption.org/v1\nnonsense").unwrap();
    let restarted = without(&dir);
    assert!(matches!(
        restarted.unlock("correct horse").await,
        Err(Unopened::Unusable(_))
    ));
    assert!(matches!(
        restarted.get(&name).await,
        Err(SecretError::Store { .. })
    ));
    restarted.set("s/env/B", "x").await;
    assert!(std::fs::read(&path).unwrap().ends_with(b"nonsense"));
}
