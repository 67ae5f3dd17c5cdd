//! From the start of the process to the first paint, and to the connected demo server with its tools listed.

use std::path::Path;
use std::time::Duration;

use super::{Started, page, procs};
use crate::Error;
use crate::report::{Report, quantile, shown};

const RUNS: usize = 5;

pub(super) async fn measure(program: &Path, report: &mut Report) -> Result<(), Error> {
    let (mut paints, mut connects) = (Vec::new(), Vec::new());
    // The first one warms the disk.
    for run in 0..=RUNS {
        let Started { app, pid, .. } = &Started::empty(program).await?;
        let started = procs::started_ms(pid).ok_or("no /proc here")?;
        let painted = "performance.getEntriesByName('first-contentful-paint').length > 0";
        app.until(painted).await?;
        let paint = "performance.timeOrigin + performance.getEntriesByName('first-contentful-paint')[0].startTime";
        let paint = app.eval(paint).await?.as_f64().unwrap_or_default() - started;
        let paint = Duration::from_secs_f64(paint / 1e3);
        // Both clicks in the page, as soon as there is something to click on.
        app.server("Demo server").await?;
        let act = "[...document.querySelectorAll('[data-testid=server-row]')].find(row => row.innerText.includes('Demo server')).click();
            const press = () => { const button = document.querySelector('[data-testid=connect]'); button ? button.click() : requestAnimationFrame(press); };
            press();";
        let listed = "document.querySelector('[data-testid=server-row][data-state=connected]') && document.querySelectorAll('[data-testid=tool-row]').length > 3";
        let connected = page::watch(app, act, listed, Duration::ZERO).await?;
        if run > 0 {
            paints.push(paint);
            connects.push(paint + connected.took);
        }
    }
    paints.sort();
    connects.sort();
    let [paint, worst] = [0.5, 1.0].map(|part| quantile(&paints, part));
    report.held(
        "start of the process to first paint",
        &format!("{} (worst {})", shown(paint), shown(worst)),
        "< 1.0 s",
        paint < Duration::from_secs(1),
    );
    let [connect, worst] = [0.5, 1.0].map(|part| quantile(&connects, part));
    report.held(
        "the same and Connect to the demo server's tools listed",
        &format!("{} (worst {})", shown(connect), shown(worst)),
        "< 1.5 s",
        connect < Duration::from_millis(1500),
    );
    Ok(())
}
