//! A forward proxy that the environment names.

use std::io;
use std::sync::{Arc, Mutex};

use framescope_tests::cli::Cli;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::task::TaskTracker;

use super::peer::Server;
use super::tls;

/// A proxy that takes every host for one server, and remembers what it was asked.
struct Proxy {
    url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    /// Begins to listen. Plain requests go to the port `plain`, tunnels to `secure`.
    async fn start(plain: u16, secure: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let asked = Arc::<Mutex<Vec<String>>>::default();
        let told = Arc::clone(&asked);
        let tasks = TaskTracker::new();
        let clients = tasks.clone();
        tasks.spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let told = Arc::clone(&told);
                // A client may go at any time.
                clients.spawn(async move { serve(client, plain, secure, &told).await });
            }
        });
        Self { url, asked }
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("nobody panicked").clone()
    }
}

async fn serve(
    mut client: TcpStream,
    plain: u16,
    secure: u16,
    asked: &Mutex<Vec<String>>,
) -> io::Result<()> {
    let mut head = vec![];
    while !head.ends_with(b"\r\n\r\n") {
        head.push(client.read_u8().await?);
    }
    let text = String::from_utf8_lossy(&head).into_owned();
    let line = text.lines().next().unwrap_or_default().to_owned();
    let tunnel = line.starts_with("CONNECT ");
    asked.lock().expect("nobody panicked").push(line);
    let port = if tunnel { secure } else { plain };
    let mut server = TcpStream::connect(("127.0.0.1", port)).await?;
    if tunnel {
        client.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await?;
    } else {
        // The server takes a URL where others take a path alone.
        server.write_all(&head).await?;
    }
    copy_bidirectional(&mut client, &mut server).await?;
    Ok(())
}

fn port(url: &str) -> u16 {
    let rest = url.rsplit_once(':').map_or("", |(_, rest)| rest);
    let digits = rest.split('/').next().unwrap_or_default();
    digits.parse().expect("a port")
}

/// `.invalid` has no address (RFC 6761): who gets through has gone through the proxy.
#[tokio::test(flavor = "multi_thread")]
async fn the_proxy_of_the_environment_is_used_but_for_what_it_excepts() {
    let data = tempfile::tempdir().expect("a folder");
    let Some(cli) = Cli::on(data.path()) else {
        return;
    };
    let server = Server::start(&["json"]);
    let Some(terminator) = tls::start(data.path(), &server) else {
        return;
    };
    let proxy = Proxy::start(port(&server.url), port(&terminator.url)).await;
    let ca = data.path().join("ca.pem").display().to_string();
    let run = |url: &str, excepted: &str| {
        let mut words = vec!["list", "tools", "--url", url];
        if url.starts_with("https:") {
            words.extend(["--ca", &ca]);
        }
        let mut command = cli.command(&words);
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"] {
            command.env_remove(name).env_remove(name.to_lowercase());
        }
        command
            .env("http_proxy", &proxy.url)
            .env("https_proxy", &proxy.url)
            .env("no_proxy", excepted);
        framescope_tests::cli::to_its_end(command)
    };
    run("http://mcp.invalid/mcp", "").expect(0);
    let asked = proxy.asked();
    assert!(
        !asked.is_empty()
            && asked
                .iter()
                .all(|line| line.ends_with(" http://mcp.invalid/mcp HTTP/1.1")),
        "{asked:?}"
    );

    run("https://mcp.invalid/mcp", "").expect(0);
    let asked = proxy.asked();
    assert_eq!(
        asked.last().map(String::as_str),
        Some("CONNECT mcp.invalid:443 HTTP/1.1"),
        "what is secret goes through a tunnel: {asked:?}"
    );

    let direct = run("http://mcp.invalid/mcp", "mcp.invalid");
    assert_eq!(direct.code, 3, "{}", direct.stderr);
    assert!(direct.stderr.contains("mcp.invalid"), "{}", direct.stderr);
    run(&server.url, "").expect(0);
    assert_eq!(proxy.asked(), asked, "neither it nor this machine");
}
