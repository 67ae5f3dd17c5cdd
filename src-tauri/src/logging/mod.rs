//! This program's own log: what it did, never what crossed a wire. It is in `logs/framescope.log` of the data folder, a few
//! files of bounded size, and its newest lines are in memory for the page. Known secrets are masked in both.

mod file;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use framescope_core::record::{Clock, process_secrets};
use parking_lot::Mutex;
use tokio::sync::watch;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::{FormatTime as _, SystemTime};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Registry, reload};

use file::LogFile;

/// Lines in memory.
const TAIL: usize = 2000;
/// A longer line is cut, in bytes.
const LONGEST: usize = 16 * 1024;

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Milliseconds since the epoch.
    pub(crate) at: i64,
    pub(crate) level: Level,
    /// The part of this app.
    pub(crate) target: String,
    pub(crate) text: String,
}

/// The newest lines.
#[derive(Debug)]
pub(crate) struct Newest {
    pub(crate) lines: Vec<Line>,
    pub(crate) level: Level,
    /// The file, where there is one.
    pub(crate) path: PathBuf,
    /// Older lines that are in the file alone.
    pub(crate) dropped: u64,
}

/// The log of this process.
static LOG: LazyLock<Arc<Log>> = LazyLock::new(Arc::default);

/// Where lines go.
struct Log {
    lines: Mutex<Lines>,
    changes: watch::Sender<u64>,
    /// Sets from which level on.
    filter: Mutex<Option<reload::Handle<EnvFilter, Registry>>>,
}

struct Lines {
    tail: VecDeque<Line>,
    dropped: u64,
    file: Option<LogFile>,
    path: PathBuf,
    level: Level,
}

impl Default for Log {
    fn default() -> Self {
        let lines = Lines {
            tail: VecDeque::new(),
            dropped: 0,
            file: None,
            path: PathBuf::new(),
            level: Level::INFO,
        };
        Self {
            lines: Mutex::new(lines),
            changes: watch::Sender::new(0),
            filter: Mutex::new(None),
        }
    }
}

/// Starts the log. Without a file the app runs all the same, and its lines go to stderr.
pub(crate) fn start(dir: &Path) {
    let filter = EnvFilter::try_from_env("FRAMESCOPE_LOG").unwrap_or_else(|_| of(Level::INFO));
    let (filter, handle) = reload::Layer::new(filter);
    let path = dir.join("logs").join("framescope.log");
    {
        let mut lines = LOG.lines.lock();
        lines.file = LogFile::open(&path).ok();
        lines.path = path;
    }
    *LOG.filter.lock() = Some(handle);
    let layers = tracing_subscriber::registry()
        .with(filter)
        .with(Lined(Arc::clone(&LOG)));
    // A second start of the log can only be that of a test.
    if layers.try_init().is_ok() {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            tracing::error!("{panic}");
            before(panic);
        }));
        tracing::info!("Framescope {} has started", env!("CARGO_PKG_VERSION"));
    }
}

/// Writes lines from that level on, from now on. Of the libraries warnings at most: what they tell beyond may hold what crossed a
/// wire.
pub(crate) fn set_level(level: Level) {
    LOG.lines.lock().level = level;
    if let Some(filter) = &*LOG.filter.lock() {
        // It is gone only where there is no log at all.
        let _ = filter.reload(of(level));
    }
}

/// The newest lines, oldest first.
pub(crate) fn newest() -> Newest {
    let lines = LOG.lines.lock();
    Newest {
        lines: lines.tail.iter().cloned().collect(),
        level: lines.level,
        path: lines.path.clone(),
        dropped: lines.dropped,
    }
}

/// Counts up with each line.
pub(crate) fn changes() -> watch::Receiver<u64> {
    LOG.changes.subscribe()
}

/// The name of a level, as the page and the settings have it.
pub(crate) fn name(level: Level) -> &'static str {
    match level {
        Level::ERROR => "error",
        Level::WARN => "warn",
        Level::INFO => "info",
        Level::DEBUG => "debug",
        Level::TRACE => "trace",
    }
}

fn of(level: Level) -> EnvFilter {
    let others = name(level.min(Level::WARN));
    let own = name(level);
    EnvFilter::new(format!(
        "{others},framescope_app={own},framescope_core={own},framescope={own}"
    ))
}

/// Makes a line of an event.
struct Lined(Arc<Log>);

impl<S: Subscriber> Layer<S> for Lined {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut said = Said::default();
        event.record(&mut said);
        let meta = event.metadata();
        self.0.add(Line {
            at: Clock::start().now_us() / 1000,
            level: *meta.level(),
            target: said.target.unwrap_or_else(|| meta.target().to_owned()),
            text: said.message + &said.fields,
        });
    }
}

impl Log {
    fn add(&self, mut line: Line) {
        let end = line.text.floor_char_boundary(LONGEST);
        if end < line.text.len() {
            line.text.truncate(end);
            line.text.push('…');
        }
        let (masked, _) = process_secrets().mask(&Bytes::from(line.text));
        line.text = String::from_utf8_lossy(&masked).into_owned();
        let written = written(&line);
        let mut lines = self.lines.lock();
        let kept = lines
            .file
            .as_mut()
            .map(|file| file.write(written.as_bytes()));
        if !matches!(kept, Some(Ok(()))) {
            use std::io::Write as _;
            // Nobody is left to be told.
            let _ = std::io::stderr().lock().write_all(written.as_bytes());
        }
        if lines.tail.len() == TAIL {
            lines.tail.pop_front();
            lines.dropped += 1;
        }
        lines.tail.push_back(line);
        drop(lines);
        self.changes.send_modify(|count| *count += 1);
    }
}

/// A line as it stands in the file; line breaks within are marked, so that nothing pretends to be a line of its own.
fn written(line: &Line) -> String {
    let mut text = String::with_capacity(line.text.len() + 80);
    // Writing into a string does not fail.
    let _ = SystemTime.format_time(&mut Writer::new(&mut text));
    let body = line.text.replace('\n', "\n    ");
    let _ = writeln!(text, " {:>5} {}: {body}", line.level.as_str(), line.target);
    text
}

/// What an event says.
#[derive(Default)]
struct Said {
    message: String,
    fields: String,
    /// Of a line of the `log` crate.
    target: Option<String>,
}

impl Said {
    fn add(&mut self, field: &Field, value: fmt::Arguments<'_>) {
        let written = match field.name() {
            "message" => write!(self.message, "{value}"),
            "log.target" => {
                self.target = Some(value.to_string());
                Ok(())
            }
            name if name.starts_with("log.") => Ok(()),
            name => write!(self.fields, " {name}={value}"),
        };
        // Writing into a string does not fail; what a value says of itself may.
        let _ = written;
    }
}

impl Visit for Said {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field, format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.add(field, format_args!("{value:?}"));
    }
}
