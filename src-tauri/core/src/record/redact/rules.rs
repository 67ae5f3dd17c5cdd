//! What the user calls a secret: names of members and headers, patterns of text, paths.

use std::collections::HashMap;

use regex::bytes::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use super::path::Path;

/// How large a compiled pattern may be, in bytes; it is typed by hand.
const PATTERN_LIMIT: usize = 4 << 20;

/// What is to be taken out of a session before it is handed on. Empty lists take out nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedactRules {
    /// Names of members of JSON objects at any depth, of variables, and of `name=value` in text; letter case of ASCII does not count.
    pub keys: Vec<String>,
    /// Names of HTTP headers; letter case does not count.
    pub headers: Vec<String>,
    /// Regular expressions over any text; what they match is taken out, or of it what their group `secret` holds, where they
    /// have one: `Bearer (?<secret>\S+)`.
    pub values: Vec<String>,
    /// Paths into messages: `$.params.arguments.token`, `$..password`, `$.result.content[*].text` (a part of RFC 9535).
    pub paths: Vec<String>,
}

impl RedactRules {
    /// What is a secret nearly always: credentials by their usual names, and tokens that are known by their form.
    pub fn usual() -> Self {
        let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Self {
            keys: owned(&[
                "password",
                "passwd",
                "secret",
                "token",
                "api_key",
                "apikey",
                "api-key",
                "access_key",
                "access_token",
                "refresh_token",
                "id_token",
                "client_secret",
                "client_assertion",
                "private_key",
                "authorization",
                "cookie",
                "credentials",
                "session_token",
            ]),
            headers: owned(&[
                "authorization",
                "proxy-authorization",
                "cookie",
                "set-cookie",
                "x-api-key",
                "api-key",
                "x-auth-token",
                "x-access-token",
            ]),
            values: owned(&[
                // A JSON Web Token.
                r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
                r"\bsk-[A-Za-z0-9_-]{16,}",
                r"\bgh[pousr]_[A-Za-z0-9]{20,}",
                r"\bgithub_pat_[A-Za-z0-9_]{20,}",
                r"\bglpat-[A-Za-z0-9_-]{16,}",
                r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}",
                r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
                r"\bAIza[A-Za-z0-9_-]{35}",
                r"(?s)-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\z)",
                // The password in the authority of a URL.
                r"\b[a-z][a-z0-9+.-]*://[^/\s:@]*:(?<secret>[^/\s@]+)@",
            ]),
            paths: Vec::new(),
        }
    }

    /// Whether nothing is taken out.
    pub fn is_empty(&self) -> bool {
        [&self.keys, &self.headers, &self.values, &self.paths]
            .iter()
            .all(|rules| rules.is_empty())
    }
}

/// What a rule goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleKind {
    /// The name of a member.
    Key,
    /// The name of a header.
    Header,
    /// A pattern of text.
    Value,
    /// A path into a message.
    Path,
}

impl RuleKind {
    /// As it is said to the user.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::Header => "header",
            Self::Value => "value",
            Self::Path => "path",
        }
    }
}

/// A rule as it was typed, and why it cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What it goes by.
    pub kind: RuleKind,
    /// As typed.
    pub text: String,
    /// Why it takes out nothing: it cannot be read.
    pub problem: Option<String>,
}

/// The rules, ready to be used. Rules are named by their place in `rules`.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) rules: Vec<Rule>,
    keys: HashMap<String, usize>,
    headers: HashMap<String, usize>,
    pub(super) values: Vec<(usize, Regex)>,
    pub(super) paths: Vec<(usize, Path)>,
    /// `name=value` in text, where there are keys: the name, and the value.
    pub(super) pairs: Option<Regex>,
}

impl Compiled {
    pub(super) fn new(texts: &RedactRules) -> Self {
        let mut compiled = Self {
            rules: Vec::new(),
            keys: HashMap::new(),
            headers: HashMap::new(),
            values: Vec::new(),
            paths: Vec::new(),
            pairs: None,
        };
        for text in &texts.keys {
            compiled.name(RuleKind::Key, text);
        }
        for text in &texts.headers {
            compiled.name(RuleKind::Header, text);
        }
        for text in &texts.values {
            let pattern = RegexBuilder::new(text).size_limit(PATTERN_LIMIT).build();
            let at = compiled.rules.len();
            let problem = match pattern {
                _ if text.is_empty() => Some("it is empty".to_owned()),
                Ok(pattern) => {
                    compiled.values.push((at, pattern));
                    None
                }
                Err(error) => Some(error.to_string()),
            };
            compiled.rule(RuleKind::Value, text, problem);
        }
        for text in &texts.paths {
            let at = compiled.rules.len();
            let problem = match Path::parse(text) {
                Ok(path) => {
                    compiled.paths.push((at, path));
                    None
                }
                Err(why) => Some(why),
            };
            compiled.rule(RuleKind::Path, text, problem);
        }
        compiled.pairs = pairs(compiled.keys.keys());
        compiled
    }

    pub(super) fn key(&self, name: &str) -> Option<usize> {
        look_up(&self.keys, name)
    }

    pub(super) fn header(&self, name: &str) -> Option<usize> {
        look_up(&self.headers, name)
    }

    fn name(&mut self, kind: RuleKind, text: &str) {
        let at = self.rules.len();
        let name = text.trim().to_ascii_lowercase();
        let empty = name.is_empty();
        if !empty {
            let names = match kind {
                RuleKind::Header => &mut self.headers,
                RuleKind::Key | RuleKind::Value | RuleKind::Path => &mut self.keys,
            };
            names.entry(name).or_insert(at);
        }
        self.rule(kind, text, empty.then(|| "it is empty".to_owned()));
    }

    fn rule(&mut self, kind: RuleKind, text: &str, problem: Option<String>) {
        self.rules.push(Rule {
            kind,
            text: text.to_owned(),
            problem,
        });
    }
}

fn look_up(names: &HashMap<String, usize>, name: &str) -> Option<usize> {
    if names.is_empty() {
        return None;
    }
    names.get(&name.to_ascii_lowercase()).copied()
}

/// `token=…` in the query of a URL, a form, an argument (`--token=…`) or a line of stderr; and `"token": "…"` in text around JSON.
fn pairs<'a>(keys: impl Iterator<Item = &'a String>) -> Option<Regex> {
    let mut names: Vec<_> = keys.map(|key| regex::escape(key)).collect();
    if names.is_empty() {
        return None;
    }
    // Of two that begin alike the longer one is tried first; sorted, so that each run is the same.
    names.sort_by(|a, b| b.len().cmp(&a.len()).then(a.cmp(b)));
    let pattern = format!(
        r#"(?i-u:(?:^|[?&;,#\s"'])-{{0,2}}({names})=)("[^"]*"|'[^']*'|[^&;,#\s"']+)|(?i-u:["']({names})["']\s*:\s*)(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s"'{{\[,\}}\]]+))"#,
        names = names.join("|")
    );
    RegexBuilder::new(&pattern)
        .size_limit(PATTERN_LIMIT)
        .build()
        .ok()
}
