//! One server tried: connect, list what it declares, call, close; and what was odd about it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::place::{Place, folder_name, home};
use super::processes::{Listening, kill, left};
use super::session::{Run, run};
use super::table::{Call, Server, Source};
use crate::proc::{output, root};

/// The lists beside that of tools: the word of the command line, and the capability that declares it.
const LISTS: &[(&str, &str)] = &[
    ("resources", "resources"),
    ("templates", "resources"),
    ("prompts", "prompts"),
];

/// Revisions of the handshake, newest first.
const LEGACY: &[&str] = &["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// A frame that is longer is worth a word, in bytes.
const LARGE_FRAME: usize = 64 * 1024;

/// What is known of one server after it was tried.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) package: String,
    pub(super) version: String,
    pub(super) reached: String,
    /// The day, `2026-11-30`.
    pub(super) date: String,
    /// The revision that was agreed when none was asked for.
    pub(super) revision: String,
    /// Older revisions that were agreed when they were asked for.
    pub(super) older: Vec<String>,
    pub(super) start_ms: Option<i64>,
    pub(super) offers: String,
    /// The tool that was called.
    pub(super) tool: Option<String>,
    pub(super) answer: Answer,
    /// The start of what the call brought.
    pub(super) said: String,
    pub(super) answer_ms: Option<i64>,
    pub(super) ended: String,
    pub(super) odd: Vec<String>,
    /// What must not be: of these the command fails.
    pub(super) failed: Vec<String>,
}

/// What the call brought.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, PartialEq, Eq)]
pub(super) enum Answer {
    /// None was made: all of its tools need credentials.
    #[default]
    None,
    Result,
    /// An error, as is right without a network or an account.
    Error,
    Wrong,
}

/// Tries one server. Whatever goes wrong is in the row.
pub(super) fn try_server(server: &Server) -> Row {
    let mut row = Row {
        name: server.name.clone(),
        package: server.package.clone(),
        version: version(server),
        reached: server.reached().to_owned(),
        date: output("date", &["-u", "+%F"])
            .unwrap_or_default()
            .trim()
            .to_owned(),
        ..Row::default()
    };
    let mark = format!("{}-{}", folder_name(&server.name), std::process::id());
    if let Err(error) = Place::prepare(server).and_then(|place| row.fill(server, &place, &mark)) {
        row.failed.push(error);
    }
    for process in left(&mark) {
        kill(&process.pid.to_string());
    }
    row
}

fn version(server: &Server) -> String {
    if server.from != Source::Here {
        return server.version.clone();
    }
    let lock = std::fs::read_to_string(root().join("Cargo.lock")).unwrap_or_default();
    let name = format!("name = \"{}\"\nversion = \"", server.package);
    let rest = lock.split_once(&name).map(|(_, rest)| rest);
    rest.and_then(|rest| rest.split('"').next())
        .unwrap_or_default()
        .to_owned()
}

impl Row {
    fn fill(&mut self, server: &Server, place: &Place, mark: &str) -> Result<(), String> {
        let log = home().join("logs").join(folder_name(&server.name) + ".txt");
        let _listening = match &server.url {
            Some(_) => Some(Listening::start(server, place, mark, &log)?),
            None => None,
        };
        let go = |args: &[&str]| run(server, place, mark, args);
        let tools = go(&["list", "tools"])?;
        self.connected(&tools)?;
        let mut offers = vec![self.list("tools", &tools)];
        self.notes(&tools, "while the tools are listed");
        for (list, capability) in LISTS {
            if tools.log.capabilities[capability] != Value::Null {
                let listed = go(&["list", list])?;
                offers.push(self.list(list, &listed));
                self.notes(&listed, &format!("while {list} are listed"));
            }
        }
        self.offers = offers.into_iter().flatten().collect::<Vec<_>>().join(", ");
        if let Some(call) = &server.call {
            let arguments = place.fill(&call.arguments.to_string());
            let called = go(&["call", &call.tool, "--args", &arguments])?;
            self.called(call, &called);
            self.notes(&called, "during the call");
        }
        let older: &[&str] = match (server.revisions, tools.log.era.as_str()) {
            (true, _) => LEGACY,
            (false, "modern") => &["legacy"],
            (false, _) => &[],
        };
        for era in older {
            if *era != tools.log.revision {
                let listed = go(&["--era", era, "list", "tools"])?;
                self.older(era, &tools, &listed);
            }
        }
        Ok(())
    }

    fn connected(&mut self, run: &Run) -> Result<(), String> {
        if run.log.revision.is_empty() {
            return Err(format!("it did not connect: {}", run.said.join(" ")));
        }
        self.revision.clone_from(&run.log.revision);
        self.start_ms = run.log.start_ms;
        self.ended.clone_from(&run.log.ended);
        if run.log.conns > 1 {
            self.odd(format!("was started {} times", run.log.conns));
        }
        for text in &run.log.handshake {
            // What every legacy server answers is not odd.
            if !text.contains("-32601") {
                let text = text.trim_end_matches("; trying initialize");
                self.odd(
                    text.replace("the server answered", "answers")
                        .replace("the server ", ""),
                );
            }
        }
        Ok(())
    }

    /// `3 tools`; none where the list is empty or was refused.
    fn list(&mut self, what: &str, run: &Run) -> Option<String> {
        let items: Option<Vec<Value>> = serde_json::from_str(&run.stdout).ok();
        match (run.code, items) {
            (Some(0), Some(items)) => {
                let one = what.trim_end_matches('s');
                match items.len() {
                    0 => None,
                    1 => Some(format!("1 {one}")),
                    n => Some(format!("{n} {what}")),
                }
            }
            (Some(1), _) => {
                self.odd(format!("declares {what}, and: {}", run.said.join(" ")));
                None
            }
            (code, _) => {
                self.failed.push(format!(
                    "list {what}: exit code {code:?}: {}",
                    run.said.join(" ")
                ));
                None
            }
        }
    }

    fn called(&mut self, call: &Call, run: &Run) {
        self.tool = Some(call.tool.clone());
        self.answer_ms = run.log.answer_ms;
        self.start_ms = self.start_ms.min(run.log.start_ms);
        self.ended.clone_from(&run.log.ended);
        // Some servers tell of a failure in a result, some in an error.
        let answered = run.code == Some(0) || call.fails && run.code == Some(1);
        let answer = format!("{} {}", run.stdout, run.said.join(" "));
        self.answer = match (answered && answer.contains(&call.has), call.fails) {
            (true, true) => Answer::Error,
            (true, false) => Answer::Result,
            (false, _) => Answer::Wrong,
        };
        self.said = answer.chars().take(400).collect();
        if self.answer == Answer::Wrong {
            let (code, said) = (run.code, &self.said);
            self.failed
                .push(format!("call {}: exit code {code:?}: {said}", call.tool));
        }
    }

    fn older(&mut self, era: &str, first: &Run, run: &Run) {
        let revision = &run.log.revision;
        if revision.is_empty() {
            self.odd(format!("refuses {era}: {}", run.said.join(" ")));
            return;
        }
        if era.starts_with('2') && era != revision {
            self.odd(format!("asked for {era}, agrees on {revision}"));
        } else if !self.older.contains(revision) {
            self.older.push(revision.clone());
        }
        if run.stdout.len() != first.stdout.len() && count(&run.stdout) != count(&first.stdout) {
            self.odd(format!("lists other tools in {revision}"));
        }
        self.notes(run, &format!("in {revision}"));
    }

    /// What holds of every run.
    fn notes(&mut self, run: &Run, when: &str) {
        let log = &run.log;
        let noise = "prints lines to stdout that are no messages";
        if let (Some(line), false) = (log.noise.first(), self.has(noise)) {
            let start: String = line.chars().take(60).collect();
            self.odd(format!("{noise}, such as `{start}`"));
        }
        for method in &log.asked {
            self.odd(format!("asks the client for `{method}`"));
        }
        for method in &log.notified {
            self.odd(format!("sends `{method}` unasked"));
        }
        for trouble in &log.trouble {
            self.odd(format!("{trouble} {when}"));
        }
        if log.largest > LARGE_FRAME && !self.has("sends messages of") {
            self.odd(format!("sends messages of {} KiB", log.largest / 1024));
        }
        if log.ended.starts_with("SIG") {
            self.odd(format!(
                "does not always end in time after its stdin was closed: was sent {}",
                log.ended
            ));
        } else if log.ended != "exit code 0" && log.ended != "closed" {
            self.odd(format!("ends with {} when its stdin is closed", log.ended));
        }
        if self.reached == "stdio" {
            self.left(run, when);
        }
    }

    /// No process of the group may be left. One that the server moved out of it is beyond reach, and worth a word.
    fn left(&mut self, run: &Run, when: &str) {
        for process in &run.left {
            if process
                .group
                .is_some_and(|group| run.log.groups.contains(&group))
            {
                self.failed
                    .push(format!("left behind {when}: {}", process.words));
                continue;
            }
            let then = match run.still.contains(process) {
                true => "was there 3 s later too",
                false => "ended by itself a moment later",
            };
            let short = process.short();
            self.odd(format!(
                "moved `{short}` out of its process group, which {then}"
            ));
        }
    }

    fn has(&self, start: &str) -> bool {
        self.odd.iter().any(|words| words.starts_with(start))
    }

    fn odd(&mut self, words: String) {
        if !self.odd.contains(&words) {
            self.odd.push(words);
        }
    }
}

fn count(list: &str) -> usize {
    serde_json::from_str::<Vec<Value>>(list).map_or(0, |items| items.len())
}
