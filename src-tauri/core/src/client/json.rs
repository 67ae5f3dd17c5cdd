//! Reads JSON without losing a byte: objects as their members, each value as it stood in the text.

use std::borrow::Cow;
use std::fmt;

use bytes::Bytes;
use bytestring::ByteString;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::protocol::text;

/// JSON text that shares the bytes of the message it came in: an answer may be as large as the parse limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Json(ByteString);

impl Json {
    /// A message. Bytes of it that are no UTF-8 become U+FFFD.
    pub(crate) fn of(message: &Bytes) -> Self {
        let shared = ByteString::try_from(message.clone());
        Self(shared.unwrap_or_else(|_| text(message).into_owned().into()))
    }

    /// A value that was read off this text.
    pub(crate) fn part(&self, value: &RawValue) -> Self {
        Self(self.0.slice_ref(value.get()))
    }

    /// The text, as it stood in the message.
    pub fn get(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

/// The members of an object in the order of the text; a duplicated key stands twice.
#[derive(Debug)]
pub(crate) struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

/// A name, borrowed where it stands without escapes.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'a> Members<'a> {
    /// Reads the members of `text`.
    pub(crate) fn of(text: &'a str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The value of `key`, of the last one where it stands twice: so most parsers read it.
    pub(crate) fn get(&self, key: &str) -> Option<&'a RawValue> {
        self.0
            .iter()
            .rev()
            .find(|(found, _)| found == key)
            .map(|(_, value)| *value)
    }

    /// The value of `key` where it is a string.
    pub(crate) fn string(&self, key: &str) -> Option<String> {
        self.get(key).and_then(string)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0.iter().map(|(key, value)| (&**key, *value))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A JSON value as a string, where it is one.
pub(crate) fn string(value: &RawValue) -> Option<String> {
    serde_json::from_str(value.get()).ok()
}

/// The items of an array, where it is one.
pub(crate) fn items(value: &str) -> Option<Vec<&RawValue>> {
    serde_json::from_str(value).ok()
}

/// A string as a JSON token.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = vec![];
                while let Some(Key(key)) = map.next_key()? {
                    members.push((key, map.next_value()?));
                }
                Ok(members)
            }
        }
        deserializer.deserialize_map(Reader).map(Members)
    }
}
