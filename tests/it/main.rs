//! Integration tests: real processes and loopback sockets.

#![cfg(test)]

mod bad_input;
mod cli;
mod coverage;
mod ends;
mod eras;
mod fuzz;
mod http;
mod keychain;
mod kill;
mod mount;
mod offers;
mod peer;
mod recorder;
mod stdio;
mod tidy;
mod wrappers;
