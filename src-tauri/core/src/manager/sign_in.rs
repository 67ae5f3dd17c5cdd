//! Signing in to a server of the catalogue and out again. What is exchanged for it is a session of its own, so that it can be read
//! whether or not the server's session is still there.

use std::path::PathBuf;
use std::sync::Arc;

use uuid::Uuid;

use super::{ClientManager, Error};
use crate::auth::{self, Browser, Flow, Held, Party, SignIn, StepError};
use crate::history::{Label, NewSession, OnLoss, Origin, Recording, Server};
use crate::protocol::{AuthChoice, ServerConfig};
use crate::record::{Closed, Conn, EndReason, Event, Opened, SessionId, StoppedBy};
use crate::transport::Web;

/// The tag of sessions that hold a sign-in.
pub const SIGN_IN_TAG: &str = "sign-in";

/// How to sign in.
pub struct SignInOptions {
    /// Who signs in.
    pub origin: Origin,
    /// Nothing runs by itself.
    pub by_step: bool,
    /// The user is asked before the browser is opened.
    pub asks: bool,
    /// In place of what the catalogue says, with values in place of references.
    pub choice: Option<AuthChoice>,
    /// A file of further trusted certificates, in place of that of the catalogue.
    pub ca: Option<PathBuf>,
    /// Where a person signs in.
    pub browser: Arc<dyn Browser>,
}

impl std::fmt::Debug for SignInOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SignInOptions")
            .field("by_step", &self.by_step)
            .finish_non_exhaustive()
    }
}

/// The recorded exchanges of a sign-in or sign-out.
struct Recorded {
    id: SessionId,
    recording: Recording,
    web: Arc<Web>,
    url: String,
    headers: Vec<(String, String)>,
    choice: AuthChoice,
}

impl ClientManager {
    /// Begins a sign-in: what steers it, and the session that holds what it exchanges. It goes on in its task.
    ///
    /// # Errors
    /// Where the server has no URL, a reference cannot be resolved, or nothing can be recorded.
    pub async fn sign_in(
        &self,
        server: &Server,
        options: SignInOptions,
    ) -> Result<(SignIn, SessionId), Error> {
        let mut recorded = self
            .begin(server, options.origin, options.choice, options.ca)
            .await?;
        let challenge = self.credentials.challenge(&recorded.url);
        let held = self.credentials.held(&recorded.url).await;
        let stepping_up = challenge
            .as_ref()
            .is_some_and(|challenge| challenge.status == 403);
        let scopes = held.filter(|_| stepping_up);
        let mut headers = std::mem::take(&mut recorded.headers);
        headers.retain(|(name, _)| !name.trim().eq_ignore_ascii_case("authorization"));
        let plan = auth::Plan {
            server: recorded.url.clone(),
            headers,
            choice: recorded.choice.clone(),
            challenge,
            asks: options.asks,
            scopes: scopes
                .map(|held| held.requested.clone())
                .unwrap_or_default(),
        };
        let web = Arc::clone(&recorded.web);
        let flow = match Flow::new(plan, web, self.credentials.clone(), options.browser) {
            Ok(flow) => flow,
            Err(error) => {
                self.end(recorded).await;
                return Err(error.into());
            }
        };
        let (sign_in, task) = SignIn::new(flow, options.by_step);
        let (id, manager) = (recorded.id, self.clone());
        self.shared.tasks.spawn(async move {
            task.await;
            manager.end(recorded).await;
        });
        Ok((sign_in, id))
    }

    /// Renews the token of a server now.
    ///
    /// # Errors
    /// Where there is none, or it is not renewed.
    pub async fn renew_token(&self, server: &Server, origin: Origin) -> Result<Arc<Held>, Error> {
        let recorded = self.begin(server, origin, None, None).await?;
        let (url, choice, web) = (&recorded.url, &recorded.choice, &recorded.web);
        let renewed = auth::renew(&self.credentials, url, choice, web).await;
        self.end(recorded).await;
        Ok(renewed?)
    }

    /// Forgets the token of a server, and revokes it where its issuer has a way to. True where it was revoked.
    ///
    /// # Errors
    /// Where it could not be revoked; it is forgotten all the same.
    pub async fn sign_out(&self, server: &Server, origin: Origin) -> Result<bool, Error> {
        let recorded = self.begin(server, origin, None, None).await?;
        let revoked = match self.credentials.held(&recorded.url).await {
            Some(held) => auth::revoke(&recorded.web, &recorded.choice, &held).await,
            None => Ok(false),
        };
        self.credentials.forget(&recorded.url).await;
        self.end(recorded).await;
        Ok(revoked?)
    }

    async fn begin(
        &self,
        server: &Server,
        origin: Origin,
        choice: Option<AuthChoice>,
        ca: Option<PathBuf>,
    ) -> Result<Recorded, Error> {
        let resolved = self.resolved(server).await?;
        let (ServerConfig::StreamableHttp { url, headers } | ServerConfig::Sse { url, headers }) =
            resolved.values().clone()
        else {
            return Err(StepError::new(
                Party::User,
                "a server over stdio takes its credentials from its environment, so there is nothing to sign in to",
                "Set the variable that it reads",
            )
            .into());
        };
        let choice = match choice {
            Some(choice) => choice,
            None => self.auth_choice(server.id).await?,
        };
        let history = &self.shared.history;
        let kept = history.connection_options(server.id).await?;
        let id = SessionId(Uuid::now_v7());
        let new = NewSession {
            id,
            server: None,
            server_name: server.name.clone(),
            config: server.config.clone(),
            origin,
            previous: None,
            on_loss: OnLoss::Close,
        };
        let recording = history.record(new, resolved.secrets().clone()).await?;
        let log = Some((recording.tap.clone(), Conn::default()));
        let web = Web::new(log, resolved.secrets().clone(), ca.or(kept.ca));
        let opened = Event::Opened(Opened::Http { url: url.clone() });
        recording
            .tap
            .event(Conn::default(), opened, None, None)
            .await?;
        Ok(Recorded {
            id,
            recording,
            web: Arc::new(web),
            url,
            headers,
            choice,
        })
    }

    async fn end(&self, recorded: Recorded) {
        let Recorded {
            id, recording, web, ..
        } = recorded;
        let closed = Event::Closed(Closed {
            reason: EndReason::Closed,
            by: StoppedBy::App,
            code: None,
            signal: None,
            text: None,
            lived_us: 0,
        });
        // Where it cannot be logged, it was lost before.
        let _ = recording
            .tap
            .event(Conn::default(), closed, None, None)
            .await;
        drop(web);
        if let Err(error) = recording.finish().await {
            tracing::warn!("the record of a sign-in was not ended properly: {error}");
        }
        let tag = Label::Tags(vec![SIGN_IN_TAG.to_owned()]);
        if let Err(error) = self.shared.history.label(id, tag).await {
            tracing::debug!("a sign-in has no tag: {error}");
        }
    }
}
