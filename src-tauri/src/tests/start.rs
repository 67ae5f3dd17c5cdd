//! Starting on a data folder where something is wrong.

use super::*;

#[test]
fn a_session_file_that_cannot_be_read_does_not_hide_the_others() {
    let page = Page::open();
    let demo = page.call("list_servers", json!({}))[0]["id"].clone();
    let changes = page.events(watch::SESSION_CHANGED);
    let gone = json!({ "transport": "http", "url": closed_port(), "headers": [] });
    let mut changed = draft("gone", gone);
    changed["draft"]["id"] = demo;
    let server = page.call("save_server", changed);
    let session = page.call("open_session", json!({ "server": server["id"] }))["id"].clone();
    until(&changes, "over", |row| row["ended_us"].is_i64());
    let name = format!("{}.framescope", session.as_str().expect("an id"));
    let Page { app, data, .. } = page;
    drop(app);
    let file = data.path().join("sessions").join(name);
    std::fs::write(file, "not a session").expect("written over");
    let page = Page::on(data);
    assert_eq!(page.call("list_servers", json!({}))[0]["id"], server["id"]);
    assert_eq!(
        page.call("list_sessions", json!({ "query": "", "limit": 5 }))["rows"][0]["id"],
        session
    );
}

#[test]
fn a_window_opens_and_says_why_where_the_store_cannot_be_used() {
    let data = tempfile::tempdir().expect("a folder");
    std::fs::write(data.path().join("sessions"), "in the way").expect("a file");
    let page = Page::on(data);
    let error = page.refused("list_servers", json!({}));
    assert_eq!(error["code"], "history_unavailable", "{error}");
    assert!(
        error["message"]
            .as_str()
            .is_some_and(|words| words.contains("sessions")),
        "names it: {error}"
    );
    page.call("app_info", json!({}));
}
