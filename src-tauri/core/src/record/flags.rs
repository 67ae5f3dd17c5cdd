//! Marks on records.

/// Marks on a record; the integers stand in session files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub u32);

impl Flags {
    /// A tool result with `isError: true`.
    pub const IS_ERROR: Self = Self(1);
    /// A response that came after its request had timed out or was cancelled.
    pub const LATE: Self = Self(1 << 1);
    /// A second response to one request.
    pub const DUPLICATE: Self = Self(1 << 2);
    /// A response to no request.
    pub const ORPHAN: Self = Self(1 << 3);
    /// A stdout line that is no JSON-RPC message.
    pub const NOISE: Self = Self(1 << 4);
    /// A known secret was replaced.
    pub const REDACTED: Self = Self(1 << 5);
    /// The line ended without `\n`.
    pub const UNTERMINATED: Self = Self(1 << 6);
    /// The end of the frame never came.
    pub const TRUNCATED: Self = Self(1 << 7);
    /// The process ended by itself with a code other than 0, or by a signal.
    pub const CRASH: Self = Self(1 << 8);
    /// Stored, but over the parse limit.
    pub const OVER_LIMIT: Self = Self(1 << 9);

    /// Whether all of `other` is set.
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// With `other` set too.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// With `other` set too where `condition` holds.
    #[must_use]
    pub fn with_if(self, condition: bool, other: Self) -> Self {
        if condition { self.with(other) } else { self }
    }
}
