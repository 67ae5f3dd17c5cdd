//! Looks into JSON that may be cut off anywhere, as the first bytes of a large body are. What is no JSON yields nothing, or
//! something: a preview decides nothing.

use memchr::memchr2;

/// A JSON value: its text, and all that follows it.
#[derive(Clone, Copy)]
pub(super) struct Json<'a>(&'a str);

const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

impl<'a> Json<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self(text.trim_start_matches(SPACE))
    }

    pub(super) fn is_object(self) -> bool {
        self.0.starts_with('{')
    }

    pub(super) fn is_array(self) -> bool {
        self.0.starts_with('[')
    }

    /// Its members: names as written, without quotes. A value's end is looked for only to find the next.
    pub(super) fn members(self) -> impl Iterator<Item = (&'a str, Self)> {
        let mut rest = self.0.strip_prefix('{').map(Json::new);
        let mut before = None::<Self>;
        std::iter::from_fn(move || {
            if let Some(value) = before.take() {
                rest = value.after().strip_prefix(',').map(Json::new);
            }
            let name = rest.filter(|name| name.0.starts_with('"'))?;
            let (name, after) = name.0.split_at(name.end());
            let value = Json::new(Json::new(after).0.strip_prefix(':')?);
            before = Some(value);
            Some((name.trim_matches('"'), value))
        })
    }

    /// The items of an array.
    pub(super) fn items(self) -> impl Iterator<Item = Self> {
        let mut rest = self.0.strip_prefix('[').map(Json::new);
        let mut before = None::<Self>;
        std::iter::from_fn(move || {
            if let Some(item) = before.take() {
                rest = item.after().strip_prefix(',').map(Json::new);
            }
            before = rest.filter(|item| !item.0.is_empty() && !item.0.starts_with(']'));
            before
        })
    }

    /// All members at once, for who looks for more than one.
    pub(super) fn object(self) -> Object<'a> {
        Object(self.members().collect())
    }

    pub(super) fn get(self, name: &str) -> Option<Self> {
        self.members()
            .find(|(member, _)| *member == name)
            .map(|(_, value)| value)
    }

    /// The text of a string without escapes; of a longer one at least its first `n` characters.
    pub(super) fn literal(self, n: usize) -> Option<&'a str> {
        let text = self.0.strip_prefix('"')?;
        // A character takes up to four bytes, and one more says that the text is longer.
        let look = text.floor_char_boundary(4 * (n + 1));
        match memchr2(b'"', b'\\', text.as_bytes().get(..look)?) {
            Some(end) => text[end..].starts_with('"').then(|| &text[..end]),
            None => Some(&text[..look]),
        }
    }

    /// The characters of a string.
    pub(super) fn string(self) -> Option<impl Iterator<Item = char>> {
        let token = self.0.strip_prefix('"')?;
        let mut chars = token.chars();
        Some(std::iter::from_fn(move || match chars.next()? {
            '"' => {
                chars = "".chars();
                None
            }
            '\\' => Some(match chars.next()? {
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'b' => '\u{8}',
                'f' => '\u{c}',
                'u' => unicode(&mut chars),
                other => other,
            }),
            plain => Some(plain),
        }))
    }

    /// Without the white space between its tokens.
    pub(super) fn compact(self) -> impl Iterator<Item = char> {
        let (mut quoted, mut escaped, mut depth) = (false, false, 0_usize);
        // Whether a character is kept; none at the end of the value.
        let mut kept = move |c: char| {
            let escape = std::mem::take(&mut escaped);
            match c {
                '"' if !escape => quoted = !quoted,
                '\\' if quoted => escaped = !escape,
                '{' | '[' if !quoted => depth += 1,
                '}' | ']' | ',' | ':' if !quoted && depth == 0 => return None,
                '}' | ']' if !quoted => depth -= 1,
                _ => {}
            }
            Some(quoted || !SPACE.contains(&c))
        };
        let chars = self
            .0
            .chars()
            .map_while(move |c| kept(c).map(|kept| (c, kept)));
        chars.filter_map(|(c, kept)| kept.then_some(c))
    }

    /// What follows the value.
    fn after(self) -> &'a str {
        self.0[self.end()..].trim_start_matches(SPACE)
    }

    /// Where the value ends: the bytes around it are ASCII.
    fn end(self) -> usize {
        let bytes = self.0.as_bytes();
        match bytes.first() {
            Some(b'"') => string_end(bytes, 0),
            Some(b'{' | b'[') => container_end(bytes),
            _ => bytes
                .iter()
                .position(|byte| b",:]} \t\n\r".contains(byte))
                .unwrap_or(bytes.len()),
        }
    }
}

/// The members of an object.
pub(super) struct Object<'a>(Vec<(&'a str, Json<'a>)>);

impl<'a> Object<'a> {
    pub(super) fn get(&self, name: &str) -> Option<Json<'a>> {
        self.0
            .iter()
            .find(|(member, _)| *member == name)
            .map(|(_, value)| *value)
    }
}

/// Behind the string that begins at `at`.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    while let Some(next) = bytes.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        at += next + 1;
        if bytes[at - 1] == b'"' {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

fn container_end(bytes: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' => at = string_end(bytes, at - 1),
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth == 1 => return at,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
    }
    bytes.len()
}

/// The character after `\u`; two escapes may make one.
fn unicode(chars: &mut std::str::Chars<'_>) -> char {
    let unit = |chars: &mut std::str::Chars<'_>| {
        let digits = chars.as_str().get(..4)?;
        let unit = u16::from_str_radix(digits, 16).ok()?;
        *chars = chars.as_str()[4..].chars();
        Some(unit)
    };
    let Some(first) = unit(chars) else {
        return char::REPLACEMENT_CHARACTER;
    };
    let mut ahead = chars.clone();
    let low = (0xd800..0xdc00).contains(&first)
        && ahead.next() == Some('\\')
        && ahead.next() == Some('u');
    let units = [Some(first), if low { unit(&mut ahead) } else { None }];
    let decoded = char::decode_utf16(units.into_iter().flatten()).next();
    match decoded {
        Some(Ok(c)) => {
            if low {
                *chars = ahead;
            }
            c
        }
        _ => char::REPLACEMENT_CHARACTER,
    }
}
