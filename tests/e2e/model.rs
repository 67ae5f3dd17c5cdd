//! Journeys in which the server asks the client's model, and for its roots: answered by hand and by rule.

use fantoccini::Locator;
use framescope_tests::driver::{App, Error};
use tempfile::tempdir;

use super::app;
use super::demo::{ERAS, asked, call, connect, demo, looked_at, press, row, says, write};

async fn by_hand(app: &App, era: &str) -> Result<(), Error> {
    call(app, "sample", "{}").await?;
    let card = asked(app, "Write one line about the sea").await?;
    assert!(card.contains("You are terse."), "{era}: {card}");
    app.fill("input-text", "Grey and endless").await?;
    app.click("input-accept").await?;
    says(app, "Grey and endless").await?;

    call(app, "sample-media", "{}").await?;
    asked(app, "What do you see and hear?").await?;
    looked_at(app, "sample-media", era).await?;
    app.fill("input-text", "A square and a tone").await?;
    app.click("input-accept").await?;
    says(app, "A square and a tone").await?;

    // The model uses a tool first: a second turn follows with what the tool said.
    call(app, "sample-tools", "{}").await?;
    asked(app, "stock").await?;
    press(app, "[data-testid=input]", "Raw answer").await?;
    let used = r#"{"role":"assistant","model":"hand","stopReason":"toolUse","content":[{"type":"tool_use","id":"t1","name":"stock","input":{"sku":"anvil"}}]}"#;
    write(app, "input-raw", used).await?;
    app.click("input-accept").await?;
    asked(app, "tool_result").await?;
    looked_at(app, "sample-tools", era).await?;
    app.fill("input-text", "Twelve anvils").await?;
    app.click("input-accept").await?;
    says(app, "Twelve anvils").await?;

    call(app, "sample", "{}").await?;
    asked(app, "Write one line").await?;
    press(app, "[data-testid=input]", "Refuse").await?;
    // Legacy: the server is told an error. Modern: the round stays unanswered, and the call ends with the question.
    if era == "legacy" {
        row(app, "error", "rejected").await
    } else {
        says(app, "The server asks for more").await
    }
}

/// A control in the newest rule.
async fn rule(app: &App, css: &str) -> Result<fantoccini::elements::Element, Error> {
    app.find(&format!("[data-testid=rule]:last-of-type {css}"))
        .await
}

async fn by_rule(app: &App, era: &str) -> Result<(), Error> {
    app.click("tab-server").await?;
    app.get("add-rule").await?;
    app.eval(
        "document.querySelector('[data-testid=add-rule]').scrollIntoView({ block: 'center' })",
    )
    .await?;
    app.click("add-rule").await?;
    let method = rule(app, "select:first-of-type").await?;
    method.select_by_label("sampling/createMessage").await?;
    rule(app, "input:not([type=checkbox])")
        .await?
        .send_keys("the sea")
        .await?;
    let answers = rule(app, "select[aria-label$=answer]").await?;
    let choices = answers.find_all(Locator::Css("option")).await?;
    assert!(
        !choices.is_empty(),
        "{era}: a rule has answers to choose from"
    );
    looked_at(app, "rules", era).await?;
    app.click("save-client").await?;
    app.until("document.body.innerText.includes('Kept.')")
        .await?;
    call(app, "sample", "{}").await?;
    says(app, "The client answered").await?;
    row(app, "note", "was answered by rule 1").await
}

async fn roots(app: &App, era: &str) -> Result<(), Error> {
    app.click("tab-server").await?;
    app.get("add-root").await?;
    app.eval(
        "document.querySelector('[data-testid=add-root]').scrollIntoView({ block: 'center' })",
    )
    .await?;
    app.click("add-root").await?;
    app.fill("root-uri", &format!("file:///srv/{era}")).await?;
    app.click("save-roots").await?;
    app.until("/Kept(\\.|, and the server is told\\.)/.test(document.querySelector('[data-testid=save-roots]').closest('section').innerText)").await?;
    if era == "legacy" {
        row(app, "notification", "roots/list_changed").await?;
    }
    call(app, "list-roots", "{}").await?;
    says(app, &format!("file:///srv/{era}")).await
}

#[tokio::test]
async fn a_server_asks_the_model_and_for_roots_and_is_answered_by_hand_and_by_rule()
-> Result<(), Error> {
    let data = tempdir()?;
    let (Some(program), Some(demo)) = (app(), demo()) else {
        return Ok(());
    };
    let app = App::start(&program, data.path()).await?;
    for era in ERAS {
        connect(&app, era, &demo).await?;
        by_hand(&app, era).await?;
        roots(&app, era).await?;
        by_rule(&app, era).await?;
    }
    app.quit().await
}
