//! `docs/compatibility.md`, written from the rows.

use std::fmt::Write as _;

use super::row::{Answer, Row};
use super::table::Server;
use crate::proc::output;

/// The whole page, of the rows in the order of the table; a server that was not tried yet has none.
pub(super) fn page(servers: &[Server], rows: &[Option<Row>]) -> String {
    let tried: Vec<(&Server, &Row)> = servers
        .iter()
        .zip(rows)
        .filter_map(|(server, row)| Some((server, row.as_ref()?)))
        .collect();
    let mut page = head(&tried);
    for (_, row) in &tried {
        line(&mut page, row);
    }
    page.push_str("\n## What was odd\n\n");
    for (server, row) in &tried {
        remarks(&mut page, server, row);
    }
    page
}

fn head(tried: &[(&Server, &Row)]) -> String {
    let count = |holds: fn(&Row) -> bool| tried.iter().filter(|(_, row)| holds(row)).count();
    let (connected, listed) = (
        count(|row| !row.revision.is_empty()),
        count(|row| !row.offers.is_empty()),
    );
    let results = count(|row| row.answer == Answer::Result);
    let errors = count(|row| row.answer == Answer::Error);
    let mut days: Vec<&str> = tried.iter().map(|(_, row)| row.date.as_str()).collect();
    days.sort_unstable();
    days.dedup();
    format!(
        "# Compatibility

Written by `cargo xtask compat` from `tests/compat/servers.json`; not edited by hand. `cargo xtask compat NAME…` tries the
servers again that are named.

{}: of {} ways to reach a server, {connected} connected, {listed} listed what they offer, {results} answered a call with a
result and {errors} with the error that is right without a network or an account. Tried on {}, {}.

- Each row is several runs of `framescope-cli` (`list`, `call`), each with a process of its own; everything but the install
  happens without a network, and without credentials.
- *revision*: agreed when none was asked for; below it the older ones that were agreed when they were asked for.
- *start*: from the start of the process (over HTTP: of the connection) to the agreed revision, `npx` and `uvx` with a warm
  cache; *call*: the answer's time. Both with whatever else the machine did.
- *end*: how the process ended when its stdin was closed. After each run over stdio no process of its group was left, or the
  row is marked **failed**.
- On a busy machine, servers in Python above all may need longer than the client waits: one that says nothing for 10 s after
  its start is taken for a legacy server and started again, and one that has not ended 2 s after its stdin was closed is sent
  SIGTERM. Below that is told of the server; it need not be its fault.

| server | package | by | revision | start | offers | call | end |
|---|---|---|---|---|---|---|---|
",
        days.join(" and "),
        tried.len(),
        system(),
        tools(),
    )
}

fn line(page: &mut String, row: &Row) {
    let ms = |ms: Option<i64>| match ms {
        None => String::new(),
        Some(0) => "under 1 ms".to_owned(),
        Some(ms) => format!("{ms} ms"),
    };
    let older: Vec<String> = row
        .older
        .iter()
        .map(|revision| format!("<br>{revision}"))
        .collect();
    let tool = row.tool.as_deref().unwrap_or_default();
    let call = match row.answer {
        Answer::None => "needs credentials".to_owned(),
        Answer::Result => format!("`{tool}` {}", ms(row.answer_ms)),
        Answer::Error => format!("`{tool}` {}, an error", ms(row.answer_ms)),
        Answer::Wrong => format!("`{tool}` **failed**"),
    };
    let mark = if row.failed.is_empty() {
        ""
    } else {
        " **failed**"
    };
    let _ = writeln!(
        page,
        "| {}{mark} | {} {} | {} | {}{} | {} | {} | {call} | {} |",
        row.name,
        row.package,
        row.version,
        row.reached,
        row.revision,
        older.concat(),
        ms(row.start_ms),
        row.offers,
        if row.ended == "closed" {
            ""
        } else {
            &row.ended
        },
    );
}

fn remarks(page: &mut String, server: &Server, row: &Row) {
    let failed = row
        .failed
        .iter()
        .map(|words| format!("**failed**: {words}"));
    let all: Vec<String> = failed
        .chain(server.remark.clone())
        .chain(row.odd.iter().cloned())
        .map(|words| safe(&words))
        .collect();
    if !all.is_empty() {
        let _ = writeln!(page, "- **{}**: {}", row.name, all.join("; "));
    }
}

/// One line, with no markup but code spans: what a server said stands in it.
fn safe(words: &str) -> String {
    let home = super::place::home();
    let words = words.replace(&*home.to_string_lossy(), "…");
    let words = words.replace('<', "&lt;").replace('|', "\\|");
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn system() -> String {
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = release
        .lines()
        .find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    format!(
        "{}, {cores} cores, a debug build",
        name.unwrap_or("an unknown Linux").trim_matches('"')
    )
}

fn tools() -> String {
    let version = |program: &str, name: &str| {
        let said = output(program, &["--version"]).unwrap_or_default();
        let version = said
            .trim()
            .trim_start_matches(name)
            .trim_start_matches([' ', 'v']);
        format!("{name} {version}")
    };
    format!(
        "{}, {}",
        version("node", "Node"),
        version("python3", "Python")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_server_stay_on_their_line() {
        for (words, expected) in [
            ("a\n\n# b", "a # b"),
            ("<img src=x>", "&lt;img src=x>"),
            ("a | b", "a \\| b"),
        ] {
            assert_eq!(safe(words), expected);
        }
    }
}
