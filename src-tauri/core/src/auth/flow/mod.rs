//! The steps of a sign-in, in order, each of which can be run again with other values.

mod client;
mod metadata;
#[cfg(test)]
mod tests;
mod token;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use parking_lot::Mutex;
use reqwest::{Method, Url};
use tokio::sync::watch;

use super::authorize::Pending;
use super::browser::Browser;
use super::client::Identity;
use super::credentials::{Credentials, Held};
use super::discovery::{ResourceMetadata, ServerMetadata};
use super::jwt::DpopKey;
use super::place::{Place, allowed, place};
use super::step::{
    Check, Consent, ConsentKind, Exchange, Halt, Party, Step, StepError, StepKind, StepState, Value,
};
use crate::protocol::{AuthChoice, Grant};
use crate::transport::{Answer, Ask, Challenge, HttpError, Redirects, Web};

pub(super) use token::refresh;
pub use token::revoke;

/// How often metadata is followed to where it has moved.
const MOVES: usize = 3;

/// What a sign-in is for.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The URL of the server.
    pub server: String,
    /// Headers that are sent to it with every request, but for `Authorization`.
    pub headers: Vec<(String, String)>,
    /// How to sign in, with values in place of references.
    pub choice: AuthChoice,
    /// What it asked for; where that is not known, it is asked.
    pub challenge: Option<Challenge>,
    /// The user is asked before the browser is opened, with its address.
    pub asks: bool,
    /// The scopes that were asked for before: more of them do not cost those.
    pub scopes: Vec<String>,
}

/// What the steps found.
#[derive(Debug, Default)]
struct Found {
    challenge: Challenge,
    resource_metadata: Option<ResourceMetadata>,
    /// What the token is for.
    resource: Option<String>,
    /// The issuer of the metadata.
    issuer: String,
    metadata: ServerMetadata,
    client: Option<Identity>,
    redirects: Option<Redirects>,
    pending: Option<Pending>,
    requested: Vec<String>,
    code: Option<String>,
    assertion: Option<String>,
    dpop: Option<DpopKey>,
    held: Option<Arc<Held>>,
}

/// A sign-in.
pub struct Flow {
    plan: Plan,
    server: Url,
    /// Where the server is: metadata may not lead nearer.
    place: Option<Place>,
    web: Arc<Web>,
    credentials: Credentials,
    browser: Arc<dyn Browser>,
    steps: Vec<Step>,
    at: usize,
    edits: BTreeMap<(StepKind, String), String>,
    agreed: BTreeSet<(ConsentKind, String)>,
    found: Found,
    told: watch::Sender<Vec<Step>>,
    /// The address that the browser came back to, typed by the user.
    pasted: Arc<Mutex<Option<String>>>,
    paste: Arc<tokio::sync::Notify>,
}

impl fmt::Debug for Flow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Flow")
            .field("server", &self.plan.server)
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}

/// Hands a flow the address that the browser came back to.
#[derive(Clone, Debug)]
pub(super) struct Paste {
    pasted: Arc<Mutex<Option<String>>>,
    paste: Arc<tokio::sync::Notify>,
}

impl Paste {
    pub(super) fn put(&self, url: String) {
        *self.pasted.lock() = Some(url);
        self.paste.notify_one();
    }
}

impl Flow {
    /// A sign-in of which nothing has run.
    ///
    /// # Errors
    /// Where the server has no URL.
    pub fn new(
        plan: Plan,
        web: Arc<Web>,
        credentials: Credentials,
        browser: Arc<dyn Browser>,
    ) -> Result<Self, StepError> {
        let server = Url::parse(&plan.server).map_err(|error| {
            let message = format!("`{}` is no URL: {error}", plan.server);
            StepError::new(
                Party::User,
                message,
                "Correct it in the server's configuration",
            )
        })?;
        for (name, value) in [
            ("client_secret", &plan.choice.client_secret),
            ("private_key", &plan.choice.private_key),
            ("assertion", &plan.choice.assertion),
        ] {
            if let Some(value) = value {
                web.secrets().learn(name, value);
            }
        }
        let steps: Vec<_> = kinds(plan.choice.grant)
            .into_iter()
            .map(Step::new)
            .collect();
        Ok(Self {
            plan,
            server,
            place: None,
            web,
            credentials,
            browser,
            told: watch::Sender::new(steps.clone()),
            steps,
            at: 0,
            edits: BTreeMap::new(),
            agreed: BTreeSet::new(),
            found: Found::default(),
            pasted: Arc::default(),
            paste: Arc::default(),
        })
    }

    /// The steps as they stand, and as they change.
    pub fn steps(&self) -> watch::Receiver<Vec<Step>> {
        self.told.subscribe()
    }

    pub(super) fn paster(&self) -> Paste {
        Paste {
            pasted: Arc::clone(&self.pasted),
            paste: Arc::clone(&self.paste),
        }
    }

    /// The step that would run next; none where all are done.
    pub fn next(&self) -> Option<StepKind> {
        let open = self.steps.iter().find(|step| step.state != StepState::Done);
        open.map(|step| step.kind)
    }

    /// Sets a value of a step, or has it as usual again with none; it and all after it are to be run.
    pub fn set(&mut self, step: StepKind, name: &str, value: Option<String>) {
        let place = (step, name.to_owned());
        let Some(value) = value else {
            self.edits.remove(&place);
            self.restart_from(step);
            return;
        };
        if self
            .values(step)
            .iter()
            .any(|known| known.name == name && known.secret)
        {
            self.web.secrets().learn(name, &value);
        }
        self.edits.insert(place, value);
        self.restart_from(step);
    }

    /// A step and all after it are to be run again.
    pub fn restart_from(&mut self, kind: StepKind) {
        for step in self.steps.iter_mut().filter(|step| step.kind >= kind) {
            let values = std::mem::take(&mut step.values);
            *step = Step::new(step.kind);
            step.values = values;
        }
        for at in 0..self.steps.len() {
            let kind = self.steps[at].kind;
            for value in &mut self.steps[at].values {
                if let Some(edit) = self.edits.get(&(kind, value.name.to_owned())) {
                    value.edited = true;
                    value.value = if value.secret {
                        String::new()
                    } else {
                        edit.clone()
                    };
                }
            }
        }
        self.offer();
        self.publish();
    }

    /// Shows what the next step would send, so that it can be changed before it goes.
    fn offer(&mut self) {
        let next = self
            .steps
            .iter()
            .position(|one| one.state != StepState::Done);
        let Some(at) = next.filter(|at| self.steps[*at].state == StepState::Pending) else {
            return;
        };
        self.at = at;
        self.step().values.clear();
        match self.step().kind {
            StepKind::Challenge | StepKind::IdAssertion => {}
            StepKind::ResourceMetadata => drop(self.metadata_url()),
            StepKind::ServerMetadata => drop(self.issuer()),
            StepKind::Client => drop(self.client_choice()),
            StepKind::Authorize => drop(self.asked_for()),
            // What it lacks is told when it runs.
            StepKind::Token => drop(self.grant()),
        }
    }

    /// Answers what a step asks; it is to be run again, or has failed.
    pub fn answer(&mut self, agree: bool) {
        let waiting = self.steps.iter_mut().find(|step| step.consent.is_some());
        let Some(step) = waiting else { return };
        let Some(consent) = step.consent.take() else {
            return;
        };
        if agree {
            step.state = StepState::Pending;
            self.agreed.insert((consent.kind, consent.theirs));
        } else {
            step.state = StepState::Failed;
            let message = format!("{}: that was not agreed to", consent.message);
            step.error = Some(StepError::new(
                Party::User,
                message,
                "Nothing was sent there",
            ));
        }
        self.publish();
    }

    /// Runs what is left, until it is done or halts.
    ///
    /// # Errors
    /// Why it halts.
    pub async fn run(&mut self) -> Result<Arc<Held>, Halt> {
        while self.next().is_some() {
            self.run_next().await?;
        }
        self.found.held.clone().ok_or_else(|| {
            StepError::new(
                Party::App,
                "no token came of the sign-in",
                "Please report it",
            )
            .into()
        })
    }

    /// Runs the next step. Dropped before its end, that step is to be run again.
    ///
    /// # Errors
    /// Why it halts.
    pub async fn run_next(&mut self) -> Result<(), Halt> {
        let Some(kind) = self.next() else {
            return Ok(());
        };
        let at = self.steps.iter().position(|step| step.kind == kind);
        self.at = at.unwrap_or_default();
        self.steps[self.at] = Step::new(kind);
        self.step().state = StepState::Running;
        self.publish();
        if self.place.is_none() {
            self.place = Some(place(&self.server).await);
        }
        let ran = match kind {
            StepKind::Challenge => self.challenge().await,
            StepKind::ResourceMetadata => self.resource_metadata().await,
            StepKind::ServerMetadata => self.server_metadata().await,
            StepKind::Client => self.client().await,
            StepKind::Authorize => self.authorize().await,
            StepKind::IdAssertion => self.id_assertion().await,
            StepKind::Token => self.token().await,
        };
        let step = self.step();
        step.open_url = None;
        step.state = match &ran {
            Ok(()) => StepState::Done,
            Err(Halt::Failed(error)) => {
                step.error = Some(after_edits(error, &step.values));
                StepState::Failed
            }
            Err(Halt::Asked(consent)) => {
                step.consent = Some(consent.clone());
                StepState::Waiting
            }
        };
        self.offer();
        self.publish();
        ran
    }

    fn step(&mut self) -> &mut Step {
        &mut self.steps[self.at]
    }

    fn publish(&self) {
        self.told.send_replace(self.steps.clone());
    }

    fn values(&self, kind: StepKind) -> &[Value] {
        let step = self.steps.iter().find(|step| step.kind == kind);
        step.map_or(&[], |step| step.values.as_slice())
    }

    fn check(&mut self, check: Check) {
        self.step().checks.push(check);
    }

    fn fact(&mut self, name: &'static str, value: impl Into<String>) {
        let value = self.masked(&value.into());
        self.step().facts.push((name, value));
    }

    /// A value of this step: as the user set it, else this one; it can be changed.
    fn value(&mut self, name: &'static str, usual: Option<&str>, secret: bool) -> Option<String> {
        let kind = self.step().kind;
        let edit = self.edits.get(&(kind, name.to_owned())).cloned();
        let edited = edit.is_some();
        let value = edit
            .or_else(|| usual.map(str::to_owned))
            .filter(|value| !value.is_empty());
        let shown = match (&value, secret) {
            (Some(value), false) => value.clone(),
            _ => String::new(),
        };
        self.step().values.push(Value {
            name,
            value: shown,
            secret,
            edited,
        });
        value
    }

    fn masked(&self, text: &str) -> String {
        let bytes = bytes::Bytes::copy_from_slice(text.as_bytes());
        String::from_utf8_lossy(&self.web.secrets().mask(&bytes).0).into_owned()
    }

    /// Makes an exchange of this step.
    async fn ask(&mut self, ask: Ask) -> Result<Result<Answer, HttpError>, Halt> {
        let asked = ask.clone();
        let answer = self.web.ask(ask).await.map_err(|lost| {
            StepError::new(
                Party::App,
                lost.to_string(),
                "What is not recorded is not sent",
            )
        })?;
        let secrets = self.web.secrets();
        let mut exchange = Exchange {
            seq: None,
            method: asked.method.to_string(),
            url: self.masked(asked.url.as_str()),
            request_headers: asked.headers,
            request_body: asked.body.as_deref().map(|body| self.masked(body)),
            status: None,
            response_headers: Vec::new(),
            response_body: None,
            problem: None,
        };
        match &answer {
            Ok(answer) => {
                exchange.seq = answer.seq;
                exchange.status = Some(answer.status);
                exchange.response_headers = answer.headers.clone();
                exchange.response_body = Some(self.masked(&answer.body));
            }
            Err(error) => exchange.problem = Some(self.masked(&error.to_string())),
        }
        for headers in [
            &mut exchange.request_headers,
            &mut exchange.response_headers,
        ] {
            secrets.mask_headers(headers);
            for (_, value) in headers {
                *value = self.masked(value);
            }
        }
        self.step().exchanges.push(exchange);
        self.publish();
        Ok(answer)
    }

    /// Reads a document of metadata, also from where it has moved to. Every address on the way is checked.
    async fn get(&mut self, address: &str, what: &str) -> Result<Result<Answer, HttpError>, Halt> {
        let mut address = address.to_owned();
        for _ in 0..=MOVES {
            let url = self.may_reach(&address, what).await?;
            let ask = Ask {
                method: Method::GET,
                url: url.clone(),
                headers: vec![
                    ("accept".to_owned(), "application/json".to_owned()),
                    ("mcp-protocol-version".to_owned(), "2026-07-28".to_owned()),
                ],
                body: None,
            };
            let answer = self.ask(ask).await?;
            let moved = match &answer {
                Ok(answer) if (300..400).contains(&answer.status) => answer.header("location"),
                Ok(_) | Err(_) => None,
            };
            match moved.and_then(|there| url.join(there).ok()) {
                Some(there) => address = there.to_string(),
                None => return Ok(answer),
            }
        }
        let message = format!("{what} moves on and on");
        Err(StepError::new(Party::Server, message, "Use the address where it ends").into())
    }

    /// Whether an address that metadata names may be used: its scheme, and that a public server leads to no private address
    /// without consent.
    async fn may_reach(&self, address: &str, what: &str) -> Result<Url, Halt> {
        let (url, place) = allowed(address, what).await?;
        let origin = url.origin().ascii_serialization();
        let near = place != Place::Public && self.place == Some(Place::Public);
        let agreed = (ConsentKind::PrivateAddress, origin.clone());
        if near && !self.plan.choice.accept_private && !self.agreed.contains(&agreed) {
            return Err(Halt::Asked(Consent {
                kind: ConsentKind::PrivateAddress,
                message: format!(
                    "{what} is at {address}, an address of this machine or its network, although the server is in neither"
                ),
                theirs: origin,
                ours: self.server.origin().ascii_serialization(),
            }));
        }
        Ok(url)
    }

    fn is_code(&self) -> bool {
        self.plan.choice.grant == Grant::AuthorizationCode
    }

    /// The server is its own authorization server, as in 2025-03-26.
    fn is_first_revision(&self) -> bool {
        self.found.resource_metadata.is_none()
    }
}

/// Why a step failed that may have sent what the user changed.
fn after_edits(error: &StepError, values: &[Value]) -> StepError {
    let edited = values.iter().filter(|value| value.edited);
    let edited: Vec<_> = edited.map(|value| value.name).collect();
    let mut error = error.clone();
    if !edited.is_empty() {
        error.party = Party::User;
        let edited = edited.join(", ");
        error.next = format!(
            "take back what you changed in this step ({edited}). {}",
            error.next
        );
    }
    error
}

/// The steps of a grant.
fn kinds(grant: Grant) -> Vec<StepKind> {
    use StepKind::{
        Authorize, Challenge, Client, IdAssertion, ResourceMetadata, ServerMetadata, Token,
    };
    let mut kinds = vec![Challenge, ResourceMetadata, ServerMetadata, Client];
    match grant {
        Grant::AuthorizationCode => kinds.push(Authorize),
        Grant::EnterpriseManaged => kinds.push(IdAssertion),
        Grant::ClientCredentials | Grant::WorkloadIdentity => {}
    }
    kinds.push(Token);
    kinds
}
