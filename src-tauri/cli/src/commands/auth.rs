//! `auth`: signing in to a server, what token there is, and signing out. A token is never printed.

use std::sync::Arc;

use framescope_core::auth::{Command, Credentials, Held, State, SystemBrowser, View};
use framescope_core::history::{Origin, Server};
use framescope_core::manager::{ClientManager, SignInOptions};
use framescope_core::protocol::ServerConfig;
use serde_json::json;

use crate::args::{AuthWhat, Options, ServerArgs};
use crate::failure::Failure;
use crate::live::{history, named, secrets, stopped};
use crate::print::Print;

/// Does it.
pub(crate) async fn run(
    options: &Options,
    what: AuthWhat,
    server: ServerArgs,
    print: &mut Print,
) -> Result<(), Failure> {
    let history = history(options).await?;
    let ca = server.ca.clone();
    let server = named(&history, server.target()).await?;
    let secrets = secrets(options, &history).await?;
    if let Err(why) = secrets.keychain().await
        && secrets.file() != (true, false)
    {
        print.say(&format!(
            "there is no keychain ({why}): a token is gone when this command ends"
        ));
    }
    let manager = ClientManager::new(history, Arc::new(secrets.clone()))
        .with_credentials(Credentials::new(secrets));
    match what {
        AuthWhat::Login => {
            let how = SignInOptions {
                origin: Origin::Cli,
                by_step: false,
                asks: false,
                choice: None,
                ca,
                browser: Arc::new(SystemBrowser),
            };
            login(&manager, &server, how, print).await?;
            status(options, &manager, &server, print).await
        }
        AuthWhat::Status => status(options, &manager, &server, print).await,
        AuthWhat::Logout => {
            let revoked = manager.sign_out(&server, Origin::Cli).await?;
            print.line(if revoked {
                "signed out, and the token was revoked"
            } else {
                "signed out"
            })?;
            Ok(())
        }
    }
}

async fn login(
    manager: &ClientManager,
    server: &Server,
    how: SignInOptions,
    print: &Print,
) -> Result<(), Failure> {
    let (sign_in, session) = manager.sign_in(server, how).await?;
    print.say(&format!("session {session}"));
    let mut view = sign_in.view();
    let mut shown = None;
    let over = async {
        loop {
            let now = view.borrow_and_update().clone();
            let open = now.steps.iter().find_map(|step| step.open_url.clone());
            if let Some(url) = open.filter(|url| shown.as_ref() != Some(url)) {
                print.say(&format!("if no browser opens, open this yourself: {url}"));
                shown = Some(url);
            }
            let asks = now.steps.iter().any(|step| step.consent.is_some());
            if asks || matches!(now.state, State::Done | State::Failed | State::Cancelled) {
                return now;
            }
            if view.changed().await.is_err() {
                return now;
            }
        }
    };
    let last = tokio::select! {
        last = over => last,
        stopped = stopped() => {
            sign_in.tell(Command::Cancel).await;
            return Err(stopped);
        }
    };
    match problem(&last) {
        None => Ok(()),
        Some(why) => {
            sign_in.tell(Command::Cancel).await;
            Err(Failure::Connection(why))
        }
    }
}

/// Why a sign-in did not come to a token.
fn problem(view: &View) -> Option<String> {
    if view.state == State::Done {
        return None;
    }
    let error = view.steps.iter().find_map(|step| step.error.as_ref());
    let asked = view.steps.iter().find_map(|step| step.consent.as_ref());
    Some(match (error, asked) {
        (Some(error), _) => error.to_string(),
        (None, Some(asked)) => format!(
            "{}. Agree to it in the app, with the server's sign-in",
            asked.message
        ),
        (None, None) => "the sign-in was given up".to_owned(),
    })
}

async fn status(
    options: &Options,
    manager: &ClientManager,
    server: &Server,
    print: &mut Print,
) -> Result<(), Failure> {
    let resolved = manager.resolved(server).await?;
    let (ServerConfig::StreamableHttp { url, .. } | ServerConfig::Sse { url, .. }) =
        resolved.values()
    else {
        return Err(Failure::Usage(
            "a server over stdio has no sign-in".to_owned(),
        ));
    };
    let held = manager.credentials().held(url).await;
    let line = match (options.json, held) {
        (true, held) => json!({ "token": held.as_deref().map(about) }).to_string(),
        (false, None) => "not signed in".to_owned(),
        (false, Some(held)) => {
            let old = if held.is_old() { ", expired" } else { "" };
            let renewed = if held.refreshable() {
                ", can be renewed"
            } else {
                ""
            };
            format!(
                "signed in by {} as {} for scopes [{}]{old}{renewed}",
                held.issuer,
                held.client_id(),
                held.scopes.join(" ")
            )
        }
    };
    print.line(&line)?;
    Ok(())
}

fn about(held: &Held) -> serde_json::Value {
    json!({
        "issuer": held.issuer,
        "clientId": held.client_id(),
        "resource": held.resource,
        "scopes": held.scopes,
        "expiresUs": held.expires_us,
        "refreshable": held.refreshable(),
    })
}
