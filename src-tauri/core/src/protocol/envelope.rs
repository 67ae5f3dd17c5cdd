//! What can be read off the bytes of a frame. Never fails: what is wrong becomes a [`Problem`].

use std::fmt;

/// What a frame is, in the words of JSON-RPC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Has `method` and `id`.
    Request,
    /// Has `method`, no `id`.
    Notification,
    /// `JSONRPCResultResponse`.
    Result,
    /// `JSONRPCErrorResponse`.
    Error,
    /// An array of messages (legal in 2025-03-26 only).
    Batch,
    /// Not a JSON-RPC message.
    #[default]
    Malformed,
}

impl Kind {
    /// The word of the filter language and the Kind column.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Notification => "notification",
            Self::Result => "result",
            Self::Error => "error",
            Self::Batch => "batch",
            Self::Malformed => "malformed",
        }
    }
}

/// A JSON-RPC id as the raw JSON token that stood on the wire: `1` and `"1"` differ, and no digit is lost.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(Box<str>);

impl RequestId {
    /// Takes the token as it stood on the wire, e.g. `22` or `"22"`.
    pub fn from_raw(token: impl Into<Box<str>>) -> Self {
        Self(token.into())
    }

    /// The token as it stood on the wire.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same id with its string written one way, for peers that escape a string otherwise than they got it.
    #[must_use]
    pub fn canonical(&self) -> Self {
        if !self.0.contains('\\') {
            return self.clone();
        }
        let text = serde_json::from_str::<String>(&self.0);
        text.map_or_else(
            |_| self.clone(),
            |text| Self(serde_json::Value::String(text).to_string().into()),
        )
    }
}

impl fmt::Debug for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Something in a frame that the spec does not allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Not UTF-8; read with replacements where it is JSON otherwise.
    NotUtf8,
    /// A byte order mark before it (RFC 8259 §8.1); it is read all the same.
    ByteOrderMark,
    /// Not JSON.
    NotJson,
    /// JSON, but neither an object nor an array.
    NotAnObject,
    /// `jsonrpc` is missing or not `"2.0"`.
    JsonRpcVersion,
    /// A member that must stand once stands twice.
    DuplicateMember,
    /// `id` is neither a string nor an integer.
    IdType,
    /// `method` is not a string.
    MethodType,
    /// Both `result` and `error`, or a `method` beside either.
    Ambiguous,
    /// None of `method`, `result`, `error`.
    NoMeaning,
    /// The batch is empty.
    EmptyBatch,
    /// Over the parse limit: stored, not read.
    OverLimit,
}

/// What can be read off the bytes of a frame; a pure function of them, so it can be computed again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Envelope {
    /// What the frame is.
    pub kind: Kind,
    /// The method of a request or notification.
    pub method: Option<Box<str>>,
    /// The id, where one stands (also `null` in an error response).
    pub id: Option<RequestId>,
    /// The code of a JSON-RPC error.
    pub code: Option<i64>,
    /// A tool result with `isError: true` (server/tools › Error Handling).
    pub is_error: bool,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
    /// The messages of a batch, in order.
    pub items: Vec<Envelope>,
}

impl Envelope {
    /// Of a frame that was stored but not read.
    pub fn over_limit() -> Self {
        Self::malformed(Problem::OverLimit)
    }

    pub(super) fn malformed(problem: Problem) -> Self {
        Self {
            problems: vec![problem],
            ..Self::default()
        }
    }
}
