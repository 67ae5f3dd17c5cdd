//! The scenarios over stdio. Most behave until the first `tools/call`, misbehave, answer it, and go on behaving.

mod bytes;
mod ends;
mod eras;
mod messages;
mod size;

use super::Argument;
use super::handshake::{Handshake, LEGACY, MODERN_ONLY};
use super::step::{Scenario, Step};

/// All of them.
pub(crate) fn scenarios() -> impl Iterator<Item = &'static Scenario> {
    [
        GOOD,
        bytes::BYTES,
        size::SIZE,
        messages::MESSAGES,
        ends::ENDS,
        eras::ERAS,
    ]
    .into_iter()
    .flatten()
}

const GOOD: &[Scenario] = &[
    legacy("good", "nothing; legacy", |_| vec![Step::ToEof]),
    modern("good-modern", "nothing; modern only", |_| vec![Step::ToEof]),
];

const CALL: Step = Step::Until("tools/call");

const fn legacy(
    name: &'static str,
    about: &'static str,
    script: fn(Argument<'_>) -> Vec<Step>,
) -> Scenario {
    Scenario {
        name,
        about,
        handshake: LEGACY,
        script,
    }
}

const fn modern(
    name: &'static str,
    about: &'static str,
    script: fn(Argument<'_>) -> Vec<Step>,
) -> Scenario {
    legacy(name, about, script).with(MODERN_ONLY)
}

impl Scenario {
    const fn with(self, handshake: Handshake) -> Self {
        Self { handshake, ..self }
    }
}

/// Does this on the first call, then answers it and behaves.
fn in_call(steps: Vec<Step>) -> Vec<Step> {
    let mut all = vec![CALL];
    all.extend(steps);
    all.extend([Step::Answer, Step::ToEof]);
    all
}

/// Does this on the first call instead of answering it, then behaves.
fn instead_of_answer(steps: Vec<Step>) -> Vec<Step> {
    let mut all = vec![CALL];
    all.extend(steps);
    all.push(Step::ToEof);
    all
}

fn line(text: &str) -> Step {
    Step::Line(text.to_owned())
}
