//! Drives the real app through WebKitWebDriver.

use std::path::Path;
use std::time::Duration;

use fantoccini::elements::Element;
use fantoccini::error::CmdError;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

/// What can go wrong in a journey.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

/// A drawn row of the timeline: its number, its kind, its text.
pub type Row = (u64, String, String);

/// How long a journey waits for something to show.
const PATIENCE: Duration = Duration::from_secs(30);

/// Pictures taken at most until two are the same: a clock that runs changes each.
const PICTURES: usize = 5;

/// The app, started on a data folder.
#[derive(Debug)]
pub struct App {
    driver: Child,
    page: Client,
}

impl App {
    /// Starts the app on `data`, with a window of 1440×900.
    pub async fn start(program: &Path, data: &Path) -> Result<Self, Error> {
        Self::start_with(program, data, &[]).await
    }

    /// The same with more variables in its environment.
    pub async fn start_with(
        program: &Path,
        data: &Path,
        variables: &[(&str, &Path)],
    ) -> Result<Self, Error> {
        let port = std::net::TcpListener::bind("127.0.0.1:0")?
            .local_addr()?
            .port();
        let driver = Command::new("WebKitWebDriver")
            .arg(format!("--port={port}"))
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .env("NO_AT_BRIDGE", "1")
            .env("FRAMESCOPE_DATA_DIR", data)
            .envs(variables.iter().copied())
            .kill_on_drop(true)
            .spawn()?;
        let listening = async {
            while TcpStream::connect(("127.0.0.1", port)).await.is_err() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, listening)
            .await
            .map_err(|_| "WebKitWebDriver does not listen")?;
        let mut wanted = serde_json::Map::new();
        wanted.insert(
            "webkitgtk:browserOptions".into(),
            json!({ "binary": program, "args": [] }),
        );
        let mut builder = ClientBuilder::new(HttpConnector::new());
        let address = format!("http://127.0.0.1:{port}");
        let session = builder.capabilities(wanted).connect(&address);
        let page = tokio::time::timeout(PATIENCE, session)
            .await
            .map_err(|_| "the app opened no window that can be driven")??;
        page.set_window_rect(0, 0, 1440, 900).await?;
        Ok(Self { driver, page })
    }

    /// Ends the app as a session manager does, and waits until it is gone.
    pub async fn quit(self) -> Result<(), Error> {
        self.end("-TERM").await
    }

    /// Kills the app: it can do nothing about it.
    pub async fn kill(self) -> Result<(), Error> {
        self.end("-KILL").await
    }

    async fn end(mut self, signal: &str) -> Result<(), Error> {
        let app = self.pid()?;
        Command::new("kill").args([signal, &app]).status().await?;
        let gone = async {
            while runs(&app).await {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let ended = tokio::time::timeout(PATIENCE, gone).await;
        self.driver.kill().await?;
        ended.map_err(|_| format!("the app (pid {app}) did not end within {PATIENCE:?}").into())
    }

    /// The app's process.
    pub fn pid(&self) -> Result<String, Error> {
        let driver = self.driver.id().ok_or("WebKitWebDriver is gone")?;
        let app = children(&driver.to_string()).into_iter().next();
        Ok(app.ok_or("the app is gone")?)
    }

    /// The sockets on which the app and every process that it started listen, as lines of `/proc`; but for the one that WebKit
    /// opens where the driver tells it to.
    pub fn listening(&self) -> Result<Vec<String>, Error> {
        let app = self.pid()?;
        let told = std::fs::read_to_string(format!("/proc/{app}/environ"))?;
        let driven = told
            .split('\0')
            .find_map(|variable| variable.strip_prefix("WEBKIT_INSPECTOR_SERVER="))
            .and_then(|address| address.rsplit_once(':')?.1.parse::<u16>().ok())
            .map(|port| format!(":{port:04X} "));
        let mut open = vec![app];
        let mut found = Vec::new();
        while let Some(pid) = open.pop() {
            found.extend(listening(&pid));
            open.extend(children(&pid));
        }
        found.retain(|line| !driven.as_ref().is_some_and(|port| line.contains(port)));
        Ok(found)
    }

    /// The page, for what has no name here.
    pub fn page(&self) -> &Client {
        &self.page
    }

    /// Waits for the element with this test id.
    pub async fn get(&self, id: &str) -> Result<Element, Error> {
        self.find(&format!("[data-testid={id:?}]")).await
    }

    /// Waits for the first element that matches a CSS selector.
    pub async fn find(&self, css: &str) -> Result<Element, Error> {
        let found = self
            .page
            .wait()
            .at_most(PATIENCE)
            .for_element(Locator::Css(css))
            .await;
        match found {
            Ok(found) => Ok(found),
            Err(error) => {
                let page = self.text().await?;
                Err(
                    format!("nothing on the page matches {css}: {error}\nthe page says:\n{page}")
                        .into(),
                )
            }
        }
    }

    /// Clicks the element with this test id.
    pub async fn click(&self, id: &str) -> Result<(), Error> {
        Ok(self.get(id).await?.click().await?)
    }

    /// Chooses the segment with this test id: its radio button is there for the keyboard and draws nothing.
    pub async fn choose(&self, id: &str) -> Result<(), Error> {
        self.get(id).await?;
        self.eval(&format!(
            "document.querySelector('[data-testid={id:?}]').click()"
        ))
        .await?;
        Ok(())
    }

    /// Adds a server by its command line and connects to it; waits until it is usable.
    pub async fn add_and_connect(&self, name: &str, command: &[String]) -> Result<(), Error> {
        self.click("add-server").await?;
        self.fill("add-server-input", &command_line(command))
            .await?;
        self.fill("add-server-name", name).await?;
        self.click("add-server-connect").await?;
        self.connected(name).await
    }

    /// Selects a server in the rail and connects to it; waits until it is usable.
    pub async fn connect(&self, name: &str) -> Result<(), Error> {
        self.server(name).await?.click().await?;
        self.click("connect").await?;
        self.connected(name).await
    }

    /// Waits for the row of the server with this name.
    pub async fn server(&self, name: &str) -> Result<Element, Error> {
        let path = format!("//*[@data-testid='server-row'][contains(., '{name}')]");
        let found = self
            .page
            .wait()
            .at_most(PATIENCE)
            .for_element(Locator::XPath(&path))
            .await;
        found.map_err(|error| format!("no server {name:?} in the rail: {error}").into())
    }

    async fn connected(&self, name: &str) -> Result<(), Error> {
        let rows =
            "[...document.querySelectorAll('[data-testid=server-row][data-state=connected]')]";
        self.until(&format!(
            "{rows}.some(row => row.innerText.includes({name:?}))"
        ))
        .await
    }

    /// Replaces what stands in a field.
    pub async fn fill(&self, id: &str, text: &str) -> Result<(), Error> {
        let field = self.get(id).await?;
        field.clear().await?;
        Ok(field.send_keys(text).await?)
    }

    /// Selects a tool, replaces its arguments' JSON text, and sends.
    pub async fn call(&self, tool: &str, arguments: &str) -> Result<(), Error> {
        self.prepare(tool, arguments).await?;
        self.click("send").await
    }

    /// The same up to the click on Send.
    pub async fn prepare(&self, tool: &str, arguments: &str) -> Result<(), Error> {
        self.find(&format!("[data-testid=tool-row][data-tool={tool:?}]"))
            .await?
            .click()
            .await?;
        self.choose("json-view").await?;
        let editor = self.find("[data-testid=args-editor] .cm-content").await?;
        editor.click().await?;
        // Two commands: WebKitWebDriver releases Control only at the end of one.
        editor.send_keys("\u{e009}a\u{e000}").await?;
        Ok(editor.send_keys(arguments).await?)
    }

    /// Waits until the result pane shows this verdict, and gives its text.
    pub async fn result(&self, verdict: &str) -> Result<String, Error> {
        self.find(&format!("[data-testid=result][data-verdict={verdict:?}]"))
            .await?;
        Ok(self.get("result-body").await?.text().await?)
    }

    /// The timeline's rows that are drawn: number, kind and text.
    pub async fn rows(&self) -> Result<Vec<Row>, Error> {
        let script = "[...document.querySelectorAll('[data-testid=timeline-row]')].map(row => [Number(row.dataset.seq), row.dataset.kind, row.innerText])";
        Ok(serde_json::from_value(self.eval(script).await?)?)
    }

    /// Waits until a JavaScript expression is true, and says which was not.
    pub async fn until(&self, expression: &str) -> Result<(), Error> {
        let script = format!("return Boolean({expression})");
        let holds = async {
            loop {
                if self.page.execute(&script, vec![]).await? == Value::Bool(true) {
                    return Ok::<(), CmdError>(());
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        match tokio::time::timeout(PATIENCE, holds).await {
            Ok(outcome) => Ok(outcome?),
            Err(_) => Err(format!(
                "never became true: {expression}\nthe page says:\n{}",
                self.text().await?
            )
            .into()),
        }
    }

    /// The value of a JavaScript expression.
    pub async fn eval(&self, expression: &str) -> Result<Value, Error> {
        Ok(self
            .page
            .execute(&format!("return {expression}"), vec![])
            .await?)
    }

    /// All text of the page.
    pub async fn text(&self) -> Result<String, Error> {
        Ok(self
            .eval("document.body.innerText")
            .await?
            .as_str()
            .unwrap_or_default()
            .to_owned())
    }

    /// Saves what the window shows as a PNG, once it is drawn: after a change of theme WebKit may show old tiles for
    /// some frames, so that it is drawn when two pictures in a row are the same.
    ///
    /// Where WebKit draws without a GPU, its driver's picture waits for the next drawing: a page on which nothing moves needs
    /// something that does, and cannot be seen.
    pub async fn picture(&self, file: &Path) -> Result<(), Error> {
        let drawn = "const done = arguments[0]; Promise.allSettled(document.getAnimations().filter(one => one.effect?.getComputedTiming().endTime !== Infinity).map(one => one.finished)).then(() => requestAnimationFrame(() => requestAnimationFrame(() => done())))";
        let moving = "const dot = document.createElement('i'); dot.style = 'position: fixed; top: 0; left: 0; width: 1px; height: 1px; pointer-events: none'; document.body.append(dot); let n = 0; const drawing = setInterval(() => { dot.style.background = `rgba(0, 0, ${++n % 2}, 0)` }, 30); window.stopMoving = () => { clearInterval(drawing); dot.remove() }";
        self.page.execute(moving, vec![]).await?;
        let mut picture = Vec::new();
        for _ in 0..PICTURES {
            self.page.execute_async(drawn, vec![]).await?;
            let before = std::mem::replace(&mut picture, self.page.screenshot().await?);
            if before == picture {
                break;
            }
        }
        self.page.execute("window.stopMoving()", vec![]).await?;
        tokio::fs::write(file, picture).await?;
        Ok(())
    }
}

/// A command line that the app splits into these words again.
fn command_line(words: &[String]) -> String {
    words
        .iter()
        .map(|word| format!("'{}'", word.replace('\'', r"'\''")))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Whether a process still runs; one that nobody waited for does not.
async fn runs(pid: &str) -> bool {
    let stat = tokio::fs::read_to_string(format!("/proc/{pid}/stat"))
        .await
        .unwrap_or_default();
    stat.rsplit_once(") ")
        .is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

/// The processes that a process started.
fn children(pid: &str) -> Vec<String> {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task"));
    let of_thread = |thread: std::fs::DirEntry| {
        let told = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        told.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let threads = threads.into_iter().flatten().flatten();
    threads.flat_map(of_thread).collect()
}

fn listening(pid: &str) -> Vec<String> {
    let open = std::fs::read_dir(format!("/proc/{pid}/fd"));
    let links = open.into_iter().flatten().flatten();
    let sockets: Vec<_> = links
        .filter_map(|entry| std::fs::read_link(entry.path()).ok())
        .filter_map(|link| {
            let link = link.to_string_lossy().into_owned();
            let inode = link.strip_prefix("socket:[")?.strip_suffix(']')?;
            Some(inode.to_owned())
        })
        .collect();
    let tables =
        ["tcp", "tcp6"].map(|table| std::fs::read_to_string(format!("/proc/{pid}/net/{table}")));
    let lines = tables.iter().flatten().flat_map(|table| table.lines());
    lines
        .filter(|line| {
            let words: Vec<_> = line.split_whitespace().collect();
            let inode = words.get(9).copied().unwrap_or_default();
            words.get(3) == Some(&"0A") && sockets.iter().any(|socket| socket == inode)
        })
        .map(str::to_owned)
        .collect()
}
