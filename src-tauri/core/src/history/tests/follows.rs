//! Sessions of other processes: a second `History` on the same folder stands for one.

use super::*;
use crate::history::{HistoryError, Server, SessionQuery, SessionState};
use crate::protocol::EraChoice;

#[tokio::test]
async fn another_process_follows_until_the_end() {
    let fixture = Fixture::new().await;
    let other = History::open(fixture.dir.path()).await.unwrap();
    let id = fixture.recording.id;
    fixture.frame(C2S, "one").await;
    fixture.stored().await;

    assert_eq!(
        other.session(id).await.unwrap().state,
        SessionState::LiveElsewhere
    );
    assert_eq!(
        fixture.history.session(id).await.unwrap().state,
        SessionState::Live
    );
    let reader = other.reader(id).await.unwrap();
    let mut view = reader.view("").await.unwrap();
    reach(&reader, Seq(1)).await;
    fixture.frame(C2S, "two").await;
    reach(&reader, Seq(2)).await;
    assert_eq!(view.refresh().await.unwrap().total, 2);
    assert_eq!(reader.body(Seq(2)).await.unwrap(), "two");

    let mut follow = reader.follow();
    fixture.recording.finish().await.unwrap();
    let gone = timeout(Duration::from_secs(10), async {
        while follow.changed().await.is_ok() {}
    });
    gone.await.expect("the end was heard of");
    assert_eq!(other.session(id).await.unwrap().state, SessionState::Ended);
    assert_eq!(
        reader.body(Seq(1)).await.unwrap(),
        "one",
        "it can still be read"
    );
}

#[tokio::test]
async fn both_see_one_catalogue() {
    let dir = tempfile::TempDir::new().unwrap();
    let (one, two) = tokio::join!(History::open(dir.path()), History::open(dir.path()));
    let (one, two) = (one.unwrap(), two.unwrap());
    let mut changes = two.changes();
    changes.mark_unchanged();
    let mut server = Server {
        id: Uuid::now_v7(),
        name: "weather".to_owned(),
        config: new_session("").config,
        era: EraChoice::Auto,
        timeout_ms: Server::TIMEOUT_MS,
        position: 2,
        demo: false,
        unconfirmed: false,
    };
    one.save_server(&server).await.unwrap();
    timeout(Duration::from_secs(10), changes.changed())
        .await
        .expect("heard of it")
        .unwrap();
    assert_eq!(two.servers().await.unwrap(), [server.clone()]);
    assert_eq!(two.server("weather").await.unwrap(), Some(server.clone()));
    assert_eq!(
        two.server(&server.id.to_string()).await.unwrap(),
        Some(server.clone())
    );

    server.timeout_ms = 5;
    two.save_server(&server).await.unwrap();
    assert_eq!(
        one.server("weather").await.unwrap().unwrap().timeout_ms,
        5,
        "replaced"
    );
    let twin = Server {
        id: Uuid::now_v7(),
        position: 1,
        ..server.clone()
    };
    let taken = one.save_server(&twin).await;
    assert!(
        matches!(taken, Err(HistoryError::NameTaken { .. })),
        "{taken:?}"
    );
    let twin = Server {
        name: "other".to_owned(),
        ..twin
    };
    one.save_server(&twin).await.unwrap();
    assert_eq!(
        two.servers().await.unwrap(),
        [twin, server.clone()],
        "by position"
    );
    two.delete_server(server.id).await.unwrap();
    assert_eq!(one.server("weather").await.unwrap(), None);

    let first = one
        .record(new_session("x"), KnownSecrets::default())
        .await
        .unwrap();
    let second = two
        .record(new_session("x"), KnownSecrets::default())
        .await
        .unwrap();
    let third = two
        .record(new_session("y"), KnownSecrets::default())
        .await
        .unwrap();
    let listed = one.sessions(&SessionQuery::default()).await.unwrap();
    let numbers: Vec<_> = listed
        .iter()
        .map(|session| (session.id, session.number, session.state))
        .collect();
    let expected = [
        (third.id, 1, SessionState::LiveElsewhere),
        (second.id, 2, SessionState::LiveElsewhere),
        (first.id, 1, SessionState::Live),
    ];
    assert_eq!(numbers, expected, "numbered for each server, newest first");
}
