//! Recorders that die, and recorders that cannot write.

use std::sync::atomic::{AtomicBool, Ordering};

use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;

use super::*;
use crate::history::lock::Lock;
use crate::history::{SessionQuery, SessionState};
use crate::protocol::Kind;
use crate::record::{Clock, Flags};

#[tokio::test]
async fn a_session_whose_owner_died_is_recovered() {
    let Fixture {
        dir,
        history,
        recording,
        reader,
    } = Fixture::new().await;
    let id = recording.id;
    let tap = recording.tap.clone();
    tap.frame(
        C2S,
        Bytes::from_static(br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
        Carriage::default(),
    )
    .await
    .unwrap();
    let mut parts = tap.begin(S2C, Carriage::default());
    parts.part(Bytes::from_static(b"half a ")).await.unwrap();
    parts.part(Bytes::from_static(b"body")).await.unwrap();
    tap.frame(C2S, Bytes::from_static(b"last"), Carriage::default())
        .await
        .unwrap();
    reach(&reader, Seq(2)).await;
    recording.die().await;
    assert!(
        tap.frame(C2S, Bytes::from_static(b"x"), Carriage::default())
            .await
            .is_err()
    );

    let other = History::open(dir.path()).await.unwrap();
    let summary = other.session(id).await.unwrap();
    assert_eq!(summary.state, SessionState::OwnerGone);
    assert_eq!((summary.records, summary.frames), (3, 3));
    let recovered = other.reader(id).await.unwrap();
    let row = recovered.row(Seq(3)).await.unwrap().unwrap();
    assert_eq!((row.kind, row.size), (Some(Kind::Malformed), 11));
    assert!(row.flags.has(Flags::TRUNCATED));
    assert_eq!(summary.ended_us, Some(row.at_us));
    assert_eq!(recovered.body(Seq(3)).await.unwrap(), "half a body");
    assert!(!dir.path().join(format!("sessions/{id}.lock")).exists());
    assert_eq!(other.session(id).await.unwrap(), summary, "recovered once");
    drop(history);
}

/// What a killed process leaves: the files as they were at that moment, and no lock.
#[tokio::test]
async fn a_copy_of_a_live_session_is_a_session() {
    let fixture = Fixture::new().await;
    for n in 0..300 {
        fixture.frame(C2S, &format!("line {n}")).await;
    }
    fixture.stored().await;
    let id = fixture.recording.id;
    let copy = TempDir::new().unwrap();
    std::fs::create_dir(copy.path().join("sessions")).unwrap();
    for ending in ["", "-wal"] {
        let file = format!("sessions/{id}.framescope{ending}");
        std::fs::copy(fixture.dir.path().join(&file), copy.path().join(&file)).unwrap();
    }
    let history = History::open(copy.path()).await.unwrap();
    let listed = history.sessions(&SessionQuery::default()).await.unwrap();
    assert_eq!(listed.len(), 1, "the catalogue was rebuilt");
    assert_eq!(
        (listed[0].state, listed[0].records),
        (SessionState::OwnerGone, 300)
    );
    assert_eq!(listed[0].server_name, "weather");
    let reader = history.reader(id).await.unwrap();
    assert_eq!(reader.body(Seq(300)).await.unwrap(), "line 299");
    assert!(
        !copy
            .path()
            .join(format!("sessions/{id}.framescope-wal"))
            .exists(),
        "one file is left"
    );
}

#[tokio::test]
async fn a_recording_that_is_dropped_ends() {
    let Fixture {
        dir: _dir,
        history,
        recording,
        reader,
    } = Fixture::new().await;
    let id = recording.id;
    recording
        .tap
        .frame(C2S, Bytes::from_static(b"x"), Carriage::default())
        .await
        .unwrap();
    drop(recording);
    let mut follow = reader.follow();
    timeout(Duration::from_secs(10), async {
        while follow.changed().await.is_ok() {}
    })
    .await
    .expect("ends");
    let mut changes = history.changes();
    while history.session(id).await.unwrap().state != SessionState::Ended {
        timeout(Duration::from_secs(10), changes.changed())
            .await
            .expect("ends")
            .unwrap();
    }
    assert_eq!(reader.body(Seq(1)).await.unwrap(), "x");
}

/// The disk fills up: here a trigger refuses the fourth record.
#[tokio::test]
async fn a_recorder_that_cannot_write_says_so_everywhere() {
    let fixture = Fixture::new().await;
    let id = fixture.recording.id;
    let path = fixture.dir.path().join(format!("sessions/{id}.framescope"));
    let mut saboteur = SqliteConnectOptions::new()
        .filename(path)
        .connect()
        .await
        .unwrap();
    let trigger = "create trigger full before insert on records when new.seq >= 4
                   begin select raise(abort, 'disk full'); end";
    sqlx::raw_sql(trigger).execute(&mut saboteur).await.unwrap();
    for n in 1..=3 {
        fixture.frame(C2S, &format!("line {n}")).await;
    }
    fixture.stored().await;
    let mut loss = fixture.recording.loss();
    assert!(loss.borrow().is_none());
    let tap = fixture.recording.tap.clone();
    let waits = async {
        loop {
            if let Err(why) = tap
                .frame(C2S, Bytes::from_static(b"more"), Carriage::default())
                .await
            {
                break why;
            }
        }
    };
    let why = timeout(Duration::from_secs(10), waits)
        .await
        .expect("the tap refuses");
    assert_eq!(why.since, Seq(4));
    assert!(why.why.contains("disk full"), "{why}");
    timeout(Duration::from_secs(10), loss.wait_for(Option::is_some))
        .await
        .expect("it is told")
        .unwrap();
    assert_eq!(loss.borrow().as_ref().map(|loss| loss.since), Some(Seq(4)));
    let again = tap
        .event(Conn(0), Event::Note(Note::Cancelled), None, None)
        .await;
    assert_eq!(again.map_err(|why| why.since), Err(Seq(4)));

    fixture.recording.finish().await.unwrap();
    assert_eq!(
        fixture.reader.head().await.unwrap(),
        Seq(3),
        "what was stored is kept"
    );
    let later = fixture
        .history
        .record(new_session("weather"), KnownSecrets::default())
        .await
        .unwrap();
    later
        .tap
        .frame(C2S, Bytes::from_static(b"works"), Carriage::default())
        .await
        .unwrap();
    let reader = fixture.history.reader(later.id).await.unwrap();
    reach(&reader, Seq(1)).await;
    later.finish().await.unwrap();
}

/// The system's clock is set back by an hour while a session is recorded.
#[tokio::test]
async fn a_clock_that_is_set_back_disturbs_no_session() {
    const HOUR_US: i64 = 3_600_000_000;
    let dir = TempDir::new().unwrap();
    let history = History::open(dir.path()).await.unwrap();
    let ahead = Clock::start().set_back_by(-HOUR_US);
    let began = ahead.now_us();
    let recording = history
        .record_by(ahead, new_session("weather"), KnownSecrets::default())
        .await
        .unwrap();
    let id = recording.id;
    for (direction, text) in [
        (C2S, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
        (S2C, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#),
    ] {
        let frame = Bytes::from_static(text.as_bytes());
        let at = Carriage::default();
        recording.tap.frame(direction, frame, at).await.unwrap();
    }
    recording.finish().await.unwrap();

    let reader = history.reader(id).await.unwrap();
    let rows = reader.rows(&[Seq(1), Seq(2), Seq(3)]).await.unwrap();
    let kinds: Vec<_> = rows.iter().map(Row::kind_word).collect();
    assert_eq!(kinds, ["request", "result"], "nothing is said of the clock");
    assert!(rows[0].at_us >= began && rows[1].at_us >= rows[0].at_us);
    assert!(
        rows[1]
            .dur_us
            .is_some_and(|took| (0..HOUR_US).contains(&took))
    );
    let first = history.session(id).await.unwrap();
    assert_eq!(first.state, SessionState::Ended);
    assert!(
        first.ended_us.unwrap() >= rows[1].at_us,
        "it ended after its last record"
    );

    let second = history
        .record(new_session("weather"), KnownSecrets::default())
        .await
        .unwrap();
    let (later, number) = (second.id, 2);
    second.finish().await.unwrap();
    let second = history.session(later).await.unwrap();
    assert!(second.started_us < began, "by the clock it began before");
    assert_eq!((second.number, second.state), (number, SessionState::Ended));
    let listed = history.sessions(&SessionQuery::default()).await.unwrap();
    assert_eq!(listed.len(), 2, "both are listed");
}

/// Others ask who owns a session while one takes its lock: that they ask does not make them owners.
#[test]
fn who_only_asks_keeps_nobody_from_the_lock() {
    let dir = TempDir::new().unwrap();
    let path = dir.path().join("x.lock");
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    Lock::is_held(&path);
                }
            });
        }
        let taken = (0..2000).filter(|_| Lock::take(&path).unwrap().is_some());
        let taken = taken.count();
        over.store(true, Ordering::Relaxed);
        assert_eq!(taken, 2000);
    });
    let lock = Lock::take(&path).unwrap().unwrap();
    assert!(Lock::take(&path).unwrap().is_none(), "an owner does");
    Lock::clear(&path);
    assert!(path.exists(), "and keeps it");
    drop(lock);
}

/// Killed between the end of the session and the removal of its lock.
#[tokio::test]
async fn a_lock_that_was_left_behind_is_removed() {
    let fixture = Fixture::new().await;
    let id = fixture.recording.id;
    fixture.recording.finish().await.unwrap();
    let lock = fixture.dir.path().join(format!("sessions/{id}.lock"));
    std::fs::write(&lock, "").unwrap();
    let summary = fixture.history.session(id).await.unwrap();
    assert_eq!(summary.state, SessionState::Ended);
    assert!(!lock.exists(), "whoever looks at the session cleans up");
}
