//! Journeys against servers whose texts are markup: every page shows it, and none does anything with it.

use framescope_tests::driver::{App, Error};
use framescope_tests::peers::{hostile, schema_zoo};
use tempfile::tempdir;

use super::demo::{call, filter, row};
use super::{app, picture};

/// What a page must not have got from a text: elements that run, load or lead somewhere, and what was loaded.
const GRIP: &str = r#"({
    title: document.title, place: location.href, frames: document.querySelectorAll('iframe, object, embed, frame').length,
    scripts: [...document.querySelectorAll('body script')].map(one => one.outerHTML),
    links: [...document.querySelectorAll('a, area, form, base, link[href*="://"]')]
        .map(one => one.getAttribute('href') ?? one.getAttribute('action') ?? '').filter(to => /javascript:|data:|example/i.test(to)),
    pictures: [...document.querySelectorAll('img, source, video, audio')].map(one => one.getAttribute('src') ?? '').filter(to => to !== '' && !/^(blob:|data:image\/(png|svg\+xml)|data:audio)/.test(to)),
    handlers: [...document.querySelectorAll('*')].filter(one => [...one.attributes].some(({ name }) => /^on/.test(name))).length,
    loaded: performance.getEntriesByType('resource').map(({ name }) => name).filter(name => /example|track|evil/.test(name)),
})"#;

/// What was looked at, and that nothing came of it.
async fn calm(app: &App, before: &serde_json::Value, page: &str) -> Result<(), Error> {
    picture(app, &format!("hostile-{page}")).await?;
    let now = app.eval(GRIP).await?;
    assert_eq!(&now, before, "{page}");
    Ok(())
}

/// Before any text of a server was shown.
async fn clean(app: &App) -> Result<serde_json::Value, Error> {
    app.get("add-server").await?;
    let before = app.eval(GRIP).await?;
    for none in ["links", "pictures", "scripts", "loaded"] {
        assert_eq!(before[none].as_array().map(Vec::len), Some(0), "{before}");
    }
    Ok(before)
}

async fn shown(app: &App, words: &str) -> Result<(), Error> {
    app.until(&format!("document.body.innerText.includes({words:?})"))
        .await
}

#[tokio::test]
async fn r02_markup_of_a_server_does_nothing_but_show() -> Result<(), Error> {
    let data = tempdir()?;
    let (Some(program), Some(server)) = (app(), hostile()) else {
        return Ok(());
    };
    let app = App::start(&program, data.path()).await?;
    let before = clean(&app).await?;
    app.add_and_connect("hostile", &server).await?;
    app.find("[data-testid=tool-row][data-tool=show]")
        .await?
        .click()
        .await?;
    shown(&app, "onerror").await?;
    calm(&app, &before, "tools").await?;
    app.choose("schema-view").await?;
    calm(&app, &before, "schema").await?;
    app.call("show", "{}").await?;
    app.result("ok").await?;
    calm(&app, &before, "result").await?;
    call(&app, "fail", "{}").await?;
    app.result("error").await?;
    calm(&app, &before, "error").await?;

    app.click("tab-prompts").await?;
    app.find("[data-testid=tool-row][data-tool=say]")
        .await?
        .click()
        .await?;
    let field = app
        .find("[data-row='/q'] :is(textarea, input:not([type=radio]))")
        .await?;
    field.click().await?;
    field.send_keys("x").await?;
    app.until("document.querySelectorAll('[role=option]').length > 3")
        .await?;
    calm(&app, &before, "completion").await?;
    app.click("send").await?;
    app.result("ok").await?;
    calm(&app, &before, "prompts").await?;

    app.click("tab-resources").await?;
    for (uri, view) in [
        ("x://md", "markdown"),
        ("x://html", "text"),
        ("x://svg", "picture"),
    ] {
        app.find(&format!("[data-testid=tool-row][title*={uri:?}]"))
            .await?
            .click()
            .await?;
        app.click("send").await?;
        app.until(&format!(
            "document.querySelector('[data-testid=viewer]')?.dataset.view === {view:?}"
        ))
        .await?;
        calm(&app, &before, &format!("resource-{view}")).await?;
    }
    app.click("tab-log").await?;
    app.find("[data-testid=log-line]").await?;
    calm(&app, &before, "log").await?;
    app.click("tab-server").await?;
    app.get("capabilities").await?;
    calm(&app, &before, "server").await?;
    call(&app, "ask", "{}").await?;
    app.click("tab-inputs").await?;
    app.until("document.querySelectorAll('[data-testid=input]').length === 3")
        .await?;
    calm(&app, &before, "asked").await?;

    filter(&app, "kind:stderr").await?;
    row(&app, "stderr", "onerror").await?;
    app.eval("document.querySelector('[data-testid=timeline-row][data-kind=stderr]').click()")
        .await?;
    app.get("detail-body").await?;
    calm(&app, &before, "stderr").await?;
    filter(&app, "kind:result method:initialize").await?;
    app.find("[data-testid=timeline-row][data-kind=result]")
        .await?
        .click()
        .await?;
    app.until("document.querySelector('[data-testid=detail-body]')?.innerText.includes('onerror')")
        .await?;
    calm(&app, &before, "frame").await?;
    filter(&app, "").await?;
    app.click("all-sessions").await?;
    app.get("session-line").await?;
    calm(&app, &before, "sessions").await?;
    app.quit().await
}

/// The same for the tools of a public collection of odd schemas, each of them.
#[tokio::test]
async fn odd_schemas_and_hostile_names_do_nothing_but_show() -> Result<(), Error> {
    let data = tempdir()?;
    let (Some(program), Some(server)) = (app(), schema_zoo()) else {
        return Ok(());
    };
    let app = App::start(&program, data.path()).await?;
    let before = clean(&app).await?;
    app.add_and_connect("zoo", &server).await?;
    app.find("[data-testid=tool-row][data-tool=markup]")
        .await?
        .click()
        .await?;
    app.find("[data-row='/q']").await?;
    calm(&app, &before, "zoo").await?;
    app.choose("schema-view").await?;
    calm(&app, &before, "zoo-schema").await?;
    app.call("markup", r#"{"q":"<img src=x onerror=alert(1)>"}"#)
        .await?;
    app.click("destructive-send").await.ok();
    app.result("ok").await?;
    calm(&app, &before, "zoo-result").await?;
    app.quit().await
}
