//! Tools that take each kind of argument and return what they got.
//!
//! [`crate::exact`] answers them. They check nothing, so that a client sees what it really sent.

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use rmcp::object;

/// The names of these tools.
pub(crate) const NAMES: [&str; 7] = [
    "echo",
    "args-strings",
    "args-numbers",
    "args-choices",
    "args-lists",
    "args-objects",
    "args-variants",
];

pub(crate) fn tools() -> Vec<Tool> {
    let [echo, strings, numbers, choices, lists, objects, variants] = NAMES;
    vec![
        tool(
            echo,
            "Echo",
            "Return any JSON byte for byte: integers above 2^53, `1.0`, the order of keys, escapes",
            any(),
        ),
        tool(
            strings,
            "Arguments: strings",
            "Take strings with lengths, a pattern, formats, and several lines",
            self::strings(),
        ),
        tool(
            numbers,
            "Arguments: numbers",
            "Take integers and numbers with bounds, steps and more digits than a double holds",
            self::numbers(),
        ),
        tool(
            choices,
            "Arguments: choices",
            "Take booleans, enums, titled enums, nullable values and a constant",
            self::choices(),
        ),
        tool(
            lists,
            "Arguments: lists",
            "Take arrays of strings, numbers and objects, a fixed tuple, and an array of arrays",
            self::lists(),
        ),
        tool(
            objects,
            "Arguments: objects",
            "Take nested objects, a map, shared definitions by `$ref`, a tree, and free JSON",
            self::objects(),
        ),
        tool(
            variants,
            "Arguments: variants",
            "Take one of several shapes, by `oneOf` and `anyOf`, and fields that require others",
            self::variants(),
        ),
    ]
}

fn tool(name: &'static str, title: &str, what: &str, input: JsonObject) -> Tool {
    let output = object!({
        "type": "object",
        "properties": {
            "received": { "type": "object", "description": "The arguments of this call, byte for byte" }
        },
        "required": ["received"]
    });
    Tool::new(
        name,
        format!("{what}. The result holds the arguments as they arrived, unchecked."),
        input,
    )
    .with_title(title)
    .with_raw_output_schema(output.into())
    .with_annotations(
        ToolAnnotations::new()
            .read_only(true)
            .idempotent(true)
            .open_world(false),
    )
}

fn any() -> JsonObject {
    object!({
        "type": "object",
        "properties": {
            "value": { "title": "Value", "description": "Any JSON value", "examples": [9_007_199_254_740_993_u64, { "b": 1, "a": [true, null] }] }
        },
        "required": ["value"]
    })
}

fn strings() -> JsonObject {
    object!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "title": "Name", "description": "1 to 40 characters", "minLength": 1, "maxLength": 40 },
            "orderId": { "type": "string", "title": "Order id", "description": "Two capital letters, a hyphen, four digits", "pattern": "^[A-Z]{2}-[0-9]{4}$", "examples": ["AB-1234"] },
            "notes": { "type": "string", "title": "Notes", "description": "Several lines of Markdown", "contentMediaType": "text/markdown", "default": "# Notes\n\n- first\n- second\n" },
            "email": { "type": "string", "title": "E-mail", "format": "email", "examples": ["ada@example.com"] },
            "website": { "type": "string", "title": "Website", "format": "uri", "examples": ["https://example.com/"] },
            "day": { "type": "string", "title": "Day", "format": "date", "examples": ["2026-07-28"] },
            "moment": { "type": "string", "title": "Moment", "description": "With a time zone", "format": "date-time", "examples": ["2026-07-28T12:00:00Z"] },
            "alarm": { "type": "string", "title": "Time of day", "format": "time", "examples": ["07:30:00Z"] },
            "key": { "type": "string", "title": "UUID", "format": "uuid", "examples": ["018f2c5e-7b3a-7c00-8000-000000000000"] },
            "password": { "type": "string", "title": "Password", "description": "Comes back like everything else: do not give a real one", "format": "password", "writeOnly": true },
            "file": { "type": "string", "title": "File", "description": "Bytes in Base64", "contentEncoding": "base64" }
        },
        "required": ["name"],
        "additionalProperties": false
    })
}

fn numbers() -> JsonObject {
    object!({
        "type": "object",
        "properties": {
            "stars": { "type": "integer", "title": "Stars", "description": "From 1 to 5", "minimum": 1, "maximum": 5, "default": 3 },
            "exact": { "type": "integer", "title": "Exact integer", "description": "Of any size: 2^53 + 1, say, which a double cannot hold", "examples": [9_007_199_254_740_993_u64] },
            "id": { "type": "integer", "title": "64-bit id", "minimum": 0, "maximum": 18_446_744_073_709_551_615_u64 },
            "seats": { "type": "integer", "title": "Seats", "description": "In steps of 5", "minimum": 5, "maximum": 100, "multipleOf": 5 },
            "celsius": { "type": "number", "title": "Temperature", "description": "In degrees Celsius, above absolute zero", "exclusiveMinimum": -273.15, "default": 21.5 },
            "share": { "type": "number", "title": "Share", "description": "From 0 to 1", "minimum": 0, "maximum": 1 }
        },
        "required": ["stars"],
        "additionalProperties": false
    })
}

fn choices() -> JsonObject {
    object!({
        "type": "object",
        "properties": {
            "express": { "type": "boolean", "title": "Express", "description": "Whether to send it today", "default": false },
            "size": { "type": "string", "title": "Size", "enum": ["small", "medium", "large"], "default": "medium" },
            "priority": {
                "title": "Priority",
                "description": "A choice whose values have titles",
                "oneOf": [
                    { "const": "p1", "title": "Urgent", "description": "Wakes somebody up" },
                    { "const": "p2", "title": "Soon" },
                    { "const": "p3", "title": "Some day" }
                ],
                "default": "p2"
            },
            "workers": { "type": "integer", "title": "Workers", "enum": [1, 2, 4, 8], "default": 2 },
            "toppings": {
                "type": "array", "title": "Toppings", "description": "Any of them, each once",
                "items": { "type": "string", "enum": ["cheese", "olives", "mushrooms", "rocket"] }, "uniqueItems": true, "default": ["cheese"]
            },
            "nickname": { "type": ["string", "null"], "title": "Nickname", "description": "A string, or null for none", "default": null },
            "limit": { "anyOf": [{ "type": "integer", "minimum": 1 }, { "type": "null" }], "title": "Limit", "description": "An integer from 1, or null for no limit" },
            "format": { "const": "v1", "title": "Format", "description": "Always v1" },
            "nothing": { "type": "null", "title": "Nothing", "description": "Only null" }
        },
        "required": ["express", "format"],
        "additionalProperties": false
    })
}

fn lists() -> JsonObject {
    object!({
        "type": "object",
        "properties": {
            "tags": { "type": "array", "title": "Tags", "description": "1 to 5 different words", "items": { "type": "string", "minLength": 1 }, "minItems": 1, "maxItems": 5, "uniqueItems": true },
            "samples": { "type": "array", "title": "Samples", "items": { "type": "number" }, "default": [1.5, 2, 3.25] },
            "lines": {
                "type": "array", "title": "Order lines",
                "items": {
                    "type": "object",
                    "properties": {
                        "sku": { "type": "string", "title": "Article" },
                        "quantity": { "type": "integer", "title": "Quantity", "minimum": 1, "default": 1 },
                        "gift": { "type": "boolean", "title": "As a gift", "default": false }
                    },
                    "required": ["sku", "quantity"],
                    "additionalProperties": false
                }
            },
            "point": { "type": "array", "title": "Point", "description": "Latitude, longitude, name", "prefixItems": [{ "type": "number" }, { "type": "number" }, { "type": "string" }], "items": false, "minItems": 3 },
            "matrix": { "type": "array", "title": "Matrix", "description": "Rows of numbers", "items": { "type": "array", "items": { "type": "number" } } }
        },
        "required": ["tags"],
        "additionalProperties": false
    })
}

fn objects() -> JsonObject {
    object!({
        "type": "object",
        "properties": {
            "customer": {
                "type": "object", "title": "Customer",
                "properties": {
                    "name": { "type": "string", "title": "Name" },
                    "address": {
                        "type": "object", "title": "Address",
                        "properties": {
                            "street": { "type": "string", "title": "Street" },
                            "city": { "type": "string", "title": "City" },
                            "country": { "type": "string", "title": "Country", "enum": ["DE", "FR", "PT", "US"], "default": "PT" }
                        },
                        "required": ["city", "country"]
                    }
                },
                "required": ["name"]
            },
            "billing": { "$ref": "#/$defs/party", "title": "Billed to" },
            "shipping": { "$ref": "#/$defs/party", "title": "Shipped to" },
            "labels": { "type": "object", "title": "Labels", "description": "Any names, each with a string", "additionalProperties": { "type": "string" }, "default": { "team": "blue" } },
            "folder": { "$ref": "#/$defs/folder", "title": "Folder", "description": "A tree: folders in folders" },
            "extra": { "type": "object", "title": "Extra", "description": "Any object" },
            "anything": { "title": "Anything", "description": "Any JSON value" }
        },
        "required": ["customer"],
        "additionalProperties": false,
        "$defs": {
            "party": {
                "type": "object",
                "properties": {
                    "company": { "type": "string", "title": "Company" },
                    "vat": { "type": "string", "title": "VAT id", "pattern": "^[A-Z]{2}[0-9]{8,12}$" }
                },
                "required": ["company"]
            },
            "folder": {
                "type": "object",
                "properties": {
                    "name": { "type": "string", "title": "Name" },
                    "folders": { "type": "array", "title": "Folders", "items": { "$ref": "#/$defs/folder" } }
                },
                "required": ["name"]
            }
        }
    })
}

fn variants() -> JsonObject {
    object!({
        "type": "object",
        "properties": {
            "payment": {
                "title": "Payment", "description": "One of three shapes, told apart by `kind`",
                "oneOf": [
                    { "title": "Card", "type": "object", "properties": { "kind": { "const": "card" }, "number": { "type": "string", "pattern": "^[0-9]{16}$" } }, "required": ["kind", "number"] },
                    { "title": "Invoice", "type": "object", "properties": { "kind": { "const": "invoice" }, "days": { "type": "integer", "minimum": 0, "default": 30 } }, "required": ["kind"] },
                    { "title": "Cash", "type": "object", "properties": { "kind": { "const": "cash" } }, "required": ["kind"] }
                ]
            },
            "target": { "title": "Target", "description": "A name, or a number", "anyOf": [{ "type": "string", "title": "By name" }, { "type": "integer", "title": "By number" }] },
            "when": {
                "title": "When",
                "allOf": [
                    { "type": "object", "properties": { "from": { "type": "string", "format": "date" } }, "required": ["from"] },
                    { "type": "object", "properties": { "to": { "type": "string", "format": "date" } } }
                ]
            },
            "coupon": { "type": "string", "title": "Coupon", "description": "Requires `couponOwner`" },
            "couponOwner": { "type": "string", "title": "Owner of the coupon" }
        },
        "required": ["payment"],
        "dependentRequired": { "coupon": ["couponOwner"] },
        "additionalProperties": false
    })
}
