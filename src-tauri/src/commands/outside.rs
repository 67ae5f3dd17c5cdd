//! What leaves the app because the user wants it: a page in the system's browser, bytes of a server in a file.

use std::io::Write as _;
use std::net::IpAddr;
use std::path::Path;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use framescope_core::record::Seq;
use tauri::{State, Url};

use super::Answer;
use super::files::{Part, plain_name};
use super::log::reader;
use crate::rows::{ErrorCode, IpcErrorRow};
use crate::state::AppState;

/// How much of a record is held at once while it is written.
const PIECE: u64 = 1024 * 1024;

/// Opens a page in the system's browser, which this app cannot look into (client/elicitation › Safe URL Handling). The page has
/// shown the whole address and the user has agreed to it.
#[tauri::command]
pub(crate) fn open_url(url: String, state: State<'_, AppState>) -> Answer<()> {
    let Some(url) = Url::parse(&url).ok().filter(may_open) else {
        let why = "this app opens https and mailto addresses, and http ones of this machine, and nothing else";
        return Err(IpcErrorRow::new(ErrorCode::InvalidConfig, why));
    };
    let refused = |why| {
        let message =
            format!("the browser was not opened: {why}. Copy the address and open it yourself");
        IpcErrorRow::new(ErrorCode::Internal, message)
    };
    state.desktop.browse(url.as_str()).map_err(refused)
}

/// Whether an address that a server chose may be handed to the browser.
pub(super) fn may_open(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    let loopback = host == "localhost" || address.is_ok_and(|address| address.is_loopback());
    match url.scheme() {
        "https" => true,
        "http" => loopback,
        // Some mail programs take a file of this machine from a field of the address.
        "mailto" => url.query_pairs().all(|(field, _)| {
            let mut known = MAIL_FIELDS.iter();
            known.any(|known| field.eq_ignore_ascii_case(known))
        }),
        _ => false,
    }
}

/// What may stand in a `mailto` address (RFC 6068 §2).
const MAIL_FIELDS: [&str; 5] = ["to", "cc", "bcc", "subject", "body"];

/// Asks for a place with the system's dialog and writes bytes there. The path, or none where the user cancelled.
#[tauri::command]
pub(crate) async fn save_bytes(
    name: String,
    base64: String,
    state: State<'_, AppState>,
) -> Answer<Option<String>> {
    let bytes = BASE64_STANDARD
        .decode(base64)
        .map_err(|error| IpcErrorRow::new(ErrorCode::InvalidConfig, error.to_string()))?;
    let Some(path) = state.desktop.keep(&plain_name(&name)).await else {
        return Ok(None);
    };
    let refused = |error| unwritten(&path, &error);
    let mut part = Part::beside(&path).map_err(refused)?;
    part.out.write_all(&bytes).map_err(refused)?;
    part.whole().map_err(refused)?;
    Ok(Some(path.display().to_string()))
}

/// Asks for a place with the system's dialog and writes a record there, as it crossed the wire. The path, or none where the
/// user cancelled.
#[tauri::command]
pub(crate) async fn save_frame(
    session: String,
    seq: u64,
    state: State<'_, AppState>,
) -> Answer<Option<String>> {
    let reader = reader(&state, &session).await?;
    let Some(path) = state.desktop.keep(&format!("frame-{seq}.json")).await else {
        return Ok(None);
    };
    let refused = |error| unwritten(&path, &error);
    let mut part = Part::beside(&path).map_err(refused)?;
    let mut from = 0;
    loop {
        let bytes = reader.body_range(Seq(seq), from, PIECE).await?;
        if bytes.is_empty() {
            part.whole().map_err(refused)?;
            return Ok(Some(path.display().to_string()));
        }
        part.out.write_all(&bytes).map_err(refused)?;
        from += bytes.len() as u64;
    }
}

fn unwritten(path: &Path, error: &std::io::Error) -> IpcErrorRow {
    let message = format!(
        "{} cannot be written: {error}. Choose another place",
        path.display()
    );
    IpcErrorRow::new(ErrorCode::Internal, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_https_mail_and_this_machine_alone() {
        for (url, may) in [
            ("https://example.com/a?b", true),
            ("http://127.0.0.1:8080/", true),
            ("http://[::1]/", true),
            ("http://localhost/x", true),
            ("http://example.com/", false),
            ("http://localhost.example.com/", false),
            ("http://127.0.0.1@example.com/", false),
            ("file:///etc/passwd", false),
            ("javascript:alert(1)", false),
            ("data:text/html,x", false),
            ("mailto:a@b", true),
            ("mailto:a@b?Subject=x&body=y", true),
            ("mailto:a@b?attach=/etc/passwd", false),
            ("MAILTO:a@b?attachment=x", false),
            ("tauri://localhost/", false),
        ] {
            let url = Url::parse(url).expect(url);
            assert_eq!(may_open(&url), may, "{url}");
        }
    }
}
