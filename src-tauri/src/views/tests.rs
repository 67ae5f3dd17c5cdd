//! Flow control over a session that is being recorded.

use std::sync::mpsc::{Receiver, channel};

use bytes::Bytes;
use framescope_core::history::{History, NewSession, OnLoss, Origin, Recording};
use framescope_core::protocol::{Direction, ServerConfig};
use framescope_core::record::{Carriage, KnownSecrets, SessionId};
use tempfile::TempDir;
use uuid::Uuid;

use super::*;

/// A session that is being recorded, and a page that looks at it.
struct Bench {
    recording: Recording,
    views: Views,
    id: u32,
    events: Receiver<RecordsAppended>,
    _data: TempDir,
}

impl Bench {
    async fn open(filter: &str) -> Self {
        let data = tempfile::tempdir().unwrap();
        let history = History::open(data.path()).await.unwrap();
        let new = NewSession {
            id: SessionId(Uuid::now_v7()),
            server: None,
            server_name: "s".into(),
            config: ServerConfig::StreamableHttp {
                url: "http://s".into(),
                headers: vec![],
            },
            origin: Origin::App,
            previous: None,
            on_loss: OnLoss::Close,
        };
        let recording = history.record(new, KnownSecrets::default()).await.unwrap();
        let reader = history.reader(recording.id).await.unwrap();
        let view = reader.view(filter).await.unwrap();
        let (to, events) = channel();
        let to = Mutex::new(to);
        let views = Views::default();
        let id = views.open(
            reader,
            view,
            Arc::new(move |event| {
                // The test may have ended.
                let _ = to.lock().send(event);
            }),
        );
        Self {
            recording,
            views,
            id,
            events,
            _data: data,
        }
    }

    async fn frame(&self, direction: Direction, json: &str) {
        let bytes = Bytes::copy_from_slice(json.as_bytes());
        self.recording
            .tap
            .frame(direction, bytes, Carriage::default())
            .await
            .unwrap();
    }

    async fn notifications(&self, n: usize) {
        for _ in 0..n {
            self.frame(
                Direction::ServerToClient,
                r#"{"jsonrpc":"2.0","method":"notifications/x"}"#,
            )
            .await;
        }
    }

    fn event(&self) -> RecordsAppended {
        self.events
            .recv_timeout(Duration::from_secs(20))
            .expect("an event")
    }

    /// Takes events until `total` rows are known, acknowledging each.
    fn drain(&self, total: u64) -> Vec<RecordsAppended> {
        let mut taken = Vec::new();
        loop {
            let event = self.event();
            self.views.get(self.id).unwrap().ack(event.total);
            let done = event.total >= total;
            taken.push(event);
            if done {
                return taken;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_ride_along_while_the_page_keeps_up() {
    let bench = Bench::open("").await;
    bench.notifications(20).await;
    let events = bench.drain(20);
    let mut next = 0;
    for event in &events {
        assert_eq!(event.first, next, "each begins where the one before ended");
        assert_eq!(event.rows.len() as u64, event.total - event.first);
        next = event.total;
    }
    let seqs: Vec<_> = events
        .iter()
        .flat_map(|event| event.rows.iter().map(|row| row.seq))
        .collect();
    assert_eq!(seqs, (1..=20).collect::<Vec<_>>());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_lags_gets_one_event_and_then_the_range() {
    let bench = Bench::open("").await;
    bench.notifications(1).await;
    let first = bench.event();
    bench.notifications(2 * MOST_ROWS).await;
    let reader = &bench.views.get(bench.id).unwrap().reader;
    reader
        .follow()
        .wait_for(|head| head.0 > 2 * MOST_ROWS as u64)
        .await
        .unwrap();
    bench.views.get(bench.id).unwrap().ack(first.total);
    let events = bench.drain(2 * MOST_ROWS as u64 + 1);
    let range = events
        .iter()
        .find(|event| event.total - event.first > MOST_ROWS as u64);
    let range = range.expect("what gathered meanwhile comes at once");
    assert_eq!(
        (
            range.first,
            range.rows.len(),
            range.rows.last().map(|row| row.seq)
        ),
        (first.total, TAIL, Some(range.total)),
        "with the end alone: the page pulls what else it shows"
    );
    let view = bench.views.get(bench.id).unwrap();
    assert_eq!(
        view.rows(2 * MOST_ROWS, 10).await.unwrap().len(),
        1,
        "and it is there to be pulled"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_without_acknowledgement_is_told_again_as_a_range() {
    let bench = Bench::open("").await;
    bench.notifications(3).await;
    let lost = bench.event();
    let again = bench.event();
    assert_eq!((again.first, again.rows.len()), (lost.first, 0));
    assert_eq!(again.total, lost.total);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_changes_the_row_of_its_request() {
    let bench = Bench::open("").await;
    bench
        .frame(
            Direction::ClientToServer,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        )
        .await;
    bench.drain(1);
    bench
        .frame(
            Direction::ServerToClient,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        )
        .await;
    let event = bench.drain(2).pop().unwrap();
    assert_eq!(
        event
            .changed
            .iter()
            .map(|row| (row.seq, row.answer))
            .collect::<Vec<_>>(),
        [(1, Some(2))]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_view_is_not_told_about() {
    let bench = Bench::open("").await;
    bench.views.close(bench.id);
    bench.notifications(3).await;
    let history_has_it = bench.recording.finish().await;
    history_has_it.unwrap();
    assert!(
        bench.events.recv_timeout(GATHER * 4).is_err(),
        "nobody listens any more"
    );
    assert!(bench.views.get(bench.id).is_err());
}
