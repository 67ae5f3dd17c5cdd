//! Public faults of other clients, by the ids under which they are collected.

use std::time::Duration;

use super::requests::{ask, outcome, text};
use super::{INITIALIZE, NOT_FOUND, connect, fake, legacy, modern, sent};
use crate::client::{Cache, ClientError, Draft, Outcome};
use crate::protocol::{Direction, EraChoice};
use crate::record::Flags;
use crate::transport::testing::TestLog;

/// The answers of this side to requests of the server.
async fn answers(log: &TestLog, count: usize) -> Vec<String> {
    log.until("the answers", |all| {
        let found: Vec<_> = all
            .iter()
            .filter(|logged| {
                logged.is(Direction::ClientToServer) && logged.json()["method"].is_null()
            })
            .map(|logged| logged.json()["id"].to_string())
            .collect();
        (found.len() == count).then_some(found)
    })
    .await
}

#[tokio::test]
async fn p01_a_request_with_an_id_that_is_nothing_is_answered() {
    let log = TestLog::start();
    let asks = r#"{"jsonrpc":"2.0","id":0,"method":"roots/list"}
        {"jsonrpc":"2.0","id":"","method":"ping"}
        {"jsonrpc":"2.0","id":-1,"method":"ping"}
        {"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}
        {"jsonrpc":"2.0","id":$id,"result":{}}"#;
    let client = legacy(&log, &[("go", asks)]).await;
    outcome(&client, &ask("go")).await;
    assert_eq!(
        answers(&log, 4).await,
        ["0", "\"\"", "-1", "9007199254740993"]
    );
}

#[tokio::test]
async fn p03_null_and_foreign_ids_answer_nobody() {
    let log = TestLog::start();
    let odd = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}
        {"jsonrpc":"2.0","id":"$id","result":{"wrong":1}}
        {"jsonrpc":"2.0","id":$id.0,"result":{"wrong":2}}
        {"jsonrpc":"2.0","id":$id,"result":{"right":1}}"#;
    let client = legacy(&log, &[("go", odd)]).await;
    assert_eq!(text(outcome(&client, &ask("go")).await), r#"{"right":1}"#);
    let all = log.all();
    let found = all
        .iter()
        .filter(|logged| logged.is(Direction::ServerToClient));
    assert_eq!(found.count(), 2 + 4, "each is a row");
}

#[tokio::test]
async fn p04_the_same_id_in_both_directions_is_two_exchanges() {
    let log = TestLog::start();
    let asks = r#"{"jsonrpc":"2.0","id":$id,"method":"ping"}
        {"jsonrpc":"2.0","id":$id,"result":{"mine":1}}"#;
    let client = legacy(&log, &[("go", asks)]).await;
    assert_eq!(text(outcome(&client, &ask("go")).await), r#"{"mine":1}"#);
    assert_eq!(answers(&log, 1).await.len(), 1);
}

#[tokio::test]
async fn p07_progress_extends_the_wait_up_to_the_total() {
    let log = TestLog::start();
    let slow = r#"!i=0; while [ $i -lt 60 ]; do i=$((i+1)); printf '%s\n' "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":$id,\"progress\":$i}}"; sleep 0.1; done"#;
    let client = legacy(&log, &[("tools/call", slow)]).await;
    let draft = Draft {
        timeout: Some(Duration::from_millis(1500)),
        total: Some(Duration::from_millis(4000)),
        ..Draft::new("tools/call", Some(r#"{"name":"slow"}"#.to_owned()))
    };
    let Outcome::TimedOut { after } = outcome(&client, &draft).await else {
        panic!("it times out");
    };
    assert!(
        after >= Duration::from_millis(4000),
        "progress gave it time: {after:?}"
    );
    let told = sent(&log);
    assert!(
        told.iter()
            .any(|sent| sent.ends_with("notifications/cancelled")),
        "{told:?}"
    );
}

#[tokio::test]
async fn p08_each_call_has_a_token_and_tokens_of_nobody_do_no_harm() {
    let log = TestLog::start();
    let odd = r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"gone","progress":1}}
        {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":0,"progress":5,"total":3}}
        {"jsonrpc":"2.0","method":"notifications/progress"}
        {"jsonrpc":"2.0","id":$id,"result":{}}"#;
    let client = legacy(&log, &[("tools/call", odd)]).await;
    let call = Draft::new("tools/call", Some(r#"{"name":"a"}"#.to_owned()));
    for _ in 0..2 {
        assert_eq!(text(outcome(&client, &call).await), "{}");
    }
    let all = log.all();
    let tokens: Vec<_> = all
        .iter()
        .map(|logged| logged.json()["params"]["_meta"]["progressToken"].to_string())
        .filter(|token| token != "null")
        .collect();
    assert_eq!(tokens.len(), 2);
    assert_ne!(tokens[0], tokens[1]);
}

#[tokio::test]
async fn p10_cursors_of_every_kind_end() {
    for (cursors, pages) in [(&["8", "8"][..], 2), (&["a", "b", "a"], 3), (&["", ""], 2)] {
        let log = TestLog::start();
        let answer = |next: &str| {
            format!(
                r#"printf '%s\n' "{{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":{{\"tools\":[],\"nextCursor\":\"{next}\"}}}}""#
            )
        };
        let cases: Vec<_> = cursors
            .iter()
            .enumerate()
            .map(|(at, next)| format!("{}) {};;", at + 1, answer(next)))
            .collect();
        let script = format!("!n=$((n+1)); case $n in {} esac", cases.join(" "));
        let client = legacy(&log, &[("tools/list", &script)]).await;
        let listed = client.list_tools().await.expect("a list");
        assert_eq!(listed.pages, pages, "{cursors:?}: {:?}", listed.problems);
        assert!(
            listed.problems[0].contains("repeats the cursor"),
            "{:?}",
            listed.problems
        );
    }
}

#[tokio::test]
async fn p15_an_error_with_code_0_is_an_error() {
    let log = TestLog::start();
    let zero = r#"{"jsonrpc":"2.0","id":$id,"error":{"code":0,"message":"not allowed yet"}}"#;
    let client = legacy(&log, &[("go", zero)]).await;
    let Outcome::Reply {
        reply: Err(error), ..
    } = outcome(&client, &ask("go")).await
    else {
        panic!("it is an error");
    };
    assert_eq!((error.code, error.message.as_str()), (0, "not allowed yet"));
    assert!(log.all().iter().all(|logged| !logged.flag(Flags::ORPHAN)));
}

#[tokio::test]
async fn p17_a_server_may_choose_an_older_revision_and_no_unknown_one() {
    for (version, accepted) in [
        (r#""2024-11-05""#, true),
        (r#""2025-03-26""#, true),
        (r#""2030-01-01""#, false),
        (r#""v1""#, false),
        ("null", false),
    ] {
        let log = TestLog::start();
        let answer = INITIALIZE.1.replace(r#""2025-11-25""#, version);
        let server = fake(&[NOT_FOUND, ("initialize", &answer)]);
        match connect(&log, server, EraChoice::Auto).run().await {
            Ok(client) => {
                assert!(accepted, "{version}");
                let revision = client.negotiated().revision;
                assert_eq!(format!("{:?}", revision.as_str()), version);
            }
            Err(error) => {
                assert!(!accepted, "{version}: {error}");
                assert!(matches!(error, ClientError::Incompatible { .. }), "{error}");
                assert!(
                    error.to_string().contains("2025-11-25"),
                    "both sides are named: {error}"
                );
            }
        }
    }
}

/// 2026-07-28 basic/index › ResultType.
#[tokio::test]
async fn a_result_of_an_unknown_type_is_noted_and_no_list() {
    let log = TestLog::start();
    let odd = r#"{"jsonrpc":"2.0","id":$id,"result":{"resultType":"later","tools":[]}}"#;
    let client = modern(&log, &[("go", odd), ("tools/list", odd)]).await;
    assert!(
        text(outcome(&client, &ask("go")).await).contains("later"),
        "its caller sees what came"
    );
    let noted = log.until("a note", |all| {
        all.iter().find_map(|logged| logged.note("deviation"))
    });
    let noted = noted.await["text"].to_string();
    assert!(noted.contains("resultType"), "{noted}");
    let error = client.list_tools().await.expect_err("no list").to_string();
    assert!(error.contains("resultType"), "{error}");
}

/// 2026-07-28 server/utilities/caching.
#[tokio::test]
async fn a_list_is_kept_as_long_as_the_server_says() {
    let page = |ttl: &str, scope: &str, rest: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","id":$id,"result":{{"resultType":"complete","tools":[]{ttl},"cacheScope":"{scope}"{rest}}}}}"#
        )
    };
    let check = async |answers: &str, fresh: bool, problems: usize| {
        let log = TestLog::start();
        let changed = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
            {"jsonrpc":"2.0","id":$id,"result":{"resultType":"complete"}}"#;
        let client = modern(&log, &[("tools/list", answers), ("go", changed)]).await;
        assert!(client.fresh_tools().is_none(), "never read");
        let listed = client.list_tools().await.expect("a list");
        assert_eq!(listed.problems.len(), problems, "{:?}", listed.problems);
        assert_eq!(client.fresh_tools().is_some(), fresh, "{answers}");
        outcome(&client, &ask("go")).await;
        assert!(
            client.fresh_tools().is_none(),
            "the server says that it changed"
        );
        listed.cache
    };
    let cache = check(&page(r#","ttlMs":60000"#, "private", ""), true, 0).await;
    let told = Cache {
        ttl: Some(Duration::from_secs(60)),
        scope: Some("private".to_owned()),
    };
    assert_eq!(cache, told);
    check(&page("", "public", ""), true, 0).await;
    check(&page(r#","ttlMs":0"#, "public", ""), false, 0).await;
    check(&page(r#","ttlMs":-5"#, "public", ""), false, 1).await;
    check(&page(r#","ttlMs":1.5"#, "public", ""), false, 1).await;
    let first = page(r#","ttlMs":60000"#, "private", r#","nextCursor":"a""#);
    let second = page(r#","ttlMs":30000"#, "public", "");
    let shell = |answer: &str| format!("printf '%s\\n' \"{}\"", answer.replace('"', "\\\""));
    let pages = format!(
        "!case $line in *cursor*) {};; *) {};; esac",
        shell(&second),
        shell(&first)
    );
    let cache = check(&pages, true, 1).await;
    assert_eq!(
        cache.ttl,
        Some(Duration::from_secs(30)),
        "the shortest of the pages"
    );
}
