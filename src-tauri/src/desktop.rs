//! What only the desktop can do: its file dialogs and its file manager. The page names no path: it can ask for a dialog, and
//! the user chooses.

use std::path::{Path, PathBuf};
use std::pin::Pin;

use framescope_core::auth::open_page;
use tauri::{AppHandle, Runtime};
use tauri_plugin_dialog::{DialogExt as _, FileDialogBuilder, FilePath};
use tokio::sync::oneshot;

/// What comes when the user has chosen.
pub(crate) type Chosen<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// What files are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Import {
    /// Captures and session files.
    Sessions,
    /// A file of another MCP host.
    Servers,
}

/// The desktop, so that tests need none.
pub(crate) trait Desktop: Send + Sync {
    /// Asks where to write a capture; none where the user cancelled.
    fn save(&self, name: &str) -> Chosen<Option<PathBuf>>;
    /// Asks which files to import; none where the user cancelled.
    fn open(&self, what: Import) -> Chosen<Vec<PathBuf>>;
    /// Asks where to write a file that is no capture; none where the user cancelled.
    fn keep(&self, name: &str) -> Chosen<Option<PathBuf>>;
    /// Opens a page in the browser: the one that `BROWSER` names, else the system's.
    fn browse(&self, url: &str) -> Result<(), String>;
    /// Shows a folder in the file manager.
    fn show(&self, folder: &Path) -> Result<(), String>;
}

/// The desktop that the app runs on.
#[derive(Debug)]
pub(crate) struct System<R: Runtime>(pub(crate) AppHandle<R>);

impl<R: Runtime> Desktop for System<R> {
    fn save(&self, name: &str) -> Chosen<Option<PathBuf>> {
        let dialog = self.0.dialog().file().set_title("Export session");
        ask(
            dialog.add_filter("Framescope capture", &["jsonl", "age"]),
            name,
        )
    }

    fn keep(&self, name: &str) -> Chosen<Option<PathBuf>> {
        ask(self.0.dialog().file().set_title("Save"), name)
    }

    fn browse(&self, url: &str) -> Result<(), String> {
        open_page(url)
    }

    fn open(&self, what: Import) -> Chosen<Vec<PathBuf>> {
        let (tell, told) = oneshot::channel();
        let (title, kind, endings): (_, _, &[&str]) = match what {
            Import::Sessions => (
                "Import sessions",
                "Sessions",
                &["jsonl", "age", "framescope"],
            ),
            Import::Servers => ("Import servers", "MCP servers", &["json"]),
        };
        let dialog = self.0.dialog().file().set_title(title);
        let dialog = dialog.add_filter(kind, endings);
        dialog
            .add_filter("All files", &["*"])
            .pick_files(move |chosen| {
                let chosen = chosen.unwrap_or_default().into_iter();
                let _ = tell.send(chosen.filter_map(path).collect());
            });
        Box::pin(async { told.await.unwrap_or_default() })
    }

    fn show(&self, folder: &Path) -> Result<(), String> {
        tauri_plugin_opener::open_path(folder, None::<&str>).map_err(|error| error.to_string())
    }
}

/// Asks where to write.
fn ask<R: Runtime>(dialog: FileDialogBuilder<R>, name: &str) -> Chosen<Option<PathBuf>> {
    let (tell, told) = oneshot::channel();
    dialog.set_file_name(name).save_file(move |chosen| {
        // The page may be gone by then.
        let _ = tell.send(chosen.and_then(path));
    });
    Box::pin(async { told.await.ok().flatten() })
}

fn path(chosen: FilePath) -> Option<PathBuf> {
    chosen.into_path().ok()
}
