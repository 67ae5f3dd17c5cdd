//! This program's own log, `logs/framescope.log` of the data folder: what it did, never what crossed a wire.

use std::fs::{self, File};
use std::path::Path;
use std::sync::Mutex;

use tracing_subscriber::EnvFilter;

/// Starts a new log file and keeps the one before. Without a file the app runs all the same, and says so on stderr.
pub(crate) fn start(dir: &Path) {
    let filter = EnvFilter::try_from_env("FRAMESCOPE_LOG")
        .unwrap_or_else(|_| EnvFilter::new("warn,framescope_app=info,framescope_core=info"));
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false);
    let started = match file(dir) {
        Ok(file) => builder.with_writer(Mutex::new(file)).try_init(),
        Err(_) => builder.with_writer(std::io::stderr).try_init(),
    };
    // A second start of the log can only be that of a test.
    if started.is_ok() {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            tracing::error!("{panic}");
            before(panic);
        }));
    }
}

fn file(dir: &Path) -> std::io::Result<File> {
    let dir = dir.join("logs");
    fs::create_dir_all(&dir)?;
    let path = dir.join("framescope.log");
    if path.exists() {
        fs::rename(&path, dir.join("framescope.old.log"))?;
    }
    File::create(path)
}
