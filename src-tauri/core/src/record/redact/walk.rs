//! Finds in a text what the rules hit. JSON is walked token by token, so that one that breaks off, or is none, yields what can
//! be found in it; nothing is parsed into values, and no depth can exhaust the stack.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use serde::de::IgnoredAny;

use super::PLACEHOLDER;
use super::path::{Reached, Step};
use super::rules::Compiled;
use super::text::Mapped;

/// JSON in a string of JSON, so many times.
const NESTED: u32 = 3;

/// Bytes that are to be replaced.
#[derive(Debug)]
pub(super) struct Edit {
    pub(super) at: Range<usize>,
    pub(super) with: String,
    /// The place of the rule among the rules.
    pub(super) rule: usize,
    /// Where it is, for people.
    pub(super) place: Arc<str>,
}

/// What is walked through.
#[derive(Clone, Copy)]
pub(super) struct Finder<'a> {
    pub(super) rules: &'a Compiled,
    /// `headers` are those of HTTP: the text is one of ours.
    pub(super) headers: bool,
}

/// A text in the bytes of a record: itself, or a string in a string of it.
struct Place<'a> {
    /// From the text to the record, the inner one first.
    maps: &'a [&'a Mapped<'a>],
    /// What stands before the paths.
    before: &'a str,
}

impl Finder<'_> {
    /// Finds what is hit in a text of the record, JSON or not. `name` says where that is.
    pub(super) fn find(&self, text: &Mapped<'_>, name: &str, edits: &mut Vec<Edit>) {
        let place = Place {
            maps: &[text],
            before: name,
        };
        self.any(&text.text, &place, edits);
    }

    /// Finds what is hit in text that is no JSON.
    pub(super) fn find_plain(&self, text: &Mapped<'_>, name: &str, edits: &mut Vec<Edit>) {
        let place = Place {
            maps: &[text],
            before: name,
        };
        self.patterns(&text.text, 0, &place, &|| name.into(), edits);
    }

    fn any(&self, text: &[u8], place: &Place<'_>, edits: &mut Vec<Edit>) {
        if looks_like_json(text) {
            self.walk(text, place, edits);
            if serde_json::from_slice::<IgnoredAny>(text).is_ok() {
                return;
            }
        }
        self.patterns(text, 0, place, &|| place.before.into(), edits);
    }

    /// The patterns, in a text that begins at `start` of that of the place.
    fn patterns(
        &self,
        text: &[u8],
        start: usize,
        place: &Place<'_>,
        name: &dyn Fn() -> Arc<str>,
        edits: &mut Vec<Edit>,
    ) {
        let mut named = None;
        let mut hit = |rule: usize, part: Range<usize>, edits: &mut Vec<Edit>| {
            if part.is_empty() || is_placeholder(&text[part.clone()]) {
                return;
            }
            let at = place.of(start + part.start..start + part.end);
            match edits.last_mut() {
                // One character after the other is one place.
                Some(last) if last.rule == rule && last.at.end == at.start => last.at.end = at.end,
                _ => edits.push(Edit {
                    at,
                    with: PLACEHOLDER.to_owned(),
                    rule,
                    place: Arc::clone(named.get_or_insert_with(name)),
                }),
            }
        };
        for (rule, pattern) in &self.rules.values {
            let secret = pattern
                .capture_names()
                .flatten()
                .any(|name| name == "secret");
            if secret {
                for found in pattern.captures_iter(text) {
                    if let Some(part) = found.name("secret").or_else(|| found.get(0)) {
                        hit(*rule, part.range(), edits);
                    }
                }
            } else {
                for found in pattern.find_iter(text) {
                    hit(*rule, found.range(), edits);
                }
            }
        }
        let pairs = self.rules.pairs.iter();
        for found in pairs.flat_map(|pairs| pairs.captures_iter(text)) {
            let mut values = (4..=6).filter_map(|group| found.get(group));
            let (Some(name), Some(value)) = (
                found.get(1).or_else(|| found.get(3)),
                found.get(2).or_else(|| values.next()),
            ) else {
                continue;
            };
            let name = String::from_utf8_lossy(name.as_bytes());
            let name = name.trim_start_matches('-').trim_end_matches('=');
            if let Some(rule) = self.rules.key(name) {
                hit(rule, value.range(), edits);
            }
        }
    }

    fn walk(&self, text: &[u8], place: &Place<'_>, edits: &mut Vec<Edit>) {
        let mut walk = Walk {
            finder: *self,
            text,
            place,
            open: Vec::new(),
            edits,
        };
        walk.run();
    }
}

impl Place<'_> {
    fn of(&self, part: Range<usize>) -> Range<usize> {
        self.maps.iter().fold(part, |part, map| map.place(part))
    }

    /// How often a quote is escaped here.
    fn depth(&self) -> usize {
        self.maps.len() - 1
    }
}

/// An object or array that is open.
struct Open<'a> {
    /// What its own value has reached of each path.
    reached: Vec<Reached>,
    at: At<'a>,
}

enum At<'a> {
    /// Its next string is a name.
    Name,
    /// The value of this member.
    Member(Cow<'a, str>),
    /// The item of this number, and the item before it where that is a string: the name of a header.
    Item(usize, Option<Cow<'a, str>>),
}

struct Walk<'a, 'b> {
    finder: Finder<'b>,
    text: &'a [u8],
    place: &'b Place<'b>,
    open: Vec<Open<'a>>,
    edits: &'b mut Vec<Edit>,
}

impl Walk<'_, '_> {
    fn run(&mut self) {
        let mut at = 0;
        while let Some(byte) = self.text.get(at) {
            match byte {
                b'"' => at = self.string(at),
                b'{' | b'[' => at = self.container(at),
                b'}' | b']' => {
                    self.open.pop();
                    at += 1;
                }
                b',' => {
                    self.next();
                    at += 1;
                }
                b':' | b' ' | b'\t' | b'\n' | b'\r' => at += 1,
                _ => at = self.token(at),
            }
        }
    }

    /// The next member or item of what is open.
    fn next(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.at = match std::mem::replace(&mut open.at, At::Name) {
                At::Item(index, before) => At::Item(index + 1, before),
                At::Name | At::Member(_) => At::Name,
            };
        }
    }

    fn string(&mut self, at: usize) -> usize {
        let end = string_end(self.text, at);
        let closed = end > at + 1 && self.text[end - 1] == b'"';
        let inside = at + 1..if closed { end - 1 } else { end };
        let mapped = Mapped::of_string(&self.text[inside.clone()], inside.start);
        if let Some(open) = self.open.last_mut()
            && matches!(open.at, At::Name)
        {
            open.at = At::Member(name(&mapped.text));
            self.inside(&mapped);
            return end;
        }
        let (hit, _) = self.hit(false);
        match hit {
            Some(rule) if !is_placeholder(&mapped.text) && !inside.is_empty() => {
                self.edit(inside, PLACEHOLDER.to_owned(), rule);
            }
            Some(_) => {}
            None => self.inside(&mapped),
        }
        if let Some(Open {
            at: At::Item(_, before),
            ..
        }) = self.open.last_mut()
            && self.finder.headers
        {
            *before = Some(name(&mapped.text));
        }
        end
    }

    /// Looks into a string that no rule of names hits.
    fn inside(&mut self, mapped: &Mapped<'_>) {
        let maps: Vec<_> = std::iter::once(mapped)
            .chain(self.place.maps.iter().copied())
            .collect();
        let nested = maps.len() <= NESTED as usize && looks_like_json(&mapped.text);
        if nested && serde_json::from_slice::<IgnoredAny>(&mapped.text).is_ok() {
            let before = format!("{} › ", self.path());
            let place = Place {
                maps: &maps,
                before: &before,
            };
            self.finder.walk(&mapped.text, &place, self.edits);
            return;
        }
        let place = Place {
            maps: &maps,
            before: "",
        };
        let finder = self.finder;
        let mut edits = std::mem::take(self.edits);
        finder.patterns(&mapped.text, 0, &place, &|| self.path().into(), &mut edits);
        *self.edits = edits;
    }

    fn container(&mut self, at: usize) -> usize {
        let object = self.text[at] == b'{';
        let (hit, reached) = self.hit(object);
        if let Some(rule) = hit {
            let end = container_end(self.text, at);
            self.edit(at..end, quoted(self.place.depth()), rule);
            return end;
        }
        let inside = if object { At::Name } else { At::Item(0, None) };
        self.open.push(Open {
            reached,
            at: inside,
        });
        at + 1
    }

    /// A number or literal.
    fn token(&mut self, at: usize) -> usize {
        let rest = &self.text[at..];
        let len = rest
            .iter()
            .position(|byte| b"\",:[]{} \t\n\r".contains(byte))
            .unwrap_or(rest.len());
        let token = &rest[..len];
        let by_pattern = || {
            // Where it is no JSON, the patterns go over the text as it is.
            serde_json::from_slice::<IgnoredAny>(token).ok()?;
            let mut values = self.finder.rules.values.iter();
            let found = values.find(|(_, value)| value.find(token).is_some_and(|m| !m.is_empty()));
            found.map(|(rule, _)| *rule)
        };
        // That there is nothing is no secret.
        if token != b"null"
            && let Some(rule) = self.hit(false).0.or_else(by_pattern)
        {
            self.edit(at..at + len, quoted(self.place.depth()), rule);
        }
        at + len
    }

    /// The rule that hits the value that begins here, by its name or place, and what it has reached of each path.
    fn hit(&self, object: bool) -> (Option<usize>, Vec<Reached>) {
        let rules = self.finder.rules;
        let Some(open) = self.open.last() else {
            return (None, vec![Reached::ROOT; rules.paths.len()]);
        };
        let (step, mut hit) = match &open.at {
            // A name is missing here: no JSON.
            At::Name => return (None, open.reached.clone()),
            At::Member(name) => (Step::Key(name), self.by_name(name, object)),
            At::Item(index, before) => (
                Step::Index(*index),
                self.by_header(*index, before.as_deref()),
            ),
        };
        let step = |((rule, path), from): (&(usize, super::path::Path), &Reached)| {
            let reached = path.step(*from, step);
            if path.is_end(reached) {
                hit = hit.or(Some(*rule));
            }
            reached
        };
        let reached = rules.paths.iter().zip(&open.reached).map(step).collect();
        (hit, reached)
    }

    fn by_name(&self, name: &str, object: bool) -> Option<usize> {
        let rules = self.finder.rules;
        let above = self.above(1);
        // An object among `properties` is a JSON Schema that describes such a value, not one.
        if object && above == Some("properties") {
            return None;
        }
        let header = (self.finder.headers && above == Some("headers"))
            .then(|| rules.header(name))
            .flatten();
        header.or_else(|| rules.key(name))
    }

    /// The value of `["name","value"]` among `headers`.
    fn by_header(&self, index: usize, before: Option<&str>) -> Option<usize> {
        let rules = self.finder.rules;
        (self.finder.headers && index == 1 && self.above(2) == Some("headers"))
            .then_some(before)
            .flatten()
            .and_then(|name| rules.header(name).or_else(|| rules.key(name)))
    }

    /// The name of the member that is open so many levels above the value.
    fn above(&self, levels: usize) -> Option<&str> {
        let open = self.open.iter().rev().nth(levels)?;
        match &open.at {
            At::Member(name) => Some(name),
            At::Name | At::Item(..) => None,
        }
    }

    fn edit(&mut self, part: Range<usize>, with: String, rule: usize) {
        let edit = Edit {
            at: self.place.of(part),
            with,
            rule,
            place: self.path().into(),
        };
        self.edits.push(edit);
    }

    /// Where the walk is, as a path.
    fn path(&self) -> String {
        let mut path = format!("{}$", self.place.before);
        for open in &self.open {
            match &open.at {
                At::Name => {}
                At::Member(name) if is_plain(name) => {
                    path.push('.');
                    path.push_str(name);
                }
                At::Member(name) => {
                    path.push_str(&format!("[{}]", serde_json::Value::from(&**name)));
                }
                At::Item(index, _) => path.push_str(&format!("[{index}]")),
            }
        }
        path
    }
}

fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

fn name<'a>(text: &Cow<'a, [u8]>) -> Cow<'a, str> {
    match text {
        Cow::Borrowed(text) => String::from_utf8_lossy(text),
        Cow::Owned(text) => Cow::Owned(String::from_utf8_lossy(text).into_owned()),
    }
}

fn looks_like_json(text: &[u8]) -> bool {
    matches!(text.trim_ascii_start().first(), Some(b'{' | b'['))
}

/// Whether a value was taken out before.
fn is_placeholder(text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else {
        return false;
    };
    let inner = text
        .strip_prefix('‹')
        .and_then(|text| text.strip_suffix('›'));
    inner.is_some_and(|inner| {
        !inner.contains(['‹', '›'])
            && (inner == "masked" || inner == "redacted" || inner.starts_with("secret:"))
    })
}

/// The placeholder as a JSON string in a string in a string…
fn quoted(depth: usize) -> String {
    (0..depth).fold(format!("\"{PLACEHOLDER}\""), |text, _| {
        text.replace('\\', "\\\\").replace('"', "\\\"")
    })
}

/// Behind the string that begins at `at`.
fn string_end(text: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    while let Some(next) = text
        .get(at..)
        .and_then(|rest| memchr::memchr2(b'"', b'\\', rest))
    {
        at += next + 1;
        if text[at - 1] == b'"' {
            return at;
        }
        at += 1;
    }
    text.len()
}

/// Behind the object or array that begins at `at`; one that is not closed ends with the text.
fn container_end(text: &[u8], at: usize) -> usize {
    let (mut at, mut depth) = (at, 0_usize);
    while let Some(byte) = text.get(at) {
        at += 1;
        match byte {
            b'"' => at = string_end(text, at - 1),
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth <= 1 => return at,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}
