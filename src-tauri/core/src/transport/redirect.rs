//! Where the browser comes back to at the end of a sign-in: the only listener of this app, on 127.0.0.1, only while somebody
//! signs in (RFC 8252 § 7.3).

use std::io;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Duration, timeout};

/// The path that is listened to.
const PATH: &str = "/callback";
/// How much of a request is read.
const LIMIT: usize = 16 * 1024;
/// How long a browser may take to send it.
const PATIENCE: Duration = Duration::from_secs(5);

/// Static: nothing that came with the request stands in it.
const BACK: &str = "You can close this page and go back to Framescope.";
const STRANGE: &str = "This is not the sign-in that Framescope waits for.";

/// Waits for the browser.
#[derive(Debug)]
pub struct Redirects {
    listener: TcpListener,
    port: u16,
}

/// What the browser came back with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Returned {
    /// The address with its query.
    pub url: String,
}

impl Redirects {
    /// Listens on `port` where it is free, else on another one.
    ///
    /// # Errors
    /// Where this machine gives no port.
    pub async fn listen(port: Option<u16>) -> io::Result<Self> {
        let wanted = match port {
            Some(port) => TcpListener::bind(("127.0.0.1", port)).await.ok(),
            None => None,
        };
        let listener = match wanted {
            Some(listener) => listener,
            None => TcpListener::bind(("127.0.0.1", 0)).await?,
        };
        let port = listener.local_addr()?.port();
        Ok(Self { listener, port })
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The address to register and to come back to.
    pub fn uri(&self) -> String {
        format!("http://127.0.0.1:{}{PATH}", self.port)
    }

    /// Waits for the first request that `ours` takes for the end of this sign-in; all else is answered and passed over.
    pub async fn wait(&self, ours: impl Fn(&Returned) -> bool) -> Returned {
        loop {
            let Ok((mut stream, _)) = self.listener.accept().await else {
                continue;
            };
            let asked = timeout(PATIENCE, target(&mut stream)).await.ok().flatten();
            let returned = asked
                .filter(|target| target.split('?').next() == Some(PATH))
                .map(|target| Returned {
                    url: format!("http://127.0.0.1:{}{target}", self.port),
                })
                .filter(&ours);
            let (status, text) = match returned {
                Some(_) => ("200 OK", BACK),
                None => ("404 Not Found", STRANGE),
            };
            // The browser may have gone.
            let _ = timeout(PATIENCE, answer(&mut stream, status, text)).await;
            if let Some(returned) = returned {
                return returned;
            }
        }
    }
}

/// The target of a GET request.
async fn target(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        if head.len() >= LIMIT || stream.read_buf(&mut head).await.ok()? == 0 {
            return None;
        }
    }
    let head = String::from_utf8(head).ok()?;
    let mut words = head.lines().next()?.split(' ');
    let get = words.next() == Some("GET");
    words.next().filter(|_| get).map(str::to_owned)
}

async fn answer(stream: &mut TcpStream, status: &str, text: &str) -> io::Result<()> {
    let page =
        format!("<!doctype html><meta charset=\"utf-8\"><title>Framescope</title><p>{text}</p>");
    let answer = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nContent-Security-Policy: \
         default-src 'none'\r\nReferrer-Policy: no-referrer\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n{page}",
        page.len()
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await
}
