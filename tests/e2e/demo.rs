//! The demo server, and what a user does with what it offers and asks.

use framescope_tests::driver::{App, Error};
use framescope_tests::peers::program;

/// Both eras, as the servers of a journey are named.
pub(super) const ERAS: [&str; 2] = ["legacy", "modern"];

/// The demo server as a command line; none where the command line tool is missing.
pub(super) fn demo() -> Option<Vec<String>> {
    let program = program("framescope-cli")?;
    Some(vec![
        program.to_string_lossy().into_owned(),
        "demo-server".into(),
    ])
}

/// Adds the demo server, to be spoken to in an era.
pub(super) async fn connect(app: &App, era: &str, demo: &[String]) -> Result<(), Error> {
    app.click("add-server").await?;
    app.choose(&format!("era-{era}")).await?;
    app.add_and_connect(era, demo).await
}

/// Chooses an item of the list that is shown.
pub(super) async fn choose(app: &App, name: &str) -> Result<(), Error> {
    let row = format!("[data-testid=tool-row][data-tool={name:?}]");
    Ok(app.find(&row).await?.click().await?)
}

/// Types into a field of the form.
pub(super) async fn fill(app: &App, field: &str, text: &str) -> Result<(), Error> {
    let input = app
        .find(&format!(
            "[data-row={field:?}] :is(textarea, input:not([type=radio]))"
        ))
        .await?;
    input.click().await?;
    Ok(input.send_keys(text).await?)
}

/// Sends what is filled in, and waits until an answer that was not there before shows these words.
pub(super) async fn send(app: &App, verdict: &str, words: &[&str]) -> Result<(), Error> {
    let before = app
        .eval("document.querySelector('[data-testid=result]')?.dataset.seq ?? ''")
        .await?;
    app.click("send").await?;
    app.until(&format!(
        "!['', {before}].includes(document.querySelector('[data-testid=result][data-verdict={verdict:?}]')?.dataset.seq ?? '')"
    ))
    .await?;
    for word in words {
        app.until(&format!(
            "document.querySelector('[data-testid=result-body]')?.innerText.includes({word:?})"
        ))
        .await?;
    }
    Ok(())
}

/// Clicks a button by its words, within what a selector finds.
pub(super) async fn press(app: &App, within: &str, words: &str) -> Result<(), Error> {
    let button = format!(
        "[...document.querySelectorAll({within:?} + ' button')].find(one => one.innerText.trim() === {words:?})"
    );
    app.until(&format!("{button} && !{button}.disabled"))
        .await?;
    app.eval(&format!("{button}.click()")).await?;
    Ok(())
}

/// Opens a tab of the workspace. Not by the pointer: a strip that comes meanwhile moves the tabs.
async fn tab(app: &App, name: &str) -> Result<(), Error> {
    app.choose(&format!("tab-{name}")).await
}

/// Calls a tool from whatever page is shown.
pub(super) async fn call(app: &App, tool: &str, arguments: &str) -> Result<(), Error> {
    tab(app, "tools").await?;
    app.call(tool, arguments).await
}

/// Waits until the result shows these words.
pub(super) async fn says(app: &App, words: &str) -> Result<(), Error> {
    tab(app, "tools").await?;
    app.until(&format!(
        "document.querySelector('[data-testid=result]')?.innerText.includes({words:?})"
    ))
    .await
}

/// Goes to the first question that waits, and gives what its card shows.
pub(super) async fn asked(app: &App, words: &str) -> Result<String, Error> {
    tab(app, "inputs").await?;
    let card = "document.querySelector('[data-testid=input]')?.innerText";
    app.until(&format!("{card}?.includes({words:?})")).await?;
    Ok(app
        .eval(card)
        .await?
        .as_str()
        .unwrap_or_default()
        .to_owned())
}

/// Replaces the text of an editor.
pub(super) async fn write(app: &App, editor: &str, text: &str) -> Result<(), Error> {
    app.get(editor).await?;
    app.eval(&format!(
        "document.querySelector('[data-testid={editor:?}]').scrollIntoView({{ block: 'center' }})"
    ))
    .await?;
    let content = app
        .find(&format!("[data-testid={editor:?}] .cm-content"))
        .await?;
    content.click().await?;
    // Two commands: WebKitWebDriver releases Control only at the end of one.
    content.send_keys("\u{e009}a\u{e000}").await?;
    Ok(content.send_keys(text).await?)
}

/// Waits until the timeline shows a row of a kind with these words.
pub(super) async fn row(app: &App, kind: &str, words: &str) -> Result<(), Error> {
    app.until(&format!(
        "[...document.querySelectorAll('[data-testid=timeline-row][data-kind={kind:?}]')].some(row => row.innerText.includes({words:?}))"
    ))
    .await
}

/// Shows only what a filter lets through in the timeline; all of it where that is empty.
pub(super) async fn filter(app: &App, query: &str) -> Result<(), Error> {
    let field = app.get("filter-input").await?;
    field.click().await?;
    // Two commands: WebKitWebDriver releases Control only at the end of one.
    field.send_keys("\u{e009}a\u{e000}").await?;
    let backspace = "\u{e003}";
    let keys = if query.is_empty() { backspace } else { query };
    Ok(field.send_keys(keys).await?)
}

/// Takes pictures in both themes, once: the eras look alike.
pub(super) async fn looked_at(app: &App, name: &str, era: &str) -> Result<(), Error> {
    if era == "legacy" {
        super::both_themes(app, name).await?;
    }
    Ok(())
}
