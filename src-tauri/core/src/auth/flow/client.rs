//! The middle steps: who this client is, and the person who signs in.

use reqwest::Method;

use super::super::authorize::{Pending, Request, parameter, returned, url};
use super::super::client::{Identity, Registered, Source, Way, registration, way};
use super::super::jwt;
use super::super::step::{
    Check, Consent, ConsentKind, Exchange, Halt, Party, StepError, StepState,
};
use super::Flow;
use super::metadata::unreached;
use crate::protocol::AuthChoice;
use crate::transport::{Ask, Redirects};

impl Flow {
    /// What is configured, with the client that this step is to be.
    pub(super) fn client_choice(&mut self) -> AuthChoice {
        let configured = self.plan.choice.client_id.clone();
        let mut choice = self.plan.choice.clone();
        choice.client_id = self.value("client_id", configured.as_deref(), false);
        choice.client_secret = self.value("client_secret", choice.client_secret.as_deref(), true);
        if choice.client_id != configured {
            choice.issuer = None;
        }
        choice
    }

    pub(super) async fn client(&mut self) -> Result<(), Halt> {
        let choice = self.client_choice();
        let issuer = self.found.issuer.clone();
        let client = match way(&choice, &self.found.metadata, &issuer) {
            Way::Is(client) => client,
            Way::Register(endpoint) if self.is_code() => self.registered(&endpoint).await?,
            Way::Register(_) | Way::Ask => {
                let error = StepError::new(
                    Party::User,
                    "the authorization server lets no client register itself, and no client id is configured",
                    "Register this app there, then give its client id (and secret) here or with the server",
                );
                return Err(error.into());
            }
            Way::Foreign(theirs) => {
                let message = format!(
                    "the configured client is registered with `{theirs}`, and the server now names `{issuer}`: it is not used there"
                );
                let next = "Register a client there, and give its id with the server";
                return Err(StepError::new(Party::User, message, next).into());
            }
        };
        if self.is_code() && self.found.redirects.is_none() {
            self.listen(client.port).await?;
        }
        self.fact("client_id", &client.id);
        self.fact(
            "how",
            match client.source {
                Source::Preregistered => "registered before, and configured",
                Source::MetadataDocument => "its metadata document (no registration)",
                Source::Registered => "registered dynamically",
            },
        );
        self.found.client = Some(client);
        Ok(())
    }

    /// Listens for the browser: on this port where it is free.
    async fn listen(&mut self, port: Option<u16>) -> Result<String, Halt> {
        let redirects = Redirects::listen(port).await.map_err(|error| {
            let message =
                format!("this machine gives no port for the browser to come back to: {error}");
            StepError::new(
                Party::App,
                message,
                "Close what uses up the ports of 127.0.0.1",
            )
        })?;
        let uri = redirects.uri();
        self.found.redirects = Some(redirects);
        Ok(uri)
    }

    /// A client that this issuer knows: one that was registered for the same address, else a new one.
    async fn registered(&mut self, endpoint: &str) -> Result<Identity, Halt> {
        let issuer = self.found.issuer.clone();
        let kept = self.credentials.client(&issuer).await;
        let wanted = kept.as_ref().and_then(|kept| kept.port);
        let uri = self.listen(wanted).await?;
        let port = self.found.redirects.as_ref().map(Redirects::port);
        if let Some(kept) = kept.filter(|kept| kept.port == port) {
            return Ok(kept);
        }
        let url = self.may_reach(endpoint, "registration_endpoint").await?;
        let ask = Ask {
            method: Method::POST,
            url,
            headers: vec![
                ("content-type".to_owned(), "application/json".to_owned()),
                ("accept".to_owned(), "application/json".to_owned()),
            ],
            body: Some(registration(&self.found.metadata, &uri)),
        };
        let answer = self.ask(ask).await?.map_err(|error| unreached(&error))?;
        let read: Option<Registered> = serde_json::from_str(&answer.body).ok();
        let success = (200..300).contains(&answer.status);
        let Some(registered) = read.filter(|_| success) else {
            let message = format!(
                "the authorization server did not register this client (HTTP {})",
                answer.status
            );
            let next = "See what it objects to in the exchange, or register the client there by hand and configure its id";
            return Err(StepError::new(Party::AuthorizationServer, message, next).into());
        };
        let client = Identity {
            id: registered.client_id,
            secret: registered.client_secret.filter(|secret| !secret.is_empty()),
            method: registered.token_endpoint_auth_method,
            port,
            source: Source::Registered,
        };
        self.credentials.keep_client(&issuer, &client).await;
        Ok(client)
    }

    /// The scopes and the resource that are asked for.
    pub(super) fn asked_for(&mut self) -> (Option<String>, Option<String>) {
        let usual = self.scopes().join(" ");
        let scope = self.value("scope", Some(&usual), false);
        let found = self.found.resource.clone();
        (scope, self.value("resource", found.as_deref(), false))
    }

    pub(super) async fn authorize(&mut self) -> Result<(), Halt> {
        let metadata = self.found.metadata.clone();
        let named = metadata.authorization_endpoint.as_ref();
        let endpoint = self.endpoint(named, "authorization_endpoint").await?;
        self.check(Check::new(
            "authorization_endpoint may be opened",
            "security best practices › OAuth Authorization URL Validation",
            true,
        ));
        let (scope, resource) = self.asked_for();
        let target = endpoint.to_string();
        let agreed = (ConsentKind::OpenBrowser, target.clone());
        if self.plan.asks && !self.agreed.contains(&agreed) {
            return Err(Halt::Asked(Consent {
                kind: ConsentKind::OpenBrowser,
                message: format!("the browser is about to be opened at {target}"),
                theirs: target,
                ours: self.plan.server.clone(),
            }));
        }
        let client_id = self.client_id();
        let random = || jwt::random().map_err(|why| StepError::new(Party::App, why, "Try again"));
        let (state, verifier) = (random()?, random()?);
        let state = self.value("state", Some(&state), false).unwrap_or_default();
        self.web.secrets().learn("code_verifier", &verifier);
        let redirect_uri = match &self.found.redirects {
            Some(redirects) => redirects.uri(),
            None => self.listen(None).await?,
        };
        let pending = Pending {
            state,
            verifier,
            redirect_uri,
            issuer: self.found.issuer.clone(),
            promises_iss: metadata.authorization_response_iss_parameter_supported == Some(true),
        };
        let request = Request {
            client_id: &client_id,
            challenge: &jwt::hashed(&pending.verifier),
            scope: scope.as_deref(),
            resource: resource.as_deref(),
        };
        let url = url(&endpoint, &pending, &request);
        self.found.requested = words(scope.as_deref());
        self.found.pending = Some(pending.clone());
        self.fact("opened in the browser", url.as_str());
        self.step().state = StepState::Waiting;
        self.step().open_url = Some(url.to_string());
        self.publish();
        let back = self.back(url.as_str(), &pending).await?;
        self.step().state = StepState::Running;
        if let Some(code) = parameter(&back, "code") {
            self.web.secrets().learn("code", &code);
        }
        let seq = self.web.returned(&back).await.map_err(|lost| {
            StepError::new(
                Party::App,
                lost.to_string(),
                "What is not recorded is not used",
            )
        })?;
        let shown = self.masked(&back);
        self.step().exchanges.push(Exchange {
            seq,
            method: "GET".to_owned(),
            url: shown,
            request_headers: Vec::new(),
            request_body: None,
            status: Some(200),
            response_headers: Vec::new(),
            response_body: None,
            problem: None,
        });
        let (checks, code) = returned(&back, &pending);
        self.step().checks.extend(checks);
        self.found.code = Some(code?);
        Ok(())
    }

    /// Sends the browser there and waits until it is back, or until the user tells where it came back to.
    async fn back(&self, url: &str, pending: &Pending) -> Result<String, Halt> {
        let Some(redirects) = &self.found.redirects else {
            return Err(StepError::new(
                Party::App,
                "nothing waits for the browser",
                "Please report it",
            )
            .into());
        };
        self.pasted.lock().take();
        let ours = |url: &str| parameter(url, "state").as_deref() == Some(&*pending.state);
        let comes = redirects.wait(|returned| ours(&returned.url));
        let opens = async {
            match self.browser.open(url).await {
                Ok(()) => std::future::pending::<StepError>().await,
                Err(why) => {
                    let message = format!("the browser was not opened: {why}");
                    StepError::new(Party::App, message, "Open the address yourself")
                }
            }
        };
        let typed = async {
            loop {
                self.paste.notified().await;
                let pasted = self.pasted.lock().take();
                if let Some(url) = pasted {
                    return url;
                }
            }
        };
        tokio::pin!(comes, opens, typed);
        let failed = tokio::select! {
            biased;
            back = &mut comes => return Ok(back.url),
            back = &mut typed => return Ok(back),
            failed = &mut opens => failed,
        };
        if self.browser.is_needed() {
            return Err(failed.into());
        }
        // The address is shown: a person can open it.
        tokio::select! {
            back = comes => Ok(back.url),
            back = typed => Ok(back),
        }
    }

    /// The scopes to ask for (authorization › Scope Selection Strategy, Step-Up Authorization Flow).
    pub(super) fn scopes(&self) -> Vec<String> {
        if let Some(wanted) = &self.plan.choice.scopes {
            return words(Some(wanted));
        }
        let challenge = &self.found.challenge;
        let known = self.found.resource_metadata.as_ref();
        let supported = known.and_then(|known| known.scopes_supported.clone());
        let mut scopes = match challenge.scopes() {
            none if none.is_empty() => supported.unwrap_or_default(),
            asked => asked,
        };
        if challenge.status == 403 {
            let more = std::mem::replace(&mut scopes, self.plan.scopes.clone());
            scopes.extend(more);
        }
        let theirs = self.found.metadata.scopes_supported.as_ref();
        let offline = theirs.is_some_and(|all| all.iter().any(|one| one == "offline_access"));
        if offline && !scopes.is_empty() && self.is_code() {
            scopes.push("offline_access".to_owned());
        }
        let mut seen = std::collections::BTreeSet::new();
        scopes.retain(|scope| seen.insert(scope.clone()));
        scopes
    }

    pub(super) fn client_id(&self) -> String {
        let client = self.found.client.as_ref();
        client.map(|client| client.id.clone()).unwrap_or_default()
    }
}

pub(super) fn words(text: Option<&str>) -> Vec<String> {
    let words = text.unwrap_or_default().split_whitespace();
    words.map(str::to_owned).collect()
}
