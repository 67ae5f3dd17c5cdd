//! The connection doctor: on servers as typed, secrets and all, told step by step.

use super::*;

#[cfg(unix)]
#[test]
fn a_server_as_typed_is_examined_and_nothing_of_it_is_saved() {
    let page = Page::open();
    let told = page.events(watch::DOCTOR_CHANGED);
    let over = |run: &Value| {
        let last = until(&told, "the report", |event| {
            event["run"] == *run && event["report"]["outcome"] != "running"
        });
        last["report"].clone()
    };

    let run = page.call("start_doctor", draft("shell", stdio(SERVER)));
    let report = over(&run);
    assert_eq!(report["outcome"], "passed", "{report}");
    assert_eq!(report["steps"][4]["label"], "initialize", "{report}");
    assert_eq!(report["steps"][4]["state"], "passed", "{report}");
    assert!(report["session"].is_string(), "it was recorded: {report}");
    let servers = page.call("list_servers", json!({}));
    assert_eq!(servers.as_array().map(Vec::len), Some(1), "{servers}");

    let secret = json!([{ "name": "API_KEY", "value": "s3cr3t-value", "secret": true }]);
    let crash = json!({ "transport": "stdio", "command_line": "sh -c 'echo no $API_KEY >&2; exit 3'",
        "env": secret, "cwd": "" });
    let run = page.call("start_doctor", draft("crash", crash));
    let report = over(&run);
    let fault = report["fault"].to_string();
    assert!(fault.contains("exited with code 3"), "{report}");
    assert!(
        fault.contains("‹secret:") && !report.to_string().contains("s3cr3t-value"),
        "what was typed as a secret reaches the server and no report: {report}"
    );

    let waiting = draft("waits", stdio("sh -c 'echo here >&2; cat >/dev/null'"));
    let run = page.call("start_doctor", waiting);
    until(&told, "its first byte", |event| {
        event["run"] == run && event["report"]["steps"][2]["state"] == "passed"
    });
    page.call("stop_doctor", json!({ "run": run }));
    assert_eq!(over(&run)["outcome"], "cancelled");

    let mut pasted = draft("pasted", stdio(SERVER));
    pasted["draft"]["unconfirmed"] = json!(true);
    assert_eq!(
        page.refused("start_doctor", pasted)["code"],
        "needs_consent",
        "the doctor starts nothing that was not seen"
    );
}
