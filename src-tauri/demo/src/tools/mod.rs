//! The tools: what each file of this folder offers, and which function answers which name.

pub(crate) mod arguments;
mod behaviour;
mod content;
mod input;
pub(crate) mod weather;

use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock, Tool};

use crate::server::{Context, Demo};
pub(crate) use input::Arguments;

/// Why a tool gives no result of its own.
pub(crate) enum Refusal {
    /// The arguments are wrong. It is the caller (a model, say) that can mend this, so it is told in a result with
    /// `isError` (2025-11-25, tools › Error Handling).
    Input(String),
    /// The request fails as a whole, with a JSON-RPC error.
    Protocol(ErrorData),
}

type Answer = Result<CallToolResult, Refusal>;

/// Every tool, in the order in which they are listed.
pub(crate) fn all() -> Vec<Tool> {
    let mut tools = vec![weather::tool()];
    tools.extend(arguments::tools());
    tools.extend(behaviour::tools());
    tools.extend(content::tools());
    tools
}

pub(crate) async fn call(
    demo: &Demo,
    name: &str,
    given: &Arguments,
    context: Context,
) -> Result<CallToolResult, ErrorData> {
    let answer = match name {
        weather::NAME => weather::call(given),
        "progress" => behaviour::progress(given, &context).await,
        "log" => behaviour::log(demo, given, &context).await,
        "slow" => behaviour::slow(given, &context).await,
        "big-result" => behaviour::big_result(given),
        "burst" => behaviour::burst(demo, given, &context).await,
        "is-error" => behaviour::is_error(given),
        "protocol-error" => behaviour::protocol_error(given),
        "stderr" => behaviour::stderr(given).await,
        "exit" => behaviour::exit(demo, given).await,
        "delete-records" => behaviour::delete_records(given),
        "image" => Ok(content::image()),
        "audio" => Ok(content::audio()),
        "resource-link" => Ok(content::resource_link()),
        "mixed-content" => Ok(content::mixed()),
        _ => Err(Refusal::Protocol(ErrorData::invalid_params(
            format!("no tool {name:?}: see tools/list"),
            None,
        ))),
    };
    match answer {
        Ok(result) => Ok(result),
        Err(Refusal::Input(message)) => {
            Ok(CallToolResult::error(vec![ContentBlock::text(message)]))
        }
        Err(Refusal::Protocol(error)) => Err(error),
    }
}
