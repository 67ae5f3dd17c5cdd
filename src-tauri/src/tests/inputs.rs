//! What a server asks, what it offers beside tools, and the roots.

#![cfg(unix)]

use super::*;

/// A legacy server whose call asks its client first; it lists one resource and says what roots it was told.
const ASKS: &str = r#"sh -c 'while read -r line; do
  id=$(printf %s "$line" | sed "s/.*\"id\":\([0-9]*\).*/\1/")
  say() { printf "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n" "$id" "$1"; }
  case "$line" in
    *\"server/discover\"*) printf "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32601,\"message\":\"no\"}}\n" "$id" ;;
    *\"initialize\"*) say "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"resources\":{}},\"serverInfo\":{\"name\":\"asks\",\"version\":\"1\"}}" ;;
    *resources/list*) say "{\"resources\":[{\"uri\":\"test://a\",\"name\":\"a\",\"size\":7}]}" ;;
    *prompts/list*) printf "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32601,\"message\":\"no prompts\"}}\n" "$id" ;;
    *tools/call*)
      printf "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"method\":\"elicitation/create\",\"params\":{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}\n"
      read -r answer
      case "$answer" in *decline*) say "{\"content\":[],\"said\":\"no\"}" ;; *) say "{\"content\":[]}" ;; esac ;;
    *list_changed*)
      printf "{\"jsonrpc\":\"2.0\",\"id\":\"r\",\"method\":\"roots/list\"}\n" ;;
  esac
done'"#;

#[test]
fn what_a_server_asks_is_told_and_answered() {
    let page = Page::open();
    let saved = page.call("save_server", draft("asks", stdio(ASKS)));
    let changes = page.events(watch::SESSION_CHANGED);
    let inputs = page.events(watch::INPUTS_CHANGED);
    let session = page.call("open_session", json!({ "server": saved["id"] }))["id"].clone();
    until(&changes, "connected", |row| {
        row["conn"]["state"] == "connected"
    });
    let call = json!({ "method": "tools/call", "params": r#"{"name":"ask"}"#, "timeout_ms": 60_000, "headers": [] });
    let sent = page.call("send_request", json!({ "session": session, "draft": call }));
    let told = until(&inputs, "a question", |event| {
        event["inputs"][0]["method"] == "elicitation/create"
    });
    let asked = &told["inputs"][0];
    assert_eq!(asked["key"], Value::Null);
    assert!(
        asked["params"]
            .as_str()
            .is_some_and(|text| text.contains("Who?"))
    );
    assert_eq!(
        page.call("list_inputs", json!({ "session": session })),
        told["inputs"]
    );
    // While somebody is asked, the call's time does not run.
    let waits = page.call("list_pending", json!({ "session": session }));
    assert_eq!(
        (&waits[0]["seq"], &waits[0]["deadline_us"]),
        (&sent["seq"], &Value::Null),
        "it waits without a deadline"
    );
    let answer = |json: &str| json!({ "session": session, "seq": asked["seq"], "key": null, "answer": { "kind": "result", "json": json } });
    let refused = page.refused("answer_input", answer("no json"));
    assert_eq!(refused["code"], "invalid_config", "{refused}");
    page.call("answer_input", answer(r#"{"action":"decline"}"#));
    let outcome = page.call(
        "await_outcome",
        json!({ "session": session, "seq": sent["seq"] }),
    );
    assert_eq!(outcome["verdict"], "ok", "{outcome}");
    until(&inputs, "nothing is asked", |event| {
        event["inputs"] == json!([])
    });
    let late = page.refused("answer_input", answer("{}"));
    assert_eq!(late["code"], "not_found", "{late}");
}

#[test]
fn lists_beside_tools_fail_alone_and_roots_are_told() {
    let page = Page::open();
    let saved = page.call("save_server", draft("asks", stdio(ASKS)));
    let root = json!([{ "uri": "file:///srv/orders", "name": "orders" }]);
    assert_eq!(
        page.call("get_roots", json!({ "server": saved["id"] })),
        json!([])
    );
    let changes = page.events(watch::SESSION_CHANGED);
    let session = page.call("open_session", json!({ "server": saved["id"] }))["id"].clone();
    until(&changes, "connected", |row| {
        row["conn"]["state"] == "connected"
    });
    let list = |what: &str| page.call("list_offers", json!({ "session": session, "what": what }));
    let resources = list("resources");
    assert_eq!(
        (
            &resources["items"][0]["uri"],
            &resources["items"][0]["size"]
        ),
        (&json!("test://a"), &json!(7)),
        "{resources}"
    );
    let prompts = list("prompts");
    assert!(
        prompts["problems"][0]
            .as_str()
            .is_some_and(|why| why.contains("no prompts")),
        "{prompts}"
    );
    let info = page.call("get_server_info", json!({ "session": session }));
    assert_eq!(info["method"], "initialize");
    assert!(
        info["message"]
            .as_str()
            .is_some_and(|text| text.contains(r#""name":"asks""#)),
        "{info}"
    );

    let told = page.events(watch::SESSION_CHANGED);
    page.call("set_roots", json!({ "server": saved["id"], "roots": root }));
    assert_eq!(
        page.call("get_roots", json!({ "server": saved["id"] })),
        root
    );
    // The server asks for them before it answers this.
    list("resources");
    page.call("close_session", json!({ "session": session }));
    until(&told, "over", |row| row["ended_us"].is_i64());
    let view = page.call(
        "open_view",
        json!({ "session": session, "filter": "kind:result dir:c2s method:roots/list" }),
    );
    let rows = page.call(
        "view_rows",
        json!({ "view": view["view"], "from": 0, "n": 10 }),
    );
    assert!(
        rows.to_string().contains("file:///srv/orders"),
        "the server asked and was told: {view} {rows}"
    );
}
