//! How a scenario answers `server/discover` and `initialize`: the eras, and the oddities between them.

use super::message::{
    Asked, MODERN, discover_result, error, initialize_result, response, unsupported,
};

/// What comes back to one of the two requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// What the spec asks for.
    Good,
    /// Nothing.
    Silence,
    /// The end of the process.
    Exit(u8),
    /// The end of the process where `server/discover` came before, else the good answer.
    ExitIfProbed(u8),
    /// The good answer, after so many milliseconds.
    After(u64),
    /// The good answer, but only when the next message has come in; from then on the server is modern.
    Held,
    /// Nothing, until `initialize` has come in; from then on the good answer.
    AfterInitialize,
    /// An error with this code.
    Error(i64),
    /// -32022 with these versions, as the inside of a JSON array.
    Unsupported(&'static str),
    /// -32022 with these versions the first time, then the good answer.
    UnsupportedOnce(&'static str),
    /// This as result, as JSON text.
    Result(&'static str),
}

/// How a scenario answers both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handshake {
    pub(crate) discover: Reply,
    pub(crate) initialize: Reply,
}

/// Knows `initialize` only.
pub(crate) const LEGACY: Handshake = Handshake {
    discover: Reply::Error(-32601),
    initialize: Reply::Good,
};
/// Knows `server/discover` only.
pub(crate) const MODERN_ONLY: Handshake = Handshake {
    discover: Reply::Good,
    initialize: Reply::Unsupported(r#""2026-07-28""#),
};

/// What the server does with a message of the handshake.
#[derive(Debug)]
pub(crate) enum Done {
    /// Writes these messages, in order.
    Write(Vec<String>),
    /// Waits so many milliseconds, then writes this message.
    WriteAfter(u64, String),
    /// Ends with this code.
    Exit(u8),
}

/// The handshake as it stands in a running process.
#[derive(Debug)]
pub(crate) struct Handshaking {
    rules: Handshake,
    discovered: bool,
    initialized: bool,
    held: Option<Asked>,
}

impl Handshaking {
    pub(crate) fn new(rules: Handshake) -> Self {
        Self {
            rules,
            discovered: false,
            initialized: false,
            held: None,
        }
    }

    /// Answers `server/discover` and `initialize`; `None` for any other message.
    pub(crate) fn answer(&mut self, asked: &Asked) -> Option<Done> {
        match asked.method.as_deref() {
            Some("server/discover") => Some(self.discover(asked)),
            Some("initialize") => Some(self.initialize(asked)),
            _ => None,
        }
    }

    fn discover(&mut self, asked: &Asked) -> Done {
        let again = std::mem::replace(&mut self.discovered, true);
        let reply = self.rules.discover;
        if reply == Reply::Held {
            self.held = Some(asked.clone());
        }
        let good_by_now = match reply {
            Reply::UnsupportedOnce(_) => again,
            Reply::AfterInitialize => self.initialized,
            Reply::Good
            | Reply::Silence
            | Reply::Exit(_)
            | Reply::ExitIfProbed(_)
            | Reply::After(_)
            | Reply::Held
            | Reply::Error(_)
            | Reply::Unsupported(_)
            | Reply::Result(_) => false,
        };
        written(if good_by_now { Reply::Good } else { reply }, asked)
    }

    fn initialize(&mut self, asked: &Asked) -> Done {
        self.initialized = true;
        let Some(late) = self.held.take() else {
            let rule = self.rules.initialize;
            if let (Reply::ExitIfProbed(code), true) = (rule, self.discovered) {
                return Done::Exit(code);
            }
            return written(rule, asked);
        };
        self.rules = MODERN_ONLY;
        let refused = unsupported_error(asked, r#""2026-07-28""#);
        Done::Write(vec![good(&late), refused])
    }
}

fn written(reply: Reply, asked: &Asked) -> Done {
    let message = match reply {
        Reply::Silence | Reply::Held | Reply::AfterInitialize => return Done::Write(vec![]),
        Reply::Exit(code) => return Done::Exit(code),
        Reply::After(ms) => return Done::WriteAfter(ms, good(asked)),
        Reply::Good | Reply::ExitIfProbed(_) => good(asked),
        Reply::Error(code) => error(asked.id(), code, "No", ""),
        Reply::Unsupported(versions) | Reply::UnsupportedOnce(versions) => {
            unsupported_error(asked, versions)
        }
        Reply::Result(result) => response(asked.id(), result),
    };
    Done::Write(vec![message])
}

fn good(asked: &Asked) -> String {
    let result = match asked.method.as_deref() {
        Some("initialize") => initialize_result(asked.version()),
        _ => discover_result(&format!("{MODERN:?}")),
    };
    response(asked.id(), &result)
}

fn unsupported_error(asked: &Asked, versions: &str) -> String {
    let data = unsupported(versions, asked.version());
    error(asked.id(), -32022, "Unsupported protocol version", &data)
}
