//! Journeys through calls that take several rounds (2026-07-28 basic/patterns/mrtr), and the same call in both eras.

use framescope_tests::driver::{App, Error};
use tempfile::tempdir;

use super::demo::{asked, call, connect, demo, filter, row, says};
use super::{app, both_themes};

const ROUNDED: &str = "[...document.querySelectorAll('[data-testid=timeline-row][data-round]')]";

/// Answers one of so many questions of a call with a number of its own.
async fn answer(app: &App, round: u32, rounds: u32) -> Result<(), Error> {
    asked(app, &format!("Round {round} of {rounds}")).await?;
    let number = app
        .find("[data-testid=input] [data-row='/number'] input")
        .await?;
    number.click().await?;
    // Two commands: WebKitWebDriver releases Control only at the end of one.
    number.send_keys("\u{e009}a\u{e000}").await?;
    number.send_keys(&format!("{}", 40 + round)).await?;
    app.click("input-accept").await
}

async fn rounds(app: &App) -> Result<(), Error> {
    call(app, "ask-in-rounds", r#"{"rounds":3}"#).await?;
    for round in 1..=3 {
        answer(app, round, 3).await?;
    }
    for number in 41..=43 {
        says(app, &format!("\"number\":{number}")).await?;
    }
    // Three questions, three answers to them, and the call's own answer: under the first request.
    filter(app, "method:tools/call").await?;
    app.until(&format!("{ROUNDED}.length === 8")).await?;
    app.until(&format!(
        "{ROUNDED}.filter(row => row.dataset.kind === 'request').map(row => row.dataset.round).join() === '1,2,3,4'"
    ))
    .await?;
    let ids = app
        .eval(&format!(
            "new Set({ROUNDED}.filter(row => row.dataset.kind === 'request').map(row => row.querySelector('[data-column=id]').innerText)).size"
        ))
        .await?;
    assert_eq!(ids, 4, "each round has an id of its own");
    app.eval(&format!(
        "{ROUNDED}.find(row => row.dataset.round === '3' && row.dataset.kind === 'request').click()"
    ))
    .await?;
    app.until(
        "document.querySelector('[data-testid=round-bar]')?.innerText.includes('to the byte')",
    )
    .await?;
    both_themes(app, "rounds").await?;
    app.click("fold-rounds").await?;
    app.until(&format!("{ROUNDED}.length === 1")).await?;
    both_themes(app, "rounds-folded").await?;
    app.click("fold-rounds").await?;
    filter(app, "").await
}

async fn parallel(app: &App) -> Result<(), Error> {
    call(app, "state-only", r#"{"rounds":2}"#).await?;
    says(app, "here after 2 rounds").await?;
    row(app, "note", "was sent again: round 2").await?;

    call(app, "ask-parallel", "{}").await?;
    asked(app, "Pick a number").await?;
    app.until("document.querySelectorAll('[data-testid=input]').length === 2")
        .await?;
    app.fill("input-text", "teal").await?;
    both_themes(app, "rounds-parallel").await?;
    app.click("input-accept").await?;
    app.until("document.querySelectorAll('[data-testid=input]').length === 1")
        .await?;
    app.click("input-accept").await?;
    says(app, "teal").await?;
    says(app, r#""number":7"#).await
}

async fn both_eras(app: &App) -> Result<(), Error> {
    app.click("tab-tools").await?;
    app.find("[data-testid=tool-row][data-tool=\"com.example.weather/current\"]")
        .await?
        .click()
        .await?;
    app.call("com.example.weather/current", r#"{"location":"Oslo"}"#)
        .await?;
    says(app, "Oslo").await?;
    app.click("send-both").await?;
    app.until("document.querySelector('[data-testid=both-verdict]')?.innerText.includes('The answers are the same')")
        .await?;
    both_themes(app, "both-same").await?;
    app.click("both-close").await?;
    app.call("protocol-error", "{}").await?;
    app.click("send-both").await?;
    app.until("document.querySelector('[data-testid=both-eras]')?.dataset.running === 'false' && document.querySelector('[data-testid=both-eras]').innerText.includes('JSON-RPC error')")
        .await?;
    both_themes(app, "both-errors").await?;
    app.click("both-close").await?;
    // Two sessions live now, and the one that is shown is one of them.
    app.get("stop").await?;
    let page = app.text().await?;
    assert!(!page.contains("Show live session"), "{page}");
    Ok(())
}

async fn stateless(app: &App) -> Result<(), Error> {
    app.click("tab-server").await?;
    app.get("stateless").await?;
    app.eval(
        "document.querySelector('[data-testid=stateless]').scrollIntoView({ block: 'start' })",
    )
    .await?;
    app.click("stateless").await?;
    app.until(
        "document.querySelector('[data-testid=stateless-words]')?.dataset.running === 'false'",
    )
    .await?;
    let differs = app
        .eval("[...document.querySelectorAll('[data-testid=stateless-rows] tr[data-same]')].filter(row => row.dataset.same !== 'true').map(row => row.innerText)")
        .await?;
    let same = app
        .eval("document.querySelectorAll('[data-testid=stateless-rows] tr[data-same=true]').length")
        .await?;
    assert!(
        same.as_u64().is_some_and(|rows| rows >= 5),
        "{same} answers are the same, these are not: {differs}"
    );
    both_themes(app, "stateless").await
}

#[tokio::test]
async fn rounds_stand_under_their_call_and_both_eras_beside_each_other() -> Result<(), Error> {
    let data = tempdir()?;
    let (Some(program), Some(demo)) = (app(), demo()) else {
        return Ok(());
    };
    let app = App::start(&program, data.path()).await?;
    connect(&app, "modern", &demo).await?;
    rounds(&app).await?;
    parallel(&app).await?;
    stateless(&app).await?;
    both_eras(&app).await?;
    app.quit().await
}
