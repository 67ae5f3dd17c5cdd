//! The connection doctor: one at a time, on a server as it is typed, told as it comes along.

use std::sync::Arc;

use framescope_core::doctor::{Report, examine};
use framescope_core::history::Origin;
use framescope_core::manager::{OpenOptions, OwnWaits};
use framescope_core::secrets::{Secrets, Unsaved};
use tauri::{AppHandle, Runtime, State};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::Answer;
use super::servers::{kept, typed_server};
use crate::convert::doctor_report;
use crate::rows::{DoctorChanged, ErrorCode, IpcErrorRow, ServerDraft};
use crate::state::AppState;
use crate::watch::{DOCTOR_CHANGED, emit};

/// The doctor that runs.
#[derive(Debug, Default)]
pub(crate) struct Doctors {
    last: u32,
    stop: CancellationToken,
}

impl Doctors {
    /// Ends the one before and begins another.
    fn begin(&mut self) -> (u32, CancellationToken) {
        self.stop();
        self.stop = CancellationToken::new();
        self.last += 1;
        (self.last, self.stop.clone())
    }

    /// Ends the one that runs, if one does.
    pub(crate) fn stop(&self) {
        self.stop.cancel();
    }
}

#[tauri::command]
pub(crate) async fn start_doctor<R: Runtime>(
    app: AppHandle<R>,
    draft: ServerDraft,
    state: State<'_, AppState>,
) -> Answer<u32> {
    if draft.unconfirmed {
        return Err(IpcErrorRow::new(
            ErrorCode::NeedsConsent,
            "this server was pasted or imported and has not been confirmed: look at what would be started, then confirm it",
        ));
    }
    // What was typed is kept as long as the examination lasts.
    let typed = Secrets::in_memory();
    let kept = kept(&draft)?;
    let (server, _) = typed_server(&state, draft, &typed).await?;
    let saved = state.secrets.clone();
    let manager = state
        .manager()?
        .with_secrets(Arc::new(Unsaved { typed, saved }));
    let (run, stop) = state.doctors.lock().begin();
    tauri::async_runtime::spawn(async move {
        let tell = |report: &Report| {
            let report = doctor_report(report);
            emit(&app, DOCTOR_CHANGED, DoctorChanged { run, report });
        };
        let told = watch::Sender::new(Report::new(&server, 0));
        let mut heard = told.subscribe();
        let options = OpenOptions {
            waits: OwnWaits::of(&kept),
            ca: kept.ca,
            ..OpenOptions::new(Origin::App)
        };
        let mut examination = std::pin::pin!(examine(&manager, &server, options, &stop, &told));
        let report = loop {
            tokio::select! {
                report = &mut examination => break report,
                _ = heard.changed() => tell(&heard.borrow_and_update().clone()),
            }
        };
        tell(&report);
    });
    Ok(run)
}

#[tauri::command]
pub(crate) fn stop_doctor(run: u32, state: State<'_, AppState>) -> Answer<()> {
    let doctors = state.doctors.lock();
    // A newer one is not meant.
    if doctors.last == run {
        doctors.stop();
    }
    Ok(())
}
