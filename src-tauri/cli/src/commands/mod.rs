//! The commands: those that talk to a server, and those that read the history.

pub mod history;
pub mod talk;
