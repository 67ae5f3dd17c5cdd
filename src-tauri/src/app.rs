//! Puts the app together: one instance, the core, the commands, the window; and ends it properly.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use framescope_core::auth::Credentials;
use framescope_core::history::{History, Server};
use framescope_core::manager::ClientManager;
use framescope_core::protocol::{EraChoice, ServerConfig};
use framescope_core::secrets::Secrets;
use tauri::utils::config::AppDirectoriesOverride;
use tauri::webview::PageLoadEvent;
use tauri::{App, AppHandle, Builder, Context, Manager, RunEvent, Runtime, WindowEvent};
use tauri_plugin_store::StoreExt;
use uuid::Uuid;

use crate::desktop::{Desktop, System};
use crate::rows::IpcErrorRow;
use crate::state::AppState;
use crate::{commands, instance, logging, upkeep, watch, window};

/// How much longer than it takes to stop their servers all sessions may take to end before the app ends without them.
const CLOSING: Duration = Duration::from_secs(3);
/// The setting that says that the demo server was listed once: who deletes it does not want it back.
const DEMO_LISTED: &str = "demo-listed";

/// Runs the app on a data folder until its window is closed.
///
/// # Errors
/// In words for stderr, where there is no window to say it in.
pub(crate) fn run(dir: &Path) -> Result<(), String> {
    let unusable = |error| format!("cannot use the data folder {}: {error}", dir.display());
    fs::create_dir_all(dir).map_err(unusable)?;
    let mut context = context();
    // Settings and WebKit's own data follow the folder too.
    context.config_mut().app.app_directories_override =
        Some(AppDirectoriesOverride::Root(dir.to_owned()));
    // First of all plugins: a second start ends here, before it touches anything.
    let single = tauri_plugin_single_instance::Builder::new()
        .dbus_id(instance::bus_name(dir))
        .callback(|app, _, _| window::show(app))
        .build();
    let app =
        build(Builder::default().plugin(single), context).map_err(|error| error.to_string())?;
    // Held until the app ends.
    let _lock = instance::lock(dir)?;
    logging::start(dir);
    let desktop = Box::new(System(app.handle().clone()));
    start(app.handle(), dir, Secrets::in_keychain(dir), desktop);
    end_on_signal(app.handle());
    window::open(app.handle()).map_err(|error| format!("the window cannot be opened: {error}"))?;
    app.run(on_event);
    Ok(())
}

#[allow(
    clippy::disallowed_methods,
    reason = "Tauri's macro exits where its own thread cannot be started"
)]
fn context<R: Runtime>() -> Context<R> {
    tauri::generate_context!()
}

/// The app without what only a real one has, so that tests build it on a mock runtime.
pub(crate) fn build<R: Runtime>(builder: Builder<R>, context: Context<R>) -> tauri::Result<App<R>> {
    builder
        .plugin(tauri_plugin_store::Builder::new().build())
        .plugin(tauri_plugin_dialog::init())
        .invoke_handler(commands::handler())
        .on_page_load(|webview, load| {
            // A page that is loaded anew knows nothing of the views before it.
            if load.event() == PageLoadEvent::Started {
                webview.state::<AppState>().views.close_all();
            }
        })
        .build(context)
}

/// Opens the core and begins to tell the page what happens in it.
pub(crate) fn start<R: Runtime>(
    app: &AppHandle<R>,
    dir: &Path,
    secrets: Secrets,
    desktop: Box<dyn Desktop>,
) {
    let core = tauri::async_runtime::block_on(async {
        let history = History::open(dir).await?;
        list_demo_server(app, &history).await?;
        history.keep_index();
        let credentials = Credentials::new(secrets.clone());
        let manager = ClientManager::new(history, Arc::new(secrets.clone()));
        Ok::<_, IpcErrorRow>(manager.with_credentials(credentials))
    });
    commands::take_up_level(app);
    if let Err(error) = &core {
        tracing::error!("{}", error.message);
    }
    app.manage(AppState::new(core, secrets, desktop));
    watch::start(app);
    upkeep::start(app);
}

/// The first start on a data folder has something to inspect.
async fn list_demo_server<R: Runtime>(
    app: &AppHandle<R>,
    history: &History,
) -> Result<(), IpcErrorRow> {
    let settings = app.store(window::SETTINGS)?;
    if settings.has(DEMO_LISTED) {
        return Ok(());
    }
    let demo = Server {
        id: Uuid::now_v7(),
        name: "Demo server".to_owned(),
        // The command is this program wherever it is when the session begins, see `ClientManager::open`.
        config: ServerConfig::Stdio {
            command: "framescope".to_owned(),
            args: vec!["demo-server".to_owned()],
            env: Default::default(),
            cwd: None,
        },
        era: EraChoice::Auto,
        timeout_ms: Server::TIMEOUT_MS,
        position: 0,
        demo: true,
        unconfirmed: false,
    };
    if history.servers().await?.iter().all(|server| !server.demo) {
        history.save_server(&demo).await?;
    }
    settings.set(DEMO_LISTED, true);
    settings.save()?;
    Ok(())
}

fn on_event<R: Runtime>(app: &AppHandle<R>, event: RunEvent) {
    if let RunEvent::WindowEvent {
        event: WindowEvent::CloseRequested { .. },
        label,
        ..
    } = &event
        && let Some(window) = app.get_webview_window(label)
    {
        window::keep(&window);
    }
    // The last window is gone: all sessions are ended properly, then the app. With a code it is us who end it.
    if let RunEvent::ExitRequested {
        code: None, api, ..
    } = event
    {
        api.prevent_exit();
        let app = app.clone();
        tauri::async_runtime::spawn(async move {
            close_sessions(&app).await;
            app.exit(0);
        });
    }
}

/// Whoever stops the app from outside gets the same proper end as a closed window.
fn end_on_signal<R: Runtime>(app: &AppHandle<R>) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        if let Err(error) = stopped().await {
            tracing::warn!("signals cannot be had: {error}");
            return;
        }
        if let Some(window) = app.get_webview_window(window::MAIN) {
            window::keep(&window);
        }
        close_sessions(&app).await;
        app.exit(0);
    });
}

async fn stopped() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            done = tokio::signal::ctrl_c() => done,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

async fn close_sessions<R: Runtime>(app: &AppHandle<R>) {
    let state = app.state::<AppState>();
    state.views.close_all();
    state.doctors.lock().stop();
    let Ok(manager) = state.manager() else { return };
    let patience = manager.closing_time() + CLOSING;
    if tokio::time::timeout(patience, manager.close_all())
        .await
        .is_err()
    {
        tracing::warn!("not all sessions ended within {patience:?}");
    }
}
