//! What this app did or decided and no byte tells.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::protocol::{Era, Revision};

/// Body of `note`: what this app did or decided and no byte tells.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(remote = "Self", tag = "note", rename_all = "kebab-case")]
pub enum Note {
    /// Era and revision were settled for this `conn`.
    Negotiated {
        /// `legacy` or `modern`.
        era: String,
        /// The revision.
        revision: String,
        /// The server's `Implementation` object, as received.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        server: Option<Box<RawValue>>,
        /// The server's capabilities, as received.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        capabilities: Option<Box<RawValue>>,
        /// The server's instructions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instructions: Option<String>,
    },
    /// A step of the handshake that was decided: fell back, respawned, gave up.
    Handshake {
        /// What and why, in words.
        text: String,
    },
    /// What came of watching the server's files: a restart, or why there is none.
    Watch {
        /// What changed and what was done, in words.
        text: String,
    },
    /// No answer came in time to the request that this note is about.
    TimedOut {
        /// How long we waited.
        after_ms: u64,
    },
    /// The user cancelled the request that this note is about.
    Cancelled,
    /// The wire, or its HTTP exchange, ended before the request that this note is about was answered.
    Unanswered {
        /// Why an exchange brought no answer, in words; where the wire ended, its end says it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// The user gave the request that this note is about more time.
    Extended {
        /// By how much.
        by_ms: u64,
    },
    /// The request that this note is about is written in another revision than the negotiated one.
    Revision {
        /// That revision.
        revision: String,
    },
    /// A server request was answered by this app and not by the user.
    AnsweredByRule {
        /// Which rule.
        text: String,
    },
    /// The request that this note is about was sent again by this app.
    Retried {
        /// Why.
        why: String,
    },
    /// The frame that this note is about is not as the protocol wants it, and was taken all the same.
    Deviation {
        /// What is wrong.
        text: String,
    },
    /// The frame that this note is about could not be written.
    WriteFailed {
        /// The operating system's words.
        error: String,
    },
    /// The answer that this note is about was stored but not read: it is over the parse limit.
    OverLimit {
        /// The limit in bytes.
        limit: u64,
    },
    /// Frames that went unrecorded.
    Gap {
        /// How many.
        frames: u64,
        /// Their bytes.
        bytes: u64,
    },
    /// The machine slept or its clock moved forward; times were moved along.
    ClockMoved {
        /// By how much.
        by_us: i64,
    },
    /// A note of a newer program.
    #[serde(other)]
    Unknown,
}

impl Note {
    /// A [`Note::Negotiated`] for what was settled.
    pub fn negotiated(era: Era, revision: Revision) -> Self {
        Self::Negotiated {
            era: era.as_str().to_owned(),
            revision: revision.as_str().to_owned(),
            server: None,
            capabilities: None,
            instructions: None,
        }
    }
}

impl Serialize for Note {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Note {
    /// A derived reader buffers the members to find the tag, and raw JSON does not survive that: so text, tag, variant.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Tag {
            note: String,
        }
        #[derive(Deserialize)]
        struct Negotiated {
            era: String,
            revision: String,
            server: Option<Box<RawValue>>,
            capabilities: Option<Box<RawValue>>,
            instructions: Option<String>,
        }
        fn read(text: &str) -> serde_json::Result<Note> {
            if serde_json::from_str::<Tag>(text)?.note != "negotiated" {
                return Note::deserialize(&mut serde_json::Deserializer::from_str(text));
            }
            let Negotiated {
                era,
                revision,
                server,
                capabilities,
                instructions,
            } = serde_json::from_str(text)?;
            Ok(Note::Negotiated {
                era,
                revision,
                server,
                capabilities,
                instructions,
            })
        }
        let text = Box::<RawValue>::deserialize(deserializer)?;
        read(text.get()).map_err(serde::de::Error::custom)
    }
}
