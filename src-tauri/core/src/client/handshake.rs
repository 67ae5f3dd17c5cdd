//! What an answer to `server/discover` or `initialize` means: the decision table, without I/O.

use std::time::Duration;

use serde_json::value::RawValue;

use super::json::{Json, Members, items, string};
use super::{ClientError, Negotiated, RpcError};
use crate::protocol::{Era, Revision, ServerConfig};
use crate::transport::{HttpError, TransportError};

/// The error by which a modern server refuses a revision.
pub(super) const UNSUPPORTED_VERSION: i64 = -32022;

/// How long a server may be silent after `server/discover` before it is taken for a legacy one.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// From the first byte that it wrote.
    pub from_output: Duration,
    /// From its start, where it has written nothing.
    pub from_start: Duration,
}

impl Patience {
    /// 10 s once it has written something: until then it may still be loading, for half a minute, and for a minute where
    /// the command may have to download the server first, which also writes meanwhile.
    pub fn of(config: &ServerConfig) -> Self {
        const DOWNLOADERS: [&str; 8] =
            ["npx", "npm", "pnpm", "yarn", "bunx", "uvx", "uv", "docker"];
        let slow = match config {
            ServerConfig::Stdio { command, .. } => {
                let file = command.rsplit(['/', '\\']).next().unwrap_or_default();
                let name = file.split('.').next().unwrap_or_default();
                DOWNLOADERS.contains(&name)
            }
            ServerConfig::StreamableHttp { .. } | ServerConfig::Sse { .. } => false,
        };
        let (output, start) = if slow { (30, 60) } else { (10, 30) };
        Self {
            from_output: Duration::from_secs(output),
            from_start: Duration::from_secs(start),
        }
    }
}

/// What came of `server/discover`.
#[derive(Debug)]
pub(super) enum Probe {
    /// A result, to the byte.
    Result(Json),
    /// A JSON-RPC error.
    Error(RpcError),
    /// Nothing, in time; the process was ended then.
    Silence,
    /// A usable result, but only while the process was being ended.
    Late,
    /// The process ended.
    Ended,
}

/// What follows from it.
#[derive(Debug)]
pub(super) enum Verdict {
    /// Modern, in this revision, with this result.
    Modern(Revision, Json),
    /// Modern, but it told nothing about itself, and why.
    Undescribed(Revision, String),
    /// Ask again in this revision.
    Again(Revision),
    /// Legacy, and why: `initialize` in the same process.
    Legacy(String),
    /// Taken for legacy, and why: `initialize` in a new process. A late answer would have locked the old one.
    Restart(String),
    /// Modern but slow, and why: ask again in a new process.
    RestartModern(String),
    /// Modern, but no revision in common.
    Incompatible(Vec<String>),
}

/// What a probe in the revision `asked` means. `again`: the server has been asked before, with the same error.
pub(super) fn judge(probe: Probe, asked: Revision, again: bool) -> Verdict {
    match probe {
        Probe::Result(result) => match supported(result.get(), "supportedVersions") {
            None => {
                Verdict::Legacy("the answer to server/discover has no supportedVersions".to_owned())
            }
            Some(versions) => match offer(&versions, asked) {
                Offer::Modern(revision) => Verdict::Modern(revision, result),
                Offer::Legacy => Verdict::Legacy(format!(
                    "the server lists only legacy revisions ({})",
                    versions.join(", ")
                )),
                Offer::Neither => Verdict::Incompatible(versions),
            },
        },
        Probe::Error(error) if error.code == UNSUPPORTED_VERSION => {
            let versions = error
                .data
                .as_deref()
                .and_then(|data| supported(data.get(), "supported"))
                .unwrap_or_default();
            match offer(&versions, asked) {
                Offer::Modern(revision) if !again => Verdict::Again(revision),
                Offer::Legacy => {
                    Verdict::Legacy(format!("the server supports only {}", versions.join(", ")))
                }
                Offer::Modern(_) | Offer::Neither => Verdict::Incompatible(versions),
            }
        }
        // Only modern code can emit these, though SDK clients differ; the error is shown.
        Probe::Error(error) if matches!(error.code, -32021 | -32020) => Verdict::Undescribed(
            asked,
            format!(
                "the server answered server/discover with {}: {}",
                error.code, error.message
            ),
        ),
        // Not keyed to one code (basic/transports/stdio › Backward Compatibility).
        Probe::Error(error) => Verdict::Legacy(format!(
            "the server answered server/discover with {}: {}",
            error.code, error.message
        )),
        Probe::Late => {
            Verdict::RestartModern("the server answered server/discover late".to_owned())
        }
        Probe::Silence => {
            Verdict::Restart(
                "the server did not answer server/discover in time, so it may not know it; a late answer would have locked it \
                 into the modern era, so it was ended"
                    .to_owned(),
            )
        }
        Probe::Ended => Verdict::Restart(
            "the server ended at server/discover, as some do at a first message that is not initialize".to_owned(),
        ),
    }
}

/// Whether an exchange without a JSON-RPC answer speaks for a legacy server: the endpoint is there and did not take the
/// message. 401 and 403 are about authorization, 429 and 5xx about the moment (streamable-http › Backward Compatibility).
pub(super) fn tells_legacy(error: &HttpError) -> bool {
    matches!(
        error.status(),
        Some(200..=299 | 400 | 402 | 404..=428 | 430..=499)
    )
}

/// Whether the answer to the first POST speaks for HTTP+SSE: refused, with no JSON-RPC message. 401 and 403 are about
/// authorization, 429 about the moment.
pub(super) fn refuses_transport(error: &ClientError) -> bool {
    let ClientError::Transport(TransportError::Http(HttpError::Status { status, .. })) = error
    else {
        return false;
    };
    matches!(status, 400 | 402 | 404..=428 | 430..=499)
}

/// The modern revision to ask again in, where a server refuses one and names others.
pub(super) fn mutual(error: &RpcError, asked: Revision) -> Option<Revision> {
    let data = error.data.as_deref()?;
    match offer(&supported(data.get(), "supported")?, asked) {
        Offer::Modern(revision) => Some(revision),
        Offer::Legacy | Offer::Neither => None,
    }
}

/// What a list of versions holds for us.
enum Offer {
    Modern(Revision),
    Legacy,
    Neither,
}

/// The revision that was asked for where it is listed, else the newest one that we speak.
fn offer(versions: &[String], asked: Revision) -> Offer {
    let listed = |revision: &Revision| versions.iter().any(|version| version == revision.as_str());
    let modern = Revision::ALL
        .into_iter()
        .rev()
        .filter(|revision| revision.era() == Era::Modern);
    if let Some(revision) = std::iter::once(asked).chain(modern).find(listed) {
        return Offer::Modern(revision);
    }
    // Version strings are dates, so they compare as text.
    let legacy = |version: &String| version.as_str() < Revision::V2026_07_28.as_str();
    if versions.iter().any(legacy) {
        Offer::Legacy
    } else {
        Offer::Neither
    }
}

/// The strings of a list of versions; `None` where there is no list.
pub(super) fn supported(value: &str, key: &str) -> Option<Vec<String>> {
    let list = Members::of(value).ok()?.get(key)?;
    Some(items(list.get())?.into_iter().filter_map(string).collect())
}

/// The legacy revision to offer after `initialize` was refused, where the server names one that was not offered yet.
pub(super) fn other_legacy(error: &RpcError, offered: Revision) -> Option<Revision> {
    let versions = error
        .data
        .as_deref()
        .and_then(|data| supported(data.get(), "supported"))?;
    let legacy = Revision::ALL
        .into_iter()
        .rev()
        .filter(|revision| revision.era() == Era::Legacy);
    let mut others = legacy.filter(|revision| *revision != offered);
    others.find(|revision| versions.iter().any(|version| version == revision.as_str()))
}

/// What a `DiscoverResult` tells. The identity belongs into `_meta`; older servers have it beside.
pub(super) fn discovered(revision: Revision, result: &Json) -> Negotiated {
    let members = Members::of(result.get()).ok();
    let member = |key| members.as_ref().and_then(|members| members.get(key));
    let meta = member("_meta").and_then(|meta| Members::of(meta.get()).ok());
    let server = meta
        .and_then(|meta| meta.get("io.modelcontextprotocol/serverInfo"))
        .or_else(|| member("serverInfo"));
    Negotiated {
        raw: result.clone(),
        ..negotiated(
            revision,
            server,
            member("capabilities"),
            member("instructions"),
        )
    }
}

/// What an `InitializeResult` tells, in the revision that it names; the text of an unknown one as error.
pub(super) fn initialized(result: &Json) -> Result<Negotiated, String> {
    let members = Members::of(result.get()).map_err(|_| "nothing".to_owned())?;
    let version = members.string("protocolVersion").ok_or("no revision")?;
    let revision: Revision = version.parse().map_err(|_| version)?;
    Ok(Negotiated {
        raw: result.clone(),
        ..negotiated(
            revision,
            members.get("serverInfo"),
            members.get("capabilities"),
            members.get("instructions"),
        )
    })
}

/// A modern server that told nothing about itself.
pub(super) fn undescribed(revision: Revision) -> Negotiated {
    negotiated(revision, None, None, None)
}

fn negotiated(
    revision: Revision,
    server: Option<&RawValue>,
    capabilities: Option<&RawValue>,
    instructions: Option<&RawValue>,
) -> Negotiated {
    let about = server.and_then(|server| Members::of(server.get()).ok());
    let word = |key| {
        about
            .as_ref()
            .and_then(|about| about.string(key))
            .unwrap_or_default()
    };
    Negotiated {
        era: revision.era(),
        revision,
        name: word("name"),
        version: word("version"),
        server: server.map(ToOwned::to_owned),
        capabilities: capabilities.unwrap_or(RawValue::NULL).to_owned(),
        instructions: instructions.and_then(string),
        raw: "null".into(),
    }
}
