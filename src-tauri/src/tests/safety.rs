//! The shell's own safety: what the page may do, and that nobody can come in.

use super::*;

/// Runs a copy of this program for a test that looks at its whole process.
const ALONE: &str = "FRAMESCOPE_TEST_ALONE";

#[test]
fn the_policy_of_the_page_allows_its_own_script_alone() {
    let config: Value = serde_json::from_str(include_str!("../../tauri.conf.json")).expect("JSON");
    let security = &config["app"]["security"];
    let policy = security["csp"].as_str().expect("a policy");
    let rules: BTreeSet<&str> = policy.split(';').map(str::trim).collect();
    let expected = [
        "default-src 'self'",
        "script-src 'self'",
        // CodeMirror and the component library put style elements into the page; what those could load is named by the rest.
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "media-src data:",
        "connect-src ipc: http://ipc.localhost",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-src 'none'",
    ];
    assert_eq!(rules, expected.into_iter().collect());
    assert_eq!(security["capabilities"], json!(["main"]));
    assert_eq!(config["app"]["withGlobalTauri"], false);
    assert_eq!(
        security["dangerousDisableAssetCspModification"],
        Value::Null
    );
    assert_eq!(security["assetProtocol"], Value::Null);
    let rights: Value =
        serde_json::from_str(include_str!("../../capabilities/main.json")).expect("JSON");
    assert_eq!(rights["windows"], json!(["main"]));
    assert_eq!(
        rights["remote"],
        Value::Null,
        "no page of the web has any right"
    );
}

/// The whole backend, connected to a server over HTTP, in a process of its own.
#[cfg(target_os = "linux")]
#[test]
fn r01_no_port_is_open_and_nobody_can_ask_the_backend_to_start_anything() {
    if std::env::var_os(ALONE).is_none() {
        let own = std::env::current_exe().expect("this program");
        let done = std::process::Command::new(own)
            .args(["--exact", "tests::safety::r01_no_port_is_open_and_nobody_can_ask_the_backend_to_start_anything", "--nocapture"])
            .env(ALONE, "1")
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&done.stdout) + String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    let page = Page::open();
    let url = closed_port();
    let target = json!({ "transport": "http", "url": url, "headers": [] });
    let server = page.call("save_server", draft("nowhere", target));
    page.call("open_session", json!({ "server": server["id"] }));
    page.call("list_sessions", json!({ "query": "", "limit": 9 }));
    assert_eq!(listening(), [""; 0], "nothing listens");
    // That it would be seen.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    assert_eq!(listening().len(), 1);
    drop(listener);
}

/// The sockets of this process that listen, as lines of `/proc`.
#[cfg(target_os = "linux")]
fn listening() -> Vec<String> {
    let open = std::fs::read_dir("/proc/self/fd").expect("Linux").flatten();
    let links = open.filter_map(|entry| std::fs::read_link(entry.path()).ok());
    let sockets: BTreeSet<String> = links
        .filter_map(|link| {
            let link = link.to_string_lossy().into_owned();
            let inode = link.strip_prefix("socket:[")?.strip_suffix(']')?;
            Some(inode.to_owned())
        })
        .collect();
    let tables = ["tcp", "tcp6", "udp", "udp6"].map(|table| {
        std::fs::read_to_string(format!("/proc/self/net/{table}")).unwrap_or_default()
    });
    let lines = tables.iter().flat_map(|table| table.lines().skip(1));
    lines
        .filter(|line| {
            let words: Vec<_> = line.split_whitespace().collect();
            // LISTEN of TCP, and a bound UDP socket that is connected to nobody.
            let state = words.get(3).copied().unwrap_or_default();
            matches!(state, "0A" | "07")
                && words.get(9).is_some_and(|inode| sockets.contains(*inode))
        })
        .map(str::to_owned)
        .collect()
}

#[test]
fn where_secrets_go_can_be_chosen_and_unlocked() {
    let page = Page::open();
    let row = page.call("secret_store", json!({}));
    assert_eq!(
        (&row["kind"], &row["locked"], &row["canChoose"]),
        (&json!("memory"), &json!(false), &json!(true))
    );
    let short = page.refused(
        "choose_secret_store",
        json!({ "kind": "file", "passphrase": "short" }),
    );
    assert_eq!(short["code"], "invalid_config", "{short}");
    let row = page.call(
        "choose_secret_store",
        json!({ "kind": "file", "passphrase": "correct horse" }),
    );
    assert_eq!(
        (&row["kind"], &row["locked"]),
        (&json!("file"), &json!(false)),
        "{row}"
    );
    assert!(page.data.path().join("secrets.key.age").exists());
    let wrong = page.refused("unlock_secrets", json!({ "passphrase": "wrong horse" }));
    assert_eq!(wrong["code"], "wrong_passphrase", "{wrong}");
    page.call("unlock_secrets", json!({ "passphrase": "correct horse" }));
    let row = page.call(
        "choose_secret_store",
        json!({ "kind": "memory", "passphrase": null }),
    );
    assert_eq!(row["kind"], "memory", "{row}");
    assert!(!page.data.path().join("secrets.key.age").exists());
}

#[test]
fn the_log_of_this_app_is_read_and_its_level_is_set() {
    let page = Page::open();
    page.call("set_app_log_level", json!({ "level": "debug" }));
    let log = page.call("app_log", json!({}));
    assert_eq!(log["level"], "debug", "{log}");
    assert_eq!(
        page.call("get_setting", json!({ "key": "log.level" })),
        "debug"
    );
    page.call("set_app_log_level", json!({ "level": "info" }));
    page.call("open_log_folder", json!({}));
    assert_eq!(
        page.chosen.lock().pop(),
        Some(page.data.path().join("logs"))
    );
}
