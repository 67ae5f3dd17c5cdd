//! Integration tests: real processes and loopback sockets.

#![cfg(test)]

mod cli;
mod http;
mod tidy;
