//! The app on a mock runtime: names, rights, and each command once against a real process.

mod client;
mod doctor;
mod http;
mod inputs;
mod restart;
mod safety;
mod servers;
mod sessions;
mod start;
mod talk;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use framescope_core::secrets::Secrets;
use framescope_demo::HttpServer;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tauri::ipc::{CallbackFn, InvokeBody, InvokeResponseBody};
use tauri::test::{INVOKE_KEY, MockRuntime, get_ipc_response, mock_builder};
use tauri::utils::config::AppDirectoriesOverride;
use tauri::webview::InvokeRequest;
use tauri::{App, Context, Listener, WebviewWindow, WebviewWindowBuilder};
use tempfile::TempDir;

use crate::desktop::{Chosen, Desktop, Import};
use crate::{app, names, watch, window};

const BACKEND: &str = include_str!("../../../ui/src/ipc/backend.ts");

/// The names of an interface's members in `backend.ts`.
fn members(interface: &str) -> BTreeSet<String> {
    let start = format!("export interface {interface} {{");
    let body = BACKEND
        .split_once(&start)
        .expect("the interface")
        .1
        .split_once("\n}")
        .expect("its end")
        .0;
    let names = body.lines().filter_map(|line| {
        // One tab deep: a member, not a part of its type or a comment.
        let (name, _) = line.strip_prefix('\t')?.split_once(':')?;
        let name = name.trim_matches('"');
        name.chars()
            .all(|c| c.is_ascii_lowercase() || c == '_' || c == '-')
            .then(|| name.to_owned())
    });
    names.collect()
}

fn owned<'a>(names: impl IntoIterator<Item = &'a str>) -> BTreeSet<String> {
    names.into_iter().map(str::to_owned).collect()
}

/// The URL of a port on which nothing listens.
fn closed_port() -> String {
    let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
    format!("http://{}/mcp", port.expect("a port"))
}

#[test]
fn page_handlers_and_rights_name_the_same_commands() {
    let page = members("Commands");
    assert!(page.len() > 20, "the file was read: {page:?}");
    assert_eq!(
        page,
        owned(names::COMMANDS.iter().copied()),
        "backend.ts against names.rs"
    );

    let handlers = include_str!("../commands/mod.rs")
        .split_once("generate_handler![")
        .expect("the list")
        .1;
    let handlers = handlers
        .split_once(']')
        .expect("its end")
        .0
        .split(',')
        .map(str::trim);
    let handlers = handlers.filter_map(|path| Some(path.rsplit_once("::")?.1));
    assert_eq!(page, owned(handlers), "backend.ts against the handlers");

    let granted: Value =
        serde_json::from_str(include_str!("../../capabilities/main.json")).expect("JSON");
    let granted = granted["permissions"].as_array().expect("a list");
    let rights = page
        .iter()
        .map(|name| format!("allow-{}", name.replace('_', "-")));
    let events = ["core:event:allow-listen", "core:event:allow-unlisten"];
    assert_eq!(
        owned(granted.iter().filter_map(Value::as_str)),
        rights.chain(events.map(str::to_owned)).collect(),
        "nothing is granted beyond what the page calls"
    );
}

#[test]
fn page_and_host_name_the_same_events() {
    let host = [
        watch::RECORDS_APPENDED,
        watch::SESSION_CHANGED,
        watch::SERVERS_CHANGED,
        watch::SESSIONS_CHANGED,
        watch::PENDING_CHANGED,
        watch::INPUTS_CHANGED,
        watch::LISTS_CHANGED,
        watch::SUBSCRIPTIONS_CHANGED,
        watch::SEARCH_FOUND,
        watch::STATS,
        watch::DOCTOR_CHANGED,
        watch::SIGN_IN_CHANGED,
        watch::AUTH_CHANGED,
        watch::APP_LOG_CHANGED,
    ];
    assert_eq!(members("Events"), owned(host));
}

/// The app with its rights, its settings and its core, but a page that is this test.
struct Page {
    app: App<MockRuntime>,
    page: WebviewWindow<MockRuntime>,
    data: TempDir,
    chosen: Arc<Mutex<Vec<PathBuf>>>,
}

/// A desktop whose user chooses what the test says.
struct FakeDesktop(Arc<Mutex<Vec<PathBuf>>>);

impl Desktop for FakeDesktop {
    fn save(&self, name: &str) -> Chosen<Option<PathBuf>> {
        let chosen = self.0.lock().first().map(|folder| folder.join(name));
        Box::pin(async move { chosen })
    }

    fn open(&self, _: Import) -> Chosen<Vec<PathBuf>> {
        let chosen = self.0.lock().clone();
        Box::pin(async move { chosen })
    }

    fn keep(&self, name: &str) -> Chosen<Option<PathBuf>> {
        self.save(name)
    }

    fn browse(&self, url: &str) -> Result<(), String> {
        self.0.lock().push(PathBuf::from(url));
        Ok(())
    }

    fn show(&self, folder: &Path) -> Result<(), String> {
        self.0.lock().push(folder.to_owned());
        Ok(())
    }
}

/// A server as the page would save it.
fn draft(name: &str, target: Value) -> Value {
    let mut draft = json!({ "draft": { "name": name, "era": "auto", "timeout_ms": 30_000, "unconfirmed": false } });
    draft["draft"]["target"] = target;
    draft
}

fn stdio(line: &str) -> Value {
    json!({ "transport": "stdio", "command_line": line, "env": [], "cwd": "" })
}

#[allow(
    clippy::disallowed_methods,
    reason = "Tauri's macro exits where its own thread cannot be started"
)]
fn context() -> Context<MockRuntime> {
    tauri::generate_context!(test = true)
}

impl Page {
    fn open() -> Self {
        Self::on(tempfile::tempdir().expect("a folder"))
    }

    fn on(data: TempDir) -> Self {
        let mut context = context();
        context.config_mut().app.app_directories_override =
            Some(AppDirectoriesOverride::Root(data.path().to_owned()));
        let app = app::build(mock_builder(), context).expect("the app");
        let chosen = Arc::default();
        let desktop = Box::new(FakeDesktop(Arc::clone(&chosen)));
        let secrets = Secrets::without_keychain(data.path());
        app::start(app.handle(), data.path(), secrets, desktop);
        let page = WebviewWindowBuilder::new(&app, window::MAIN, Default::default())
            .build()
            .expect("a window");
        Self {
            app,
            page,
            data,
            chosen,
        }
    }

    fn answer(&self, command: &str, args: Value) -> Result<InvokeResponseBody, Value> {
        let url = self.page.url().map_err(|error| json!(error.to_string()))?;
        let request = InvokeRequest {
            cmd: command.to_owned(),
            callback: CallbackFn(0),
            error: CallbackFn(1),
            url,
            body: InvokeBody::Json(args),
            headers: Default::default(),
            invoke_key: INVOKE_KEY.to_owned(),
        };
        get_ipc_response(&self.page, request)
    }

    fn call(&self, command: &str, args: Value) -> Value {
        match self.answer(command, args) {
            Ok(body) => body.deserialize().expect("JSON"),
            Err(error) => panic!("{command}: {error}"),
        }
    }

    fn refused(&self, command: &str, args: Value) -> Value {
        self.answer(command, args).expect_err(command)
    }

    fn events(&self, name: &str) -> Receiver<Value> {
        let (to, events) = channel();
        self.app.listen_any(name, move |event| {
            // The test may have ended.
            let _ = to.send(serde_json::from_str(event.payload()).expect("JSON"));
        });
        events
    }
}

/// Waits for an event that holds; others pass by.
fn until(events: &Receiver<Value>, what: &str, holds: impl Fn(&Value) -> bool) -> Value {
    loop {
        let event = events
            .recv_timeout(Duration::from_secs(30))
            .unwrap_or_else(|_| panic!("no event: {what}"));
        if holds(&event) {
            return event;
        }
    }
}

/// A legacy server in a few lines of shell: one tool that echoes what it was called with, and one that ends the server.
#[cfg(unix)]
const SERVER: &str = r#"sh -c 'while read -r line; do
id=$(printf %s "$line" | sed "s/.*\"id\":\([0-9]*\).*/\1/")
case "$line" in
*server/discover*) printf "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}\n" "$id" ;;
*initialized*) ;;
*initialize*) printf "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"shell\",\"version\":\"1\"}}}\n" "$id" ;;
*tools/list*) printf "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}},7]}}\n" "$id" ;;
*hang*) ;;
*die*) echo "out of ideas" >&2; exit 3 ;;
*tools/call*) printf "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[],\"structuredContent\":{\"big\":9007199254740993}}}\n" "$id" ;;
esac
done'"#;

#[cfg(unix)]
#[test]
fn a_page_talks_to_a_server_with_every_command() {
    let page = Page::open();
    let info = page.call("app_info", json!({}));
    assert!(
        info["dataDir"].as_str().is_some_and(|dir| !dir.is_empty()),
        "{info}"
    );

    let listed = page.call("list_servers", json!({}));
    assert_eq!(
        (&listed[0]["name"], &listed[0]["demo"]),
        (&json!("Demo server"), &json!(true)),
        "there at first"
    );
    let demo = listed[0]["id"].clone();
    page.call("delete_server", json!({ "server": demo }));
    assert_eq!(page.call("list_servers", json!({})), json!([]));

    assert_eq!(
        page.call("split_command_line", json!({ "text": "a 'b c'" })),
        json!(["a", "b c"])
    );
    let saved = page.call("save_server", draft("shell", stdio(SERVER)));
    let changes = page.events(watch::SESSION_CHANGED);
    let opened = page.call("open_session", json!({ "server": saved["id"] }));
    let session = opened["id"].clone();
    let connected = until(&changes, "connected", |row| {
        row["id"] == session && row["conn"]["state"] == "connected"
    });
    assert_eq!(
        (&connected["transport"], &connected["number"]),
        (&json!("stdio"), &json!(1)),
        "{connected}"
    );
    assert!(connected["pid"].is_u64(), "{connected}");

    let view = page.call(
        "open_view",
        json!({ "session": session, "filter": "kind:request method:tools/*" }),
    );
    let rows = page.events(watch::RECORDS_APPENDED);
    page.call(
        "ack",
        json!({ "view": view["view"], "total": view["total"] }),
    );
    let catalog = page.call(
        "list_catalog",
        json!({ "session": session, "refresh": false }),
    );
    assert_eq!(catalog["tools"][0]["name"], "echo");
    assert!(
        catalog["tools"][1]["problem"].is_string(),
        "one bad item is one bad item: {catalog}"
    );

    let params = r#"{"name":"echo","arguments":{"big":9007199254740993}}"#;
    let call = json!({ "method": "tools/call", "params": params, "headers": [] });
    let preview = page.call(
        "preview_request",
        json!({ "session": session, "draft": call }),
    );
    assert!(
        preview["text"]
            .as_str()
            .is_some_and(|text| text.contains(params.trim_end_matches('}'))),
        "{preview}"
    );
    let sent = page.call("send_request", json!({ "session": session, "draft": call }));
    assert_eq!(sent["id"], preview["id"], "what was shown is what was sent");
    let outcome = page.call(
        "await_outcome",
        json!({ "session": session, "seq": sent["seq"] }),
    );
    assert_eq!(outcome["verdict"], "ok", "{outcome}");
    let answer = outcome["answer"]["seq"].clone();
    let frame = page.call("get_frame", json!({ "session": session, "seq": answer }));
    assert!(
        frame["text"]
            .as_str()
            .is_some_and(|text| text.contains("9007199254740993")),
        "{frame}"
    );
    assert_eq!(
        (&frame["complete"], &frame["utf8"]),
        (&json!(true), &json!(true))
    );
    let range = json!({ "session": session, "seq": answer, "from": 0, "len": 9 });
    assert!(
        matches!(page.answer("frame_range", range), Ok(InvokeResponseBody::Raw(bytes)) if bytes == br#"{"jsonrpc"#[..9])
    );
    let record = page.call(
        "get_record",
        json!({ "session": session, "seq": sent["seq"] }),
    );
    assert_eq!(record["answer"], answer);

    // tools/list and the call; whether their rows ride along depends on who is faster.
    until(&rows, "the call in the view", |event| {
        let ours = event["view"] == view["view"];
        if ours {
            let seen = json!({ "view": view["view"], "total": event["total"] });
            page.call("ack", seen);
        }
        ours && event["total"] == 2
    });
    let index = page.call(
        "view_index",
        json!({ "view": view["view"], "seq": sent["seq"] }),
    );
    let shown = page.call(
        "view_rows",
        json!({ "view": view["view"], "from": index, "n": 1 }),
    );
    assert_eq!(shown[0]["seq"], sent["seq"]);
    assert_eq!(
        page.call("view_index", json!({ "view": view["view"], "seq": 1 })),
        Value::Null,
        "the filter hides it"
    );
    page.call("close_view", json!({ "view": view["view"] }));
    assert_eq!(
        page.refused(
            "view_rows",
            json!({ "view": view["view"], "from": 0, "n": 1 })
        )["code"],
        "not_found"
    );
    let bad = page.call(
        "open_view",
        json!({ "session": session, "filter": "color:red" }),
    );
    assert!(
        bad["problem"]["message"].is_string() || bad["total"] == 0,
        "{bad}"
    );

    let hang = json!({ "method": "hang", "headers": [] });
    let sent = page.call("send_request", json!({ "session": session, "draft": hang }));
    page.call(
        "extend_request",
        json!({ "session": session, "seq": sent["seq"], "ms": 5000 }),
    );
    page.call(
        "cancel_request",
        json!({ "session": session, "seq": sent["seq"] }),
    );
    let outcome = page.call(
        "await_outcome",
        json!({ "session": session, "seq": sent["seq"] }),
    );
    assert_eq!(outcome["verdict"], "cancelled", "{outcome}");

    page.call("close_session", json!({ "session": session }));
    until(&changes, "closed", |row| {
        row["id"] == session && row["conn"]["state"] == "closed" && !row["exit"].is_null()
    });
    let closed = page.call("get_session", json!({ "session": session }));
    assert_eq!(
        closed["exit"]["title"], "You closed the connection",
        "{closed}"
    );
    assert_eq!(
        page.call("list_sessions", json!({ "query": "", "limit": 10 }))["rows"][0]["id"],
        session
    );
    let late = page.refused(
        "send_request",
        json!({ "session": session, "draft": { "method": "ping", "headers": [] } }),
    );
    assert_eq!(late["code"], "session_closed", "{late}");

    page.call("set_setting", json!({ "key": "theme", "value": "dark" }));
    assert_eq!(page.call("get_setting", json!({ "key": "theme" })), "dark");
    assert_eq!(
        page.call("get_setting", json!({ "key": "none" })),
        Value::Null
    );
}

#[cfg(unix)]
#[test]
fn a_crash_is_told_with_its_evidence() {
    let page = Page::open();
    let saved = page.call("save_server", draft("", stdio(SERVER)));
    assert_eq!(saved["name"], "sh", "named after what is run");
    let changes = page.events(watch::SESSION_CHANGED);
    let session = page.call("open_session", json!({ "server": saved["id"] }))["id"].clone();
    until(&changes, "connected", |row| {
        row["conn"]["state"] == "connected"
    });
    let call = json!({ "method": "die", "headers": [] });
    let sent = page.call("send_request", json!({ "session": session, "draft": call }));
    let outcome = page.call(
        "await_outcome",
        json!({ "session": session, "seq": sent["seq"] }),
    );
    assert_eq!(outcome["verdict"], "unanswered", "{outcome}");
    let crashed = until(&changes, "the crash", |row| {
        row["conn"]["crashed"] == json!(true) && !row["exit"].is_null()
    });
    let exit = &crashed["exit"];
    assert_eq!(
        (&crashed["conn"]["outcome"], &exit["title"]),
        (&json!("exit 3"), &json!("The server exited with code 3"))
    );
    assert_eq!(
        (&exit["stderr"], &exit["stderr_total"]),
        (&json!(["out of ideas"]), &json!(1)),
        "{exit}"
    );
    assert_eq!(
        (
            &exit["unanswered"][0]["seq"],
            &exit["unanswered"][0]["what"]
        ),
        (&sent["seq"], &json!("die")),
        "{exit}"
    );
    assert!(
        exit["argv"][0] == "sh" && exit["path"].is_string() && exit["cwd"].is_string(),
        "{exit}"
    );
}

#[test]
fn what_cannot_be_is_refused_with_a_code() {
    let page = Page::open();
    let http = |url: &str, headers: Value| {
        draft(
            "x",
            json!({ "transport": "http", "url": url, "headers": headers }),
        )
    };
    for (command, args, code) in [
        ("save_server", http(" ", json!([])), "invalid_config"),
        (
            "save_server",
            http("localhost:3000/mcp", json!([])),
            "invalid_config",
        ),
        (
            "save_server",
            http(
                "http://localhost",
                json!([{ "name": "", "value": "v", "secret": false }]),
            ),
            "invalid_config",
        ),
        ("save_server", draft("x", stdio("a 'b")), "invalid_config"),
        ("save_server", draft("x", stdio(" ")), "invalid_config"),
        (
            "split_command_line",
            json!({ "text": "\"" }),
            "invalid_config",
        ),
        (
            "open_session",
            json!({ "server": "00000000-0000-0000-0000-000000000000" }),
            "not_found",
        ),
        ("get_session", json!({ "session": "nonsense" }), "not_found"),
        (
            "get_session",
            json!({ "session": "01980000-0000-7000-8000-000000000000" }),
            "not_found",
        ),
        (
            "view_rows",
            json!({ "view": 99, "from": 0, "n": 1 }),
            "not_found",
        ),
    ] {
        let error = page.refused(command, args);
        assert_eq!(error["code"], code, "{command}: {error}");
        assert!(
            error["message"]
                .as_str()
                .is_some_and(|words| words.len() > 10),
            "{command}: {error}"
        );
    }
}

#[test]
fn the_page_has_no_right_beyond_its_commands() {
    let page = Page::open();
    for command in [
        "plugin:store|load",
        "plugin:window|close",
        "plugin:event|emit",
        "plugin:path|resolve_directory",
    ] {
        let refusal = page.refused(command, json!({}));
        let words = refusal.to_string();
        assert!(
            words.contains("not allowed") || words.contains("not found"),
            "{command}: {words}"
        );
    }
}
