//! Subscriptions, pages, the log level, how the client shows itself, and the checks that talk to a server in two ways: against
//! the demo server over HTTP.

use super::*;

/// The URL of a demo server, which lives as long as this test's process.
fn demo() -> String {
    let bound = tauri::async_runtime::block_on(framescope_demo::HttpServer::bind(0));
    let server = bound.expect("a port");
    let url = server.url();
    tauri::async_runtime::spawn(server.run());
    url
}

/// A page with a demo server that is spoken to in an era: the page, the server's id, the session's.
fn connected(era: &str) -> (Page, Value, Value) {
    let page = Page::open();
    let target = json!({ "transport": "http", "url": demo(), "headers": [] });
    let mut saved = draft("demo", target);
    saved["draft"]["era"] = json!(era);
    let server = page.call("save_server", saved)["id"].clone();
    let session = open(&page, &server);
    (page, server, session)
}

fn open(page: &Page, server: &Value) -> Value {
    let changes = page.events(watch::SESSION_CHANGED);
    let session = page.call("open_session", json!({ "server": server }))["id"].clone();
    until(&changes, "connected", |row| {
        row["id"] == session && row["conn"]["state"] == "connected"
    });
    session
}

fn call(tool: &str, arguments: &Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments }).to_string();
    json!({ "method": "tools/call", "params": params, "timeout_ms": 20_000, "headers": [] })
}

/// Calls a tool and gives the text of its answer.
fn said(page: &Page, session: &Value, tool: &str, arguments: &Value) -> String {
    let draft = call(tool, arguments);
    let sent = page.call(
        "send_request",
        json!({ "session": session, "draft": draft }),
    );
    outcome(page, session, &sent["seq"])
}

fn outcome(page: &Page, session: &Value, seq: &Value) -> String {
    let outcome = page.call("await_outcome", json!({ "session": session, "seq": seq }));
    assert_eq!(outcome["verdict"], "ok", "{outcome}");
    let answer = json!({ "session": session, "seq": outcome["answer"]["seq"] });
    page.call("get_frame", answer)["text"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn a_subscription_is_told_of_in_both_eras() {
    for era in ["legacy", "modern"] {
        let (page, _, session) = connected(era);
        let told = page.events(watch::SUBSCRIPTIONS_CHANGED);
        let uris = json!(["demo://counter"]);
        let made = page.call(
            "subscribe",
            json!({ "session": session, "uris": uris, "lists": ["tools"] }),
        );
        let seq = made[0]["seq"].clone();
        // A modern session has one of its own, for the lists.
        let mine = |rows: &Value| {
            let mut rows = rows.as_array().into_iter().flatten();
            rows.find(|row| row["seq"] == seq)
                .cloned()
                .unwrap_or_default()
        };
        until(&told, "granted", |event| {
            let row = mine(&event["subscriptions"]);
            row["state"] == "active" && row["granted"]["uris"] == uris
        });
        said(&page, &session, "touch-resource", &json!({ "times": 2 }));
        let event = until(&told, "two updates", |event| {
            mine(&event["subscriptions"])["updates"] == 2
        });
        assert!(
            mine(&event["subscriptions"])["last_seq"].is_u64(),
            "{event}"
        );
        page.call("unsubscribe", json!({ "session": session, "seq": seq }));
        until(&told, "ended", |event| {
            mine(&event["subscriptions"])["state"] == "ended"
        });
        said(&page, &session, "touch-resource", &json!({}));
        let rows = page.call("list_subscriptions", json!({ "session": session }));
        assert_eq!(mine(&rows)["updates"], 2, "{era}: {rows}");
        let gone = page.refused("unsubscribe", json!({ "session": session, "seq": 9999 }));
        assert_eq!(gone["code"], "not_found");
    }
}

#[test]
fn a_list_is_read_page_by_page_and_a_log_level_is_asked_for() {
    for era in ["legacy", "modern"] {
        let (page, _, session) = connected(era);
        let (mut cursor, mut items) = (Value::Null, 0);
        loop {
            let args = json!({ "session": session, "what": "resources", "cursor": cursor });
            let read = page.call("list_page", args);
            items += read["items"].as_array().map_or(0, Vec::len);
            assert_eq!(read["ttl_ms"].is_u64(), era == "modern", "{read}");
            cursor = read["next"].clone();
            if cursor.is_null() {
                break;
            }
        }
        assert!(items > 30, "{era}: {items}");

        let level = |level: Value| {
            page.call(
                "set_log_level",
                json!({ "session": session, "level": level }),
            )
        };
        assert_eq!(level(json!("error")).is_u64(), era == "legacy");
        assert_eq!(
            page.call("get_log_level", json!({ "session": session })),
            "error"
        );
        let text = said(&page, &session, "log-levels", &json!({}));
        assert!(text.contains("4 messages sent"), "{era}: {text}");
        if era == "modern" {
            level(Value::Null);
            let text = said(&page, &session, "log-levels", &json!({}));
            assert!(text.contains("none sent"), "{text}");
        } else {
            let args = json!({ "session": session, "level": null });
            assert_eq!(
                page.refused("set_log_level", args)["code"],
                "invalid_config"
            );
        }
    }
}

#[test]
fn rules_answer_at_once_and_the_client_shows_itself_as_chosen() {
    for era in ["legacy", "modern"] {
        let (page, server, session) = connected(era);
        let answer = r#"{"action":"accept","content":{"name":"by rule","guests":2}}"#;
        let rule = json!({ "on": true, "method": "elicitation/create", "contains": "A table", "answer": { "kind": "result", "json": answer } });
        let capabilities = r#"{"elicitation":{}}"#;
        let chosen = json!({ "info": r#"{"name":"other","version":"9"}"#, "legacy": capabilities, "modern": capabilities, "rules": [rule] });
        page.call("set_client", json!({ "server": server, "draft": chosen }));
        let kept = page.call("get_client", json!({ "server": server }));
        assert_eq!((&kept["info"], &kept["rules"][0]), (&chosen["info"], &rule));

        let rows = page.events(watch::RECORDS_APPENDED);
        let told = json!({ "session": session, "filter": "kind:result \"by rule\"" });
        let told = page.call("open_view", told);
        page.call(
            "ack",
            json!({ "view": told["view"], "total": told["total"] }),
        );
        let draft = call("elicit-form", &json!({}));
        page.call(
            "send_request",
            json!({ "session": session, "draft": draft }),
        );
        until(&rows, "the answer to the answer", |event| {
            event["view"] == told["view"] && event["total"].as_u64() > Some(0)
        });
        let view = page.call(
            "open_view",
            json!({ "session": session, "filter": "kind:note" }),
        );
        let rows = page.call(
            "view_rows",
            json!({ "view": view["view"], "from": 0, "n": 50 }),
        );
        assert!(
            rows.to_string().contains("answered by rule 1"),
            "{era}: {rows}"
        );

        let session = open(&page, &server);
        // What was sent before it is in the log then.
        said(&page, &session, "log", &json!({}));
        let view = page.call(
            "open_view",
            json!({ "session": session, "filter": "dir:c2s kind:request" }),
        );
        let rows = page.call(
            "view_rows",
            json!({ "view": view["view"], "from": 0, "n": 1 }),
        );
        let first = json!({ "session": session, "seq": rows[0]["seq"] });
        let frame = page.call("get_frame", first)["text"].to_string();
        assert!(frame.contains(r#"\"name\":\"other\""#), "{era}: {frame}");
        assert!(frame.contains(r#"{\"elicitation\":{}}"#), "{era}: {frame}");

        let bad = json!({ "info": "7", "legacy": null, "modern": null, "rules": [] });
        let refused = page.refused("set_client", json!({ "server": server, "draft": bad }));
        assert_eq!(refused["code"], "invalid_config");
    }
}

#[test]
fn a_call_is_made_in_both_eras_and_requests_stand_alone() {
    let (page, _, session) = connected("modern");
    let weather = call(
        "com.example.weather/current",
        &json!({ "location": "Lisbon" }),
    );
    let both = page.call(
        "call_both_eras",
        json!({ "session": session, "draft": weather }),
    );
    for side in ["legacy", "modern"] {
        let side = &both[side];
        let text = outcome(&page, &side["session"], &side["seq"]);
        assert!(text.contains("Current weather in Lisbon"), "{both}: {text}");
    }
    assert_eq!(both["modern"]["session"], session);
    assert_ne!(both["legacy"]["session"], session);

    let list = json!({ "method": "tools/list", "params": null, "headers": [] });
    let touch = call("touch-resource", &json!({}));
    let drafts = json!([list, weather, touch]);
    let rows = page.call(
        "check_stateless",
        json!({ "session": session, "drafts": drafts }),
    );
    let same: Vec<_> = [0, 1, 2].map(|at| rows[at]["same"].clone()).into();
    assert_eq!(same, [true, true, false], "the counter counts: {rows}");
    assert_eq!(rows[1]["what"], "com.example.weather/current");
    assert!(
        rows[2]["message"]
            .as_str()
            .is_some_and(|text| text.contains("/content/0/text")),
        "{rows}"
    );
    let legacy = json!({ "session": both["legacy"]["session"], "drafts": [] });
    assert_eq!(
        page.refused("check_stateless", legacy)["code"],
        "invalid_config"
    );
}
