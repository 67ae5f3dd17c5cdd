//! Published servers over Streamable HTTP.

use framescope_core::client::Draft;
use framescope_core::protocol::ServerConfig;
use framescope_tests::cli::Cli;
use framescope_tests::listening::Listening;
use framescope_tests::peers::{server_everything_http, shared_peer};

use super::peer::{How, client, soon, words};

/// Lists the tools, and calls one.
async fn talks(server: &Listening, tool: &str, params: &str, expected: &str) {
    let config = ServerConfig::StreamableHttp {
        url: server.url.clone(),
        headers: vec![],
    };
    let (done, _) = client(config, How::default(), async |client, _| {
        let tools = soon("the tools", client.list_tools())
            .await
            .expect("a list");
        assert!(
            tools.items.iter().any(|found| found.name == tool),
            "{:?}",
            tools.items
        );
        let call = client
            .call(&Draft::new("tools/call", Some(params.to_owned())))
            .await
            .expect("sent");
        words(&soon("the outcome", call.outcome()).await)
    })
    .await;
    let outcome = done.unwrap_or_else(|error| panic!("{}: {error}", server.url));
    assert!(outcome.contains(expected), "{outcome}");
}

#[tokio::test(flavor = "multi_thread")]
async fn server_everything_over_http() {
    let Some(words) = server_everything_http() else {
        return;
    };
    let server = Listening::start(&words).expect("it listens");
    let params = r#"{"name":"get-sum","arguments":{"a":2,"b":40}}"#;
    talks(&server, "get-sum", params, "The sum of 2 and 40 is 42").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn torture_over_http() {
    let Some(script) = shared_peer("torture-http.mjs") else {
        return;
    };
    let words = [
        "node".to_owned(),
        script.to_string_lossy().into_owned(),
        "PORT".to_owned(),
    ];
    let params = r#"{"name":"bigint-result","arguments":{}}"#;
    talks(
        &Listening::start(&words).expect("it listens"),
        "bigint-result",
        params,
        "9007199254740993",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_demo_server_over_http() {
    let data = tempfile::tempdir().expect("a folder");
    let Some(cli) = Cli::on(data.path()) else {
        return;
    };
    let mut words = cli.demo_server();
    words.extend(["--http".to_owned(), "PORT".to_owned()]);
    let server = Listening::start(&words).expect("it listens");
    let params = r#"{"name":"args-numbers","arguments":{"n":9007199254740993}}"#;
    talks(&server, "args-numbers", params, "9007199254740993").await;
}
