//! The commands, exactly those of `ui/src/ipc/backend.ts`. Each is a few lines: read the arguments, ask the core, make rows.
#![allow(
    clippy::needless_pass_by_value,
    reason = "Tauri hands arguments over by value"
)]

mod applog;
mod auth;
mod catalog;
mod client;
mod doctor;
mod files;
mod inputs;
mod log;
mod offers;
mod outside;
mod paste;
mod restart;
mod search;
mod secrets;
mod servers;
mod sessions;
mod settings;
mod subscriptions;
mod talk;

use tauri::Runtime;
use tauri::ipc::Invoke;

use crate::rows::IpcErrorRow;

pub(crate) use applog::take_up_level;
pub(crate) use auth::SignIns;
pub(crate) use doctor::Doctors;
pub(crate) use files::Locked;
pub(crate) use search::Searches;

/// What a command answers.
type Answer<T> = Result<T, IpcErrorRow>;

/// Runs the command that an invocation names.
pub(crate) fn handler<R: Runtime>() -> impl Fn(Invoke<R>) -> bool + Send + Sync + 'static {
    tauri::generate_handler![
        settings::app_info,
        servers::list_servers,
        servers::save_server,
        servers::delete_server,
        servers::duplicate_server,
        servers::confirm_server,
        servers::reveal_secret,
        secrets::secret_store,
        secrets::choose_secret_store,
        secrets::unlock_secrets,
        applog::app_log,
        applog::set_app_log_level,
        applog::open_log_folder,
        auth::auth_status,
        auth::set_auth,
        auth::sign_in,
        auth::sign_in_step,
        auth::sign_in_run,
        auth::sign_in_set_value,
        auth::sign_in_restart_from,
        auth::sign_in_consent,
        auth::sign_in_finish,
        auth::cancel_sign_in,
        auth::refresh_token,
        auth::sign_out,
        paste::read_mcp_servers,
        paste::list_host_files,
        paste::read_host_file,
        paste::copy_mcp_servers,
        paste::split_command_line,
        doctor::start_doctor,
        doctor::stop_doctor,
        sessions::open_session,
        sessions::close_session,
        sessions::list_sessions,
        sessions::get_session,
        sessions::rename_session,
        sessions::tag_session,
        sessions::pin_session,
        sessions::delete_sessions,
        sessions::restore_sessions,
        files::export_session,
        files::preview_export,
        files::default_redact_rules,
        files::import_sessions,
        files::import_locked,
        files::forget_locked,
        search::start_search,
        search::stop_search,
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
        talk::send_raw,
        talk::edit_record,
        talk::list_pending,
        talk::check_json,
        talk::await_outcome,
        talk::get_outcome,
        talk::cancel_request,
        talk::extend_request,
        catalog::list_catalog,
        restart::get_restart,
        offers::list_offers,
        offers::get_server_info,
        inputs::list_inputs,
        inputs::answer_input,
        inputs::get_roots,
        inputs::set_roots,
        offers::list_page,
        subscriptions::list_subscriptions,
        subscriptions::subscribe,
        subscriptions::unsubscribe,
        subscriptions::get_log_level,
        subscriptions::set_log_level,
        client::get_client,
        client::set_client,
        client::call_both_eras,
        client::check_stateless,
        settings::get_retention,
        settings::set_retention,
        settings::get_stats,
        files::open_data_folder,
        outside::open_url,
        outside::save_bytes,
        outside::save_frame,
        settings::get_setting,
        settings::set_setting,
    ]
}
