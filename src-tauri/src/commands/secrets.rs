//! Where secrets are kept, and the passphrase of the file of secrets.

use framescope_core::record::process_secrets;
use framescope_core::secrets::Unopened;
use tauri::State;

use super::Answer;
use crate::rows::{ErrorCode, IpcErrorRow, SecretStoreKind, SecretStoreRow};
use crate::state::AppState;

/// Characters of a passphrase at least.
const SHORTEST: usize = 8;

#[tauri::command]
pub(crate) async fn secret_store(state: State<'_, AppState>) -> Answer<SecretStoreRow> {
    Ok(row(&state).await)
}

#[tauri::command]
pub(crate) async fn choose_secret_store(
    kind: SecretStoreKind,
    passphrase: Option<String>,
    state: State<'_, AppState>,
) -> Answer<SecretStoreRow> {
    let wrong = |why: &str| IpcErrorRow::new(ErrorCode::InvalidConfig, why);
    match (kind, passphrase) {
        (SecretStoreKind::File, Some(passphrase)) if passphrase.chars().count() >= SHORTEST => {
            process_secrets().learn("passphrase", &passphrase);
            state.secrets.keep_in_file(&passphrase).await?;
        }
        (SecretStoreKind::File, _) => {
            return Err(wrong("a passphrase has at least 8 characters"));
        }
        (SecretStoreKind::Memory, _) => {
            let failed = |why| {
                let message = format!("the file of secrets is still there: {why}");
                IpcErrorRow::new(ErrorCode::HistoryUnavailable, message)
            };
            state.secrets.keep_in_memory().await.map_err(failed)?;
        }
        (SecretStoreKind::Keychain, _) => {
            return Err(wrong("the keychain is used wherever there is one"));
        }
    }
    Ok(row(&state).await)
}

#[tauri::command]
pub(crate) async fn unlock_secrets(
    passphrase: String,
    state: State<'_, AppState>,
) -> Answer<SecretStoreRow> {
    process_secrets().learn("passphrase", &passphrase);
    state.secrets.unlock(&passphrase).await?;
    Ok(row(&state).await)
}

async fn row(state: &AppState) -> SecretStoreRow {
    let keychain = state.secrets.keychain().await;
    let (file, locked) = state.secrets.file();
    SecretStoreRow {
        keychain: keychain.is_ok(),
        kind: match (&keychain, file) {
            (Ok(_), _) => SecretStoreKind::Keychain,
            (Err(_), true) => SecretStoreKind::File,
            (Err(_), false) => SecretStoreKind::Memory,
        },
        locked,
        can_choose: keychain.is_err(),
        text: keychain.unwrap_or_else(|why| why),
    }
}

impl From<Unopened> for IpcErrorRow {
    fn from(error: Unopened) -> Self {
        let code = match error {
            Unopened::WrongPassphrase => ErrorCode::WrongPassphrase,
            Unopened::Unusable(_) => ErrorCode::HistoryUnavailable,
        };
        Self::new(code, error.to_string())
    }
}
