//! A server whose files are watched: restarted, told about, and its list while it is gone.
#![cfg(unix)]

use std::fs;

use super::*;

/// A legacy server whose second tool has the name that stands in a file: `crash` ends it at its start.
const NAMED: &str = r#"sh -c 'name=$(cat dist/name); [ "$name" = crash ] && exit 3; while read -r line; do
id=$(printf %s "$line" | sed "s/.*\"id\":\([0-9]*\).*/\1/")
case "$line" in
*server/discover*) printf "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}\n" "$id" ;;
*initialized*) ;;
*initialize*) printf "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"shell\",\"version\":\"1\"}}}\n" "$id" ;;
*tools/list*) printf "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"tools\":[{\"name\":\"echo\",\"description\":\"of $name\",\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"$name\",\"inputSchema\":{\"type\":\"object\"}}]}}\n" "$id" ;;
*tools/call*) printf "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[]}}\n" "$id" ;;
esac
done'"#;

#[test]
fn a_server_that_is_built_again_is_restarted_and_told_about() {
    let page = Page::open();
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("dist")).expect("a folder in it");
    let build = |name: &str| fs::write(folder.path().join("dist/name"), name).expect("a file");
    build("one");
    let target =
        json!({ "transport": "stdio", "command_line": NAMED, "env": [], "cwd": folder.path() });
    let mut typed = draft("built", target);
    typed["draft"]["watch"] = json!(["dist"]);
    let saved = page.call("save_server", typed);
    let changes = page.events(watch::SESSION_CHANGED);
    let catalog = |session: &Value| {
        let args = json!({ "session": session, "refresh": false });
        let listed = page.call("list_catalog", args);
        (listed["tools"][1]["name"].clone(), listed["stale"].clone())
    };

    let first = page.call("open_session", json!({ "server": saved["id"] }))["id"].clone();
    until(&changes, "connected and watched", |row| {
        row["id"] == first && row["conn"]["state"] == "connected" && row["watch"]["paths"] == 1
    });
    assert_eq!(catalog(&first), (json!("one"), json!(false)));
    let none = page.call("get_restart", json!({ "session": first }));
    assert_eq!(none, Value::Null, "it restarts nothing");
    let params = r#"{"name":"echo","arguments":{ "big":9007199254740993}}"#;
    let call = json!({ "method": "tools/call", "params": params, "headers": [] });
    let sent = page.call("send_request", json!({ "session": first, "draft": call }));
    page.call(
        "await_outcome",
        json!({ "session": first, "seq": sent["seq"] }),
    );

    build("two");
    let second = until(&changes, "restarted", |row| {
        row["previous"] == first && row["conn"]["state"] == "connected"
    })["id"]
        .clone();
    assert_eq!(catalog(&second), (json!("two"), json!(false)));
    let told = page.call("get_restart", json!({ "session": second }));
    assert_eq!(told["why"], "restarted, since dist/name changed", "{told}");
    assert_eq!(told["call"]["params"], params, "as it was typed: {told}");
    assert_eq!(
        (&told["call"]["about"], &told["call"]["masked"]),
        (&json!("echo"), &json!(false))
    );
    assert_eq!(
        told["lists"],
        json!([{ "what": "tools", "added": ["two"], "removed": ["one"],
            "changed": [{ "name": "echo", "parts": ["description"] }] }])
    );
    let view = json!({ "session": second, "filter": "method:tools/call" });
    let view = page.call("open_view", view);
    assert_eq!(view["total"], 0, "nothing is called by itself: {view}");

    build("crash");
    let third = until(&changes, "failed", |row| {
        row["previous"] == second && row["conn"]["state"] == "failed"
    })["id"]
        .clone();
    let last = (json!("two"), json!(true));
    assert_eq!(catalog(&third), last, "the last known list, as of before");
    page.call("close_session", json!({ "session": third }));
    let gone = page.call("get_session", json!({ "session": third }));
    assert_eq!(gone["watch"], Value::Null, "the user ended it");
}
