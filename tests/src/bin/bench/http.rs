//! Over loopback HTTP: the round trip of a request, beside the HTTP library alone.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use framescope_core::protocol::ServerConfig;

use crate::Error;
use crate::report::{Report, now, quantile, shown};
use crate::stdio::{calls, connect_to};

const CALLS: usize = 10_000;

/// Both clients take turns in short runs, so that both meet the same machine.
const TURNS: usize = 5;

pub(crate) async fn round_trip(report: &mut Report) -> Result<(), Error> {
    let server = Server::start()?;
    let (mut bare, mut ours) = (vec![], vec![]);
    for _ in 0..TURNS {
        bare.extend(reqwest_alone(&server.url, CALLS / TURNS).await?);
        ours.extend(recorded(&server.url, CALLS / TURNS).await?);
    }
    bare.sort();
    ours.sort();
    let (limit, p50) = (quantile(&bare, 0.5), quantile(&ours, 0.5));
    report.line(
        "http round trip p50, reqwest alone",
        &shown(limit),
        "the limit",
    );
    let beside = format!(
        "{:.2} × reqwest alone (limit 1.3), p99 {}",
        p50.as_secs_f64() / limit.as_secs_f64(),
        shown(quantile(&ours, 0.99))
    );
    report.line(
        "http round trip p50, ours, recorded to a file",
        &shown(p50),
        &beside,
    );
    Ok(())
}

/// The measured server.
pub(crate) struct Server {
    child: Child,
    pub(crate) url: String,
}

impl Server {
    pub(crate) fn start() -> Result<Self, Error> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg("echo-http")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut url = String::new();
        BufReader::new(child.stdout.take().ok_or("no stdout")?).read_line(&mut url)?;
        Ok(Self {
            child,
            url: url.trim().to_owned(),
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

pub(crate) async fn reqwest_alone(url: &str, n: usize) -> Result<Vec<Duration>, Error> {
    let client = reqwest::Client::builder().no_proxy().build()?;
    let request = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","_meta":{"progressToken":1}}}"#;
    let mut times = Vec::with_capacity(n);
    for round in 0..n + 1000 {
        let start = now();
        let response = client
            .post(url)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .body(request)
            .send()
            .await?;
        let answer = response.bytes().await?;
        if round >= 1000 {
            times.push(start.elapsed());
        }
        if !answer.ends_with(b"}\n") {
            return Err("the echo server did not answer".into());
        }
    }
    times.sort();
    Ok(times)
}

pub(crate) async fn recorded(url: &str, n: usize) -> Result<Vec<Duration>, Error> {
    let folder = tempfile::tempdir()?;
    let config = ServerConfig::StreamableHttp {
        url: url.to_owned(),
        headers: vec![],
    };
    let (manager, id, client) = connect_to(config, folder.path()).await?;
    let times = calls(&client, n).await?;
    manager.close(id).await?;
    Ok(times)
}
