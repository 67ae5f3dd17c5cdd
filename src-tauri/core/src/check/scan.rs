//! Reads off JSON text what a parser loses: keys that stand twice, numbers that it rounds, and where values stand. The text
//! has been parsed before, so it is JSON.

use std::collections::{HashMap, HashSet};

use super::Problem;

/// Digits that a double holds for sure.
const DIGITS: usize = 17;

/// What a parser loses.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// Pointer to the object, and the key.
    pub(super) duplicates: Vec<(String, String)>,
    /// Pointers to numbers that a parser rounds.
    pub(super) inexact: Vec<String>,
}

impl Facts {
    /// Whether a problem may come of a number that was rounded.
    pub(super) fn is_doubtful(&self, problem: &Problem) -> bool {
        let compares = [
            "const",
            "enum",
            "uniqueItems",
            "anyOf",
            "oneOf",
            "not",
            "contains",
        ];
        self.inexact.iter().any(|path| {
            let above = path
                .strip_prefix(problem.path.as_str())
                .is_some_and(|rest| rest.starts_with('/'));
            // What is rounded stays a number.
            (*path == problem.path && problem.keyword != "type")
                || (above && compares.contains(&problem.keyword.as_str()))
        })
    }
}

/// Reads it off.
pub(super) fn scan(text: &str) -> Facts {
    let mut facts = Facts::default();
    walk(text, &mut |event, path, token, _| match event {
        Seen::Twice => facts.duplicates.push((path.join(), token.to_owned())),
        Seen::Number if !exact(token) => facts.inexact.push(path.join()),
        Seen::Number | Seen::Value => {}
    });
    facts
}

/// Where the values stand that these pointers name.
pub(super) fn places<'a>(
    text: &str,
    paths: impl Iterator<Item = &'a str>,
) -> HashMap<String, usize> {
    let wanted: HashSet<&str> = paths.collect();
    let mut places = HashMap::new();
    walk(text, &mut |event, path, _, at| {
        let path = path.join();
        if matches!(event, Seen::Value) && wanted.contains(path.as_str()) {
            places.entry(path).or_insert(at);
        }
    });
    places
}

/// Whether a number is what a parser makes of it.
pub(super) fn exact(token: &str) -> bool {
    if !token.contains(['.', 'e', 'E']) {
        return token.parse::<i64>().is_ok() || token.parse::<u64>().is_ok();
    }
    let mantissa = token.split(['e', 'E']).next().unwrap_or(token);
    let digits = mantissa
        .chars()
        .filter(char::is_ascii_digit)
        .collect::<String>();
    digits.trim_matches('0').len() <= DIGITS && token.parse::<f64>().is_ok_and(f64::is_finite)
}

enum Seen {
    /// A value begins.
    Value,
    /// A number, its token.
    Number,
    /// A key, for the second time in its object.
    Twice,
}

/// The way to a value.
#[derive(Default)]
struct Path(Vec<Step>);

enum Step {
    Key(String),
    Index(usize),
}

impl Path {
    fn join(&self) -> String {
        let mut joined = String::new();
        for step in &self.0 {
            joined.push('/');
            match step {
                Step::Key(key) => joined.push_str(&key.replace('~', "~0").replace('/', "~1")),
                Step::Index(index) => joined.push_str(&index.to_string()),
            }
        }
        joined
    }
}

/// What of the text is open.
enum Open {
    Object(HashSet<String>),
    Array(usize),
}

fn walk(text: &str, see: &mut dyn FnMut(Seen, &Path, &str, usize)) {
    let (mut path, mut open, mut at) = (Path::default(), Vec::<Open>::new(), 0);
    // In an object: the next string is a key.
    let mut key_next = false;
    while let Some(byte) = text.as_bytes().get(at).copied() {
        match byte {
            b'"' => {
                let end = at + string(&text[at..]);
                if !key_next {
                    see(Seen::Value, &path, "", at);
                } else if let Some(Open::Object(keys)) = open.last_mut() {
                    let key: String = serde_json::from_str(&text[at..end]).unwrap_or_default();
                    if !keys.insert(key.clone()) {
                        see(Seen::Twice, &path, &key, at);
                    }
                    path.0.push(Step::Key(key));
                    key_next = false;
                }
                at = end;
                continue;
            }
            b'{' => {
                see(Seen::Value, &path, "", at);
                open.push(Open::Object(HashSet::new()));
                key_next = true;
            }
            b'[' => {
                see(Seen::Value, &path, "", at);
                open.push(Open::Array(0));
                path.0.push(Step::Index(0));
            }
            b',' => match open.last_mut() {
                Some(Open::Array(index)) => {
                    *index += 1;
                    path.0.pop();
                    path.0.push(Step::Index(*index));
                }
                Some(Open::Object(_)) => {
                    path.0.pop();
                    key_next = true;
                }
                None => {}
            },
            b'}' => {
                // An empty object has no key on the path.
                if !key_next {
                    path.0.pop();
                }
                key_next = false;
                open.pop();
            }
            b']' => {
                path.0.pop();
                open.pop();
            }
            b'-' | b'0'..=b'9' => {
                let rest = &text[at..];
                let length = rest
                    .find(|c: char| !matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E'))
                    .unwrap_or(rest.len());
                see(Seen::Value, &path, "", at);
                see(Seen::Number, &path, &rest[..length], at);
                at += length;
                continue;
            }
            b't' | b'f' | b'n' => {
                see(Seen::Value, &path, "", at);
                at += if byte == b'f' { 5 } else { 4 };
                continue;
            }
            _ => {}
        }
        at += 1;
    }
}

/// The length of the string that the text begins with, quotes included.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_parser_loses_is_found() {
        let text = r#" {"a":[1,{},{"b\"":18446744073709551616}],"a":{"x":[],"x":1.0},"e":{},"z/~":0.30000000000000000001} "#;
        let facts = scan(text);
        assert_eq!(
            facts.duplicates,
            [("".into(), "a".into()), ("/a".into(), "x".to_owned())] as [(String, String); 2]
        );
        assert_eq!(facts.inexact, ["/a/2/b\"", "/z~1~0"]);
        let places = places(text, ["/a/2", "", "/e", "/nowhere"].into_iter());
        let at = |path: &str| places.get(path).map(|at| &text[*at..*at + 2]);
        assert_eq!(
            [at(""), at("/a/2"), at("/e"), at("/nowhere")],
            [Some("{\""), Some("{\""), Some("{}"), None]
        );
    }

    #[test]
    fn a_number_is_exact_where_a_parser_keeps_it() {
        for (token, expected) in [
            ("0", true),
            ("-9223372036854775808", true),
            ("18446744073709551615", true),
            ("18446744073709551616", false),
            ("-9223372036854775809", false),
            ("1.0", true),
            ("1e400", false),
            ("0.1", true),
            ("12345678901234567890.5", false),
        ] {
            assert_eq!(exact(token), expected, "{token}");
        }
    }
}
