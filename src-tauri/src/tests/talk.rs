//! Raw frames, what waits, checks, and frames to be sent again.

use super::*;

#[cfg(unix)]
#[test]
fn what_waits_is_told_and_a_raw_frame_is_paired() {
    let page = Page::open();
    let saved = page.call("save_server", draft("shell", stdio(SERVER)));
    let changes = page.events(watch::SESSION_CHANGED);
    let waits = page.events(watch::PENDING_CHANGED);
    let session = page.call("open_session", json!({ "server": saved["id"] }))["id"].clone();
    until(&changes, "connected", |row| {
        row["conn"]["state"] == "connected"
    });
    let hang = json!({ "method": "hang", "timeout_ms": 60_000, "headers": [] });
    let sent = page.call("send_request", json!({ "session": session, "draft": hang }));
    let told = until(&waits, "it waits", |event| {
        event["pending"][0]["seq"] == sent["seq"]
    });
    let call = &told["pending"][0];
    assert_eq!(
        (&call["method"], &call["id"], &call["progress"]),
        (&json!("hang"), &sent["id"], &Value::Null)
    );
    let span = |row: &Value| {
        row["deadline_us"]
            .as_i64()
            .zip(row["sent_us"].as_i64())
            .map(|(end, from)| end - from)
    };
    assert!(
        span(call).is_some_and(|us| (59_000_000..=61_000_000).contains(&us)),
        "{call}"
    );
    page.call(
        "extend_request",
        json!({ "session": session, "seq": sent["seq"], "ms": 60_000 }),
    );
    let listed = page.call("list_pending", json!({ "session": session }));
    assert!(
        span(&listed[0]).is_some_and(|us| us > 119_000_000),
        "{listed}"
    );

    let raw = r#"{"jsonrpc":"2.0", "id":"r-1", "method":"hang"}"#;
    let args = json!({ "session": session, "text": raw, "headers": [] });
    let raw = page.call("send_raw", args);
    assert_eq!(raw["id"], "\"r-1\"");
    let told = until(&waits, "the raw one waits", |event| {
        event["pending"][1]["seq"] == raw["seq"]
    });
    assert_eq!(told["pending"][1]["deadline_us"], Value::Null, "for ever");
    for seq in [&sent["seq"], &raw["seq"]] {
        page.call("cancel_request", json!({ "session": session, "seq": seq }));
    }
    until(&waits, "nothing waits", |event| {
        event["pending"] == json!([])
    });
    let outcome = page.call(
        "await_outcome",
        json!({ "session": session, "seq": raw["seq"] }),
    );
    assert_eq!(outcome["verdict"], "cancelled", "{outcome}");

    let answered = r#"{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"echo","arguments":{"n": 1.0}}}"#;
    let args = json!({ "session": session, "text": answered, "headers": [] });
    let raw = page.call("send_raw", args);
    let outcome = page.call(
        "await_outcome",
        json!({ "session": session, "seq": raw["seq"] }),
    );
    assert_eq!(outcome["verdict"], "ok", "paired by the log: {outcome}");
    assert_eq!(
        page.call("list_pending", json!({ "session": session })),
        json!([])
    );
    let edit = page.call(
        "edit_record",
        json!({ "session": session, "seq": raw["seq"] }),
    );
    assert_eq!(
        (&edit["text"], &edit["tool"], &edit["arguments"]),
        (&json!(answered), &json!("echo"), &json!(r#"{"n": 1.0}"#)),
        "{edit}"
    );
    let args = json!({ "session": session, "text": "no message", "headers": [] });
    assert_eq!(page.call("send_raw", args)["id"], "");
    let answer = outcome["answer"]["seq"].clone();
    let refused = page.refused("edit_record", json!({ "session": session, "seq": answer }));
    assert_eq!(
        refused["code"], "not_found",
        "a frame of the server: {refused}"
    );
}

#[test]
fn json_is_checked_and_never_valid_where_it_was_not() {
    let page = Page::open();
    let check = |schema: &str, value: &str| {
        page.call("check_json", json!({ "schema": schema, "value": value }))
    };
    let checked = check(r#"{"properties":{"n":{"maximum":99}}}"#, r#"{"n":100}"#);
    assert_eq!(
        checked,
        json!({ "problems": [{ "path": "/n", "missing": null, "keyword": "maximum", "message": "above maximum 99" }], "unchecked": null })
    );
    let unchecked = check(r#"{"$schema":"urn:x"}"#, "1");
    assert!(
        unchecked["unchecked"].is_string() && unchecked["problems"] == json!([]),
        "{unchecked}"
    );
}
