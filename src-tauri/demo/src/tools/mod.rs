//! The tools: what each file of this folder offers, and which function answers which name.

pub(crate) mod arguments;
mod behaviour;
mod changes;
mod client;
mod content;
mod input;
pub(crate) mod weather;

use rmcp::ErrorData;
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock, InputRequiredResult, Tool};

use crate::ask;
use crate::dialog::{Dialog, Round, Stop};
use crate::server::{Context, Demo, signature};
pub(crate) use input::Arguments;

/// Why a tool gives no result of its own.
pub(crate) enum Refusal {
    /// The arguments are wrong. It is the caller (a model, say) that can mend this, so it is told in a result with
    /// `isError` (2025-11-25, tools › Error Handling).
    Input(String),
    /// The request fails as a whole, with a JSON-RPC error.
    Protocol(ErrorData),
    /// The client is to answer questions and to call again.
    Again(Box<InputRequiredResult>),
}

impl From<ErrorData> for Refusal {
    fn from(error: ErrorData) -> Self {
        Self::Protocol(error)
    }
}

impl From<Stop> for Refusal {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Again(result) => Self::Again(result),
            Stop::Refused(error) => Self::Protocol(error),
        }
    }
}

type Answer = Result<CallToolResult, Refusal>;

/// Every tool, in the order in which they are listed.
pub(crate) fn all() -> Vec<Tool> {
    let mut tools = vec![weather::tool()];
    tools.extend(arguments::tools());
    tools.extend(behaviour::tools());
    tools.extend(content::tools());
    tools.extend(client::tools());
    tools.extend(changes::tools());
    tools
}

/// The tool that comes and goes.
pub(crate) fn extra() -> Tool {
    changes::extra()
}

pub(crate) async fn call(
    demo: &Demo,
    name: &str,
    given: &Arguments,
    round: Round,
    context: Context,
) -> Result<CallToolResponse, ErrorData> {
    let meta = signature(&context);
    let answer = match Dialog::new(&context, round) {
        Ok(dialog) => answer(demo, name, given, dialog, &context).await,
        Err(error) => Err(error.into()),
    };
    match answer {
        Ok(result) => Ok(result.with_meta(meta).into()),
        Err(Refusal::Input(message)) => {
            let error = CallToolResult::error(vec![ContentBlock::text(message)]);
            Ok(error.with_meta(meta).into())
        }
        Err(Refusal::Protocol(error)) => Err(error),
        Err(Refusal::Again(mut result)) => {
            result.meta = meta;
            Ok((*result).into())
        }
    }
}

async fn answer(
    demo: &Demo,
    name: &str,
    given: &Arguments,
    dialog: Dialog<'_>,
    context: &Context,
) -> Answer {
    match name {
        weather::NAME => weather::call(given),
        "progress" => behaviour::progress(given, context).await,
        "log" => behaviour::log(demo, given, context).await,
        "log-levels" => behaviour::log_levels(demo, context).await,
        "slow" => behaviour::slow(given, context).await,
        "big-result" => behaviour::big_result(given),
        "burst" => behaviour::burst(demo, given, context).await,
        "is-error" => behaviour::is_error(given),
        "protocol-error" => behaviour::protocol_error(given),
        "stderr" => behaviour::stderr(given).await,
        "exit" => behaviour::exit(demo, given).await,
        "delete-records" => behaviour::delete_records(given),
        "image" => Ok(content::image()),
        "audio" => Ok(content::audio()),
        "resource-link" => Ok(content::resource_link()),
        "mixed-content" => Ok(content::mixed()),
        "elicit-form" => client::form(context, dialog).await,
        "elicit-url" => client::url(context, dialog).await,
        "url-required" => client::url_required(demo, context, dialog).await,
        "sample" => client::one(ask::sample("Write one line about the sea."), dialog).await,
        "sample-media" => client::one(ask::sample_media(), dialog).await,
        "sample-tools" => client::sample_tools(dialog).await,
        "list-roots" => client::one(ask::roots(), dialog).await,
        "ask-parallel" => client::parallel(dialog).await,
        "ask-in-rounds" => client::rounds(given, dialog).await,
        "state-only" => client::state_only(given, dialog),
        "ask-and-withdraw" => client::withdraw(given, context).await,
        "ping-client" => client::ping(context).await,
        "touch-resource" => changes::touch(demo, given, context).await,
        "change-list" => changes::change_list(demo, given, context).await,
        "end-subscriptions" => changes::end_subscriptions(demo).await,
        "extra" if demo.extra() => Ok(CallToolResult::success(vec![ContentBlock::text("extra")])),
        _ => Err(Refusal::Protocol(ErrorData::invalid_params(
            format!("no tool {name:?}: see tools/list"),
            None,
        ))),
    }
}
