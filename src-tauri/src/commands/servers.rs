//! The catalogue of servers.

use std::collections::BTreeMap;

use framescope_core::history::{Server, SessionQuery};
use framescope_core::protocol::{EraChoice, ServerConfig};
use tauri::State;
use uuid::Uuid;

use super::Answer;
use crate::convert::server_row;
use crate::rows::{ErrorCode, IpcErrorRow, ServerDraft, ServerRow, TargetDraft};
use crate::state::AppState;
use crate::words;

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
    Ok(server_row(server, session))
}

#[tauri::command]
pub(crate) async fn save_server(
    draft: ServerDraft,
    state: State<'_, AppState>,
) -> Answer<ServerRow> {
    let history = state.history()?;
    let all = history.servers().await?;
    let before = match &draft.id {
        Some(id) => Some(state.server(id).await?),
        None => None,
    };
    let config = config(draft.target, before.as_ref())?;
    let id = before
        .as_ref()
        .map_or_else(Uuid::now_v7, |server| server.id);
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
            .is_some_and(|server| server.demo && server.config == config),
        era: before.as_ref().map_or(EraChoice::Auto, |server| server.era),
        timeout_ms: before
            .as_ref()
            .map_or(Server::TIMEOUT_MS, |server| server.timeout_ms),
        position: before.as_ref().map_or_else(
            || {
                all.iter()
                    .map(|server| server.position)
                    .max()
                    .map_or(0, |last| last + 1)
            },
            |server| server.position,
        ),
        config,
    };
    history.save_server(&server).await?;
    row(&state, server).await
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
    Ok(manager.history().delete_server(server.id).await?)
}

#[tauri::command]
pub(crate) fn split_command_line(text: String) -> Answer<Vec<String>> {
    words::split(&text).map_err(|problem| IpcErrorRow::new(ErrorCode::InvalidConfig, problem))
}

/// The configuration that was typed. What cannot be typed yet stays as it was.
fn config(target: TargetDraft, before: Option<&Server>) -> Answer<ServerConfig> {
    match target {
        TargetDraft::Stdio { command_line } => {
            let (command, args) = command(&command_line)?;
            let (env, cwd) = match before.map(|server| server.config.clone()) {
                Some(ServerConfig::Stdio { env, cwd, .. }) => (env, cwd),
                Some(ServerConfig::StreamableHttp { .. } | ServerConfig::Sse { .. }) | None => {
                    (BTreeMap::new(), None)
                }
            };
            Ok(ServerConfig::Stdio {
                command,
                args,
                env,
                cwd,
            })
        }
        TargetDraft::Http { url, headers } => Ok(ServerConfig::StreamableHttp {
            url: endpoint(&url)?,
            headers: headers
                .into_iter()
                .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
                .filter(|(name, value)| !(name.is_empty() && value.is_empty()))
                .map(header)
                .collect::<Answer<_>>()?,
        }),
    }
}

/// A URL that can be one. The rest of it is judged when it is used, as references in it are resolved only then.
fn endpoint(typed: &str) -> Answer<String> {
    let url = typed.trim();
    let lower = url.to_ascii_lowercase();
    let known = ["http://", "https://", "${"];
    if known.iter().any(|start| lower.starts_with(start)) {
        return Ok(url.to_owned());
    }
    let message = if url.is_empty() {
        "the URL is empty: write that of the server's MCP endpoint".to_owned()
    } else {
        format!("the URL `{url}` does not begin with http:// or https://")
    };
    Err(IpcErrorRow::new(ErrorCode::InvalidConfig, message))
}

fn header((name, value): (String, String)) -> Answer<(String, String)> {
    if name.is_empty() {
        return Err(IpcErrorRow::new(
            ErrorCode::InvalidConfig,
            "a header has a value and no name: name it, or remove it",
        ));
    }
    Ok((name, value))
}

fn command(line: &str) -> Answer<(String, Vec<String>)> {
    let mut words = split_command_line(line.to_owned())?.into_iter();
    match words.next() {
        Some(command) => Ok((command, words.collect())),
        None => Err(IpcErrorRow::new(
            ErrorCode::InvalidConfig,
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
