use std::sync::Arc;
use std::time::Duration;

use serde_json::json;

use super::{Checked, Checker};

async fn check(schema: &str, value: &str) -> Checked {
    Arc::new(Checker::default()).check(schema, value).await
}

/// Each problem as `path: keyword: message`.
fn lines(checked: &Checked) -> Vec<String> {
    let line = |p: &super::Problem| {
        let missing = p.missing.as_deref().map(|name| format!(" ({name})"));
        format!(
            "{}: {}{}: {}",
            p.path,
            p.keyword,
            missing.unwrap_or_default(),
            p.message
        )
    };
    checked.problems.iter().map(line).collect()
}

#[tokio::test]
async fn what_fails_is_said_in_words_and_in_the_order_of_the_text() {
    let object = r#"{"type":"object","properties":{"n":{"type":"integer","minimum":1,"maximum":99},"s":{"type":["string","null"],"maxLength":2,"pattern":"^a"},
        "e":{"enum":["x","y"]},"l":{"type":"array","items":{"type":"number"},"minItems":2,"uniqueItems":true}},"required":["n"],"additionalProperties":false}"#;
    for (schema, value, expected) in [
        (object, r#"{"n":5}"#, vec![]),
        (
            object,
            r#"{"e":"z","n":100}"#,
            vec![
                "/e: enum: not one of \"x\", \"y\"",
                "/n: maximum: above maximum 99",
            ],
        ),
        (
            object,
            r#"{"n":"1"}"#,
            vec!["/n: type: integer expected, got string"],
        ),
        (
            object,
            r#"{"n":1.5}"#,
            vec!["/n: type: integer expected, got number"],
        ),
        (object, r#"{"n":1.0}"#, vec![]),
        (object, r#"{}"#, vec![": required (n): `n` is missing"]),
        (
            object,
            r#"{"n":1,"s":7,"q":1}"#,
            vec![
                ": additionalProperties: not allowed: `q`",
                "/s: type: null or string expected, got integer",
            ],
        ),
        (
            object,
            r#"{"n":1,"s":"bcd"}"#,
            vec![
                "/s: maxLength: longer than 2 characters",
                "/s: pattern: does not match the pattern ^a",
            ],
        ),
        (
            object,
            r#"{"n":1,"l":[1]}"#,
            vec!["/l: minItems: fewer than 2 items"],
        ),
        (
            object,
            r#"{"n":1,"l":[1,"x",1]}"#,
            vec![
                "/l: uniqueItems: an item stands twice",
                "/l/1: type: number expected, got string",
            ],
        ),
        (
            object,
            r#"{"n":1,"n":2}"#,
            vec![": duplicate: `n` stands twice; most programs read the last one"],
        ),
        (
            r#"{"oneOf":[{"type":"string"},{"const":1}]}"#,
            "2",
            vec![": oneOf: matches none of the alternatives"],
        ),
        (
            r#"{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}],"additionalItems":false}"#,
            "[1,2]",
            vec![
                ": additionalItems: more than 1 item",
                "/0: type: string expected, got integer",
            ],
        ),
        (
            r#"{"dependentRequired":{"a":["b"]}}"#,
            r#"{"a":1}"#,
            vec![": required (b): `b` is missing"],
        ),
        ("true", "1", vec![]),
        (
            "false",
            "1",
            vec![": falseSchema: no value is allowed here"],
        ),
        (
            r##"{"$defs":{"t":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/t"}}},"additionalProperties":false}},"$ref":"#/$defs/t"}"##,
            r#"{"kids":[{"kids":[{"x":1}]}]}"#,
            vec!["/kids/0/kids/0: additionalProperties: not allowed: `x`"],
        ),
    ] {
        let checked = check(schema, value).await;
        assert_eq!(lines(&checked), expected, "{value} against {schema}");
        assert_eq!(checked.unchecked, None, "{value} against {schema}");
    }
}

#[tokio::test]
async fn what_cannot_be_judged_is_unchecked_and_never_valid() {
    let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    for (schema, value, why) in [
        (
            r#"{"$schema":"https://example.com/mine"}"#,
            "1",
            "dialect `https://example.com/mine`",
        ),
        (r#"{"$schema":7}"#, "1", "dialect `7`"),
        ("7", "1", "neither an object"),
        ("{", "1", "the schema is not JSON"),
        ("{}", "{", "the value is not JSON"),
        ("{}", &deep, "deeper"),
        ("{}", "1e999", "beyond"),
        (
            r#"{"type":"integer","maximum":5}"#,
            "18446744073709551616",
            "more digits",
        ),
        (r#"{"maximum":18446744073709551616}"#, "1", "more digits"),
        (
            r#"{"$ref":"https://example.com/s.json"}"#,
            "1",
            "outside of the schema",
        ),
        (
            r#"{"$ref":"file:///etc/passwd"}"#,
            "1",
            "outside of the schema",
        ),
        (r##"{"$ref":"#/$defs/gone"}"##, "1", "cannot be used"),
        (r#"{"type":"banana"}"#, "1", "cannot be used"),
        (r#"{"pattern":"(?=x)"}"#, "\"y\"", "the pattern `(?=x)`"),
        (r##"{"$ref":"#"}"##, "1", "refers to itself"),
        (
            r##"{"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}"##,
            "1",
            "refers to itself",
        ),
    ] {
        let checked = check(schema, value).await;
        let said = checked.unchecked.clone().unwrap_or_default();
        assert!(said.contains(why), "{value} against {schema}: {checked:?}");
        assert!(
            checked.problems.is_empty(),
            "{value} against {schema}: {checked:?}"
        );
    }
}

#[tokio::test]
async fn one_bad_pattern_leaves_the_rest_checked() {
    let schema = r#"{"properties":{"a":{"pattern":"(?<!x)y"},"pattern":{"type":"string"},"b":{"type":"integer"}},"patternProperties":{"(?=q)":{"type":"null"},"^z":{"type":"null"}}}"#;
    let checked = check(schema, r#"{"a":"n","b":"x","pattern":1,"z1":2,"q":3}"#).await;
    assert_eq!(
        lines(&checked),
        [
            "/b: type: integer expected, got string",
            "/pattern: type: string expected, got integer",
            "/z1: type: null expected, got integer"
        ]
    );
    assert!(checked.unchecked.is_some_and(|why| why.contains("pattern")));
}

#[tokio::test]
async fn a_number_that_is_rounded_keeps_its_type() {
    let schema = r#"{"properties":{"n":{"type":"integer"},"m":{"type":"string"}}}"#;
    let checked = check(schema, r#"{"n":9007199254740993,"m":18446744073709551616}"#).await;
    assert_eq!(lines(&checked).len(), 1, "{checked:?}");
    assert!(
        checked.problems[0].message.starts_with("string expected"),
        "{checked:?}"
    );
    assert!(checked.unchecked.is_some());
}

#[tokio::test]
async fn work_is_bounded() {
    let mut defs = serde_json::Map::new();
    for n in 0..40 {
        let next = json!({ "$ref": format!("#/$defs/d{}", n + 1) });
        defs.insert(format!("d{n}"), json!({ "allOf": [next.clone(), next] }));
    }
    defs.insert("d40".to_owned(), json!({ "type": "string" }));
    let doubling = json!({ "$defs": defs, "$ref": "#/$defs/d0" }).to_string();
    let checked = check(&doubling, "1").await;
    assert!(
        checked
            .unchecked
            .is_some_and(|why| why.contains("more work"))
    );

    // At each step into the value the work doubles.
    let tree = json!({ "$defs": { "t": { "allOf": [
        { "properties": { "x": { "$ref": "#/$defs/t" } } },
        { "properties": { "x": { "$ref": "#/$defs/t" } } }
    ] } }, "$ref": "#/$defs/t" })
    .to_string();
    let value = format!("{}1{}", r#"{"x":"#.repeat(60), "}".repeat(60));
    let checker = Arc::new(Checker::default());
    let began = tokio::time::Instant::now();
    let checked = checker.check(&tree, &value).await;
    assert!(
        checked
            .unchecked
            .is_some_and(|why| why.contains("too long"))
    );
    let again = checker.check(&tree, "1").await;
    assert!(
        again.unchecked.is_some(),
        "it is not tried again: {again:?}"
    );
    assert!(
        began.elapsed() < Duration::from_secs(20),
        "{:?}",
        began.elapsed()
    );
    let other = checker.check("{}", "1").await;
    assert_eq!(other, Checked::default(), "others are checked as before");
}

#[tokio::test]
async fn f23_a_pattern_with_nested_quantifiers_takes_no_time() {
    let schema = r#"{"type":"object","properties":{"s":{"type":"string","pattern":"^(a+)+$"}}}"#;
    let typed = r#"{"s":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"}"#;
    let began = tokio::time::Instant::now();
    let checked = check(schema, typed).await;
    assert_eq!(
        lines(&checked),
        ["/s: pattern: does not match the pattern ^(a+)+$"]
    );
    assert!(
        began.elapsed() < Duration::from_secs(1),
        "{:?}",
        began.elapsed()
    );
}

#[tokio::test]
async fn f35_keywords_of_2020_12_are_followed() {
    let schema = r#"{"type":"object","properties":{"kind":{"enum":["file","url"]},"path":{"type":"string"},"url":{"type":"string"},
        "pt":{"type":"array","prefixItems":[{"type":"number"},{"type":"number"}],"items":false},
        "hdr":{"type":"object","patternProperties":{"^x-":{"type":"string"}},"additionalProperties":false},"any":true,"never":false},
        "if":{"properties":{"kind":{"const":"file"}},"required":["kind"]},"then":{"required":["path"]},"else":{"required":["url"]}}"#;
    for (value, expected) in [
        (r#"{"kind":"file","path":"p","any":[null]}"#, vec![]),
        (
            r#"{"kind":"file"}"#,
            vec![": required (path): `path` is missing"],
        ),
        (
            r#"{"kind":"url"}"#,
            vec![": required (url): `url` is missing"],
        ),
        (
            r#"{"url":"u","pt":[1,2,3]}"#,
            vec!["/pt/2: falseSchema: no value is allowed here"],
        ),
        (
            r#"{"url":"u","hdr":{"x-a":1,"y":""}}"#,
            vec![
                "/hdr: additionalProperties: not allowed: `y`",
                "/hdr/x-a: type: string expected, got integer",
            ],
        ),
        (
            r#"{"url":"u","never":0}"#,
            vec!["/never: falseSchema: no value is allowed here"],
        ),
    ] {
        let checked = check(schema, value).await;
        assert_eq!(
            (lines(&checked), &checked.unchecked),
            (expected.into_iter().map(str::to_owned).collect(), &None),
            "{value}"
        );
    }
}
