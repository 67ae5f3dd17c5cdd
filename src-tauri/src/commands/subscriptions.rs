//! Subscriptions of a session, and its log level.

use framescope_core::client::{Catalog, Watched};
use framescope_core::protocol::{Era, LogLevel};
use framescope_core::record::Seq;
use tauri::State;

use super::Answer;
use crate::convert::subscription_rows;
use crate::rows::{ErrorCode, IpcErrorRow, ListName, LogLevelName, SubscriptionRow};
use crate::state::{AppState, session_id};

#[tauri::command]
pub(crate) fn list_subscriptions(
    session: String,
    state: State<'_, AppState>,
) -> Answer<Vec<SubscriptionRow>> {
    // In a session that is over nothing is subscribed to.
    Ok(state
        .client(session_id(&session)?)
        .map_or_else(|_| vec![], |client| subscription_rows(&client)))
}

#[tauri::command]
pub(crate) async fn subscribe(
    session: String,
    uris: Vec<String>,
    lists: Vec<ListName>,
    state: State<'_, AppState>,
) -> Answer<Vec<SubscriptionRow>> {
    let client = state.client(session_id(&session)?)?;
    let list = |list| match list {
        ListName::Tools => Catalog::Tools,
        ListName::Prompts => Catalog::Prompts,
        ListName::Resources => Catalog::Resources,
    };
    let watched = Watched {
        uris,
        lists: lists.into_iter().map(list).collect(),
    };
    let seqs = client.subscribe(watched).await?;
    let made = |row: &SubscriptionRow| seqs.contains(&Seq(row.seq));
    Ok(subscription_rows(&client)
        .into_iter()
        .filter(made)
        .collect())
}

#[tauri::command]
pub(crate) async fn unsubscribe(
    session: String,
    seq: u64,
    state: State<'_, AppState>,
) -> Answer<()> {
    let client = state.client(session_id(&session)?)?;
    if client.unsubscribe(Seq(seq)).await? {
        return Ok(());
    }
    Err(IpcErrorRow::new(
        ErrorCode::NotFound,
        format!("#{seq} is no subscription that is open"),
    ))
}

#[tauri::command]
pub(crate) fn get_log_level(
    session: String,
    state: State<'_, AppState>,
) -> Answer<Option<LogLevelName>> {
    let level = state.client(session_id(&session)?)?.log_level();
    Ok(level.and_then(|level| {
        NAMES
            .into_iter()
            .find(|name| core_level(*name) == Some(level))
    }))
}

#[tauri::command]
pub(crate) async fn set_log_level(
    session: String,
    level: Option<LogLevelName>,
    state: State<'_, AppState>,
) -> Answer<Option<u64>> {
    let client = state.client(session_id(&session)?)?;
    if level.is_none() && client.negotiated().era == Era::Legacy {
        return Err(IpcErrorRow::new(
            ErrorCode::InvalidConfig,
            "a legacy server cannot be told to log nothing: ask for the highest level instead",
        ));
    }
    let told = client.set_log_level(level.and_then(core_level)).await?;
    Ok(told.map(|seq| seq.0))
}

/// Rising, as the levels of the core are.
const NAMES: [LogLevelName; 8] = [
    LogLevelName::Debug,
    LogLevelName::Info,
    LogLevelName::Notice,
    LogLevelName::Warning,
    LogLevelName::Error,
    LogLevelName::Critical,
    LogLevelName::Alert,
    LogLevelName::Emergency,
];

fn core_level(name: LogLevelName) -> Option<LogLevel> {
    let at = NAMES.iter().position(|known| *known == name)?;
    LogLevel::all().nth(at)
}
