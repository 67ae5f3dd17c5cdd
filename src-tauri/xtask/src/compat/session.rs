//! One run of the command line tool on a server, and what its recorded session tells.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::Value;

use super::place::{Place, home};
use super::processes::{Left, MARK, bounded, environment, left, outlive};
use super::table::Server;
use crate::run::programs;

/// How long processes get that a server moved out of its group, in steps of 50 ms.
const MOMENT: u32 = 60;

/// What came of one run.
#[derive(Debug)]
pub(super) struct Run {
    /// The exit code; none where it was killed.
    pub(super) code: Option<i32>,
    pub(super) stdout: String,
    /// What it said, without the line that names the session.
    pub(super) said: Vec<String>,
    pub(super) log: Log,
    /// Processes that were left when it had ended.
    pub(super) left: Vec<Left>,
    /// Those that were left three seconds later too.
    pub(super) still: Vec<Left>,
}

/// What a recorded session tells.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) era: String,
    pub(super) revision: String,
    pub(super) capabilities: Value,
    /// From the start of the process or connection to the agreed revision, in milliseconds.
    pub(super) start_ms: Option<i64>,
    /// From the last request to its answer, in milliseconds.
    pub(super) answer_ms: Option<i64>,
    /// How it ended: `exit code 0`, `SIGTERM`.
    pub(super) ended: String,
    /// Processes or connections that were needed.
    pub(super) conns: u64,
    /// What the client decided on the way.
    pub(super) handshake: Vec<String>,
    /// Frames of the server that are no JSON-RPC message.
    pub(super) noise: Vec<String>,
    /// Methods of the server's requests.
    pub(super) asked: BTreeSet<String>,
    /// Methods of the server's notifications.
    pub(super) notified: BTreeSet<String>,
    /// Bytes of the largest frame of the server.
    pub(super) largest: usize,
    /// Notes that something went wrong: `timed-out`, `unanswered`, `over-limit` …
    pub(super) trouble: Vec<String>,
    /// Process groups of the processes that were started.
    pub(super) groups: BTreeSet<u32>,
}

/// Runs `framescope-cli ARGS SERVER` and reads back what it recorded.
pub(super) fn run(
    server: &Server,
    place: &Place,
    mark: &str,
    args: &[&str],
) -> Result<Run, String> {
    let cli = programs("debug").join("framescope-cli");
    let cli = cli.to_string_lossy();
    let data = home().join("data");
    let data = data.to_string_lossy();
    let mut words: Vec<String> = ["--data-dir", &data, "--timeout", "60", "--json"]
        .iter()
        .chain(args)
        .map(|&word| word.to_owned())
        .collect();
    match &server.url {
        Some(url) => {
            words.extend(["--url".to_owned(), place.fill(url)]);
            if let Some(transport) = &server.transport {
                words.extend(["--transport".to_owned(), transport.clone()]);
            }
        }
        None => {
            words.push("--".to_owned());
            words.extend(place.words(&server.start));
        }
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut command = bounded(&cli, &words);
    environment(&mut command, server, place);
    let output = command
        .env(MARK, mark)
        .current_dir(place.scratch())
        .output()
        .map_err(|error| format!("cannot start {cli}: {error}"))?;
    let left = left(mark);
    let still = outlive(left.clone(), mark, MOMENT);

    let mut said = vec![];
    let mut id = None;
    for line in String::from_utf8_lossy(&output.stderr).lines() {
        let line = line.strip_prefix("framescope-cli: ").unwrap_or(line);
        match line.strip_prefix("session ") {
            Some(named) => id = Some(named.to_owned()),
            None => said.push(line.to_owned()),
        }
    }
    let id = id.ok_or_else(|| format!("it names no session: {}", said.join(" ")))?;
    let capture = bounded(&cli, &["--data-dir", &data, "--json", "log", &id])
        .output()
        .map_err(|error| format!("cannot start {cli}: {error}"))?;
    let log = Log::read(&String::from_utf8_lossy(&capture.stdout))?;
    Ok(Run {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        said,
        log,
        left,
        still,
    })
}

impl Log {
    /// Reads a capture (`docs/capture-format.md`). It fails where the capture is none, or has a gap.
    fn read(capture: &str) -> Result<Self, String> {
        let mut log = Self::default();
        let mut times = Times::default();
        for (at, line) in capture.lines().enumerate() {
            let record: Value = serde_json::from_str(line)
                .map_err(|error| format!("line {at} of the capture: {error}"))?;
            if at == 0 {
                continue;
            }
            if record["seq"] != at {
                return Err(format!("the log has a gap before #{}", record["seq"]));
            }
            log.take(&record, &mut times);
        }
        let ms = |from: Option<i64>, to: Option<i64>| Some((to? - from?) / 1000);
        log.start_ms = ms(times.opened, times.negotiated);
        log.answer_ms = ms(times.asked, times.answered);
        Ok(log)
    }

    fn take(&mut self, record: &Value, times: &mut Times) {
        let at = record["at_us"].as_i64();
        let text = record["body"].as_str().unwrap_or_default();
        let text = message(text);
        let body: Value = serde_json::from_str(&text).unwrap_or_default();
        match (record["event"].as_str(), record["direction"].as_str()) {
            (Some("opened"), _) => {
                times.opened = times.opened.or(at);
                self.conns += 1;
                let pid = body["pid"].as_u64().and_then(|pid| u32::try_from(pid).ok());
                self.groups.extend(pid);
            }
            (Some("note"), _) => self.take_note(&body, at, times),
            (Some("closed"), _) => {
                self.ended = match (&body["signal"], &body["code"]) {
                    (Value::String(signal), _) => signal.clone(),
                    (_, Value::Number(code)) => format!("exit code {code}"),
                    _ => body["reason"].as_str().unwrap_or_default().to_owned(),
                };
            }
            (Some("frame"), Some("c2s"))
                if body["id"] != Value::Null && body["method"] != Value::Null =>
            {
                times.asked = at;
                times.id = body["id"].clone();
            }
            (Some("frame"), Some("s2c")) => self.take_frame(&body, &text, at, times),
            _ => {}
        }
    }

    fn take_note(&mut self, body: &Value, at: Option<i64>, times: &mut Times) {
        let text = |field: &str| body[field].as_str().unwrap_or_default().to_owned();
        match text("note").as_str() {
            "negotiated" => {
                times.negotiated = at;
                self.era = text("era");
                self.revision = text("revision");
                self.capabilities = body["capabilities"].clone();
            }
            "handshake" => self.handshake.push(text("text")),
            "answered-by-rule" => {}
            other => self.trouble.push(other.to_owned()),
        }
    }

    fn take_frame(&mut self, body: &Value, text: &str, at: Option<i64>, times: &mut Times) {
        self.largest = self.largest.max(text.len());
        match (body["method"].as_str(), &body["id"]) {
            // An event without data carries no message: a server may send one to say how to resume.
            _ if text.is_empty() => {}
            _ if body["jsonrpc"] != "2.0" => self.noise.push(text.to_owned()),
            (Some(method), Value::Null) => drop(self.notified.insert(method.to_owned())),
            (Some(method), _) => drop(self.asked.insert(method.to_owned())),
            (None, id) if *id == times.id => times.answered = at,
            (None, _) => {}
        }
    }
}

/// The message in a body: the body itself, or the data of an event.
fn message(body: &str) -> Cow<'_, str> {
    const FIELDS: [&str; 5] = ["data:", "event:", "id:", "retry:", ":"];
    let event = FIELDS.iter().any(|field| body.starts_with(field));
    if !event {
        return Cow::Borrowed(body);
    }
    let data = body.lines().filter_map(|line| line.strip_prefix("data:"));
    Cow::Owned(data.map(str::trim_start).collect::<Vec<_>>().join("\n"))
}

/// Moments of a session, in microseconds.
#[derive(Debug, Default)]
struct Times {
    opened: Option<i64>,
    negotiated: Option<i64>,
    asked: Option<i64>,
    id: Value,
    answered: Option<i64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Result<Log, String> {
        Log::read(&[&["{}"], lines].concat().join("\n"))
    }

    const NEGOTIATED: &str = r#"{"seq":2,"at_us":251000,"event":"note","body":"{\"note\":\"negotiated\",\"era\":\"legacy\",\"revision\":\"2025-11-25\",\"capabilities\":{\"tools\":{}}}"}"#;

    #[test]
    fn a_capture_becomes_facts() {
        let log = read(&[
            r#"{"seq":1,"at_us":1000,"event":"opened","body":"{\"pid\":7}"}"#,
            NEGOTIATED,
            r#"{"seq":3,"at_us":252000,"event":"frame","direction":"s2c","body":"Listening!"}"#,
            r#"{"seq":4,"at_us":253000,"event":"frame","direction":"c2s","body":"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\"}"}"#,
            r#"{"seq":5,"at_us":254000,"event":"frame","direction":"s2c","body":"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"roots/list\"}"}"#,
            r#"{"seq":6,"at_us":255000,"event":"frame","direction":"s2c","body":"{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}"}"#,
            r#"{"seq":7,"at_us":295000,"event":"closed","body":"{\"reason\":\"closed\",\"signal\":\"SIGTERM\"}"}"#,
        ])
        .expect("a capture");
        let times = (log.start_ms, log.answer_ms);
        assert_eq!(times, (Some(250), Some(2)));
        assert_eq!(
            (log.revision.as_str(), log.ended.as_str()),
            ("2025-11-25", "SIGTERM")
        );
        assert_eq!((log.groups, log.conns), (BTreeSet::from([7]), 1));
        assert_eq!(log.noise, ["Listening!"]);
        assert!(log.asked.contains("roots/list"), "{:?}", log.asked);
        assert!(log.trouble.is_empty(), "{:?}", log.trouble);
    }

    #[test]
    fn a_message_is_found_in_an_event() {
        for (body, expected) in [
            (r#"{"id":1}"#, r#"{"id":1}"#),
            ("data: {\ndata: }", "{\n}"),
            ("event: message\nid: 7\ndata: {}", "{}"),
            ("id: 7\nretry: 100\ndata:", ""),
            (": still here", ""),
            ("Listening: yes", "Listening: yes"),
        ] {
            assert_eq!(message(body), expected, "{body}");
        }
    }

    #[test]
    fn a_gap_is_an_error() {
        let gap = read(&[NEGOTIATED]).expect_err("#1 is missing");
        assert!(gap.contains("gap before #2"), "{gap}");
    }
}
