use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use uuid::Uuid;

use super::keychain::{Vault, bounded};
use super::{
    Kept, MemorySecrets, Part, SecretError, SecretStore as _, Secrets, Typed, TypedValue,
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
