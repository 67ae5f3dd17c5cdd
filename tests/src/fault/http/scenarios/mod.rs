//! The scenarios over HTTP. Where none says otherwise the server is legacy, mints sessions, answers in JSON, and refuses GET.

mod bodies;
mod heads;
mod modern;
mod sessions;
mod streams;

use super::answer::{Answer, Response};
use super::{On, Scenario, Style};
use crate::fault::Argument;
use crate::fault::handshake::{Handshake, LEGACY, MODERN_ONLY, Reply};

type Rules = Vec<(On, Vec<Answer>)>;

/// All of them.
pub(crate) fn scenarios() -> impl Iterator<Item = &'static Scenario> {
    let tables = [
        GOOD,
        bodies::BODIES,
        streams::STREAMS,
        heads::HEADS,
        modern::MODERN,
        sessions::SESSIONS,
    ];
    tables.into_iter().flatten()
}

const GOOD: &[Scenario] = &[
    legacy("json", "nothing; legacy, JSON answers", |_| vec![]),
    legacy("sse", "nothing; legacy, SSE answers", |_| vec![]).style(Style::Sse),
    modern(
        "modern-json",
        "nothing; modern only, JSON answers",
        |_| vec![],
    ),
    modern(
        "modern-sse",
        "nothing; modern only, SSE answers",
        |_| vec![],
    )
    .style(Style::Sse),
    legacy("no-session", "nothing; legacy without sessions", |_| vec![]).sessions(false),
    era(
        "era-exits",
        "the connection closes on server/discover",
        Reply::Exit(1),
        Reply::Good,
    ),
    era(
        "era-unsupported-once",
        "-32022 with the version that was asked for, once",
        Reply::UnsupportedOnce(r#""2026-07-28""#),
        MODERN_ONLY.initialize,
    ),
    era(
        "era-unsupported-legacy",
        "-32022 with legacy versions only",
        Reply::Unsupported(r#""2025-11-25""#),
        Reply::Good,
    ),
    era(
        "era-unsupported-modern",
        "-32022 with a modern version nobody speaks",
        Reply::Unsupported(r#""2099-01-01""#),
        MODERN_ONLY.initialize,
    ),
];

const fn legacy(
    name: &'static str,
    about: &'static str,
    rules: fn(Argument<'_>) -> Rules,
) -> Scenario {
    Scenario {
        name,
        about,
        handshake: LEGACY,
        style: Style::Json,
        mints_sessions: true,
        rules,
    }
}

const fn modern(
    name: &'static str,
    about: &'static str,
    rules: fn(Argument<'_>) -> Rules,
) -> Scenario {
    let scenario = legacy(name, about, rules).sessions(false);
    Scenario {
        handshake: MODERN_ONLY,
        ..scenario
    }
}

const fn era(
    name: &'static str,
    about: &'static str,
    discover: Reply,
    initialize: Reply,
) -> Scenario {
    let scenario = legacy(name, about, |_| vec![]);
    Scenario {
        handshake: Handshake {
            discover,
            initialize,
        },
        ..scenario
    }
}

impl Scenario {
    const fn style(self, style: Style) -> Self {
        Self { style, ..self }
    }

    const fn sessions(self, mints_sessions: bool) -> Self {
        Self {
            mints_sessions,
            ..self
        }
    }
}

/// This to every request but the handshake.
fn always(response: Response) -> Rules {
    vec![(On::Request, vec![response.into()])]
}

/// This to the first request after the handshake; then it behaves.
fn first(response: Response) -> Rules {
    vec![(On::Request, vec![response.into(), Answer::Good])]
}
