//! The catalogue of servers.

use std::ops::RangeInclusive;
use std::time::Duration;

use framescope_core::history::{ConnectionOptions, Server, SessionQuery};
use framescope_core::manager::check_watched_path;
use framescope_core::protocol::{EraChoice, ServerConfig};
use framescope_core::secrets::{
    SecretStore as _, Secrets, Typed, TypedValue, auth_names, names, secret_name,
};
use tauri::State;
use uuid::Uuid;

use super::Answer;
use crate::convert::server_row;
use crate::rows::{ErrorCode, IpcErrorRow, ServerDraft, ServerRow, TargetDraft, ValueDraft};
use crate::state::AppState;
use crate::words;

/// The longest time-out that can be set, in milliseconds.
const LONGEST_MS: u64 = 86_400_000;

#[tauri::command]
pub(crate) async fn list_servers(state: State<'_, AppState>) -> Answer<Vec<ServerRow>> {
    let mut rows = Vec::new();
    for server in state.history()?.servers().await? {
        rows.push(row(&state, server).await?);
    }
    Ok(rows)
}

async fn row(state: &AppState, server: Server) -> Answer<ServerRow> {
    let query = SessionQuery {
        server: Some(server.id),
        limit: Some(1),
        ..SessionQuery::default()
    };
    let session = match state.history()?.sessions(&query).await?.pop() {
        Some(newest) => Some(state.row(newest).await?),
        None => None,
    };
    let kept = state.history()?.connection_options(server.id).await?;
    Ok(server_row(server, kept, session, &state.secrets).await)
}

#[tauri::command]
pub(crate) async fn save_server(
    draft: ServerDraft,
    state: State<'_, AppState>,
) -> Answer<ServerRow> {
    let kept = kept(&draft)?;
    let (server, before) = typed_server(&state, draft, &state.secrets).await?;
    let history = state.history()?;
    history.save_server(&server).await?;
    history.set_connection_options(server.id, &kept).await?;
    if let Some(before) = before {
        let (before, now) = (names(&before.config), names(&server.config));
        state.secrets.sweep(server.id, &before, &now).await;
    }
    row(&state, server).await
}

/// How its connection is to be made and kept, as typed.
pub(super) fn kept(draft: &ServerDraft) -> Answer<ConnectionOptions> {
    let watch = draft.watch.iter().map(|path| path.trim());
    let watch: Vec<_> = watch
        .filter(|path| !path.is_empty())
        .map(str::to_owned)
        .collect();
    for path in &watch {
        check_watched_path(path).map_err(invalid)?;
    }
    let stdio = matches!(draft.target, TargetDraft::Stdio { .. });
    let wait = |ms: Option<u64>, range: RangeInclusive<Duration>, what: &str, choose: &str| {
        let wait = ms.map(Duration::from_millis);
        match wait.filter(|wait| !range.contains(wait)) {
            Some(_) => Err(invalid(format!("{what} is out of range: choose {choose}"))),
            None => Ok(wait),
        }
    };
    let of_child = |ms: Option<u64>| ms.filter(|_| stdio);
    Ok(ConnectionOptions {
        reconnect: draft.reconnect,
        ca: draft.ca(),
        watch,
        total: wait(
            draft.total_ms,
            Duration::from_millis(draft.timeout_ms)..=ConnectionOptions::LONGEST_TOTAL,
            "how long a request waits altogether",
            "the time-out to 24 hours",
        )?,
        grace: wait(
            of_child(draft.grace_ms),
            Duration::ZERO..=ConnectionOptions::LONGEST_GRACE,
            "how long the server may take to end",
            "0 s to 60 s",
        )?,
        start: wait(
            of_child(draft.start_ms),
            Duration::from_secs(1)..=ConnectionOptions::LONGEST_START,
            "how long the server may take to start",
            "1 s to 10 min",
        )?,
    })
}

/// The server that was typed, its secrets kept in `secrets`, and the one that it is to replace. Nothing is saved.
pub(super) async fn typed_server(
    state: &AppState,
    draft: ServerDraft,
    secrets: &Secrets,
) -> Answer<(Server, Option<Server>)> {
    let all = state.history()?.servers().await?;
    let before = match &draft.id {
        Some(id) => Some(state.server(id).await?),
        None => None,
    };
    let era = draft.era.parse::<EraChoice>().map_err(invalid)?;
    if !(1..=LONGEST_MS).contains(&draft.timeout_ms) {
        return Err(invalid(
            "the time-out is out of range: choose 1 ms to 24 hours",
        ));
    }
    let id = before
        .as_ref()
        .map_or_else(Uuid::now_v7, |server| server.id);
    let config = config(secrets, id, draft.target, before.as_ref()).await?;
    let last = all.iter().map(|server| server.position).max();
    let server = Server {
        id,
        name: free_name(
            &draft.name,
            &config,
            all.iter().filter(|other| other.id != id),
        ),
        // A demo server with another command is none.
        demo: before
            .as_ref()
            .is_some_and(|server| server.demo && same_command(&server.config, &config)),
        era,
        timeout_ms: draft.timeout_ms,
        position: before
            .as_ref()
            .map_or_else(|| last.map_or(0, |last| last + 1), |server| server.position),
        unconfirmed: draft.unconfirmed,
        config,
    };
    Ok((server, before))
}

fn same_command(one: &ServerConfig, other: &ServerConfig) -> bool {
    let command = |config: &ServerConfig| match config {
        ServerConfig::Stdio { command, args, .. } => Some((command.clone(), args.clone())),
        ServerConfig::StreamableHttp { .. } | ServerConfig::Sse { .. } => None,
    };
    command(one).is_some() && command(one) == command(other)
}

#[tauri::command]
pub(crate) async fn delete_server(server: String, state: State<'_, AppState>) -> Answer<()> {
    let server = state.server(&server).await?;
    let manager = state.manager()?;
    for live in manager
        .live()
        .into_iter()
        .filter(|live| live.server == Some(server.id))
    {
        manager.close(live.id).await?;
    }
    let auth = manager.history().auth_choice(server.id).await?;
    manager.history().delete_server(server.id).await?;
    let mut secrets = names(&server.config);
    secrets.extend(auth_names(&auth));
    state.secrets.sweep(server.id, &secrets, &[]).await;
    Ok(())
}

#[tauri::command]
pub(crate) async fn duplicate_server(
    server: String,
    state: State<'_, AppState>,
) -> Answer<ServerRow> {
    let original = state.server(&server).await?;
    let history = state.history()?;
    let all = history.servers().await?;
    let ids = (original.id, Uuid::now_v7());
    let secrets = &state.secrets;
    let config = match original.config.clone() {
        ServerConfig::Stdio {
            command,
            args,
            env,
            cwd,
        } => {
            let env: Vec<_> = env.into_iter().collect();
            let env = secrets.copy(Typed::Env, &env, ids).await;
            ServerConfig::Stdio {
                command,
                args,
                env: env.into_iter().collect(),
                cwd,
            }
        }
        ServerConfig::StreamableHttp { url, headers } => ServerConfig::StreamableHttp {
            headers: secrets.copy(Typed::Header, &headers, ids).await,
            url,
        },
        ServerConfig::Sse { url, headers } => ServerConfig::Sse {
            headers: secrets.copy(Typed::Header, &headers, ids).await,
            url,
        },
    };
    let last = all.iter().map(|server| server.position).max();
    let copy = Server {
        id: ids.1,
        name: free_name(&original.name, &config, all.iter()),
        position: last.map_or(0, |last| last + 1),
        config,
        ..original
    };
    history.save_server(&copy).await?;
    let kept = history.connection_options(ids.0).await?;
    history.set_connection_options(ids.1, &kept).await?;
    row(&state, copy).await
}

#[tauri::command]
pub(crate) async fn confirm_server(
    server: String,
    state: State<'_, AppState>,
) -> Answer<ServerRow> {
    let server = Server {
        unconfirmed: false,
        ..state.server(&server).await?
    };
    state.history()?.save_server(&server).await?;
    row(&state, server).await
}

#[tauri::command]
pub(crate) async fn reveal_secret(
    server: String,
    part: String,
    name: String,
    state: State<'_, AppState>,
) -> Answer<String> {
    let server = state.server(&server).await?;
    let value = values(&server.config, part == "env")
        .into_iter()
        .find(|(known, _)| *known == name)
        .map(|(_, value)| value);
    let value = value.ok_or_else(|| {
        IpcErrorRow::new(
            ErrorCode::NotFound,
            format!("the server has no {part} {name} any more"),
        )
    })?;
    let Some(secret) = secret_name(&value) else {
        return Ok(value);
    };
    let missing = || {
        IpcErrorRow::new(
            ErrorCode::NotFound,
            format!("the value of {name} is not stored any more: type it again"),
        )
    };
    state.secrets.get(secret).await?.ok_or_else(missing)
}

/// The variables or headers of a server.
fn values(config: &ServerConfig, env: bool) -> Vec<(String, String)> {
    match config {
        ServerConfig::Stdio { env: values, .. } if env => values.clone().into_iter().collect(),
        ServerConfig::StreamableHttp { headers, .. } | ServerConfig::Sse { headers, .. }
            if !env =>
        {
            headers.clone()
        }
        ServerConfig::Stdio { .. }
        | ServerConfig::StreamableHttp { .. }
        | ServerConfig::Sse { .. } => vec![],
    }
}

/// The configuration that was typed; its secrets are stored.
async fn config(
    secrets: &Secrets,
    id: Uuid,
    target: TargetDraft,
    before: Option<&Server>,
) -> Answer<ServerConfig> {
    let before = |env| before.map_or_else(Vec::new, |server| values(&server.config, env));
    let keep = async |part: Typed, drafts: Vec<ValueDraft>| {
        let typed = typed(part, drafts)?;
        let before = before(part == Typed::Env);
        let kept = secrets.keep(id, part, typed, &before).await;
        kept.map_err(invalid)
    };
    match target {
        TargetDraft::Stdio {
            command_line,
            env,
            cwd,
        } => {
            let (command, args) = command(&command_line)?;
            let cwd = Some(cwd.trim().to_owned()).filter(|cwd| !cwd.is_empty());
            Ok(ServerConfig::Stdio {
                command,
                args,
                env: keep(Typed::Env, env).await?.into_iter().collect(),
                cwd: cwd.map(Into::into),
            })
        }
        TargetDraft::Http { url, headers } => Ok(ServerConfig::StreamableHttp {
            url: endpoint(&url)?,
            headers: keep(Typed::Header, headers).await?,
        }),
        TargetDraft::Sse { url, headers } => Ok(ServerConfig::Sse {
            url: endpoint(&url)?,
            headers: keep(Typed::Header, headers).await?,
        }),
    }
}

/// Rows without name and value are left out. The value of a header has no space around it; that of a variable may.
fn typed(part: Typed, drafts: Vec<ValueDraft>) -> Answer<Vec<TypedValue>> {
    let mut typed = Vec::new();
    for ValueDraft {
        name,
        value,
        secret,
    } in drafts
    {
        let name = name.trim().to_owned();
        let value = match part {
            Typed::Env => value,
            Typed::Header => value.map(|value| value.trim().to_owned()),
        };
        if name.is_empty() {
            if value.is_none_or(|value| value.is_empty()) {
                continue;
            }
            return Err(invalid(match part {
                Typed::Env => "a variable has a value and no name: name it, or remove it",
                Typed::Header => "a header has a value and no name: name it, or remove it",
            }));
        }
        if part == Typed::Env && name.contains(['=', '\0']) {
            return Err(invalid(format!(
                "no variable can be named {name:?}: write its value beside its name"
            )));
        }
        if typed.iter().any(|known: &TypedValue| known.name == name) && part == Typed::Env {
            return Err(invalid(format!(
                "the variable {name} stands twice: remove one"
            )));
        }
        typed.push(TypedValue {
            name,
            value,
            secret,
        });
    }
    Ok(typed)
}

fn invalid(message: impl ToString) -> IpcErrorRow {
    IpcErrorRow::new(ErrorCode::InvalidConfig, message.to_string())
}

/// A URL that can be one. The rest of it is judged when it is used, as references in it are resolved only then.
fn endpoint(typed: &str) -> Answer<String> {
    let url = typed.trim();
    let lower = url.to_ascii_lowercase();
    let known = ["http://", "https://", "${"];
    if known.iter().any(|start| lower.starts_with(start)) {
        return Ok(url.to_owned());
    }
    Err(invalid(if url.is_empty() {
        "the URL is empty: write that of the server's MCP endpoint".to_owned()
    } else {
        format!("the URL `{url}` does not begin with http:// or https://")
    }))
}

fn command(line: &str) -> Answer<(String, Vec<String>)> {
    let mut words = words::split(line).map_err(invalid)?.into_iter();
    match words.next() {
        Some(command) => Ok((command, words.collect())),
        None => Err(invalid(
            "the command line is empty: write the server's command",
        )),
    }
}

/// The name as typed, else one made from the command; numbered where it is taken, since names are unique.
fn free_name<'a>(
    typed: &str,
    config: &ServerConfig,
    others: impl Iterator<Item = &'a Server>,
) -> String {
    let taken: Vec<_> = others.map(|other| other.name.as_str()).collect();
    let wanted = Some(typed.trim())
        .filter(|name| !name.is_empty())
        .map_or_else(|| config.short_name(), str::to_owned);
    let numbered = (2..).map(|n| format!("{wanted} {n}"));
    std::iter::once(wanted.clone())
        .chain(numbered)
        .find(|name| !taken.contains(&name.as_str()))
        .unwrap_or(wanted)
}
