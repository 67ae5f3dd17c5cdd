//! Servers that listen on a port of this machine.

use std::io;
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use framescope_core::record::Clock;

/// How long a server may take until it listens.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server that listens on a port, ended with this value.
#[derive(Debug)]
pub struct Listening {
    child: Child,
    /// Where it is reached.
    pub url: String,
}

impl Listening {
    /// Starts a server on a free port and waits until it listens. `words` is its command line, `PORT` in it standing for the
    /// port; that is in its environment as well.
    ///
    /// # Errors
    /// Where it cannot be started, or does not listen in time.
    pub fn start(words: &[String]) -> io::Result<Self> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut words = words
            .iter()
            .map(|word| word.replace("PORT", &port.to_string()));
        let child = Command::new(words.next().unwrap_or_default())
            .args(words)
            .env("PORT", port.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let listening = Self {
            child,
            url: format!("http://127.0.0.1:{port}/mcp"),
        };
        let clock = Clock::start();
        let until = clock.now_us() + i64::try_from(PATIENCE.as_micros()).unwrap_or(i64::MAX);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if clock.now_us() > until {
                return Err(io::Error::other("the server does not listen"));
            }
            sleep(Duration::from_millis(20));
        }
        Ok(listening)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        // It fails only where the server has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
