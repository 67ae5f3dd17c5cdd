//! Integration tests: real processes and loopback sockets.

#![cfg(test)]

mod cli;
mod ends;
mod eras;
mod http;
mod peer;
mod stdio;
mod tidy;
