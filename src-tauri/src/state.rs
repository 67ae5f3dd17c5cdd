//! What the commands share.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use framescope_core::check::Checker;
use framescope_core::client::{Client, Listed, Tool};
use framescope_core::history::{Disk, History, Server, SessionState, SessionSummary};
use framescope_core::manager::ClientManager;
use framescope_core::record::SessionId;
use framescope_core::secrets::Secrets;
use parking_lot::Mutex;

use crate::commands::{Doctors, Locked, Searches, SignIns};
use crate::convert::{Facts, facts, session_row};
use crate::desktop::Desktop;
use crate::rows::{ErrorCode, IpcErrorRow, SessionRow};
use crate::views::Views;

/// Managed by Tauri; commands take it by reference.
pub(crate) struct AppState {
    core: Result<ClientManager, IpcErrorRow>,
    pub(crate) secrets: Secrets,
    pub(crate) views: Views,
    pub(crate) checker: Arc<Checker>,
    /// The tools of ended sessions, as their logs tell them; an ended log does not change.
    pub(crate) tools: Mutex<HashMap<SessionId, Arc<Listed<Tool>>>>,
    /// What the logs of ended sessions tell; an ended log does not change.
    ended: Mutex<HashMap<SessionId, Facts>>,
    pub(crate) searches: Mutex<Searches>,
    pub(crate) doctors: Mutex<Doctors>,
    pub(crate) sign_ins: Mutex<SignIns>,
    pub(crate) locked: Mutex<Locked>,
    pub(crate) desktop: Box<dyn Desktop>,
    /// As it was last looked at.
    disk: Mutex<Disk>,
}

impl fmt::Debug for AppState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AppState")
            .field("core", &self.core)
            .finish_non_exhaustive()
    }
}

impl AppState {
    /// `core` is an error where the data folder cannot be used: the window opens all the same and says why.
    pub(crate) fn new(
        core: Result<ClientManager, IpcErrorRow>,
        secrets: Secrets,
        desktop: Box<dyn Desktop>,
    ) -> Self {
        Self {
            core,
            secrets,
            views: Views::default(),
            checker: Arc::default(),
            tools: Mutex::default(),
            ended: Mutex::default(),
            searches: Mutex::default(),
            doctors: Mutex::default(),
            sign_ins: Mutex::default(),
            locked: Mutex::default(),
            desktop,
            disk: Mutex::default(),
        }
    }

    pub(crate) fn manager(&self) -> Result<&ClientManager, IpcErrorRow> {
        self.core.as_ref().map_err(Clone::clone)
    }

    pub(crate) fn history(&self) -> Result<&History, IpcErrorRow> {
        self.manager().map(ClientManager::history)
    }

    /// What the data folder takes on the disk now.
    pub(crate) async fn disk(&self) -> Result<Disk, IpcErrorRow> {
        self.look_at_disk().await?;
        Ok(self.last_disk())
    }

    /// Looks at it anew.
    pub(crate) async fn look_at_disk(&self) -> Result<(), IpcErrorRow> {
        let history = self.history()?.clone();
        let disk = tokio::task::spawn_blocking(move || history.disk()).await;
        let failed = |error: tokio::task::JoinError| {
            IpcErrorRow::new(ErrorCode::Internal, error.to_string())
        };
        *self.disk.lock() = disk.map_err(failed)?;
        Ok(())
    }

    pub(crate) fn last_disk(&self) -> Disk {
        *self.disk.lock()
    }

    /// A session is gone.
    pub(crate) fn forget(&self, session: SessionId) {
        self.tools.lock().remove(&session);
        self.ended.lock().remove(&session);
    }

    pub(crate) fn client(&self, session: SessionId) -> Result<Client, IpcErrorRow> {
        let closed = || {
            IpcErrorRow::new(
                ErrorCode::SessionClosed,
                "the session is not connected; connect it again",
            )
        };
        self.manager()?.client(session).ok_or_else(closed)
    }

    pub(crate) async fn server(&self, id: &str) -> Result<Server, IpcErrorRow> {
        let missing = || {
            IpcErrorRow::new(
                ErrorCode::NotFound,
                "the server is not in the catalogue any more",
            )
        };
        self.history()?.server(id).await?.ok_or_else(missing)
    }

    /// A session with what its log and the manager tell about it.
    pub(crate) async fn row(&self, summary: SessionSummary) -> Result<SessionRow, IpcErrorRow> {
        // One file that cannot be read, or is being made, must not hide the others from the lists; opening it says why.
        let facts = self.facts(&summary).await.unwrap_or_else(|error| {
            tracing::debug!("session {}: {}", summary.id, error.message);
            Facts::default()
        });
        self.session_row(summary, facts)
    }

    /// The same without what only its log tells, unless that was told before.
    pub(crate) fn brief_row(&self, summary: SessionSummary) -> Result<SessionRow, IpcErrorRow> {
        let facts = self.ended.lock().get(&summary.id).cloned();
        self.session_row(summary, facts.unwrap_or_default())
    }

    fn session_row(
        &self,
        summary: SessionSummary,
        facts: Facts,
    ) -> Result<SessionRow, IpcErrorRow> {
        let manager = self.manager()?;
        let (state, watch) = (manager.state(summary.id), manager.watch(summary.id));
        Ok(session_row(summary, state, watch, facts))
    }

    async fn facts(&self, summary: &SessionSummary) -> Result<Facts, IpcErrorRow> {
        if let Some(known) = self.ended.lock().get(&summary.id) {
            return Ok(known.clone());
        }
        let facts = facts(&self.history()?.reader(summary.id).await?).await?;
        if matches!(summary.state, SessionState::Ended | SessionState::OwnerGone) {
            self.ended.lock().insert(summary.id, facts.clone());
        }
        Ok(facts)
    }
}

/// Reads a session id of the page.
pub(crate) fn session_id(text: &str) -> Result<SessionId, IpcErrorRow> {
    text.parse()
        .map_err(|_| IpcErrorRow::new(ErrorCode::NotFound, format!("{text:?} is no session id")))
}
