//! Tools that ask the client: for input of its user, for a completion of its model, for its roots.

use std::time::Duration;

use rmcp::ErrorData;
use rmcp::model::{
    CallToolResult, CancelledNotificationParam, ContentBlock, CustomNotification, ErrorCode,
    PingRequest, ProtocolVersion, ServerNotification, ServerRequest, Tool, ToolAnnotations,
};
use rmcp::object;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::input::Arguments;
use super::{Answer, Refusal};
use crate::ask;
use crate::dialog::{self, Dialog, Question};
use crate::server::{Context, Demo, modern};

/// How often the model may use its tool before it must answer.
const MAX_TURNS: usize = 5;
const PAGE: &str = "https://example.com/sign-in?next=%2Fdone&demo=1";
/// Between the consent to a page and the word that it was dealt with.
const VISIT: Duration = Duration::from_millis(300);

pub(super) fn tools() -> Vec<Tool> {
    let plain = [
        (
            "elicit-form",
            "Ask: a form",
            "Ask the user with a form that has each kind of field",
        ),
        (
            "elicit-url",
            "Ask: a page",
            "Ask the user to visit a page (URL mode). A legacy server says later that the visit is over.",
        ),
        (
            "url-required",
            "Refuse until a page is visited",
            "Legacy: refuse with error -32042 and a page to visit; once that is told to be done, the same call succeeds. Modern: ask for the visit with input_required.",
        ),
        (
            "sample",
            "Ask the model",
            "Ask the client's model for a text (sampling)",
        ),
        (
            "sample-media",
            "Ask the model about an image and a sound",
            "Sampling with an image and a sound in its messages",
        ),
        (
            "sample-tools",
            "Ask the model, with a tool",
            "Sampling with a tool that the model may use; the server runs it and asks again",
        ),
        (
            "list-roots",
            "Ask for roots",
            "Ask the client for its roots",
        ),
        (
            "ask-parallel",
            "Ask three things at once",
            "Ask a form, a sampling and the roots at the same time",
        ),
        (
            "ping-client",
            "Ping the client",
            "Ping the client and say how long the answer took. Legacy only: the modern era has no ping.",
        ),
    ];
    let mut all: Vec<_> = plain
        .into_iter()
        .map(|(name, title, description)| {
            Tool::new(
                name,
                description,
                object!({ "type": "object", "additionalProperties": false }),
            )
            .with_title(title)
        })
        .collect();
    all.push(Tool::new("ask-in-rounds", "Ask one form after the other. A modern server keeps the answers in requestState.", object!({
        "type": "object",
        "properties": { "rounds": { "type": "integer", "title": "Rounds", "minimum": 1, "maximum": 50, "default": 3 } },
        "additionalProperties": false
    })).with_title("Ask in rounds"));
    all.push(Tool::new("state-only", "Modern: send the client round again without a question, as a busy server does. Legacy: answer at once.", object!({
        "type": "object",
        "properties": { "rounds": { "type": "integer", "title": "Rounds", "minimum": 1, "maximum": 50, "default": 2 } },
        "additionalProperties": false
    })).with_title("Rounds without questions"));
    all.push(Tool::new("ask-and-withdraw", "Ask a form and take the question back after a while. Legacy only: a modern server cannot take a question back.", object!({
        "type": "object",
        "properties": { "ms": { "type": "integer", "title": "After", "description": "Milliseconds", "minimum": 0, "maximum": 600_000, "default": 1_000 } },
        "additionalProperties": false
    })).with_title("Ask and withdraw"));
    let hints = || ToolAnnotations::new().read_only(true).open_world(false);
    all.into_iter()
        .map(|tool| tool.with_annotations(hints()))
        .collect()
}

pub(super) async fn one(question: Question, mut dialog: Dialog<'_>) -> Answer {
    let answer = dialog.ask_one(question).await?;
    answered(&answer)
}

pub(super) async fn form(context: &Context, dialog: Dialog<'_>) -> Answer {
    let rich = context
        .protocol_version()
        .is_some_and(|version| version >= ProtocolVersion::V_2025_11_25);
    one(ask::form(rich), dialog).await
}

pub(super) async fn url(context: &Context, mut dialog: Dialog<'_>) -> Answer {
    let id = (!modern(context)).then_some("demo-visit");
    let answer = dialog.ask_one(ask::url(PAGE, id)).await?;
    if let (Some(id), "accept") = (id, answer["action"].as_str().unwrap_or_default()) {
        tokio::time::sleep(VISIT).await;
        complete(context, id).await?;
    }
    answered(&answer)
}

pub(super) async fn url_required(demo: &Demo, context: &Context, dialog: Dialog<'_>) -> Answer {
    const ID: &str = "demo-required-visit";
    if modern(context) {
        return one(ask::url(PAGE, None), dialog).await;
    }
    if demo.take_visited() {
        return done("the page was visited: the call succeeds, once");
    }
    let (_, _, elicitation) = ask::url(PAGE, Some(ID));
    demo.set_visited();
    let context = context.clone();
    demo.later(async move {
        tokio::time::sleep(VISIT).await;
        // Whoever has gone meanwhile misses it.
        complete(&context, ID).await.ok();
    });
    Err(Refusal::Protocol(ErrorData::new(
        ErrorCode(-32_042),
        "A page must be visited first",
        Some(json!({ "elicitations": [elicitation] })),
    )))
}

/// The visit of a page is over: 2025-11-25 only, so `rmcp` has no type for it.
async fn complete(context: &Context, id: &str) -> Result<(), Refusal> {
    let params = json!({ "elicitationId": id });
    let told = CustomNotification::new("notifications/elicitation/complete", Some(params));
    let sent = context
        .peer
        .send_notification(ServerNotification::CustomNotification(told));
    sent.await.map_err(|why| super::behaviour::unsent(&why))
}

pub(super) async fn sample_tools(mut dialog: Dialog<'_>) -> Answer {
    let mut messages = vec![
        json!({ "role": "user", "content": { "type": "text", "text": "Is AB-1234 in stock?" } }),
    ];
    for turn in 1..=MAX_TURNS {
        let answer = dialog
            .ask_one(ask::sample_with_tools(turn, &messages))
            .await?;
        let content = &answer["content"];
        let blocks = content
            .as_array()
            .cloned()
            .unwrap_or_else(|| vec![content.clone()]);
        let uses: Vec<_> = blocks
            .iter()
            .filter(|block| block["type"] == "tool_use")
            .collect();
        if uses.is_empty() {
            return answered(&answer);
        }
        let results: Vec<_> = uses
            .iter()
            .map(|used| json!({
                "type": "tool_result",
                "toolUseId": used["id"],
                "content": [{ "type": "text", "text": format!("12 of {} in stock", used["input"]["sku"]) }]
            }))
            .collect();
        messages.push(json!({ "role": "assistant", "content": blocks }));
        messages.push(json!({ "role": "user", "content": results }));
    }
    Err(Refusal::Input(format!(
        "the model used its tool {MAX_TURNS} times and did not answer"
    )))
}

pub(super) async fn parallel(mut dialog: Dialog<'_>) -> Answer {
    let questions = vec![
        ask::pick("number", "Pick a number"),
        ask::sample("Name a colour"),
        ask::roots(),
    ];
    let answers = dialog.ask(questions).await?;
    answered(&json!({ "number": answers[0], "sample": answers[1], "roots": answers[2] }))
}

pub(super) async fn rounds(given: &Arguments, mut dialog: Dialog<'_>) -> Answer {
    let rounds = given.integer("rounds", 1..=50, 3)?;
    let mut answers = vec![];
    for round in 1..=rounds {
        let message = format!("Round {round} of {rounds}: pick a number");
        let question = ask::pick(format!("round-{round}"), &message);
        answers.push(dialog.ask_one(question).await?);
    }
    answered(&Value::from(answers))
}

pub(super) fn state_only(given: &Arguments, mut dialog: Dialog<'_>) -> Answer {
    let rounds = given.integer("rounds", 1..=50, 2)?;
    for round in 1..=rounds {
        dialog.come_again(format!("busy ∙ \"{round}\""))?;
    }
    done(format!(
        "here after {rounds} rounds, or at once in the legacy era"
    ))
}

pub(super) async fn withdraw(given: &Arguments, context: &Context) -> Answer {
    let ms = u64::try_from(given.integer("ms", 0..=600_000, 1_000)?).unwrap_or_default();
    if modern(context) {
        return done("nothing asked: a modern server cannot take a question back");
    }
    let (_, method, params) = ask::pick("number", "Pick a number, quickly");
    let handle = dialog::send(context, method, params).await?;
    let (id, peer) = (handle.id.clone(), handle.peer.clone());
    tokio::select! {
        told = handle.await_response() => match told {
            Ok(answer) => answered(&serde_json::to_value(answer).unwrap_or_default()),
            Err(why) => done(format!("not answered: {why}")),
        },
        () = tokio::time::sleep(Duration::from_millis(ms)) => {
            let why = CancelledNotificationParam::new(Some(id), Some("took too long".to_owned()));
            peer.notify_cancelled(why).await.map_err(|why| super::behaviour::unsent(&why))?;
            done(format!("the question was taken back after {ms} ms"))
        }
    }
}

pub(super) async fn ping(context: &Context) -> Answer {
    if modern(context) {
        return done("not sent: the modern era has no ping");
    }
    let begun = Instant::now();
    let ping = ServerRequest::PingRequest(PingRequest {
        method: Default::default(),
        extensions: Default::default(),
    });
    match context.peer.send_request(ping).await {
        Ok(_) => done(format!(
            "the client answered after {} µs",
            begun.elapsed().as_micros()
        )),
        Err(why) => Err(Refusal::Input(format!(
            "the client did not answer the ping: {why}"
        ))),
    }
}

fn answered(answer: &Value) -> Answer {
    let mut result = CallToolResult::structured(json!({ "answer": answer }));
    result.content = vec![ContentBlock::text(format!("The client answered: {answer}"))];
    Ok(result)
}

fn done(text: impl Into<String>) -> Answer {
    Ok(CallToolResult::success(vec![ContentBlock::text(text)]))
}
