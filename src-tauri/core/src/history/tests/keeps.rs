//! Labels, the trash, retention, and the search over all sessions.

use super::*;
use crate::history::{Batch, HistoryError, Label, Limits, SessionQuery};

async fn label(fixture: &Fixture, id: SessionId) {
    for label in [
        Label::Name(" Nightly ".to_owned()),
        Label::Tags(vec![
            "a".to_owned(),
            " a".to_owned(),
            String::new(),
            "b".to_owned(),
        ]),
        Label::Pinned(true),
    ] {
        fixture.history.label(id, label).await.unwrap();
    }
}

#[tokio::test]
async fn labels_stand_in_the_file_whether_it_lives_or_has_ended() {
    for live in [true, false] {
        let fixture = Fixture::new().await;
        let id = fixture.recording.id;
        if live {
            label(&fixture, id).await;
            fixture.recording.finish().await.unwrap();
        } else {
            let Fixture {
                dir,
                history,
                recording,
                reader,
            } = fixture;
            recording.finish().await.unwrap();
            let other = history
                .record(new_session("other"), KnownSecrets::default())
                .await
                .unwrap();
            let ended = Fixture {
                dir,
                history,
                recording: other,
                reader,
            };
            label(&ended, id).await;
            check(ended.dir, id).await;
            continue;
        }
        check(fixture.dir, id).await;
    }

    /// What the file says, to a catalogue that knows nothing.
    async fn check(dir: TempDir, id: SessionId) {
        let elsewhere = TempDir::new().unwrap();
        let name = format!("{id}.framescope");
        let target = elsewhere.path().join("sessions");
        std::fs::create_dir_all(&target).unwrap();
        std::fs::copy(dir.path().join("sessions").join(&name), target.join(&name)).unwrap();
        let history = History::open(elsewhere.path()).await.unwrap();
        let session = history.session(id).await.unwrap();
        assert_eq!(
            (
                session.name.as_deref(),
                session.tags.as_slice(),
                session.pinned
            ),
            (Some("Nightly"), &["a".to_owned(), "b".to_owned()][..], true)
        );
    }
}

#[tokio::test]
async fn a_deleted_session_comes_back_whole_or_goes_for_good() {
    let Fixture {
        dir,
        history,
        recording,
        reader,
    } = Fixture::new().await;
    let id = recording.id;
    assert!(
        matches!(history.delete(id).await, Err(HistoryError::Alive(_))),
        "one that lives is not deleted"
    );
    recording
        .tap
        .frame(C2S, Bytes::from_static(b"{}"), Carriage::default())
        .await
        .unwrap();
    recording.finish().await.unwrap();
    let mut changes = history.changes();
    changes.mark_unchanged();
    history.delete(id).await.unwrap();
    assert!(changes.has_changed().unwrap());
    assert!(history.session(id).await.is_err());
    assert!(history.list("", 9).await.unwrap().sessions.is_empty());
    assert!(
        reader.row(Seq(1)).await.is_err(),
        "an open reader has lost it"
    );
    history.purge().unwrap();
    history.restore(id).await.unwrap();
    assert_eq!(history.session(id).await.unwrap().number, 1);
    let reader = history.reader(id).await.unwrap();
    assert_eq!(reader.head().await.unwrap(), Seq(1));
    assert!(
        history.restore(id).await.is_err(),
        "it is not in the trash any more"
    );

    history.delete(id).await.unwrap();
    let trash = dir.path().join("sessions").join(".trash");
    let old = trash.join(format!("{id}.{}.framescope", 1_000_000));
    let item = std::fs::read_dir(&trash)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    std::fs::rename(item, &old).unwrap();
    history.purge().unwrap();
    assert!(!old.exists(), "it was there for more than seven days");
    let next = history
        .record(new_session("weather"), KnownSecrets::default())
        .await
        .unwrap();
    let number = history.session(next.id).await.unwrap().number;
    assert_eq!(number, 2, "a number is never used again");
}

#[tokio::test]
async fn retention_takes_the_oldest_and_leaves_pinned_and_live_ones() {
    let dir = TempDir::new().unwrap();
    let history = History::open(dir.path()).await.unwrap();
    let mut ids = Vec::new();
    for _ in 0..4 {
        let recording = history
            .record(new_session("weather"), KnownSecrets::default())
            .await
            .unwrap();
        ids.push(recording.id);
        recording.finish().await.unwrap();
    }
    history.label(ids[0], Label::Pinned(true)).await.unwrap();
    let live = history
        .record(new_session("weather"), KnownSecrets::default())
        .await
        .unwrap();
    assert_eq!(history.retain(Limits::default()).await.unwrap(), []);
    let far = Limits {
        days: Some(1),
        bytes: Some(u64::MAX),
    };
    assert_eq!(
        history.retain(far).await.unwrap(),
        [],
        "nothing is old or large"
    );
    let size = std::fs::metadata(
        dir.path()
            .join("sessions")
            .join(format!("{}.framescope", ids[1])),
    )
    .unwrap()
    .len();
    let all = history.disk().sessions;
    assert!(all > 4 * size, "{all}");
    let little = Limits {
        days: None,
        bytes: Some(all - size),
    };
    assert_eq!(
        history.retain(little).await.unwrap(),
        [ids[1]],
        "as many as it takes, oldest first"
    );
    let none = Limits {
        days: None,
        bytes: Some(0),
    };
    assert_eq!(history.retain(none).await.unwrap(), [ids[2], ids[3]]);
    let left: Vec<_> = history
        .sessions(&SessionQuery::default())
        .await
        .unwrap()
        .into_iter()
        .map(|s| s.id)
        .collect();
    assert_eq!(left, [live.id, ids[0]]);
    history.restore(ids[3]).await.unwrap();
    assert_eq!(history.list("", 9).await.unwrap().kept, 3);
}

pub(super) async fn found(history: &History, query: &str) -> (Vec<(SessionId, u64)>, Batch) {
    let mut search = history.search(query).await.unwrap();
    let mut hits = Vec::new();
    while let Some(batch) = search.next().await {
        assert!(
            batch
                .hits
                .windows(2)
                .all(|pair| pair[0].session == pair[1].session)
        );
        hits.extend(batch.hits.iter().map(|hit| (hit.session, hit.row.seq.0)));
        if batch.done {
            return (hits, batch);
        }
    }
    panic!("a search says that it has ended");
}

#[tokio::test]
async fn a_search_goes_through_all_sessions_newest_first() {
    let first = Fixture::new().await;
    first
        .frame(
            C2S,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Needle"}}"#,
        )
        .await;
    first
        .frame(
            S2C,
            r#"{"jsonrpc":"2.0","id":1,"result":{"text":"gr\u00f6\u00dfe"}}"#,
        )
        .await;
    first.frame(S2C, "no JSON, needle 100%").await;
    first.stored().await;
    let old = first.recording.id;
    let history = first.history;
    first.recording.finish().await.unwrap();
    let second = history
        .record(new_session("git"), KnownSecrets::default())
        .await
        .unwrap();
    let long = format!(
        r#"{{"jsonrpc":"2.0","method":"x","params":["{}","{}needle"]}}"#,
        "y".repeat(5 << 20),
        "é".repeat(900)
    );
    second
        .tap
        .frame(S2C, Bytes::from(long), Carriage::default())
        .await
        .unwrap();
    let new = second.id;
    let reader = history.reader(new).await.unwrap();
    reach(&reader, Seq(1)).await;
    for (query, expected) in [
        ("NEEDLE", vec![(new, 1), (old, 1), (old, 3)]),
        ("needle kind:request", vec![(old, 1)]),
        ("needle server:weather", vec![(old, 1), (old, 3)]),
        ("needle -100%", vec![(new, 1), (old, 1)]),
        ("größe", vec![(old, 2)]),
        ("weather", vec![]),
        ("kind:malformed", vec![(old, 3)]),
        ("", vec![]),
    ] {
        let (hits, last) = found(&history, query).await;
        assert_eq!(hits, expected, "{query}");
        assert!(
            last.problems.is_empty() && !last.limited,
            "{query}: {last:?}"
        );
        assert_eq!(last.sessions, last.of_sessions, "{query}");
    }
    let mut once = history.search("needle").await.unwrap().once();
    let mut sessions = Vec::new();
    while let Some(batch) = once.next().await {
        sessions.extend(batch.hits.iter().map(|hit| hit.session));
    }
    assert_eq!(sessions, [new, old], "each session once");
    let mut search = history.search("needle").await.unwrap();
    let hit = search.next().await.unwrap().hits.remove(0);
    assert!(
        hit.text.contains("needle") && hit.text.chars().count() <= 200,
        "{}",
        hit.text
    );
    assert!(matches!(
        history.search("kind:x").await,
        Err(HistoryError::Filter(_))
    ));
}

#[tokio::test]
async fn a_search_ends_at_its_limit_and_passes_over_what_it_cannot_read() {
    let fixture = Fixture::new().await;
    for n in 0..2100 {
        fixture
            .frame(
                S2C,
                &format!(r#"{{"jsonrpc":"2.0","method":"n","params":{n}}}"#),
            )
            .await;
    }
    fixture.stored().await;
    let (hits, last) = found(&fixture.history, "kind:notification").await;
    assert_eq!((hits.len(), last.limited), (2000, true));
    let id = fixture.recording.id;
    fixture.recording.finish().await.unwrap();
    drop(fixture.reader);
    let file = fixture
        .dir
        .path()
        .join("sessions")
        .join(format!("{id}.framescope"));
    std::fs::write(file, "no session").unwrap();
    let history = History::open(fixture.dir.path()).await.unwrap();
    let (hits, last) = found(&history, "kind:notification").await;
    assert_eq!((hits.len(), last.sessions), (0, 1));
    assert_eq!(last.problems.len(), 1, "{last:?}");
}
