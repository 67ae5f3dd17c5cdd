//! Known secrets do not reach the log, and everything else does.

use bytes::Bytes;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::record::KnownSecrets;

fn secrets() -> KnownSecrets {
    let values = [
        ("KEY", "s3cr3t/ké+y\"!"),
        ("LONG", "s3cr3t/ké+y\"! and more"),
        ("SHORT", "1234567"),
        ("ODD\"NAME", "hunter2hunter2"),
    ];
    KnownSecrets::new(
        values
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into(),
    )
}

#[track_caller]
fn check(text: &str, expected: &str, names: &[&str]) {
    let (masked, redactions) = secrets().mask(&Bytes::copy_from_slice(text.as_bytes()));
    assert_eq!(std::str::from_utf8(&masked).unwrap(), expected);
    assert_eq!(
        redactions
            .iter()
            .map(|r| r.name.as_str())
            .collect::<Vec<_>>(),
        names,
        "{text}"
    );
    for redaction in redactions {
        let at = usize::try_from(redaction.offset).unwrap();
        assert!(
            masked[at..].starts_with("‹secret:".as_bytes()),
            "{redaction:?} points at its placeholder"
        );
    }
}

#[test]
fn every_encoding_is_found() {
    for encoded in [
        "s3cr3t/ké+y\"!",
        r#"s3cr3t/ké+y\"!"#,
        r#"s3cr3t/k\u00e9+y\"!"#,
        r#"s3cr3t\/k\u00e9+y\"!"#,
        "s3cr3t%2Fk%C3%A9%2By%22!",
        "s3cr3t%2Fk%C3%A9%2By%22%21",
        "s3cr3t/k%C3%A9+y%22!",
    ] {
        check(&format!("a {encoded} b"), "a ‹secret:KEY› b", &["KEY"]);
    }
}

#[test]
fn basic_authorization_is_found_at_any_alignment() {
    use base64::Engine as _;
    for user in ["", "u", "us", "use", "user"] {
        for after in ["", "x", "xy"] {
            let plain = format!("{user}:hunter2hunter2{after}");
            let encoded = base64::engine::general_purpose::STANDARD.encode(plain);
            let (masked, redactions) = secrets().mask(&Bytes::from(encoded.clone()));
            assert_eq!(redactions.len(), 1, "{encoded}");
            assert!(
                masked.len() - "‹secret:ODD_NAME›".len() <= encoded.len() - 16,
                "most of it is gone: {masked:?}"
            );
        }
    }
}

#[test]
fn nothing_else_changes() {
    check(
        "nothing here, s3cr3t and 1234567 neither",
        "nothing here, s3cr3t and 1234567 neither",
        &[],
    );
    check("", "", &[]);
    let bytes = Bytes::from_static(b"\xff s3cr3t");
    let (masked, _) = secrets().mask(&bytes);
    assert_eq!(masked.as_ptr(), bytes.as_ptr(), "not copied");
    assert_eq!(KnownSecrets::default().mask(&bytes).0, bytes);
}

#[test]
fn the_longer_secret_wins_and_names_cannot_break_json() {
    check(
        r#"{"a":"s3cr3t/ké+y\"! and more"}"#,
        r#"{"a":"‹secret:LONG›"}"#,
        &["LONG"],
    );
    check(
        "hunter2hunter2hunter2hunter2",
        "‹secret:ODD_NAME›‹secret:ODD_NAME›",
        &["ODD\"NAME", "ODD\"NAME"],
    );
}

#[test]
fn values_are_not_in_debug_output() {
    assert_eq!(
        format!("{:?}", secrets()),
        r#"["KEY", "LONG", "ODD\"NAME"]"#
    );
}

proptest! {
    /// Small alphabet and overlapping secrets, so that hits and near misses at the cuts are common.
    #[test]
    fn parts_are_masked_like_the_whole(parts in vec(vec(prop_oneof![Just(b'a'), Just(b'b'), Just(b'\xff')], 0..30), 0..10)) {
        let values = [("A", "aabaabaab"), ("B", "abaabaabaaba")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        let secrets = KnownSecrets::new(values.into());
        let mut masker = secrets.masker();
        let mut masked: Vec<u8> = Vec::new();
        for part in &parts {
            masked.extend(masker.push(Bytes::copy_from_slice(part)));
        }
        masked.extend(masker.finish());
        let (whole, redactions) = secrets.mask(&parts.concat().into());
        prop_assert_eq!(&masked[..], &whole[..]);
        prop_assert_eq!(&masker.redactions, &redactions);
    }
}

#[test]
fn a_short_secret_is_masked_in_what_was_typed_and_there_alone() {
    let secrets = KnownSecrets::new(vec![
        ("PIN".to_owned(), "1234".to_owned()),
        ("LONGER".to_owned(), "12345".to_owned()),
        ("NONE".to_owned(), String::new()),
    ]);
    let mut typed = "--pin=1234 --more=12345".to_owned();
    secrets.mask_typed(&mut typed);
    assert_eq!(typed, "--pin=‹secret:PIN› --more=‹secret:LONGER›");
    let sent = Bytes::from_static(b"1234 and 12345");
    assert_eq!(secrets.mask(&sent).0, sent);
}
