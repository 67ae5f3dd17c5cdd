//! Sign-ins and tokens for the page.

use framescope_core::auth::{
    Claims, ConsentKind, Exchange, Held, Party, State, Step, StepKind, StepState, View,
};
use framescope_core::protocol::{AuthChoice, Grant};

use crate::rows::{
    AuthCheckRow, AuthClaimsRow, AuthConsentKind, AuthConsentRow, AuthDraft, AuthErrorRow,
    AuthExchangeRow, AuthGrant, AuthParty, AuthSecretDraft, AuthTokenRow, AuthTokenType,
    AuthValueRow, DoctorFact, SignInRow, SignInState, SignInStep, SignInStepKind, SignInStepState,
};

/// Which sign-in.
#[derive(Clone, Debug)]
pub(crate) struct Which {
    pub(crate) id: u32,
    pub(crate) server: String,
    pub(crate) session: String,
    pub(crate) by_step: bool,
}

pub(crate) fn sign_in_row(which: &Which, view: &View) -> SignInRow {
    SignInRow {
        id: which.id,
        server: which.server.clone(),
        state: match view.state {
            State::Ready => SignInState::Ready,
            State::Running => SignInState::Running,
            State::Waiting => SignInState::Waiting,
            State::Done => SignInState::Done,
            State::Failed => SignInState::Failed,
            State::Cancelled => SignInState::Cancelled,
        },
        by_step: which.by_step,
        session: Some(which.session.clone()),
        steps: view.steps.iter().map(step).collect(),
        next: view.next.map(kind),
    }
}

fn step(step: &Step) -> SignInStep {
    let checks = step.checks.iter().map(|check| AuthCheckRow {
        what: check.what.to_owned(),
        ok: check.ok,
        warning: check.warning,
        found: check.found.clone(),
        expected: check.expected.clone(),
        spec: check.spec.to_owned(),
    });
    let values = step.values.iter().map(|value| AuthValueRow {
        name: value.name.to_owned(),
        label: label(value.name).to_owned(),
        value: value.value.clone(),
        secret: value.secret,
        edited: value.edited,
    });
    let facts = step.facts.iter();
    SignInStep {
        kind: kind(step.kind),
        title: step.kind.title().to_owned(),
        spec: step.kind.spec().to_owned(),
        state: match step.state {
            StepState::Pending => SignInStepState::Pending,
            StepState::Running => SignInStepState::Running,
            StepState::Done => SignInStepState::Done,
            StepState::Failed => SignInStepState::Failed,
            StepState::Waiting => SignInStepState::Waiting,
        },
        exchanges: step.exchanges.iter().map(exchange).collect(),
        checks: checks.collect(),
        values: values.collect(),
        facts: facts
            .map(|(name, value)| DoctorFact {
                name: (*name).to_owned(),
                value: value.clone(),
            })
            .collect(),
        error: step.error.as_ref().map(|error| AuthErrorRow {
            party: match error.party {
                Party::Server => AuthParty::Server,
                Party::AuthorizationServer => AuthParty::AuthorizationServer,
                Party::App => AuthParty::ThisApp,
                Party::User => AuthParty::User,
                Party::Network => AuthParty::Network,
            },
            message: error.message.clone(),
            next: error.next.clone(),
        }),
        consent: step.consent.as_ref().map(|consent| AuthConsentRow {
            kind: match consent.kind {
                ConsentKind::PrivateAddress => AuthConsentKind::PrivateAddress,
                ConsentKind::ResourceMismatch => AuthConsentKind::ResourceMismatch,
                ConsentKind::OpenBrowser => AuthConsentKind::OpenBrowser,
            },
            message: consent.message.clone(),
            theirs: consent.theirs.clone(),
            ours: consent.ours.clone(),
        }),
        open_url: step.open_url.clone(),
    }
}

fn exchange(exchange: &Exchange) -> AuthExchangeRow {
    AuthExchangeRow {
        seq: exchange.seq.map(|seq| seq.0),
        method: exchange.method.clone(),
        url: exchange.url.clone(),
        request_headers: exchange.request_headers.clone(),
        request_body: exchange.request_body.clone(),
        status: exchange.status,
        response_headers: exchange.response_headers.clone(),
        response_body: exchange.response_body.clone(),
        problem: exchange.problem.clone(),
    }
}

fn kind(kind: StepKind) -> SignInStepKind {
    match kind {
        StepKind::Challenge => SignInStepKind::Challenge,
        StepKind::ResourceMetadata => SignInStepKind::ResourceMetadata,
        StepKind::ServerMetadata => SignInStepKind::ServerMetadata,
        StepKind::Client => SignInStepKind::Client,
        StepKind::Authorize => SignInStepKind::Authorize,
        StepKind::IdAssertion => SignInStepKind::IdAssertion,
        StepKind::Token => SignInStepKind::Token,
    }
}

pub(crate) fn step_kind(kind: SignInStepKind) -> StepKind {
    match kind {
        SignInStepKind::Challenge => StepKind::Challenge,
        SignInStepKind::ResourceMetadata => StepKind::ResourceMetadata,
        SignInStepKind::ServerMetadata => StepKind::ServerMetadata,
        SignInStepKind::Client => StepKind::Client,
        SignInStepKind::Authorize => StepKind::Authorize,
        SignInStepKind::IdAssertion => StepKind::IdAssertion,
        SignInStepKind::Token => StepKind::Token,
    }
}

pub(crate) fn token_row(held: &Held) -> AuthTokenRow {
    let claims = |claims: Claims| AuthClaimsRow {
        header: claims.header,
        claims: claims.claims,
        note: "not verified: only the server that the token is for can do that".to_owned(),
    };
    AuthTokenRow {
        issuer: held.issuer.clone(),
        client_id: held.client_id().to_owned(),
        resource: held.resource.clone(),
        scopes: held.scopes.clone(),
        expires_us: held.expires_us,
        refreshable: held.refreshable(),
        token_type: if held.is_dpop() {
            AuthTokenType::DPoP
        } else {
            AuthTokenType::Bearer
        },
        access: held.access_claims().map(claims),
        id: held.id_claims().map(claims),
    }
}

/// What is configured, without its secrets.
pub(crate) fn auth_draft(choice: &AuthChoice) -> AuthDraft {
    AuthDraft {
        grant: shown(choice.grant),
        client_id: choice.client_id.clone(),
        client_secret: AuthSecretDraft::Keep,
        private_key: AuthSecretDraft::Keep,
        key_alg: choice.key_alg.clone(),
        client_metadata_url: choice.metadata_url.clone(),
        scopes: choice.scopes.clone(),
        accept_resource: choice.accept_resource.clone(),
        accept_private: choice.accept_private,
    }
}

/// The page offers two grants; the others are of machines, as client credentials are.
fn shown(grant: Grant) -> AuthGrant {
    if grant.needs_nobody() {
        AuthGrant::ClientCredentials
    } else {
        AuthGrant::AuthorizationCode
    }
}

/// What was chosen. A grant that the page does not offer stays where another one was not chosen.
pub(crate) fn grant(chosen: AuthGrant, before: Grant) -> Grant {
    match chosen {
        chosen if chosen == shown(before) => before,
        AuthGrant::AuthorizationCode => Grant::AuthorizationCode,
        AuthGrant::ClientCredentials => Grant::ClientCredentials,
    }
}

/// The name of a value for people.
fn label(name: &str) -> &str {
    match name {
        "resource_metadata_url" => "Metadata address",
        "issuer" => "Issuer",
        "client_id" => "Client id",
        "client_secret" => "Client secret",
        "scope" => "Scopes",
        "resource" => "Resource",
        "state" => "State",
        "code" => "Code",
        "code_verifier" => "Code verifier",
        other => other,
    }
}
