//! A session of a million frames: opened, scrolled, filtered and searched in the window.

use std::path::Path;
use std::time::Duration;

use framescope_core::history::History;
use framescope_core::protocol::Direction;
use framescope_core::record::{Carriage, KnownSecrets};
use framescope_tests::driver::App;

use super::page::{self, ROWS_DRAWN};
use super::{Started, procs};
use crate::Error;
use crate::recorder::session;
use crate::report::{Report, now, quantile, shown};

const FRAMES: u64 = 1_000_000;
/// The only frame with this word stands a third from the beginning.
const NEEDLE: &str = "zanzibar";
const AFTER: Duration = Duration::from_millis(500);
/// Frames of animation over which it is scrolled.
const SCROLLED: u32 = 300;
/// KiB.
const MORE: u64 = 50 * 1_000_000 / 1024;

pub(super) async fn measure(program: &Path, report: &mut Report) -> Result<(), Error> {
    let data = tempfile::tempdir()?;
    let start = now();
    generate(data.path()).await?;
    let rate = FRAMES as f64 / start.elapsed().as_secs_f64();
    report.line(
        "1 M mixed frames recorded",
        &format!("{rate:.0} rows/s"),
        "",
    );
    let Started { app, pid, data } = Started::on(program, data).await?;
    app.get("session-row").await?;
    tokio::time::sleep(Duration::from_secs(5)).await;
    let empty = procs::memory(&pid).page;

    held(
        &app,
        report,
        "opened: first rows",
        &page::click("session-row"),
        ROWS_DRAWN,
        300,
    )
    .await?;
    for (to, part) in [
        ("the beginning", 0.0),
        ("the middle", 0.5),
        ("nine tenths", 0.9),
    ] {
        let act = format!(
            "{{ const grid = document.querySelector('[data-testid=timeline]'); \
             window.was = Number(grid.querySelector('[data-testid=timeline-row]').dataset.seq); \
             grid.scrollTop = {part} * (grid.scrollHeight - grid.clientHeight); }}"
        );
        let done = format!(
            "{ROWS_DRAWN} && Math.abs(Number(document.querySelector('[data-testid=timeline-row]').dataset.seq) - window.was) > 1000"
        );
        held(&app, report, &format!("jump to {to}"), &act, &done, 100).await?;
    }
    scrolled(&app, report).await?;
    for (filter, bound) in [
        ("kind:error", 300),
        ("method:tools/call", 300),
        ("dur:>100us", 300),
        (NEEDLE, 300),
    ] {
        let act = page::typed("filter-input", filter);
        let done = format!(
            "Number(document.querySelector('[data-testid=timeline]')?.dataset.total) < {FRAMES} && {ROWS_DRAWN}"
        );
        let what = format!("filter {filter}: first page");
        held(&app, report, &what, &act, &done, bound).await?;
        let done = format!(
            "Number(document.querySelector('[data-testid=timeline]')?.dataset.total) >= {FRAMES} && {ROWS_DRAWN}"
        );
        page::watch(
            &app,
            &page::typed("filter-input", ""),
            &done,
            Duration::ZERO,
        )
        .await?;
    }
    tokio::time::sleep(Duration::from_secs(5)).await;
    let full = procs::memory(&pid);
    report.held(
        "1 M frames: memory of the page over the empty app",
        &format!(
            "{:+.0} MB",
            (full.page as f64 - empty as f64) * 1024.0 / 1e6
        ),
        "< 50 MB",
        full.page < empty + MORE,
    );
    report.line("1 M frames: memory of the app", &procs::mb(full.app), "");
    searched(&app, report).await?;
    app.quit().await?;
    drop(data);
    Ok(())
}

async fn held(
    app: &App,
    report: &mut Report,
    what: &str,
    act: &str,
    done: &str,
    bound: u64,
) -> Result<(), Error> {
    let seen = page::watch(app, act, done, AFTER).await?;
    let bound = Duration::from_millis(bound);
    report.held(
        &format!("1 M frames, {what}"),
        &format!("{} (block {})", shown(seen.took), shown(seen.block)),
        &format!("< {}", shown(bound)),
        seen.took < bound,
    );
    Ok(())
}

/// Scrolls from where it stands, a few rows with each frame, and looks at the times between frames.
async fn scrolled(app: &App, report: &mut Report) -> Result<(), Error> {
    let act = format!(
        "window.steps = 0; \
         const step = () => {{ document.querySelector('[data-testid=timeline]').scrollTop -= 70; \
         if (++window.steps < {SCROLLED}) requestAnimationFrame(step); }}; step();"
    );
    let done = format!("window.steps >= {SCROLLED}");
    let seen = page::watch(app, &act, &done, Duration::ZERO).await?;
    let [p50, p95, max] = [0.5, 0.95, 1.0].map(|part| quantile(&seen.frames, part));
    report.held(
        "1 M frames, scrolling: time between frames",
        &format!("p50 {}, p95 {}, max {}", shown(p50), shown(p95), shown(max)),
        "60 fps",
        p95 < Duration::from_millis(20),
    );
    Ok(())
}

/// Full text over all sessions.
async fn searched(app: &App, report: &mut Report) -> Result<(), Error> {
    app.click("all-sessions").await?;
    app.get("session-query").await?;
    for word in [NEEDLE, "lighthouse", "nosuchword"] {
        app.eval(&format!(
            "(() => {{ {} }})()",
            page::typed("session-query", word)
        ))
        .await?;
        app.get("start-search").await?;
        let done = if word == "nosuchword" {
            "document.querySelector('[data-testid=matches]')?.innerText.includes('No record')"
        } else {
            "document.querySelector('[data-testid=hit]')"
        };
        let act = page::click("start-search");
        held(
            app,
            report,
            &format!("full text {word:?}: first answer"),
            &act,
            done,
            200,
        )
        .await?;
        app.until("!document.querySelector('[data-testid=stop-search]')")
            .await?;
        app.eval(&format!(
            "(() => {{ {} }})()",
            page::typed("session-query", "")
        ))
        .await?;
    }
    Ok(())
}

/// A session as a long day makes it: calls with their answers, some of them slow or failing, and messages.
async fn generate(data: &Path) -> Result<(), Error> {
    let history = History::open(data).await?;
    let recording = history.record(session(), KnownSecrets::default()).await?;
    for n in 0..FRAMES / 4 {
        let place = format!(
            "place {} beyond the {}",
            n % 977,
            ["lake", "hill", "mill"][n as usize % 3]
        );
        let more = match n {
            _ if n == FRAMES / 12 => NEEDLE,
            _ if n % 10_000 == 7 => "lighthouse",
            _ => "harbour",
        };
        let call = format!(
            r#"{{"jsonrpc":"2.0","id":{n},"method":"tools/call","params":{{"name":"com.example.weather/current","arguments":{{"location":"{place}","units":"celsius"}}}}}}"#
        );
        let answer = if n % 500 == 3 {
            format!(
                r#"{{"jsonrpc":"2.0","id":{n},"error":{{"code":-32000,"message":"no weather at {place}"}}}}"#
            )
        } else {
            format!(
                r#"{{"jsonrpc":"2.0","id":{n},"result":{{"content":[{{"type":"text","text":"At {place}, near the {more}: 11 degrees, wind from the west, {n} observations"}}],"structuredContent":{{"temperature":11.5,"observations":{n}}}}}}}"#
            )
        };
        let message = format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":"info","logger":"weather","data":"observation {n} of {place} taken from the cache in 3 ms"}}}}"#
        );
        for (direction, frame) in [
            (Direction::ClientToServer, call),
            (Direction::ServerToClient, message.clone()),
            (Direction::ServerToClient, answer),
            (Direction::ServerToClient, message),
        ] {
            recording
                .tap
                .frame(direction, frame.into(), Carriage::default())
                .await?;
        }
    }
    recording.finish().await?;
    Ok(())
}
