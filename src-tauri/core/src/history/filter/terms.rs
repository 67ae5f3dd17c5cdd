//! What terms mean: typed tests made of the items that were written.

use super::lex::{Item, Op, Problem, RawTerm, RawValue, Word, utf16};
use super::units::{self, Bounds, When};
use crate::history::Origin;
use crate::history::codes;
use crate::protocol::{Direction, Kind};
use crate::record::{EventKind, Flags};

/// One condition.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::history) struct Term {
    /// The test must not hold.
    pub(in crate::history) negated: bool,
    pub(in crate::history) test: Test,
    /// Where it stands, counted in UTF-16 units.
    pub(in crate::history) from: usize,
    pub(in crate::history) to: usize,
}

/// Any alternative may hold.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::history) enum Test {
    /// Substring of the summary or the body.
    Text(String),
    Dir(Vec<Direction>),
    Kind(Vec<KindWord>),
    /// Globs.
    Method(Vec<String>),
    /// Raw JSON tokens.
    Id(Vec<String>),
    Status(Vec<Status>),
    Size(Vec<Bounds>),
    Dur(Vec<Bounds>),
    At(Vec<AtBounds>),
    Conn(Vec<Bounds>),
    Has(Vec<Has>),
    /// Sessions page only.
    Session(SessionTest),
}

impl Test {
    /// The text that is looked for.
    pub(in crate::history) fn text(&self) -> Option<&str> {
        if let Self::Text(text) = self {
            Some(text)
        } else {
            None
        }
    }

    /// The condition on a session.
    pub(in crate::history) fn of_session(&self) -> Option<&SessionTest> {
        if let Self::Session(test) = self {
            Some(test)
        } else {
            None
        }
    }

    pub(super) fn looks_ahead(&self) -> bool {
        match self {
            Self::Status(_) | Self::Dur(_) => true,
            Self::Has(list) => list.contains(&Has::Note),
            Self::Text(_)
            | Self::Dir(_)
            | Self::Kind(_)
            | Self::Method(_)
            | Self::Id(_)
            | Self::Size(_)
            | Self::At(_)
            | Self::Conn(_)
            | Self::Session(_) => false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::history) enum KindWord {
    Frame(Kind),
    Event(EventKind),
    /// Opened and closed.
    Lifecycle,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::history) enum Status {
    Ok,
    Error,
    IsError,
    /// Our own check found something.
    Check,
    /// A note about the request, by its kind in the file.
    Settled(i64),
    Pending,
    Http(Bounds),
    /// A JSON-RPC error code.
    Code(i64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::history) enum Has {
    Finding,
    Note,
    Flag(Flags),
}

/// Both ends included; a missing end is open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::history) struct AtBounds {
    pub(in crate::history) low: Option<When>,
    pub(in crate::history) high: Option<When>,
}

/// A condition on a session.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::history) enum SessionTest {
    /// Globs over the server's name.
    Server(Vec<String>),
    Origin(Vec<Origin>),
    /// Globs over the revision.
    Rev(Vec<String>),
    /// Globs over the tags.
    Tag(Vec<String>),
    Started(Vec<AtBounds>),
    Pinned(bool),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Dir,
    Kind,
    Method,
    Id,
    Status,
    Size,
    Dur,
    At,
    Conn,
    Has,
    Server,
    Origin,
    Rev,
    Tag,
    After,
    Before,
    Pinned,
}

/// Key, its word, and what it takes.
const KEYS: [(Key, &str, &str); 17] = [
    (Key::Dir, "dir", "c2s or s2c"),
    (
        Key::Kind,
        "kind",
        "request, result, error, notification, batch, malformed, stderr, http, note or lifecycle",
    ),
    (
        Key::Method,
        "method",
        "a method or a pattern such as tools/*",
    ),
    (Key::Id, "id", "a JSON-RPC id as written, e.g. 22"),
    (
        Key::Status,
        "status",
        "ok, error, iserror, check, timeout, cancelled, unanswered, pending, or an HTTP status such as 404 or 5xx",
    ),
    (Key::Size, "size", "bytes, e.g. >1k or 512..2M"),
    (Key::Dur, "dur", "a duration, e.g. >100ms or 1s..5s"),
    (
        Key::At,
        "at",
        "a time, e.g. >14:02, 14:02..14:05, 2026-11-29 or last 5m",
    ),
    (Key::Conn, "conn", "the number of a process or wire, from 0"),
    (
        Key::Has,
        "has",
        "finding, crash, late, duplicate, orphan, noise, redacted, note, unterminated, truncated or over-limit",
    ),
    (
        Key::Server,
        "server",
        "a server's name or a pattern such as git*",
    ),
    (Key::Origin, "origin", "app, cli or import"),
    (Key::Rev, "rev", "a revision or a pattern such as 2025-*"),
    (Key::Tag, "tag", "a tag or a pattern"),
    (Key::After, "after", "a date, e.g. 2026-11-29"),
    (Key::Before, "before", "a date, e.g. 2026-11-29"),
    (Key::Pinned, "pinned", "yes or no"),
];

impl Key {
    pub(super) fn of(word: &str) -> Option<Self> {
        KEYS.into_iter()
            .find(|(_, name, _)| *name == word)
            .map(|(key, ..)| key)
    }

    pub(super) fn words() -> String {
        KEYS.map(|(_, name, _)| name).join(" ")
    }

    /// `dir: takes c2s or s2c`.
    pub(super) fn usage(self) -> String {
        let entry = KEYS.into_iter().find(|(key, ..)| *key == self);
        let (_, name, takes) = entry.unwrap_or(KEYS[0]);
        format!("{name}: takes {takes}")
    }
}

/// Gives a term of this text its meaning.
pub(super) fn typed(raw: RawTerm, text: &str) -> Result<Term, Problem> {
    let test = match raw.value {
        RawValue::Text(text) => Test::Text(text),
        RawValue::Items(key, items) => test(key, &items).ok_or_else(|| Problem {
            from: raw.from,
            to: raw.to,
            message: key.usage(),
        })?,
    };
    let (from, to) = (utf16(text, raw.from), utf16(text, raw.to));
    Ok(Term {
        negated: raw.negated,
        test,
        from,
        to,
    })
}

fn test(key: Key, items: &[Item]) -> Option<Test> {
    Some(match key {
        Key::Dir => Test::Dir(words(items, |word| {
            [Direction::ClientToServer, Direction::ServerToClient]
                .into_iter()
                .find(|d| d.as_str() == word.text)
        })?),
        Key::Kind => Test::Kind(words(items, |word| kind(&word.text))?),
        Key::Method => Test::Method(words(items, glob)?),
        Key::Id => Test::Id(words(items, id)?),
        Key::Status => Test::Status(words(items, |word| status(&word.text))?),
        Key::Size => Test::Size(all(items, |item| units::bounds(item, units::size))?),
        Key::Dur => Test::Dur(all(items, |item| units::bounds(item, units::duration))?),
        Key::Conn => Test::Conn(all(items, |item| units::bounds(item, units::count))?),
        Key::At => Test::At(all(items, at)?),
        Key::Has => Test::Has(words(items, |word| has(&word.text))?),
        Key::Server
        | Key::Origin
        | Key::Rev
        | Key::Tag
        | Key::After
        | Key::Before
        | Key::Pinned => Test::Session(session_test(key, items)?),
    })
}

fn session_test(key: Key, items: &[Item]) -> Option<SessionTest> {
    Some(match key {
        Key::Server => SessionTest::Server(words(items, glob)?),
        Key::Origin => SessionTest::Origin(words(items, |word| word.text.parse().ok())?),
        Key::Rev => SessionTest::Rev(words(items, glob)?),
        Key::Tag => SessionTest::Tag(words(items, glob)?),
        Key::After => SessionTest::Started(words(items, |word| started(word, Op::AtLeast))?),
        Key::Before => SessionTest::Started(words(items, |word| started(word, Op::Less))?),
        Key::Pinned => match words(items, |word| Some(word.text.clone()))?.as_slice() {
            [yes] if matches!(yes.as_str(), "yes" | "true") => SessionTest::Pinned(true),
            [no] if matches!(no.as_str(), "no" | "false") => SessionTest::Pinned(false),
            _ => return None,
        },
        Key::Dir
        | Key::Kind
        | Key::Method
        | Key::Id
        | Key::Status
        | Key::Size
        | Key::Dur
        | Key::At
        | Key::Conn
        | Key::Has => return None,
    })
}

fn all<T>(items: &[Item], read: impl Fn(&Item) -> Option<T>) -> Option<Vec<T>> {
    items.iter().map(read).collect()
}

/// Items without comparison or range.
fn words<T>(items: &[Item], read: impl Fn(&Word) -> Option<T>) -> Option<Vec<T>> {
    all(items, |item| {
        if item.op.is_none() && item.upto.is_none() {
            read(&item.word)
        } else {
            None
        }
    })
}

fn kind(word: &str) -> Option<KindWord> {
    let event = match word {
        "stderr" => EventKind::Stderr,
        "http" => EventKind::Http,
        "note" => EventKind::Note,
        "lifecycle" => return Some(KindWord::Lifecycle),
        _ => {
            return codes::KINDS
                .into_iter()
                .find(|k| k.as_str() == word)
                .map(KindWord::Frame);
        }
    };
    Some(KindWord::Event(event))
}

#[allow(clippy::unnecessary_wraps, reason = "has the shape that `words` takes")]
fn glob(word: &Word) -> Option<String> {
    Some(word.text.clone())
}

/// `22` is a number where it is one, else a string without its quotes; `"22"` is a string.
#[allow(clippy::unnecessary_wraps, reason = "has the shape that `words` takes")]
fn id(word: &Word) -> Option<String> {
    let number =
        serde_json::from_str::<serde_json::Number>(&word.text).is_ok() || word.text == "null";
    Some(if number && !word.quoted {
        word.text.clone()
    } else {
        serde_json::Value::from(word.text.as_str()).to_string()
    })
}

fn status(word: &str) -> Option<Status> {
    Some(match word {
        "ok" => Status::Ok,
        "error" => Status::Error,
        "iserror" => Status::IsError,
        "check" => Status::Check,
        "timeout" => Status::Settled(codes::NOTE_TIMED_OUT),
        "cancelled" => Status::Settled(codes::NOTE_CANCELLED),
        "unanswered" => Status::Settled(codes::NOTE_UNANSWERED),
        "pending" => Status::Pending,
        _ => return http_or_code(word),
    })
}

fn http_or_code(word: &str) -> Option<Status> {
    if let Some(class) = word.strip_suffix("xx") {
        let class: i64 = class.parse().ok().filter(|class| (1..=9).contains(class))?;
        return Some(Status::Http(Bounds {
            low: Some(class * 100),
            high: Some(class * 100 + 99),
        }));
    }
    let number: i64 = word.parse().ok()?;
    let http = (100..=999).contains(&number);
    Some(if http {
        Status::Http(Bounds {
            low: Some(number),
            high: Some(number),
        })
    } else {
        Status::Code(number)
    })
}

fn has(word: &str) -> Option<Has> {
    const FLAGS: [(&str, Flags); 9] = [
        ("crash", Flags::CRASH),
        ("late", Flags::LATE),
        ("duplicate", Flags::DUPLICATE),
        ("orphan", Flags::ORPHAN),
        ("noise", Flags::NOISE),
        ("redacted", Flags::REDACTED),
        ("unterminated", Flags::UNTERMINATED),
        ("truncated", Flags::TRUNCATED),
        ("over-limit", Flags::OVER_LIMIT),
    ];
    match word {
        "finding" => Some(Has::Finding),
        "note" => Some(Has::Note),
        _ => FLAGS
            .into_iter()
            .find(|(name, _)| *name == word)
            .map(|(_, flag)| Has::Flag(flag)),
    }
}

fn at(item: &Item) -> Option<AtBounds> {
    let (first, width) = units::when(&item.word.text)?;
    let only_low = |low| AtBounds {
        low: Some(low),
        high: None,
    };
    let only_high = |high| AtBounds {
        low: None,
        high: Some(high),
    };
    if let When::Ago(_) = first {
        return (item.op.is_none() && item.upto.is_none()).then(|| only_low(first));
    }
    Some(match (item.op, &item.upto) {
        (None, Some(upto)) => AtBounds {
            low: Some(first),
            high: Some(units::when(&upto.text)?.0),
        },
        (None, None) => AtBounds {
            low: Some(first),
            high: Some(first.later(width - 1)),
        },
        (Some(Op::Greater), _) => only_low(first.later(1)),
        (Some(Op::AtLeast), _) => only_low(first),
        (Some(Op::Less), _) => only_high(first.later(-1)),
        (Some(Op::AtMost), _) => only_high(first),
    })
}

fn started(word: &Word, op: Op) -> Option<AtBounds> {
    let (moment, _) = units::when(&word.text)?;
    Some(match op {
        Op::Less | Op::AtMost => AtBounds {
            low: None,
            high: Some(moment.later(-1)),
        },
        Op::Greater | Op::AtLeast => AtBounds {
            low: Some(moment),
            high: None,
        },
    })
}
