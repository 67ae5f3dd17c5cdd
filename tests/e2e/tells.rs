//! Journeys through what a server tells unasked: changes, log messages, progress; and calls that are cancelled.

use framescope_tests::driver::{App, Error};
use tempfile::tempdir;

use super::app;
use super::demo::{ERAS, asked, call, connect, demo, filter, looked_at, row, says, write};

/// Clicks what a selector finds, once it can be: a list that is drawn anew may take an element away meanwhile.
async fn hit(app: &App, css: &str) -> Result<(), Error> {
    let element = format!("document.querySelector({css:?})");
    app.until(&format!("{element} && ({element}.click(), true)"))
        .await
}

async fn subscribe(app: &App, era: &str) -> Result<(), Error> {
    app.click("tab-resources").await?;
    hit(app, "[data-testid=tool-row][title*='demo://counter']").await?;
    app.click("subscribe").await?;
    let mine = "[...document.querySelectorAll('[data-testid=subscription][data-state=active]')].find(one => one.innerText.includes('demo://counter'))";
    app.until(mine).await?;
    call(app, "touch-resource", r#"{"times":3}"#).await?;
    says(app, "the counter is").await?;
    app.click("tab-resources").await?;
    app.until(&format!("{mine}?.dataset.updates === '3'"))
        .await?;
    looked_at(app, "subscriptions", era).await?;
    app.click("subscribe").await?;
    app.until(&format!("!{mine}")).await?;
    call(app, "touch-resource", r#"{"times":1}"#).await?;
    says(app, "0 notifications").await?;
    Ok(())
}

/// A list that changes is read again by itself.
async fn lists(app: &App, era: &str) -> Result<(), Error> {
    call(app, "change-list", r#"{"list":"tools"}"#).await?;
    row(app, "notification", "tools/list_changed").await?;
    if era == "legacy" {
        app.until("!document.querySelector('[data-testid=tool-row][data-tool=extra]')")
            .await?;
        call(app, "change-list", r#"{"list":"tools"}"#).await?;
        app.find("[data-testid=tool-row][data-tool=extra]").await?;
    }
    Ok(())
}

async fn log(app: &App, era: &str) -> Result<(), Error> {
    app.click("tab-log").await?;
    app.find("[data-testid=log-level] option[value=notice]")
        .await?
        .click()
        .await?;
    if era == "legacy" {
        row(app, "request", "logging/setLevel").await?;
    }
    call(app, "log-levels", "{}").await?;
    app.click("tab-log").await?;
    app.find("[data-testid=log-line][data-level=emergency]")
        .await?;
    let levels = app
        .eval("[...document.querySelectorAll('[data-testid=log-line]')].map(one => one.dataset.level).join()")
        .await?;
    assert_eq!(
        levels, "notice,warning,error,critical,alert,emergency",
        "{era}: from the level that was asked for"
    );
    app.find("[data-testid=log-level-filter] option[value=critical]")
        .await?
        .click()
        .await?;
    app.until("document.querySelector('[data-testid=log-count]').innerText === '3 of 6'")
        .await?;
    looked_at(app, "log-levels", era).await?;
    app.find("[data-testid=logger-filter] option[value='=db']")
        .await?
        .click()
        .await?;
    app.until("[...document.querySelectorAll('[data-testid=log-line]')].every(one => one.innerText.includes('db'))")
        .await
}

async fn progress(app: &App, era: &str) -> Result<(), Error> {
    call(app, "progress", r#"{"steps":6000,"intervalMs":100}"#).await?;
    let running = "document.querySelector('[data-testid=running-call]')?.innerText";
    app.until(&format!(
        "/ of 6[^\\d]?000|\\/6[^\\d]?000/.test({running} ?? '')"
    ))
    .await?;
    app.until(&format!("{running}?.includes('left')")).await?;
    looked_at(app, "progress", era).await?;
    app.click("cancel-call").await?;
    app.find("[data-testid=result][data-verdict=cancelled]")
        .await?;
    row(app, "notification", "cancelled").await?;
    looked_at(app, "cancelled", era).await
}

/// What only a legacy server can do: ping its client, and take a question back.
async fn legacy_only(app: &App) -> Result<(), Error> {
    call(app, "ping-client", "{}").await?;
    says(app, "the client answered after").await?;
    call(app, "ask-and-withdraw", r#"{"ms":1500}"#).await?;
    asked(app, "Pick a number, quickly").await?;
    app.until("document.querySelector('[data-testid=input]') === null")
        .await?;
    says(app, "the question was taken back").await
}

/// Lists as the server cuts them.
async fn pages(app: &App, era: &str) -> Result<(), Error> {
    app.click("tab-resources").await?;
    let pager = "[data-testid=pager][data-what=resources]";
    hit(app, &format!("{pager} [data-testid=page-by-page]")).await?;
    app.find(&format!("{pager}[data-pages='1']")).await?;
    app.until(&format!(
        "document.querySelector({pager:?}).innerText.includes('1 page, 10')"
    ))
    .await?;
    for page in 2..=4 {
        hit(
            app,
            &format!("{pager} [data-testid=next-page]:not(:disabled)"),
        )
        .await?;
        app.find(&format!("{pager}[data-pages='{page}']")).await?;
    }
    app.until(&format!(
        "document.querySelector({pager:?}).innerText.includes('that was the last')"
    ))
    .await?;
    looked_at(app, "pages", era).await?;

    // A skill is a resource of its own kind.
    hit(
        app,
        "[data-testid=tool-row][title*='skill://demo/inspect-a-server']",
    )
    .await?;
    app.click("send").await?;
    app.until("document.querySelector('[data-testid=result-body]')?.innerText.includes('inspect-a-server')")
        .await?;
    looked_at(app, "skill", era).await
}

/// The server sees another client, and what it may not ask for it does not.
async fn face(app: &App, era: &str) -> Result<(), Error> {
    app.click("tab-server").await?;
    write(
        app,
        "client-part-info",
        r#"{"name":"acme-host","version":"9.9"}"#,
    )
    .await?;
    write(app, &format!("client-part-{era}"), r#"{"roots":{}}"#).await?;
    looked_at(app, "client-face", era).await?;
    app.click("save-client").await?;
    app.until("document.body.innerText.includes('it holds from the next connection on')")
        .await?;
    let sessions = "document.querySelectorAll('[data-testid=session-row]').length";
    let before = app.eval(sessions).await?;
    app.click("restart").await?;
    // A session of its own, whose timeline takes the place of the one before.
    app.until(&format!(
        "{sessions} > {before} && document.querySelector('[data-testid=conn-state][data-state=connected]')"
    ))
    .await?;
    let first = if era == "legacy" {
        "initialize"
    } else {
        "server/discover"
    };
    filter(app, &format!("kind:request method:{first}")).await?;
    row(app, "request", first).await?;
    app.eval("document.querySelector('[data-testid=timeline-row][data-kind=request]').click()")
        .await?;
    // Laid out, the members that say so are folded.
    let raw = "[...document.querySelectorAll('[data-testid=detail] [role=tab]')].find(tab => tab.innerText === 'Raw bytes')";
    app.until(raw).await?;
    app.eval(&format!("{raw}.click()")).await?;
    app.until(
        "document.querySelector('[data-testid=detail-body]')?.innerText.includes('acme-host')",
    )
    .await?;
    looked_at(app, "client-seen", era).await?;
    filter(app, "").await?;
    call(app, "sample", "{}").await?;
    says(app, if era == "legacy" { "-32600" } else { "-32021" }).await
}

#[tokio::test]
async fn a_server_tells_of_changes_its_log_and_its_progress() -> Result<(), Error> {
    let data = tempdir()?;
    let (Some(program), Some(demo)) = (app(), demo()) else {
        return Ok(());
    };
    let app = App::start(&program, data.path()).await?;
    for era in ERAS {
        connect(&app, era, &demo).await?;
        subscribe(&app, era).await?;
        lists(&app, era).await?;
        log(&app, era).await?;
        progress(&app, era).await?;
        if era == "legacy" {
            legacy_only(&app).await?;
        }
    }
    app.quit().await
}

#[tokio::test]
async fn lists_are_read_page_by_page_and_the_client_shows_another_face() -> Result<(), Error> {
    let data = tempdir()?;
    let (Some(program), Some(demo)) = (app(), demo()) else {
        return Ok(());
    };
    let app = App::start(&program, data.path()).await?;
    for era in ERAS {
        connect(&app, era, &demo).await?;
        pages(&app, era).await?;
        face(&app, era).await?;
    }
    app.quit().await
}
