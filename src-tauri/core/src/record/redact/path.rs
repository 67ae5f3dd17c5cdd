//! Paths into JSON: a part of RFC 9535. `$`, then steps: `.name`, `['name']`, `[0]`, `.*`, `[*]`, and each of them at any depth
//! after `..`. Slices, unions, filters and indices from the end are not read.

/// Steps of a path at most: the places reached are kept as bits.
const MOST: usize = 60;

/// A path, read.
#[derive(Debug)]
pub(super) struct Path(Vec<Segment>);

#[derive(Debug)]
struct Segment {
    /// It may stand at any depth below.
    deep: bool,
    selects: Selector,
}

#[derive(Debug)]
enum Selector {
    Name(String),
    Index(usize),
    Any,
}

/// A step from a value to one of its own.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

/// How many steps of a path a value fulfils: bit n for the first n. The root fulfils none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reached(u64);

impl Reached {
    pub(super) const ROOT: Self = Self(1);
}

impl Path {
    /// Reads a path. Errors are words.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let mut rest = text
            .strip_prefix('$')
            .ok_or("a path begins with `$`, as in `$.params.arguments.token`")?;
        let mut segments = Vec::new();
        while !rest.is_empty() {
            let (deep, after) = match rest.strip_prefix("..") {
                Some(after) => (true, after),
                None => (false, rest),
            };
            let selects;
            (selects, rest) = if after.starts_with('[') {
                bracket(after)?
            } else if deep {
                name(after)?
            } else {
                let dotted = after
                    .strip_prefix('.')
                    .ok_or_else(|| format!("`.` or `[` is missing before `{after}`"))?;
                name(dotted)?
            };
            segments.push(Segment { deep, selects });
        }
        match segments.len() {
            0 => Err("it names the whole message: add a step, as in `$.params`".to_owned()),
            1..=MOST => Ok(Self(segments)),
            _ => Err(format!("it has more than {MOST} steps")),
        }
    }

    /// What a value reaches from where its parent is.
    pub(super) fn step(&self, from: Reached, step: Step<'_>) -> Reached {
        let mut reached = 0;
        for (at, segment) in self.0.iter().enumerate() {
            if from.0 & (1 << at) == 0 {
                continue;
            }
            if segment.deep {
                reached |= 1 << at;
            }
            if segment.selects.matches(step) {
                reached |= 1 << (at + 1);
            }
        }
        Reached(reached)
    }

    /// Whether it is the value that the path names.
    pub(super) fn is_end(&self, reached: Reached) -> bool {
        reached.0 & (1 << self.0.len()) != 0
    }
}

impl Selector {
    fn matches(&self, step: Step<'_>) -> bool {
        match (self, step) {
            (Self::Any, _) => true,
            (Self::Name(name), Step::Key(key)) => name == key,
            (Self::Index(wanted), Step::Index(index)) => *wanted == index,
            (Self::Name(_), Step::Index(_)) | (Self::Index(_), Step::Key(_)) => false,
        }
    }
}

/// `name` or `*`, and the rest.
fn name(text: &str) -> Result<(Selector, &str), String> {
    let end = text.find(['.', '[']).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    match name {
        "" => Err("a step has no name".to_owned()),
        "*" => Ok((Selector::Any, rest)),
        _ if name.contains(|c: char| c.is_whitespace() || "*?@()]'\"".contains(c)) => {
            Err(format!("`{name}` is no plain name: write `['{name}']`"))
        }
        _ => Ok((Selector::Name(name.to_owned()), rest)),
    }
}

/// `['name']`, `["name"]`, `[0]` or `[*]`, and the rest.
fn bracket(text: &str) -> Result<(Selector, &str), String> {
    let inner = text.trim_start_matches('[').trim_start();
    let closed = |rest: &str| -> Result<usize, String> {
        let rest = rest.trim_start();
        if rest.starts_with(']') {
            Ok(rest.len() - 1)
        } else {
            Err(format!(
                "`{text}` is not understood: `['name']`, `[0]` and `[*]` are"
            ))
        }
    };
    let (selector, left) = match inner.chars().next() {
        Some(quote @ ('\'' | '"')) => {
            let (name, rest) = quoted(&inner[1..], quote)?;
            (Selector::Name(name), closed(rest)?)
        }
        Some('*') => (Selector::Any, closed(&inner[1..])?),
        _ => {
            let digits = inner.len() - inner.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let left = closed(&inner[digits..])?;
            let index = inner[..digits].parse();
            let index = index.map_err(|_| format!("`{text}` holds no index"))?;
            (Selector::Index(index), left)
        }
    };
    Ok((selector, &text[text.len() - left..]))
}

fn quoted(text: &str, quote: char) -> Result<(String, &str), String> {
    let (mut name, mut chars) = (String::new(), text.chars());
    while let Some(c) = chars.next() {
        match c {
            '\\' => name.extend(chars.next()),
            _ if c == quote => return Ok((name, chars.as_str())),
            _ => name.push(c),
        }
    }
    Err(format!("the {quote} before `{text}` is not closed"))
}
