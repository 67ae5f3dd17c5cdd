//! Signing in to a real authorization server, with a browser that agrees to everything: the steps that are shown, a token
//! that is renewed, scopes that are added, and both tokens revoked at the end.

use std::path::Path;

use framescope_core::record::KnownSecrets;
use framescope_core::transport::{Ask, Web};
use framescope_tests::driver::{App, Error};
use framescope_tests::listening::Listening;
use framescope_tests::peers::{authorization, root};
use tempfile::tempdir;

use super::{app, both_themes};

/// The steps of the sign-in that are shown: kind and state.
const STEPS: &str = "[...document.querySelectorAll('[data-testid=sign-in-step-row]')].map(row => row.dataset.step + ' ' + row.dataset.state).join(', ')";

/// The tool answered twice.
const SAID_TWICE: &str = "[...document.querySelectorAll('[data-testid=timeline-row]')].filter(row => row.dataset.kind === 'result' && row.innerText.includes('read: done')).length === 2";

/// What a page of the server says.
async fn asked(server: &Listening, page: &str) -> Result<String, Error> {
    let url = server.url.replace("/mcp", page);
    let web = Web::new(None, KnownSecrets::default(), None);
    let answer = web.ask(Ask::get(&url)?).await??;
    Ok(answer.body)
}

/// How often the authorization server was asked for this.
async fn times(server: &Listening, what: &str) -> Result<usize, Error> {
    Ok(asked(server, "/log").await?.matches(what).count())
}

#[tokio::test]
async fn a_real_authorization_server_signs_in_renews_adds_scopes_and_revokes() -> Result<(), Error>
{
    let data = tempdir()?;
    let (Some(program), Some(words)) = (app(), authorization()) else {
        return Ok(());
    };
    let server = Listening::start(&words)?;
    let browser = root().join("tests/peers/browser.mjs");
    let browser = format!("node {}", browser.display());
    let app = App::start_with(&program, data.path(), &[("BROWSER", Path::new(&browser))]).await?;
    app.click("add-server").await?;
    app.fill("add-server-input", &server.url).await?;
    app.fill("add-server-name", "protected").await?;
    app.click("add-server-connect").await?;

    app.get("sign-in-card").await?;
    both_themes(&app, "sign-in-needed").await?;
    app.click("sign-in").await?;
    // Nothing is opened before its address was seen.
    let consent = app.get("sign-in-consent").await?.text().await?;
    assert!(
        consent.contains("/auth") && consent.contains(&server.url),
        "{consent}"
    );
    assert_eq!(times(&server, "GET /auth").await?, 0);
    app.click("sign-in-agree").await?;
    app.find("[data-testid=conn-state][data-state=connected]")
        .await?;
    app.call("read", "{}").await?;
    assert!(app.result("ok").await?.contains("read: done"));
    assert_eq!(times(&server, "authorization_code 200").await?, 1);

    // Each step is shown with what it asked and what was checked.
    app.server("protected").await?.send_keys("e").await?;
    app.get("sign-in-step-row").await?;
    let steps = app.eval(STEPS).await?;
    assert_eq!(
        steps,
        "challenge done, resource-metadata done, server-metadata done, client done, authorize done, token done"
    );
    let pane = app
        .eval("document.querySelector('[data-testid=auth]').innerText")
        .await?;
    let pane = pane.as_str().unwrap_or_default();
    for words in ["POST /token → 200", "claims (not verified)", "RFC 6749"] {
        assert!(pane.contains(words), "{words}: {pane}");
    }
    both_themes(&app, "signed-in").await?;

    // A token that the server takes no more is renewed, and nobody is asked.
    app.server("protected").await?.click().await?;
    assert_eq!(asked(&server, "/expire").await?, "1");
    app.call("read", "{}").await?;
    app.until(SAID_TWICE).await?;
    assert!(app.result("ok").await?.contains("read: done"));
    assert_eq!(times(&server, "refresh_token 200").await?, 1);

    // More scopes are asked for with those that it has.
    app.call("erase", "{}").await?;
    app.until("document.querySelector('[data-testid=result] [data-testid=sign-in-card]')?.innerText.includes('wants more scopes') ?? false").await?;
    both_themes(&app, "scopes-needed").await?;
    app.click("sign-in").await?;
    app.click("sign-in-agree").await?;
    app.until("document.querySelector('[data-testid=sign-in-card]')?.innerText.includes('send the call again') ?? false").await?;
    app.click("send").await?;
    assert!(app.result("ok").await?.contains("erase: done"));
    assert_eq!(times(&server, "authorization_code 200").await?, 2);

    app.server("protected").await?.send_keys("e").await?;
    let scopes = app.get("token").await?.text().await?;
    assert!(
        scopes.contains("admin") && scopes.contains("tools"),
        "{scopes}"
    );
    app.click("sign-out").await?;
    app.until("document.querySelector('[data-testid=token]') === null")
        .await?;
    assert!(times(&server, "POST /token/revocation 200").await? > 0);
    app.quit().await
}
