//! The window: where it stood, what it may load.

use serde::{Deserialize, Serialize};
use tauri::webview::NewWindowResponse;
use tauri::{
    AppHandle, LogicalPosition, LogicalSize, Manager, Runtime, Url, WebviewUrl, WebviewWindow,
    WebviewWindowBuilder,
};
use tauri_plugin_store::StoreExt;

/// The label of the only window.
pub(crate) const MAIN: &str = "main";
/// The file of settings in the data folder.
pub(crate) const SETTINGS: &str = "settings.json";
/// The setting that keeps the window's place; the page's own keys are others.
const PLACE: &str = "window";

/// Where the window stood, in logical pixels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Place {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    maximized: bool,
}

/// The least size at which nothing is cut off.
const LEAST: (f64, f64) = (1100.0, 700.0);

/// Opens the window where it stood last time.
pub(crate) fn open<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<()> {
    let place = kept(app);
    let size = place.map_or((1440.0, 900.0), |place| {
        (place.width.max(LEAST.0), place.height.max(LEAST.1))
    });
    let mut builder = WebviewWindowBuilder::new(app, MAIN, WebviewUrl::default())
        .title("Framescope")
        .inner_size(size.0, size.1)
        .min_inner_size(LEAST.0, LEAST.1)
        .data_directory(app.path().app_data_dir()?.join("webview"))
        // Text of a server may hold links: the page stays, and no window opens unasked.
        .on_navigation(own)
        .on_new_window(|_, _| NewWindowResponse::Deny);
    if let Some(place) = place.filter(|place| on_a_screen(app, place)) {
        builder = builder
            .position(place.x, place.y)
            .maximized(place.maximized);
    }
    builder.build()?;
    Ok(())
}

/// Shows the window of this app to the user who started it a second time.
pub(crate) fn show<R: Runtime>(app: &AppHandle<R>) {
    if let Some(window) = app.get_webview_window(MAIN) {
        let shown = window
            .unminimize()
            .and_then(|()| window.show())
            .and_then(|()| window.set_focus());
        if let Err(error) = shown {
            tracing::warn!("the window cannot be shown: {error}");
        }
    }
}

/// Keeps where the window stands for the next start.
pub(crate) fn keep<R: Runtime>(window: &WebviewWindow<R>) {
    let kept = place(window)
        .map_err(|error| error.to_string())
        .and_then(|place| {
            let store = window
                .app_handle()
                .store(SETTINGS)
                .map_err(|error| error.to_string())?;
            store.set(
                PLACE,
                serde_json::to_value(place).map_err(|error| error.to_string())?,
            );
            store.save().map_err(|error| error.to_string())
        });
    if let Err(error) = kept {
        tracing::warn!("the window's place is not kept: {error}");
    }
}

fn place<R: Runtime>(window: &WebviewWindow<R>) -> tauri::Result<Place> {
    let scale = window.scale_factor()?;
    let size: LogicalSize<f64> = window.inner_size()?.to_logical(scale);
    let at: LogicalPosition<f64> = window.outer_position()?.to_logical(scale);
    Ok(Place {
        x: at.x,
        y: at.y,
        width: size.width,
        height: size.height,
        maximized: window.is_maximized()?,
    })
}

fn kept<R: Runtime>(app: &AppHandle<R>) -> Option<Place> {
    serde_json::from_value(app.store(SETTINGS).ok()?.get(PLACE)?).ok()
}

/// A screen may be gone since; a window outside of all of them could not be reached.
fn on_a_screen<R: Runtime>(app: &AppHandle<R>, place: &Place) -> bool {
    app.available_monitors()
        .unwrap_or_default()
        .iter()
        .any(|screen| {
            let scale = screen.scale_factor();
            let at: LogicalPosition<f64> = screen.position().to_logical(scale);
            let size: LogicalSize<f64> = screen.size().to_logical(scale);
            let reach = 100.0;
            place.x + place.width > at.x + reach
                && place.x + reach < at.x + size.width
                && place.y >= at.y
                && place.y + reach < at.y + size.height
        })
}

/// Whether the page itself is asked for, and not a place elsewhere.
fn own(url: &Url) -> bool {
    let served = url.scheme() == "tauri" || url.host_str() == Some("tauri.localhost");
    // Vite serves the page while the app is developed.
    served || (cfg!(debug_assertions) && url.host_str() == Some("localhost"))
}

#[cfg(test)]
mod tests {
    use super::own;

    #[test]
    fn only_the_page_itself_is_loaded() {
        for (url, expected) in [
            ("tauri://localhost/index.html", true),
            ("http://tauri.localhost/", true),
            ("https://example.com/", false),
            ("https://tauri.localhost.example.com/", false),
            ("file:///etc/passwd", false),
            ("data:text/html,x", false),
        ] {
            assert_eq!(own(&url.parse().unwrap()), expected, "{url}");
        }
    }
}
