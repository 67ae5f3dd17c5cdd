//! A recorder that is killed at any moment leaves a sound file with all that was published before.

use std::collections::BTreeSet;
use std::hash::{BuildHasher as _, RandomState};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use framescope_core::history::{
    History, Row, SessionQuery, SessionReader, SessionState, SessionSummary,
};
use framescope_core::protocol::Direction;
use framescope_core::record::{EventKind, Flags, Seq, SessionId};
use framescope_tests::cli::Cli;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use tempfile::tempdir;
use tokio::time::interval;

use crate::peer::soon;

const ROUNDS: usize = 12;

/// What floods, and up to how many bytes of its session's file the kill is drawn from.
const FLOODS: &[(&[&str], u64)] = &[
    (&["burst", "1000000"], 8 << 20),
    (&["big-notification", "64"], 48 << 20),
    (&["burst", "1000000"], 64 << 10),
    (&["stderr-flood", "1000000"], 4 << 20),
];

/// Numbers that look random and are the same for the same seed (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % end
    }
}

/// Another one on each run; `FRAMESCOPE_SEED` repeats one.
fn seed() -> u64 {
    let told = std::env::var("FRAMESCOPE_SEED").ok();
    told.and_then(|seed| seed.parse().ok())
        .unwrap_or_else(|| RandomState::new().hash_one(0))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_command_line_loses_nothing_that_was_published() {
    let (data, seed) = (tempdir().expect("a folder"), seed());
    let Some(cli) = Cli::on(data.path()) else {
        return;
    };
    let mut random = Random(seed);
    let history = History::open(data.path()).await.expect("a data folder");
    let mut known = BTreeSet::new();
    for round in 0..ROUNDS {
        let (flood, spread) = FLOODS[round % FLOODS.len()];
        let at = random.below(spread);
        let what = format!("FRAMESCOPE_SEED={seed}, round {round}, {flood:?} killed at {at} bytes");
        let wrote = data.path().join(format!("wrote-{round}"));
        let killed = Killed::at(&history, &cli, (flood, &wrote), at, &known).await;
        killed.is_whole(&history, &wrote, &what).await;
        known.insert(killed.id);
    }
    let listed = cli.run(&["sessions"]).expect(0);
    assert_eq!(
        listed.matches("owner gone").count(),
        ROUNDS,
        "FRAMESCOPE_SEED={seed}: every one is shown\n{listed}"
    );
}

/// Before anything is published: at any moment of its start.
#[tokio::test(flavor = "multi_thread")]
async fn a_command_line_killed_while_it_starts_leaves_sessions_that_open() {
    let (data, seed) = (tempdir().expect("a folder"), seed());
    let Some(cli) = Cli::on(data.path()) else {
        return;
    };
    let mut random = Random(seed);
    for round in 0..ROUNDS {
        let what = format!("FRAMESCOPE_SEED={seed}, round {round}");
        let server = env!("CARGO_BIN_EXE_fault-server");
        let mut run = cli.command(&["list", "tools", "--", server, "stdio", "good"]);
        run.stdout(Stdio::null()).stderr(Stdio::null());
        let mut run = run.spawn().expect("the command line starts");
        // The moment is what is tried here; nothing waits for it.
        tokio::time::sleep(Duration::from_micros(random.below(120_000))).await;
        run.kill().expect("killed");
        run.wait().expect("gone");
        let history = History::open(data.path()).await.expect(&what);
        for session in soon(&what, over(&history)).await {
            let rows = rows(&history.reader(session.id).await.expect(&what)).await;
            assert_eq!(rows.len() as u64, session.records, "{what}");
            is_sound(data.path(), session.id, &what).await;
        }
    }
}

/// A session whose recorder was killed.
struct Killed {
    id: SessionId,
    /// What a follower had seen.
    seen: Vec<Row>,
}

impl Killed {
    /// Starts the command line on a flood, and kills it when the files of its session hold this many bytes.
    async fn at(
        history: &History,
        cli: &Cli<'_>,
        (flood, wrote): (&[&str], &Path),
        at: u64,
        known: &BTreeSet<SessionId>,
    ) -> Self {
        let wrote = wrote.to_string_lossy();
        let server = env!("CARGO_BIN_EXE_fault-server");
        let words = [
            "call", "fault", "--quiet", "--", server, "--wrote", &wrote, "stdio",
        ];
        let words: Vec<&str> = words.iter().chain(flood).copied().collect();
        let mut run = cli
            .command(&words)
            .spawn()
            .expect("the command line starts");
        let reader = soon("the session", begun(history, known)).await;
        let id = reader.id();
        let file = history.dir().join(format!("sessions/{id}.framescope"));
        let wal = file.with_extension("framescope-wal");
        let size = |path: &Path| path.metadata().map_or(0, |found| found.len());
        let grown = async {
            let mut ticks = interval(Duration::from_millis(1));
            while size(&file) + size(&wal) < at {
                ticks.tick().await;
            }
        };
        soon("enough to be killed", grown).await;
        let seen = rows(&reader).await;
        run.kill().expect("killed");
        run.wait().expect("gone");
        Self { id, seen }
    }

    /// Everything holds that was promised of its session.
    async fn is_whole(&self, history: &History, wrote: &Path, what: &str) {
        let all = soon(what, over(history)).await;
        let summary = all.iter().find(|session| session.id == self.id);
        let summary = summary.expect("it is listed");
        assert_eq!(summary.state, SessionState::OwnerGone, "{what}");
        is_sound(history.dir(), self.id, what).await;
        let reader = history.reader(self.id).await.expect(what);
        let rows = rows(&reader).await;
        assert_eq!(rows.len() as u64, summary.records, "{what}");
        assert!(rows.len() >= self.seen.len(), "{what}: rows are gone");
        for (seen, row) in self.seen.iter().zip(&rows) {
            assert_eq!(fixed(seen), fixed(row), "{what}");
        }
        let wrote = std::fs::read(wrote).unwrap_or_default();
        let mut rest = wrote.as_slice();
        for row in rows.iter().filter(|row| row.event == EventKind::Frame) {
            let truncated = row.flags.has(Flags::TRUNCATED);
            if row.direction != Some(Direction::ServerToClient) && !truncated {
                continue;
            }
            let mut body = match &row.whole {
                Some(whole) => whole.to_vec(),
                None => reader.body(row.seq).await.expect(what).to_vec(),
            };
            if !truncated {
                body.push(b'\n');
            }
            let same = rest.strip_prefix(body.as_slice());
            rest = same.unwrap_or_else(|| {
                panic!("{what}: #{} is not what the server wrote next", row.seq)
            });
        }
    }
}

/// What never changes about a row: an answer that comes later does not touch it.
fn fixed(row: &Row) -> (Seq, i64, &str, u64, &str) {
    (row.seq, row.at_us, row.kind_word(), row.size, &row.preview)
}

/// A reader of the session that is not among those known.
async fn begun(history: &History, known: &BTreeSet<SessionId>) -> SessionReader {
    let mut ticks = interval(Duration::from_millis(1));
    loop {
        ticks.tick().await;
        let listed = history.sessions(&SessionQuery::default()).await;
        let new = listed
            .expect("the sessions")
            .into_iter()
            .find(|session| !known.contains(&session.id));
        if let Some(session) = new
            && let Ok(reader) = history.reader(session.id).await
        {
            return reader;
        }
    }
}

/// All sessions, once every one of them is over. A child that was being started when its parent was killed holds what its
/// parent had open, and so the lock, until it runs its own program.
async fn over(history: &History) -> Vec<SessionSummary> {
    let mut ticks = interval(Duration::from_millis(1));
    loop {
        ticks.tick().await;
        let listed = history.sessions(&SessionQuery::default()).await;
        let listed = listed.expect("the sessions");
        if listed.iter().all(|session| session.ended_us.is_some()) {
            return listed;
        }
    }
}

/// All rows, once it is known that no number is missing.
async fn rows(reader: &SessionReader) -> Vec<Row> {
    let head = reader.head().await.expect("the last number");
    let seqs: Vec<Seq> = (1..=head.0).map(Seq).collect();
    let mut rows = vec![];
    for some in seqs.chunks(1000) {
        rows.extend(reader.rows(some).await.expect("rows"));
    }
    let found: Vec<Seq> = rows.iter().map(|row| row.seq).collect();
    assert_eq!(found, seqs, "a number has no record");
    rows
}

/// SQLite finds nothing wrong with the file, and it is one file that nobody holds.
async fn is_sound(data: &Path, id: SessionId, what: &str) {
    let folder = data.join("sessions");
    let file = folder.join(format!("{id}.framescope"));
    let mut conn = SqliteConnectOptions::new()
        .filename(&file)
        .read_only(true)
        .connect()
        .await
        .expect(what);
    let found: String = sqlx::query_scalar("pragma integrity_check")
        .fetch_one(&mut conn)
        .await
        .expect(what);
    assert_eq!(found, "ok", "{what}");
    conn.close().await.expect(what);
    for left in ["framescope-wal", "lock"].map(|ending| file.with_extension(ending)) {
        assert!(!left.exists(), "{what}: {} is left", left.display());
    }
}
