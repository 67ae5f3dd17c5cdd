//! Journeys through the main window: forms by keyboard alone, verdicts by their party, search, consent, two servers.

use framescope_core::record::Clock;
use framescope_tests::cli::Cli;
use framescope_tests::driver::{App, Error};
use framescope_tests::peers::{node_peer, root, server_everything};
use tempfile::tempdir;

use super::{app, both_themes, picture};

/// Keys that WebDriver names by code points (WebDriver § Keyboard actions).
const TAB: &str = "\u{e004}";
const ENTER: &str = "\u{e007}";
const RIGHT: &str = "\u{e014}";

/// The focused element gets these keys.
async fn keys(app: &App, keys: &str) -> Result<(), Error> {
    Ok(app.page().active_element().await?.send_keys(keys).await?)
}

/// Ctrl and a key. Control is released at the end of a command.
async fn ctrl(app: &App, key: &str) -> Result<(), Error> {
    keys(app, &format!("\u{e009}{key}\u{e000}")).await
}

/// Finds a tool by its name and goes into its form, by keyboard.
async fn choose_tool(app: &App, name: &str) -> Result<(), Error> {
    app.find(&format!("[data-testid=tool-row][data-tool={name:?}]"))
        .await?;
    ctrl(app, "p").await?;
    app.until("document.activeElement?.dataset.testid === 'tool-search'")
        .await?;
    keys(app, name).await?;
    keys(app, ENTER).await?;
    app.until(&format!(
        "document.querySelector('.pane[data-tool]')?.dataset.tool === {name:?} && document.activeElement?.dataset.testid !== 'tool-search'"
    ))
    .await
}

#[tokio::test]
async fn forms_are_filled_and_sent_by_keyboard_alone() -> Result<(), Error> {
    let data = tempdir()?;
    let (Some(program), Some(server)) = (app(), server_everything()) else {
        return Ok(());
    };
    let app = App::start(&program, data.path()).await?;
    app.add_and_connect("everything", &server).await?;
    choose_tool(&app, "get-sum").await?;
    keys(&app, "2").await?;
    keys(&app, TAB).await?;
    app.until("document.activeElement?.closest('[data-row]')?.dataset.row === '/b'")
        .await?;
    keys(&app, "40").await?;
    app.until(r#"document.querySelector('[data-testid=will-send]')?.innerText.replace(/\s/g, '').includes('"arguments":{"a":2,"b":40}')"#)
        .await?;
    ctrl(&app, ENTER).await?;
    assert!(app.result("ok").await?.contains("42"), "the sum is shown");
    both_themes(&app, "form-sum").await?;

    choose_tool(&app, "get-structured-content").await?;
    let before = app
        .get("result")
        .await?
        .attr("data-seq")
        .await?
        .ok_or("a result has a number")?;
    // Segments and selects take arrow keys; the first choice is New York.
    let choice = app.eval("document.activeElement?.type").await?;
    keys(&app, if choice == "radio" { " " } else { "\u{e015}" }).await?;
    app.until("document.querySelector('[data-testid=will-send]')?.innerText.includes('location')")
        .await?;
    ctrl(&app, ENTER).await?;
    app.until(&format!(
        "document.querySelector('[data-testid=result]').dataset.seq !== {before:?}"
    ))
    .await?;
    app.result("ok").await?;
    app.until("document.querySelector('[data-testid=result] [data-layer=\"Our check\"]')?.innerText.includes('valid')")
        .await?;
    both_themes(&app, "form-structured").await?;
    app.quit().await
}

#[tokio::test]
async fn the_weather_tool_is_filled_and_sent_by_keyboard_alone() -> Result<(), Error> {
    let data = tempdir()?;
    let Some(program) = app() else { return Ok(()) };
    let app = App::start(&program, data.path()).await?;
    app.connect("Demo server").await?;
    choose_tool(&app, "com.example.weather/current").await?;
    keys(&app, "Lisbon").await?;
    keys(&app, TAB).await?;
    app.until("document.activeElement?.closest('[data-row]')?.dataset.row === '/units'")
        .await?;
    // Optional, so left out: the space bar takes the first unit, the arrow key goes on to the next.
    keys(&app, " ").await?;
    keys(&app, RIGHT).await?;
    app.until(r#"document.querySelector('[data-testid=will-send]')?.innerText.replace(/\s/g, '').includes('"arguments":{"location":"Lisbon","units":"imperial"}')"#)
        .await?;
    ctrl(&app, ENTER).await?;
    let result = app.result("ok").await?;
    assert!(
        result.contains("Lisbon") && result.contains("°F"),
        "the weather is told as asked for: {result}"
    );
    both_themes(&app, "form-weather").await?;
    app.quit().await
}

#[tokio::test]
async fn every_verdict_names_its_party() -> Result<(), Error> {
    let data = tempdir()?;
    let (Some(program), Some(server)) = (app(), node_peer("torture.mjs")) else {
        return Ok(());
    };
    let app = App::start(&program, data.path()).await?;
    app.add_and_connect("torture", &server).await?;
    let layer = |name: &str| {
        format!("document.querySelector('[data-testid=result] [data-layer={name:?}]')?.innerText")
    };
    app.call("bad-structured", "{}").await?;
    assert!(
        app.result("ok").await?.contains("nope"),
        "the result is shown although the check fails"
    );
    app.until(&format!("{}.includes('1 mismatch')", layer("Our check")))
        .await?;
    both_themes(&app, "bad-structured").await?;

    app.call("tool-error", "{}").await?;
    assert!(app.result("is-error").await?.contains("disk is full"));
    app.until(&format!("{}.includes('true')", layer("Tool isError")))
        .await?;
    picture(&app, "tool-error").await?;

    app.call("rpc-error", "{}").await?;
    let said = app.result("error").await?;
    for expected in ["-32042", "custom failure", "look here"] {
        assert!(
            said.contains(expected),
            "the error says {expected:?}: {said}"
        );
    }
    both_themes(&app, "rpc-error").await?;

    app.call("stdout-garbage", "{}").await?;
    app.until("[...document.querySelectorAll('[data-testid=timeline-row][data-kind=malformed]')].some(row => row.innerText.includes('Server listening on port 3000'))")
        .await?;

    choose_tool(&app, "destroy").await?;
    ctrl(&app, ENTER).await?;
    app.get("destructive-ask").await?;
    assert_eq!(
        app.eval("document.activeElement?.dataset.testid").await?,
        "destructive-cancel",
        "not sending is the default"
    );
    keys(&app, ENTER).await?;
    app.until("!document.querySelector('[data-testid=destructive-ask]')")
        .await?;
    ctrl(&app, ENTER).await?;
    app.get("destructive-ask").await?;
    // Choosing a theme takes the focus; the mouse answers.
    both_themes(&app, "destructive").await?;
    app.click("destructive-send").await?;
    app.until("document.querySelector('[data-testid=result]')?.innerText.includes('ok destroy')")
        .await?;
    app.quit().await
}

#[tokio::test]
async fn a_word_is_found_in_an_imported_session() -> Result<(), Error> {
    let data = tempdir()?;
    let (Some(program), Some(cli)) = (app(), Cli::on(data.path())) else {
        return Ok(());
    };
    let yesterday = Clock::start().now_us() / 1_000_000 - 24 * 60 * 60;
    // The capture's times all lie in the hundred seconds from 1795948800.
    let capture = std::fs::read_to_string(root().join("tests/sessions/legacy-stdio.jsonl"))?
        .replace("17959488", &(yesterday / 100).to_string());
    let file = data.path().join("yesterday.jsonl");
    std::fs::write(&file, capture)?;
    cli.run(&["import", file.to_str().ok_or("a path that is text")?])
        .expect(0);
    let app = App::start(&program, data.path()).await?;
    // The rail moves as its list of sessions comes.
    app.get("session-row").await?;
    app.click("all-sessions").await?;
    app.get("session-line").await?;
    app.fill("session-query", "initialize").await?;
    keys(&app, ENTER).await?;
    app.until("[...document.querySelectorAll('[data-testid=hit]')].some(hit => hit.querySelector('mark')?.innerText === 'initialize')")
        .await?;
    let day = format!(
        "new Date({yesterday}e3).toLocaleDateString('en-GB', {{ day: 'numeric', month: 'short' }})"
    );
    // The session of a hit is read when the hit is already shown.
    app.until(&format!(
        "document.querySelector('[data-testid=session-line]')?.innerText.includes({day})"
    ))
    .await?;
    both_themes(&app, "search").await?;
    let seq = app
        .eval("document.querySelector('[data-testid=hit]').dataset.seq")
        .await?;
    app.eval("document.querySelector('[data-testid=hit]').dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))")
        .await?;
    app.until(&format!(
        "document.querySelector('[data-testid=detail]')?.dataset.seq === {seq}"
    ))
    .await?;
    picture(&app, "search-hit").await?;
    app.quit().await
}

#[tokio::test]
async fn what_was_pasted_is_shown_and_confirmed_before_it_starts() -> Result<(), Error> {
    let data = tempdir()?;
    let (Some(program), Some(server)) = (app(), node_peer("torture.mjs")) else {
        return Ok(());
    };
    let app = App::start(&program, data.path()).await?;
    app.click("add-server").await?;
    let pasted = serde_json::json!({ "mcpServers": { "pasted": {
        "command": server[0], "args": server[1..], "env": { "GREETING": "hello" },
    } } });
    app.fill("paste-json", &pasted.to_string()).await?;
    app.get("paste-found").await?;
    both_themes(&app, "paste").await?;
    app.click("paste-add").await?;
    app.server("pasted").await?.click().await?;
    let asked = app.get("consent").await?.text().await?;
    assert!(
        asked.contains("torture.mjs") && asked.contains("GREETING"),
        "the whole command is shown: {asked}"
    );
    both_themes(&app, "consent").await?;
    app.click("consent-start").await?;
    app.find("[data-testid=conn-state][data-state=connected]")
        .await?;
    app.quit().await
}

#[tokio::test]
async fn two_servers_live_at_once_and_one_can_die() -> Result<(), Error> {
    let data = tempdir()?;
    let (Some(program), Some(server)) = (app(), node_peer("torture.mjs")) else {
        return Ok(());
    };
    let app = App::start(&program, data.path()).await?;
    app.add_and_connect("one", &server).await?;
    app.add_and_connect("two", &server).await?;
    app.until(
        "document.querySelectorAll('[data-testid=server-row][data-state=connected]').length === 2",
    )
    .await?;
    let said = app.get("conn-state").await?;
    said.text().await?;
    let header = app.text().await?;
    let pid = header
        .split("pid ")
        .nth(1)
        .and_then(|rest| rest.split_whitespace().next())
        .ok_or("the process id is shown")?
        .to_owned();
    std::process::Command::new("kill")
        .args(["-KILL", &pid])
        .status()?;
    let card = app.get("exit-card").await?.text().await?;
    assert!(card.contains("SIGKILL"), "the signal is named: {card}");
    picture(&app, "killed-server").await?;
    app.server("one").await?.click().await?;
    app.call("tool-error", "{}").await?;
    app.result("is-error").await?;
    app.quit().await
}
