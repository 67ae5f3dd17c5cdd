//! Reading a tool's arguments, with messages that say what was expected and what came.

use std::ops::RangeInclusive;

use rmcp::model::JsonObject;
use serde_json::Value;

use super::Refusal;

/// The arguments of one call.
pub(crate) struct Arguments(pub(crate) JsonObject);

impl Arguments {
    /// An integer in `range`, or `default` where there is none.
    pub(super) fn integer(
        &self,
        name: &str,
        range: RangeInclusive<i64>,
        default: i64,
    ) -> Result<i64, Refusal> {
        let Some(value) = self.0.get(name) else {
            return Ok(default);
        };
        match value.as_i64() {
            Some(number) if range.contains(&number) => Ok(number),
            _ => Err(wrong(
                name,
                &format!("an integer from {} to {}", range.start(), range.end()),
                value,
            )),
        }
    }

    /// A string, or `None` where there is none.
    pub(super) fn text(&self, name: &str) -> Result<Option<&str>, Refusal> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(wrong(name, "a string", other)),
        }
    }

    /// `true` or `false`, or `default` where there is neither.
    pub(super) fn flag(&self, name: &str, default: bool) -> Result<bool, Refusal> {
        match self.0.get(name) {
            None => Ok(default),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(wrong(name, "true or false", other)),
        }
    }
}

/// The refusal of a value that is not what was `expected`.
pub(super) fn wrong(name: &str, expected: &str, got: &Value) -> Refusal {
    Refusal::Input(format!("`{name}` must be {expected}; got {got}"))
}

/// The refusal of a call without an argument that is required.
pub(super) fn missing(name: &str) -> Refusal {
    Refusal::Input(format!("`{name}` is required"))
}
