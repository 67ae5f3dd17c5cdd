//! Tells the page what changes besides the rows of views: sessions and servers, also those of other processes.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use framescope_core::client::Client;
use framescope_core::history::{HistoryError, Server, SessionQuery, SessionSummary};
use framescope_core::protocol::ServerConfig;
use framescope_core::record::SessionId;
use tauri::async_runtime::spawn;
use tauri::{AppHandle, Emitter, Manager, Runtime};
use tokio::sync::broadcast::error::RecvError;

use crate::convert::{input_rows, pending_rows, subscription_rows};
use crate::logging;
use crate::rows::{
    AuthChanged, InputRow, InputsChanged, IpcErrorRow, ListsChanged, PendingChanged, PendingRow,
    SubscriptionRow, SubscriptionsChanged,
};
use crate::state::AppState;

/// Event: rows of a view, see [`crate::views`].
pub(crate) const RECORDS_APPENDED: &str = "records-appended";
/// Event: how it stands with a session.
pub(crate) const SESSION_CHANGED: &str = "session-changed";
/// Event: a server was saved or deleted.
pub(crate) const SERVERS_CHANGED: &str = "servers-changed";

/// Event: sessions were deleted, restored or imported.
pub(crate) const SESSIONS_CHANGED: &str = "sessions-changed";
/// Event: the requests of a session that wait.
pub(crate) const PENDING_CHANGED: &str = "pending-changed";
/// Event: what the server of a session asks.
pub(crate) const INPUTS_CHANGED: &str = "inputs-changed";
/// Event: what a session has subscribed to.
pub(crate) const SUBSCRIPTIONS_CHANGED: &str = "subscriptions-changed";
/// Event: a list of a session was read again, since it has changed.
pub(crate) const LISTS_CHANGED: &str = "lists-changed";
/// Event: what a search over all sessions has found, see [`crate::commands::Searches`].
pub(crate) const SEARCH_FOUND: &str = "search-found";
/// Event: how the connection doctor comes along.
pub(crate) const DOCTOR_CHANGED: &str = "doctor-changed";
/// Event: how a sign-in comes along.
pub(crate) const SIGN_IN_CHANGED: &str = "sign-in-changed";
/// Event: a token of some server came, was renewed or is gone.
pub(crate) const AUTH_CHANGED: &str = "auth-changed";
/// Event: this app wrote a line about itself.
pub(crate) const APP_LOG_CHANGED: &str = "app-log-changed";
/// Event: what the status bar says, see [`crate::upkeep`].
pub(crate) const STATS: &str = "stats";

/// Sessions that are compared when the catalogue changes; older ones do not change by themselves.
const NEWEST: u32 = 50;
/// Changes of the catalogue that come closer together are looked at once.
const GATHER: Duration = Duration::from_millis(100);
/// What waits is told no more often than so.
const PENDING: Duration = Duration::from_millis(100);

/// Lines of this app's own log are told no more often than so.
const LINES: Duration = Duration::from_millis(250);

/// Starts telling; without a core there is nothing to tell but what this app says of itself.
pub(crate) fn start<R: Runtime>(app: &AppHandle<R>) {
    spawn(app_log(app.clone()));
    if app.state::<AppState>().manager().is_ok() {
        spawn(tell(own_sessions(app.clone()), "sessions of this app"));
        spawn(tell(catalogue(app.clone()), "the catalogue"));
        spawn(secrets(app.clone()));
        spawn(tokens(app.clone()));
    }
}

async fn app_log<R: Runtime>(app: AppHandle<R>) {
    let mut changes = logging::changes();
    while changes.changed().await.is_ok() {
        // A failure is no line of the log: that would be told again.
        let _ = app.emit(APP_LOG_CHANGED, ());
        tokio::time::sleep(LINES).await;
    }
}

async fn tell(task: impl Future<Output = Result<(), IpcErrorRow>>, what: &str) {
    if let Err(error) = task.await {
        tracing::error!(
            "the page is not told about {what} any more: {}",
            error.message
        );
    }
}

/// Sends an event to the page. A page that is gone needs none.
pub(crate) fn emit<R: Runtime>(
    app: &AppHandle<R>,
    event: &str,
    payload: impl serde::Serialize + Clone,
) {
    if let Err(error) = app.emit(event, payload) {
        tracing::warn!("{event} is not sent: {error}");
    }
}

/// Follows the connections of this process.
async fn own_sessions<R: Runtime>(app: AppHandle<R>) -> Result<(), IpcErrorRow> {
    let state = app.state::<AppState>();
    let manager = state.manager()?;
    let mut hints = manager.subscribe();
    let mut followed = HashSet::new();
    loop {
        let changed = match hints.recv().await {
            Ok(id) => vec![id],
            Err(RecvError::Lagged(_)) => manager.live().into_iter().map(|live| live.id).collect(),
            Err(RecvError::Closed) => return Ok(()),
        };
        for id in changed {
            session_changed(&app, id).await;
            if let Some(client) = manager.client(id)
                && followed.insert(id)
            {
                spawn(pending(app.clone(), id, client.clone()));
                spawn(lists(app.clone(), id, client.clone()));
                spawn(subscriptions(app.clone(), id, client.clone()));
                spawn(inputs(app.clone(), id, client));
            }
        }
    }
}

/// Tells what waits in a session, until it is over and nothing does.
async fn pending<R: Runtime>(app: AppHandle<R>, id: SessionId, client: Client) {
    let mut changes = client.pending_changes();
    let told = |pending: Vec<PendingRow>| PendingChanged {
        session: id.to_string(),
        pending,
    };
    loop {
        emit(&app, PENDING_CHANGED, told(pending_rows(&client)));
        let changed = async {
            tokio::time::sleep(PENDING).await;
            changes.changed().await
        };
        tokio::select! {
            // The client itself keeps the sender.
            _ = changed => changes.mark_unchanged(),
            _ = client.gone() => return emit(&app, PENDING_CHANGED, told(vec![])),
        }
    }
}

/// Tells what a session has subscribed to, until it is over.
async fn subscriptions<R: Runtime>(app: AppHandle<R>, id: SessionId, client: Client) {
    let mut changes = client.subscriptions_changed();
    let told = |subscriptions: Vec<SubscriptionRow>| SubscriptionsChanged {
        session: id.to_string(),
        subscriptions,
    };
    loop {
        let rows = subscription_rows(&client);
        emit(&app, SUBSCRIPTIONS_CHANGED, told(rows));
        let changed = async {
            tokio::time::sleep(PENDING).await;
            changes.changed().await
        };
        tokio::select! {
            // The client itself keeps the sender.
            _ = changed => {}
            _ = client.gone() => return emit(&app, SUBSCRIPTIONS_CHANGED, told(vec![])),
        }
    }
}

/// Tells what the server of a session asks, until it is over.
async fn inputs<R: Runtime>(app: AppHandle<R>, id: SessionId, client: Client) {
    let mut changes = client.inputs_changed();
    let told = |inputs: Vec<InputRow>| InputsChanged {
        session: id.to_string(),
        inputs,
    };
    loop {
        emit(&app, INPUTS_CHANGED, told(input_rows(&client)));
        tokio::select! {
            // The client itself keeps the sender.
            _ = changes.changed() => {}
            _ = client.gone() => return emit(&app, INPUTS_CHANGED, told(vec![])),
        }
    }
}

/// Tells that lists have changed, until the session is over.
async fn lists<R: Runtime>(app: AppHandle<R>, id: SessionId, client: Client) {
    let mut changes = client.lists_changed();
    loop {
        tokio::select! {
            // The client itself keeps the sender.
            _ = changes.changed() => emit(&app, LISTS_CHANGED, ListsChanged { session: id.to_string() }),
            _ = client.gone() => return,
        }
    }
}

/// A keychain that answered late has told more about the servers' secrets.
async fn secrets<R: Runtime>(app: AppHandle<R>) {
    let mut changes = app.state::<AppState>().secrets.changes();
    while changes.changed().await.is_ok() {
        emit(&app, SERVERS_CHANGED, ());
        tokio::time::sleep(GATHER).await;
    }
}

async fn tokens<R: Runtime>(app: AppHandle<R>) {
    let Ok(manager) = app.state::<AppState>().manager().cloned() else {
        return;
    };
    let mut changes = manager.credentials().changes();
    while changes.changed().await.is_ok() {
        let servers = manager.history().servers().await.unwrap_or_default();
        for server in servers {
            if !matches!(server.config, ServerConfig::Stdio { .. }) {
                let server = server.id.to_string();
                emit(&app, AUTH_CHANGED, AuthChanged { server });
            }
        }
        tokio::time::sleep(GATHER).await;
    }
}

async fn session_changed<R: Runtime>(app: &AppHandle<R>, id: SessionId) {
    let state = app.state::<AppState>();
    let row = async { state.row(state.history()?.session(id).await?).await };
    match row.await {
        Ok(row) => emit(app, SESSION_CHANGED, row),
        // A hint may come before the session is in the catalogue; its change there comes next.
        Err(error) => tracing::debug!("session {id} is not told about: {}", error.message),
    }
}

/// Follows the catalogue: what other processes do stands there only.
async fn catalogue<R: Runtime>(app: AppHandle<R>) -> Result<(), IpcErrorRow> {
    let state = app.state::<AppState>();
    let history = state.history()?;
    let mut changes = history.changes();
    let mut known = Known::default();
    known.servers(history.servers().await?);
    known.sessions(newest(history).await?);
    known.ids(history.ids().await?);
    while changes.changed().await.is_ok() {
        tokio::time::sleep(GATHER).await;
        changes.mark_unchanged();
        if known.servers(history.servers().await?) {
            emit(&app, SERVERS_CHANGED, ());
        }
        for id in known.sessions(newest(history).await?) {
            session_changed(&app, id).await;
        }
        if known.ids(history.ids().await?) {
            emit(&app, SESSIONS_CHANGED, ());
        }
    }
    Ok(())
}

async fn newest(
    history: &framescope_core::history::History,
) -> Result<Vec<SessionSummary>, HistoryError> {
    history
        .sessions(&SessionQuery {
            limit: Some(NEWEST),
            ..SessionQuery::default()
        })
        .await
}

/// What was in the catalogue when it was last looked at.
#[derive(Debug, Default)]
struct Known {
    servers: Vec<Server>,
    sessions: HashMap<SessionId, SessionSummary>,
    ids: Vec<SessionId>,
}

impl Known {
    /// Whether they are others now.
    fn servers(&mut self, now: Vec<Server>) -> bool {
        let changed = self.servers != now;
        self.servers = now;
        changed
    }

    /// Whether sessions came or went.
    fn ids(&mut self, now: Vec<SessionId>) -> bool {
        let changed = self.ids != now;
        self.ids = now;
        changed
    }

    /// Those that are new or other now, oldest first.
    fn sessions(&mut self, now: Vec<SessionSummary>) -> Vec<SessionId> {
        let mut changed = Vec::new();
        for session in now.into_iter().rev() {
            let id = session.id;
            if self.sessions.get(&id) != Some(&session) {
                self.sessions.insert(id, session);
                changed.push(id);
            }
        }
        changed
    }
}
