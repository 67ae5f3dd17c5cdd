//! Tools that change what can be subscribed to.

use std::time::Duration;

use rmcp::model::{
    CallToolResult, ContentBlock, ResourceUpdatedNotificationParam, Tool, ToolAnnotations,
};
use rmcp::object;
use serde_json::Value;

use super::input::{Arguments, wrong};
use super::{Answer, behaviour};
use crate::hub::List;
use crate::offers::COUNTER_URI;
use crate::server::{Context, Demo, modern};

pub(super) fn tools() -> Vec<Tool> {
    let hints = || {
        ToolAnnotations::new()
            .read_only(false)
            .destructive(false)
            .open_world(false)
    };
    vec![
        Tool::new("touch-resource", "Raise the counter and tell whoever subscribed to a resource that it changed", object!({
            "type": "object",
            "properties": {
                "uri": { "type": "string", "title": "URI", "default": COUNTER_URI },
                "times": { "type": "integer", "title": "Times", "minimum": 1, "maximum": 1_000, "default": 1 },
                "intervalMs": { "type": "integer", "title": "Interval", "description": "Milliseconds between them", "minimum": 0, "maximum": 60_000, "default": 0 }
            },
            "additionalProperties": false
        })).with_title("Touch a resource").with_annotations(hints()),
        Tool::new("change-list", "Tell that a list changed. Legacy: an extra item comes or goes. Modern: lists do not depend on calls, so that nothing else changes.", object!({
            "type": "object",
            "properties": { "list": { "type": "string", "title": "List", "enum": ["tools", "prompts", "resources"], "default": "tools" } },
            "additionalProperties": false
        })).with_title("Change a list").with_annotations(hints()),
        Tool::new("end-subscriptions", "Modern: end all subscriptions/listen streams in an orderly way, as a server does that is shut down", object!({
            "type": "object",
            "additionalProperties": false
        })).with_title("End subscriptions").with_annotations(hints()),
    ]
}

/// There until `change-list` takes it away.
pub(super) fn extra() -> Tool {
    Tool::new(
        "extra",
        "There until `change-list` takes it away",
        object!({ "type": "object", "additionalProperties": false }),
    )
    .with_title("Extra")
    .with_annotations(ToolAnnotations::new().read_only(true).open_world(false))
}

pub(super) async fn touch(demo: &Demo, given: &Arguments, context: &Context) -> Answer {
    let uri = given.text("uri")?.unwrap_or(COUNTER_URI);
    let times = given.integer("times", 1..=1_000, 1)?;
    let interval = given.integer("intervalMs", 0..=60_000, 0)?;
    let interval = Duration::from_millis(u64::try_from(interval).unwrap_or_default());
    let mut told = 0;
    let mut count = demo.hub.counter();
    for time in 0..times {
        if time > 0 && !interval.is_zero() {
            tokio::select! {
                () = tokio::time::sleep(interval) => {}
                () = context.ct.cancelled() => break,
            }
        }
        count = demo.hub.count();
        told += demo.hub.updated(uri).await;
        if demo.subscribed.lock().contains(uri) {
            let update = ResourceUpdatedNotificationParam::new(uri);
            let sent = context.peer.notify_resource_updated(update);
            sent.await.map_err(|why| behaviour::unsent(&why))?;
            told += 1;
        }
    }
    done(format!(
        "the counter is {count}; {told} notifications about {uri}"
    ))
}

pub(super) async fn change_list(demo: &Demo, given: &Arguments, context: &Context) -> Answer {
    let name = given.text("list")?.unwrap_or("tools");
    let list = match name {
        "tools" => List::Tools,
        "prompts" => List::Prompts,
        "resources" => List::Resources,
        other => {
            return Err(wrong(
                "list",
                "tools, prompts or resources",
                &Value::from(other),
            ));
        }
    };
    if modern(context) {
        let told = demo.hub.list_changed(list).await;
        return done(format!(
            "{told} listeners were told that the list of {name} changed"
        ));
    }
    let there = demo.toggle_extra();
    let sent = match list {
        List::Tools => context.peer.notify_tool_list_changed().await,
        List::Prompts => context.peer.notify_prompt_list_changed().await,
        List::Resources => context.peer.notify_resource_list_changed().await,
    };
    sent.map_err(|why| behaviour::unsent(&why))?;
    let what = if there { "came" } else { "went" };
    done(format!(
        "`extra` {what}, and the client was told that the list of {name} changed"
    ))
}

pub(super) async fn end_subscriptions(demo: &Demo) -> Answer {
    done(format!("{} subscriptions ended", demo.hub.end().await))
}

fn done(text: impl Into<String>) -> Answer {
    Ok(CallToolResult::success(vec![ContentBlock::text(text)]))
}
