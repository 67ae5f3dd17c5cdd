//! Integration tests: real processes and loopback sockets.

#![cfg(test)]

mod auth;
mod bad_input;
mod cases;
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
mod planted;
mod recorder;
mod renew;
mod sdk;
mod stdio;
mod tidy;
mod wrappers;
