//! JSON as people write it in settings: with comments, trailing commas and a byte order mark.

/// The same text as JSON: comments and what else JSON does not know become spaces, so that places in it stay.
pub(super) fn json(text: &str) -> String {
    let without = uncommented(text.strip_prefix('\u{feff}').unwrap_or(text));
    untrailed(&without)
}

fn uncommented(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if c == '"' {
            let length = string(rest);
            out.push_str(&rest[..length]);
            length
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            let length = rest.find("*/").map_or(rest.len(), |end| end + 2);
            out.extend(rest[..length].chars().filter(|c| *c == '\n'));
            out.push(' ');
            length
        } else {
            out.push(c);
            c.len_utf8()
        };
        rest = &rest[length..];
    }
    out
}

/// Takes out each comma that nothing but space and a closing bracket follows.
fn untrailed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if c == '"' { string(rest) } else { c.len_utf8() };
        let after = rest[length..].trim_start();
        let trailing = c == ',' && (after.is_empty() || after.starts_with(['}', ']']));
        out.push_str(if trailing { " " } else { &rest[..length] });
        rest = &rest[length..];
    }
    out
}

/// The length of the string that the text begins with, quotes included.
fn string(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}
