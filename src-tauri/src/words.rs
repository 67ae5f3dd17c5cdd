//! Splits a command line into words as a shell does: quotes and backslashes. Nothing is expanded and nothing is a comment,
//! so that `$HOME`, `~`, `|` and `#1` reach the server as typed.

/// The words of a command line.
///
/// # Errors
/// Says what is not closed, and where.
pub(crate) fn split(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = line.chars().enumerate();
    while let Some((at, c)) = chars.next() {
        match c {
            c if c.is_whitespace() => words.extend(word.take()),
            '\'' | '"' => quoted(c, at, &mut chars, word.get_or_insert_default())?,
            '\\' => match chars.next() {
                Some((_, escaped)) => word.get_or_insert_default().push(escaped),
                None => {
                    return Err(
                        "the command line ends with a backslash: remove it, or write \\\\"
                            .to_owned(),
                    );
                }
            },
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

/// Takes everything up to the closing quote; in double quotes a backslash keeps the next quote, backslash, dollar or backtick.
fn quoted(
    quote: char,
    opened: usize,
    chars: &mut impl Iterator<Item = (usize, char)>,
    word: &mut String,
) -> Result<(), String> {
    let unclosed = || {
        format!(
            "the quote {quote} at character {} is not closed",
            opened + 1
        )
    };
    loop {
        match chars.next().ok_or_else(unclosed)?.1 {
            c if c == quote => return Ok(()),
            '\\' if quote == '"' => {
                let (_, escaped) = chars.next().ok_or_else(unclosed)?;
                if !matches!(escaped, '"' | '\\' | '$' | '`') {
                    word.push('\\');
                }
                word.push(escaped);
            }
            c => word.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn words_are_split_as_a_shell_does_and_nothing_is_expanded() {
        for (line, expected) in [
            ("", vec![]),
            ("  npx  -y\tpkg\n", vec!["npx", "-y", "pkg"]),
            ("a 'b c' \"d e\"f", vec!["a", "b c", "d ef"]),
            (r#"a "" '' b"#, vec!["a", "", "", "b"]),
            (
                r#"say "a \"b\" \n" 'c\d' e\ f"#,
                vec!["say", r#"a "b" \n"#, r"c\d", "e f"],
            ),
            (
                "run ~/x $HOME ${A} *.js | tee # no",
                vec!["run", "~/x", "$HOME", "${A}", "*.js", "|", "tee", "#", "no"],
            ),
            ("größe '日本'", vec!["größe", "日本"]),
        ] {
            assert_eq!(split(line).unwrap(), expected, "{line:?}");
        }
    }

    #[test]
    fn s16_quoted_arguments_stay_whole() {
        let line =
            r#"node srv.js --label "two words" --path '/data/a b' --empty "" --json '{"a":1}'"#;
        let argv = [
            "node",
            "srv.js",
            "--label",
            "two words",
            "--path",
            "/data/a b",
            "--empty",
            "",
            "--json",
            r#"{"a":1}"#,
        ];
        assert_eq!(split(line).unwrap(), argv);
    }

    #[test]
    fn what_is_not_closed_is_said_with_its_place() {
        for (line, expected) in [
            ("a 'b", "at character 3"),
            ("\"a\\", "at character 1"),
            ("a\\", "backslash"),
        ] {
            let problem = split(line).unwrap_err();
            assert!(problem.contains(expected), "{line:?}: {problem}");
        }
    }
}
