//! The full-text index: a search with it finds what one without it finds.

use bytes::Bytes;

use super::keeps::found;
use super::{Fixture, S2C, new_session};
use crate::history::{History, SessionReader};
use crate::record::{Carriage, KnownSecrets, SessionId};

const CAP: u64 = 1 << 30;

/// Texts that are awkward for an index, spread over many records.
const TEXTS: [&str; 9] = [
    r#"{"jsonrpc":"2.0","method":"a","params":"Needle one"}"#,
    r#"{"jsonrpc":"2.0","method":"b","params":"gr\u00f6\u00dfe \"quoted\""}"#,
    r#"{"jsonrpc":"2.0","method":"c","params":"größe GRÖSSE"}"#,
    "no JSON \0 after a zero, needle 100%",
    "",
    r#"{"jsonrpc":"2.0","id":7,"result":{"x":"C:\\dir"}}"#,
    "İstanbul ſ K \u{1f600}\u{1f600}\u{1f600}",
    "tab\tand   spaces",
    "*  AND OR NOT near(\"x\")",
];

const QUERIES: [&str; 22] = [
    "needle",
    "NEEDLE one",
    "größe",
    "grösse",
    "GRÖSSE",
    r#""\"quoted\"""#,
    "zero",
    "after",
    "100%",
    r"C:\dir",
    "istanbul",
    "😀😀😀",
    "😀",
    "\"near(\"",
    "and",
    "\"*  AND\"",
    "   spaces",
    "\"   spaces\"",
    "needle -100%",
    "needle kind:malformed",
    "farthest",
    "nowhere",
];

/// A session of 500 records: mostly filler, some of the texts, one body that is too long for the index.
async fn fill(history: &History) -> SessionReader {
    let recording = history
        .record(new_session("filled"), KnownSecrets::default())
        .await
        .unwrap();
    let long = format!("{} farthest", "y".repeat(300 << 10));
    for n in 0..500_usize {
        let frame = match n {
            100 => Bytes::from(long.clone()),
            _ if n % 50 == 3 => Bytes::from_static(TEXTS[n / 50 % TEXTS.len()].as_bytes()),
            _ => Bytes::from(format!(
                r#"{{"jsonrpc":"2.0","method":"filler","params":{n}}}"#
            )),
        };
        let at = Carriage::default();
        recording.tap.frame(S2C, frame, at).await.unwrap();
    }
    let reader = history.reader(recording.id).await.unwrap();
    recording.finish().await.unwrap();
    reader
}

async fn answers(history: &History) -> Vec<Vec<(SessionId, u64)>> {
    let mut all = Vec::new();
    for query in QUERIES {
        all.push(found(history, query).await.0);
    }
    all
}

#[tokio::test]
async fn an_index_changes_no_answer() {
    let fixture = Fixture::new().await;
    let history = fixture.history.clone();
    for _ in 0..3 {
        fill(&history).await;
    }
    // A session that goes on is indexed as far as its blocks are full.
    for n in 0..200 {
        fixture.frame(S2C, &format!("live needle {n}")).await;
    }
    fixture.stored().await;
    let without = answers(&history).await;
    assert!(without.iter().filter(|hits| !hits.is_empty()).count() > 15);
    history.index_once(CAP).await.unwrap();
    fixture.frame(S2C, "one more needle").await;
    fixture.stored().await;
    let with = answers(&history).await;
    for (query, (with, without)) in QUERIES.iter().zip(with.iter().zip(&without)) {
        let grown = [(fixture.recording.id, 201)];
        let more: Vec<_> = with.iter().filter(|hit| !without.contains(hit)).collect();
        assert!(
            more.iter().all(|hit| grown.contains(hit)),
            "{query}: with the index also {more:?}"
        );
        assert!(
            without.iter().all(|hit| with.contains(hit)),
            "{query}: not found with the index"
        );
    }
}

#[tokio::test]
async fn few_records_are_looked_at_for_what_is_rare() {
    let fixture = Fixture::new().await;
    let reader = fill(&fixture.history).await;
    fixture.history.index_once(CAP).await.unwrap();
    let path = fixture.dir.path();
    // Record 101 has the long body, which is always looked at; records 4 and 454 hold the text. What stands nearer than a
    // read is worth is looked at together.
    for (expression, expected) in [
        (r#"("qzq")"#, vec![(101, 101), (501, u64::MAX)]),
        (
            r#"("nee" AND "eed" AND "one")"#,
            vec![(1, 101), (449, u64::MAX)],
        ),
        (r#"("fil")"#, vec![(1, u64::MAX)]),
    ] {
        let ranges = crate::history::search::candidates(path, reader.id(), expression)
            .await
            .unwrap();
        assert_eq!(ranges, expected, "{expression}");
    }
}

#[tokio::test]
async fn an_index_that_is_lost_or_broken_is_made_again() {
    let fixture = Fixture::new().await;
    let history = fixture.history.clone();
    fill(&history).await;
    let without = answers(&history).await;
    let file = fixture.dir.path().join("search.db");
    for broken in [None, Some("no database"), Some("")] {
        history.index_once(CAP).await.unwrap();
        assert_eq!(answers(&history).await, without);
        for end in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(fixture.dir.path().join(format!("search.db{end}")));
        }
        match broken {
            None => std::fs::remove_file(&file).unwrap(),
            Some(text) => std::fs::write(&file, text).unwrap(),
        }
        assert_eq!(
            answers(&history).await,
            without,
            "{broken:?}: before it is made again"
        );
        if broken == Some("no database") {
            history.index_once(CAP).await.unwrap_err();
            std::fs::remove_file(&file).unwrap();
        }
    }
}

#[tokio::test]
async fn a_deleted_session_is_not_in_the_index_any_more() {
    let fixture = Fixture::new().await;
    let history = fixture.history.clone();
    let gone = fill(&history).await.id();
    let kept = fill(&history).await.id();
    history.index_once(CAP).await.unwrap();
    history.delete(gone).await.unwrap();
    history.index_once(CAP).await.unwrap();
    let all = crate::history::search::indexed(fixture.dir.path()).await;
    assert!(!all.contains(&gone.to_string()), "{all:?}");
    assert!(all.contains(&kept.to_string()), "indexed again: {all:?}");
}

#[tokio::test]
async fn a_full_index_keeps_the_newest_sessions_and_every_answer() {
    let fixture = Fixture::new().await;
    let history = fixture.history.clone();
    for _ in 0..3 {
        fill(&history).await;
    }
    let without = answers(&history).await;
    // No room for anything: all is looked at, as before.
    history.index_once(1).await.unwrap();
    assert_eq!(answers(&history).await, without);
    let all = crate::history::search::indexed(fixture.dir.path()).await;
    assert!(all.len() <= 1, "{all:?}");
}

#[tokio::test]
async fn the_app_indexes_by_itself() {
    let fixture = Fixture::new().await;
    let reader = fill(&fixture.history).await;
    fixture.history.keep_index();
    let path = fixture.dir.path().to_owned();
    let id = reader.id();
    let indexed = async move {
        let gap = |ranges: &[(u64, u64)]| ranges.last().is_some_and(|range| range.0 > 400);
        loop {
            let ranges = crate::history::search::candidates(&path, id, r#"("zzz")"#).await;
            if ranges.is_some_and(|ranges| gap(&ranges)) {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), indexed)
        .await
        .expect("indexed in time");
}
