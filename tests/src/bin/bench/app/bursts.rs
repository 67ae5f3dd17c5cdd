//! Notifications at full speed, end to end over stdio with the window open.

use std::path::Path;
use std::time::Duration;

use framescope_core::history::History;
use framescope_core::record::Seq;

use super::{Started, echo, page, procs};
use crate::Error;
use crate::report::{Report, shown};

const AFTER: Duration = Duration::from_secs(2);
const BLOCK: Duration = Duration::from_millis(200);
/// KiB by which the page may have grown and still count as flat.
const FLAT: u64 = 50 * 1_000_000 / 1024;
/// Rows that are read at a time when the log is checked.
const READ: u64 = 2_000;

pub(super) async fn measure(program: &Path, report: &mut Report) -> Result<(), Error> {
    for count in [10_000_u32, 200_000] {
        let Started { app, pid, data } = Started::empty(program).await?;
        app.add_and_connect("echo", &echo(0)?).await?;
        app.prepare("flood", &format!("{{\"count\":{count},\"size\":300}}"))
            .await?;
        tokio::time::sleep(AFTER).await;
        let before = procs::memory(&pid);
        let done = format!(
            "Number(document.querySelector('[data-testid=timeline]')?.dataset.total) > {count} && \
             document.querySelector('[data-testid=result][data-verdict=ok]') && {}",
            page::ROWS_DRAWN
        );
        let seen = page::watch(&app, &page::click("send"), &done, AFTER).await?;
        tokio::time::sleep(AFTER).await;
        let after = procs::memory(&pid);
        app.quit().await?;
        let kept = numbered(data.path()).await?;

        let name = format!("burst of {count}");
        let rate = f64::from(count) / seen.took.as_secs_f64();
        report.held(
            &format!("{name}: sent to the last row drawn"),
            &format!("{rate:.0} frames/s ({})", shown(seen.took)),
            "≥ 40 k frames/s",
            rate >= 40_000.0 || count < 100_000,
        );
        report.held(
            &format!("{name}: longest block"),
            &shown(seen.block),
            "< 200 ms",
            seen.block < BLOCK,
        );
        report.held(
            &format!("{name}: payloads in the log, in order"),
            &kept.to_string(),
            "all",
            kept == u64::from(count),
        );
        report.held(
            &format!("{name}: memory of the page"),
            &format!("{} → {}", procs::mb(before.page), procs::mb(after.page)),
            "flat",
            after.page < before.page + FLAT,
        );
    }
    Ok(())
}

/// How many numbered messages the newest session holds, without a gap from 0 on.
async fn numbered(data: &Path) -> Result<u64, Error> {
    let history = History::open(data).await?;
    let session = history.resolve("last").await?;
    let reader = history.reader(session).await?;
    let head = reader.head().await?.0;
    let mut next = 0_u64;
    for from in (1..=head).step_by(usize::try_from(READ)?) {
        let seqs: Vec<_> = (from..(from + READ).min(head + 1)).map(Seq).collect();
        for row in reader.rows(&seqs).await? {
            let whole = row.whole.unwrap_or_default();
            if memchr_of(&whole, format!("\"data\":\"{next:08} ").as_bytes()) {
                next += 1;
            }
        }
    }
    Ok(next)
}

fn memchr_of(hay: &[u8], needle: &[u8]) -> bool {
    hay.windows(needle.len()).any(|window| window == needle)
}
