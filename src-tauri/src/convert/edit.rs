//! A frame of the client, taken apart to be edited and sent again.

use std::collections::BTreeMap;

use framescope_core::history::{HistoryError, Row, SessionReader};
use framescope_core::protocol::ServerConfig;
use framescope_core::record::{HttpEvent, HttpPhase};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::rows::EditRow;

/// Headers that every request of ours has.
const OURS: [&str; 12] = [
    "accept",
    "accept-encoding",
    "connection",
    "content-length",
    "content-type",
    "host",
    "last-event-id",
    "mcp-method",
    "mcp-name",
    "mcp-protocol-version",
    "mcp-session-id",
    "user-agent",
];

/// What a call of a tool is read for. Of a key that stands twice, the last one.
#[derive(Deserialize)]
struct Call<'a> {
    method: String,
    #[serde(borrow)]
    params: BTreeMap<String, &'a RawValue>,
}

/// The parts of a frame.
pub(crate) async fn edit_row(reader: &SessionReader, row: &Row) -> Result<EditRow, HistoryError> {
    let body = reader.body(row.seq).await?;
    let text = String::from_utf8_lossy(&body).into_owned();
    let (tool, arguments) = call(&text).unzip();
    Ok(EditRow {
        headers: headers(reader, row).await?,
        tool,
        arguments: arguments.flatten(),
        text,
    })
}

fn call(text: &str) -> Option<(String, Option<String>)> {
    let call: Call<'_> = serde_json::from_str(text).ok()?;
    let name = call
        .params
        .get("name")
        .filter(|_| call.method == "tools/call")?;
    let name = serde_json::from_str(name.get()).ok()?;
    let arguments = call.params.get("arguments").map(|raw| raw.get().to_owned());
    Some((name, arguments))
}

/// Those of its HTTP request that are neither ours nor the server's configured ones.
async fn headers(reader: &SessionReader, row: &Row) -> Result<Vec<(String, String)>, HistoryError> {
    let configured = match reader.summary().await?.config {
        ServerConfig::StreamableHttp { headers, .. } | ServerConfig::Sse { headers, .. } => headers,
        ServerConfig::Stdio { .. } => return Ok(vec![]),
    };
    for http in reader.exchange(row.seq).await? {
        let body = reader.body(http.seq).await?;
        let Ok(event) = serde_json::from_slice::<HttpEvent>(&body) else {
            continue;
        };
        if event.phase != HttpPhase::Request {
            continue;
        }
        let own = |name: &str| {
            OURS.iter().any(|ours| name.eq_ignore_ascii_case(ours))
                || configured
                    .iter()
                    .any(|(known, _)| name.eq_ignore_ascii_case(known))
        };
        return Ok(event
            .headers
            .into_iter()
            .filter(|(name, _)| !own(name))
            .collect());
    }
    Ok(vec![])
}

#[cfg(test)]
mod tests {
    use super::call;

    #[test]
    fn the_arguments_of_a_call_stay_to_the_byte() {
        for (text, expected) in [
            (
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments": {"n": 9007199254740993, "n":1.0 },"name":"get\u002dsum"}}"#,
                Some(("get-sum", Some(r#"{"n": 9007199254740993, "n":1.0 }"#))),
            ),
            (
                r#"{"id":1,"method":"tools/call","params":{"name":"a"}}"#,
                Some(("a", None)),
            ),
            (
                r#"{"id":1,"method":"tools/list","params":{"name":"a"}}"#,
                None,
            ),
            (
                r#"{"id":1,"method":"tools/call","params":{"name":7}}"#,
                None,
            ),
            (r#"{"id":1,"method":"tools/call","params":[]}"#, None),
            ("not JSON", None),
        ] {
            let found = call(text);
            let found = found
                .as_ref()
                .map(|(name, arguments)| (name.as_str(), arguments.as_deref()));
            assert_eq!(found, expected, "{text}");
        }
    }
}
