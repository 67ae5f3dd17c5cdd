//! The headers in which a message over HTTP repeats what stands in its body (modern streamable-http › Request Metadata).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::draft::Manner;
use super::json::Members;
use crate::protocol::{Era, Revision};

const VERSION: &str = "MCP-Protocol-Version";
const METHOD: &str = "Mcp-Method";
const NAME: &str = "Mcp-Name";

/// The headers of a request with these params; those of the user come last and in place of ours.
pub(super) fn of_request(
    method: &str,
    params: Option<&str>,
    manner: Manner,
    users: &[(String, String)],
) -> Vec<(String, String)> {
    let mut headers = if manner.one_line {
        Vec::new()
    } else {
        mirrored(method, params, manner.revision)
    };
    headers.retain(|(name, _)| {
        !users
            .iter()
            .any(|(user, _)| user.eq_ignore_ascii_case(name))
    });
    headers.extend_from_slice(users);
    headers
}

/// The headers of a notification. The text leaves them open; these are what a server can expect at most.
pub(super) fn of_notification(method: &str, manner: Manner) -> Vec<(String, String)> {
    of_request(method, None, manner, &[])
}

fn mirrored(method: &str, params: Option<&str>, revision: Revision) -> Vec<(String, String)> {
    if revision.era() == Era::Legacy {
        // What the legacy era needs is the transport's business: its session.
        return Vec::new();
    }
    let params = params.and_then(|params| Members::of(params).ok());
    let meta = params.as_ref().and_then(|params| params.get("_meta"));
    let meta = meta.and_then(|meta| Members::of(meta.get()).ok());
    let version = meta.and_then(|meta| meta.string("io.modelcontextprotocol/protocolVersion"));
    let key = match method {
        "tools/call" | "prompts/get" => Some("name"),
        "resources/read" => Some("uri"),
        "tasks/get" | "tasks/update" | "tasks/cancel" => Some("taskId"),
        _ => None,
    };
    let name = key.and_then(|key| params.as_ref()?.string(key));
    let mut headers = vec![
        (
            VERSION.to_owned(),
            version.unwrap_or_else(|| revision.as_str().to_owned()),
        ),
        (METHOD.to_owned(), encoded(method)),
    ];
    headers.extend(name.map(|name| (NAME.to_owned(), encoded(&name))));
    headers
}

/// A value as it can stand in a header: as it is, or in Base64 where it would not arrive so (streamable-http › Custom Headers).
pub(super) fn encoded(value: &str) -> String {
    let plain =
        value.bytes().all(|byte| (b' '..=b'~').contains(&byte)) && value.trim_matches(' ') == value;
    let sentinel = value.starts_with("=?base64?") && value.ends_with("?=");
    if plain && !sentinel {
        value.to_owned()
    } else {
        format!("=?base64?{}?=", STANDARD.encode(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e06_a_value_arrives_as_it_is() {
        for (value, header) in [
            ("eu-3", "eu-3"),
            ("Grüße", "=?base64?R3LDvMOfZQ==?="),
            (" x", "=?base64?IHg=?="),
            ("a\nb", "=?base64?YQpi?="),
            ("a\tb", "=?base64?YQli?="),
            ("=?base64?hi?=", "=?base64?PT9iYXNlNjQ/aGk/PQ==?="),
            ("", ""),
            ("list_files", "list_files"),
            ("погода", "=?base64?0L/QvtCz0L7QtNCw?="),
            ("a\r\nX-Evil: 1", "=?base64?YQ0KWC1FdmlsOiAx?="),
            (" edge ", "=?base64?IGVkZ2Ug?="),
            (
                "=?base64?dGVzdA==?=",
                "=?base64?PT9iYXNlNjQ/ZEdWemRBPT0/PQ==?=",
            ),
            (
                "file:///docs/café.txt",
                "=?base64?ZmlsZTovLy9kb2NzL2NhZsOpLnR4dA==?=",
            ),
        ] {
            assert_eq!(encoded(value), header, "{value:?}");
        }
    }

    #[test]
    fn a_modern_request_repeats_its_body() {
        let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;
        let check = |method: &str, members: &str, name: Option<&str>| {
            let params = format!("{{{members}{meta}}}");
            let manner = Manner {
                revision: Revision::V2026_07_28,
                one_line: false,
                answers: crate::client::Answers::Refuse,
            };
            let mut expected = vec![
                ("MCP-Protocol-Version", "2026-07-28"),
                ("Mcp-Method", method),
            ];
            expected.extend(name.map(|name| ("Mcp-Name", name)));
            let found = of_request(method, Some(&params), manner, &[]);
            let found: Vec<_> = found
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str()))
                .collect();
            assert_eq!(found, expected, "{params}");
        };
        check("tools/list", "", None);
        check("tools/call", r#""name":"add","#, Some("add"));
        check("prompts/get", r#""name":"a","name":"b","#, Some("b"));
        check(
            "resources/read",
            r#""uri":"demo://h","name":"no","#,
            Some("demo://h"),
        );
        check("tasks/get", r#""taskId":"t1","#, Some("t1"));
        check("tools/call", r#""name":7,"#, None);
    }

    #[test]
    fn the_user_wins_and_other_wires_have_no_headers() {
        let manner = |revision, one_line| Manner {
            revision,
            one_line,
            answers: crate::client::Answers::Refuse,
        };
        let users = [("mcp-method".to_owned(), "other".to_owned())];
        let modern = of_request("ping", None, manner(Revision::V2026_07_28, false), &users);
        let names: Vec<_> = modern
            .iter()
            .map(|(name, value)| format!("{name}: {value}"))
            .collect();
        assert_eq!(
            names,
            ["MCP-Protocol-Version: 2026-07-28", "mcp-method: other"]
        );
        assert_eq!(
            of_notification("x", manner(Revision::V2026_07_28, true)),
            []
        );
        assert_eq!(
            of_notification("x", manner(Revision::V2025_11_25, false)),
            []
        );
    }
}
