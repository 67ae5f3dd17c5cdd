//! Signing in to servers by OAuth 2.1, as MCP has it (authorization, revisions 2025-03-26 to 2026-07-28).
//!
//! A [`Flow`] is a list of steps that can be run one by one: each shows what was sent and received, what was checked, and what
//! may be changed. What a step decides is in pure modules ([`discovery`], [`client`], [`authorize`], [`token`]); the flow only
//! makes the exchanges. [`Authorizer`] is what a session's transport asks: it has the token, renews it, and runs a flow where
//! none needs a person.

mod authorize;
mod authorizer;
mod browser;
mod client;
mod credentials;
mod discovery;
mod flow;
mod jwt;
mod place;
mod sign_in;
mod step;
mod token;

pub use authorizer::{Authorizer, renew};
pub use browser::{Browser, SystemBrowser, open_page};
pub use credentials::{Credentials, Held};
pub use flow::{Flow, Plan, revoke};
pub use jwt::{Claims, claims};
pub use sign_in::{Command, SignIn, State, View};
pub use step::{
    Check, Consent, ConsentKind, Exchange, Halt, Party, Step, StepError, StepKind, StepState, Value,
};
