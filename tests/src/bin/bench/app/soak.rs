//! Eight hours of traffic in five minutes: whether memory, handles and the bytes a frame takes on the disk stay as they are.

use std::path::Path;
use std::time::Duration;

use super::{Started, echo, page, procs};
use crate::Error;
use crate::report::{Report, now};

/// A call a second and some notifications, for eight hours.
const FRAMES: u64 = 8 * 3600 * 20;
const MINUTES: u64 = 5;
const LOOK: Duration = Duration::from_secs(15);

/// What was seen at one time.
#[derive(Clone, Copy, Debug, Default)]
struct Look {
    app: u64,
    page: u64,
    handles: usize,
    /// Bytes of the data folder, of them the write-ahead logs.
    disk: u64,
    wal: u64,
    frames: u64,
}

pub(super) async fn measure(program: &Path, report: &mut Report) -> Result<(), Error> {
    let Started { app, pid, data } = Started::empty(program).await?;
    app.add_and_connect("echo", &echo(0)?).await?;
    let a_second = FRAMES / (MINUTES * 60);
    app.prepare(
        "flood",
        &format!("{{\"count\":{FRAMES},\"size\":300,\"perSecond\":{a_second}}}"),
    )
    .await?;
    page::begin(&app, &page::click("send"), "false").await?;
    let start = now();
    let mut looks = Vec::new();
    let total = "Number(document.querySelector('[data-testid=timeline]').dataset.total)";
    while start.elapsed() < Duration::from_secs(MINUTES * 60) {
        tokio::time::sleep(LOOK).await;
        let memory = procs::memory(&pid);
        let (disk, wal) = sizes(data.path());
        let frames = app.eval(total).await?.as_u64().unwrap_or_default();
        looks.push(Look {
            app: memory.app,
            page: memory.page,
            handles: procs::handles(&pid),
            disk,
            wal,
            frames,
        });
        if frames >= FRAMES {
            break;
        }
    }
    let block = app.eval("window.watch.block").await?.as_f64();
    app.quit().await?;
    told(&looks, block.unwrap_or_default(), report);
    Ok(())
}

/// The first third (after the start) beside the last.
fn told(looks: &[Look], block: f64, report: &mut Report) {
    let third = looks.len() / 3;
    let (Some(first), Some(last)) = (
        looks.get(1..third.max(2)),
        looks.get(looks.len() - third.max(1)..),
    ) else {
        return;
    };
    let median = |part: &[Look], of: fn(&Look) -> u64| {
        let mut all: Vec<_> = part.iter().map(of).collect();
        all.sort_unstable();
        all[all.len() / 2]
    };
    let frames = looks.last().map_or(0, |look| look.frames);
    report.line(
        "soak: frames",
        &frames.to_string(),
        &format!("longest block {block:.0} ms"),
    );
    for (what, of, room, shown) in [
        (
            "memory of the app",
            (|look: &Look| look.app) as fn(&Look) -> u64,
            30_000,
            procs::mb as fn(u64) -> String,
        ),
        ("memory of the page", |look| look.page, 50_000, procs::mb),
        ("handles", |look| look.handles as u64, 5, |n| n.to_string()),
        (
            "bytes on the disk a frame",
            |look| look.disk / look.frames.max(1),
            50,
            |n| n.to_string(),
        ),
        (
            "write-ahead logs",
            |look| look.wal / 1024,
            20_000,
            procs::mb,
        ),
    ] {
        let (then, now) = (median(first, of), median(last, of));
        report.held(
            &format!("soak: {what}, first third → last"),
            &format!("{} → {}", shown(then), shown(now)),
            "flat",
            now <= then + room,
        );
    }
}

/// Bytes of the files of sessions and search, and of their write-ahead logs.
fn sizes(data: &Path) -> (u64, u64) {
    let (mut all, mut wal) = (0, 0);
    for folder in [data.to_owned(), data.join("sessions")] {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(meta) = entry.metadata() else { continue };
            if meta.is_file() {
                all += meta.len();
                if entry.file_name().to_string_lossy().ends_with("-wal") {
                    wal += meta.len();
                }
            }
        }
    }
    (all, wal)
}
