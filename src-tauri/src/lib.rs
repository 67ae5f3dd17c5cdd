//! The desktop app: a thin shell over `framescope-core`. Commands and events carry what the core knows to the page; nothing
//! is decided here that would be the same in a command-line tool.

mod app;
mod commands;
mod convert;
mod desktop;
mod error;
mod instance;
mod logging;
#[cfg(test)]
mod names;
mod start;
mod state;
mod upkeep;
mod views;
mod watch;
mod window;
mod words;

pub mod rows;

pub use start::start;

#[cfg(test)]
mod tests;
