//! The desktop app: a thin shell over `framescope-core`.
pub mod rows;
