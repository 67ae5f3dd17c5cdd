//! Integration tests: real processes and loopback sockets.

#![cfg(test)]

mod cli;
mod ends;
mod eras;
mod peer;
mod stdio;
mod tidy;
