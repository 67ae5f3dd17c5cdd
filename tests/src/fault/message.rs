//! The messages of a server that behaves, as text, and what it reads off the client's.

use serde_json::Value;

/// The version that the modern scenarios speak.
pub(crate) const MODERN: &str = "2026-07-28";
/// The newest version with a handshake.
const LATEST_LEGACY: &str = "2025-11-25";
const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", LATEST_LEGACY];
const META_VERSION: &str = "/params/_meta/io.modelcontextprotocol~1protocolVersion";

/// What the client sent.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// The id as JSON text; `None` for a notification.
    pub(crate) id: Option<String>,
    /// `None` for a response.
    pub(crate) method: Option<String>,
    message: Value,
}

impl Asked {
    /// `None` where the bytes are no JSON.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let message: Value = serde_json::from_slice(bytes).ok()?;
        let method = message.get("method").and_then(Value::as_str);
        Some(Self {
            id: message.get("id").map(Value::to_string),
            method: method.map(str::to_owned),
            message,
        })
    }

    /// Whether it carries its version with it, as modern requests do.
    pub(crate) fn is_modern(&self) -> bool {
        self.message.pointer(META_VERSION).is_some()
    }

    /// Whether it answers a request of ours.
    pub(crate) fn is_response(&self) -> bool {
        self.method.is_none() && self.id.is_some()
    }

    /// The id as JSON text, `null` where there is none.
    pub(crate) fn id(&self) -> &str {
        self.id.as_deref().unwrap_or("null")
    }

    /// The version that it names, in `_meta` or as `initialize` does.
    pub(crate) fn version(&self) -> &str {
        let legacy = || self.message.pointer("/params/protocolVersion");
        let named = self.message.pointer(META_VERSION).or_else(legacy);
        named.and_then(Value::as_str).unwrap_or("")
    }

    /// The answer of a server that behaves; `None` where it gives none.
    pub(crate) fn answer(&self) -> Option<String> {
        let (id, method) = (self.id.as_ref()?, self.method.as_ref()?);
        let result = match method.as_str() {
            "ping" | "logging/setLevel" => "{}".to_owned(),
            "tools/list" => TOOLS.to_owned(),
            "tools/call" => text_result("ok"),
            _ => return Some(error(id, -32601, "Method not found", "")),
        };
        Some(response(id, &self.completed(&result)))
    }

    /// A result with what the era of this request asks for (modern basic/index › ResultType).
    fn completed(&self, result: &str) -> String {
        if !self.is_modern() {
            return result.to_owned();
        }
        let rest = result.trim_start_matches('{');
        let comma = if rest == "}" { "" } else { "," };
        format!(r#"{{"resultType":"complete","ttlMs":0,"cacheScope":"private"{comma}{rest}"#)
    }
}

const TOOLS: &str =
    r#"{"tools":[{"name":"fault","description":"Misbehaves","inputSchema":{"type":"object"}}]}"#;

/// A result response.
pub(crate) fn response(id: &str, result: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#)
}

/// An error response; `data` is JSON text, or empty.
pub(crate) fn error(id: &str, code: i64, message: &str, data: &str) -> String {
    let data = if data.is_empty() {
        String::new()
    } else {
        format!(r#","data":{data}"#)
    };
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{code},"message":"{message}"{data}}}}}"#
    )
}

/// The result of a tool call, saying `text`.
pub(crate) fn text_result(text: &str) -> String {
    format!(r#"{{"content":[{{"type":"text","text":"{text}"}}]}}"#)
}

/// A log notification with this data.
pub(crate) fn notification(data: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":"info","data":"{data}"}}}}"#
    )
}

/// The result of `initialize`: the version that was asked for, or our newest.
pub(crate) fn initialize_result(version: &str) -> String {
    let version = if LEGACY.contains(&version) {
        version
    } else {
        LATEST_LEGACY
    };
    format!(
        r#"{{"protocolVersion":"{version}","capabilities":{{"tools":{{}},"logging":{{}}}},"serverInfo":{{"name":"fault-server","version":"0"}}}}"#
    )
}

/// The result of `server/discover`; `supported` is the inside of an array.
pub(crate) fn discover_result(supported: &str) -> String {
    format!(
        r#"{{"resultType":"complete","supportedVersions":[{supported}],"capabilities":{{"tools":{{}}}},"ttlMs":0,"cacheScope":"private","_meta":{{"io.modelcontextprotocol/serverInfo":{{"name":"fault-server","version":"0"}}}}}}"#
    )
}

/// The `data` of -32022.
pub(crate) fn unsupported(supported: &str, requested: &str) -> String {
    format!(r#"{{"supported":[{supported}],"requested":"{requested}"}}"#)
}
