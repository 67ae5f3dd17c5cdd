//! User journeys on the real app, under a display, against real servers.

mod asks;
mod demo;
mod elicit;
mod everything;
mod hostile;
mod model;
mod offers;
mod peers;
mod rounds;
mod sdks;
mod secrets;
mod signing_in;
mod tells;
mod watching;
mod window;

use std::path::{Path, PathBuf};

use framescope_tests::cli::Cli;
use framescope_tests::driver::{App, Error};
use framescope_tests::listening::Listening;
use framescope_tests::peers::{
    node_peer, program, root, server_everything, server_everything_http,
};
use tempfile::tempdir;

/// 2^53 + 1: the first integer that a double cannot hold.
const BIG: &str = "9007199254740993";

fn app() -> Option<PathBuf> {
    program("framescope")
}

/// Keeps what a journey ended with, to be looked at.
async fn picture(app: &App, name: &str) -> Result<(), Error> {
    let folder = root().join("target/pictures");
    std::fs::create_dir_all(&folder)?;
    app.picture(&folder.join(format!("{name}.png"))).await
}

/// The same in either theme, chosen as a user does.
async fn both_themes(app: &App, name: &str) -> Result<(), Error> {
    for theme in ["dark", "light"] {
        while app.eval("document.documentElement.dataset.theme").await? != theme {
            app.click("theme").await?;
        }
        picture(app, &format!("{name}-{theme}")).await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_call_is_in_the_timeline_and_still_there_after_a_restart() -> Result<(), Error> {
    let data = tempdir()?;
    let (Some(program), Some(server)) = (app(), server_everything()) else {
        return Ok(());
    };
    let app = App::start(&program, data.path()).await?;
    app.add_and_connect("everything", &server).await?;
    app.call("get-sum", r#"{"a":2,"b":40}"#).await?;
    let result = app.result("ok").await?;
    assert!(result.contains("42"), "the sum is shown: {result}");

    app.until("[...document.querySelectorAll('[data-testid=timeline-row]')].some(row => row.dataset.kind === 'result' && row.innerText.includes('42'))").await?;
    let rows = app.rows().await?;
    let seqs: Vec<u64> = rows.iter().map(|row| row.0).collect();
    assert!(
        seqs.windows(2).all(|pair| pair[0] + 1 == pair[1]),
        "rows stand in order, without a gap: {seqs:?}"
    );
    picture(&app, "call").await?;
    app.quit().await?;

    let before = log_lines(data.path());
    assert!(
        before.len() as u64 >= *seqs.last().expect("a row"),
        "every row is in the file"
    );
    let app = App::start(&program, data.path()).await?;
    app.click("session-row").await?;
    let last = before.len();
    app.until(&format!(
        "document.querySelector('[data-testid=timeline-row][data-seq=\"{last}\"]')"
    ))
    .await?;
    let count = app
        .get("timeline")
        .await?
        .attr("aria-rowcount")
        .await?
        .unwrap_or_default();
    let count: usize = count.parse()?;
    assert!(
        count == last || count == last + 1,
        "all {last} rows are there (and perhaps a header): {count}"
    );
    picture(&app, "reopened").await?;
    app.quit().await
}

#[tokio::test]
async fn a_call_over_http_shows_the_headers_that_carried_it() -> Result<(), Error> {
    let data = tempdir()?;
    let (Some(program), Some(words)) = (app(), server_everything_http()) else {
        return Ok(());
    };
    let server = Listening::start(&words)?;
    let app = App::start(&program, data.path()).await?;
    app.click("add-server").await?;
    app.fill("add-server-input", &server.url).await?;
    app.until("document.querySelector('[data-testid=transport-http]')?.checked")
        .await?;
    app.click("add-header").await?;
    app.fill("header-name", "x-tenant").await?;
    app.fill("header-value", "acme").await?;
    app.fill("add-server-name", "over http").await?;
    both_themes(&app, "http-add").await?;
    app.click("add-server-connect").await?;
    app.until("document.querySelector('[data-testid=conn-state][data-state=connected]')")
        .await?;
    app.call("get-sum", r#"{"a":2,"b":40}"#).await?;
    let result = app.result("ok").await?;
    assert!(result.contains("42"), "the sum is shown: {result}");
    app.until("document.querySelector('[data-testid=result] [data-layer=HTTP]')?.innerText.includes('200')")
        .await?;

    // A list that is read again may be answered after it.
    let row = "[...document.querySelectorAll('[data-testid=timeline-row][data-kind=result]')].find(row => row.innerText.includes('42.'))";
    app.until(row).await?;
    app.eval(&format!("{row}.click()")).await?;
    app.find("[data-testid=detail] [role=tab]:nth-of-type(3)")
        .await?
        .click()
        .await?;
    let headers = app.get("headers").await?.text().await?;
    for expected in ["POST", &server.url, "x-tenant", "acme", "content-type"] {
        assert!(
            headers.contains(expected),
            "the headers say {expected:?}: {headers}"
        );
    }
    assert_eq!(app.get("http-status").await?.text().await?, "200");
    both_themes(&app, "http-headers").await?;
    app.find("[data-testid=detail] [role=tab]:nth-of-type(4)")
        .await?
        .click()
        .await?;
    let exchange = app.get("exchange").await?.text().await?;
    assert!(
        exchange.contains("POST #") && exchange.contains("200 #"),
        "Pair leads to the exchange: {exchange}"
    );
    picture(&app, "http-pair").await?;
    drop(server);
    app.quit().await
}

#[tokio::test]
async fn what_cannot_be_connected_to_over_http_says_who_and_what_next() -> Result<(), Error> {
    let data = tempdir()?;
    let (Some(program), Some(cli)) = (app(), Cli::on(data.path())) else {
        return Ok(());
    };
    let mut words = cli.demo_server();
    words.extend(["--http".to_owned(), "PORT".to_owned()]);
    let plain = Listening::start(&words)?;
    let app = App::start(&program, data.path()).await?;
    let nobody = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let html = Fault::start("html")?;
    let sign_in = Fault::start("unauthorized")?;
    for (url, name, expected) in [
        (
            format!("http://{nobody}/mcp"),
            "refused",
            "refused the connection: nothing listens on that port. Start the server",
        ),
        (
            plain.url.replace("http://", "https://"),
            "tls",
            "what came is no TLS",
        ),
        (
            html.url.clone(),
            "html",
            "That is a web page: check the URL",
        ),
        (
            sign_in.url.clone(),
            "unauthorized",
            "needs authorization (HTTP 401",
        ),
    ] {
        app.click("add-server").await?;
        app.fill("add-server-input", &url).await?;
        app.fill("add-server-name", name).await?;
        app.click("add-server-connect").await?;
        app.find("[data-testid=server-row][aria-current=page][data-state=failed]")
            .await?;
        app.until(&format!(
            "document.querySelector('main :is([role=alert], [data-testid=sign-in-card])')?.innerText.includes({expected:?})"
        ))
        .await?;
        both_themes(&app, &format!("http-{name}")).await?;
    }
    app.quit().await
}

#[tokio::test]
async fn a_call_that_http_fails_shows_at_which_layer() -> Result<(), Error> {
    let data = tempdir()?;
    let Some(program) = app() else { return Ok(()) };
    let server = Fault::start("html-later")?;
    let app = App::start(&program, data.path()).await?;
    app.click("add-server").await?;
    app.fill("add-server-input", &server.url).await?;
    app.click("add-server-connect").await?;
    app.find("[data-testid=conn-state][data-state=connected]")
        .await?;
    let row = "[...document.querySelectorAll('[data-testid=timeline-row][data-kind=request]')].find(row => row.innerText.includes('tools/list') && row.innerText.includes('no reply'))";
    app.until(row).await?;
    app.eval(&format!("{row}.click()")).await?;
    app.find("[data-testid=result][data-verdict=unanswered]")
        .await?;
    app.until("document.querySelector('[data-testid=result] [data-layer=HTTP]')?.innerText.includes('502')")
        .await?;
    // The driver's own text leaves out what may end in an ellipsis.
    let said = app
        .eval("document.querySelector('[data-testid=result]').innerText")
        .await?;
    let said = said.as_str().unwrap_or_default();
    assert!(
        said.contains("answered HTTP 502, saying") && said.contains("delivered"),
        "{said}"
    );
    both_themes(&app, "http-502").await?;
    app.quit().await
}

/// A server that misbehaves over HTTP; it ends with its stdin.
struct Fault {
    child: std::process::Child,
    url: String,
}

impl Fault {
    fn start(scenario: &str) -> Result<Self, Error> {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_fault-server"))
            .args(["http", scenario])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()?;
        let stdout = child.stdout.take().ok_or("no stdout")?;
        let mut url = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(stdout), &mut url)?;
        Ok(Self {
            child,
            url: url.trim().to_owned(),
        })
    }
}

impl Drop for Fault {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        // How it ends is not the journey's business.
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn a_crash_shows_its_code_its_stderr_and_the_unanswered_call() -> Result<(), Error> {
    let data = tempdir()?;
    let (Some(program), Some(server)) = (app(), node_peer("torture.mjs")) else {
        return Ok(());
    };
    let app = App::start(&program, data.path()).await?;
    app.add_and_connect("torture", &server).await?;
    app.call("crash", "{}").await?;
    let card = app.get("exit-card").await?.text().await?;
    for expected in ["code 3", "FATAL: about to exit 3", "tools/call", "crash"] {
        assert!(
            card.contains(expected),
            "the card says {expected:?}: {card}"
        );
    }
    picture(&app, "crash").await?;
    app.until("[...document.querySelectorAll('[data-testid=timeline-row][data-kind=stderr]')].some(row => row.innerText.includes('FATAL: about to exit 3'))").await?;
    app.quit().await?;

    let app = App::start(&program, data.path()).await?;
    app.click("session-row").await?;
    let card = app.get("exit-card").await?.text().await?;
    assert!(
        card.contains("code 3") && card.contains("FATAL: about to exit 3"),
        "still there after a restart: {card}"
    );
    app.quit().await
}

/// Under load: what the page showed was stored, and is there after a restart.
#[tokio::test]
async fn a_killed_app_keeps_what_it_showed() -> Result<(), Error> {
    let data = tempdir()?;
    let Some(program) = app() else { return Ok(()) };
    let server = env!("CARGO_BIN_EXE_fault-server");
    let app = App::start(&program, data.path()).await?;
    let flood = [server, "stdio", "burst", "1000000"].map(str::to_owned);
    app.add_and_connect("flood", &flood).await?;
    app.call("fault", "{}").await?;
    app.until(&format!("{ROW_COUNT} > 5000")).await?;
    let shown = app.eval(ROW_COUNT).await?.as_u64().unwrap_or_default();
    // Rows that are scrolled through too fast have no text yet: those that have are kept at the moment they are seen.
    let drawn = "[...document.querySelectorAll('[data-testid=timeline-row]')].filter(row => row.innerText.includes('info: message'))";
    app.until(&format!(
        "(window.seen = {drawn}.map(row => [Number(row.dataset.seq), row.innerText])).length"
    ))
    .await?;
    let rows: Vec<(u64, String)> = serde_json::from_value(app.eval("window.seen").await?)?;
    app.kill().await?;

    let app = App::start(&program, data.path()).await?;
    app.click("session-row").await?;
    app.until(&format!("{ROW_COUNT} >= {shown}")).await?;
    picture(&app, "killed").await?;
    app.quit().await?;
    let lines = log_lines(data.path());
    assert!(
        lines.len() as u64 + 1 >= shown,
        "{shown} rows were shown, {} are stored",
        lines.len()
    );
    for (place, line) in lines.iter().enumerate() {
        let line: serde_json::Value = serde_json::from_str(line)?;
        assert_eq!(line["seq"], place + 1, "no number is missing");
    }
    for (seq, text) in rows {
        let (_, after) = text.split_once("info: ").ok_or("a message")?;
        let message = after.lines().next().unwrap_or_default();
        let line = &lines[usize::try_from(seq)? - 1];
        assert!(
            line.contains(&format!("{message}\\\"")),
            "#{seq} was shown as {text}, and is {line}"
        );
    }
    let sessions = Cli::on(data.path()).map(|cli| cli.run(&["sessions"]).expect(0));
    assert!(
        sessions.is_none_or(|listed| listed.contains("owner gone")),
        "how it ended is told"
    );
    Ok(())
}

/// How many rows the timeline has, its header among them.
const ROW_COUNT: &str =
    "Number(document.querySelector('[data-testid=timeline]')?.getAttribute('aria-rowcount') ?? 0)";

#[tokio::test]
async fn integers_above_2_53_are_exact_on_the_screen() -> Result<(), Error> {
    let data = tempdir()?;
    let (Some(program), Some(server)) = (app(), node_peer("torture.mjs")) else {
        return Ok(());
    };
    let app = App::start(&program, data.path()).await?;
    app.add_and_connect("torture", &server).await?;
    let arguments = format!(r#"{{"str":"abc","bigint":{BIG}}}"#);
    app.call("schema-torture", &arguments).await?;
    app.result("ok").await?;
    assert!(
        app.get("will-send").await?.text().await?.contains(BIG),
        "in the frame to be sent"
    );
    app.call("bigint-result", "{}").await?;
    app.until(
        "document.querySelector('[data-testid=result]')?.innerText.includes('see structured')",
    )
    .await?;
    app.find("[data-testid=result] [role=tab]:nth-of-type(2)")
        .await?
        .click()
        .await?;
    app.until(&format!(
        "document.querySelector('[data-testid=result]')?.innerText.includes('{BIG}')"
    ))
    .await?;
    let row =
        "[...document.querySelectorAll('[data-testid=timeline-row][data-kind=result]')].at(-1)";
    app.until(&format!("{row}?.innerText.includes('{BIG}')"))
        .await?;
    app.eval(&format!("{row}.click()")).await?;
    app.until(&format!(
        "document.querySelector('[data-testid=detail-body]')?.innerText.includes('{BIG}')"
    ))
    .await?;
    picture(&app, "exact").await?;
    app.quit().await?;
    let sent = log_lines(data.path())
        .into_iter()
        .find(|line| line.contains("schema-torture") && line.contains("bigint"));
    assert!(
        sent.is_some_and(|line| line.contains(BIG)),
        "in the log, as typed"
    );
    Ok(())
}

#[tokio::test]
async fn a_session_of_the_command_line_appears_live() -> Result<(), Error> {
    let data = tempdir()?;
    let (Some(program), Some(cli), Some(server)) =
        (app(), Cli::on(data.path()), node_peer("torture.mjs"))
    else {
        return Ok(());
    };
    let app = App::start(&program, data.path()).await?;
    app.get("add-server").await?;
    let words = [
        "call",
        "sleep",
        "--args",
        r#"{"ms":600000}"#,
        "--timeout",
        "120",
        "--",
    ];
    let words: Vec<&str> = words
        .into_iter()
        .chain(server.iter().map(String::as_str))
        .collect();
    let mut run = cli.command(&words).spawn()?;
    app.find("[data-testid=session-row][data-origin=cli]")
        .await?
        .click()
        .await?;
    app.until("[...document.querySelectorAll('[data-testid=timeline-row][data-kind=request]')].some(row => row.innerText.includes('sleep'))").await?;
    picture(&app, "elsewhere").await?;
    run.kill()?;
    run.wait()?;
    app.quit().await
}

#[tokio::test]
async fn the_demo_server_is_there_on_the_first_start() -> Result<(), Error> {
    let data = tempdir()?;
    let Some(program) = app() else { return Ok(()) };
    let app = App::start(&program, data.path()).await?;
    app.connect("Demo server").await?;
    app.call("com.example.weather/current", r#"{"location":"Berlin"}"#)
        .await?;
    assert!(app.result("ok").await?.contains("Berlin"));
    both_themes(&app, "demo").await?;
    let none: [&str; 0] = [];
    assert_eq!(app.listening()?, none, "R01: nobody can ask it anything");
    app.quit().await
}

/// The newest session as capture lines, without the header.
fn log_lines(data: &Path) -> Vec<String> {
    let Some(cli) = Cli::on(data) else {
        return vec![];
    };
    cli.run(&["log", "last", "--json"])
        .expect(0)
        .lines()
        .skip(1)
        .map(str::to_owned)
        .collect()
}
