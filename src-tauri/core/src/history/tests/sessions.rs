//! Lists, ends and finds sessions.

use super::*;
use crate::history::{HistoryError, SessionQuery, SessionState, SessionSummary};
use crate::record::Opened;

#[tokio::test]
async fn a_session_that_ended_is_one_file_and_says_how() {
    let fixture = Fixture::new().await;
    let id = fixture.recording.id;
    fixture
        .event(
            Event::Opened(Opened::Http {
                url: "http://x".to_owned(),
            }),
            None,
        )
        .await;
    let negotiated = r#"{"note":"negotiated","era":"legacy","revision":"2025-11-25","server":{"name":"w","version":"1.2"}}"#;
    fixture
        .event(Event::Note(serde_json::from_str(negotiated).unwrap()), None)
        .await;
    fixture
        .frame(C2S, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#)
        .await;
    fixture
        .frame(
            S2C,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}"#,
        )
        .await;
    fixture.event(closed(3), None).await;
    fixture.stored().await;
    let live = fixture.history.session(id).await.unwrap();
    assert_eq!(
        (live.state, live.records, live.ended_us),
        (SessionState::Live, 5, None)
    );
    fixture.recording.finish().await.unwrap();

    let summary = fixture.history.session(id).await.unwrap();
    let SessionSummary {
        records,
        frames,
        errors,
        crashed,
        number,
        ..
    } = summary;
    assert_eq!(
        (records, frames, errors, crashed, number),
        (5, 2, 2, true, 1)
    );
    assert_eq!(summary.state, SessionState::Ended);
    assert_eq!(summary.outcome.as_deref(), Some("exit 3"));
    assert_eq!(summary.peer.as_deref(), Some("w 1.2"));
    assert_eq!(
        (summary.era.as_deref(), summary.revision.as_deref()),
        (Some("legacy"), Some("2025-11-25"))
    );
    assert_eq!(summary.config, new_session("").config);
    assert!(summary.ended_us >= Some(summary.started_us));
    assert_eq!(fixture.reader.summary().await.unwrap(), summary);
    let files: Vec<_> = std::fs::read_dir(fixture.dir.path().join("sessions"))
        .unwrap()
        .collect();
    assert_eq!(files.len(), 1, "neither lock nor journal: {files:?}");
    assert!(
        fixture.reader.follow().has_changed().is_err(),
        "no more will come"
    );
    assert_eq!(fixture.reader.rows(&[Seq(1)]).await.unwrap().len(), 1);
}

#[tokio::test]
async fn words_find_sessions() {
    let fixture = Fixture::new().await;
    let first = fixture.recording.id;
    let second = fixture
        .history
        .record(new_session("weather"), KnownSecrets::default())
        .await
        .unwrap();
    let resolve = async |word: &str| fixture.history.resolve(word).await;
    assert_eq!(resolve("last").await.unwrap(), second.id);
    for id in [first, second.id] {
        let text = id.to_string();
        assert_eq!(resolve(&text).await.unwrap(), id);
        assert_eq!(resolve(&text[..35].to_uppercase()).await.unwrap(), id);
    }
    let shared = &first.to_string()[..6];
    let error = resolve(shared).await.expect_err("both begin so");
    let HistoryError::Ambiguous { ids, .. } = &error else {
        panic!("{error}")
    };
    assert_eq!(ids, &[second.id, first]);
    assert!(error.to_string().contains(&first.to_string()), "{error}");
    for word in ["", "nothing", "%", "00000000-0000-0000-0000-000000000000"] {
        let error = resolve(word).await.expect_err(word);
        assert!(matches!(error, HistoryError::NoSession { .. }), "{error}");
    }
}

#[tokio::test]
async fn searches_narrow_the_list() {
    let fixture = Fixture::new().await;
    fixture
        .frame(
            C2S,
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":"needle"}"#,
        )
        .await;
    fixture.stored().await;
    let git = fixture
        .history
        .record(new_session("git"), KnownSecrets::default())
        .await
        .unwrap();
    let (weather, git) = (fixture.recording.id, git.id);
    let cases: [(&str, &[SessionId]); 13] = [
        ("", &[git, weather]),
        ("needle", &[weather]),
        ("-needle", &[git]),
        ("method:tools/* needle", &[weather]),
        ("method:tools/* nowhere", &[]),
        ("GIT", &[git]),
        ("-git", &[weather]),
        ("server:g*", &[git]),
        ("server:git,weather origin:app", &[git, weather]),
        ("origin:cli", &[]),
        ("pinned:yes", &[]),
        ("after:2000-01-01", &[git, weather]),
        ("before:2000-01-01", &[]),
    ];
    for (search, expected) in cases {
        let query = SessionQuery {
            search: search.to_owned(),
            ..SessionQuery::default()
        };
        let found = fixture.history.sessions(&query).await.unwrap();
        let found: Vec<_> = found.iter().map(|session| session.id).collect();
        assert_eq!(found, expected, "{search}");
    }
    let query = SessionQuery {
        limit: Some(1),
        ..SessionQuery::default()
    };
    assert_eq!(fixture.history.sessions(&query).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_file_is_a_session_and_a_session_is_its_file() {
    let fixture = Fixture::new().await;
    let id = fixture.recording.id;
    let (history, dir) = (fixture.history, fixture.dir);
    fixture.recording.finish().await.unwrap();
    drop(fixture.reader);
    let file = dir.path().join(format!("sessions/{id}.framescope"));
    let elsewhere = dir.path().join("kept");
    std::fs::rename(&file, &elsewhere).unwrap();
    assert!(
        history
            .sessions(&SessionQuery::default())
            .await
            .unwrap()
            .is_empty()
    );
    let error = history.reader(id).await.expect_err("its file is gone");
    assert!(matches!(error, HistoryError::NoSession { .. }), "{error}");

    std::fs::rename(&elsewhere, &file).unwrap();
    std::fs::remove_file(dir.path().join("framescope.db")).unwrap();
    let history = History::open(dir.path()).await.unwrap();
    assert_eq!(
        history
            .sessions(&SessionQuery::default())
            .await
            .unwrap()
            .len(),
        1,
        "rebuilt"
    );

    std::fs::write(&file, "no SQLite file").unwrap();
    let error = history.reader(id).await.expect_err("no session file");
    assert!(matches!(error, HistoryError::NotASession { .. }), "{error}");
}
