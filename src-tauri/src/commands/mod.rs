//! The commands, exactly those of `ui/src/ipc/backend.ts`. Each is a few lines: read the arguments, ask the core, make rows.
#![allow(
    clippy::needless_pass_by_value,
    reason = "Tauri hands arguments over by value"
)]

mod log;
mod servers;
mod sessions;
mod settings;
mod talk;

use tauri::Runtime;
use tauri::ipc::Invoke;

use crate::rows::IpcErrorRow;

/// What a command answers.
type Answer<T> = Result<T, IpcErrorRow>;

/// Runs the command that an invocation names.
pub(crate) fn handler<R: Runtime>() -> impl Fn(Invoke<R>) -> bool + Send + Sync + 'static {
    tauri::generate_handler![
        settings::app_info,
        settings::get_setting,
        settings::set_setting,
        servers::list_servers,
        servers::save_server,
        servers::delete_server,
        servers::split_command_line,
        sessions::open_session,
        sessions::close_session,
        sessions::list_sessions,
        sessions::get_session,
        log::open_view,
        log::view_rows,
        log::view_index,
        log::close_view,
        log::ack,
        log::get_record,
        log::get_frame,
        log::get_exchange,
        log::frame_range,
        talk::preview_request,
        talk::send_request,
        talk::await_outcome,
        talk::cancel_request,
        talk::extend_request,
        talk::list_catalog,
    ]
}
