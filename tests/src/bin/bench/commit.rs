//! From the moment a frame is read to its commit, while frames come as fast as they are taken.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use framescope_core::history::History;
use framescope_core::protocol::Direction;
use framescope_core::record::{Carriage, KnownSecrets};
use parking_lot::Mutex;

use crate::Error;
use crate::recorder::{notification, session};
use crate::report::{Report, beside, now, quantile, shown};

pub(crate) async fn measure(report: &mut Report) -> Result<(), Error> {
    for (name, size, count) in [("300 B", 300, 300_000), ("1 MiB", 1 << 20, 400)] {
        let times = commits(size, count).await?;
        let [p50, p99, max] = [0.5, 0.99, 1.0].map(|part| shown(quantile(&times, part)));
        report.line(
            &format!("read to committed, {name} at full speed, p99"),
            &p99,
            &format!("p50 {p50}, max {max}; bound 100 ms"),
        );
    }
    Ok(())
}

async fn commits(size: usize, count: usize) -> Result<Vec<Duration>, Error> {
    let folder = tempfile::tempdir()?;
    let history = History::open(folder.path()).await?;
    let recording = history.record(session(), KnownSecrets::default()).await?;
    let mut head = history.reader(recording.id).await?.follow();
    let reads = Arc::new(Mutex::new(Vec::<Instant>::with_capacity(count)));
    let read = Arc::clone(&reads);
    let follower = beside(async move {
        let mut times = Vec::with_capacity(count);
        while times.len() < count && head.changed().await.is_ok() {
            let (seq, now) = (head.borrow_and_update().0, now());
            let until = usize::try_from(seq).unwrap_or(count).min(count);
            let reads = reads.lock();
            times.extend(reads[times.len()..until].iter().map(|read| now - *read));
        }
        times
    });
    let frame = Bytes::from(notification(size));
    for _ in 0..count {
        read.lock().push(now());
        let frame = frame.clone();
        let at = Carriage::default();
        recording
            .tap
            .frame(Direction::ServerToClient, frame, at)
            .await?;
    }
    let mut times = follower.await?;
    recording.finish().await?;
    times.sort();
    if times.len() < count {
        return Err("the recorder ended early".into());
    }
    Ok(times)
}
