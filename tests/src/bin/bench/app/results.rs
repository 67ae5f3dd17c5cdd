//! Large results: when they can be read, how many elements they make, how long they block the page.

use std::path::Path;
use std::time::Duration;

use super::{Started, echo, page};
use crate::Error;
use crate::report::{Report, shown};

/// After a result is there, what still runs for it is watched for so long.
const AFTER: Duration = Duration::from_secs(3);
const BLOCK: Duration = Duration::from_millis(200);
const NODES: u64 = 2_000;

pub(super) async fn measure(program: &Path, report: &mut Report) -> Result<(), Error> {
    let Started { app, data, .. } = Started::empty(program).await?;
    app.add_and_connect("echo", &echo(0)?).await?;
    for (tool, what) in [("big", "text"), ("rows", "JSON")] {
        for (mib, bound) in [(1_u64, Some(500)), (10, Some(2_000)), (100, None)] {
            app.prepare(tool, &format!("{{\"size\":{}}}", mib << 20))
                .await?;
            let old = app
                .eval("document.querySelector('[data-testid=result]')?.dataset.seq ?? ''")
                .await?;
            // Above the parse limit the call fails with where the answer is stored; then the row is what there is to read.
            let done = format!(
                "(() => {{ const result = document.querySelector('[data-testid=result][data-verdict]'); \
                 if (!result || result.dataset.verdict === 'pending' || (result.dataset.seq ?? '-') === {old}) return false; \
                 return (result.querySelector('[data-testid=result-body]') ?? result).innerText.length > 60; }})()"
            );
            let seen = page::watch(&app, &page::click("send"), &done, AFTER).await?;
            let nodes = page::nodes(&app).await?;
            let name = format!("{mib} MiB of {what}");
            match bound.map(Duration::from_millis) {
                Some(bound) => report.held(
                    &format!("{name}: sent to readable"),
                    &shown(seen.took),
                    &format!("< {}", shown(bound)),
                    seen.took < bound,
                ),
                None => report.line(&format!("{name}: sent to shown"), &shown(seen.took), ""),
            }
            report.held(
                &format!("{name}: longest block"),
                &shown(seen.block),
                "< 200 ms",
                seen.block < BLOCK,
            );
            report.held(
                &format!("{name}: elements of the page"),
                &nodes.to_string(),
                "< 2 000",
                nodes < NODES,
            );
            frame(&app, &name, report).await?;
        }
    }
    app.quit().await?;
    drop(data);
    Ok(())
}

/// The newest result in the timeline, opened as a frame.
async fn frame(
    app: &framescope_tests::driver::App,
    name: &str,
    report: &mut Report,
) -> Result<(), Error> {
    let row =
        "[...document.querySelectorAll('[data-testid=timeline-row][data-kind=result]')].at(-1)";
    app.until(row).await?;
    let done = format!(
        "document.querySelector('[data-testid=detail]')?.dataset.seq === {row}?.dataset.seq && \
         (document.querySelector('[data-testid=detail-body]')?.innerText.length ?? 0) > 200"
    );
    let seen = page::watch(app, &format!("{row}.click();"), &done, AFTER).await?;
    report.held(
        &format!("{name}: its row clicked to the frame drawn"),
        &format!("{} (block {})", shown(seen.took), shown(seen.block)),
        "block < 200 ms",
        seen.block < BLOCK,
    );
    Ok(())
}
