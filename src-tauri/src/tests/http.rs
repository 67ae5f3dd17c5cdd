//! Servers over HTTP: what cannot be reached, and the exchanges of one that can.

use super::*;

/// What the command line says reaches the page as the state of the session, with a code that it acts on.
#[test]
fn a_server_that_cannot_be_reached_is_told_with_party_and_next_step() {
    let page = Page::open();
    let changes = page.events(watch::SESSION_CHANGED);
    let http = json!({ "transport": "http", "url": closed_port(), "headers": [] });
    for (target, code, parts) in [
        (
            stdio("framescope-no-such-program"),
            "spawn_failed",
            ["could not find `framescope-no-such-program`", "full path"],
        ),
        (
            stdio("/"),
            "spawn_failed",
            ["it is a folder", "Check the command"],
        ),
        (
            http,
            "connect_failed",
            ["refused the connection", "Start the server"],
        ),
    ] {
        let saved = page.call("save_server", draft("", target));
        let opened = page.call("open_session", json!({ "server": saved["id"] }));
        let failed = until(&changes, "the failure", |row| {
            row["id"] == opened["id"] && row["conn"]["state"] == "failed"
        });
        let said = &failed["conn"];
        assert_eq!(said["code"], code, "{said}");
        let words = said["message"].as_str().unwrap_or_default();
        for part in parts {
            assert!(words.contains(part), "{part:?}: {words}");
        }
    }
}

#[test]
fn a_server_over_http_shows_its_exchanges() {
    let page = Page::open();
    let server = tauri::async_runtime::block_on(HttpServer::bind(0)).expect("a port");
    let url = server.url();
    let server = tauri::async_runtime::spawn(server.run());
    let headers = json!([
        { "name": "x-tenant", "value": " acme ", "secret": false },
        { "name": "", "value": "", "secret": false }
    ]);
    let target = json!({ "transport": "http", "url": format!(" {url} "), "headers": headers });
    let saved = page.call("save_server", draft("", target));
    assert_eq!(
        (&saved["transport"], &saved["target"], &saved["headers"]),
        (
            &json!("http"),
            &json!(url),
            &json!([{ "name": "x-tenant", "value": "acme", "kept": "catalogue" }])
        ),
        "{saved}"
    );
    assert!(
        saved["name"]
            .as_str()
            .is_some_and(|name| name.starts_with("127.0.0.1:")),
        "named after its host: {saved}"
    );
    let changes = page.events(watch::SESSION_CHANGED);
    let session = page.call("open_session", json!({ "server": saved["id"] }))["id"].clone();
    until(&changes, "connected", |row| {
        row["conn"]["state"] == "connected"
    });
    let call = json!({ "method": "tools/list", "params": null, "headers": [] });
    let sent = page.call("send_request", json!({ "session": session, "draft": call }));
    let outcome = page.call(
        "await_outcome",
        json!({ "session": session, "seq": sent["seq"] }),
    );
    assert_eq!(outcome["verdict"], "ok", "{outcome}");
    let exchange = |seq: &Value| {
        page.call(
            "get_exchange",
            json!({ "session": session, "seq": seq.clone() }),
        )
    };
    let asked = exchange(&sent["seq"]);
    assert_eq!(
        (
            &asked["frame"],
            &asked["request"]["method"],
            &asked["request"]["url"],
            &asked["response"]["status"]
        ),
        (&sent["seq"], &json!("POST"), &json!(url), &json!(200)),
        "{asked}"
    );
    let has = |part: &str, name: &str, value: &str| {
        let headers = asked[part]["headers"].as_array().expect("headers");
        headers.iter().any(|header| {
            header[0] == name
                && header[1]
                    .as_str()
                    .is_some_and(|text| text.starts_with(value))
        })
    };
    assert!(
        has("request", "x-tenant", "acme") && has("response", "content-type", ""),
        "{asked}"
    );
    for carried in [&outcome["answer"]["seq"], &asked["request"]["seq"]] {
        assert_eq!(
            exchange(carried)["response"],
            asked["response"],
            "the answer and the records of the exchange lead to the same"
        );
    }
    assert_eq!(
        exchange(&json!(1)),
        Value::Null,
        "no exchange carried the first record"
    );
    page.call("close_session", json!({ "session": session }));
    server.abort();

    let gone = json!({ "transport": "http", "url": closed_port(), "headers": [] });
    let mut changed = draft("gone", gone);
    changed["draft"]["id"] = saved["id"].clone();
    let edited = page.call("save_server", changed);
    assert_eq!(edited["id"], saved["id"], "changed, not added");
    page.call("open_session", json!({ "server": edited["id"] }));
    let failed = until(&changes, "refused", |row| row["conn"]["state"] == "failed");
    assert_eq!(
        (&failed["conn"]["code"], &failed["conn"]["status"]),
        (&json!("connect_failed"), &Value::Null),
        "{failed}"
    );
    assert!(
        failed["conn"]["message"]
            .as_str()
            .is_some_and(|words| words.contains("refused")),
        "{failed}"
    );
}
