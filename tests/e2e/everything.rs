//! A journey through all that the published `server-everything` offers, in the real app.

use framescope_tests::driver::{App, Error};
use framescope_tests::peers::server_everything;
use tempfile::tempdir;

use super::demo::{call, choose, fill, row, says, send};
use super::{app, both_themes};

/// A call of each tool that needs nothing but its arguments, and what its result shows.
const TOOLS: [(&str, &str, &str); 11] = [
    ("echo", r#"{"message":"said back"}"#, "said back"),
    (
        "get-annotated-message",
        r#"{"messageType":"success","includeImage":true}"#,
        "completed successfully",
    ),
    ("get-env", "{}", "PATH"),
    ("get-resource-links", r#"{"count":2}"#, "resource"),
    (
        "get-resource-reference",
        r#"{"resourceType":"Text","resourceId":1}"#,
        "resource",
    ),
    (
        "get-structured-content",
        r#"{"location":"Chicago"}"#,
        "temperature",
    ),
    ("get-sum", r#"{"a":2,"b":40}"#, "42"),
    ("get-tiny-image", "{}", "image"),
    (
        "gzip-file-as-resource",
        r#"{"name":"a.gz","data":"data:text/plain,hello","outputType":"resource"}"#,
        "gzip",
    ),
    ("toggle-simulated-logging", "{}", "logging"),
    ("toggle-subscriber-updates", "{}", "updates"),
];

#[tokio::test]
async fn every_tool_resource_and_prompt_of_server_everything_is_used() -> Result<(), Error> {
    let data = tempdir()?;
    let (Some(program), Some(server)) = (app(), server_everything()) else {
        return Ok(());
    };
    let app = App::start(&program, data.path()).await?;
    app.add_and_connect("everything", &server).await?;
    for (tool, arguments, words) in TOOLS {
        call(&app, tool, arguments).await?;
        says(&app, words)
            .await
            .map_err(|error| format!("{tool}: {error}"))?;
    }
    call(
        &app,
        "trigger-long-running-operation",
        r#"{"duration":2,"steps":4}"#,
    )
    .await?;
    says(&app, "completed").await?;
    row(&app, "notification", "progress").await?;
    call(&app, "get-roots-list", "{}").await?;
    app.until(
        "document.querySelector('[data-testid=result]')?.innerText.toLowerCase().includes('roots')",
    )
    .await?;
    let tools = app
        .eval(
            "[...document.querySelectorAll('[data-testid=tool-row]')].map(one => one.dataset.tool)",
        )
        .await?;
    let tools: Vec<String> = serde_json::from_value(tools)?;
    for tool in &tools {
        let used = TOOLS.iter().any(|(name, ..)| name == tool) || OTHERS.contains(&tool.as_str());
        assert!(used, "{tool} is used by no journey");
    }

    app.click("tab-prompts").await?;
    for (prompt, fields, words) in [
        ("simple-prompt", &[][..], "simple"),
        ("args-prompt", &[("/city", "Bern")][..], "Bern"),
        (
            "completable-prompt",
            &[("/department", "Sales"), ("/name", "David")],
            "David",
        ),
        (
            "resource-prompt",
            &[("/resourceType", "Text"), ("/resourceId", "1")],
            "resource",
        ),
    ] {
        choose(&app, prompt).await?;
        for (field, text) in fields {
            fill(&app, field, text).await?;
        }
        send(&app, "ok", &[words])
            .await
            .map_err(|error| format!("{prompt}: {error}"))?;
    }
    both_themes(&app, "peer-everything-prompts").await?;

    app.click("tab-resources").await?;
    let listed = app
        .eval("[...document.querySelectorAll('[data-testid=tool-row]')].map(one => one.title).filter(one => one.includes('://') && !one.includes('{'))")
        .await?;
    let listed: Vec<String> = serde_json::from_value(listed)?;
    assert!(listed.len() >= 7, "its resources are listed: {listed:?}");
    for place in 0..listed.len() {
        app.eval(&format!("[...document.querySelectorAll('[data-testid=tool-row]')].filter(one => one.title.includes('://') && !one.title.includes('{{'))[{place}].click()"))
            .await?;
        send(&app, "ok", &[]).await?;
    }
    both_themes(&app, "peer-everything-resources").await?;
    app.quit().await
}

/// Used by this journey and by `asks`, or tools of tasks, which are for later.
const OTHERS: [&str; 8] = [
    "trigger-long-running-operation",
    "trigger-elicitation-request",
    "trigger-sampling-request",
    "trigger-elicitation-request-async",
    "trigger-sampling-request-async",
    "trigger-url-elicitation",
    "get-roots-list",
    "simulate-research-query",
];
