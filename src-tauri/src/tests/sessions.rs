//! Sessions: labelled, deleted and had back, searched, exported and imported.

use super::*;

/// A session that ended, with one call in it.
#[cfg(unix)]
fn recorded(page: &Page, word: &str) -> Value {
    let saved = page.call("save_server", draft(word, stdio(SERVER)));
    let changes = page.events(watch::SESSION_CHANGED);
    let session = page.call("open_session", json!({ "server": saved["id"] }))["id"].clone();
    until(&changes, "connected", |row| {
        row["id"] == session && row["conn"]["state"] == "connected"
    });
    let params = json!({ "name": "echo", "arguments": { "word": word } }).to_string();
    let call = json!({ "method": "tools/call", "params": params, "headers": [] });
    let sent = page.call("send_request", json!({ "session": session, "draft": call }));
    page.call(
        "await_outcome",
        json!({ "session": session, "seq": sent["seq"] }),
    );
    page.call("close_session", json!({ "session": session }));
    until(&changes, "closed", |row| {
        row["id"] == session && row["ended_us"].is_i64()
    });
    session
}

#[cfg(unix)]
#[test]
fn sessions_are_labelled_listed_deleted_and_had_back() {
    let page = Page::open();
    let session = recorded(&page, "alpha");
    let other = recorded(&page, "beta");
    let named = page.call(
        "rename_session",
        json!({ "session": session, "name": " Nightly " }),
    );
    assert_eq!(named["name"], "Nightly");
    page.call(
        "tag_session",
        json!({ "session": session, "tags": ["x", " y ", "x", ""] }),
    );
    let pinned = page.call("pin_session", json!({ "session": session, "pinned": true }));
    assert_eq!(
        (&pinned["tags"], &pinned["pinned"]),
        (&json!(["x", "y"]), &json!(true))
    );
    let list = |query: &str| page.call("list_sessions", json!({ "query": query, "limit": 9 }));
    for (query, expected) in [
        ("", vec![&other, &session]),
        ("nightly", vec![&session]),
        ("server:alp*", vec![&session]),
        ("tag:y pinned:yes", vec![&session]),
        ("-pinned:yes", vec![&other]),
        ("origin:app has:crash", vec![]),
        ("after:2020-01-01 before:2021-01-01", vec![]),
    ] {
        let found = list(query);
        let ids: Vec<_> = found["rows"]
            .as_array()
            .expect("rows")
            .iter()
            .map(|row| &row["id"])
            .collect();
        assert_eq!(ids, expected, "{query}: {found}");
        assert_eq!(
            (&found["matching"], &found["kept"], &found["problem"]),
            (&json!(expected.len()), &json!(2), &Value::Null),
            "{query}"
        );
        assert!(
            found["disk_bytes"]
                .as_u64()
                .is_some_and(|bytes| bytes > 10_000),
            "{found}"
        );
    }
    let problem = list("kind:error");
    assert_eq!(problem["problem"]["from"], 0, "{problem}");
    assert_eq!(
        problem["matching"], 2,
        "a query that cannot be read does not filter"
    );

    let changed = page.events(watch::SESSIONS_CHANGED);
    page.call("delete_sessions", json!({ "sessions": [session] }));
    until(&changed, "deleted", |_| true);
    assert_eq!(list("")["kept"], 1);
    assert_eq!(
        page.refused("get_session", json!({ "session": session }))["code"],
        "not_found"
    );
    page.call("restore_sessions", json!({ "sessions": [session] }));
    until(&changed, "restored", |_| true);
    let back = page.call("get_session", json!({ "session": session }));
    assert_eq!(
        (&back["name"], &back["tags"]),
        (&json!("Nightly"), &json!(["x", "y"]))
    );

    let none = json!({ "days": null, "gigabytes": null });
    assert_eq!(page.call("get_retention", json!({})), none);
    let days = json!({ "days": 1, "gigabytes": 0 });
    page.call("set_retention", json!({ "retention": days }));
    assert_eq!(page.call("get_retention", json!({})), days);
    let left = list("");
    assert_eq!(
        (&left["kept"], &left["rows"][0]["id"]),
        (&json!(1), &session),
        "the pinned one"
    );
}

#[cfg(unix)]
#[test]
fn a_frame_is_saved_to_the_byte() {
    let page = Page::open();
    let session = recorded(&page, "alpha");
    let frame = json!({ "session": session, "seq": 2 });
    assert_eq!(
        page.call("save_frame", frame.clone()),
        Value::Null,
        "cancelled"
    );
    let folder = tempfile::tempdir().expect("a folder");
    *page.chosen.lock() = vec![folder.path().to_owned()];
    let path = page.call("save_frame", frame.clone());
    let saved = std::fs::read_to_string(path.as_str().expect("a path")).expect("the file");
    assert_eq!(page.call("get_frame", frame)["text"], saved.as_str());
}

#[test]
fn bytes_are_saved_where_the_user_says_and_pages_opened_outside() {
    let page = Page::open();
    let bytes = json!({ "name": "../a b.pdf", "base64": "JVBERg==" });
    assert_eq!(
        page.call("save_bytes", bytes.clone()),
        Value::Null,
        "cancelled"
    );
    let folder = tempfile::tempdir().expect("a folder");
    *page.chosen.lock() = vec![folder.path().to_owned()];
    let path = page.call("save_bytes", bytes);
    let path = PathBuf::from(path.as_str().expect("a path"));
    assert_eq!(
        path,
        folder.path().join("a-b.pdf"),
        "no folder of its own choice"
    );
    assert_eq!(std::fs::read(path).expect("the file"), b"%PDF");

    page.call("open_url", json!({ "url": "https://example.com/x" }));
    let opened = page.chosen.lock().pop();
    assert_eq!(opened, Some(PathBuf::from("https://example.com/x")));
    let refused = page.refused("open_url", json!({ "url": "file:///etc/passwd" }));
    assert_eq!(refused["code"], "invalid_config", "{refused}");
}

#[cfg(unix)]
#[test]
fn an_export_lacks_what_the_preview_says_and_opens_with_its_passphrase() {
    let page = Page::open();
    let session = recorded(&page, "needle-word");
    let usual = page.call("default_redact_rules", json!({}));
    assert!(
        usual["keys"]
            .as_array()
            .is_some_and(|keys| keys.contains(&json!("password")))
    );
    let mut rules =
        json!({ "keys": [], "headers": [], "values": ["needle-.ord", "("], "paths": [] });
    let preview = page.call(
        "preview_export",
        json!({ "session": session, "rules": rules }),
    );
    let [good, bad] = [&preview["rules"][0], &preview["rules"][1]];
    assert!(good["hits"].as_u64().is_some_and(|hits| hits > 0) && good["problem"].is_null());
    assert!(bad["hits"] == 0 && bad["problem"].is_string(), "{bad}");
    let sample = &preview["samples"][0];
    assert!(
        sample["before"]
            .as_str()
            .is_some_and(|text| text.contains("needle-word"))
    );
    assert!(
        sample["after"]
            .as_str()
            .is_some_and(|text| text.contains("‹redacted›"))
    );

    let folder = tempfile::tempdir().expect("a folder");
    *page.chosen.lock() = vec![folder.path().to_owned()];
    let mut options = json!({ "redact": rules, "passphrase": "correct horse" });
    let refused = page.refused(
        "export_session",
        json!({ "session": session, "options": options }),
    );
    assert_eq!(refused["code"], "invalid_config", "{refused}");
    assert_eq!(
        std::fs::read_dir(folder.path()).expect("it").count(),
        0,
        "nothing was written"
    );
    rules["values"] = json!(["needle-.ord"]);
    options["redact"] = rules;
    let path = page.call(
        "export_session",
        json!({ "session": session, "options": options }),
    );
    let path = PathBuf::from(path.as_str().expect("a path"));
    // The name of the file is the server's, which is no part of the session.
    assert_eq!(path, folder.path().join("needle-word-1.jsonl.age"));

    *page.chosen.lock() = vec![path];
    let outcome = page.call("import_sessions", json!({}));
    let file = &outcome["locked"][0];
    assert_eq!(
        (&outcome["sessions"], &file["name"]),
        (&json!([]), &json!("needle-word-1.jsonl.age"))
    );
    let id = &file["id"];
    let refused = page.refused(
        "import_locked",
        json!({ "id": id, "passphrase": "wrong horse" }),
    );
    assert_eq!(refused["code"], "wrong_passphrase", "{refused}");
    let row = page.call(
        "import_locked",
        json!({ "id": id, "passphrase": "correct horse" }),
    );
    assert_eq!(row["origin"], "import", "{row}");
    let gone = page.refused(
        "import_locked",
        json!({ "id": id, "passphrase": "correct horse" }),
    );
    assert_eq!(gone["code"], "not_found", "{gone}");
    let again = page.call("import_sessions", json!({}));
    page.call("forget_locked", json!({ "id": again["locked"][0]["id"] }));
}

#[cfg(unix)]
#[test]
fn a_session_goes_out_and_comes_in_and_is_found() {
    let page = Page::open();
    let session = recorded(&page, "needle-word");
    let plain = json!({ "redact": { "keys": [], "headers": [], "values": [], "paths": [] } });
    assert_eq!(
        page.call(
            "export_session",
            json!({ "session": session, "options": plain })
        ),
        Value::Null,
        "cancelled"
    );
    let folder = tempfile::tempdir().expect("a folder");
    *page.chosen.lock() = vec![folder.path().to_owned()];
    let path = page.call(
        "export_session",
        json!({ "session": session, "options": plain }),
    );
    let path = PathBuf::from(path.as_str().expect("a path"));
    assert_eq!(path, folder.path().join("needle-word-1.jsonl"));
    let text = std::fs::read_to_string(&path).expect("the capture");
    assert!(text.contains("needle-word") && text.ends_with('\n'));
    std::fs::write(folder.path().join("bad.jsonl"), "no capture").expect("a file");
    *page.chosen.lock() = vec![folder.path().join("bad.jsonl"), path];
    let refused = page.refused("import_sessions", json!({}));
    assert!(
        refused["message"]
            .as_str()
            .is_some_and(|words| words.contains("bad.jsonl")),
        "{refused}"
    );
    page.chosen.lock().remove(0);
    let imported = page.call("import_sessions", json!({}));
    assert_eq!(
        (
            &imported["sessions"][0]["origin"],
            &imported["sessions"][0]["errors"]
        ),
        (&json!("import"), &json!(1)),
        "{imported}"
    );
    let kept = page.call(
        "list_sessions",
        json!({ "query": "origin:import", "limit": 9 }),
    );
    assert_eq!(
        kept["matching"], 2,
        "the good one came in beside the bad one, too"
    );

    let found = page.events(watch::SEARCH_FOUND);
    let number = page.call(
        "start_search",
        json!({ "query": "NEEDLE-word kind:request" }),
    );
    let mut hits = Vec::new();
    loop {
        let event = until(&found, "found", |event| event["search"] == number);
        hits.extend(event["hits"].as_array().expect("hits").clone());
        if event["done"] == true {
            assert_eq!(
                (&event["sessions"], &event["of_sessions"], &event["limited"]),
                (&json!(3), &json!(3), &json!(false))
            );
            break;
        }
    }
    assert_eq!(hits.len(), 3, "{hits:?}");
    let (text, mark) = (
        hits[0]["text"].as_str().expect("text"),
        &hits[0]["marks"][0],
    );
    let place = |at: usize| {
        mark[at]
            .as_u64()
            .and_then(|at| usize::try_from(at).ok())
            .expect("a place")
    };
    assert_eq!(&text[place(0)..place(1)], "needle-word");
    page.call("stop_search", json!({ "search": number }));
    assert_eq!(
        page.refused("start_search", json!({ "query": "kind:x" }))["code"],
        "invalid_config"
    );

    page.call("open_data_folder", json!({}));
    assert_eq!(
        page.chosen.lock().last().map(PathBuf::as_path),
        Some(page.data.path())
    );
    let stats = page.call("get_stats", json!({}));
    assert_eq!(stats["recording"], 0, "{stats}");
    assert!(
        stats["commit_p99_us"].is_i64() && stats["disk_bytes"].as_u64() > Some(10_000),
        "{stats}"
    );
}
