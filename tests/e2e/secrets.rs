//! Secrets where no keychain is: in memory, or in a file that a passphrase opens; and this app's own log and what it is made of.

use std::path::Path;

use framescope_tests::driver::{App, Error};
use framescope_tests::peers::files;
use tempfile::tempdir;

use super::demo::demo;
use super::{app, both_themes, picture};

const PLANTED: &str = "planted-s3cr3t-4711";
const PASSPHRASE: &str = "a passphrase of the test";

/// No D-Bus, and so no Secret Service.
const NO_KEYCHAIN: [(&str, &str); 1] = [("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")];

async fn start(program: &Path, data: &Path) -> Result<App, Error> {
    let none = NO_KEYCHAIN.map(|(name, value)| (name, Path::new(value)));
    App::start_with(program, data, &none).await
}

/// Waits until secrets are kept so.
async fn kept(app: &App, kind: &str) -> Result<(), Error> {
    app.choose("settings").await?;
    app.find(&format!("[data-testid=secret-store][data-kind={kind}]"))
        .await?;
    Ok(())
}

/// What the server was given; none where it never ran.
fn given(file: &Path) -> Option<String> {
    let given = std::fs::read_to_string(file).ok();
    // The next start writes it anew.
    let _ = std::fs::remove_file(file);
    given
}

/// No file of the data folder holds the secret.
fn absent(data: &Path) -> Result<(), Error> {
    for file in files(data) {
        let bytes = std::fs::read(&file)?;
        let found = memchr::memmem::find(&bytes, PLANTED.as_bytes());
        assert_eq!(found, None, "{} holds the secret", file.display());
    }
    Ok(())
}

#[tokio::test]
async fn without_a_keychain_secrets_are_in_memory_or_in_a_file_that_a_passphrase_opens()
-> Result<(), Error> {
    let (data, outside) = (tempdir()?, tempdir()?);
    let (Some(program), Some(demo)) = (app(), demo()) else {
        return Ok(());
    };
    let told = outside.path().join("told");
    let script = r#"printf %s "$TOKEN" > "$1"; shift; exec "$@""#;
    let words = ["sh", "-c", script, "sh", &told.to_string_lossy()].map(str::to_owned);
    let command = [&words[..], &demo[..]].concat();

    let app = start(&program, data.path()).await?;
    kept(&app, "memory").await?;
    both_themes(&app, "secrets-memory").await?;
    app.choose("secret-store-file").await?;
    app.fill("secret-store-passphrase", PASSPHRASE).await?;
    app.fill("secret-store-passphrase-again", "another").await?;
    assert_eq!(
        app.eval("document.querySelector('[data-testid=secret-store-apply]').disabled")
            .await?,
        true,
        "both must be the same"
    );
    app.fill("secret-store-passphrase-again", PASSPHRASE)
        .await?;
    both_themes(&app, "secrets-to-file").await?;
    app.click("secret-store-apply").await?;
    kept(&app, "file").await?;
    app.click("add-server").await?;
    app.click("add-variable").await?;
    app.fill("variable-name", "TOKEN").await?;
    app.fill("variable-value", PLANTED).await?;
    app.until("document.querySelector('[data-testid=variable-secret]')?.ariaPressed === 'true'")
        .await?;
    app.fill("add-server-name", "told").await?;
    let line = command
        .iter()
        .map(|word| format!("'{word}'"))
        .collect::<Vec<_>>();
    app.fill("add-server-input", &line.join(" ")).await?;
    app.click("add-server-connect").await?;
    let connected = "[data-testid=server-row][aria-current=page][data-state=connected]";
    app.find(connected).await?;
    assert_eq!(given(&told).as_deref(), Some(PLANTED));
    app.quit().await?;
    assert!(data.path().join("secrets.age").is_file());
    absent(data.path())?;

    // Nobody has told the passphrase to this run.
    let app = start(&program, data.path()).await?;
    app.server("told").await?.click().await?;
    app.click("connect").await?;
    app.get("unlock-strip").await?;
    assert_eq!(
        given(&told),
        None,
        "a server does not run without its secret"
    );
    both_themes(&app, "secrets-locked").await?;
    app.fill("unlock-passphrase", "not the passphrase").await?;
    app.click("unlock-run").await?;
    app.until("document.querySelector('[data-testid=unlock]')?.innerText.includes('This passphrase does not open the file')")
        .await?;
    both_themes(&app, "secrets-wrong").await?;
    app.fill("unlock-passphrase", PASSPHRASE).await?;
    app.click("unlock-run").await?;
    app.find(connected).await?;
    assert_eq!(given(&told).as_deref(), Some(PLANTED));

    // In memory alone it is gone with this run.
    kept(&app, "file").await?;
    app.choose("secret-store-memory").await?;
    both_themes(&app, "secrets-to-memory").await?;
    app.click("secret-store-apply").await?;
    kept(&app, "memory").await?;
    app.quit().await?;
    assert!(!data.path().join("secrets.age").exists());
    let app = start(&program, data.path()).await?;
    app.server("told").await?.click().await?;
    app.click("connect").await?;
    app.until("document.querySelector('[role=alert]')?.innerText.includes('TOKEN')")
        .await?;
    assert_eq!(
        given(&told),
        None,
        "a secret that is gone is asked for again"
    );
    both_themes(&app, "secrets-gone").await?;
    app.quit().await?;
    absent(data.path())
}

#[tokio::test]
async fn the_app_shows_its_own_log_and_what_it_is_made_of() -> Result<(), Error> {
    let data = tempdir()?;
    let Some(program) = app() else { return Ok(()) };
    let app = start(&program, data.path()).await?;
    app.choose("settings").await?;
    app.choose("open-app-log").await?;
    let lines = "[...document.querySelectorAll('[data-testid=app-log-line]')]";
    app.until(&format!(
        "{lines}.some(line => line.dataset.level === 'info' && line.innerText.includes('has started'))"
    ))
    .await?;
    both_themes(&app, "app-log").await?;
    // What is shown can be less than what is written.
    choice(&app, "app-log-shown", "error").await?;
    app.until(&format!("{lines}.length === 0")).await?;
    choice(&app, "app-log-shown", "trace").await?;
    // What is written from now on holds at once, and after a restart.
    choice(&app, "app-log-level", "error").await?;
    app.quit().await?;
    let app = start(&program, data.path()).await?;
    app.choose("settings").await?;
    app.choose("open-app-log").await?;
    app.until("document.querySelector('[data-testid=app-log-level]')?.value === 'error'")
        .await?;

    app.choose("settings").await?;
    app.choose("open-about").await?;
    let about = app
        .eval("document.querySelector('[data-testid=about]').innerText")
        .await?;
    let about = about.as_str().unwrap_or_default();
    for words in [
        env!("CARGO_PKG_VERSION"),
        "Apache-2.0",
        &*data.path().to_string_lossy(),
    ] {
        assert!(about.contains(words), "{words}: {about}");
    }
    app.fill("licence-search", "tokio").await?;
    app.until("[...document.querySelectorAll('[data-testid=licence]')].some(one => one.innerText.includes('tokio') && one.innerText.includes('MIT'))")
        .await?;
    picture(&app, "about").await?;
    app.quit().await
}

/// Chooses one of several.
async fn choice(app: &App, id: &str, value: &str) -> Result<(), Error> {
    app.find(&format!("[data-testid={id}] option[value={value}]"))
        .await?
        .click()
        .await?;
    app.until(&format!(
        "document.querySelector('[data-testid={id}]').value === {value:?}"
    ))
    .await
}
