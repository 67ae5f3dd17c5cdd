//! What a session's transport asks for credentials: it has the token of the server, renews it, and comes by one where none needs
//! a person. What needs one is left to the user, who is told so by the state of the session.

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use reqwest::Url;

use super::browser::Browser;
use super::credentials::{Credentials, Held};
use super::flow::{Flow, Plan, refresh};
use super::step::{Halt, Party, StepError};
use crate::protocol::AuthChoice;
use crate::record::{Conn, Event, Note, Tap};
use crate::transport::{Authorize, Challenge, Next, Web};

/// Supplies one session with the token of its server.
pub struct Authorizer {
    plan: Plan,
    /// The configuration has an `Authorization` header: that is sent, and nothing else.
    configured: bool,
    credentials: Credentials,
    web: Arc<Web>,
    tap: Tap,
    /// Stands in for a person.
    browser: Option<Arc<dyn Browser>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// What the server wants in the next proof (RFC 9449 § 9).
    nonce: Option<String>,
    /// It was said that the header wins.
    said: bool,
}

impl fmt::Debug for Authorizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authorizer")
            .field("server", &self.plan.server)
            .field("configured", &self.configured)
            .finish_non_exhaustive()
    }
}

/// In place of a person where there is none.
struct Nobody;

impl Browser for Nobody {
    fn open<'a>(&'a self, _url: &'a str) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(std::future::ready(Err(
            "this sign-in needs a person".to_owned()
        )))
    }

    fn is_needed(&self) -> bool {
        true
    }
}

impl Authorizer {
    /// `plan` has all headers of the configuration; `browser` stands in for a person, where something can.
    pub fn new(
        mut plan: Plan,
        credentials: Credentials,
        web: Web,
        tap: Tap,
        browser: Option<Arc<dyn Browser>>,
    ) -> Self {
        let before = plan.headers.len();
        plan.headers
            .retain(|(name, _)| !name.trim().eq_ignore_ascii_case("authorization"));
        Self {
            configured: plan.headers.len() != before,
            plan,
            credentials,
            web: Arc::new(web),
            tap,
            browser,
            state: Mutex::default(),
        }
    }

    /// The same server, and no other: a token goes nowhere else.
    fn is_server(&self, url: &str) -> bool {
        let origin = |text: &str| Url::parse(text).ok().map(|url| url.origin());
        let (ours, theirs) = (origin(&self.plan.server), origin(url));
        ours.is_some() && ours == theirs
    }

    async fn note(&self, text: String) {
        let note = Event::Note(Note::Handshake { text });
        // Where it cannot be logged the wire ends by itself.
        let _ = self.tap.event(Conn(0), note, None, None).await;
    }

    async fn header(&self, method: &str, url: &str) -> Vec<(String, String)> {
        if !self.is_server(url) {
            return Vec::new();
        }
        let Some(mut held) = self.credentials.look(&self.plan.server).await else {
            return Vec::new();
        };
        if self.configured {
            let said = std::mem::replace(&mut self.state.lock().said, true);
            if !said {
                self.note(
                    "the Authorization header of the server's configuration is sent; the token of the sign-in is not used"
                        .to_owned(),
                )
                .await;
            }
            return Vec::new();
        }
        if held.is_old() && held.refreshable() {
            let before = Arc::clone(&held);
            let lock = self.credentials.lock(&self.plan.server);
            let _one_at_a_time = lock.lock().await;
            match self.renewed(&before).await {
                Ok(new) => held = new,
                // The server says whether it still takes the old one.
                Err(error) => {
                    self.note(format!("the token was not renewed: {error}"))
                        .await
                }
            }
        }
        held.tell(self.web.secrets());
        self.sent(&held, method, url)
    }

    fn sent(&self, held: &Held, method: &str, url: &str) -> Vec<(String, String)> {
        let header = |scheme: &str| {
            (
                "authorization".to_owned(),
                format!("{scheme} {}", held.access),
            )
        };
        let (Some(key), Ok(url)) = (held.key(), Url::parse(url)) else {
            return vec![header("Bearer")];
        };
        let nonce = self.state.lock().nonce.clone();
        match key.proof(method, &url, Some(&held.access), nonce.as_deref()) {
            Ok(proof) => vec![header("DPoP"), ("dpop".to_owned(), proof)],
            Err(_) => Vec::new(),
        }
    }

    /// A newer token than `before`: what somebody else came by meanwhile, else by its refresh token. The lock is held.
    async fn renewed(&self, before: &Arc<Held>) -> Result<Arc<Held>, StepError> {
        let now = self.credentials.held(&self.plan.server).await;
        if let Some(now) = now.filter(|now| now.access != before.access) {
            return Ok(now);
        }
        let new = refresh(&self.web, &self.plan.choice, before).await?;
        Ok(self.credentials.keep(new).await)
    }

    /// `sent`: the token that was refused.
    async fn challenged(&self, challenge: Challenge, sent: Option<String>) -> Next {
        if self.configured || !self.is_server(&challenge.url) {
            return Next::Stop;
        }
        let lock = self.credentials.lock(&self.plan.server);
        let _one_at_a_time = lock.lock().await;
        let held = self.credentials.held(&self.plan.server).await;
        if held
            .as_ref()
            .is_some_and(|held| Some(&held.access) != sent.as_ref())
        {
            // Somebody else came by one since this was sent.
            return Next::Retry;
        }
        if let Some(nonce) = challenge
            .dpop_nonce
            .clone()
            .filter(|_| held.as_ref().is_some_and(|held| held.is_dpop()))
        {
            let known = self.state.lock().nonce.replace(nonce.clone());
            if known != Some(nonce) {
                return Next::Retry;
            }
        }
        let why = match self.come_by(challenge.clone(), held).await {
            Ok(()) => return Next::Retry,
            Err(why) => why,
        };
        self.credentials.needs_person(&self.plan.server, challenge);
        if let Some(why) = why {
            self.note(format!("no token: {why}")).await;
        }
        Next::Stop
    }

    /// Comes by a token that the server may take. Errors are words; none where there is nothing to try.
    async fn come_by(
        &self,
        challenge: Challenge,
        held: Option<Arc<Held>>,
    ) -> Result<(), Option<String>> {
        let mut plan = self.plan.clone();
        match (challenge.status, &held) {
            (401, Some(held)) if held.refreshable() => match self.renewed(held).await {
                Ok(_) => return Ok(()),
                Err(error) => {
                    self.note(format!("the token was not renewed: {error}"))
                        .await
                }
            },
            (401, _) => {}
            _ if challenge.wants_scopes() => {
                plan.scopes = held.map(|held| held.requested.clone()).unwrap_or_default();
                let asked = challenge.scopes();
                if asked.iter().all(|scope| plan.scopes.contains(scope)) {
                    let why = "the server asks for scopes that the token was asked for already, so another one would not help";
                    return Err(Some(why.to_owned()));
                }
            }
            _ => return Err(None),
        }
        let nobody = plan.choice.grant.needs_nobody();
        let browser = match &self.browser {
            Some(browser) => Arc::clone(browser),
            None if nobody => Arc::new(Nobody),
            None => return Err(None),
        };
        plan.challenge = Some(challenge);
        let flow = Flow::new(
            plan,
            Arc::clone(&self.web),
            self.credentials.clone(),
            browser,
        );
        let mut flow = flow.map_err(|error| Some(error.to_string()))?;
        match flow.run().await {
            Ok(_) => Ok(()),
            Err(Halt::Failed(error)) => Err(Some(error.to_string())),
            Err(Halt::Asked(consent)) => {
                let error = StepError::new(
                    Party::Server,
                    consent.message,
                    "Sign in yourself to agree to it",
                );
                Err(Some(error.to_string()))
            }
        }
    }
}

/// Renews the token of a server now.
///
/// # Errors
/// Where there is none, or the authorization server does not renew it.
pub async fn renew(
    credentials: &Credentials,
    server: &str,
    choice: &AuthChoice,
    web: &Web,
) -> Result<Arc<Held>, StepError> {
    let lock = credentials.lock(server);
    let _one_at_a_time = lock.lock().await;
    let held = credentials.held(server).await.ok_or_else(|| {
        StepError::new(Party::User, "there is no token to renew", "Sign in first")
    })?;
    let new = refresh(web, choice, &held).await?;
    Ok(credentials.keep(new).await)
}

impl Authorize for Authorizer {
    fn headers(&self, method: &str, url: &str) -> BoxFuture<'_, Vec<(String, String)>> {
        let (method, url) = (method.to_owned(), url.to_owned());
        Box::pin(async move { self.header(&method, &url).await })
    }

    fn on_challenge(&self, challenge: Challenge, sent: Option<&str>) -> BoxFuture<'_, Next> {
        let sent = sent.and_then(|sent| Some(sent.split_once(' ')?.1.to_owned()));
        Box::pin(self.challenged(challenge, sent))
    }
}
