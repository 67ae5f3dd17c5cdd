//! Integration tests: real processes and loopback sockets.

mod tidy;
