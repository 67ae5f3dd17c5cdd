//! The text around a place that was found, and what of it matches.

use super::super::filter::{Filter, forms};

/// Characters that are shown at most.
const SHOWN: usize = 200;
/// Of them before the place.
const BEFORE: usize = 60;

/// The texts of a filter, in the forms in which they may stand in a body; in lower case as far as ASCII goes.
#[derive(Clone, Debug)]
pub(super) struct Needles(Vec<String>);

impl Needles {
    pub(super) fn of(filter: &Filter) -> Self {
        let texts = filter.terms.iter().filter(|term| !term.negated);
        let texts = texts.filter_map(|term| term.test.text());
        let texts = texts.filter(|text| !text.is_empty());
        let mut all: Vec<_> = texts
            .flat_map(forms)
            .map(|form| form.to_ascii_lowercase())
            .collect();
        all.sort_unstable();
        all.dedup();
        Self(all)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text around the first place, and the places in it, in UTF-16 units. `None` where there is none.
    pub(super) fn shown(&self, text: &str) -> Option<(String, Vec<(u32, u32)>)> {
        // Lower case of ASCII keeps every place.
        let lower = text.to_ascii_lowercase();
        let first = self
            .0
            .iter()
            .filter_map(|needle| lower.find(needle))
            .min()?;
        let start = text[..first]
            .char_indices()
            .rev()
            .take(BEFORE)
            .last()
            .map_or(first, |(at, _)| at);
        let end = text[start..]
            .char_indices()
            .nth(SHOWN)
            .map_or(text.len(), |(at, _)| start + at);
        let (shown, lower) = (&text[start..end], &lower[start..end]);
        let marks = self.places(lower);
        let utf16 = |at: usize| {
            let units: usize = shown[..at].chars().map(char::len_utf16).sum();
            u32::try_from(units).unwrap_or(u32::MAX)
        };
        let marks = marks
            .into_iter()
            .map(|(from, to)| (utf16(from), utf16(to)))
            .collect();
        // One character for one, so that the places stay.
        let shown = shown
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        Some((shown, marks))
    }

    /// All places, in order; those that touch are one.
    fn places(&self, lower: &str) -> Vec<(usize, usize)> {
        let mut all: Vec<_> = self
            .0
            .iter()
            .flat_map(|needle| {
                lower
                    .match_indices(needle.as_str())
                    .map(|(at, found)| (at, at + found.len()))
            })
            .collect();
        all.sort_unstable();
        let mut places: Vec<(usize, usize)> = Vec::new();
        for (from, to) in all {
            match places.last_mut() {
                Some(last) if from <= last.1 => last.1 = last.1.max(to),
                _ => places.push((from, to)),
            }
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::filter::parse;
    use super::*;

    #[test]
    fn the_first_place_is_shown_with_all_that_matches_around_it() {
        let long = format!("{}needle{}", "ä".repeat(100), "b".repeat(500));
        for (query, text, expected, marks) in [
            ("x", "no such thing", None, vec![]),
            (
                "NEEDLE",
                "a Needle and a needle",
                Some("a Needle and a needle"),
                vec![(2, 8), (15, 21)],
            ),
            (
                "a b",
                "a\tb aab",
                Some("a b aab"),
                vec![(0, 1), (2, 3), (4, 7)],
            ),
            (
                "größe",
                r#"{"k":"gr\u00f6\u00dfe"}"#,
                Some(r#"{"k":"gr\u00f6\u00dfe"}"#),
                vec![(6, 21)],
            ),
            ("GRÖSSE", "😀 grösse", Some("😀 grösse"), vec![(3, 9)]),
            ("-no yes", "yes no", Some("yes no"), vec![(0, 3)]),
        ] {
            let needles = Needles::of(&parse(query).unwrap());
            let shown = needles.shown(text);
            let shown = shown
                .as_ref()
                .map(|(text, marks)| (text.as_str(), marks.clone()));
            assert_eq!(
                shown,
                expected.map(|text| (text, marks)),
                "{query} in {text}"
            );
        }
        let needles = Needles::of(&parse("needle").unwrap());
        let (shown, marks) = needles.shown(&long).unwrap();
        assert_eq!((shown.chars().count(), marks), (SHOWN, vec![(60, 66)]));
    }
}
