use std::collections::BTreeMap;

use super::{MemorySecrets, Part, SecretError, parts, resolve};
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
