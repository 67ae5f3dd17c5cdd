//! Takes out of records, before they are handed on, what the user calls a secret. Known secrets never get into a record; this is
//! for all others. Only the bytes that a rule hits change: nothing is parsed and written again. Pure.

mod path;
mod rules;
#[cfg(test)]
mod tests;
mod text;
mod walk;

use super::capture::{CapturedRecord, Header};
use super::{EventKind, Redaction};
use rules::Compiled;
use text::Mapped;
use walk::{Edit, Finder};

pub use rules::{RedactRules, Rule, RuleKind};

/// Stands for what was taken out.
pub const PLACEHOLDER: &str = "‹redacted›";
/// How much is shown around what was taken out, in bytes.
const AROUND: usize = 40;
/// How much of what was taken out is shown, in bytes.
const SHOWN: usize = 160;

/// A place that a rule hits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Which rule: its place in [`Redactor::rules`].
    pub rule: usize,
    /// Where, for people: `$.params.arguments.token`, `stderr`.
    pub place: String,
    /// What stands there, with a little of what is around it.
    pub before: String,
    /// What will stand there.
    pub after: String,
}

/// Takes out what its rules hit.
#[derive(Debug)]
pub struct Redactor(Compiled);

impl Redactor {
    /// Of these rules. One that cannot be read has a problem in [`Self::rules`], and hits nothing.
    pub fn new(rules: &RedactRules) -> Self {
        Self(Compiled::new(rules))
    }

    /// The same, with all rules.
    ///
    /// # Errors
    /// The first rule that cannot be read.
    pub fn of_all(rules: &RedactRules) -> Result<Self, Rule> {
        let redactor = Self::new(rules);
        let bad = redactor.rules().iter().find(|rule| rule.problem.is_some());
        match bad.cloned() {
            Some(bad) => Err(bad),
            None => Ok(redactor),
        }
    }

    /// The rules as typed: keys, headers, values, paths.
    pub fn rules(&self) -> &[Rule] {
        &self.0.rules
    }

    /// Takes out of a record what is hit. At most `most` of the hits are described; all are counted, as (rule, hits).
    pub fn record(&self, record: &mut CapturedRecord, most: usize) -> Found {
        let mut edits = Vec::new();
        let finder = Finder {
            rules: &self.0,
            headers: record.event != EventKind::Frame,
        };
        match record.event {
            EventKind::Frame => {
                let (message, others) = Mapped::of_frame(&record.body);
                finder.find(&message, "", &mut edits);
                for line in others {
                    let text = Mapped::plain(&record.body[line.clone()], line.start);
                    finder.find_plain(&text, "event stream", &mut edits);
                }
            }
            EventKind::Stderr => {
                finder.find(&Mapped::plain(&record.body, 0), "stderr", &mut edits);
            }
            kind @ (EventKind::Opened
            | EventKind::Http
            | EventKind::Note
            | EventKind::Closed
            | EventKind::Unknown) => {
                let name = format!("{} ", kind.as_str());
                finder.find(&Mapped::plain(&record.body, 0), &name, &mut edits);
            }
        }
        if edits.is_empty() {
            return Found::default();
        }
        let (body, found) = apply(&record.body, edits, &mut record.redactions, most);
        record.body = body.into();
        found
    }

    /// Takes out of the description of a session what is hit.
    pub fn header(&self, header: &mut Header, most: usize) -> Found {
        let mut edits = Vec::new();
        let Ok(json) = serde_json::to_vec(header) else {
            return Found::default();
        };
        let finder = Finder {
            rules: &self.0,
            headers: true,
        };
        finder.find(&Mapped::plain(&json, 0), "session ", &mut edits);
        if edits.is_empty() {
            return Found::default();
        }
        let (json, found) = apply(&json, edits, &mut Vec::new(), most);
        match serde_json::from_slice::<Header>(&json) {
            Ok(redacted) => *header = redacted,
            // A rule took out what a header cannot be without, such as its number; then nobody needs to be told of the server.
            Err(_) => {
                header.config = None;
                header.name = None;
                header.tags.clear();
                PLACEHOLDER.clone_into(&mut header.server);
            }
        }
        found
    }
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Which rule, and how often it hit.
    pub counts: Vec<(usize, u64)>,
    /// The first of the places.
    pub hits: Vec<Hit>,
}

/// Replaces the bytes. Of two edits that meet, one is made, over both.
fn apply(
    body: &[u8],
    mut edits: Vec<Edit>,
    redactions: &mut Vec<Redaction>,
    most: usize,
) -> (Vec<u8>, Found) {
    let mut found = Found::default();
    for edit in &edits {
        match found.counts.iter_mut().find(|(rule, _)| *rule == edit.rule) {
            Some((_, count)) => *count += 1,
            None => found.counts.push((edit.rule, 1)),
        }
    }
    edits.sort_by_key(|edit| (edit.at.start, std::cmp::Reverse(edit.at.end)));
    edits.dedup_by(|next, kept| {
        let meets = next.at.start < kept.at.end;
        if meets {
            kept.at.end = kept.at.end.max(next.at.end);
        }
        meets
    });
    let (mut out, mut at) = (Vec::with_capacity(body.len()), 0);
    let mut places = std::mem::take(redactions).into_iter().peekable();
    for edit in &edits {
        while let Some(place) = places.next_if(|place| place.offset < edit.at.start as u64) {
            redactions.push(moved(place, at, out.len()));
        }
        // Where a known secret stood in what is taken out, there is no place for it any more.
        while places
            .next_if(|place| place.offset < edit.at.end as u64)
            .is_some()
        {}
        out.extend_from_slice(&body[at..edit.at.start]);
        if found.hits.len() < most {
            found.hits.push(shown(body, edit));
        }
        out.extend_from_slice(edit.with.as_bytes());
        at = edit.at.end;
    }
    redactions.extend(places.map(|place| moved(place, at, out.len())));
    out.extend_from_slice(&body[at..]);
    (out, found)
}

/// A place of the body from byte `at` on, which stands at byte `now` of what is written.
fn moved(place: Redaction, at: usize, now: usize) -> Redaction {
    Redaction {
        offset: place.offset - at as u64 + now as u64,
        ..place
    }
}

fn shown(body: &[u8], edit: &Edit) -> Hit {
    let text = |part: &[u8]| String::from_utf8_lossy(part).into_owned();
    let from = edit.at.start.saturating_sub(AROUND);
    let until = body.len().min(edit.at.end + AROUND);
    let (left, right) = (&body[from..edit.at.start], &body[edit.at.end..until]);
    let middle = &body[edit.at.start..edit.at.end.min(edit.at.start + SHOWN)];
    let cut = if middle.len() < edit.at.len() {
        "…"
    } else {
        ""
    };
    Hit {
        rule: edit.rule,
        place: edit.place.to_string(),
        before: format!("{}{}{cut}{}", text(left), text(middle), text(right)),
        after: format!("{}{}{}", text(left), edit.with, text(right)),
    }
}
