//! A server with five thousand tools, and one whose tool has a description of 13 kB and an enum of 126 values.

use std::path::Path;
use std::time::Duration;

use super::{Started, echo, page};
use crate::Error;
use crate::report::{Report, shown};

const TOOLS: usize = 5_000;
const AFTER: Duration = Duration::from_secs(1);
const BLOCK: Duration = Duration::from_millis(200);

pub(super) async fn measure(program: &Path, report: &mut Report) -> Result<(), Error> {
    let Started { app, data, .. } = Started::empty(program).await?;
    app.click("add-server").await?;
    let words: Vec<_> = echo(TOOLS)?
        .iter()
        .map(|word| format!("'{word}'"))
        .collect();
    app.fill("add-server-input", &words.join(" ")).await?;
    app.fill("add-server-name", "many").await?;
    let rows = "document.querySelectorAll('[data-testid=tool-row]').length";
    let listed = format!("{rows} > 3");
    for (what, act, done) in [
        (
            "Connect to listed",
            page::click("add-server-connect"),
            listed.clone(),
        ),
        (
            "a letter typed to found",
            page::typed("tool-search", "tool-04999"),
            format!("{rows} === 1 && document.querySelector('[data-tool=tool-04999]')"),
        ),
        (
            "search cleared to listed",
            page::typed("tool-search", ""),
            listed,
        ),
        (
            "the wide tool (13 kB, 126 values) found",
            page::typed("tool-search", "wide"),
            format!("{rows} >= 1 && document.querySelector('[data-tool=wide]')"),
        ),
        (
            "the wide tool clicked to its form",
            "document.querySelector('[data-tool=wide]').click();".to_owned(),
            "document.querySelector('[data-testid=tool-form]')?.innerText.includes('view')"
                .to_owned(),
        ),
    ] {
        let seen = page::watch(&app, &act, &done, AFTER).await?;
        report.held(
            &format!("5 000 tools: {what}"),
            &format!("{} (block {})", shown(seen.took), shown(seen.block)),
            "block < 200 ms",
            seen.block < BLOCK,
        );
    }
    app.quit().await?;
    drop(data);
    Ok(())
}
