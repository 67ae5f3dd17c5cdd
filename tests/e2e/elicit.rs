//! Journeys in which the server asks its user: forms, pages to visit, and answers that are wrong on purpose.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use framescope_tests::driver::{App, Error};
use tempfile::tempdir;

use super::app;
use super::demo::{ERAS, asked, call, connect, demo, looked_at, press, row, says, write};

const PAGE: &str = "https://example.com/sign-in?next=%2Fdone&demo=1";

/// A browser that only notes what it is to open, and its notes.
fn browser(folder: &Path) -> Result<(PathBuf, PathBuf), Error> {
    let (program, notes) = (folder.join("browser"), folder.join("opened"));
    let script = format!("#!/bin/sh\necho \"$1\" >> '{}'\n", notes.display());
    std::fs::write(&program, script)?;
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o700))?;
    Ok((program, notes))
}

/// Waits until the browser has noted this many pages.
async fn opened(notes: &Path, pages: usize) -> Result<(), Error> {
    let noted = async {
        loop {
            let text = tokio::fs::read_to_string(notes).await.unwrap_or_default();
            if text == format!("{PAGE}\n").repeat(pages) {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(10), noted)
        .await
        .map_err(|_| format!("the browser opened {:?}", std::fs::read_to_string(notes)).into())
}

async fn form(app: &App, era: &str) -> Result<(), Error> {
    call(app, "elicit-form", "{}").await?;
    let card = asked(app, "A table, for whom and when?").await?;
    for words in ["Small", "Inside", "No gluten", "tue", "budget"] {
        assert!(
            card.contains(words),
            "{era}: the form has {words:?}: {card}"
        );
    }
    let name = app
        .find("[data-testid=input] [data-row='/name'] :is(input, textarea)")
        .await?;
    name.send_keys("Ada").await?;
    looked_at(app, "elicit-form", era).await?;
    app.click("input-accept").await?;
    for kept in [
        r#""name":"Ada""#,
        r#""guests":2"#,
        r#""diet":["n"]"#,
        r#""seat":"aisle""#,
    ] {
        says(app, kept).await?;
    }
    call(app, "elicit-form", "{}").await?;
    asked(app, "A table").await?;
    app.click("input-decline").await?;
    says(app, r#"{"action":"decline"}"#).await?;
    call(app, "elicit-form", "{}").await?;
    asked(app, "A table").await?;
    press(app, "[data-testid=input]", "Cancel").await?;
    says(app, r#"{"action":"cancel"}"#).await?;

    // Wrong on purpose: what was written by hand crosses the wire as it is.
    call(app, "elicit-form", "{}").await?;
    asked(app, "A table").await?;
    press(app, "[data-testid=input]", "Raw answer").await?;
    let wrong = r#"{"action":"accept","content":{"name":7,"guests":9007199254740993}}"#;
    write(app, "input-raw", wrong).await?;
    looked_at(app, "elicit-raw", era).await?;
    app.click("input-accept").await?;
    says(app, r#""guests":9007199254740993"#).await?;
    Ok(())
}

async fn page(app: &App, era: &str, notes: &Path, before: usize) -> Result<(), Error> {
    call(app, "elicit-url", "{}").await?;
    let card = asked(app, "Sign in there, then come back").await?;
    assert!(card.contains(PAGE), "{era}: shown in full: {card}");
    opened(notes, before).await?;
    looked_at(app, "elicit-url", era).await?;
    app.click("input-open").await?;
    opened(notes, before + 1).await?;
    says(app, r#"{"action":"accept"}"#).await?;

    call(app, "url-required", "{}").await?;
    asked(app, "Sign in there").await?;
    app.click("input-open").await?;
    opened(notes, before + 2).await?;
    if era == "legacy" {
        // Refused with -32042 at first, and sent again once the server has told that the visit is over.
        row(app, "error", "-32042").await?;
        row(app, "note", "was sent again").await?;
        row(app, "result", "the page was visited").await?;
        says(app, "the page was visited").await?;
    } else {
        says(app, r#"{"action":"accept"}"#).await?;
    }
    call(app, "elicit-url", "{}").await?;
    asked(app, "Sign in there").await?;
    app.click("input-decline").await?;
    says(app, r#"{"action":"decline"}"#).await?;
    opened(notes, before + 2).await
}

#[tokio::test]
async fn a_form_and_a_page_are_answered_declined_and_answered_wrong_on_purpose() -> Result<(), Error>
{
    let data = tempdir()?;
    let (Some(program), Some(demo)) = (app(), demo()) else {
        return Ok(());
    };
    let (browser, notes) = browser(data.path())?;
    let app = App::start_with(&program, data.path(), &[("BROWSER", &browser)]).await?;
    for (place, era) in ERAS.into_iter().enumerate() {
        connect(&app, era, &demo).await?;
        form(&app, era).await?;
        page(&app, era, &notes, 2 * place).await?;
    }
    app.quit().await
}
