//! What the app does by itself beside its sessions: deletes what the retention says, and tells the status bar how it does.

use std::time::Duration;

use framescope_core::history::Limits;
use tauri::async_runtime::spawn;
use tauri::{AppHandle, Manager, Runtime};
use tauri_plugin_store::StoreExt;
use tokio::time::{MissedTickBehavior, interval};

use crate::rows::{IpcErrorRow, Retention, StatsRow};
use crate::state::AppState;
use crate::watch::{STATS, emit};
use crate::window::SETTINGS;

/// The setting that keeps what is deleted by itself; the page's own keys are others.
const RETENTION: &str = "retention";
const EVERY: Duration = Duration::from_secs(3600);
const GIGABYTE: u64 = 1_000_000_000;
/// Seconds between looks at the disk: with a file for each session it is no small thing.
const LOOK_EVERY: u32 = 5;

/// Starts all of it; without a core there is nothing to keep.
pub(crate) fn start<R: Runtime>(app: &AppHandle<R>) {
    if app.state::<AppState>().manager().is_ok() {
        spawn(tidy(app.clone()));
        spawn(tell_stats(app.clone()));
    }
}

/// At the start and every hour.
async fn tidy<R: Runtime>(app: AppHandle<R>) {
    let mut hours = interval(EVERY);
    hours.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        hours.tick().await;
        if let Err(error) = apply(&app).await {
            tracing::warn!("what is to be deleted by itself is not: {}", error.message);
        }
    }
}

/// Deletes what the retention says, and for good what was deleted long ago.
pub(crate) async fn apply<R: Runtime>(app: &AppHandle<R>) -> Result<(), IpcErrorRow> {
    let retention = retention(app)?;
    let state = app.state::<AppState>();
    let history = state.history()?;
    let limits = Limits {
        days: retention.days,
        bytes: retention.gigabytes.map(|gb| u64::from(gb) * GIGABYTE),
    };
    for id in history.retain(limits).await? {
        tracing::info!("session {id} is moved to the trash, as the retention says");
        state.forget(id);
    }
    Ok(history.purge()?)
}

pub(crate) fn retention<R: Runtime>(app: &AppHandle<R>) -> Result<Retention, IpcErrorRow> {
    let kept = app.store(SETTINGS)?.get(RETENTION);
    // One that cannot be read deletes nothing.
    Ok(kept
        .and_then(|kept| serde_json::from_value(kept).ok())
        .unwrap_or_default())
}

pub(crate) fn keep_retention<R: Runtime>(
    app: &AppHandle<R>,
    retention: &Retention,
) -> Result<(), IpcErrorRow> {
    let settings = app.store(SETTINGS)?;
    settings.set(
        RETENTION,
        serde_json::json!({ "days": retention.days, "gigabytes": retention.gigabytes }),
    );
    Ok(settings.save()?)
}

async fn tell_stats<R: Runtime>(app: AppHandle<R>) {
    let state = app.state::<AppState>();
    let mut seconds = interval(Duration::from_secs(1));
    seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut told = None;
    for second in 0_u32.. {
        seconds.tick().await;
        if second % LOOK_EVERY == 0 && state.look_at_disk().await.is_err() {
            return;
        }
        let Ok(now) = stats(&state) else { return };
        if told.as_ref() != Some(&now) {
            emit(&app, STATS, now.clone());
            told = Some(now);
        }
    }
}

pub(crate) fn stats(state: &AppState) -> Result<StatsRow, IpcErrorRow> {
    let history = state.history()?;
    let (pace, disk) = (history.pace(), state.last_disk());
    Ok(StatsRow {
        recording: u32::try_from(history.recording()).unwrap_or(u32::MAX),
        per_second: pace.per_second,
        disk_bytes: disk.sessions + disk.catalogue,
        commit_p99_us: pace.commit_p99_us,
    })
}
