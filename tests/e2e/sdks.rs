//! Journeys through servers on the SDKs, and through all that `server-everything` offers, in the real app.

use framescope_tests::driver::{App, Error};
use framescope_tests::listening::Listening;
use framescope_tests::peers::{python_sdk, server_everything, typescript_sdk};
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
