//! What goes where: the result to stdout, to the byte; words to stderr.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

/// The two streams of this program.
#[derive(Debug)]
pub(crate) struct Print {
    out: BufWriter<Stdout>,
    quiet: bool,
}

impl Print {
    /// `quiet`: nothing on stderr but errors.
    pub(crate) fn new(quiet: bool) -> Self {
        Self {
            out: BufWriter::with_capacity(64 * 1024, io::stdout()),
            quiet,
        }
    }

    /// Where the result goes.
    pub(crate) fn out(&mut self) -> &mut (impl Write + Send) {
        &mut self.out
    }

    /// A part of the result with a line feed after it.
    pub(crate) fn line(&mut self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        self.out.write_all(bytes.as_ref())?;
        self.out.write_all(b"\n")
    }

    /// Text of a server: to the byte, but harmless to a terminal (see [`visible`]).
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        if io::stdout().is_terminal() {
            self.line(visible(text, true))
        } else {
            self.line(text)
        }
    }

    /// Hands everything to the operating system.
    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Says something on stderr, unless told to be quiet.
    pub(crate) fn say(&self, words: &str) {
        if !self.quiet {
            self.error(words);
        }
    }

    /// Says what went wrong on stderr.
    pub(crate) fn error(&self, words: &str) {
        // There is nobody left to tell when stderr is gone.
        let _ = writeln!(
            io::stderr().lock(),
            "framescope-cli: {}",
            visible(words, true)
        );
    }
}

/// Text of a server with what a terminal would obey or hide written out: control characters as `\u{1b}`, bidi controls and
/// zero-width characters too. Line feeds and tabs stay where `lines` is set, and become spaces otherwise.
pub(crate) fn visible(text: &str, lines: bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' if lines => shown.push(c),
            '\n' | '\t' | '\r' if !lines => shown.push(' '),
            c if c.is_control() || hidden(c) => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    shown
}

fn hidden(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn a_terminal_gets_nothing_to_obey() {
        for (text, lines, expected) in [
            ("plain ünïcode", false, "plain ünïcode"),
            ("two\nlines\tand a tab", true, "two\nlines\tand a tab"),
            ("two\nlines\tand a tab", false, "two lines and a tab"),
            ("\u{1b}[31mred", true, "\\u{1b}[31mred"),
            ("a\u{202e}b\u{200b}c", false, "a\\u{202e}b\\u{200b}c"),
        ] {
            assert_eq!(visible(text, lines), expected, "{text:?}");
        }
    }
}
