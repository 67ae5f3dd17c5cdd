//! Measures inside the page, so that the driver's own time is not in it.

use std::time::Duration;

use framescope_tests::driver::App;
use serde_json::Value;

use crate::Error;

/// How long the page was asked to do something before it is given up.
const PATIENCE: Duration = Duration::from_secs(120);

/// Watches the page: frames by `requestAnimationFrame`, blocks of its thread by the gaps of a timer that asks to run again at
/// once, both in milliseconds. `end` is set in the frame after `done()` has become true, when that is drawn.
const WATCH: &str = r"
const watch = { start: performance.now(), end: null, frames: [], block: 0, blockAt: 0, stopped: false };
window.watch && (window.watch.stopped = true);
window.watch = watch;
let last = watch.start, holds = false;
const frame = () => {
    const now = performance.now();
    watch.frames.push(now - last);
    last = now;
    if (holds && watch.end === null) watch.end = now;
    holds ||= Boolean(done());
    if (!watch.stopped) requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
let before = watch.start;
const channel = new MessageChannel();
const beat = () => {
    const now = performance.now();
    if (now - before > watch.block) { watch.block = now - before; watch.blockAt = before - watch.start; }
    before = now;
    if (!watch.stopped) setTimeout(beat, 4);
};
beat();
";

/// What was seen while something happened.
#[derive(Clone, Debug)]
pub(super) struct Watched {
    /// From the act to the drawn end.
    pub(super) took: Duration,
    /// The longest time for which the page's thread did nothing else.
    pub(super) block: Duration,
    /// Times between frames, sorted.
    pub(super) frames: Vec<Duration>,
}

/// Does `act` (statements) in the page and watches it until `done` (an expression) is true, and for `more` after that.
pub(super) async fn watch(
    app: &App,
    act: &str,
    done: &str,
    more: Duration,
) -> Result<Watched, Error> {
    begin(app, act, done).await?;
    end(app, done, more).await
}

/// Begins to watch.
pub(super) async fn begin(app: &App, act: &str, done: &str) -> Result<(), Error> {
    let script = format!("const done = () => ({done});\n{WATCH}\n{act}");
    app.page().execute(&script, vec![]).await?;
    Ok(())
}

/// Waits until what was begun is done.
pub(super) async fn end(app: &App, done: &str, more: Duration) -> Result<Watched, Error> {
    let over = async {
        while app.eval("window.watch.end !== null").await? != Value::Bool(true) {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Ok::<_, Error>(())
    };
    match tokio::time::timeout(PATIENCE, over).await {
        Ok(outcome) => outcome?,
        Err(_) => return Err(format!("never became true: {done}").into()),
    }
    tokio::time::sleep(more).await;
    let script = "(window.watch.stopped = true, [window.watch.end - window.watch.start, window.watch.block, window.watch.frames])";
    let (took, block, frames): (f64, f64, Vec<f64>) =
        serde_json::from_value(app.eval(script).await?)?;
    let mut frames: Vec<_> = frames.into_iter().map(ms).collect();
    frames.sort();
    Ok(Watched {
        took: ms(took),
        block: ms(block),
        frames,
    })
}

fn ms(ms: f64) -> Duration {
    Duration::from_secs_f64(ms.max(0.0) / 1e3)
}

/// A click on the element with this test id, as a statement.
pub(super) fn click(id: &str) -> String {
    format!("document.querySelector('[data-testid={id:?}]').click();")
}

/// Replaces what stands in a field, as a statement: React hears of it as of typing.
pub(super) fn typed(id: &str, text: &str) -> String {
    format!(
        "{{ const field = document.querySelector('[data-testid={id:?}]'); \
         field.focus(); \
         Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, {text:?}); \
         field.dispatchEvent(new Event('input', {{ bubbles: true }})); }}"
    )
}

/// The rows in sight are drawn, as many as fit.
pub(super) const ROWS_DRAWN: &str = "(() => { \
     const grid = document.querySelector('[data-testid=timeline]'); if (!grid) return false; \
     const box = grid.getBoundingClientRect(); \
     const fit = Math.min(Math.floor((box.height - 22) / 22), Number(grid.dataset.total)); \
     const seen = [...grid.querySelectorAll('[data-testid=timeline-row]')].filter(row => { \
         const at = row.getBoundingClientRect(); return at.bottom > box.top + 22 && at.top < box.bottom; }); \
     return fit > 0 && seen.length >= fit; })()";

/// Elements of the page.
pub(super) async fn nodes(app: &App) -> Result<u64, Error> {
    let nodes = app.eval("document.querySelectorAll('*').length").await?;
    Ok(nodes.as_u64().unwrap_or_default())
}
