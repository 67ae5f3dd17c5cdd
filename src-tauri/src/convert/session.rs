//! Servers and sessions of the rail.

use std::time::Duration;

use framescope_core::history::{
    ConnectionOptions, HistoryError, Server, SessionReader, SessionState, SessionSummary,
};
use framescope_core::manager::{State, Watch};
use framescope_core::protocol::ServerConfig;
use framescope_core::record::{EventKind, Opened};
use framescope_core::secrets::{self, Secrets, secret_name};

use super::exit_row;
use crate::error::{connect_code, connect_status};
use crate::rows::{
    ConnState, ExitRow, Kept, ServerRow, SessionRow, TransportName, ValueRow, WatchRow,
};

/// What only the log of a session tells, beside its summary.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// Process id of the newest process.
    pub(crate) pid: Option<u32>,
    /// How it ended.
    pub(crate) exit: Option<ExitRow>,
}

/// Reads off a session's log what its summary does not tell.
pub(crate) async fn facts(reader: &SessionReader) -> Result<Facts, HistoryError> {
    let opened = reader.last(EventKind::Opened, 1).await?.pop();
    let closed = reader.last(EventKind::Closed, 1).await?.pop();
    let start = match &opened {
        Some(row) => serde_json::from_slice::<Opened>(&reader.body(row.seq).await?).ok(),
        None => None,
    };
    let pid = match &start {
        Some(Opened::Stdio { pid, .. }) => Some(*pid),
        Some(Opened::Http { .. }) | None => None,
    };
    // A process that was replaced (the other era was tried) is no end of the session.
    let ended = closed.filter(|end| opened.as_ref().is_none_or(|start| start.seq < end.seq));
    let exit = match ended {
        Some(end) => exit_row(reader, &end, start).await?,
        None => None,
    };
    Ok(Facts { pid, exit })
}

/// A session as the rail and the timeline's head show it. `state` is known for sessions of this run only.
pub(crate) fn session_row(
    summary: SessionSummary,
    state: Option<State>,
    watch: Option<Watch>,
    facts: Facts,
) -> SessionRow {
    let conn = conn_state(&summary, state);
    SessionRow {
        id: summary.id.to_string(),
        server_id: summary.server.map(|id| id.to_string()),
        server_name: summary.server_name,
        number: summary.number,
        name: summary.name,
        origin: summary.origin.as_str().to_owned(),
        target: summary.config.display(),
        transport: transport(&summary.config),
        started_us: summary.started_us,
        ended_us: summary.ended_us,
        records: summary.records,
        frames: summary.frames,
        errors: summary.errors,
        tags: summary.tags,
        pinned: summary.pinned,
        previous: summary.previous.map(|id| id.to_string()),
        bytes: summary.bytes,
        era: summary.era,
        revision: summary.revision,
        peer: summary.peer,
        pid: facts.pid,
        elsewhere: summary.state == SessionState::LiveElsewhere,
        conn,
        exit: facts.exit,
        watch: watch.map(|Watch { paths, problem }| WatchRow { paths, problem }),
    }
}

/// Where the connection stands: the manager's word for sessions of this run, else what the history tells.
fn conn_state(summary: &SessionSummary, state: Option<State>) -> ConnState {
    let closed = || ConnState::Closed {
        outcome: summary
            .outcome
            .clone()
            .unwrap_or_else(|| match summary.state {
                SessionState::OwnerGone => "owner gone".to_owned(),
                SessionState::Live | SessionState::LiveElsewhere | SessionState::Ended => {
                    "closed".to_owned()
                }
            }),
        crashed: summary.crashed,
        at_us: summary.ended_us.unwrap_or(summary.started_us),
    };
    match state {
        Some(State::Connecting { step }) => ConnState::Connecting { step },
        Some(State::Connected { since_us, .. }) => ConnState::Connected { since_us },
        Some(State::Failed { error }) => ConnState::Failed {
            code: connect_code(&error),
            message: error.to_string(),
            status: connect_status(&error),
        },
        Some(State::NotRecording(loss)) => ConnState::NotRecording {
            since: loss.since.0,
            why: loss.why,
        },
        Some(State::Closing { since_us }) => ConnState::Closed {
            outcome: "closing".to_owned(),
            crashed: false,
            at_us: since_us,
        },
        Some(State::Closed { .. }) => closed(),
        None => match summary.state {
            SessionState::Live | SessionState::LiveElsewhere => ConnState::Connected {
                since_us: summary.started_us,
            },
            SessionState::Ended | SessionState::OwnerGone => closed(),
        },
    }
}

/// A server of the rail with its newest session.
pub(crate) async fn server_row(
    server: Server,
    kept: ConnectionOptions,
    session: Option<SessionRow>,
    secrets: &Secrets,
) -> ServerRow {
    let (transport, target) = (transport(&server.config), server.config.display());
    let mut row = ServerRow {
        id: server.id.to_string(),
        name: server.name,
        transport,
        target: if server.demo {
            "built in".to_owned()
        } else {
            target
        },
        argv: vec![],
        env: vec![],
        cwd: None,
        headers: vec![],
        era: server.era.to_string(),
        timeout_ms: server.timeout_ms,
        reconnect: kept.reconnect,
        ca: kept.ca.map(|ca| ca.to_string_lossy().into_owned()),
        watch: kept.watch,
        total_ms: ms(kept.total),
        grace_ms: ms(kept.grace),
        start_ms: ms(kept.start),
        unconfirmed: server.unconfirmed,
        demo: server.demo,
        session,
    };
    match server.config {
        ServerConfig::Stdio {
            command,
            args,
            env,
            cwd,
        } => {
            row.argv = std::iter::once(command).chain(args).collect();
            row.env = value_rows(env, secrets).await;
            row.cwd = cwd.map(|cwd| cwd.to_string_lossy().into_owned());
        }
        ServerConfig::StreamableHttp { headers, .. } | ServerConfig::Sse { headers, .. } => {
            row.headers = value_rows(headers, secrets).await;
        }
    }
    row
}

fn ms(wait: Option<Duration>) -> Option<u64> {
    wait.map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX))
}

async fn value_rows(
    values: impl IntoIterator<Item = (String, String)>,
    secrets: &Secrets,
) -> Vec<ValueRow> {
    let mut rows = Vec::new();
    for (name, value) in values {
        let Some(secret) = secret_name(&value) else {
            rows.push(ValueRow {
                name,
                value,
                kept: Kept::Catalogue,
            });
            continue;
        };
        let (kept, value) = secrets.look(secret).await;
        rows.push(ValueRow {
            name,
            value: hint(value.as_deref()),
            kept: match kept {
                secrets::Kept::Keychain => Kept::Keychain,
                secrets::Kept::File => Kept::File,
                secrets::Kept::Memory => Kept::Memory,
                secrets::Kept::Missing => Kept::Missing,
            },
        });
    }
    rows
}

/// Enough of a secret to tell it from another, and too little to use it.
fn hint(value: Option<&str>) -> String {
    let chars: Vec<char> = value.unwrap_or_default().chars().collect();
    let shown = if chars.len() < 12 { 0 } else { 4 };
    let end = &chars[chars.len() - shown..];
    format!("••••{}", end.iter().collect::<String>())
}

pub(crate) fn transport(config: &ServerConfig) -> TransportName {
    match config {
        ServerConfig::Stdio { .. } => TransportName::Stdio,
        ServerConfig::StreamableHttp { .. } => TransportName::Http,
        ServerConfig::Sse { .. } => TransportName::Sse,
    }
}
