//! Published servers over Streamable HTTP.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use framescope_core::client::Draft;
use framescope_core::protocol::ServerConfig;
use framescope_core::record::Clock;
use framescope_tests::cli::Cli;
use framescope_tests::peers::{server_everything, shared_peer};

use super::peer::{How, SOON, client, soon, words};

/// A server that listens on a port, ended with this value.
struct Listening {
    child: Child,
    url: String,
}

impl Listening {
    /// `words`: its command line, `PORT` standing for the port; it is in the environment as well.
    fn start(words: &[String]) -> Self {
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|free| free.local_addr())
            .expect("a port")
            .port();
        let words: Vec<_> = words
            .iter()
            .map(|word| word.replace("PORT", &port.to_string()))
            .collect();
        let child = Command::new(&words[0])
            .args(&words[1..])
            .env("PORT", port.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let listening = Self {
            child,
            url: format!("http://127.0.0.1:{port}/mcp"),
        };
        let clock = Clock::start();
        let until = clock.now_us() + i64::try_from(SOON.as_micros()).expect("a time");
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(clock.now_us() < until, "{words:?} does not listen");
            std::thread::yield_now();
        }
        listening
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        // It fails only where the server has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

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
    let Some(mut words) = server_everything() else {
        return;
    };
    words.pop();
    words.push("streamableHttp".to_owned());
    let server = Listening::start(&words);
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
        &Listening::start(&words),
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
    let server = Listening::start(&words);
    let params = r#"{"name":"args-numbers","arguments":{"n":9007199254740993}}"#;
    talks(&server, "args-numbers", params, "9007199254740993").await;
}
