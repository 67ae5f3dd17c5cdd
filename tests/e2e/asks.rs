//! Journeys in which the server asks its client: the user answers for themselves or in the model's place.

use framescope_tests::driver::{App, Error};
use framescope_tests::peers::server_everything;
use tempfile::tempdir;

use super::{app, both_themes};

#[tokio::test]
async fn a_server_that_asks_is_answered_from_the_list_that_waits() -> Result<(), Error> {
    let data = tempdir()?;
    let (Some(program), Some(server)) = (app(), server_everything()) else {
        return Ok(());
    };
    let app = App::start(&program, data.path()).await?;
    app.add_and_connect("everything", &server).await?;

    app.call("trigger-elicitation-request", "{}").await?;
    let strip = app.get("input-strip").await?;
    assert!(strip.text().await?.contains("everything asks 1 question"));
    both_themes(&app, "asked").await?;
    strip
        .find(fantoccini::Locator::Css("button"))
        .await?
        .click()
        .await?;
    let card = app.get("input").await?;
    let said = card.text().await?;
    assert!(
        said.contains("Please provide inputs") && said.contains("name"),
        "the form is shown: {said}"
    );
    let name = app
        .find("[data-testid=input] [data-row='/name'] :is(input, textarea)")
        .await?;
    name.send_keys("Ada Lovelace").await?;
    both_themes(&app, "asked-form").await?;
    app.click("input-accept").await?;
    app.until("document.querySelector('[data-testid=input]') === null")
        .await?;
    app.click("tab-tools").await?;
    let result = app.result("ok").await?;
    assert!(
        result.contains("Name: Ada Lovelace"),
        "the server took the answer: {result}"
    );

    app.call("trigger-sampling-request", r#"{"prompt":"Sum up"}"#)
        .await?;
    app.get("input-strip").await?;
    app.click("tab-inputs").await?;
    app.get("input-text")
        .await?
        .send_keys("In the model's place")
        .await?;
    both_themes(&app, "asked-sampling").await?;
    app.click("input-accept").await?;
    app.until("document.querySelector('[data-testid=input]') === null")
        .await?;
    app.click("tab-tools").await?;
    app.until(
        "document.querySelector('[data-testid=result-body]')?.innerText.includes('In the model')",
    )
    .await?;
    app.quit().await
}
