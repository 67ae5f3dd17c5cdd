//! Tests of the client: pure parts, and real processes as servers.

mod cases;
mod handshake;
mod peers;
mod pure;
mod requests;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::{Answers, Client, ClientError, Connect, Draft, Patience};
use crate::protocol::{EraChoice, ServerConfig};
use crate::transport::Anonymous;
use crate::transport::testing::{SOON, TestLog, script, short};

/// A connection to `config`, patient with a server that is slow.
fn connect(log: &TestLog, config: ServerConfig, era: EraChoice) -> Connect {
    Connect {
        config,
        tap: log.tap.clone(),
        era,
        no_probe: false,
        forced: false,
        roots: vec![],
        choice: Default::default(),
        answers: Answers::Refuse,
        timeout: SOON,
        total: Draft::TOTAL,
        patience: Patience {
            from_output: SOON,
            from_start: SOON,
        },
        waits: short(),
        ca: None,
        authorize: Arc::new(Anonymous),
        tasks: log.tasks.clone(),
        stop: CancellationToken::new(),
        step: Box::new(|_| ()),
    }
}

/// For servers that are silent on purpose: the test sits through this, and a busy machine must not exceed it.
fn impatient(connect: Connect) -> Connect {
    let soon = Duration::from_millis(1500);
    let patience = Patience {
        from_output: soon,
        from_start: soon,
    };
    Connect {
        patience,
        ..connect
    }
}

/// A server that answers each message by its method: `answers` maps a method to the lines it prints, `$id` standing for the
/// id of the request. Methods that are not listed get no answer.
fn fake(answers: &[(&str, &str)]) -> ServerConfig {
    let cases: String = answers
        .iter()
        .map(|(method, lines)| format!("*'\"method\":\"{method}\"'*) {} ;;\n", shell(lines)))
        .collect();
    script(&format!(
        "while IFS= read -r line; do id=${{line#*'\"id\":'}}; id=${{id%%,*}}\ncase $line in\n{cases}esac\ndone"
    ))
}

/// Shell commands for the lines of an answer: `!` begins a command, anything else is printed.
fn shell(lines: &str) -> String {
    let line = |line: &str| match line.strip_prefix('!') {
        Some(command) => command.to_owned(),
        None => format!("printf '%s\\n' \"{}\"", line.replace('"', "\\\"")),
    };
    lines
        .lines()
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .map(line)
        .collect::<Vec<_>>()
        .join("; ")
}

/// Answers of an ordinary legacy server.
const NOT_FOUND: (&str, &str) = (
    "server/discover",
    r#"{"jsonrpc":"2.0","id":$id,"error":{"code":-32601,"message":"Method not found"}}"#,
);
const INITIALIZE: (&str, &str) = (
    "initialize",
    r#"{"jsonrpc":"2.0","id":$id,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"1"}}}"#,
);
/// The answer of an ordinary modern server.
const DISCOVER: (&str, &str) = (
    "server/discover",
    r#"{"jsonrpc":"2.0","id":$id,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"fake","version":"2"}}}}"#,
);

/// A client of a legacy server with these further answers.
async fn legacy(log: &TestLog, answers: &[(&str, &str)]) -> Client {
    let all: Vec<_> = [NOT_FOUND, INITIALIZE]
        .into_iter()
        .chain(answers.iter().copied())
        .collect();
    connect(log, fake(&all), EraChoice::Auto)
        .run()
        .await
        .expect("connects")
}

/// A client of a modern server with these further answers.
async fn modern(log: &TestLog, answers: &[(&str, &str)]) -> Client {
    let all: Vec<_> = std::iter::once(DISCOVER)
        .chain(answers.iter().copied())
        .collect();
    connect(log, fake(&all), EraChoice::Auto)
        .run()
        .await
        .expect("connects")
}

/// Methods and ids of what was sent, as `conn:id method`.
fn sent(log: &TestLog) -> Vec<String> {
    let sent = log.all();
    let frames = sent
        .iter()
        .filter(|logged| logged.is(crate::protocol::Direction::ClientToServer));
    frames
        .map(|logged| {
            let message = logged.json();
            let id = message
                .get("id")
                .map_or("-".to_owned(), ToString::to_string);
            format!(
                "{}:{id} {}",
                logged.record.conn.0,
                message["method"].as_str().unwrap_or("(answer)")
            )
        })
        .collect()
}

fn no_env() -> BTreeMap<String, String> {
    BTreeMap::new()
}

fn refused(result: Result<Client, ClientError>) -> String {
    match result {
        Ok(client) => panic!("connected: {:?}", client.negotiated()),
        Err(error) => error.to_string(),
    }
}
