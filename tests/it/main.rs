//! Integration tests: real processes and loopback sockets.

mod cli;
mod http;
mod tidy;
