//! Splits a filter into terms and their items, without knowing what they mean.

use super::FilterProblem;
use super::terms::Key;

/// A term as written.
#[derive(Debug)]
pub(super) struct RawTerm {
    pub(super) negated: bool,
    pub(super) value: RawValue,
    /// Bytes of the text.
    pub(super) from: usize,
    pub(super) to: usize,
}

#[derive(Debug)]
pub(super) enum RawValue {
    Text(String),
    Items(Key, Vec<Item>),
}

/// One of the alternatives of a value.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) op: Option<Op>,
    pub(super) word: Word,
    /// The end of a range.
    pub(super) upto: Option<Word>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Greater,
    Less,
    AtLeast,
    AtMost,
}

#[derive(Debug)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) quoted: bool,
}

/// A problem with its place in bytes.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) message: String,
}

impl Problem {
    pub(super) fn in_text(self, text: &str) -> FilterProblem {
        FilterProblem {
            from: utf16(text, self.from),
            to: utf16(text, self.to),
            message: self.message,
        }
    }
}

/// A place in bytes as one in UTF-16 units.
pub(super) fn utf16(text: &str, byte: usize) -> usize {
    text.get(..byte).unwrap_or(text).encode_utf16().count()
}

/// The terms of a filter.
pub(super) fn terms(text: &str) -> Result<Vec<RawTerm>, Problem> {
    let mut lexer = Lexer { text, at: 0 };
    let mut terms = Vec::new();
    while lexer.skip_space() {
        terms.push(lexer.term()?);
    }
    Ok(terms)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn next(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Whether anything follows the space.
    fn skip_space(&mut self) -> bool {
        self.at = self.text.len() - self.rest().trim_start().len();
        self.at < self.text.len()
    }

    fn take(&mut self, prefix: &str) -> bool {
        let taken = self.rest().starts_with(prefix);
        if taken {
            self.at += prefix.len();
        }
        taken
    }

    fn bare(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || c == ',' || c == '"');
        let bare = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        self.at += bare.len();
        bare
    }

    fn at_end_of_term(&self) -> bool {
        self.next().is_none_or(char::is_whitespace)
    }

    fn problem<T>(&mut self, from: usize, message: impl Into<String>) -> Result<T, Problem> {
        while !self.at_end_of_term() {
            self.at += self.next().map_or(1, char::len_utf8);
        }
        Err(Problem {
            from,
            to: self.at,
            message: message.into(),
        })
    }

    fn term(&mut self) -> Result<RawTerm, Problem> {
        let from = self.at;
        let alone = self.rest().chars().nth(1).is_none_or(char::is_whitespace);
        let negated = !alone && self.take("-");
        let value = self.value(from)?;
        Ok(RawTerm {
            negated,
            value,
            from,
            to: self.at,
        })
    }

    fn value(&mut self, from: usize) -> Result<RawValue, Problem> {
        if self.next() == Some('"') {
            let text = self.quoted()?;
            if !self.at_end_of_term() {
                return self.problem(from, "a space is missing after the closing \"");
            }
            return Ok(RawValue::Text(text));
        }
        let start = self.at;
        let bare = self.bare();
        let head = bare.split_once(':').map(|(head, _)| head);
        if let Some((head, key)) = head.and_then(|head| Some((head, Key::of(head)?))) {
            self.at = start + head.len() + 1;
            return Ok(RawValue::Items(key, self.items(from, key)?));
        }
        if self.at_end_of_term() {
            return Ok(RawValue::Text(bare.to_owned()));
        }
        match head {
            Some(head) if !head.is_empty() => {
                let message = format!(
                    "{head:?} is no key: use one of {}, or put the text in \"quotes\"",
                    Key::words()
                );
                self.problem(from, message)
            }
            _ => self.problem(from, "put text with a comma or a quote in \"quotes\""),
        }
    }

    fn items(&mut self, from: usize, key: Key) -> Result<Vec<Item>, Problem> {
        let mut items = Vec::new();
        loop {
            items.push(self.item(from, key)?);
            if self.at_end_of_term() {
                return Ok(items);
            }
            if !self.take(",") {
                return self.problem(from, "a comma or a space is missing before the quote");
            }
        }
    }

    fn item(&mut self, from: usize, key: Key) -> Result<Item, Problem> {
        const OPS: [(&str, Op); 4] = [
            (">=", Op::AtLeast),
            ("<=", Op::AtMost),
            (">", Op::Greater),
            ("<", Op::Less),
        ];
        let op = OPS.into_iter().find(|(sign, _)| self.take(sign));
        let op = op.map(|(_, op)| op);
        let (word, upto) = self.range(from, key)?;
        if op.is_some() && upto.is_some() {
            return self.problem(from, "a range takes no comparison");
        }
        Ok(Item { op, word, upto })
    }

    fn range(&mut self, from: usize, key: Key) -> Result<(Word, Option<Word>), Problem> {
        let (word, upto) = if self.next() == Some('"') {
            let word = Word {
                text: self.quoted()?,
                quoted: true,
            };
            (word, self.take("..").then_some(""))
        } else {
            let bare = self.bare();
            let (word, upto) = match bare.split_once("..") {
                Some((word, upto)) => (word, Some(upto)),
                None => (bare, None),
            };
            let text = format!("{word}{}", self.last_of(key, word));
            (
                Word {
                    text,
                    quoted: false,
                },
                upto,
            )
        };
        if word.text.is_empty() && !word.quoted {
            let message = format!("a value is missing: {}", key.usage());
            return self.problem(from, message);
        }
        let upto = match upto {
            None => None,
            Some("") if self.next() == Some('"') => Some(Word {
                text: self.quoted()?,
                quoted: true,
            }),
            Some("") => {
                let bare = self.bare();
                if bare.is_empty() {
                    return self.problem(from, "a range has two ends: use >= or <= for one");
                }
                Some(Word {
                    text: bare.to_owned(),
                    quoted: false,
                })
            }
            Some(upto) => Some(Word {
                text: upto.to_owned(),
                quoted: false,
            }),
        };
        Ok((word, upto))
    }

    /// `at:last 5m` is one value although it holds a space.
    fn last_of(&mut self, key: Key, word: &str) -> &'a str {
        let follows = self.next().is_some_and(char::is_whitespace);
        if key != Key::At || word != "last" || !follows {
            return "";
        }
        self.skip_space();
        self.bare()
    }

    fn quoted(&mut self) -> Result<String, Problem> {
        let from = self.at;
        let mut text = String::new();
        let mut chars = self.rest().char_indices().skip(1);
        while let Some((offset, c)) = chars.next() {
            match c {
                '"' => {
                    self.at = from + offset + 1;
                    return Ok(text);
                }
                '\\' => match chars.next() {
                    Some((_, escaped @ ('"' | '\\'))) => text.push(escaped),
                    Some((_, other)) => text.extend(['\\', other]),
                    None => break,
                },
                c => text.push(c),
            }
        }
        self.at = self.text.len();
        self.problem(from, "the closing \" is missing")
    }
}
