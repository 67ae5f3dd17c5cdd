//! Integration tests: real processes and loopback sockets.

mod cli;
mod ends;
mod eras;
mod peer;
mod stdio;
mod tidy;
