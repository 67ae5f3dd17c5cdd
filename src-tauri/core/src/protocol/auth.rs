//! How to sign in to a server, as the user chose it.

use serde::{Deserialize, Serialize};

/// How to sign in to a server. Values may be references, as in its configuration. Empty: as the server's metadata tells.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct AuthChoice {
    /// How a token is come by.
    pub grant: Grant,
    /// The id of a client that is registered already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_id: Option<String>,
    /// Its secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_secret: Option<String>,
    /// Its private key (PEM), for `private_key_jwt`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub private_key: Option<String>,
    /// What it signs with, such as `ES256`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_alg: Option<String>,
    /// The issuer that it is registered with; it is used with no other. Missing: with any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
    /// Where this client's metadata document stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata_url: Option<String>,
    /// The scopes to ask for in place of those that the server names, parted by spaces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scopes: Option<String>,
    /// The ID token of the enterprise's identity provider, or the workload's JWT.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assertion: Option<String>,
    /// The identity provider's token endpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idp_token_endpoint: Option<String>,
    /// This client's id there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idp_client_id: Option<String>,
    /// A resource that the metadata may name although the server's URL is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accept_resource: Option<String>,
    /// The metadata may point to addresses of this machine or its network although the server is in neither.
    pub accept_private: bool,
}

/// How a token is come by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Grant {
    /// A person signs in with a browser.
    #[default]
    AuthorizationCode,
    /// The client itself is who signs in (extension `oauth-client-credentials`).
    ClientCredentials,
    /// The enterprise's identity provider vouches (extension `enterprise-managed-authorization`).
    EnterpriseManaged,
    /// A workload's JWT is exchanged (RFC 7523 § 2.1).
    WorkloadIdentity,
}

impl Grant {
    /// Whether a token can be had without a person.
    pub fn needs_nobody(self) -> bool {
        self != Self::AuthorizationCode
    }
}

impl std::fmt::Debug for AuthChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AuthChoice")
            .field("grant", &self.grant)
            .field("client_id", &self.client_id)
            .finish_non_exhaustive()
    }
}
