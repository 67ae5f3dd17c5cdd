//! Our own check of JSON against a JSON Schema. It speaks for nobody else and blocks nothing; what it cannot judge is *not
//! checked*, never *valid*.
//!
//! Schemas and values come from servers, so a check is bounded: patterns run on a linear engine, references lead nowhere
//! outside of the schema, texts have a limit, and a check that takes too long is given up, and its schema not tried again.

mod cost;
mod scan;
mod schema;
#[cfg(test)]
mod tests;
mod words;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use serde_json::Value;
use tokio::sync::oneshot;

use schema::Compiled;

/// The largest schema that is checked against, in bytes.
const SCHEMA_LIMIT: usize = 1 << 20;
/// The largest value that is checked, in bytes.
const VALUE_LIMIT: usize = 8 << 20;
/// How long a check may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// Compiled schemas that are kept.
const KEPT: usize = 64;
/// Checks that may run on after they were given up: each holds a thread.
const LOST: usize = 2;
/// Problems that are told at most.
const TOLD: usize = 100;
/// Problems that are looked for at most, so that those that are told are the first in the text.
const FOUND: usize = 2_000;
/// The stack of a check: recursive schemas go as deep as the value.
const STACK: usize = 64 << 20;

/// What a check says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// What fails, in the order of the text; at most 100.
    pub problems: Vec<Problem>,
    /// Why all or part of it was not checked.
    pub unchecked: Option<String>,
}

/// A place that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// JSON pointer to the value; empty for the whole. A missing property points to its object.
    pub path: String,
    /// The missing property, for `required`.
    pub missing: Option<String>,
    /// The keyword that fails; `duplicate` for a key that stands twice.
    pub keyword: String,
    /// In words, without the party.
    pub message: String,
}

/// Checks, and keeps what it compiled.
#[derive(Debug, Default)]
pub struct Checker {
    schemas: Mutex<VecDeque<(Box<str>, Arc<Compiled>)>>,
    /// Schemas whose check was given up.
    slow: Arc<Mutex<Vec<Box<str>>>>,
    /// Checks that run on nevertheless.
    lost: Arc<Mutex<usize>>,
}

impl Checker {
    /// Checks JSON text against the text of a schema.
    pub async fn check(self: &Arc<Self>, schema: &str, value: &str) -> Checked {
        if schema.len() > SCHEMA_LIMIT || value.len() > VALUE_LIMIT {
            return unchecked("it is too large to be checked");
        }
        if self.slow.lock().iter().any(|slow| **slow == *schema) || *self.lost.lock() >= LOST {
            return unchecked("the check takes too long");
        }
        let (tell, told) = oneshot::channel();
        let (checker, schema_text, value) = (
            Arc::clone(self),
            Box::<str>::from(schema),
            Box::<str>::from(value),
        );
        let started = std::thread::Builder::new()
            .name("check".to_owned())
            .stack_size(STACK)
            .spawn(move || {
                let checked = checker.run(&schema_text, &value);
                if tell.send(checked).is_err() {
                    let mut lost = checker.lost.lock();
                    *lost = lost.saturating_sub(1);
                }
            });
        if started.is_err() {
            return unchecked("this app has no thread left for it");
        }
        let mut told = told;
        match tokio::time::timeout(PATIENCE, &mut told).await {
            Ok(Ok(checked)) => checked,
            Ok(Err(_)) => unchecked("our check failed; please report the schema"),
            Err(_) => {
                let mut lost = self.lost.lock();
                told.close();
                // It may have ended just now.
                if let Ok(checked) = told.try_recv() {
                    return checked;
                }
                *lost += 1;
                drop(lost);
                self.slow.lock().push(schema.into());
                unchecked("the check takes too long")
            }
        }
    }

    fn run(&self, schema: &str, text: &str) -> Checked {
        let value: Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) => return unchecked(&no_json("the value", &error)),
        };
        let facts = scan::scan(text);
        let compiled = self.compiled(schema);
        let mut unchecked = compiled.unchecked.clone();
        let mut problems = duplicates(&facts);
        if let Some(validator) = &compiled.validator {
            let found = validator.iter_errors(&value).take(FOUND);
            for error in found {
                match words::problem(&error) {
                    Ok(problem) if facts.is_doubtful(&problem) => {}
                    Ok(problem) => problems.push(problem),
                    Err(why) => unchecked = unchecked.or(Some(why)),
                }
            }
        }
        if !facts.inexact.is_empty() {
            let why = "numbers with more digits than we can compare";
            unchecked = unchecked.or_else(|| Some(why.to_owned()));
        }
        sort(&mut problems, text);
        problems.dedup();
        problems.truncate(TOLD);
        Checked {
            problems,
            unchecked,
        }
    }

    fn compiled(&self, schema: &str) -> Arc<Compiled> {
        let known = |(text, _): &(Box<str>, _)| **text == *schema;
        if let Some((_, compiled)) = self.schemas.lock().iter().find(|entry| known(entry)) {
            return Arc::clone(compiled);
        }
        let compiled = Arc::new(Compiled::of(schema));
        let mut schemas = self.schemas.lock();
        schemas.push_front((schema.into(), Arc::clone(&compiled)));
        schemas.truncate(KEPT);
        compiled
    }
}

fn unchecked(why: &str) -> Checked {
    Checked {
        problems: Vec::new(),
        unchecked: Some(why.to_owned()),
    }
}

/// Depth and range are limits of ours, not faults of the text.
fn no_json(what: &str, error: &serde_json::Error) -> String {
    let words = error.to_string();
    if words.starts_with("recursion limit") {
        format!("{what} is nested deeper than we check")
    } else if words.starts_with("number out of range") {
        format!("{what} holds a number beyond what we can compare")
    } else {
        format!("{what} is not JSON: {words}")
    }
}

fn duplicates(facts: &scan::Facts) -> Vec<Problem> {
    let duplicate = |(path, key): &(String, String)| Problem {
        path: path.clone(),
        missing: None,
        keyword: "duplicate".to_owned(),
        message: format!("`{key}` stands twice; most programs read the last one"),
    };
    facts.duplicates.iter().map(duplicate).collect()
}

/// In the order of the text.
fn sort(problems: &mut [Problem], text: &str) {
    if problems.len() < 2 {
        return;
    }
    let places = scan::places(text, problems.iter().map(|problem| problem.path.as_str()));
    problems.sort_by_key(|problem| places.get(problem.path.as_str()).copied());
}
