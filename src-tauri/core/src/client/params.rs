//! `Mcp-Param-*`: the headers in which a tool's arguments are repeated where its schema says so (2026-07-28 streamable-http ›
//! Custom Headers, server/tools › x-mcp-header).

use std::collections::{HashMap, HashSet};

use parking_lot::Mutex;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::json::{Json, Members, items, string};
use super::mirror::encoded;

const ANNOTATION: &str = "x-mcp-header";
/// The largest integer that every peer reads alike: 2^53 - 1.
const SAFE: i64 = 9_007_199_254_740_991;
/// Keywords whose values are data and no schemas.
const DATA: [&str; 5] = ["default", "enum", "const", "examples", "required"];

/// What the schemas that the server has listed say about headers, by tool.
#[derive(Debug, Default)]
pub(super) struct ParamHeaders(Mutex<HashMap<String, Result<Vec<Param>, String>>>);

/// An argument that is repeated in a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Param {
    /// Where it stands in the arguments: the keys from the outside in.
    path: Vec<String>,
    /// The header's name behind `Mcp-Param-`.
    name: String,
}

impl ParamHeaders {
    /// Learns from a `tools/list` result. `first`: what earlier lists said is over.
    pub(super) fn learn(&self, result: &Json, first: bool) {
        let Some(tools) = Members::of(result.get())
            .ok()
            .and_then(|members| items(members.get("tools")?.get()))
        else {
            return;
        };
        let mut known = self.0.lock();
        if first {
            known.clear();
        }
        for tool in tools {
            let Ok(members) = Members::of(tool.get()) else {
                continue;
            };
            let (name, schema) = (members.string("name"), members.get("inputSchema"));
            if let (Some(name), Some(schema)) = (name, schema) {
                known.insert(name, annotated(schema));
            }
        }
    }

    /// Why a tool must not be called over HTTP; `None` where it may.
    pub(super) fn refuses(&self, tool: &str) -> Option<String> {
        self.0.lock().get(tool)?.as_ref().err().cloned()
    }

    /// The headers for a call with these `params`.
    ///
    /// # Errors
    /// Why the tool must not be called over HTTP.
    pub(super) fn of_call(
        &self,
        params: Option<&str>,
    ) -> Result<Vec<(String, String)>, NotCallable> {
        let Some(members) = params.and_then(|params| Members::of(params).ok()) else {
            return Ok(vec![]);
        };
        let name = members.string("name").unwrap_or_default();
        let refused = |why: String| NotCallable {
            tool: name.clone(),
            why,
        };
        let params = match self.0.lock().get(&name) {
            None => return Ok(vec![]),
            Some(Err(why)) => return Err(refused(why.clone())),
            Some(Ok(params)) => params.clone(),
        };
        let mut headers = vec![];
        for param in params {
            if let Some(value) = members
                .get("arguments")
                .and_then(|all| at(all, &param.path))
            {
                let text = header(value).map_err(|why| {
                    refused(format!("its argument `{}` {why}", param.path.join(".")))
                })?;
                headers.extend(text.map(|text| (format!("Mcp-Param-{}", param.name), text)));
            }
        }
        Ok(headers)
    }
}

/// Why a tool must not be called over HTTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NotCallable {
    pub(super) tool: String,
    pub(super) why: String,
}

/// What a tool's input schema says about headers.
///
/// # Errors
/// What makes the tool's definition invalid.
pub(super) fn annotated(schema: &RawValue) -> Result<Vec<Param>, String> {
    if !schema.get().contains(ANNOTATION) {
        return Ok(vec![]);
    }
    let Ok(Value::Object(schema)) = serde_json::from_str(schema.get()) else {
        return Ok(vec![]);
    };
    let mut found = Found::default();
    found.schema(&schema, Some(&mut vec![]))?;
    Ok(found.params)
}

#[derive(Default)]
struct Found {
    params: Vec<Param>,
    names: HashSet<String>,
}

impl Found {
    /// `path`: the property names that lead here; `None` where something else than `properties` does.
    fn schema(
        &mut self,
        schema: &Map<String, Value>,
        mut path: Option<&mut Vec<String>>,
    ) -> Result<(), String> {
        if let Some(annotation) = schema.get(ANNOTATION) {
            self.annotation(annotation, schema, path.as_deref())?;
        }
        for (keyword, value) in schema {
            match (keyword.as_str(), value) {
                ("properties", Value::Object(properties)) => {
                    for (name, property) in properties {
                        let Value::Object(property) = property else {
                            continue;
                        };
                        match path.as_deref_mut() {
                            None => self.schema(property, None)?,
                            Some(path) => {
                                path.push(name.clone());
                                self.schema(property, Some(path))?;
                                path.pop();
                            }
                        }
                    }
                }
                (keyword, _) if DATA.contains(&keyword) => {}
                (_, value) => self.elsewhere(value)?,
            }
        }
        Ok(())
    }

    /// Schemas below `items`, `anyOf`, `$defs` and the like.
    fn elsewhere(&mut self, value: &Value) -> Result<(), String> {
        match value {
            Value::Object(schema) => self.schema(schema, None),
            Value::Array(values) => values.iter().try_for_each(|value| self.elsewhere(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(()),
        }
    }

    fn annotation(
        &mut self,
        annotation: &Value,
        schema: &Map<String, Value>,
        path: Option<&Vec<String>>,
    ) -> Result<(), String> {
        let invalid = |why: &str| Err(format!("its {ANNOTATION} {annotation} {why}"));
        let name = annotation.as_str().unwrap_or_default();
        if name.is_empty() || !name.bytes().all(is_token) {
            return invalid("is no header name");
        }
        let kind = schema.get("type").and_then(Value::as_str);
        if !matches!(kind, Some("string" | "integer" | "boolean")) {
            return invalid("stands on a property that is no string, integer or boolean");
        }
        let Some(path) = path.filter(|path| !path.is_empty()) else {
            return invalid("cannot be reached through `properties` alone");
        };
        if !self.names.insert(name.to_ascii_lowercase()) {
            return invalid("stands there twice");
        }
        self.params.push(Param {
            path: path.clone(),
            name: name.to_owned(),
        });
        Ok(())
    }
}

/// RFC 9110 § 5.6.2.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}

fn at<'a>(value: &'a RawValue, path: &[String]) -> Option<&'a RawValue> {
    path.iter().try_fold(value, |value, key| {
        Members::of(value.get())
            .ok()
            .and_then(|members| members.get(key))
    })
}

/// A value as its header; none for null and what cannot stand in one.
fn header(value: &RawValue) -> Result<Option<String>, String> {
    let token = value.get();
    match token.as_bytes().first() {
        Some(b'"') => Ok(string(value).map(|text| encoded(&text))),
        Some(b't' | b'f') => Ok(Some(token.to_owned())),
        Some(b'-' | b'0'..=b'9') => integer(token).map(Some),
        _ => Ok(None),
    }
}

fn integer(token: &str) -> Result<String, String> {
    let unsafe_one = || format!("is {token}, beyond the integers that every peer reads alike");
    if let Ok(number) = token.parse::<i64>() {
        return if number.abs() <= SAFE {
            Ok(number.to_string())
        } else {
            Err(unsafe_one())
        };
    }
    match token.parse::<f64>() {
        Ok(number) if number.fract() == 0.0 && number.abs() <= SAFE as f64 => {
            Ok(format!("{number:.0}"))
        }
        Ok(number) if number.fract() == 0.0 => Err(unsafe_one()),
        // No integer: sent as it stands, for the server to refuse.
        Ok(_) | Err(_) => Ok(token.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(schema: &Value) -> Result<Vec<String>, String> {
        let schema =
            RawValue::from_string(schema.to_string()).map_err(|error| error.to_string())?;
        let name = |param: Param| format!("{}={}", param.path.join("."), param.name);
        annotated(&schema).map(|found| found.into_iter().map(name).collect())
    }

    fn property(property: &Value) -> Value {
        json!({"type": "object", "properties": {"a": property}})
    }

    #[test]
    fn e07_the_rules_of_annotations() {
        let nested = json!({"type": "object", "properties": {
            "zone": {"type": "string", "x-mcp-header": "Zone"},
            "o": {"type": "object", "properties": {"f": {"type": "boolean", "x-mcp-header": "Flag"}}},
            "x-mcp-header": {"type": "string"},
        }});
        let mut found = of(&nested).unwrap();
        found.sort();
        assert_eq!(found, ["o.f=Flag", "zone=Zone"]);
        let annotated = |kind: &str| json!({"type": kind, "x-mcp-header": "A"});
        for (schema, why) in [
            (
                property(&annotated("number")),
                "no string, integer or boolean",
            ),
            (
                property(&annotated("array")),
                "no string, integer or boolean",
            ),
            (
                property(&json!({"x-mcp-header": "A"})),
                "no string, integer or boolean",
            ),
            (
                property(&json!({"type": "string", "x-mcp-header": "A b"})),
                "no header name",
            ),
            (
                property(&json!({"type": "string", "x-mcp-header": ""})),
                "no header name",
            ),
            (
                property(&json!({"type": "string", "x-mcp-header": 7})),
                "no header name",
            ),
            (
                property(&json!({"type": "string", "x-mcp-header": "Région"})),
                "no header name",
            ),
            (
                property(&json!({"type": "string", "x-mcp-header": "a\tb"})),
                "no header name",
            ),
            (
                json!({"properties": {
                    "a": {"type": "string", "x-mcp-header": "X"}, "b": {"type": "string", "x-mcp-header": "x"}}}),
                "twice",
            ),
            (
                property(
                    &json!({"type": "array", "items": {"properties": {"a": annotated("string")}}}),
                ),
                "through `properties` alone",
            ),
            (
                json!({"$defs": {"a": annotated("string")}}),
                "through `properties` alone",
            ),
            (
                json!({"anyOf": [{"properties": {"a": annotated("string")}}]}),
                "through `properties` alone",
            ),
        ] {
            let refused = of(&schema).expect_err("invalid");
            assert!(refused.contains(why), "{schema}: {refused}");
        }
        let data = property(&json!({"type": "object", "default": {"x-mcp-header": "A b"}}));
        assert_eq!(of(&data), Ok(vec![]), "a default is no schema");
    }

    #[test]
    fn e07_arguments_are_repeated_in_headers() {
        let tools = json!({"tools": [
            {"name": "ok", "inputSchema": {"type": "object", "properties": {
                "zone": {"type": "string", "x-mcp-header": "Zone"},
                "n": {"type": "integer", "x-mcp-header": "N"},
                "o": {"type": "object", "properties": {"f": {"type": "boolean", "x-mcp-header": "Flag"}}}}}},
            {"name": "bad", "inputSchema": {"properties": {"a": {"type": "number", "x-mcp-header": "A"}}}},
        ]});
        let known = ParamHeaders::default();
        known.learn(&tools.to_string().as_str().into(), true);
        let call = |name: &str, arguments: &str| {
            let params = format!(r#"{{"name":"{name}","arguments":{arguments}}}"#);
            let headers = known.of_call(Some(&params));
            headers.map(|all| {
                all.iter()
                    .map(|(name, value)| format!("{name}: {value}"))
                    .collect::<Vec<_>>()
            })
        };
        let check = |arguments: &str, expected: &[&str]| {
            // The order of members is that of a map, which another feature of its crate changes.
            let mut found = call("ok", arguments).unwrap();
            found.sort();
            assert_eq!(found, expected, "{arguments}");
        };
        check(
            r#"{"zone":"eu-3","o":{"f":false}}"#,
            &["Mcp-Param-Flag: false", "Mcp-Param-Zone: eu-3"],
        );
        check(r#"{"zone":null,"o":{}}"#, &[]);
        check(
            r#"{"zone":"Grüße","n":42}"#,
            &["Mcp-Param-N: 42", "Mcp-Param-Zone: =?base64?R3LDvMOfZQ==?="],
        );
        check(r#"{"n":1e3}"#, &["Mcp-Param-N: 1000"]);
        check(r#"{"zone":""}"#, &["Mcp-Param-Zone: "]);
        check(r#"{"zone":{"a":1}}"#, &[]);
        assert!(
            call("ok", r#"{"n":9007199254740993}"#)
                .unwrap_err()
                .why
                .contains("beyond the integers")
        );
        assert!(call("bad", "{}").unwrap_err().why.contains("no string"));
        assert_eq!(call("unknown", "{}"), Ok(vec![]));
    }
}
