//! What the user chose about the client itself: how it shows itself to a server, and what it answers by rule.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// How the client shows itself to a server, as JSON texts, and its rules. Empty: our own defaults, and no rule.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ClientChoice {
    /// An `Implementation` object in place of ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub info: Option<String>,
    /// Capabilities in place of ours in the legacy era.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legacy: Option<String>,
    /// Capabilities in place of ours in the modern era.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modern: Option<String>,
    /// The first rule that fits a question answers it.
    pub rules: Vec<Rule>,
}

/// A rule that answers what a server asks, in place of the user. With neither `result` nor `error` it answers by default: a form
/// with its defaults (declined where a required field has none), the roots as they are, no sampling.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// `elicitation/create`, `sampling/createMessage` or `roots/list`.
    pub method: String,
    /// Text that must stand in the question's params, decoded from no escapes; empty: any question.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub contains: String,
    /// The result, to the byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Box<RawValue>>,
    /// A JSON-RPC error in place of a result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<RuleError>,
    /// Whether it is used.
    #[serde(default = "on")]
    pub on: bool,
}

/// The error that a rule answers with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleError {
    /// JSON-RPC error code.
    pub code: i64,
    /// In words.
    #[serde(default)]
    pub message: String,
}

fn on() -> bool {
    true
}

impl Rule {
    /// Whether it answers a question with these params.
    pub fn fits(&self, method: &str, params: Option<&str>) -> bool {
        self.on
            && self.method == method
            && (self.contains.is_empty()
                || params.is_some_and(|params| params.contains(&self.contains)))
    }
}

/// A level of log messages (RFC 5424; server/utilities/logging).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogLevel(usize);

impl LogLevel {
    const NAMES: [&str; 8] = [
        "debug",
        "info",
        "notice",
        "warning",
        "error",
        "critical",
        "alert",
        "emergency",
    ];

    /// All of them, rising.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::NAMES.len()).map(Self)
    }

    /// As it is written on the wire.
    pub fn name(self) -> &'static str {
        Self::NAMES.get(self.0).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_fits_by_method_and_text_where_it_is_on() {
        let rule = |text: &str| serde_json::from_str::<Rule>(text).unwrap();
        for (text, fits) in [
            (r#"{"method":"roots/list"}"#, true),
            (r#"{"method":"roots/list","on":false}"#, false),
            (r#"{"method":"elicitation/create"}"#, false),
            (r#"{"method":"roots/list","contains":"b\"c"}"#, true),
            (r#"{"method":"roots/list","contains":"x"}"#, false),
        ] {
            let params = Some(r#"{"a":b"c}"#);
            assert_eq!(rule(text).fits("roots/list", params), fits, "{text}");
        }
        assert!(!rule(r#"{"method":"roots/list","contains":"x"}"#).fits("roots/list", None));
    }
}
