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
/// Where nothing is kept; the position is the window manager's.
const FIRST: Place = Place {
    x: f64::NAN,
    y: f64::NAN,
    width: 1440.0,
    height: 900.0,
    maximized: false,
};
/// How much of the window has to be on a screen for it to be reached.
const REACH: f64 = 100.0;

/// A screen, in logical pixels.
#[derive(Clone, Copy, Debug)]
struct Screen {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// Where to open the window.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fitted {
    width: f64,
    height: f64,
    /// The window manager's choice where missing.
    at: Option<(f64, f64)>,
}

/// Opens the window where it stood last time.
pub(crate) fn open<R: Runtime>(app: &AppHandle<R>) -> tauri::Result<()> {
    let place = kept(app).unwrap_or(FIRST);
    let fitted = fitted(place, &screens(app));
    let mut builder = WebviewWindowBuilder::new(app, MAIN, WebviewUrl::default())
        .title("Framescope")
        .inner_size(fitted.width, fitted.height)
        .min_inner_size(LEAST.0, LEAST.1)
        .maximized(place.maximized)
        .data_directory(app.path().app_data_dir()?.join("webview"))
        // Text of a server may hold links: the page stays, and no window opens unasked.
        .on_navigation(own)
        .on_new_window(|_, _| NewWindowResponse::Deny);
    if let Some((x, y)) = fitted.at {
        builder = builder.position(x, y);
    }
    let window = builder.build()?;
    #[cfg(target_os = "linux")]
    without_gpu(&window)?;
    #[cfg(not(target_os = "linux"))]
    drop(window);
    Ok(())
}

/// Where there is no GPU, WebKit would put the page together with one that is emulated: that takes twice the memory of drawing it
/// straight away, and is no faster.
#[cfg(target_os = "linux")]
fn without_gpu<R: Runtime>(window: &WebviewWindow<R>) -> tauri::Result<()> {
    use webkit2gtk::{HardwareAccelerationPolicy, SettingsExt as _, WebViewExt as _};

    let is_gpu =
        |entry: std::fs::DirEntry| entry.file_name().as_encoded_bytes().starts_with(b"renderD");
    let mut devices = std::fs::read_dir("/dev/dri")
        .into_iter()
        .flatten()
        .flatten();
    if devices.any(is_gpu) {
        return Ok(());
    }
    window.with_webview(|page| {
        if let Some(settings) = page.inner().settings() {
            settings.set_hardware_acceleration_policy(HardwareAccelerationPolicy::Never);
        }
    })
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
        .map(|now| match kept(window.app_handle()) {
            // A window that is no longer maximized goes back to the size that it had before.
            Some(before) if now.maximized => Place {
                maximized: true,
                ..before
            },
            _ => now,
        })
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

fn screens<R: Runtime>(app: &AppHandle<R>) -> Vec<Screen> {
    let screen = |monitor: &tauri::Monitor| {
        let scale = monitor.scale_factor();
        let at: LogicalPosition<f64> = monitor.position().to_logical(scale);
        let size: LogicalSize<f64> = monitor.size().to_logical(scale);
        Screen {
            x: at.x,
            y: at.y,
            width: size.width,
            height: size.height,
        }
    };
    let monitors = app.available_monitors().unwrap_or_default();
    monitors.iter().map(screen).collect()
}

/// A screen may be gone since, or be smaller: a window outside of all of them could not be reached.
fn fitted(place: Place, screens: &[Screen]) -> Fitted {
    let on = screens.iter().find(|screen| {
        place.x + place.width > screen.x + REACH
            && place.x + REACH < screen.x + screen.width
            && place.y >= screen.y
            && place.y + REACH < screen.y + screen.height
    });
    let room = on.or(screens.first());
    let width = room.map_or(place.width, |room| place.width.min(room.width));
    let height = room.map_or(place.height, |room| place.height.min(room.height));
    Fitted {
        width: width.max(LEAST.0),
        height: height.max(LEAST.1),
        at: on.map(|_| (place.x, place.y)),
    }
}

/// Whether the page itself is asked for, and not a place elsewhere.
fn own(url: &Url) -> bool {
    // Elsewhere that host is a program of this machine.
    let served = url.scheme() == "tauri"
        || (cfg!(windows) && url.scheme() == "http" && url.host_str() == Some("tauri.localhost"));
    // Vite serves the page while the app is developed.
    let developed = url.scheme() == "http" && url.host_str() == Some("localhost");
    served || (cfg!(debug_assertions) && developed)
}

#[cfg(test)]
mod tests {
    use super::{FIRST, Fitted, LEAST, Place, Screen, fitted, own};

    #[test]
    fn a_window_opens_where_it_can_be_seen() {
        let screen = |x: f64, width: f64, height: f64| Screen {
            x,
            y: 0.0,
            width,
            height,
        };
        let two = [screen(0.0, 1920.0, 1080.0), screen(1920.0, 1280.0, 800.0)];
        let place = |x: f64, y: f64| Place { x, y, ..FIRST };
        for (place, screens, size, at) in [
            (FIRST, &two[..], (1440.0, 900.0), None),
            (FIRST, &[], (1440.0, 900.0), None),
            (
                place(100.0, 50.0),
                &two,
                (1440.0, 900.0),
                Some((100.0, 50.0)),
            ),
            (
                place(2000.0, 0.0),
                &two,
                (1280.0, 800.0),
                Some((2000.0, 0.0)),
            ),
            (place(2000.0, 0.0), &two[..1], (1440.0, 900.0), None),
            (place(-1400.0, 0.0), &two, (1440.0, 900.0), None),
            (place(0.0, -500.0), &two, (1440.0, 900.0), None),
            (
                place(0.0, 0.0),
                &[screen(0.0, 800.0, 600.0)],
                LEAST,
                Some((0.0, 0.0)),
            ),
        ] {
            let expected = Fitted {
                width: size.0,
                height: size.1,
                at,
            };
            assert_eq!(fitted(place, screens), expected, "{place:?} {screens:?}");
        }
    }

    #[test]
    fn only_the_page_itself_is_loaded() {
        for (url, expected) in [
            ("tauri://localhost/index.html", true),
            ("http://tauri.localhost/", cfg!(windows)),
            ("https://tauri.localhost/", false),
            ("ipc://localhost/", false),
            ("https://example.com/", false),
            ("https://tauri.localhost.example.com/", false),
            ("file:///etc/passwd", false),
            ("data:text/html,x", false),
        ] {
            assert_eq!(own(&url.parse().unwrap()), expected, "{url}");
        }
    }
}
