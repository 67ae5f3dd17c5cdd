//! Journeys through what a server offers beside tools, against the demo server in either era.

use framescope_tests::driver::{App, Error};
use tempfile::tempdir;

use super::demo::{choose, connect, demo, fill, send};
use super::{app, both_themes};

async fn prompts(app: &App) -> Result<(), Error> {
    app.click("tab-prompts").await?;
    choose(app, "plan-a-day").await?;
    fill(app, "/city", "B").await?;
    app.until("[...document.querySelectorAll('[role=option]')].some(one => one.innerText.startsWith('B'))")
        .await?;
    fill(app, "/city", "\u{e00c}ern").await?;
    send(app, "ok", &["Bern"]).await?;
    choose(app, "all-contents").await?;
    let parts = ["user", "assistant", "image", "audio", "resource link"];
    send(app, "ok", &parts).await
}

async fn resources(app: &App) -> Result<(), Error> {
    app.click("tab-resources").await?;
    for (uri, view, shows) in [
        ("demo://guide", "markdown", ""),
        ("demo://order.json", "json", "{"),
        ("demo://icon", "picture", ""),
        ("demo://tone", "sound", ""),
        ("demo://drawing.svg", "picture", ""),
        ("demo://page.html", "text", "<script"),
        ("demo://paper.pdf", "bytes", "25 50 44 46"),
        ("demo://counter", "json", "{"),
    ] {
        app.find(&format!("[data-testid=tool-row][title*={uri:?}]"))
            .await?
            .click()
            .await?;
        send(app, "ok", &[shows]).await?;
        app.until(&format!(
            "document.querySelector('[data-testid=viewer]')?.dataset.view === {view:?}"
        ))
        .await?;
    }
    let weather = "[data-testid=tool-row][title*='demo://weather/{city}']";
    app.find(weather).await?.click().await?;
    fill(app, "/city", "Ber").await?;
    app.until("[...document.querySelectorAll('[role=option]')].some(one => one.innerText.startsWith('Berlin'))")
        .await?;
    fill(app, "/city", "\u{e00c} lin").await?;
    app.until("document.querySelector('[data-testid=will-send]')?.innerText.replace(/\\s/g, '').includes('demo://weather/Ber%20lin')")
        .await
}

async fn server(app: &App, era: &str) -> Result<(), Error> {
    app.click("tab-server").await?;
    app.until("document.querySelector('[data-capability=resources]')?.innerText.includes('seen')")
        .await?;
    app.click("ping").await?;
    let answer = if era == "legacy" { "ms" } else { "-32601" };
    app.until(&format!(
        "/{answer}|µs/.test(document.querySelector('[data-testid=pings]')?.innerText)"
    ))
    .await?;
    // The driver takes what stands half below the edge for in sight, and then finds its middle covered.
    app.eval(
        "document.querySelector('[data-testid=add-root]').scrollIntoView({ block: 'center' })",
    )
    .await?;
    app.click("add-root").await?;
    app.fill("root-uri", "file:///tmp/work").await?;
    app.click("save-roots").await?;
    app.until("document.body.innerText.includes('Kept')").await
}

async fn journey(era: &str) -> Result<(), Error> {
    let data = tempdir()?;
    let (Some(program), Some(demo)) = (app(), demo()) else {
        return Ok(());
    };
    let app = App::start(&program, data.path()).await?;
    connect(&app, era, &demo).await?;
    prompts(&app).await?;
    both_themes(&app, &format!("prompts-{era}")).await?;
    resources(&app).await?;
    both_themes(&app, &format!("resources-{era}")).await?;
    server(&app, era).await?;
    both_themes(&app, &format!("server-{era}")).await?;
    if era == "legacy" {
        app.click("tab-tools").await?;
        app.call("log-levels", "{}").await?;
        app.find("[data-testid=result][data-verdict=ok]").await?;
        app.click("tab-log").await?;
        app.find("[data-testid=log-line][data-level=emergency]")
            .await?;
        both_themes(&app, "log-legacy").await?;
    }
    app.quit().await
}

#[tokio::test]
async fn a_legacy_server_offers_prompts_resources_and_a_log() -> Result<(), Error> {
    journey("legacy").await
}

#[tokio::test]
async fn a_modern_server_offers_prompts_resources_and_itself() -> Result<(), Error> {
    journey("modern").await
}
