//! The filter language of the timeline, the sessions page and `framescope-cli log --filter`.
//!
//! ```text
//! query  = { term }                      all terms must hold
//! term   = ["-"] ( key ":" value | text )
//! value  = item { "," item }             any item may hold
//! item   = [">" | "<" | ">=" | "<="] word | word ".." word
//! word   = bare | quoted                 bare: no space , "  ·  quoted: "…" with \" and \\
//! text   = word                          substring, case-insensitive
//! ```
//! A bare word with `:` whose head is no key is text (`http://x`). Parsing gives typed tests; SQL is made of them when the
//! session is known, since `at:` speaks of its day.

mod lex;
mod sql;
mod terms;
#[cfg(test)]
mod tests;
mod units;

pub(super) use sql::{Bind, Condition, Context, forms, glob, moments_hold};
pub(super) use terms::{Has, SessionTest, Term, Test};

/// A filter that was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// All must hold.
    pub(super) terms: Vec<Term>,
}

impl Filter {
    /// Whether every record matches.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether a later record (an answer, a note) can change what an earlier one matches.
    pub(super) fn looks_ahead(&self) -> bool {
        self.terms.iter().any(|term| term.test.looks_ahead())
    }
}

/// What is wrong with a filter, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct FilterProblem {
    /// Where the term begins that cannot be used, counted in UTF-16 units.
    pub from: usize,
    /// One past where it ends.
    pub to: usize,
    /// What is wrong, and what would be right.
    pub message: String,
}

/// Reads a filter.
///
/// # Errors
/// Says which term cannot be used, and what would be right.
pub fn parse(text: &str) -> Result<Filter, FilterProblem> {
    let raw = lex::terms(text).map_err(|problem| problem.in_text(text))?;
    let typed = raw.into_iter().map(|term| terms::typed(term, text));
    let terms = typed.collect::<Result<_, lex::Problem>>();
    Ok(Filter {
        terms: terms.map_err(|problem| problem.in_text(text))?,
    })
}
