//! The last steps: what comes of it at the token endpoint. Also what is done with a token later: renewing and revoking it.

use reqwest::{Method, Url};

use super::super::client::{Identity, proof, prove};
use super::super::credentials::Held;
use super::super::jwt::{self, DpopKey};
use super::super::step::{Check, Halt, Party, StepError};
use super::super::token::{
    BEARER, CLIENT, CODE, EXCHANGE, Form, ID_JAG, ID_TOKEN, REFRESH, Tokens, error_code, read,
};
use super::Flow;
use super::client::words;
use super::metadata::unreached;
use crate::protocol::{AuthChoice, Grant};
use crate::record::Clock;
use crate::transport::{Answer, Ask, Web};

const USAGE: &str = "authorization › Access Token Usage";

impl Flow {
    pub(super) async fn id_assertion(&mut self) -> Result<(), Halt> {
        let choice = self.plan.choice.clone();
        let missing = |what: &str| {
            let message =
                format!("enterprise-managed authorization needs {what}, which is not configured");
            StepError::new(Party::User, message, "Add it to the server's sign-in")
        };
        let endpoint = choice.idp_token_endpoint.as_deref();
        let endpoint = endpoint.ok_or_else(|| missing("the identity provider's token endpoint"))?;
        let subject = choice
            .assertion
            .as_deref()
            .ok_or_else(|| missing("an ID token"))?;
        let url = Url::parse(endpoint).map_err(|error| {
            let message = format!("`{endpoint}` is no URL: {error}");
            StepError::new(
                Party::User,
                message,
                "Correct the identity provider's token endpoint",
            )
        })?;
        let mut form = Form::of(EXCHANGE);
        form.push("requested_token_type", ID_JAG);
        form.push("audience", &self.found.issuer);
        form.push_some("resource", self.found.resource.as_deref());
        form.push("subject_token", subject);
        form.push("subject_token_type", ID_TOKEN);
        form.push_some("client_id", choice.idp_client_id.as_deref());
        let scopes = self.scopes().join(" ");
        form.push_some("scope", Some(&*scopes).filter(|scopes| !scopes.is_empty()));
        let answer = self.ask(post(url, &form, Vec::new())).await?;
        let answer = answer.map_err(|error| unreached(&error))?;
        let tokens = read(answer.status, &answer.body)?;
        let kind = tokens.issued_type.clone().unwrap_or_default();
        self.check(
            Check::new(
                "what was issued is an ID-JAG",
                "RFC 8693 § 2.2.1",
                kind == ID_JAG,
            )
            .found(kind)
            .expected(ID_JAG)
            .warns(),
        );
        self.found.assertion = Some(tokens.access);
        Ok(())
    }

    pub(super) async fn token(&mut self) -> Result<(), Halt> {
        let metadata = self.found.metadata.clone();
        let named = metadata.token_endpoint.as_ref();
        let endpoint = self.endpoint(named, "token_endpoint").await?;
        let Some(client) = self.found.client.clone() else {
            return Err(
                StepError::new(Party::App, "no client is known", "Start from the client").into(),
            );
        };
        let form = self.grant()?;
        let proof = proof(&client, self.plan.choice.private_key.is_some(), &metadata);
        self.fact("client authentication", proof.name());
        self.found.dpop = self
            .bound()
            .then(DpopKey::new)
            .transpose()
            .map_err(|why| StepError::new(Party::App, why, "Try again"))?;
        let mut nonce = None;
        let tokens = loop {
            let mut form = form.clone();
            let choice = &self.plan.choice;
            let header =
                prove(&mut form, &client, choice, proof, &self.found.issuer).map_err(|why| {
                    StepError::new(
                        Party::User,
                        format!("the private key cannot be used: {why}"),
                        "Give another key",
                    )
                })?;
            let mut headers: Vec<_> = header.into_iter().collect();
            if let Some(key) = &self.found.dpop {
                let proof = key.proof("POST", &endpoint, None, nonce.as_deref());
                let proof = proof.map_err(|why| StepError::new(Party::App, why, "Try again"))?;
                headers.push(("dpop".to_owned(), proof));
            }
            let answer = self.ask(post(endpoint.clone(), &form, headers)).await?;
            let answer = answer.map_err(|error| unreached(&error))?;
            if nonce.is_none() && wants_nonce(&answer) && self.found.dpop.is_some() {
                nonce = answer.header("dpop-nonce").map(str::to_owned);
                continue;
            }
            if error_code(&answer.body).as_deref() == Some("invalid_client") {
                self.credentials.forget_client(&self.found.issuer).await;
            }
            break read(answer.status, &answer.body)?;
        };
        self.take(tokens, client, endpoint.as_str(), proof).await
    }

    /// What this grant sends, but for the proof of the client.
    pub(super) fn grant(&mut self) -> Result<Form, Halt> {
        let found = self.found.resource.clone();
        let resource = self.value("resource", found.as_deref(), false);
        let mut form = match self.plan.choice.grant {
            Grant::AuthorizationCode => {
                let pending = self.found.pending.clone();
                let usual = (
                    self.found.code.clone(),
                    pending.as_ref().map(|pending| pending.verifier.clone()),
                );
                let code = self.value("code", usual.0.as_deref(), true);
                let verifier = self.value("code_verifier", usual.1.as_deref(), true);
                let mut form = Form::of(CODE);
                form.push("code", &code.unwrap_or_default());
                form.push_some(
                    "redirect_uri",
                    pending.as_ref().map(|pending| &*pending.redirect_uri),
                );
                form.push("code_verifier", &verifier.unwrap_or_default());
                form.push_some("resource", resource.as_deref());
                return Ok(form);
            }
            Grant::ClientCredentials => Form::of(CLIENT),
            Grant::EnterpriseManaged => {
                let mut form = Form::of(BEARER);
                form.push(
                    "assertion",
                    self.found.assertion.as_deref().unwrap_or_default(),
                );
                form
            }
            Grant::WorkloadIdentity => {
                let Some(assertion) = self.plan.choice.assertion.clone() else {
                    return Err(StepError::new(
                        Party::User,
                        "workload identity needs the workload's JWT, which is not configured",
                        "Add it to the server's sign-in",
                    )
                    .into());
                };
                let mut form = Form::of(BEARER);
                form.push("assertion", &assertion);
                form
            }
        };
        let usual = self.scopes().join(" ");
        let scope = self.value("scope", Some(&usual), false);
        form.push_some("scope", scope.as_deref());
        form.push_some("resource", resource.as_deref());
        self.found.requested = words(scope.as_deref());
        Ok(form)
    }

    /// Whether the server wants tokens that are bound to a key. That the authorization server can is no reason: the server
    /// has to take them.
    fn bound(&self) -> bool {
        let known = self.found.resource_metadata.as_ref();
        let required = known.and_then(|known| known.dpop_bound_access_tokens_required);
        let mut asked = self.found.challenge.www_authenticate.iter();
        let scheme = |header: &String| {
            header
                .get(..4)
                .is_some_and(|word| word.eq_ignore_ascii_case("dpop"))
        };
        required == Some(true) || asked.any(scheme)
    }

    async fn take(
        &mut self,
        tokens: Tokens,
        client: Identity,
        endpoint: &str,
        proof: super::super::client::Proof,
    ) -> Result<(), Halt> {
        let bound = self.found.dpop.is_some();
        self.check(
            Check::new(
                "the token is of the kind that was asked for",
                USAGE,
                tokens.dpop == bound,
            )
            .found(if tokens.dpop { "DPoP" } else { "Bearer" })
            .expected(if bound { "DPoP" } else { "Bearer" })
            .warns(),
        );
        let requested = self.found.requested.clone();
        let granted = tokens.scopes.clone().unwrap_or_else(|| requested.clone());
        let all = requested.iter().all(|scope| granted.contains(scope));
        self.check(
            Check::new(
                "all scopes that were asked for were granted",
                "RFC 6749 § 3.3",
                all,
            )
            .found(granted.join(" "))
            .expected(requested.join(" "))
            .warns(),
        );
        if let Some(seconds) = tokens.expires_in {
            self.fact("expires in", format!("{seconds} s"));
        }
        self.fact(
            "refresh token",
            if tokens.refresh.is_some() {
                "yes"
            } else {
                "no"
            },
        );
        if let Some(claims) = jwt::claims(&tokens.access) {
            self.fact("claims (not verified)", claims.claims);
        }
        let key = self.found.dpop.as_ref().filter(|_| tokens.dpop);
        let held = Held {
            server: self.plan.server.clone(),
            issuer: self.found.issuer.clone(),
            resource: self.found.resource.clone(),
            requested,
            scopes: granted,
            expires_us: expires(tokens.expires_in),
            client,
            proof,
            token_endpoint: endpoint.to_owned(),
            revocation_endpoint: self.found.metadata.revocation_endpoint.clone(),
            access: tokens.access,
            refresh: tokens.refresh,
            id: tokens.id,
            dpop: key.map(DpopKey::kept),
        };
        held.tell(self.web.secrets());
        self.found.held = Some(self.credentials.keep(held).await);
        // Nothing comes back any more.
        self.found.redirects = None;
        Ok(())
    }
}

fn expires(seconds: Option<u64>) -> Option<i64> {
    let us = i64::try_from(seconds?).ok()?.checked_mul(1_000_000)?;
    Clock::start().now_us().checked_add(us)
}

fn wants_nonce(answer: &Answer) -> bool {
    error_code(&answer.body).as_deref() == Some("use_dpop_nonce")
}

fn post(url: Url, form: &Form, mut headers: Vec<(String, String)>) -> Ask {
    headers.push((
        "content-type".to_owned(),
        "application/x-www-form-urlencoded".to_owned(),
    ));
    headers.push(("accept".to_owned(), "application/json".to_owned()));
    Ask {
        method: Method::POST,
        url,
        headers,
        body: Some(form.encoded()),
    }
}

/// New tokens for a refresh token. It goes to the token endpoint of its issuer and nowhere else.
pub(in crate::auth) async fn refresh(
    web: &Web,
    choice: &AuthChoice,
    held: &Held,
) -> Result<Held, StepError> {
    let Some(token) = &held.refresh else {
        return Err(StepError::new(
            Party::AuthorizationServer,
            "no refresh token was issued",
            "Sign in again",
        ));
    };
    let mut form = Form::of(REFRESH);
    form.push("refresh_token", token);
    form.push_some("resource", held.resource.as_deref());
    let answer = signed(web, choice, held, &held.token_endpoint, &form).await?;
    let tokens = read(answer.status, &answer.body)?;
    let new = Held {
        scopes: tokens.scopes.unwrap_or_else(|| held.scopes.clone()),
        expires_us: expires(tokens.expires_in),
        access: tokens.access,
        refresh: tokens.refresh.or_else(|| held.refresh.clone()),
        id: tokens.id.or_else(|| held.id.clone()),
        ..held.clone()
    };
    new.tell(web.secrets());
    Ok(new)
}

/// Revokes what can be (RFC 7009). False where the authorization server has no way to.
///
/// # Errors
/// Where it refuses, or is not reached.
pub async fn revoke(web: &Web, choice: &AuthChoice, held: &Held) -> Result<bool, StepError> {
    let Some(endpoint) = &held.revocation_endpoint else {
        return Ok(false);
    };
    let refresh = held.refresh.as_ref().map(|token| (token, "refresh_token"));
    for (token, hint) in refresh.into_iter().chain([(&held.access, "access_token")]) {
        let mut form = Form::default();
        form.push("token", token);
        form.push("token_type_hint", hint);
        let answer = signed(web, choice, held, endpoint, &form).await?;
        if !(200..300).contains(&answer.status) {
            let message = format!(
                "the authorization server did not revoke the {hint} (HTTP {})",
                answer.status
            );
            let next = "It is forgotten here; it holds there until it expires";
            return Err(StepError::new(Party::AuthorizationServer, message, next));
        }
    }
    Ok(true)
}

/// Posts a form as the client that a token is of.
async fn signed(
    web: &Web,
    choice: &AuthChoice,
    held: &Held,
    endpoint: &str,
    form: &Form,
) -> Result<Answer, StepError> {
    held.tell(web.secrets());
    let (url, _) = super::allowed(endpoint, "the endpoint").await?;
    let mut nonce = None;
    loop {
        let mut form = form.clone();
        let header = prove(&mut form, &held.client, choice, held.proof, &held.issuer)
            .map_err(|why| StepError::new(Party::User, why, "Give another private key"))?;
        let mut headers: Vec<_> = header.into_iter().collect();
        if let Some(key) = held.key() {
            let proof = key.proof("POST", &url, None, nonce.as_deref());
            let proof = proof.map_err(|why| StepError::new(Party::App, why, "Sign in again"))?;
            headers.push(("dpop".to_owned(), proof));
        }
        let answer = web.ask(post(url.clone(), &form, headers)).await;
        let answer = answer.map_err(|lost| {
            StepError::new(
                Party::App,
                lost.to_string(),
                "What is not recorded is not sent",
            )
        })?;
        let answer = answer.map_err(|error| unreached(&error))?;
        if nonce.is_none() && held.is_dpop() && wants_nonce(&answer) {
            nonce = answer.header("dpop-nonce").map(str::to_owned);
            if nonce.is_some() {
                continue;
            }
        }
        return Ok(answer);
    }
}
