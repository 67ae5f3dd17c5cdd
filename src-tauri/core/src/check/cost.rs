//! Schemas that no check comes to the end of: references that lead round without going into the value, and such that double
//! the work at each step.

use std::collections::HashMap;

use serde_json::Value;

use super::schema;

/// Schemas that one value may be checked against at one place.
const LIMIT: u64 = 100_000;

/// Keywords that apply to the same value.
const SAME_PLACE: [&str; 7] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];

/// Why a schema is not checked against.
pub(super) fn objection(schema: &Value) -> Option<&'static str> {
    let mut costs = Costs {
        root: schema,
        known: HashMap::new(),
    };
    let places = costs.every_place(schema);
    match places {
        Ok(()) => None,
        Err(Endless::Round) => Some("the schema refers to itself without end"),
        Err(Endless::TooMuch) => Some("the schema leads to more work than we do"),
    }
}

enum Endless {
    Round,
    TooMuch,
}

struct Costs<'a> {
    root: &'a Value,
    /// By address of the schema; none while it is being counted.
    known: HashMap<*const Value, Option<u64>>,
}

impl<'a> Costs<'a> {
    /// Counts what is checked at each place of the schema.
    fn every_place(&mut self, place: &'a Value) -> Result<(), Endless> {
        match place {
            Value::Array(list) => {
                for item in list {
                    self.every_place(item)?;
                }
            }
            Value::Object(members) => {
                self.at(place)?;
                for (key, value) in members {
                    for below in schema::below(key, value) {
                        self.every_place(below)?;
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
        Ok(())
    }

    /// How many schemas apply where this one does.
    fn at(&mut self, schema: &'a Value) -> Result<u64, Endless> {
        let Value::Object(members) = schema else {
            return Ok(1);
        };
        let address = std::ptr::from_ref(schema);
        match self.known.get(&address) {
            Some(Some(known)) => return Ok(*known),
            Some(None) => return Err(Endless::Round),
            None => {}
        }
        self.known.insert(address, None);
        let mut sum = 1_u64;
        for key in SAME_PLACE {
            match members.get(key) {
                Some(Value::Array(list)) => {
                    for item in list {
                        sum = sum.saturating_add(self.at(item)?);
                    }
                }
                Some(value) => sum = sum.saturating_add(self.at(value)?),
                None => {}
            }
        }
        // One that leads elsewhere or nowhere is judged when it is compiled.
        for key in ["$ref", "$dynamicRef", "$recursiveRef"] {
            let target = members.get(key).and_then(Value::as_str);
            if let Some(target) = target.and_then(|target| self.target(target)) {
                sum = sum.saturating_add(self.at(target)?);
            }
        }
        if sum > LIMIT {
            return Err(Endless::TooMuch);
        }
        self.known.insert(address, Some(sum));
        Ok(sum)
    }

    fn target(&self, reference: &str) -> Option<&'a Value> {
        let pointer = reference.strip_prefix('#')?;
        if pointer.is_empty() {
            return Some(self.root);
        }
        self.root.pointer(&decoded(pointer))
    }
}

/// A pointer in a fragment may be percent-encoded.
fn decoded(pointer: &str) -> String {
    let mut out = Vec::with_capacity(pointer.len());
    let mut bytes = pointer.bytes();
    while let Some(byte) = bytes.next() {
        let mut ahead = bytes.clone();
        let hex = [ahead.next(), ahead.next()].map(|digit| char::from(digit?).to_digit(16));
        if let (b'%', [Some(high), Some(low)]) = (byte, hex) {
            out.push(u8::try_from(high * 16 + low).unwrap_or(b'%'));
            bytes = ahead;
        } else {
            out.push(byte);
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
