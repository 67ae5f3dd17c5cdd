//! Session files.
/// The newest session format.
pub(super) const FORMAT: i64 = 1;
