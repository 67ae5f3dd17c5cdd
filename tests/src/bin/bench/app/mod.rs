//! Figures of the desktop app, driven through WebDriver: `bench app WORDS…`; none means all but the soak.
//!
//! The words: `start`, `calls`, `results`, `bursts`, `tools`, `history`, `soak`. Needs a display and the release build of the app.

mod bursts;
mod calls;
mod history;
mod page;
mod procs;
mod results;
mod soak;
mod start;
mod tools;

use std::path::{Path, PathBuf};

use framescope_tests::driver::App;
use framescope_tests::peers::program;

use crate::Error;
use crate::report::Report;

/// Runs the parts that are asked for. A part that fails is a line of the report, and the others run.
pub(crate) async fn measure(words: &[String], report: &mut Report) -> Result<(), Error> {
    let app = program("framescope").ok_or("the app is not built")?;
    let wanted = |part: &str| words.is_empty() || words.iter().any(|word| word == part);
    if wanted("start") {
        failing("start", start::measure(&app, report).await, report);
    }
    if wanted("calls") {
        failing("calls", calls::measure(&app, report).await, report);
    }
    if wanted("results") {
        failing("results", results::measure(&app, report).await, report);
    }
    if wanted("bursts") {
        failing("bursts", bursts::measure(&app, report).await, report);
    }
    if wanted("tools") {
        failing("tools", tools::measure(&app, report).await, report);
    }
    if wanted("history") {
        failing("history", history::measure(&app, report).await, report);
    }
    if words.iter().any(|word| word == "soak") {
        failing("soak", soak::measure(&app, report).await, report);
    }
    Ok(())
}

fn failing(part: &str, outcome: Result<(), Error>, report: &mut Report) {
    if let Err(error) = outcome {
        report.line(part, "failed", &error.to_string());
    }
}

/// The app on a data folder of its own.
struct Started {
    app: App,
    pid: String,
    data: tempfile::TempDir,
}

impl Started {
    async fn empty(program: &Path) -> Result<Self, Error> {
        Self::on(program, tempfile::tempdir()?).await
    }

    async fn on(program: &Path, data: tempfile::TempDir) -> Result<Self, Error> {
        let app = App::start(program, data.path()).await?;
        let pid = app.pid()?;
        Ok(Self { app, pid, data })
    }
}

/// The command line of the measured server, with so many tools beside its own.
fn echo(more: usize) -> Result<Vec<String>, Error> {
    let bench: PathBuf = std::env::current_exe()?;
    Ok(vec![
        bench.to_string_lossy().into_owned(),
        "echo".into(),
        more.to_string(),
    ])
}
