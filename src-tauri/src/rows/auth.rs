//! Signing in to a server.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::DoctorFact;

/// How it stands with the credentials of a server.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct AuthRow {
    /// The server.
    pub server: String,
    /// What is sent: nothing, a configured header, or a token.
    pub mechanism: AuthMechanism,
    /// Which mechanism wins and why, as a sentence.
    pub why: String,
    /// A server over stdio has no sign-in.
    pub applies: bool,
    /// The token.
    pub token: Option<AuthTokenRow>,
    /// How to sign in, as configured; secrets say only that they stay.
    pub draft: AuthDraft,
    /// A client secret is configured.
    pub has_secret: bool,
    /// A private key is configured.
    pub has_key: bool,
    /// The sign-in that runs or ran last.
    pub sign_in: Option<SignInRow>,
    /// Where the token is kept.
    pub kept: AuthKept,
}

/// Where a token is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum AuthKept {
    /// In the keychain.
    Keychain,
    /// In the file of secrets.
    File,
    /// In memory until the app ends.
    Memory,
    /// There is none.
    Missing,
}

/// What a server gets for credentials.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum AuthMechanism {
    /// Nothing.
    None,
    /// The `Authorization` header of its configuration.
    Header,
    /// A token of a sign-in.
    OAuth,
}

/// A token, without its value.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct AuthTokenRow {
    /// Who issued it.
    pub issuer: String,
    /// The client that it was issued to.
    pub client_id: String,
    /// What it is for.
    pub resource: Option<String>,
    /// The scopes that were granted.
    pub scopes: Vec<String>,
    /// When it expires, microseconds since the epoch.
    pub expires_us: Option<i64>,
    /// It can be renewed without a person.
    pub refreshable: bool,
    /// `Bearer`, or `DPoP` where it is bound to a key (RFC 9449).
    pub token_type: AuthTokenType,
    /// What the access token says; none where it is opaque. Nothing of it was verified.
    pub access: Option<AuthClaimsRow>,
    /// What the ID token says.
    pub id: Option<AuthClaimsRow>,
}

/// How a token is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(export)]
pub enum AuthTokenType {
    /// Whoever has it may use it.
    Bearer,
    /// With a proof of its key.
    DPoP,
}

/// What a JWT says. Its signature was not checked.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct AuthClaimsRow {
    /// Its header, as JSON.
    pub header: String,
    /// Its claims, as JSON.
    pub claims: String,
    /// That they are not verified.
    pub note: String,
}

/// How to sign in.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AuthDraft {
    /// How a token is come by.
    pub grant: AuthGrant,
    /// The id of a client that is registered already.
    pub client_id: Option<String>,
    /// Its secret.
    pub client_secret: AuthSecretDraft,
    /// Its private key (PEM).
    pub private_key: AuthSecretDraft,
    /// What that signs with.
    pub key_alg: Option<String>,
    /// Where this client's metadata document stands.
    pub client_metadata_url: Option<String>,
    /// The scopes to ask for, parted by spaces, in place of those that the server names.
    pub scopes: Option<String>,
    /// A resource that the metadata may name although the server's URL is another one.
    pub accept_resource: Option<String>,
    /// The metadata may point to addresses of this machine or its network.
    pub accept_private: bool,
}

/// How a token is come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum AuthGrant {
    /// A person signs in.
    AuthorizationCode,
    /// The client itself does.
    ClientCredentials,
}

/// A secret as typed.
#[derive(Clone, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[ts(export)]
pub enum AuthSecretDraft {
    /// What is stored stays.
    Keep,
    /// This one.
    Set {
        /// Its value.
        value: String,
    },
    /// None.
    None,
}

impl std::fmt::Debug for AuthSecretDraft {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AuthSecretDraft").finish_non_exhaustive()
    }
}

/// A sign-in.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct SignInRow {
    /// Its number.
    pub id: u32,
    /// The server.
    pub server: String,
    /// How it stands.
    pub state: SignInState,
    /// Steps run one by one.
    pub by_step: bool,
    /// The session that holds its exchanges; none where nothing records them.
    pub session: Option<String>,
    /// In order.
    pub steps: Vec<SignInStep>,
    /// The step that would run next.
    pub next: Option<SignInStepKind>,
}

/// How it stands with a sign-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum SignInState {
    /// Nothing runs.
    Ready,
    /// A step runs.
    Running,
    /// A step waits for the user.
    Waiting,
    /// There is a token.
    Done,
    /// A step failed.
    Failed,
    /// It was given up.
    Cancelled,
}

/// A step of a sign-in.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct SignInStep {
    /// Which.
    pub kind: SignInStepKind,
    /// Its name for people.
    pub title: String,
    /// Where the specification has it.
    pub spec: String,
    /// How it stands.
    pub state: SignInStepState,
    /// What was sent and received.
    pub exchanges: Vec<AuthExchangeRow>,
    /// What was checked.
    pub checks: Vec<AuthCheckRow>,
    /// What may be changed.
    pub values: Vec<AuthValueRow>,
    /// What was found.
    pub facts: Vec<DoctorFact>,
    /// Why it failed.
    pub error: Option<AuthErrorRow>,
    /// What the user is asked.
    pub consent: Option<AuthConsentRow>,
    /// What the browser was given, while the step waits for it.
    pub open_url: Option<String>,
}

/// The steps of a sign-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum SignInStepKind {
    /// What the server asks for.
    Challenge,
    /// Its metadata.
    ResourceMetadata,
    /// Its authorization server's metadata.
    ServerMetadata,
    /// Who this client is.
    Client,
    /// The browser.
    Authorize,
    /// The identity provider.
    IdAssertion,
    /// The token.
    Token,
}

/// How it stands with a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum SignInStepState {
    /// Not run.
    Pending,
    /// On the way.
    Running,
    /// Done.
    Done,
    /// Failed.
    Failed,
    /// It waits for the user.
    Waiting,
}

/// One HTTP exchange of a sign-in, secrets masked.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct AuthExchangeRow {
    /// The record of its request in the sign-in's session.
    pub seq: Option<u64>,
    /// The method.
    pub method: String,
    /// Where to.
    pub url: String,
    /// The headers that were sent.
    pub request_headers: Vec<(String, String)>,
    /// The body that was sent.
    pub request_body: Option<String>,
    /// The status; none where no answer came.
    pub status: Option<u16>,
    /// The headers that came.
    pub response_headers: Vec<(String, String)>,
    /// The beginning of the body that came.
    pub response_body: Option<String>,
    /// Why no answer came.
    pub problem: Option<String>,
}

/// Something that was checked.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct AuthCheckRow {
    /// What.
    pub what: String,
    /// Whether it holds.
    pub ok: bool,
    /// It does not hold, and that is no reason to stop.
    pub warning: bool,
    /// What was found.
    pub found: Option<String>,
    /// What should have been.
    pub expected: Option<String>,
    /// Where that stands.
    pub spec: String,
}

/// A value that may be changed.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct AuthValueRow {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub label: String,
    /// The value; empty where it is secret.
    pub value: String,
    /// It is not shown.
    pub secret: bool,
    /// The user set it.
    pub edited: bool,
}

/// Why a step failed.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct AuthErrorRow {
    /// Who is at fault.
    pub party: AuthParty,
    /// What happened.
    pub message: String,
    /// What to do next.
    pub next: String,
}

/// Who is at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum AuthParty {
    /// The MCP server.
    Server,
    /// Its authorization server.
    AuthorizationServer,
    /// This app.
    ThisApp,
    /// The user.
    User,
    /// What lies between.
    Network,
}

/// A question to the user.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct AuthConsentRow {
    /// What kind.
    pub kind: AuthConsentKind,
    /// The question.
    pub message: String,
    /// What the server says.
    pub theirs: String,
    /// What this side has.
    pub ours: String,
}

/// What kind of question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export)]
pub enum AuthConsentKind {
    /// The metadata points into this machine or its network.
    PrivateAddress,
    /// The metadata is about another resource.
    ResourceMismatch,
    /// The browser is about to be opened at an address that the server chose.
    OpenBrowser,
}

/// Event: how a sign-in comes along.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct SignInChanged {
    /// As it stands.
    pub sign_in: SignInRow,
}

/// Event: the token of a server came, was renewed or is gone.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(export)]
pub struct AuthChanged {
    /// The server.
    pub server: String,
}
