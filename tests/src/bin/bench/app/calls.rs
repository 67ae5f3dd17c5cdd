//! Memory while connected, and after a thousand calls from the window.

use std::path::Path;
use std::time::Duration;

use super::{Started, page, procs};
use crate::Error;
use crate::report::{Report, shown};

const CALLS: u32 = 1000;
/// What is not needed any more is given back in this time.
const REST: Duration = Duration::from_secs(5);
/// KiB.
const MOST: u64 = 350 * 1_000_000 / 1024;

pub(super) async fn measure(program: &Path, report: &mut Report) -> Result<(), Error> {
    let Started { app, pid, data } = Started::empty(program).await?;
    app.connect("Demo server").await?;
    app.find("[data-testid=tool-row]").await?;
    tokio::time::sleep(REST).await;
    let line = |report: &mut Report, when: &str| {
        let memory = procs::memory(&pid);
        report.held(
            &format!("memory (PSS) of all processes, {when}"),
            &format!(
                "{} (app {}, page {})",
                procs::mb(memory.all()),
                procs::mb(memory.app),
                procs::mb(memory.page)
            ),
            "< 350 MB",
            memory.all() < MOST,
        );
    };
    line(report, "connected to the demo server");
    app.prepare("com.example.weather/current", r#"{"location":"Berlin"}"#)
        .await?;
    let act = format!(
        "window.calls = 0; let seen;
         const next = () => {{
             const seq = document.querySelector('[data-testid=result][data-verdict]')?.dataset.seq;
             if (seq !== seen && window.calls < {CALLS}) {{
                 seen = seq; window.calls += 1;
                 document.querySelector('[data-testid=send]').click();
             }} else if (seq !== seen) window.calls += 1;
             if (window.calls <= {CALLS}) setTimeout(next, 0);
         }};
         document.querySelector('[data-testid=send]').click(); next();"
    );
    let done = format!("window.calls > {CALLS}");
    let watched = page::watch(&app, &act, &done, Duration::ZERO).await?;
    report.line(
        "1 000 calls, each when the answer before is drawn",
        &format!("{} a call", shown(watched.took / CALLS)),
        &format!("longest block {}", shown(watched.block)),
    );
    tokio::time::sleep(REST).await;
    line(report, "after 1 000 calls");
    app.quit().await?;
    drop(data);
    Ok(())
}
