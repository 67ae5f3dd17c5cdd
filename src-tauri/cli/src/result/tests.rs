//! Results for people: lines and blocks, also broken ones.

use super::*;

fn raw(text: &str) -> Box<RawValue> {
    RawValue::from_string(text.to_owned()).unwrap()
}

#[test]
fn blocks_are_text_or_one_line() {
    let base64 = "A".repeat(16_000);
    for (json, expected) in [
        (r#"{"type":"text","text":"two\nlines"}"#.to_owned(), Block::Text("two\nlines".into())),
        (
            format!(r#"{{"type":"image","mimeType":"image/png","data":"{base64}"}}"#),
            Block::Other("[image png 12 kB]".into()),
        ),
        (
            r#"{"type":"audio","mimeType":"audio/wav","data":"AAAA"}"#.to_owned(),
            Block::Other("[audio wav 3 B]".into()),
        ),
        (
            r#"{"type":"resource","resource":{"uri":"a://b","mimeType":"text/plain","text":"abc"}}"#.to_owned(),
            Block::Other("[resource a://b text/plain 3 B]".into()),
        ),
        (
            r#"{"type":"resource_link","uri":"a://b","name":"n"}"#.to_owned(),
            Block::Other("[resource_link a://b n]".into()),
        ),
        (r#"{"type":"new","x":1}"#.to_owned(), Block::Other("[new 20 B]".into())),
        (r#"{"text":"x"}"#.to_owned(), Block::Other("[block without type 12 B]".into())),
        (r#""text""#.to_owned(), Block::Other("[block without type 6 B]".into())),
    ] {
        assert_eq!(block(&raw(&json)), expected, "{json:.80}");
    }
}

#[test]
fn items_are_one_line_whatever_they_hold() {
    for (json, expected) in [
        (r#"{"name":"a","title":"T","description":"D"}"#, "a\tT"),
        (
            r#"{"name":"a","title":"","description":"two\nlines\u001b[0m"}"#,
            "a\ttwo lines\\u{1b}[0m",
        ),
        (r#"{"name":"r","uri":"a://b"}"#, "r\ta://b"),
        (r#"{"name":"t","uriTemplate":"a://{b}"}"#, "t\ta://{b}"),
        (r#"{"name":"bare"}"#, "bare\t"),
        (r#"{"name":7,"title":"T"}"#, "(no name)\tT"),
        ("[]", "(no name)\t"),
    ] {
        assert_eq!(item(&raw(json)), expected, "{json}");
    }
}

#[test]
fn a_broken_member_hides_no_other() {
    let json = raw(
        r#"{"content":"oops","isError":false,"isError":true,"structuredContent":{"big":9007199254740993}}"#,
    );
    let result = tool_result(json.get());
    assert!(result.is_error);
    assert!(result.content.is_empty());
    assert_eq!(
        result.structured.map(RawValue::get),
        Some(r#"{"big":9007199254740993}"#)
    );
    assert!(tool_result(r#"{"resultType":"input_required"}"#).wants_input);
    assert!(
        tool_result("[1]").content.is_empty(),
        "a result of another shape is taken as empty"
    );
}
