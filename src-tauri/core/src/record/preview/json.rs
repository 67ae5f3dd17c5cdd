//! Looks into JSON that may be cut off anywhere, as the first bytes of a large body are. What is no JSON yields nothing, or
//! something: a preview decides nothing.

/// A JSON value: its text, and all that follows it.
#[derive(Clone, Copy)]
pub(super) struct Json<'a>(&'a str);

const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

impl<'a> Json<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self(text.trim_start_matches(SPACE))
    }

    /// The value's own text.
    pub(super) fn text(self) -> &'a str {
        &self.0[..self.end()]
    }

    /// Its members: names as written, without quotes.
    pub(super) fn members(self) -> impl Iterator<Item = (&'a str, Self)> {
        let mut rest = self.0.strip_prefix('{');
        std::iter::from_fn(move || {
            let name = Json::new(rest?);
            let value = name
                .after()
                .strip_prefix(':')
                .filter(|_| name.0.starts_with('"'))
                .map(Json::new)?;
            rest = value.after().strip_prefix(',');
            Some((name.text().trim_matches('"'), value))
        })
    }

    /// The items of an array.
    pub(super) fn items(self) -> impl Iterator<Item = Self> {
        let mut rest = self.0.strip_prefix('[');
        std::iter::from_fn(move || {
            let item = Json::new(rest?);
            rest = item.after().strip_prefix(',');
            (!item.0.is_empty() && !item.0.starts_with(']')).then_some(item)
        })
    }

    pub(super) fn get(self, name: &str) -> Option<Self> {
        self.members()
            .find(|(member, _)| *member == name)
            .map(|(_, value)| value)
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
        let (mut quoted, mut escaped) = (false, false);
        self.text().chars().filter(move |&c| {
            let escape = std::mem::take(&mut escaped);
            match c {
                '"' if !escape => quoted = !quoted,
                '\\' if quoted => escaped = !escape,
                _ => {}
            }
            quoted || !SPACE.contains(&c)
        })
    }

    /// What follows the value.
    fn after(self) -> &'a str {
        self.0[self.end()..].trim_start_matches(SPACE)
    }

    fn end(self) -> usize {
        let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
        for (at, byte) in self.0.bytes().enumerate() {
            let escape = std::mem::take(&mut escaped);
            match byte {
                b'"' if quoted && !escape => {
                    quoted = false;
                    if depth == 0 {
                        return at + 1;
                    }
                }
                b'\\' if quoted => escaped = !escape,
                _ if quoted => {}
                b'"' => quoted = true,
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth == 1 => return at + 1,
                b'}' | b']' | b',' | b':' | b' ' | b'\t' | b'\n' | b'\r' if depth == 0 => {
                    return at;
                }
                b'}' | b']' => depth -= 1,
                _ => {}
            }
        }
        self.0.len()
    }
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
