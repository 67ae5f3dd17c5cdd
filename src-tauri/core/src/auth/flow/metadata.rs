//! The first steps: what the server asks for, what it and its authorization server say about themselves.

use reqwest::{Method, Url};

use super::super::discovery::{
    Issuers, ResourceMetadata, ServerMetadata, compare, covers, resource_metadata_urls,
    server_metadata_urls,
};
use super::super::step::{Check, Consent, ConsentKind, Halt, Party, StepError};
use super::Flow;
use crate::transport::{Answer, Ask, Challenge, HttpError};

/// What a server is asked to make it ask for a token: a request that changes nothing, and that needs no session.
const PROBE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
const DISCOVERY: &str = "authorization › Authorization Server Discovery";
const ISSUER: &str = "authorization › Authorization Server Metadata Discovery; RFC 8414 § 3.3";

impl Flow {
    pub(super) async fn challenge(&mut self) -> Result<(), Halt> {
        let challenge = match self.plan.challenge.clone() {
            Some(known) => {
                self.fact(
                    "asked for by",
                    format!("HTTP {} to {}", known.status, known.url),
                );
                known
            }
            None => self.probe().await?,
        };
        for header in &challenge.www_authenticate {
            self.fact("WWW-Authenticate", header);
        }
        let asks = matches!(challenge.status, 401 | 403);
        self.check(
            Check::new(
                "the server asks for a token",
                "authorization › Error Handling",
                asks,
            )
            .found(format!("HTTP {}", challenge.status))
            .expected("HTTP 401")
            .warns(),
        );
        let named = challenge.parameters("resource_metadata");
        let found = match named.as_slice() {
            [] => "none: the well-known places are tried".to_owned(),
            named => named.join(" "),
        };
        self.check(
            Check::new(
                "WWW-Authenticate names resource_metadata, once",
                DISCOVERY,
                named.len() == 1,
            )
            .found(found)
            .warns(),
        );
        let scopes = challenge.scopes();
        if !scopes.is_empty() {
            self.fact("scopes", scopes.join(" "));
        }
        self.found.challenge = challenge;
        Ok(())
    }

    /// Asks the server without a token.
    async fn probe(&mut self) -> Result<Challenge, Halt> {
        let mut headers = vec![
            ("content-type".to_owned(), "application/json".to_owned()),
            (
                "accept".to_owned(),
                "application/json, text/event-stream".to_owned(),
            ),
            ("mcp-protocol-version".to_owned(), "2026-07-28".to_owned()),
            ("mcp-method".to_owned(), "server/discover".to_owned()),
        ];
        headers.extend(self.plan.headers.iter().cloned());
        let ask = Ask {
            method: Method::POST,
            url: self.server.clone(),
            headers,
            body: Some(PROBE.to_owned()),
        };
        let answer = self.ask(ask).await?.map_err(|error| unreached(&error))?;
        let all = answer.headers.iter();
        let asked = all.filter(|(name, _)| name == "www-authenticate");
        Ok(Challenge {
            url: self.server.to_string(),
            status: answer.status,
            www_authenticate: asked.map(|(_, value)| value.clone()).collect(),
            auth_server: answer.header("mcp-auth-server").map(str::to_owned),
            dpop_nonce: answer.header("dpop-nonce").map(str::to_owned),
        })
    }

    pub(super) async fn resource_metadata(&mut self) -> Result<(), Halt> {
        let named = self.found.challenge.parameters("resource_metadata");
        let usual = resource_metadata_urls(&self.server, &named);
        let edited = self.metadata_url();
        let urls = edited.map_or(usual, |edited| vec![edited]);
        self.found.resource_metadata = None;
        let mut last = None;
        for url in urls {
            let answer = self.get(&url, "the resource metadata").await?;
            match document::<ResourceMetadata>(&answer) {
                Ok(found)
                    if found
                        .authorization_servers
                        .iter()
                        .flatten()
                        .next()
                        .is_some() =>
                {
                    self.check(Check::new("it is there", DISCOVERY, true).found(&url));
                    return self.take_resource(found);
                }
                Ok(_) => self.absent(&url, "it names no authorization_servers"),
                Err(why) => self.absent(&url, &why),
            }
            last = answer.err();
        }
        if let Some(error) = last {
            return Err(unreached(&error).into());
        }
        self.fact(
            "none",
            "the server has none, so it is taken for its own authorization server, as in 2025-03-26",
        );
        self.found.resource = None;
        Ok(())
    }

    /// Where to look for the metadata; none for where the server and the specification say.
    pub(super) fn metadata_url(&mut self) -> Option<String> {
        self.value("resource_metadata_url", None, false)
    }

    fn absent(&mut self, url: &str, why: &str) {
        let check = Check::new("it is there", DISCOVERY, false);
        self.check(check.found(format!("{url}: {why}")).warns());
    }

    fn take_resource(&mut self, found: ResourceMetadata) -> Result<(), Halt> {
        let server = self.plan.server.clone();
        let Some(resource) = found.resource.clone() else {
            self.check(
                Check::new("resource is the server", "RFC 9728 § 3.3", false)
                    .found("none")
                    .expected(&server)
                    .warns(),
            );
            self.found.resource = Some(server);
            self.found.resource_metadata = Some(found);
            return Ok(());
        };
        let about = covers(&resource, &self.server);
        self.check(
            Check::new("resource is the server", "RFC 9728 § 3.3", about)
                .found(&resource)
                .expected(&server),
        );
        let agreed = (ConsentKind::ResourceMismatch, resource.clone());
        let accepted = self.plan.choice.accept_resource.as_ref() == Some(&resource)
            || self.agreed.contains(&agreed);
        if !about && !accepted {
            return Err(Halt::Asked(Consent {
                kind: ConsentKind::ResourceMismatch,
                message: format!(
                    "the metadata is about {resource}, and the server is {server}: a token for the one may be of use to the other"
                ),
                theirs: resource,
                ours: server,
            }));
        }
        let servers = found.authorization_servers.iter().flatten().cloned();
        let servers: Vec<_> = servers.collect();
        self.fact("authorization servers", servers.join(" "));
        if let Some(scopes) = &found.scopes_supported {
            self.fact("scopes_supported", scopes.join(" "));
        }
        self.found.resource = Some(resource);
        self.found.resource_metadata = Some(found);
        Ok(())
    }

    /// Who issues tokens for this server.
    pub(super) fn issuer(&mut self) -> String {
        let named = match &self.found.resource_metadata {
            Some(found) => found.authorization_servers.iter().flatten().next().cloned(),
            None => Some(self.server.origin().ascii_serialization()),
        };
        self.value("issuer", named.as_deref(), false)
            .unwrap_or_default()
    }

    pub(super) async fn server_metadata(&mut self) -> Result<(), Halt> {
        let issuer = self.issuer();
        let url = self.may_reach(&issuer, "the authorization server").await?;
        let (mut other, mut last) = (None, None);
        for at in server_metadata_urls(&url) {
            let answer = self
                .get(at.as_str(), "the authorization server's metadata")
                .await?;
            match document::<ServerMetadata>(&answer) {
                Ok(found) => {
                    let theirs = found.issuer.clone().unwrap_or_default();
                    let issuers = compare(&issuer, &theirs);
                    let check = Check::new(
                        "its issuer is the one that was asked for",
                        ISSUER,
                        issuers == Issuers::Same,
                    );
                    let check = check.found(&theirs).expected(&issuer);
                    if issuers != Issuers::Other {
                        self.check(check.warns());
                        return self.take_metadata(found);
                    }
                    self.check(check);
                    other = Some(theirs);
                }
                Err(why) => {
                    let check = Check::new("it is there", ISSUER, false);
                    self.check(check.found(format!("{at}: {why}")).warns());
                }
            }
            last = answer.err();
        }
        let party = Party::AuthorizationServer;
        if let Some(other) = other {
            let message = format!(
                "the metadata that was found for the issuer `{issuer}` names the issuer `{other}`, so it was not used"
            );
            let next = "Both must be the same to the character: correct `issuer`, or the server's authorization_servers";
            return Err(StepError::new(party, message, next).into());
        }
        if let Some(error) = last {
            return Err(unreached(&error).into());
        }
        if self.is_first_revision() {
            self.fact("none", "the default addresses of 2025-03-26 are used");
            return self.take_metadata(ServerMetadata::by_default(&url));
        }
        let message = format!("no metadata was found for the authorization server `{issuer}`");
        let next =
            "It has to be at one of the addresses above (RFC 8414, OpenID Connect Discovery)";
        Err(StepError::new(party, message, next).into())
    }

    fn take_metadata(&mut self, found: ServerMetadata) -> Result<(), Halt> {
        if self.is_code() {
            let methods = found.code_challenge_methods_supported.as_ref();
            let ok = methods.is_some_and(|all| all.iter().any(|one| one == "S256"));
            let lenient = self.is_first_revision() && methods.is_none();
            let check = Check::new(
                "PKCE with S256 is supported",
                "authorization › Authorization Code Protection",
                ok,
            )
            .found(methods.map_or_else(|| "not said".to_owned(), |all| all.join(" ")))
            .expected("S256");
            self.check(if lenient { check.warns() } else { check });
            if !ok && !lenient {
                let error = StepError::new(
                    Party::AuthorizationServer,
                    "the authorization server does not say that it supports PKCE with S256, and without it no client may go on",
                    "Its metadata has to list S256 in code_challenge_methods_supported",
                );
                return Err(error.into());
            }
        }
        for (name, value) in [
            ("authorization_endpoint", &found.authorization_endpoint),
            ("token_endpoint", &found.token_endpoint),
            ("registration_endpoint", &found.registration_endpoint),
        ] {
            if let Some(value) = value {
                self.fact(name, value);
            }
        }
        self.found.issuer = found.issuer.clone().unwrap_or_default();
        self.found.metadata = found;
        Ok(())
    }

    /// An endpoint that the metadata has to name.
    pub(super) async fn endpoint(
        &self,
        named: Option<&String>,
        name: &'static str,
    ) -> Result<Url, Halt> {
        let Some(named) = named else {
            let message = format!("the authorization server's metadata names no {name}");
            return Err(StepError::new(
                Party::AuthorizationServer,
                message,
                "Without it there is no sign-in: it has to be in the metadata",
            )
            .into());
        };
        self.may_reach(named, name).await
    }
}

/// The document in an answer, or why there is none, in words.
fn document<T: for<'de> serde::Deserialize<'de>>(
    answer: &Result<Answer, HttpError>,
) -> Result<T, String> {
    let answer = answer.as_ref().map_err(ToString::to_string)?;
    if answer.status != 200 {
        return Err(format!("HTTP {}", answer.status));
    }
    serde_json::from_str(&answer.body).map_err(|error| format!("it cannot be read: {error}"))
}

/// No answer came.
pub(super) fn unreached(error: &HttpError) -> StepError {
    StepError::new(
        Party::Network,
        error.to_string(),
        "Then run this step again",
    )
}
