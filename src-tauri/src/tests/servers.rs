//! Servers: saved, pasted, copied, confirmed; their secrets.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use super::*;

fn value(name: &str, value: &str, secret: bool) -> Value {
    json!({ "name": name, "value": value, "secret": secret })
}

#[test]
fn a_server_is_saved_with_all_that_was_typed() {
    let page = Page::open();
    let target = json!({ "transport": "stdio", "command_line": "run 'a b'", "cwd": " /srv ",
        "env": [value("A", "1", false), value("", "", false)] });
    let mut typed = draft("x", target);
    typed["draft"]["era"] = json!("2025-06-18");
    typed["draft"]["timeout_ms"] = json!(1500);
    typed["draft"]["watch"] = json!([" dist ", "", "src/**/*.ts"]);
    typed["draft"]["total_ms"] = json!(90_000);
    typed["draft"]["grace_ms"] = json!(0);
    typed["draft"]["start_ms"] = json!(600_000);
    let saved = page.call("save_server", typed);
    for (key, expected) in [
        ("argv", json!(["run", "a b"])),
        ("cwd", json!("/srv")),
        (
            "env",
            json!([{ "name": "A", "value": "1", "kept": "catalogue" }]),
        ),
        ("era", json!("2025-06-18")),
        ("timeout_ms", json!(1500)),
        ("watch", json!(["dist", "src/**/*.ts"])),
        ("total_ms", json!(90_000)),
        ("grace_ms", json!(0)),
        ("start_ms", json!(600_000)),
        ("unconfirmed", json!(false)),
    ] {
        assert_eq!(saved[key], expected, "{key}: {saved}");
    }
    let with = |key: &str, value: Value| {
        let mut typed = draft("x", stdio("run"));
        typed["draft"][key] = value;
        typed
    };
    let env = |env: Value| {
        draft(
            "x",
            json!({ "transport": "stdio", "command_line": "run", "env": env, "cwd": "" }),
        )
    };
    for (bad, part) in [
        (with("era", json!("1999-01-01")), "1999"),
        (with("timeout_ms", json!(0)), "time-out"),
        (with("timeout_ms", json!(86_400_001)), "time-out"),
        (with("total_ms", json!(1)), "altogether"),
        (with("total_ms", json!(86_400_001)), "24 hours"),
        (with("grace_ms", json!(60_001)), "60 s"),
        (with("start_ms", json!(999)), "1 s to 10 min"),
        (with("watch", json!(["src/["])), "`src/[` is no pattern"),
        (env(json!([value("A=B", "1", false)])), "A=B"),
        (
            env(json!([value("A", "1", false), value("A", "2", false)])),
            "twice",
        ),
        (
            env(json!([{ "name": "A", "value": null, "secret": true }])),
            "no value",
        ),
    ] {
        let error = page.refused("save_server", bad);
        assert_eq!(error["code"], "invalid_config", "{error}");
        let words = error["message"].as_str().unwrap_or_default();
        assert!(words.contains(part), "{part}: {words}");
    }
}

#[test]
fn what_was_pasted_waits_for_consent() {
    let page = Page::open();
    let text = r#"{ // from a README
        "mcpServers": { "gone": { "command": "framescope-no-such", "args": ["a b"], "env": { "API_KEY": "abc", "MODE": "x" }, },
            "bad": { "command": 7 } } }"#;
    let pasted = page.call("read_mcp_servers", json!({ "text": text }));
    assert_eq!(
        pasted[0]["command_line"], "framescope-no-such \"a b\"",
        "{pasted}"
    );
    assert_eq!(
        (
            &pasted[0]["env"][0]["secret"],
            &pasted[0]["env"][1]["secret"]
        ),
        (&json!(true), &json!(false)),
        "{pasted}"
    );
    assert!(
        pasted[1]["problem"].is_string() && pasted[1]["transport"].is_null(),
        "{pasted}"
    );
    let none = page.refused("read_mcp_servers", json!({ "text": "npx x" }));
    assert_eq!(none["code"], "invalid_config");

    let mut typed = draft("gone", stdio("framescope-no-such \"a b\""));
    typed["draft"]["unconfirmed"] = json!(true);
    let saved = page.call("save_server", typed);
    assert_eq!(saved["unconfirmed"], true);
    let refused = page.refused("open_session", json!({ "server": saved["id"] }));
    assert_eq!(refused["code"], "needs_consent", "{refused}");
    let copy = page.call("duplicate_server", json!({ "server": saved["id"] }));
    assert_eq!(
        (&copy["unconfirmed"], &copy["name"]),
        (&json!(true), &json!("gone 2")),
        "a copy is not confirmed either"
    );
    let confirmed = page.call("confirm_server", json!({ "server": saved["id"] }));
    assert_eq!(confirmed["unconfirmed"], false);
    page.call("open_session", json!({ "server": saved["id"] }));
}

/// Where in the folder one of these texts stands, in any of the usual encodings.
fn found(folder: &Path, secrets: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(self::found(&path, secrets));
            continue;
        }
        let bytes = fs::read(&path).expect("a file");
        for secret in secrets {
            let percent: String = secret.bytes().map(|byte| format!("%{byte:02X}")).collect();
            let forms = [
                (*secret).to_owned(),
                STANDARD_NO_PAD.encode(secret),
                percent,
            ];
            for form in forms {
                if bytes
                    .windows(form.len())
                    .any(|part| part == form.as_bytes())
                {
                    found.push(format!("{form} in {}", path.display()));
                }
            }
        }
    }
    found
}

#[cfg(unix)]
#[test]
fn secrets_stand_in_no_file_of_the_data_folder() {
    const TOKEN: &str = "tok-7d1f!geheim/0042";
    const OTHER: &str = "another-secret-0815";
    let page = Page::open();
    let store = page.call("secret_store", json!({}));
    assert_eq!(store["keychain"], false, "tests touch no keychain: {store}");
    // The server prints its environment and answers with it, as careless ones do.
    let server = SERVER
        .replace("while read", "echo \"started with $TOKEN\" >&2; while read")
        .replace(
            "\\\"content\\\":[]",
            "\\\"content\\\":[{\\\"type\\\":\\\"text\\\",\\\"text\\\":\\\"'$TOKEN'\\\"}]",
        );
    let target = json!({ "transport": "stdio", "command_line": server, "cwd": "",
        "env": [value("TOKEN", TOKEN, true), value("PLAIN", "${HOME}", true)] });
    let saved = page.call("save_server", draft("leaky", target));
    assert_eq!(
        saved["env"],
        json!([
            { "name": "PLAIN", "value": "${HOME}", "kept": "catalogue" },
            { "name": "TOKEN", "value": "••••0042", "kept": "memory" }
        ]),
        "a reference is no secret"
    );
    let reveal = json!({ "server": saved["id"], "part": "env", "name": "TOKEN" });
    assert_eq!(page.call("reveal_secret", reveal), TOKEN);
    let copy = page.call("duplicate_server", json!({ "server": saved["id"] }));
    let reveal = json!({ "server": copy["id"], "part": "env", "name": "TOKEN" });
    assert_eq!(page.call("reveal_secret", reveal.clone()), TOKEN);
    page.call("delete_server", json!({ "server": saved["id"] }));
    assert_eq!(
        page.call("reveal_secret", reveal),
        TOKEN,
        "the copy has its own"
    );
    let written = page.call("copy_mcp_servers", json!({ "servers": [copy["id"]] }));
    assert!(
        !written.as_str().is_some_and(|text| text.contains(TOKEN)),
        "{written}"
    );

    let changes = page.events(watch::SESSION_CHANGED);
    let session = page.call("open_session", json!({ "server": copy["id"] }))["id"].clone();
    until(&changes, "connected", |row| {
        row["conn"]["state"] == "connected"
    });
    let params = json!({ "name": "echo", "arguments": { "again": TOKEN } }).to_string();
    let call = json!({ "method": "tools/call", "params": params, "headers": [] });
    let args = json!({ "session": session, "draft": call });
    let preview = page.call("preview_request", args.clone());
    assert!(
        !preview["text"]
            .as_str()
            .is_some_and(|text| text.contains(TOKEN)),
        "{preview}"
    );
    let sent = page.call("send_request", args);
    let outcome = page.call(
        "await_outcome",
        json!({ "session": session, "seq": sent["seq"] }),
    );
    assert_eq!(outcome["verdict"], "ok", "{outcome}");
    let raw = json!({ "session": session, "text": format!("raw {TOKEN}"), "headers": [] });
    page.call("send_raw", raw);

    // Over HTTP: a secret header, short ones too, and one in place of another.
    let http = json!({ "transport": "http", "url": closed_port(), "headers": [value("X-Tenant-Token", OTHER, true)] });
    let server = page.call("save_server", draft("http", http));
    assert_eq!(server["headers"][0]["value"], "••••0815", "{server}");
    let kept = json!({ "transport": "http", "url": closed_port(),
        "headers": [{ "name": "X-Tenant-Token", "value": null, "secret": true }] });
    let mut changed = draft("http", kept);
    changed["draft"]["id"] = server["id"].clone();
    let again = page.call("save_server", changed);
    assert_eq!(
        again["headers"][0]["value"], "••••0815",
        "it stays: {again}"
    );
    let http = page.call("open_session", json!({ "server": server["id"] }))["id"].clone();
    until(&changes, "refused", |row| {
        row["id"] == http && row["ended_us"].is_i64()
    });
    page.call("close_session", json!({ "session": session }));
    until(&changes, "closed", |row| {
        row["id"] == session && row["ended_us"].is_i64()
    });
    assert_eq!(found(page.data.path(), &[TOKEN, OTHER]), [] as [String; 0]);
}

#[test]
fn servers_of_another_hosts_file_are_shown_before_they_are_added() {
    let page = Page::open();
    assert!(page.call("list_host_files", json!({})).is_array());
    assert_eq!(
        page.call("read_host_file", json!({ "host": null })),
        Value::Null,
        "the user may cancel"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join(".mcp.json");
    let text = r#"{"mcpServers":{"a":{"command":"a","env":{"TOKEN":"x"}},"b":{"httpUrl":"http://b/mcp"}}}"#;
    std::fs::write(&file, text).expect("a file");
    *page.chosen.lock() = vec![file.clone()];
    let read = page.call("read_host_file", json!({ "host": null }));
    assert_eq!(read["path"], file.display().to_string());
    let names: Vec<_> = [0, 1].map(|i| read["servers"][i]["name"].clone()).into();
    assert_eq!(names, ["a", "b"], "{read}");
    assert_eq!(read["servers"][1]["transport"], "http", "{read}");
    assert_eq!(
        page.call("list_servers", json!({}))
            .as_array()
            .map(Vec::len),
        Some(1),
        "nothing is added by reading: the demo server alone is there"
    );

    std::fs::write(&file, "{}").expect("a file");
    let refused = page.refused("read_host_file", json!({ "host": null }));
    let words = refused["message"].as_str().unwrap_or_default();
    assert!(
        words.contains(".mcp.json") && words.contains("no server"),
        "{refused}"
    );
    let unknown = page.refused("read_host_file", json!({ "host": "/etc/passwd" }));
    assert_eq!(
        unknown["code"], "invalid_config",
        "the page names hosts, no paths"
    );
}
