//! A schema made ready for checks. What of it cannot be used is left out and said.

use std::collections::BTreeMap;

use jsonschema::{Draft, PatternOptions, Retrieve, Uri, Validator};
use serde_json::Value;

use super::{cost, no_json, scan};

/// A schema made ready.
#[derive(Debug)]
pub(super) struct Compiled {
    /// Missing where nothing can be checked.
    pub(super) validator: Option<Validator>,
    /// What is not checked, and why.
    pub(super) unchecked: Option<String>,
}

/// Dialects that we know, without their scheme and an empty fragment.
const DIALECTS: [(&str, Draft); 5] = [
    ("json-schema.org/draft/2020-12/schema", Draft::Draft202012),
    ("json-schema.org/draft/2019-09/schema", Draft::Draft201909),
    ("json-schema.org/draft-07/schema", Draft::Draft7),
    ("json-schema.org/draft-06/schema", Draft::Draft6),
    ("json-schema.org/draft-04/schema", Draft::Draft4),
];

/// Leads nowhere: nothing is fetched for a server's schema.
struct Nowhere;

impl Retrieve for Nowhere {
    fn retrieve(
        &self,
        uri: &Uri<String>,
    ) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Err(format!("{uri} is outside of the schema").into())
    }
}

impl Compiled {
    pub(super) fn of(text: &str) -> Self {
        let nothing = |why: String| Self {
            validator: None,
            unchecked: Some(why),
        };
        let mut schema: Value = match serde_json::from_str(text) {
            Ok(schema) => schema,
            Err(error) => return nothing(no_json("the schema", &error)),
        };
        if !matches!(schema, Value::Object(_) | Value::Bool(_)) {
            return nothing("the schema is neither an object nor a truth value".to_owned());
        }
        let draft = match dialect(&schema) {
            Ok(draft) => draft,
            Err(name) => {
                return nothing(format!(
                    "the schema's dialect `{name}` is none that we know"
                ));
            }
        };
        if let Some(why) = cost::objection(&schema) {
            return nothing(why.to_owned());
        }
        let mut left_out = BTreeMap::new();
        without_bad_patterns(&mut schema, draft, &mut left_out);
        let mut unchecked = left_out
            .into_keys()
            .next()
            .map(|pattern| format!("the pattern `{pattern}` is none that we can use"));
        if !scan::scan(text).inexact.is_empty() {
            let why = "the schema holds numbers with more digits than we can compare";
            unchecked = unchecked.or_else(|| Some(why.to_owned()));
        }
        match build(&schema, draft) {
            Ok(validator) => Self {
                validator: Some(validator),
                unchecked,
            },
            Err(why) => nothing(why),
        }
    }
}

fn build(schema: &Value, draft: Draft) -> Result<Validator, String> {
    let options = jsonschema::options()
        .with_draft(draft)
        .with_retriever(Nowhere)
        .with_pattern_options(PatternOptions::regex().size_limit(1 << 20));
    options.build(schema).map_err(|error| {
        let words = error.to_string();
        let short: String = words.chars().take(200).collect();
        format!("the schema cannot be used: {short}")
    })
}

/// The dialect that a schema says, or its name where we do not know it.
fn dialect(schema: &Value) -> Result<Draft, String> {
    let Some(named) = schema.get("$schema") else {
        return Ok(Draft::Draft202012);
    };
    let name = named.as_str().unwrap_or_default();
    let plain = name
        .strip_prefix("https://")
        .or_else(|| name.strip_prefix("http://"))
        .unwrap_or(name);
    let plain = plain.strip_suffix('#').unwrap_or(plain);
    DIALECTS
        .iter()
        .find(|(known, _)| *known == plain)
        .map(|(_, draft)| *draft)
        .ok_or_else(|| {
            named
                .as_str()
                .map_or_else(|| named.to_string(), str::to_owned)
        })
}

/// Keywords whose members are schemas by name.
const MAPS: [&str; 6] = [
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
    "dependencies",
];
/// Keywords that hold values and no schemas.
const VALUES: [&str; 5] = ["enum", "const", "default", "examples", "required"];

/// What of a keyword's value may hold schemas.
pub(super) fn below<'a>(key: &str, value: &'a Value) -> Vec<&'a Value> {
    match value.as_object() {
        Some(named) if MAPS.contains(&key) => named.values().collect(),
        _ if VALUES.contains(&key) => vec![],
        _ => vec![value],
    }
}

fn below_mut<'a>(key: &str, value: &'a mut Value) -> Vec<&'a mut Value> {
    if MAPS.contains(&key) && value.is_object() {
        return value
            .as_object_mut()
            .into_iter()
            .flat_map(serde_json::Map::values_mut)
            .collect();
    }
    if VALUES.contains(&key) {
        vec![]
    } else {
        vec![value]
    }
}

fn without_bad_patterns(schema: &mut Value, draft: Draft, left_out: &mut BTreeMap<String, ()>) {
    match schema {
        Value::Array(list) => {
            for item in list {
                without_bad_patterns(item, draft, left_out);
            }
        }
        Value::Object(members) => {
            let mut bad = |pattern: &str| {
                let bad = build(&serde_json::json!({ "pattern": pattern }), draft).is_err();
                if bad {
                    left_out.insert(pattern.to_owned(), ());
                }
                bad
            };
            if let Some(Value::String(pattern)) = members.get("pattern")
                && bad(pattern)
            {
                members.remove("pattern");
            }
            if let Some(Value::Object(patterns)) = members.get_mut("patternProperties") {
                patterns.retain(|pattern, _| !bad(pattern));
            }
            for (key, value) in members.iter_mut() {
                for below in below_mut(key, value) {
                    without_bad_patterns(below, draft, left_out);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
