//! Whole processes: `framescope-cli` against a raw pipe that does the same.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use framescope_tests::peers::{node_peer, program};

use crate::Error;
use crate::report::{Report, quantile, shown, times};
use crate::stdio::echo_command;

const RUNS: usize = 15;

pub(crate) fn measure(report: &mut Report) -> Result<(), Error> {
    let cli = program("framescope-cli").ok_or("framescope-cli is not built")?;
    let (echo, echo_args) = echo_command()?;
    let native: Vec<String> = std::iter::once(echo).chain(echo_args).collect();
    compare(
        report,
        &cli,
        "call",
        &["call", "echo"],
        &native,
        "native server",
        "wanted < 15 ms",
    )?;
    if let Some(torture) = node_peer("torture.mjs") {
        compare(
            report,
            &cli,
            "list",
            &["list", "tools"],
            &torture,
            "torture.mjs",
            "wanted ≤ 1.5 ×, official CLI 9.6 ×",
        )?;
    }
    Ok(())
}

fn compare(
    report: &mut Report,
    cli: &std::path::Path,
    what: &str,
    args: &[&str],
    server: &[String],
    peer: &str,
    wanted: &str,
) -> Result<(), Error> {
    let folder = tempfile::tempdir()?;
    let mut failed = None;
    let raw = times(2, RUNS, || {
        failed = failed.take().or(raw_pipe(server).err())
    });
    let ours = times(2, RUNS, || {
        let mut run = Command::new(cli);
        run.args(args)
            .arg("--")
            .args(server)
            .env("FRAMESCOPE_DATA_DIR", folder.path());
        let status = run
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if !status.is_ok_and(|status| status.success()) {
            failed = Some(format!("framescope-cli {what} failed").into());
        }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    let (raw, ours) = (quantile(&raw, 0.5), quantile(&ours, 0.5));
    report.line(
        &format!("whole process, {what}, {peer}, raw pipe"),
        &shown(raw),
        "the limit",
    );
    let ratio = ours.as_secs_f64() / raw.as_secs_f64();
    report.line(
        &format!("whole process, {what}, {peer}, framescope-cli"),
        &shown(ours),
        &format!("{ratio:.2} × raw; {wanted}"),
    );
    Ok(())
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
