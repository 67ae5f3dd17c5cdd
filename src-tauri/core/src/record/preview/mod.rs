//! The Summary column: at most 160 characters that say what a record is about.

mod event;
mod frame;
mod json;

use super::{EventKind, Record};
use crate::protocol::{Kind, sse, text};

/// Of a larger body only so much is looked at.
const LOOK: usize = 64 << 10;
/// The length of a preview in characters.
const LIMIT: usize = 160;

/// One line of text for people, at most 160 characters; control characters are made visible.
pub fn preview(record: &Record) -> String {
    let head = record.body.head();
    let whole = record.body.size() <= LOOK as u64;
    let head = &head[..head.len().min(LOOK)];
    let mut line = Line {
        out: String::with_capacity(LIMIT),
        chars: 0,
    };
    match (record.event, &record.envelope) {
        (EventKind::Frame, Some(envelope)) if envelope.kind != Kind::Malformed => {
            let block = !matches!(head.first(), Some(b'{' | b'['));
            let message = if block {
                sse::message_head(head)
            } else {
                head.into()
            };
            frame::preview(&mut line, envelope, &text(&message), whole);
        }
        (EventKind::Frame | EventKind::Stderr, _) => line.text(&text(head)),
        _ => match record.said().and_then(|event| event::words(record, &event)) {
            Some(words) => line.text(&words),
            None => line.text(&text(head)),
        },
    }
    line.out
}

/// A line that takes what still fits.
struct Line {
    out: String,
    chars: usize,
}

impl Line {
    fn is_full(&self) -> bool {
        self.chars > LIMIT
    }

    fn put(&mut self, c: char) {
        self.chars += 1;
        if self.chars <= LIMIT {
            self.out.push(c);
        } else if self.chars == LIMIT + 1 {
            self.out.pop();
            self.out.push('…');
        }
    }

    /// Text, with what cannot be seen made visible.
    fn text(&mut self, text: &str) {
        let room = LIMIT.saturating_sub(self.chars);
        let plain = text.bytes().take(room);
        let plain = plain
            .take_while(|byte| (b' '..=b'~').contains(byte))
            .count();
        let (plain, rest) = text.split_at(plain);
        self.out.push_str(plain);
        self.chars += plain.len();
        self.chars(rest.chars());
    }

    fn chars(&mut self, chars: impl Iterator<Item = char>) {
        for c in chars {
            if self.is_full() {
                return;
            }
            match c {
                '\0'..='\x1f' => self.put(char::from_u32(0x2400 + u32::from(c)).unwrap_or(c)),
                '\x7f' => self.put('\u{2421}'),
                // Would turn round the text behind them, or cannot be seen at all.
                '\u{80}'..='\u{9f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}'
                | '\u{feff}' => {
                    self.chars(c.escape_unicode());
                }
                _ => self.put(c),
            }
        }
    }

    /// Begins the next thing that is said.
    fn next(&mut self) -> &mut Self {
        if !self.out.is_empty() {
            self.text(" · ");
        }
        self
    }
}
