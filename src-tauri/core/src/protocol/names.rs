//! Directions, eras and revisions: the spec's names.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Who speaks to whom. Never "sent" and "received": between a real host and a server these mean nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Direction {
    /// Client → server.
    #[serde(rename = "c2s")]
    ClientToServer,
    /// Server → client.
    #[serde(rename = "s2c")]
    ServerToClient,
}

impl Direction {
    /// `c2s` or `s2c`, as in the filter language and the capture format.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ClientToServer => "c2s",
            Self::ServerToClient => "s2c",
        }
    }

    /// The way back.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::ClientToServer => Self::ServerToClient,
            Self::ServerToClient => Self::ClientToServer,
        }
    }
}

/// The two ways to begin: a session opened by `initialize`, or self-contained requests (basic/versioning › Terminology).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Era {
    /// 2024-11-05 to 2025-11-25: a session opened by `initialize`.
    Legacy,
    /// 2026-07-28 and later: version, identity and capabilities travel in every request's `_meta`.
    Modern,
}

impl Era {
    /// `legacy` or `modern`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Legacy => "legacy",
            Self::Modern => "modern",
        }
    }
}

/// A protocol revision that this program speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Revision {
    /// 2024-11-05
    V2024_11_05,
    /// 2025-03-26
    V2025_03_26,
    /// 2025-06-18
    V2025_06_18,
    /// 2025-11-25
    V2025_11_25,
    /// 2026-07-28
    V2026_07_28,
}

impl Revision {
    /// Every revision, oldest first.
    pub const ALL: [Self; 5] = [
        Self::V2024_11_05,
        Self::V2025_03_26,
        Self::V2025_06_18,
        Self::V2025_11_25,
        Self::V2026_07_28,
    ];
    /// What we offer in `initialize`.
    pub const LATEST_LEGACY: Self = Self::V2025_11_25;
    /// What we offer in `server/discover`.
    pub const LATEST_MODERN: Self = Self::V2026_07_28;

    /// The version string of the spec.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// The era that the revision belongs to.
    pub fn era(self) -> Era {
        if self >= Self::V2026_07_28 {
            Era::Modern
        } else {
            Era::Legacy
        }
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Revision {
    type Err = UnknownRevision;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|r| r.as_str() == text)
            .ok_or_else(|| UnknownRevision(text.to_owned()))
    }
}

/// A version string that names no revision known to this program.
#[derive(Debug, thiserror::Error)]
#[error("unknown protocol revision {0:?}")]
pub struct UnknownRevision(String);

/// Which era or revision to speak with a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EraChoice {
    /// Find out.
    #[default]
    Auto,
    /// Whatever legacy revision the server agrees to.
    Legacy,
    /// Whatever modern revision the server agrees to.
    Modern,
    /// This revision and no other.
    Revision(Revision),
}

impl fmt::Display for EraChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Legacy => f.write_str("legacy"),
            Self::Modern => f.write_str("modern"),
            Self::Revision(revision) => revision.fmt(f),
        }
    }
}

impl FromStr for EraChoice {
    type Err = UnknownRevision;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "auto" => Ok(Self::Auto),
            "legacy" => Ok(Self::Legacy),
            "modern" => Ok(Self::Modern),
            revision => revision.parse().map(Self::Revision),
        }
    }
}
