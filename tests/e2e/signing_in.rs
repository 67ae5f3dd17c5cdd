//! Signing in to a real authorization server, with a browser that agrees to everything: the steps that are shown, a token
//! that is renewed, scopes that are added, and both tokens revoked at the end.

use std::path::Path;

use framescope_core::record::KnownSecrets;
use framescope_core::transport::{Ask, Web};
use framescope_tests::driver::{App, Error};
use framescope_tests::listening::Listening;
use framescope_tests::peers::{authorization, root};
use tempfile::tempdir;

use super::demo::press;
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

/// The step of this kind, as it is shown.
fn step(kind: &str) -> String {
    format!("document.querySelector('[data-testid=sign-in-step-row][data-step={kind}]')")
}

/// Runs the next step and waits until it stands so; gives what it shows.
async fn go(app: &App, kind: &str, state: &str) -> Result<String, Error> {
    app.until("document.querySelector('[data-testid=sign-in-step]')?.disabled === false")
        .await?;
    app.choose("sign-in-step").await?;
    shows(app, kind, state).await
}

/// Waits until a step stands so; opens it, and gives what it shows.
async fn shows(app: &App, kind: &str, state: &str) -> Result<String, Error> {
    let step = step(kind);
    app.until(&format!("{step}?.dataset.state === {state:?}"))
        .await?;
    app.eval(&format!(
        "{step}.querySelector('[aria-expanded=false]')?.click()"
    ))
    .await?;
    app.until(&format!("{step}.querySelector('[aria-expanded=true]')"))
        .await?;
    let said = app.eval(&format!("{step}.innerText")).await?;
    Ok(said.as_str().unwrap_or_default().to_owned())
}

fn holds(said: &str, expected: &[&str]) {
    for words in expected {
        assert!(said.contains(words), "{words:?} is not in: {said}");
    }
}

/// Changes a value of the step that is open, before it goes.
async fn set(app: &App, name: &str, value: &str) -> Result<(), Error> {
    let field = app
        .find(&format!("[data-testid=sign-in-value][data-name={name}]"))
        .await?;
    field.clear().await?;
    field.send_keys(value).await?;
    press(app, "[data-testid=auth]", "Set").await?;
    app.find(&format!("[data-testid=sign-in-usual][data-name={name}]"))
        .await?;
    Ok(())
}

/// Takes a change back.
async fn undo(app: &App, name: &str) -> Result<(), Error> {
    let button = format!("document.querySelector('[data-testid=sign-in-usual][data-name={name}]')");
    app.until(&button).await?;
    app.eval(&format!("{button}.click()")).await?;
    app.until(&format!("!{button}")).await
}

/// What is wrong is told by the step that it is wrong in, with what was checked, and nothing after it runs; from there or from
/// an earlier step it goes on.
#[tokio::test]
async fn a_sign_in_step_by_step_fails_where_a_value_is_wrong_and_goes_on_from_there()
-> Result<(), Error> {
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
    app.choose("sign-in-by-step").await?;
    app.find("[data-testid=auth][data-state=ready]").await?;
    assert_eq!(
        asked(&server, "/log").await?,
        "[]",
        "nothing runs by itself"
    );

    let said = go(&app, "challenge", "done").await?;
    let names = "WWW-Authenticate names resource_metadata, once";
    holds(&said, &[names, "RFC 6750", "HTTP 401 to"]);
    let said = go(&app, "resource-metadata", "done").await?;
    let about = "resource is the server";
    holds(
        &said,
        &[
            about,
            "RFC 9728 § 3",
            "Request",
            "Answer",
            "\"authorization_servers\"",
        ],
    );
    assert_eq!(
        asked(&server, "/log").await?,
        "[]",
        "and nothing runs ahead"
    );
    let said = go(&app, "server-metadata", "done").await?;
    holds(
        &said,
        &[
            "its issuer is the one that was asked for",
            "PKCE with S256",
            "RFC 8414",
        ],
    );
    let said = go(&app, "client", "done").await?;
    holds(
        &said,
        &[
            "POST",
            "201",
            "RFC 7591",
            "\"redirect_uris\"",
            "registered dynamically",
        ],
    );

    // What the next step would send stands there before it goes.
    let wrong = "https://other.example/mcp";
    shows(&app, "authorize", "pending").await?;
    set(&app, "resource", wrong).await?;
    assert_eq!(times(&server, "GET /auth").await?, 0);
    both_themes(&app, "step-changed").await?;
    go(&app, "authorize", "waiting").await?;
    app.choose("sign-in-agree").await?;
    let said = shows(&app, "authorize", "failed").await?;
    holds(
        &said,
        &[
            "`invalid_target`",
            "(resource)",
            "state is the one that was sent",
            "iss is the issuer",
        ],
    );
    holds(
        &said,
        &[
            "opened in the browser",
            "resource=https%3A%2F%2Fother.example%2Fmcp",
        ],
    );
    both_themes(&app, "step-failed").await?;

    // From an earlier step, with the right value.
    undo(&app, "resource").await?;
    shows(&app, "client", "done").await?;
    press(&app, "[data-step=client]", "Restart from here").await?;
    go(&app, "client", "done").await?;
    let said = go(&app, "authorize", "done").await?;
    holds(&said, &["code=‹secret:code›", "RFC 9207"]);
    shows(&app, "token", "pending").await?;
    set(&app, "code_verifier", &"x".repeat(43)).await?;
    let said = go(&app, "token", "failed").await?;
    holds(&said, &["invalid_grant", "(code_verifier)", "400"]);
    both_themes(&app, "token-refused").await?;
    undo(&app, "code_verifier").await?;
    shows(&app, "authorize", "done").await?;
    press(&app, "[data-step=authorize]", "Restart from here").await?;
    go(&app, "authorize", "done").await?;
    let said = go(&app, "token", "done").await?;
    holds(
        &said,
        &[
            "OAuth 2.1 § 3.2",
            "client authentication",
            "claims (not verified)",
            "200",
        ],
    );
    for masked in [
        "\"access_token\": \"‹secret:",
        "\"refresh_token\": \"‹secret:",
        "code_verifier=‹secret:",
    ] {
        holds(&said, &[masked]);
    }
    assert!(!said.contains("eyJ"), "no token is shown: {said}");
    both_themes(&app, "steps-done").await?;
    let token = app
        .eval("document.querySelector('[data-testid=token]').textContent")
        .await?;
    holds(
        token.as_str().unwrap_or_default(),
        &["not verified", "\"aud\"", "tools"],
    );
    assert_eq!(times(&server, "authorization_code 200").await?, 1);
    app.find("[data-testid=server-row][aria-current=page][data-state=connected]")
        .await?;
    app.quit().await
}
