//! Everything of Framescope that would be the same in a command-line tool.
//!
//! The session log is the product: every byte of content that crosses the wire belongs to exactly one row of an
//! append-only, gap-free, numbered log. User interface, command line and exports are readers of that log with a cursor.

mod data_dir;

pub mod auth;
pub mod check;
pub mod client;
pub mod doctor;
pub mod history;
pub mod manager;
pub mod mcp_servers;
pub mod protocol;
pub mod record;
pub mod secrets;
pub mod transport;

pub use data_dir::{DATA_DIR_VARIABLE, IDENTIFIER, NoDataDir, data_dir};
