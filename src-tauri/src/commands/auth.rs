//! Signing in to servers: one sign-in per server at a time, steered by the page and told as it comes along.

use std::collections::BTreeMap;
use std::sync::Arc;

use framescope_core::auth::{Browser, Command, SignIn};
use framescope_core::history::{Origin, Server};
use framescope_core::manager::SignInOptions;
use framescope_core::protocol::{AuthChoice, ServerConfig};
use framescope_core::secrets::auth_names;
use tauri::{AppHandle, Manager as _, Runtime, State};

use super::Answer;
use super::outside::may_open;
use crate::convert::{Which, auth_draft, grant, sign_in_row, step_kind, token_row};
use crate::rows::{
    AuthDraft, AuthKept, AuthMechanism, AuthRow, AuthSecretDraft, ErrorCode, IpcErrorRow,
    SignInChanged, SignInRow, SignInStepKind,
};
use crate::state::AppState;
use crate::watch::{SIGN_IN_CHANGED, emit};

/// The last sign-in of each server.
#[derive(Debug, Default)]
pub(crate) struct SignIns {
    last: u32,
    of: BTreeMap<String, (Which, SignIn)>,
}

impl SignIns {
    fn row(&self, server: &str) -> Option<SignInRow> {
        let (which, sign_in) = self.of.get(server)?;
        Some(sign_in_row(which, &sign_in.view().borrow()))
    }

    fn find(&self, id: u32) -> Answer<(Which, SignIn)> {
        let found = self.of.values().find(|(which, _)| which.id == id);
        found.cloned().ok_or_else(|| {
            IpcErrorRow::new(
                ErrorCode::NotFound,
                "another sign-in took the place of this one",
            )
        })
    }
}

/// The browser of the desktop that the app runs on.
struct Pages<R: Runtime>(AppHandle<R>);

impl<R: Runtime> Browser for Pages<R> {
    fn open<'a>(
        &'a self,
        url: &'a str,
    ) -> std::pin::Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>> {
        let opened = match tauri::Url::parse(url) {
            Ok(parsed) if may_open(&parsed) => self.0.state::<AppState>().desktop.browse(url),
            Ok(_) | Err(_) => {
                Err("this app opens https addresses, and http ones of this machine".to_owned())
            }
        };
        Box::pin(std::future::ready(opened))
    }
}

#[tauri::command]
pub(crate) async fn auth_status(server: String, state: State<'_, AppState>) -> Answer<AuthRow> {
    let server = state.server(&server).await?;
    status(&state, &server).await
}

async fn status(state: &AppState, server: &Server) -> Answer<AuthRow> {
    let manager = state.manager()?;
    let choice = manager.history().auth_choice(server.id).await?;
    let (applies, header) = match &server.config {
        ServerConfig::Stdio { .. } => (false, false),
        ServerConfig::StreamableHttp { headers, .. } | ServerConfig::Sse { headers, .. } => {
            let mut names = headers.iter().map(|(name, _)| name.trim());
            (
                true,
                names.any(|name| name.eq_ignore_ascii_case("authorization")),
            )
        }
    };
    let held = match url(state, server).await {
        Some(url) => manager.credentials().look(&url).await,
        None => None,
    };
    let kept = match &held {
        None => AuthKept::Missing,
        Some(_) if state.secrets.keychain().await.is_ok() => AuthKept::Keychain,
        Some(_) if state.secrets.file() == (true, false) => AuthKept::File,
        Some(_) => AuthKept::Memory,
    };
    let (mechanism, why) = match (header, &held) {
        (true, Some(_)) => (
            AuthMechanism::Header,
            "The Authorization header of the configuration is sent; the token is not used.",
        ),
        (true, None) => (
            AuthMechanism::Header,
            "The Authorization header of the configuration is sent.",
        ),
        (false, Some(_)) => (AuthMechanism::OAuth, "The token of the sign-in is sent."),
        (false, None) if applies => (AuthMechanism::None, "No Authorization is sent."),
        (false, None) => (
            AuthMechanism::None,
            "A server over stdio takes its credentials from its environment.",
        ),
    };
    Ok(AuthRow {
        server: server.id.to_string(),
        mechanism,
        why: why.to_owned(),
        applies,
        token: held.as_deref().map(token_row),
        draft: auth_draft(&choice),
        has_secret: choice.client_secret.is_some(),
        has_key: choice.private_key.is_some(),
        sign_in: state.sign_ins.lock().row(&server.id.to_string()),
        kept,
    })
}

/// The URL of a server with its values; none over stdio, and where a reference cannot be resolved.
async fn url(state: &AppState, server: &Server) -> Option<String> {
    let resolved = state.manager().ok()?.resolved(server).await.ok()?;
    match resolved.values() {
        ServerConfig::Stdio { .. } => None,
        ServerConfig::StreamableHttp { url, .. } | ServerConfig::Sse { url, .. } => {
            Some(url.clone())
        }
    }
}

#[tauri::command]
pub(crate) async fn set_auth(
    server: String,
    draft: AuthDraft,
    state: State<'_, AppState>,
) -> Answer<AuthRow> {
    let server = state.server(&server).await?;
    let history = state.history()?;
    let before = history.auth_choice(server.id).await?;
    let kept = |name: &'static str, typed: AuthSecretDraft, before: Option<String>| {
        let (secrets, key) = (state.secrets.clone(), format!("{}/auth/{name}", server.id));
        async move {
            match typed {
                AuthSecretDraft::Keep => before,
                AuthSecretDraft::None => None,
                AuthSecretDraft::Set { value } => {
                    Some(format!("${{secret:{}}}", secrets.set(&key, &value).await))
                }
            }
        }
    };
    let text = |typed: Option<String>| typed.filter(|text| !text.trim().is_empty());
    let choice = AuthChoice {
        grant: grant(draft.grant, before.grant),
        client_id: text(draft.client_id),
        client_secret: kept(
            "client_secret",
            draft.client_secret,
            before.client_secret.clone(),
        )
        .await,
        private_key: kept("private_key", draft.private_key, before.private_key.clone()).await,
        key_alg: text(draft.key_alg),
        metadata_url: text(draft.client_metadata_url),
        scopes: text(draft.scopes),
        accept_resource: text(draft.accept_resource),
        accept_private: draft.accept_private,
        ..before.clone()
    };
    history.set_auth_choice(server.id, &choice).await?;
    let (old, new) = (auth_names(&before), auth_names(&choice));
    state.secrets.sweep(server.id, &old, &new).await;
    status(&state, &server).await
}

/// What the server asked for last is known by its URL, so that the session that it was asked in need not be looked at.
#[tauri::command(rename_all = "snake_case")]
pub(crate) async fn sign_in<R: Runtime>(
    app: AppHandle<R>,
    server: String,
    by_step: bool,
    state: State<'_, AppState>,
) -> Answer<SignInRow> {
    let server = state.server(&server).await?;
    let name = server.id.to_string();
    let before = state.sign_ins.lock().of.remove(&name);
    if let Some((_, before)) = before {
        before.tell(Command::Cancel).await;
    }
    let options = SignInOptions {
        origin: Origin::App,
        by_step,
        asks: true,
        choice: None,
        ca: None,
        browser: Arc::new(Pages(app.clone())),
    };
    let (sign_in, session) = state.manager()?.sign_in(&server, options).await?;
    let (which, row) = {
        let mut all = state.sign_ins.lock();
        all.last += 1;
        let which = Which {
            id: all.last,
            server: name.clone(),
            session: session.to_string(),
            by_step,
        };
        let row = sign_in_row(&which, &sign_in.view().borrow());
        all.of.insert(name, (which.clone(), sign_in.clone()));
        (which, row)
    };
    let mut view = sign_in.view();
    tauri::async_runtime::spawn(async move {
        while view.changed().await.is_ok() {
            let sign_in = sign_in_row(&which, &view.borrow_and_update().clone());
            emit(&app, SIGN_IN_CHANGED, SignInChanged { sign_in });
        }
    });
    Ok(row)
}

/// Tells a sign-in what to do. How it then stands comes as an event.
async fn tell(state: &AppState, id: u32, command: Command) -> Answer<SignInRow> {
    let (which, sign_in) = state.sign_ins.lock().find(id)?;
    sign_in.tell(command).await;
    let row = sign_in_row(&which, &sign_in.view().borrow());
    Ok(row)
}

#[tauri::command]
pub(crate) async fn sign_in_step(id: u32, state: State<'_, AppState>) -> Answer<SignInRow> {
    tell(&state, id, Command::Step).await
}

#[tauri::command]
pub(crate) async fn sign_in_run(id: u32, state: State<'_, AppState>) -> Answer<SignInRow> {
    tell(&state, id, Command::Run).await
}

#[tauri::command]
pub(crate) async fn sign_in_set_value(
    id: u32,
    step: SignInStepKind,
    name: String,
    value: Option<String>,
    state: State<'_, AppState>,
) -> Answer<SignInRow> {
    tell(&state, id, Command::Set(step_kind(step), name, value)).await
}

#[tauri::command]
pub(crate) async fn sign_in_restart_from(
    id: u32,
    step: SignInStepKind,
    state: State<'_, AppState>,
) -> Answer<SignInRow> {
    tell(&state, id, Command::RestartFrom(step_kind(step))).await
}

#[tauri::command]
pub(crate) async fn sign_in_consent(
    id: u32,
    agree: bool,
    state: State<'_, AppState>,
) -> Answer<SignInRow> {
    tell(&state, id, Command::Consent(agree)).await
}

#[tauri::command]
pub(crate) async fn sign_in_finish(
    id: u32,
    url: String,
    state: State<'_, AppState>,
) -> Answer<SignInRow> {
    tell(&state, id, Command::Finish(url)).await
}

#[tauri::command]
pub(crate) async fn cancel_sign_in(id: u32, state: State<'_, AppState>) -> Answer<SignInRow> {
    tell(&state, id, Command::Cancel).await
}

#[tauri::command]
pub(crate) async fn refresh_token(server: String, state: State<'_, AppState>) -> Answer<AuthRow> {
    let server = state.server(&server).await?;
    state.manager()?.renew_token(&server, Origin::App).await?;
    status(&state, &server).await
}

#[tauri::command]
pub(crate) async fn sign_out(server: String, state: State<'_, AppState>) -> Answer<AuthRow> {
    let server = state.server(&server).await?;
    state.manager()?.sign_out(&server, Origin::App).await?;
    status(&state, &server).await
}
