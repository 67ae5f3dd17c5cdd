//! The commands: those that talk to a server, and those that read the history.

pub(crate) mod auth;
pub(crate) mod conformance;
pub(crate) mod doctor;
pub(crate) mod history;
pub(crate) mod listen;
pub(crate) mod offers;
pub(crate) mod repeat;
pub(crate) mod stateless;
pub(crate) mod talk;
