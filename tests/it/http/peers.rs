//! Published servers over Streamable HTTP.

use framescope_core::client::Draft;
use framescope_core::protocol::ServerConfig;
use framescope_tests::cli::Cli;
use framescope_tests::listening::Listening;
use framescope_tests::peers::{
    modern_python, server_everything_http, server_everything_sse, shared_peer,
};

use super::peer::{How, client, soon, words};

/// Lists the tools, and calls one.
async fn talks(server: &Listening, tool: &str, params: &str, expected: &str) {
    let (url, headers) = (server.url.clone(), vec![]);
    let config = ServerConfig::StreamableHttp { url, headers };
    talk(config, tool, params, expected).await;
}

/// The same over HTTP+SSE, by configuration and by fallback.
async fn talks_sse(server: &Listening, tool: &str, params: &str, expected: &str) {
    let (url, headers) = (server.url.replace("/mcp", "/sse"), vec![]);
    let older = ServerConfig::Sse {
        url: url.clone(),
        headers: headers.clone(),
    };
    talk(older, tool, params, expected).await;
    let found_out = ServerConfig::StreamableHttp { url, headers };
    talk(found_out, tool, params, expected).await;
}

async fn talk(config: ServerConfig, tool: &str, params: &str, expected: &str) {
    let url = config.display();
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
    let outcome = done.unwrap_or_else(|error| panic!("{url}: {error}"));
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
async fn server_everything_over_http_with_sse() {
    let Some(words) = server_everything_sse() else {
        return;
    };
    let server = Listening::start(&words).expect("it listens");
    let params = r#"{"name":"get-sum","arguments":{"a":2,"b":40}}"#;
    talks_sse(&server, "get-sum", params, "The sum of 2 and 40 is 42").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_modern_python_server_over_both_transports() {
    let params = r#"{"name":"add","arguments":{"a":2,"b":40}}"#;
    let Some(words) = modern_python("http") else {
        return;
    };
    let server = Listening::start(&words).expect("it listens");
    talks(&server, "add", params, "42").await;
    let words = modern_python("sse").expect("it is there");
    let server = Listening::start(&words).expect("it listens");
    talks_sse(&server, "add", params, "42").await;
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
