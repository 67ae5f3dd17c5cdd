//! What integration tests and journeys share: where programs and peers are, and skipping loudly.

pub mod cli;
#[cfg(feature = "e2e")]
pub mod driver;
pub mod fault;
pub mod fuzz;
pub mod issuer;
pub mod listening;
pub mod peers;
