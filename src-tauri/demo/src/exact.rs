//! Tools that return their arguments byte for byte.
//!
//! `rmcp` hands arguments over as `serde_json` values, which round `1e400`, write `1.50` as `1.5` and drop a repeated
//! key. Its `arbitrary_precision` feature would keep numbers, but for every crate in the build and not the rest. So the
//! lines that call these tools are answered here, from their text.

use std::borrow::Cow;

use rmcp::model::ProtocolVersion;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::server;
use crate::tools::arguments;

/// The parts of a `tools/call` request that the answer needs, as text.
#[derive(Deserialize)]
struct Request<'a> {
    #[serde(borrow)]
    id: &'a RawValue,
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow)]
    params: Params<'a>,
}

#[derive(Deserialize)]
struct Params<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow, rename = "_meta")]
    meta: Option<Meta<'a>>,
}

#[derive(Deserialize)]
struct Meta<'a> {
    #[serde(borrow, rename = "io.modelcontextprotocol/protocolVersion")]
    version: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "io.modelcontextprotocol/clientCapabilities")]
    capabilities: Option<&'a RawValue>,
}

/// The answer to `line`, without its line break, if `line` is a sound call of one of these tools.
///
/// `initialized`: whether the client has sent `initialize`. Everything else, and every call that the protocol says to
/// refuse, is left to `rmcp`.
pub(crate) fn answer(line: &[u8], initialized: bool) -> Option<Vec<u8>> {
    let request: Request<'_> = serde_json::from_slice(line).ok()?;
    if request.method != "tools/call" || !arguments::NAMES.contains(&&*request.params.name) {
        return None;
    }
    let modern = match request.params.meta {
        Some(Meta {
            version: Some(version),
            capabilities,
        }) => {
            if version != ProtocolVersion::V_2026_07_28.as_str() || capabilities.is_none() {
                return None;
            }
            true
        }
        Some(_) | None if initialized => false,
        Some(_) | None => return None,
    };
    let arguments = request.params.arguments.map_or("{}", RawValue::get);
    if !arguments.starts_with('{') {
        return None;
    }
    result(request.id.get(), arguments, modern).map(String::into_bytes)
}

fn result(id: &str, arguments: &str, modern: bool) -> Option<String> {
    let text = serde_json::to_string(arguments).ok()?;
    let (kind, meta) = if modern {
        let server = serde_json::to_string(&server::identity()).ok()?;
        (
            r#""resultType":"complete","#,
            format!(r#","_meta":{{"io.modelcontextprotocol/serverInfo":{server}}}"#),
        )
    } else {
        ("", String::new())
    };
    Some(format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{{kind}"content":[{{"type":"text","text":{text}}}],"structuredContent":{{"received":{arguments}}},"isError":false{meta}}}}}"#
    ))
}
