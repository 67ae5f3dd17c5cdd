//! Whole processes: `framescope-cli` against a raw pipe that does the same.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use framescope_tests::peers::{node_peer, program};

use crate::Error;
use crate::report::{Report, quantile, shown, times};
use crate::stdio::echo_command;

const RUNS: usize = 15;

/// `rival`: the words that start the official command line tool.
pub(crate) fn measure(report: &mut Report, rival: Option<&[String]>) -> Result<(), Error> {
    let cli = program("framescope-cli").ok_or("framescope-cli is not built")?;
    let cli = [cli.to_string_lossy().into_owned()];
    let (echo, echo_args) = echo_command()?;
    let native: Vec<String> = std::iter::once(echo).chain(echo_args).collect();
    let torture = node_peer("torture.mjs");
    // torture.mjs has no tool of this name, so only its list is asked for.
    let servers = [
        ("native server", Some(native), 0),
        ("torture.mjs", torture, 1),
    ];
    for (peer, server, first) in servers {
        let Some(server) = server else { continue };
        let tools = [
            (
                "call",
                "call echo",
                "tools/call --tool-name echo",
                "wanted < 15 ms, natively",
            ),
            ("list", "list tools", "tools/list", "wanted ≤ 1.5 ×"),
        ];
        for (what, ours, theirs, wanted) in tools.into_iter().skip(first) {
            let raw = run_raw(&server)?;
            let mut line = |who: &str, time: Duration, beside: &str| {
                report.line(
                    &format!("whole process, {what}, {peer}, {who}"),
                    &shown(time),
                    beside,
                );
            };
            line("raw pipe", raw, "the limit");
            let beside =
                |time: Duration| format!("{:.2} × raw", time.as_secs_f64() / raw.as_secs_f64());
            let run = cli.iter().cloned().chain(words(ours)).chain(words("--"));
            let run = run.chain(server.iter().cloned());
            let time = run_client(&run.collect::<Vec<_>>())?;
            line(
                "framescope-cli",
                time,
                &format!("{}; {wanted}", beside(time)),
            );
            if let Some(rival) = rival {
                let run = rival.iter().chain(&server).cloned();
                let run = run.chain(words("--method")).chain(words(theirs));
                let time = run_client(&run.collect::<Vec<_>>())?;
                line("official CLI", time, &beside(time));
            }
        }
    }
    Ok(())
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(' ').map(str::to_owned)
}

fn run_raw(server: &[String]) -> Result<Duration, Error> {
    let mut failed = None;
    let times = times(2, RUNS, || {
        failed = failed.take().or(raw_pipe(server).err());
    });
    failed.map_or(Ok(quantile(&times, 0.5)), Err)
}

/// The median of runs of a client that ends by itself, in a home of its own.
fn run_client(words: &[String]) -> Result<Duration, Error> {
    let folder = tempfile::tempdir()?;
    let mut failed = None;
    let times = times(2, RUNS, || {
        let mut run = Command::new(&words[0]);
        run.args(&words[1..])
            .env("FRAMESCOPE_DATA_DIR", folder.path())
            .env("HOME", folder.path());
        let status = run
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if !status.is_ok_and(|status| status.success()) {
            failed = Some(format!("{} failed", words.join(" ")).into());
        }
    });
    failed.map_or(Ok(quantile(&times, 0.5)), Err)
}

/// Starts the server, does the handshake and one request, and waits for its end: what no client can do without.
fn raw_pipe(server: &[String]) -> Result<(), Error> {
    let mut child = Command::new(&server[0])
        .args(&server[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut input = child.stdin.take().ok_or("no stdin")?;
    let mut output = BufReader::new(child.stdout.take().ok_or("no stdout")?);
    let mut line = String::new();
    let initialize = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"0"}}}"#;
    writeln!(input, "{initialize}")?;
    output.read_line(&mut line)?;
    writeln!(
        input,
        r#"{{"jsonrpc":"2.0","method":"notifications/initialized"}}"#
    )?;
    writeln!(input, r#"{{"jsonrpc":"2.0","id":2,"method":"tools/list"}}"#)?;
    output.read_line(&mut line)?;
    drop(input);
    child.wait()?;
    Ok(())
}
