//! Over stdio: the round trip of a request, and a flood of notifications from a pipe to the disk.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use framescope_core::client::{Client, Draft, Outcome};
use framescope_core::history::{History, Origin, Server};
use framescope_core::manager::{ClientManager, OpenOptions};
use framescope_core::protocol::{EraChoice, ServerConfig};
use framescope_core::secrets::MemorySecrets;
use uuid::Uuid;

use crate::Error;
use crate::memory;
use crate::report::{Report, beside, now, quantile, shown, times};

const CALLS: usize = 20_000;
const FLOOD: u32 = 1_000_000;

pub(crate) async fn round_trip(report: &mut Report) -> Result<(), Error> {
    let raw = raw_pipe()?;
    report.line(
        "stdio round trip p50, raw pipe",
        &shown(quantile(&raw, 0.5)),
        "the limit",
    );
    let rmcp = rmcp_client(CALLS).await?;
    report.line(
        "stdio round trip p50, rmcp client",
        &shown(quantile(&rmcp, 0.5)),
        "the rival in Rust",
    );
    let ours = recorded(CALLS).await?;
    let (p50, p99) = (quantile(&ours, 0.5), quantile(&ours, 0.99));
    let ratios = format!(
        "{:.2} × raw, {:.2} × rmcp, p99 {}",
        p50.as_secs_f64() / quantile(&raw, 0.5).as_secs_f64(),
        p50.as_secs_f64() / quantile(&rmcp, 0.5).as_secs_f64(),
        shown(p99)
    );
    report.line(
        "stdio round trip p50, ours, recorded to a file",
        &shown(p50),
        &ratios,
    );
    Ok(())
}

/// The measured server's command.
pub(crate) fn echo_command() -> Result<(String, Vec<String>), Error> {
    Ok((
        std::env::current_exe()?.to_string_lossy().into_owned(),
        vec!["echo".into()],
    ))
}

fn start_echo() -> Result<Child, Error> {
    let (program, args) = echo_command()?;
    Ok(Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?)
}

fn raw_pipe() -> Result<Vec<Duration>, Error> {
    let mut child = start_echo()?;
    let mut input = child.stdin.take().ok_or("no stdin")?;
    let mut output = BufReader::new(child.stdout.take().ok_or("no stdout")?);
    let mut line = String::new();
    let mut failed = None;
    let times = times(1000, CALLS, || {
        line.clear();
        let request = b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\"}}\n";
        if let Err(error) = input
            .write_all(request)
            .and_then(|()| output.read_line(&mut line))
        {
            failed = Some(error);
        }
    });
    drop(input);
    child.wait()?;
    failed.map_or(Ok(times), |error| Err(error.into()))
}

pub(crate) async fn rmcp_client(n: usize) -> Result<Vec<Duration>, Error> {
    use rmcp::ServiceExt;
    let (program, args) = echo_command()?;
    let mut command = tokio::process::Command::new(program);
    command.args(args);
    let client = ().serve(rmcp::transport::TokioChildProcess::new(command)?).await?;
    let mut times = Vec::with_capacity(n);
    for round in 0..n + 1000 {
        let start = now();
        client
            .call_tool(rmcp::model::CallToolRequestParams::new("echo"))
            .await?;
        if round >= 1000 {
            times.push(start.elapsed());
        }
    }
    times.sort();
    client.cancel().await?;
    Ok(times)
}

/// A client of ours on the echo server, as the app and the command line tool have one.
pub(crate) async fn connect(
    folder: &std::path::Path,
) -> Result<(ClientManager, framescope_core::record::SessionId, Client), Error> {
    let (command, args) = echo_command()?;
    let config = ServerConfig::Stdio {
        command,
        args,
        env: Default::default(),
        cwd: None,
    };
    connect_to(config, folder).await
}

/// The same on any server.
pub(crate) async fn connect_to(
    config: ServerConfig,
    folder: &std::path::Path,
) -> Result<(ClientManager, framescope_core::record::SessionId, Client), Error> {
    let history = History::open(folder).await?;
    let manager = ClientManager::new(history, Arc::new(MemorySecrets::default()));
    let server = Server {
        id: Uuid::now_v7(),
        name: "echo".into(),
        config,
        era: EraChoice::Auto,
        timeout_ms: 120_000,
        position: 0,
        demo: false,
        unconfirmed: false,
    };
    let id = manager.open(&server, OpenOptions::new(Origin::Cli)).await?;
    let client = manager.connected(id).await?;
    Ok((manager, id, client))
}

pub(crate) async fn recorded(n: usize) -> Result<Vec<Duration>, Error> {
    let folder = tempfile::tempdir()?;
    let (manager, id, client) = connect(folder.path()).await?;
    let times = calls(&client, n).await?;
    manager.close(id).await?;
    Ok(times)
}

/// Sorted times of `n` calls after 1000 uncounted ones.
pub(crate) async fn calls(client: &Client, n: usize) -> Result<Vec<Duration>, Error> {
    let draft = Draft {
        method: "tools/call".into(),
        params: Some(r#"{"name":"echo"}"#.into()),
        ..Draft::default()
    };
    let mut times = Vec::with_capacity(n);
    for round in 0..n + 1000 {
        let start = now();
        let outcome = client.call(&draft).await?.outcome().await;
        if round >= 1000 {
            times.push(start.elapsed());
        }
        let Outcome::Reply { .. } = outcome else {
            return Err("the echo server did not answer".into());
        };
    }
    times.sort();
    Ok(times)
}

pub(crate) async fn flood(report: &mut Report) -> Result<(), Error> {
    let folder = tempfile::tempdir()?;
    let (manager, id, client) = connect(folder.path()).await?;
    let draft = Draft {
        method: "flood".into(),
        params: Some(format!(r#"{{"count":{FLOOD},"size":300}}"#)),
        timeout: Some(Duration::from_secs(100)),
        ..Draft::default()
    };
    let head = manager.history().reader(id).await?.follow();
    let watched = beside(memory::at_marks(head));
    let start = now();
    client.call(&draft).await?.outcome().await;
    manager.close(id).await?;
    let rows = f64::from(FLOOD) / start.elapsed().as_secs_f64();
    let kept = manager.history().session(id).await?.records;
    if kept < u64::from(FLOOD) {
        return Err(format!("only {kept} of {FLOOD} notifications are in the log").into());
    }
    report.line(
        "1 M notifications of 300 B, pipe to closed file",
        &format!("{rows:.0} rows/s"),
        "limit 319–417 k, wanted ≥ 200 k",
    );
    memory::flat(report, &watched.await?);
    Ok(())
}
