//! What fails, in our words: short, without the party, as they stand beside a field.

use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use serde_json::Value;

use super::Problem;

/// Allowed values that are named.
const NAMED: usize = 8;
/// Characters of a value or pattern that are shown.
const SHOWN: usize = 60;

/// A problem, or why it is none: what could not be judged.
pub(super) fn problem(error: &ValidationError<'_>) -> Result<Problem, String> {
    let (missing, message) = said(error)?;
    Ok(Problem {
        path: error.instance_path().as_str().to_owned(),
        missing,
        keyword: error.kind().keyword().to_owned(),
        message,
    })
}

fn said(error: &ValidationError<'_>) -> Result<(Option<String>, String), String> {
    let got = || kind(error.instance());
    let message = match error.kind() {
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default().to_owned();
            return Ok((Some(name.clone()), format!("`{name}` is missing")));
        }
        Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => {
            return Err("a pattern takes too long".to_owned());
        }
        Kind::Referencing(_) => {
            return Err("the schema refers to what is not in it".to_owned());
        }
        Kind::Type { kind } => format!("{} expected, got {}", types(kind), got()),
        Kind::Maximum { limit } => format!("above maximum {limit}"),
        Kind::Minimum { limit } => format!("below minimum {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("must be less than {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("must be more than {limit}"),
        Kind::MultipleOf { multiple_of } => format!("not a multiple of {multiple_of}"),
        Kind::MaxLength { limit } => format!("longer than {}", count(*limit, "character")),
        Kind::MinLength { limit } => format!("shorter than {}", count(*limit, "character")),
        Kind::MaxItems { limit } => format!("more than {}", count(*limit, "item")),
        Kind::MinItems { limit } => format!("fewer than {}", count(*limit, "item")),
        Kind::MaxProperties { limit } => format!("more than {}", properties(*limit)),
        Kind::MinProperties { limit } => format!("fewer than {}", properties(*limit)),
        Kind::AdditionalItems { limit } => format!("more than {}", count(*limit as u64, "item")),
        Kind::UniqueItems => "an item stands twice".to_owned(),
        Kind::Contains => "no item is as one must be".to_owned(),
        Kind::Enum { options } => format!("not one of {}", allowed(options)),
        Kind::Constant { expected_value } => {
            format!("must be {}", short(&expected_value.to_string()))
        }
        Kind::Pattern { pattern } => format!("does not match the pattern {}", short(pattern)),
        Kind::Format { format } => format!("not in the format `{}`", short(format)),
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            format!("not allowed: {}", names(unexpected))
        }
        Kind::UnevaluatedItems { unexpected } => {
            format!("{} too many", count(unexpected.len() as u64, "item"))
        }
        Kind::PropertyNames { error } => {
            let (_, why) = said(error)?;
            let name = error.instance().as_str().unwrap_or_default();
            format!("the name `{}` is not allowed: {why}", short(name))
        }
        Kind::AnyOf { .. } => "matches none of the alternatives".to_owned(),
        Kind::OneOfNotValid { .. } => "matches none of the alternatives".to_owned(),
        Kind::OneOfMultipleValid { .. } => "matches more than one of the alternatives".to_owned(),
        Kind::Not { .. } => "matches what it must not match".to_owned(),
        Kind::FalseSchema => "no value is allowed here".to_owned(),
        Kind::ContentEncoding { content_encoding } => {
            format!("not encoded as `{}`", short(content_encoding))
        }
        Kind::ContentMediaType { content_media_type } => {
            format!("not of the type `{}`", short(content_media_type))
        }
        Kind::FromUtf8 { .. } => "not UTF-8 once it is decoded".to_owned(),
        Kind::Custom { message, .. } => short(message),
    };
    Ok((None, message))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn types(kind: &TypeKind) -> String {
    let all: Vec<_> = match kind {
        TypeKind::Single(one) => vec![one.to_string()],
        TypeKind::Multiple(set) => set.iter().map(|one| one.to_string()).collect(),
    };
    all.join(" or ")
}

fn count(limit: u64, what: &str) -> String {
    let plural = if limit == 1 { "" } else { "s" };
    format!("{limit} {what}{plural}")
}

fn properties(limit: u64) -> String {
    match limit {
        1 => "1 property".to_owned(),
        limit => format!("{limit} properties"),
    }
}

fn allowed(options: &Value) -> String {
    let list = options.as_array().map(Vec::as_slice).unwrap_or_default();
    let shown: Vec<_> = list
        .iter()
        .take(NAMED)
        .map(|value| short(&value.to_string()))
        .collect();
    let more = list.len().saturating_sub(NAMED);
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    format!("{}{more}", shown.join(", "))
}

fn names(names: &[String]) -> String {
    let shown: Vec<_> = names
        .iter()
        .take(NAMED)
        .map(|name| format!("`{}`", short(name)))
        .collect();
    shown.join(", ")
}

fn short(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
