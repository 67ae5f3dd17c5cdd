//! Figures of a release build, each beside its limit in the same run: `cargo xtask bench`.
//!
//! Words choose what is measured: `recorder`, `commit`, `stdio`, `http`, `flood`, `process`, `large`; none means all.
//! `round-trip` measures both round trips on one thread; pinned to one core, both ends share it. `round-trip WHO CALLS` runs
//! one client alone (`reqwest`, `http`, `rmcp`, `stdio`), to count what it does. `--rival WORDS…` adds
//! another command line tool, started by these words. With `echo` or `echo-http` as its first word this program is the server that is measured
//! against (raw bytes, no SDK); with `app` it drives the desktop app; with `peak SIZE` it is a client whose memory is measured.

mod app;
mod commit;
mod echo;
mod http;
mod memory;
mod process;
mod recorder;
mod report;
mod stdio;

use std::io::Write as _;

use report::Report;

type Error = Box<dyn std::error::Error + Send + Sync>;

/// As in the programs.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<(), Error> {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let first = words.first().map(String::as_str);
    match first {
        Some("echo") => {
            let more = words.get(1).and_then(|n| n.parse().ok()).unwrap_or(0);
            return Ok(echo::serve(more)?);
        }
        Some("echo-http") => return Ok(echo::serve_http()?),
        _ => {}
    }
    let mut runtime = if first == Some("round-trip") {
        tokio::runtime::Builder::new_current_thread()
    } else {
        tokio::runtime::Builder::new_multi_thread()
    };
    let runtime = runtime.worker_threads(2).enable_all().build()?;
    if first == Some("peak") {
        let size = words.get(1).ok_or("peak SIZE")?.parse()?;
        let peak = runtime.block_on(memory::peak(size))?;
        return Ok(writeln!(std::io::stdout(), "{peak}")?);
    }
    if first == Some("app") {
        let mut report = Report::default();
        runtime.block_on(app::measure(&words[1..], &mut report))?;
        report.print();
        return Ok(());
    }
    let rival = words.iter().position(|word| word == "--rival");
    let rival = rival.map(|at| words.drain(at..).skip(1).collect::<Vec<_>>());
    let mut report = Report::default();
    runtime.block_on(in_process(&words, &mut report))?;
    if wanted(&words, "process") {
        process::measure(&mut report, rival.as_deref())?;
    }
    if wanted(&words, "large") {
        memory::large(&mut report)?;
    }
    report.print();
    Ok(())
}

/// One client alone, so that what it does can be counted.
async fn one(who: &str, calls: usize, report: &mut Report) -> Result<(), Error> {
    let times = match who {
        "reqwest" => http::reqwest_alone(&http::Server::start()?.url, calls).await?,
        "http" => http::recorded(&http::Server::start()?.url, calls).await?,
        "rmcp" => stdio::rmcp_client(calls).await?,
        "stdio" => stdio::recorded(calls).await?,
        _ => return Err("round-trip reqwest|http|rmcp|stdio CALLS".into()),
    };
    let p50 = report::shown(report::quantile(&times, 0.5));
    report.line(&format!("{calls} calls, {who}, p50"), &p50, "");
    Ok(())
}

fn wanted(words: &[String], part: &str) -> bool {
    words.is_empty() || words.iter().any(|word| word == part)
}

async fn in_process(words: &[String], report: &mut Report) -> Result<(), Error> {
    let round_trips = words == ["round-trip"];
    if let [first, who, calls] = words
        && first == "round-trip"
    {
        return one(who, calls.parse()?, report).await;
    }
    if wanted(words, "recorder") {
        recorder::measure(report).await?;
    }
    if wanted(words, "commit") {
        commit::measure(report).await?;
    }
    if round_trips || wanted(words, "stdio") {
        stdio::round_trip(report).await?;
    }
    if round_trips || wanted(words, "http") {
        http::round_trip(report).await?;
    }
    if wanted(words, "flood") {
        stdio::flood(report).await?;
    }
    Ok(())
}
