//! Tools that show how a server can behave: answer late, notify, fail, die.
#![expect(
    deprecated,
    reason = "MCP deprecates logging in 2026-07-28, but it is part of every revision so far"
)]

use std::time::Duration;

use rmcp::ErrorData;
use rmcp::model::{
    CallToolResult, ContentBlock, CustomNotification, ErrorCode, LoggingLevel,
    LoggingMessageNotification, LoggingMessageNotificationParam, ProgressNotification,
    ProgressNotificationParam, ProgressToken, ServerJsonRpcMessage, ServerNotification, Tool,
    ToolAnnotations,
};
use rmcp::object;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;

use super::input::{Arguments, missing, wrong};
use super::{Answer, Refusal};
use crate::offers;
use crate::server::{Context, Demo};
use crate::wire::push_line;

const MAX_WAIT_MS: i64 = 600_000;
const MAX_RESULT_KIB: i64 = 64 * 1024;
const MAX_BURST: i64 = 1_000_000;

/// How many bytes of a burst are written at once.
const BURST_CHUNK: usize = 64 * 1_024;

/// The notification that a burst is made of where the client takes neither progress nor log messages.
const TICK: &str = "notifications/com.example.demo/tick";

const LEVELS: [LoggingLevel; 8] = [
    LoggingLevel::Debug,
    LoggingLevel::Info,
    LoggingLevel::Notice,
    LoggingLevel::Warning,
    LoggingLevel::Error,
    LoggingLevel::Critical,
    LoggingLevel::Alert,
    LoggingLevel::Emergency,
];
const LEVEL_NAMES: [&str; 8] = [
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
];

pub(super) fn tools() -> Vec<Tool> {
    let quiet = || ToolAnnotations::new().read_only(true).open_world(false);
    vec![
        Tool::new("progress", "Work in steps and report each of them with `notifications/progress`, if the call carries a progress token", object!({
            "type": "object",
            "properties": {
                "steps": { "type": "integer", "title": "Steps", "description": "How many", "minimum": 1, "maximum": 10_000, "default": 5 },
                "intervalMs": { "type": "integer", "title": "Interval", "description": "Milliseconds per step", "minimum": 0, "maximum": 60_000, "default": 200 },
                "total": { "type": "boolean", "title": "Total", "description": "Whether it is told how many steps there are", "default": true }
            },
            "additionalProperties": false
        })).with_title("Progress").with_annotations(quiet()),
        Tool::new("log", "Send one log message, if the client's log level allows it. The result says whether it was sent.", object!({
            "type": "object",
            "properties": {
                "message": { "type": "string", "title": "Message", "default": "Hello from the demo server" },
                "level": { "type": "string", "title": "Level", "enum": LEVEL_NAMES, "default": "info" },
                "logger": { "type": "string", "title": "Logger", "description": "The part of the server that speaks", "default": "demo" }
            },
            "additionalProperties": false
        })).with_title("Log message").with_annotations(quiet()),
        Tool::new("log-levels", "Send a log message of each level that the client wants, by three loggers, with a text, an object or a list as data", object!({
            "type": "object",
            "additionalProperties": false
        })).with_title("Log messages of each level").with_annotations(quiet()),
        Tool::new("slow", "Answer after a while. The call can be cancelled.", object!({
            "type": "object",
            "properties": { "ms": { "type": "integer", "title": "Milliseconds", "minimum": 0, "maximum": MAX_WAIT_MS, "default": 2_000 } },
            "additionalProperties": false
        })).with_title("Slow answer").with_annotations(quiet()),
        Tool::new("big-result", "Return a text of a given size, in numbered lines of 64 bytes", object!({
            "type": "object",
            "properties": {
                "kib": { "type": "integer", "title": "Size", "description": "In KiB", "minimum": 1, "maximum": MAX_RESULT_KIB, "default": 1_024 },
                "twice": { "type": "boolean", "title": "Twice", "description": "The text once more as structured content", "default": false }
            },
            "additionalProperties": false
        })).with_title("Big result").with_annotations(quiet()),
        Tool::new("burst", "Send notifications as fast as possible, then answer: progress if the call carries a progress token, else log messages if the client wants them, else notifications of this server's own", object!({
            "type": "object",
            "properties": { "n": { "type": "integer", "title": "How many", "minimum": 1, "maximum": MAX_BURST, "default": 1_000 } },
            "additionalProperties": false
        })).with_title("Burst of notifications").with_annotations(quiet()),
        Tool::new("is-error", "Fail as a tool fails: with a result that has `isError`", object!({
            "type": "object",
            "properties": { "message": { "type": "string", "title": "Message", "default": "The warehouse is closed until Monday. Ask again then." } },
            "additionalProperties": false
        })).with_title("Tool error").with_annotations(quiet()),
        Tool::new("protocol-error", "Fail as a request fails: with a JSON-RPC error that carries data", object!({
            "type": "object",
            "properties": {
                "code": { "type": "integer", "title": "Code", "description": "A JSON-RPC error code", "minimum": i32::MIN, "maximum": i32::MAX, "default": -32_603 },
                "message": { "type": "string", "title": "Message", "default": "The database is gone" }
            },
            "additionalProperties": false
        })).with_title("Protocol error").with_annotations(quiet()),
        Tool::new("stderr", "Write lines to standard error, as servers do with their logs", object!({
            "type": "object",
            "properties": {
                "lines": { "type": "integer", "title": "Lines", "minimum": 1, "maximum": 10_000, "default": 3 },
                "ansi": { "type": "boolean", "title": "Colours", "description": "With ANSI escape codes", "default": true }
            },
            "additionalProperties": false
        })).with_title("Standard error").with_annotations(quiet()),
        Tool::new("exit", "End the server process at once, without an answer: what a crash looks like. Needs a reconnect.", object!({
            "type": "object",
            "properties": { "code": { "type": "integer", "title": "Exit code", "minimum": 0, "maximum": 255, "default": 3 } },
            "additionalProperties": false
        })).with_title("Crash").with_annotations(ToolAnnotations::new().read_only(false).destructive(true).idempotent(false).open_world(false)),
        Tool::new("delete-records", "Delete all records of a table. Marked as destructive; there are no records, and nothing is deleted.", object!({
            "type": "object",
            "properties": {
                "table": { "type": "string", "title": "Table", "enum": ["customers", "orders"] },
                "dryRun": { "type": "boolean", "title": "Dry run", "description": "Only say what would be deleted", "default": true }
            },
            "required": ["table"],
            "additionalProperties": false
        })).with_title("Delete records").with_annotations(ToolAnnotations::new().read_only(false).destructive(true).idempotent(true).open_world(false)),
    ]
}

pub(super) async fn progress(given: &Arguments, context: &Context) -> Answer {
    let steps = given.integer("steps", 1..=10_000, 5)?;
    let interval = milliseconds(given.integer("intervalMs", 0..=60_000, 200)?);
    let total = given.flag("total", true)?;
    let token = context.meta.get_progress_token();
    for step in 1..=steps {
        if cancelled_within(interval, context).await {
            return done(format!("cancelled after {} of {steps} steps", step - 1));
        }
        if let Some(token) = token.clone() {
            let mut report = ProgressNotificationParam::new(token, step as f64)
                .with_message(format!("step {step} of {steps}"));
            if total {
                report = report.with_total(steps as f64);
            }
            context
                .peer
                .notify_progress(report)
                .await
                .map_err(|why| unsent(&why))?;
        }
    }
    let reported = if token.is_some() {
        "each reported"
    } else {
        "none reported: the call has no progress token"
    };
    done(format!("{steps} steps done, {reported}"))
}

pub(super) async fn log(demo: &Demo, given: &Arguments, context: &Context) -> Answer {
    let name = given.text("level")?.unwrap_or("info");
    let Some(index) = LEVEL_NAMES.iter().position(|&level| level == name) else {
        return Err(wrong(
            "level",
            &format!("one of {}", LEVEL_NAMES.join(", ")),
            &Value::from(name),
        ));
    };
    let message = given
        .text("message")?
        .unwrap_or("Hello from the demo server");
    let logger = given.text("logger")?.unwrap_or("demo");
    let Some(wanted) = demo.log_level(context) else {
        return done("not sent: the call names no log level, so this client wants no log messages");
    };
    if index < severity(wanted) {
        return done(format!(
            "not sent: the client wants {} and above",
            LEVEL_NAMES[severity(wanted)]
        ));
    }
    let report = LoggingMessageNotificationParam::new(LEVELS[index], json!({ "message": message }))
        .with_logger(logger);
    context
        .peer
        .notify_logging_message(report)
        .await
        .map_err(|why| unsent(&why))?;
    done(format!("sent as {name}"))
}

pub(super) async fn log_levels(demo: &Demo, context: &Context) -> Answer {
    let Some(wanted) = demo.log_level(context) else {
        return done(
            "none sent: the call names no log level, so this client wants no log messages",
        );
    };
    let mut sent = 0;
    for (index, level) in LEVELS.into_iter().enumerate().skip(severity(wanted)) {
        let name = LEVEL_NAMES[index];
        let (logger, data) = match index % 3 {
            0 => ("db", json!(format!("a text of level {name}"))),
            1 => (
                "http",
                json!({ "level": name, "path": "/orders", "ms": 12 }),
            ),
            _ => ("jobs", json!([name, index])),
        };
        let report = LoggingMessageNotificationParam::new(level, data).with_logger(logger);
        let sending = context.peer.notify_logging_message(report);
        sending.await.map_err(|why| unsent(&why))?;
        sent += 1;
    }
    done(format!("{sent} messages sent"))
}

pub(super) async fn slow(given: &Arguments, context: &Context) -> Answer {
    let ms = given.integer("ms", 0..=MAX_WAIT_MS, 2_000)?;
    if cancelled_within(milliseconds(ms), context).await {
        return done("cancelled");
    }
    done(format!("answered after {ms} ms"))
}

pub(super) fn big_result(given: &Arguments) -> Answer {
    let kib = given.integer("kib", 1..=MAX_RESULT_KIB, 1_024)?;
    let text = offers::lines(usize::try_from(kib * 16).unwrap_or_default());
    if !given.flag("twice", false)? {
        return done(text);
    }
    let mut result = CallToolResult::structured(json!({ "text": text }));
    result.content = vec![ContentBlock::text(text)];
    Ok(result)
}

/// Written past `rmcp`, which hands each notification from task to task, as long as there are lines to write.
pub(super) async fn burst(demo: &Demo, given: &Arguments, context: &Context) -> Answer {
    let n = given.integer("n", 1..=MAX_BURST, 1_000)?;
    let token = context.meta.get_progress_token();
    let level = demo.log_level(context);
    let mut lines = Vec::new();
    for i in 1..=n {
        if context.ct.is_cancelled() {
            return done(format!("cancelled in a burst of {n} notifications"));
        }
        let notification = nth_of_burst(i, n, token.clone(), level);
        let Some(output) = demo.output() else {
            let sent = context.peer.send_notification(notification).await;
            sent.map_err(|why| unsent(&why))?;
            continue;
        };
        push_line(
            &mut lines,
            &ServerJsonRpcMessage::notification(notification),
        )
        .map_err(|why| unsent(&why))?;
        if lines.len() >= BURST_CHUNK || i == n {
            output
                .write(std::mem::take(&mut lines))
                .await
                .map_err(|why| unsent(&why))?;
        }
    }
    done(format!("{n} notifications sent"))
}

fn nth_of_burst(
    i: i64,
    n: i64,
    token: Option<ProgressToken>,
    level: Option<LoggingLevel>,
) -> ServerNotification {
    let data = || json!({ "i": i, "of": n });
    match (token, level) {
        (Some(token), _) => {
            let report = ProgressNotificationParam::new(token, i as f64).with_total(n as f64);
            ProgressNotification::new(report).into()
        }
        (None, Some(level)) => {
            let report = LoggingMessageNotificationParam::new(level, data()).with_logger("burst");
            LoggingMessageNotification::new(report).into()
        }
        (None, None) => CustomNotification::new(TICK, Some(data())).into(),
    }
}

pub(super) fn is_error(given: &Arguments) -> Answer {
    let message = given
        .text("message")?
        .unwrap_or("The warehouse is closed until Monday. Ask again then.");
    Ok(CallToolResult::error(vec![ContentBlock::text(message)]))
}

pub(super) fn protocol_error(given: &Arguments) -> Answer {
    let code = given.integer("code", i64::from(i32::MIN)..=i64::from(i32::MAX), -32_603)?;
    let message = given
        .text("message")?
        .unwrap_or("The database is gone")
        .to_owned();
    let data = json!({ "reason": "asked for", "retryAfterMs": 1_500, "trace": ["pool.acquire", "orders.load"] });
    Err(Refusal::Protocol(ErrorData::new(
        ErrorCode(i32::try_from(code).unwrap_or(-32_603)),
        message,
        Some(data),
    )))
}

pub(super) async fn stderr(given: &Arguments) -> Answer {
    let lines = given.integer("lines", 1..=10_000, 3)?;
    let ansi = given.flag("ansi", true)?;
    let text: String = (1..=lines)
        .map(|line| {
            if ansi {
                format!("\u{1b}[2mdemo\u{1b}[0m \u{1b}[33mWARN\u{1b}[0m line {line} of {lines} on standard error\n")
            } else {
                format!("demo WARN line {line} of {lines} on standard error\n")
            }
        })
        .collect();
    say(&text).await;
    done(format!("{lines} lines written to standard error"))
}

pub(super) async fn exit(demo: &Demo, given: &Arguments) -> Answer {
    let code = given.integer("code", 0..=255, 3)?;
    say(&format!(
        "demo server: leaving with exit code {code}, as asked\n"
    ))
    .await;
    demo.exit(u8::try_from(code).unwrap_or(u8::MAX));
    std::future::pending().await
}

pub(super) fn delete_records(given: &Arguments) -> Answer {
    let table = given.text("table")?.ok_or_else(|| missing("table"))?;
    if table != "customers" && table != "orders" {
        return Err(wrong("table", "customers or orders", &Value::from(table)));
    }
    let verb = if given.flag("dryRun", true)? {
        "would be"
    } else {
        "were"
    };
    done(format!(
        "0 records of {table} {verb} deleted: the table is empty"
    ))
}

/// Writes to standard error. A client that has closed it misses the text, which is no reason to fail.
async fn say(text: &str) {
    let mut stderr = tokio::io::stderr();
    if stderr.write_all(text.as_bytes()).await.is_ok() {
        stderr.flush().await.ok();
    }
}

/// Waits; `true` if the client cancelled the request meanwhile.
async fn cancelled_within(time: Duration, context: &Context) -> bool {
    tokio::select! {
        () = context.ct.cancelled() => true,
        () = tokio::time::sleep(time) => false,
    }
}

fn milliseconds(count: i64) -> Duration {
    Duration::from_millis(u64::try_from(count).unwrap_or_default())
}

fn severity(level: LoggingLevel) -> usize {
    LEVELS
        .iter()
        .position(|&other| other == level)
        .unwrap_or_default()
}

fn done(text: impl Into<String>) -> Answer {
    Ok(CallToolResult::success(vec![ContentBlock::text(text)]))
}

pub(super) fn unsent(why: &impl std::fmt::Display) -> Refusal {
    Refusal::Protocol(ErrorData::internal_error(
        format!("a notification could not be sent: {why}"),
        None,
    ))
}
