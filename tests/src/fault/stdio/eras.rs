//! Oddities of the handshake (wire reference, era detection).

use super::legacy;
use crate::fault::handshake::{Handshake, MODERN_ONLY, Reply};
use crate::fault::step::{Scenario, Step};

pub(super) const ERAS: &[Scenario] = &[
    era(
        "era-exits",
        "exits on server/discover",
        Reply::Exit(1),
        Reply::Good,
    ),
    era(
        "era-exits-later",
        "-32601 to server/discover, and an exit when initialize follows",
        Reply::Error(-32601),
        Reply::ExitIfProbed(1),
    ),
    era(
        "era-silent",
        "ignores server/discover",
        Reply::Silence,
        Reply::Good,
    ),
    era(
        "era-late",
        "a late answer to server/discover locks it into modern: -32022 to initialize",
        Reply::Held,
        Reply::Good,
    ),
    era(
        "era-deaf-then-modern",
        "modern only, ignores server/discover until it has refused initialize",
        Reply::AfterInitialize,
        MODERN_ONLY.initialize,
    ),
    era(
        "era-slow",
        "modern only, server/discover answered after 300 ms",
        Reply::After(300),
        MODERN_ONLY.initialize,
    ),
    era(
        "era-method-not-found",
        "-32601 to server/discover",
        Reply::Error(-32601),
        Reply::Good,
    ),
    era(
        "era-invalid-params",
        "-32602 to server/discover",
        Reply::Error(-32602),
        Reply::Good,
    ),
    era(
        "era-invalid-request",
        "-32600 to server/discover",
        Reply::Error(-32600),
        Reply::Good,
    ),
    era(
        "era-own-error",
        "-32000 to server/discover",
        Reply::Error(-32000),
        Reply::Good,
    ),
    era(
        "era-zero",
        "error code 0 to server/discover",
        Reply::Error(0),
        Reply::Good,
    ),
    era(
        "era-header-mismatch",
        "-32020 to server/discover",
        Reply::Error(-32020),
        Reply::Good,
    ),
    era(
        "era-unsupported-once",
        "-32022 with the version that was asked for, once",
        Reply::UnsupportedOnce(r#""2026-07-28""#),
        MODERN_ONLY.initialize,
    ),
    era(
        "era-unsupported-modern",
        "-32022 with a modern version nobody speaks",
        Reply::Unsupported(r#""2099-01-01""#),
        MODERN_ONLY.initialize,
    ),
    era(
        "era-unsupported-legacy",
        "-32022 with legacy versions only",
        Reply::Unsupported(r#""2025-11-25","2025-06-18""#),
        Reply::Good,
    ),
    era(
        "era-unsupported-bare",
        "-32022 without data that can be read",
        Reply::Unsupported("7"),
        Reply::Good,
    ),
    era(
        "era-legacy-listed",
        "a DiscoverResult with legacy versions only",
        Reply::Result(
            r#"{"resultType":"complete","supportedVersions":["2025-11-25"],"capabilities":{},"ttlMs":0,"cacheScope":"private"}"#,
        ),
        Reply::Good,
    ),
    era(
        "era-odd-result",
        "a DiscoverResult that cannot be read",
        Reply::Result(r#"{"versions":7}"#),
        Reply::Good,
    ),
    era(
        "era-refuses-all",
        "-32601 to server/discover, -32603 to initialize",
        Reply::Error(-32601),
        Reply::Error(-32603),
    ),
    era(
        "era-bare-initialize",
        "an InitializeResult without any member",
        Reply::Error(-32601),
        Reply::Result("{}"),
    ),
    era(
        "era-unknown-version",
        "an InitializeResult in a version nobody speaks",
        Reply::Error(-32601),
        Reply::Result(
            r#"{"protocolVersion":"1999-01-01","capabilities":{},"serverInfo":{"name":"fault-server","version":"0"}}"#,
        ),
    ),
];

const fn era(
    name: &'static str,
    about: &'static str,
    discover: Reply,
    initialize: Reply,
) -> Scenario {
    legacy(name, about, |_| vec![Step::ToEof]).with(Handshake {
        discover,
        initialize,
    })
}
