//! A journey through small servers on the Python and the TypeScript SDK, in both eras and over HTTP, in the real app.

use framescope_tests::driver::{App, Error};
use framescope_tests::listening::Listening;
use framescope_tests::peers::{python_sdk, typescript_sdk};
use tempfile::tempdir;

use super::demo::{asked, call, choose, connect, fill, row, says, send};
use super::{app, both_themes, picture};

#[tokio::test]
async fn servers_on_the_sdks_list_call_and_ask_in_both_eras() -> Result<(), Error> {
    let data = tempdir()?;
    let (Some(program), Some(python), Some(typescript), Some(http)) = (
        app(),
        python_sdk(),
        typescript_sdk("stdio"),
        typescript_sdk("http"),
    ) else {
        return Ok(());
    };
    let app = App::start(&program, data.path()).await?;
    for (name, words) in [("python", &python), ("typescript", &typescript)] {
        for era in ["legacy", "modern"] {
            connect(&app, era, words).await?;
            call(&app, "ask", "{}").await?;
            asked(&app, "Which table?").await?;
            app.click("input-accept").await?;
            if name == "typescript" {
                asked(&app, "Which wine?").await?;
                app.fill("input-text", "red").await?;
                app.click("input-accept").await?;
            }
            says(&app, "table 4, 0 roots").await?;
            call(&app, "work", r#"{"steps":3}"#).await?;
            says(&app, "3 steps done").await?;
            row(&app, "notification", "step 3").await?;
            picture(&app, &format!("peer-{name}-{era}")).await?;
            app.eval("document.querySelector('[data-testid=stop]')?.click()")
                .await?;
        }
    }

    let server = Listening::start(&http)?;
    app.click("add-server").await?;
    app.fill("add-server-input", &server.url).await?;
    app.fill("add-server-name", "over http").await?;
    app.click("add-server-connect").await?;
    app.find("[data-testid=conn-state][data-state=connected]")
        .await?;
    call(&app, "add", r#"{"a":2,"b":40}"#).await?;
    says(&app, "42").await?;
    app.click("tab-resources").await?;
    app.find("[data-testid=tool-row][title*='peer://count']")
        .await?
        .click()
        .await?;
    app.click("subscribe").await?;
    let mine = "[...document.querySelectorAll('[data-testid=subscription][data-state=active]')].find(one => one.innerText.includes('peer://count'))";
    app.until(mine).await?;
    call(&app, "touch", "{}").await?;
    app.click("tab-resources").await?;
    app.until(&format!("{mine}?.dataset.updates === '1'"))
        .await?;
    app.click("tab-prompts").await?;
    choose(&app, "visit").await?;
    fill(&app, "/city", "Oslo").await?;
    send(&app, "ok", &["Plan a day in Oslo."]).await?;
    both_themes(&app, "peer-typescript-http").await?;
    app.quit().await
}
