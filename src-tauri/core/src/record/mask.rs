//! Masks known secrets before anything is logged.

use std::fmt;
use std::sync::{Arc, LazyLock};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use bytes::Bytes;
use parking_lot::RwLock;
use serde::{Deserialize, Serialize};

/// Shorter values would be found by chance in what is no secret.
const SHORTEST: usize = 8;

/// Headers whose values are never logged, by lower-case name.
const SECRET_HEADERS: [&str; 5] = [
    "authorization",
    "cookie",
    "set-cookie",
    "proxy-authorization",
    "x-api-key",
];

/// A place in a body where a known secret stood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Redaction {
    /// Byte offset of the placeholder in the recorded body.
    pub offset: u64,
    /// The secret's name.
    pub name: String,
}

/// The secrets that are known to a session: name and value. A clone knows what the others learn.
#[derive(Clone, Default)]
pub struct KnownSecrets(Arc<RwLock<Arc<Needles>>>);

/// What to look for.
#[derive(Clone, Default)]
struct Needles {
    /// Longest first, so that of two at one place the longer is taken.
    all: Vec<Needle>,
    /// Whether one begins with that byte.
    first: Vec<bool>,
    /// Values that are too short to be looked for anywhere but where they were typed in.
    short: Vec<(Arc<str>, String)>,
    /// Headers that hold one, by lower-case name: their values are never logged, however short.
    headers: Vec<String>,
}

#[derive(Clone)]
struct Needle {
    /// A secret's value in one of its encodings.
    bytes: Vec<u8>,
    name: Arc<str>,
}

/// All that any session of this process came to know.
static EVERYWHERE: LazyLock<KnownSecrets> = LazyLock::new(KnownSecrets::default);

/// The secrets that any session of this process knows or knew: for what is written besides sessions.
pub fn process_secrets() -> KnownSecrets {
    EVERYWHERE.clone()
}

impl fmt::Debug for KnownSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let needles = self.needles();
        let mut names: Vec<_> = needles.all.iter().map(|needle| &needle.name).collect();
        names.sort_unstable();
        names.dedup();
        f.debug_list().entries(names).finish()
    }
}

impl KnownSecrets {
    /// Knows these: name, value. Values under 8 bytes are not looked for.
    pub fn new(values: Vec<(String, String)>) -> Self {
        Self::with_headers(values, &[])
    }

    /// Knows these: name, value; and the names of headers that hold one.
    pub fn with_headers(values: Vec<(String, String)>, headers: &[String]) -> Self {
        let mut needles = Needles {
            headers: headers
                .iter()
                .map(|name| name.to_ascii_lowercase())
                .collect(),
            ..Needles::default()
        };
        for (name, value) in values {
            needles.add(&name, &value);
            EVERYWHERE.learn(&name, &value);
        }
        Self(Arc::new(RwLock::new(Arc::new(needles))))
    }

    /// Knows another value from now on. It must be called before anything that holds it is logged.
    pub fn learn(&self, name: &str, value: &str) {
        if !Arc::ptr_eq(&self.0, &EVERYWHERE.0) {
            EVERYWHERE.learn(name, value);
        }
        let mut needles = self.0.write();
        let known = |needle: &Needle| needle.bytes == value.as_bytes();
        if needles.short.iter().any(|(_, short)| short == value) {
            return;
        }
        if !needles.all.iter().any(known) {
            Arc::make_mut(&mut needles).add(name, value);
        }
    }

    fn needles(&self) -> Arc<Needles> {
        Arc::clone(&self.0.read())
    }

    /// Puts `‹secret:NAME›` for each known value, raw, JSON-escaped, percent- or Base64-encoded (as Basic authorization has
    /// it), and says where. Bytes without one are not copied.
    pub fn mask(&self, bytes: &Bytes) -> (Bytes, Vec<Redaction>) {
        let mut masker = self.masker();
        if masker.needles.find(bytes, 0, bytes.len()).is_none() {
            return (bytes.clone(), Vec::new());
        }
        let masked = masker.replace(bytes, bytes.len()).0;
        (masked.into(), masker.redactions)
    }

    /// Puts a word for the values of headers that carry credentials, whatever they hold.
    pub fn mask_headers(&self, headers: &mut [(String, String)]) {
        let needles = self.needles();
        for (name, value) in headers {
            let mut secret = SECRET_HEADERS
                .into_iter()
                .chain(needles.headers.iter().map(String::as_str));
            if secret.any(|secret| secret.eq_ignore_ascii_case(name)) {
                "‹masked›".clone_into(value);
            }
        }
    }

    /// Masks the short values too in what was typed in: where a server cannot have written, chance does little harm.
    pub(super) fn mask_typed(&self, text: &mut String) {
        for (name, value) in &self.needles().short {
            if text.contains(value.as_str()) {
                *text = text.replace(value.as_str(), &placeholder(name));
            }
        }
    }

    /// Masks a body that comes in parts.
    pub(super) fn masker(&self) -> Masker {
        Masker {
            needles: self.needles(),
            held: Vec::new(),
            written: 0,
            redactions: Vec::new(),
        }
    }
}

impl Needles {
    fn add(&mut self, name: &str, value: &str) {
        if value.len() < SHORTEST {
            if !value.is_empty() {
                self.short.push((name.into(), value.to_owned()));
                self.short
                    .sort_by_key(|(_, value)| std::cmp::Reverse(value.len()));
            }
            return;
        }
        self.first.resize(256, false);
        let name: Arc<str> = name.into();
        for bytes in encodings(value) {
            self.first[usize::from(bytes[0])] = true;
            self.all.push(Needle {
                bytes,
                name: Arc::clone(&name),
            });
        }
        self.all
            .sort_by_key(|needle| std::cmp::Reverse(needle.bytes.len()));
    }

    /// The first needle that begins in `from..until`.
    fn find(&self, text: &[u8], from: usize, until: usize) -> Option<(usize, &Needle)> {
        let Self { all, first, .. } = self;
        if all.is_empty() {
            return None;
        }
        (from..until)
            .filter(|&at| first[usize::from(text[at])])
            .find_map(|at| {
                let needle = all
                    .iter()
                    .find(|needle| text[at..].starts_with(&needle.bytes))?;
                Some((at, needle))
            })
    }
}

/// Masks a body that comes in parts: what may be the beginning of a secret is held back until more is known.
pub(super) struct Masker {
    needles: Arc<Needles>,
    held: Vec<u8>,
    written: u64,
    pub(super) redactions: Vec<Redaction>,
}

impl fmt::Debug for Masker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Masker").finish_non_exhaustive()
    }
}

impl Masker {
    /// Takes the next bytes and gives those that are settled.
    pub(super) fn push(&mut self, bytes: Bytes) -> Bytes {
        let Some(longest) = self.needles.all.first() else {
            return bytes;
        };
        let overlap = longest.bytes.len() - 1;
        let mut text = std::mem::take(&mut self.held);
        text.extend_from_slice(&bytes);
        let (masked, settled) = self.replace(&text, text.len().saturating_sub(overlap));
        self.held = text.split_off(settled);
        masked.into()
    }

    /// Gives what was held back.
    pub(super) fn finish(&mut self) -> Bytes {
        let text = std::mem::take(&mut self.held);
        self.replace(&text, text.len()).0.into()
    }

    /// Masks the secrets that begin before `until`. Gives what came of it, and how many bytes of `text` it stands for.
    fn replace(&mut self, text: &[u8], until: usize) -> (Vec<u8>, usize) {
        let needles = Arc::clone(&self.needles);
        let (mut out, mut at) = (Vec::with_capacity(text.len()), 0);
        while let Some((found, needle)) = needles.find(text, at, until) {
            out.extend_from_slice(&text[at..found]);
            self.redactions.push(Redaction {
                offset: self.written + out.len() as u64,
                name: needle.name.to_string(),
            });
            out.extend_from_slice(placeholder(&needle.name).as_bytes());
            at = found + needle.bytes.len();
        }
        let settled = at.max(until);
        out.extend_from_slice(&text[at..settled]);
        self.written += out.len() as u64;
        (out, settled)
    }
}

/// A name is put so that it cannot end a JSON string.
fn placeholder(name: &str) -> String {
    let safe = |c: char| {
        if c == '"' || c == '\\' || c.is_control() {
            '_'
        } else {
            c
        }
    };
    format!("‹secret:{}›", name.chars().map(safe).collect::<String>())
}

/// The ways in which a value may stand on the wire.
fn encodings(value: &str) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = vec![value.into()];
    let json = serde_json::Value::from(value).to_string();
    let json = &json[1..json.len() - 1];
    all.extend(
        [
            json.to_owned(),
            ascii(json),
            ascii(json).replace('/', "\\/"),
        ]
        .map(String::into_bytes),
    );
    let strict = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let lax = |byte: u8| strict(byte) || b"!'()*".contains(&byte);
    all.extend(
        [
            percent(value, strict),
            percent(value, lax),
            percent(value, strict).replace("%20", "+"),
            // As a URL has what was written into its query.
            percent(value, |byte| {
                byte.is_ascii_graphic() && !b"\"#<>'".contains(&byte)
            }),
        ]
        .map(String::into_bytes),
    );
    for before in 0..3 {
        let text = [&[0; 2][..before.min(2)], value.as_bytes()].concat();
        for encoded in [STANDARD_NO_PAD.encode(&text), URL_SAFE_NO_PAD.encode(&text)] {
            // Characters that also hold bits of the bytes around the value differ from case to case.
            all.push(encoded.as_bytes()[(before * 8).div_ceil(6)..text.len() * 8 / 6].to_vec());
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// Escapes what is not ASCII, as some JSON writers do.
fn ascii(json: &str) -> String {
    let escaped = |c: char| {
        let mut units = [0; 2];
        c.encode_utf16(&mut units)
            .iter()
            .map(|unit| format!("\\u{unit:04x}"))
            .collect::<String>()
    };
    json.chars()
        .map(|c| {
            if c.is_ascii() {
                c.to_string()
            } else {
                escaped(c)
            }
        })
        .collect()
}

fn percent(value: &str, plain: impl Fn(u8) -> bool) -> String {
    value
        .bytes()
        .map(|byte| {
            if plain(byte) {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}
