//! Captures and session files, out and in.

use super::*;
use crate::history::{HistoryError, Sealed, SessionQuery, SessionState, SessionSummary};
use crate::record::redact::{RedactRules, Redactor};

async fn export(history: &History, id: SessionId) -> Vec<u8> {
    let mut out = Vec::new();
    history.export(id, &mut out).await.unwrap();
    out
}

async fn import(history: &History, bytes: &[u8]) -> Result<SessionId, HistoryError> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    history.import(file.path()).await
}

async fn elsewhere() -> (TempDir, History) {
    let dir = TempDir::new().unwrap();
    let history = History::open(dir.path()).await.unwrap();
    (dir, history)
}

/// A session that ended, with much that is hard to keep.
async fn ended() -> (TempDir, History, SessionId) {
    let fixture = Fixture::new().await;
    fixture.frame(C2S, r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"n":9007199254740993,"a":1.0,"a":2}}"#).await;
    fixture.bytes(S2C, b"\xff\xfe no UTF-8 \0\r").await;
    fixture.frame(S2C, "").await;
    fixture
        .frame(
            S2C,
            r#"{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[]}}"#,
        )
        .await;
    let mut tap = fixture.recording.tap.begin(S2C, Carriage::default());
    for part in ["{\"big\":", "true", "}"] {
        tap.part(Bytes::from_static(part.as_bytes())).await.unwrap();
    }
    tap.finish().await.unwrap();
    fixture
        .event(
            Event::Stderr {
                line: "tail".into(),
                unterminated: true,
            },
            None,
        )
        .await;
    fixture.note(Note::TimedOut { after_ms: 3 }, Seq(1)).await;
    fixture.event(closed(1), None).await;
    fixture.recording.finish().await.unwrap();
    let id = fixture.reader.id();
    (fixture.dir, fixture.history, id)
}

#[tokio::test]
async fn export_import_export_is_the_same_to_the_byte() {
    let (_dir, history, id) = ended().await;
    let first = export(&history, id).await;
    assert!(
        String::from_utf8_lossy(&first).contains(r#"\"n\":9007199254740993,\"a\":1.0,\"a\":2"#)
    );
    let (_elsewhere, other) = elsewhere().await;
    assert_eq!(
        import(&other, &first).await.unwrap(),
        id,
        "the id is free there"
    );
    assert_eq!(
        String::from_utf8(export(&other, id).await),
        String::from_utf8(first.clone())
    );

    let before = history.reader(id).await.unwrap();
    let after = other.reader(id).await.unwrap();
    let seqs: Vec<_> = (1..=8).map(Seq).collect();
    let (before, after) = (
        before.rows(&seqs).await.unwrap(),
        after.rows(&seqs).await.unwrap(),
    );
    for (before, after) in before.into_iter().zip(after) {
        // Only the tap stores a small body in parts.
        let whole = after.whole.clone().filter(|_| after.seq != Seq(5));
        assert_eq!(
            before,
            Row { whole, ..after },
            "everything that is derived is derived again"
        );
    }
    let summary = other.session(id).await.unwrap();
    assert_eq!(
        (summary.origin, summary.state),
        (Origin::Import, SessionState::Ended)
    );
    assert_eq!(
        SessionSummary {
            origin: Origin::App,
            ..summary
        },
        history.session(id).await.unwrap(),
        "all but its origin"
    );

    let again = import(&other, &first).await.unwrap();
    assert_ne!(again, id, "present already");
    let listed = other.sessions(&SessionQuery::default()).await.unwrap();
    assert_eq!(listed.iter().map(|session| session.number).max(), Some(2));
}

#[tokio::test]
async fn large_bodies_come_in_parts() {
    let (_dir, history) = elsewhere().await;
    let big = "x".repeat((4 << 20) + 5);
    let id = SessionId(Uuid::now_v7());
    let header =
        format!(r#"{{"format":1,"session":"{id}","origin":"cli","server":"s","started_us":5}}"#);
    let line = format!(
        r#"{{"seq":1,"at_us":7,"conn":0,"event":"frame","direction":"s2c","body":"{big}"}}"#
    );
    import(&history, format!("{header}\n{line}\n").as_bytes())
        .await
        .unwrap();
    let reader = history.reader(id).await.unwrap();
    assert_eq!(
        reader.row(Seq(1)).await.unwrap().unwrap().size,
        big.len() as u64
    );
    assert_eq!(reader.body(Seq(1)).await.unwrap().len(), big.len());
    assert_eq!(
        reader.body_range(Seq(1), (4 << 20) - 1, 3).await.unwrap(),
        "xxx"
    );
    assert_eq!(
        reader.records(Seq(1), 9).await.unwrap()[0].body.len(),
        big.len()
    );
    let summary = history.session(id).await.unwrap();
    assert_eq!(
        (summary.state, summary.ended_us),
        (SessionState::OwnerGone, Some(7)),
        "nobody saw its end"
    );
}

#[tokio::test]
async fn numbers_with_holes_are_kept() {
    let (dir, history) = elsewhere().await;
    let id = SessionId(Uuid::now_v7());
    let header = format!(
        r#"{{"format":1,"session":"{id}","origin":"cli","server":"s","name":"n","started_us":5,"ended_us":9,"tags":["a"]}}"#
    );
    let line = |seq| format!(r#"{{"seq":{seq},"at_us":7,"conn":0,"event":"stderr","body":"x"}}"#);
    let capture = format!("{header}\n{}\n{}\n", line(3), line(8));
    import(&history, capture.as_bytes()).await.unwrap();
    let reader = history.reader(id).await.unwrap();
    let view = reader.view("").await.unwrap();
    assert_eq!(view.seqs(0, 9), [Seq(3), Seq(8)]);
    assert_eq!(seqs(&reader.rows(&view.seqs(0, 9)).await.unwrap()), [3, 8]);
    assert_eq!(export(&history, id).await, capture.as_bytes());

    let query = SessionQuery {
        search: "tag:a n".to_owned(),
        ..SessionQuery::default()
    };
    assert_eq!(history.sessions(&query).await.unwrap().len(), 1);
    std::fs::remove_file(dir.path().join(format!("sessions/{id}.framescope"))).unwrap();
    assert!(history.sessions(&query).await.unwrap().is_empty());
    assert_eq!(
        import(&history, capture.as_bytes()).await.unwrap(),
        id,
        "free again"
    );
}

#[tokio::test]
async fn session_files_come_in_live_or_ended() {
    let (dir, history, id) = ended().await;
    let live = history
        .record(new_session("live"), KnownSecrets::default())
        .await
        .unwrap();
    live.tap
        .frame(C2S, Bytes::from_static(b"hello"), Carriage::default())
        .await
        .unwrap();
    reach(&history.reader(live.id).await.unwrap(), Seq(1)).await;
    let file = |id| dir.path().join(format!("sessions/{id}.framescope"));

    let (_elsewhere, other) = elsewhere().await;
    assert_eq!(other.import(&file(id)).await.unwrap(), id);
    assert_eq!(export(&other, id).await, export(&history, id).await);
    assert_eq!(other.import(&file(live.id)).await.unwrap(), live.id);
    let copied = other.session(live.id).await.unwrap();
    assert_eq!((copied.state, copied.records), (SessionState::OwnerGone, 1));
    assert_eq!(
        other
            .reader(live.id)
            .await
            .unwrap()
            .body(Seq(1))
            .await
            .unwrap(),
        "hello"
    );

    let again = history.import(&file(id)).await.unwrap();
    assert_ne!(again, id);
    assert_eq!(history.session(again).await.unwrap().records, 8);
    live.finish().await.unwrap();
}

#[tokio::test]
async fn what_cannot_be_imported_leaves_nothing_behind() {
    let (dir, history) = elsewhere().await;
    let id = SessionId(Uuid::now_v7());
    let header =
        format!(r#"{{"format":1,"session":"{id}","origin":"cli","server":"s","started_us":5}}"#);
    let good = r#"{"seq":1,"at_us":7,"conn":0,"event":"frame","direction":"s2c","body":"x"}"#;
    let cases = [
        (String::new(), 1),
        ("{}".to_owned(), 1),
        (header.replace("\"format\":1", "\"format\":99"), 1),
        (format!("{header}\n{good}\n{{\"seq\":2"), 3),
        (format!("{header}\n{good}\n{good}\n"), 3),
    ];
    for (text, at) in cases {
        let error = import(&history, text.as_bytes()).await.expect_err(&text);
        assert!(
            matches!(&error, HistoryError::Capture { line, .. } if *line == at),
            "{text}: {error}"
        );
    }
    let mut not_ours = b"SQLite format 3\0".to_vec();
    not_ours.resize(4096, 0);
    let error = import(&history, &not_ours)
        .await
        .expect_err("no session file");
    assert!(matches!(error, HistoryError::NotASession { .. }), "{error}");
    assert!(
        history
            .sessions(&SessionQuery::default())
            .await
            .unwrap()
            .is_empty()
    );
    let left = std::fs::read_dir(dir.path().join("sessions"))
        .unwrap()
        .count();
    assert_eq!(left, 0);
}

/// The export, encrypted.
async fn sealed(history: &History, id: SessionId, passphrase: &str) -> Vec<u8> {
    let mut out = Sealed::new(Vec::new(), passphrase).unwrap();
    history.export(id, &mut out).await.unwrap();
    out.finish().unwrap()
}

#[tokio::test]
async fn an_encrypted_export_opens_with_its_passphrase_alone() {
    let (_dir, history, id) = ended().await;
    let plain = export(&history, id).await;
    let bytes = sealed(&history, id, "correct horse").await;
    for word in ["tools/call", "9007199254740993", "correct horse"] {
        let found = bytes
            .windows(word.len())
            .any(|part| part == word.as_bytes());
        assert!(!found, "{word} can be read");
    }
    let (dir, other) = elsewhere().await;
    let path = dir.path().join("x.jsonl.age");
    std::fs::write(&path, &bytes).unwrap();
    let refused = other.import(&path).await.unwrap_err();
    assert!(
        matches!(refused, HistoryError::NeedsPassphrase { .. }),
        "{refused}"
    );
    let wrong = other.import_sealed(&path, "wrong horse").await.unwrap_err();
    assert!(
        matches!(wrong, HistoryError::WrongPassphrase { .. }),
        "{wrong}"
    );
    let taken = other.import_sealed(&path, "correct horse").await.unwrap();
    assert_eq!(export(&other, taken).await, plain);
    // A plain file needs none.
    std::fs::write(&path, &plain).unwrap();
    other.import_sealed(&path, "any").await.unwrap();
}

#[tokio::test]
async fn an_encrypted_file_that_was_changed_or_cut_leaves_nothing_behind() {
    let (_dir, history, id) = ended().await;
    let bytes = sealed(&history, id, "correct horse").await;
    let (dir, other) = elsewhere().await;
    let path = dir.path().join("x.jsonl.age");
    let mut flipped = bytes.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let costly = String::from_utf8_lossy(&bytes[..200]).contains(" 12\n");
    assert!(costly, "a debug build works little");
    let costly = {
        let at = bytes.windows(4).position(|part| part == b" 12\n").unwrap();
        [&bytes[..at], b" 40\n", &bytes[at + 4..]].concat()
    };
    for bad in [
        &bytes[..bytes.len() - 1],
        &bytes[..300],
        &bytes[..40],
        &flipped,
        &costly,
    ] {
        std::fs::write(&path, bad).unwrap();
        let error = other
            .import_sealed(&path, "correct horse")
            .await
            .unwrap_err();
        assert!(
            !matches!(error, HistoryError::WrongPassphrase { .. }),
            "{error}"
        );
    }
    assert!(
        other
            .sessions(&SessionQuery::default())
            .await
            .unwrap()
            .is_empty()
    );
}

#[tokio::test]
async fn a_redacted_export_lacks_what_the_preview_says_and_nothing_else() {
    let (_dir, history, id) = ended().await;
    let rules = RedactRules {
        keys: vec!["n".into(), "unused".into()],
        values: vec!["ta.l".into()],
        ..RedactRules::default()
    };
    let redactor = Redactor::of_all(&rules).unwrap();
    let preview = history.preview_export(id, &redactor, 10).await.unwrap();
    assert_eq!((preview.records, preview.changed), (8, 2));
    assert_eq!(preview.hits, [1, 0, 1]);
    let places: Vec<_> = preview
        .places
        .iter()
        .map(|(seq, hit)| (seq.unwrap().0, hit.place.as_str()))
        .collect();
    assert_eq!(places, [(1, "$.params.n"), (6, "stderr")]);
    let mut out = Vec::new();
    history
        .export_redacted(id, &redactor, &mut out)
        .await
        .unwrap();
    let (out, plain) = (String::from_utf8(out).unwrap(), export(&history, id).await);
    let expected = String::from_utf8(plain)
        .unwrap()
        .replace("9007199254740993", r#"\"‹redacted›\""#)
        .replace("\"tail\"", "\"‹redacted›\"");
    assert_eq!(out, expected);
    let (_elsewhere, other) = elsewhere().await;
    import(&other, out.as_bytes()).await.unwrap();
}
