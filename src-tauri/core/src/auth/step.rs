//! What a step of a sign-in shows.

use crate::record::Seq;

/// The steps, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepKind {
    /// What the server asks for.
    Challenge,
    /// What it says about itself (RFC 9728).
    ResourceMetadata,
    /// What its authorization server says about itself (RFC 8414, OpenID Connect Discovery).
    ServerMetadata,
    /// Who this client is to the authorization server.
    Client,
    /// A person signs in and agrees.
    Authorize,
    /// The identity provider vouches for that person (ID-JAG).
    IdAssertion,
    /// The token.
    Token,
}

impl StepKind {
    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Challenge => "The server's challenge",
            Self::ResourceMetadata => "Protected resource metadata",
            Self::ServerMetadata => "Authorization server metadata",
            Self::Client => "Client registration",
            Self::Authorize => "Authorization in the browser",
            Self::IdAssertion => "Identity assertion",
            Self::Token => "Token",
        }
    }

    /// Where the specification has it.
    pub fn spec(self) -> &'static str {
        match self {
            Self::Challenge => "authorization › Authorization Server Discovery; RFC 6750 § 3",
            Self::ResourceMetadata => {
                "authorization › Protected Resource Metadata Discovery Requirements; RFC 9728 § 3"
            }
            Self::ServerMetadata => {
                "authorization › Authorization Server Metadata Discovery; RFC 8414 § 3"
            }
            Self::Client => "authorization › Client Registration Approaches; RFC 7591",
            Self::Authorize => "authorization › Authorization Code Protection; OAuth 2.1 § 4.1",
            Self::IdAssertion => "extension enterprise-managed-authorization; RFC 8693",
            Self::Token => "authorization › Access Token Usage; OAuth 2.1 § 3.2",
        }
    }
}

/// How it stands with a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepState {
    /// Not run.
    Pending,
    /// On the way.
    Running,
    /// Done.
    Done,
    /// It failed; the error says why.
    Failed,
    /// It waits for the user: for the browser, or for the answer to a question.
    Waiting,
}

/// A step as it stands. All texts are masked already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which.
    pub kind: StepKind,
    /// How it stands.
    pub state: StepState,
    /// What was sent and received, in order.
    pub exchanges: Vec<Exchange>,
    /// What was checked, in order.
    pub checks: Vec<Check>,
    /// What may be changed before it is run again.
    pub values: Vec<Value>,
    /// What was found: name and value.
    pub facts: Vec<(&'static str, String)>,
    /// Why it failed.
    pub error: Option<StepError>,
    /// What the user is asked.
    pub consent: Option<Consent>,
    /// What the browser was given, while the step waits for it.
    pub open_url: Option<String>,
}

impl Step {
    /// Nothing yet.
    pub fn new(kind: StepKind) -> Self {
        Self {
            kind,
            state: StepState::Pending,
            exchanges: Vec::new(),
            checks: Vec::new(),
            values: Vec::new(),
            facts: Vec::new(),
            error: None,
            consent: None,
            open_url: None,
        }
    }
}

/// One HTTP exchange of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange {
    /// The record of its request, where it is in a log.
    pub seq: Option<Seq>,
    /// The method.
    pub method: String,
    /// Where to.
    pub url: String,
    /// The headers that were sent.
    pub request_headers: Vec<(String, String)>,
    /// The body that was sent.
    pub request_body: Option<String>,
    /// The status of the answer; none where none came.
    pub status: Option<u16>,
    /// Its headers.
    pub response_headers: Vec<(String, String)>,
    /// The beginning of its body.
    pub response_body: Option<String>,
    /// Why no answer came.
    pub problem: Option<String>,
}

/// Something that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What.
    pub what: &'static str,
    /// Whether it holds.
    pub ok: bool,
    /// It does not hold, and that is no reason to stop.
    pub warning: bool,
    /// What was found.
    pub found: Option<String>,
    /// What should have been.
    pub expected: Option<String>,
    /// Where that stands.
    pub spec: &'static str,
}

impl Check {
    /// A check and its outcome.
    pub fn new(what: &'static str, spec: &'static str, ok: bool) -> Self {
        Self {
            what,
            ok,
            warning: false,
            found: None,
            expected: None,
            spec,
        }
    }

    /// What was found.
    #[must_use]
    pub fn found(mut self, found: impl Into<String>) -> Self {
        self.found = Some(found.into());
        self
    }

    /// What should have been.
    #[must_use]
    pub fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// Not holding it is no reason to stop.
    #[must_use]
    pub fn warns(mut self) -> Self {
        self.warning = !self.ok;
        self
    }
}

/// A value of a step that may be changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Its name.
    pub name: &'static str,
    /// The value; empty where it is secret.
    pub value: String,
    /// It is not shown.
    pub secret: bool,
    /// The user set it.
    pub edited: bool,
}

/// Who is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Party {
    /// The MCP server.
    Server,
    /// Its authorization server.
    AuthorizationServer,
    /// This app.
    App,
    /// The user, or what the user configured.
    User,
    /// What lies between.
    Network,
}

/// Why a step failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}. {next}")]
pub struct StepError {
    /// Who is at fault.
    pub party: Party,
    /// What happened.
    pub message: String,
    /// What to do next.
    pub next: String,
}

impl StepError {
    /// An error.
    pub fn new(party: Party, message: impl Into<String>, next: impl Into<String>) -> Self {
        Self {
            party,
            message: message.into(),
            next: next.into(),
        }
    }
}

/// What kind of question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ConsentKind {
    /// The metadata of a public server points into this machine or its network.
    PrivateAddress,
    /// The metadata is about another resource than the server.
    ResourceMismatch,
    /// The browser is about to be opened at an address that the server chose.
    OpenBrowser,
}

/// A question to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consent {
    /// What kind.
    pub kind: ConsentKind,
    /// The question.
    pub message: String,
    /// What the server says.
    pub theirs: String,
    /// What this side has.
    pub ours: String,
}

/// Why a step went no further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// It failed.
    Failed(StepError),
    /// The user is asked.
    Asked(Consent),
}

impl From<StepError> for Halt {
    fn from(error: StepError) -> Self {
        Self::Failed(error)
    }
}
