//! What a filter asks of the index: trigrams that a block must hold before a record in it can match.

use super::super::filter::{Filter, forms};

/// Characters of a text that are looked for in the index at most; the record itself is judged by all.
const LONGEST: usize = 32;
/// Characters of an entry of the index.
const GRAM: usize = 3;

/// The query for the index; `None` where it cannot help: no text is looked for, or only one of one or two characters.
pub(in crate::history) fn expression(filter: &Filter) -> Option<String> {
    let texts = filter.terms.iter().filter(|term| !term.negated);
    let texts = texts.filter_map(|term| term.test.text());
    let texts: Vec<_> = texts.filter_map(any_form).collect();
    (!texts.is_empty()).then(|| texts.join(" AND "))
}

/// Any of the forms in which a text may stand in a body.
fn any_form(text: &str) -> Option<String> {
    let forms: Option<Vec<_>> = forms(text).iter().map(|form| all_of(form)).collect();
    Some(format!("({})", forms?.join(" OR ")))
}

/// All trigrams of a form.
fn all_of(form: &str) -> Option<String> {
    let chars: Vec<char> = form.chars().take(LONGEST).collect();
    if chars.len() < GRAM || chars.contains(&'\0') {
        return None;
    }
    let grams = chars.windows(GRAM).map(|gram| {
        let gram: String = gram.iter().collect();
        format!("\"{}\"", gram.replace('"', "\"\""))
    });
    Some(format!("({})", grams.collect::<Vec<_>>().join(" AND ")))
}

#[cfg(test)]
mod tests {
    use super::super::super::filter::parse;
    use super::*;

    #[test]
    fn a_filter_asks_for_all_trigrams_of_any_form_of_all_its_texts() {
        for (query, expected) in [
            ("", None),
            ("kind:error", None),
            ("ab", None),
            ("-abc", None),
            ("abc", Some(r#"(("abc"))"#)),
            ("abcd kind:error x", Some(r#"(("abc" AND "bcd"))"#)),
            ("abc def", Some(r#"(("abc")) AND (("def"))"#)),
            (r#""a\"b""#, Some(r#"(("a""b") OR ("a\""" AND "\""b"))"#)),
        ] {
            let found = expression(&parse(query).unwrap());
            assert_eq!(found.as_deref(), expected, "{query}");
        }
        let long = "x".repeat(1000);
        let found = expression(&parse(&long).unwrap()).unwrap();
        assert_eq!(found.matches("xxx").count(), LONGEST - GRAM + 1);
        let escaped = expression(&parse("größe").unwrap()).unwrap();
        assert!(escaped.contains(r#""\u0" AND "u00""#), "{escaped}");
    }
}
