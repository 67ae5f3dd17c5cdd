//! User journeys on the real app, under a display, against real servers.

use std::path::{Path, PathBuf};

use framescope_tests::cli::Cli;
use framescope_tests::driver::{App, Error};
use framescope_tests::peers::{node_peer, program, root, server_everything};
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
    for theme in ["light", "dark"] {
        while app.eval("document.documentElement.dataset.theme").await? != theme {
            app.click("theme").await?;
        }
        picture(&app, &format!("demo-{theme}")).await?;
    }
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
