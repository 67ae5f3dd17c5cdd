//! A session of one run: opened, used, and closed properly whatever happens.

use std::path::Path;
use std::sync::Arc;

use framescope_core::auth::{Browser, Credentials};
use framescope_core::client::{Answers, Client};
use framescope_core::history::{History, Origin, Server};
use framescope_core::manager::{ClientManager, OpenOptions};
use framescope_core::protocol::{AuthChoice, ClientChoice, EraChoice, Rule};
use framescope_core::record::process_secrets;
use framescope_core::secrets::{Secrets, Unopened};
use uuid::Uuid;

use crate::args::{Options, ServerArgs, Target};
use crate::failure::Failure;
use crate::print::Print;

/// Opens the data folder that the options name.
pub(crate) async fn history(options: &Options) -> Result<History, Failure> {
    let dir = match &options.data_dir {
        Some(dir) => std::path::absolute(dir)?,
        None => framescope_core::data_dir()?,
    };
    Ok(History::open(Path::new(&dir)).await?)
}

/// The passphrase that was given, if one was: the first line of the file that the options name, else `FRAMESCOPE_PASSPHRASE`.
pub(crate) fn passphrase(options: &Options) -> Result<Option<String>, Failure> {
    let Some(file) = &options.passphrase_file else {
        let variable = std::env::var("FRAMESCOPE_PASSPHRASE").ok();
        return Ok(variable.filter(|passphrase| !passphrase.is_empty()));
    };
    let wrong =
        |why: String| Failure::Usage(format!("--passphrase-file {}: {why}", file.display()));
    let text =
        std::fs::read_to_string(file).map_err(|error| wrong(format!("cannot read it: {error}")))?;
    match text.lines().next() {
        Some(line) if !line.is_empty() => Ok(Some(line.to_owned())),
        Some(_) | None => Err(wrong("its first line is empty".to_owned())),
    }
}

/// The secrets of the data folder; the file of secrets is opened where its passphrase was given.
pub(crate) async fn secrets(options: &Options, history: &History) -> Result<Secrets, Failure> {
    let secrets = Secrets::in_keychain(history.dir());
    if secrets.file() == (true, true)
        && let Some(passphrase) = passphrase(options)?
    {
        process_secrets().learn("passphrase", &passphrase);
        let wrong = |error: Unopened| Failure::Usage(error.to_string());
        secrets.unlock(&passphrase).await.map_err(wrong)?;
    }
    Ok(secrets)
}

/// How to speak to a server, besides what holds for every command.
#[derive(Clone, Default)]
pub(crate) struct How {
    /// No other transport than the one that was named.
    pub(crate) forced: bool,
    /// Who answers what the server asks.
    pub(crate) answers: Answers,
    /// The rules that answer.
    pub(crate) choice: ClientChoice,
    /// How to sign in, in place of what the catalogue says; no token is kept then.
    pub(crate) auth: Option<AuthChoice>,
    /// Stands in for a person.
    pub(crate) browser: Option<Arc<dyn Browser>>,
}

/// The rules of an answer file.
fn rules(file: &Path) -> Result<Vec<Rule>, Failure> {
    let wrong = |why: String| Failure::Usage(format!("--answer {}: {why}", file.display()));
    let text =
        std::fs::read_to_string(file).map_err(|error| wrong(format!("cannot read it: {error}")))?;
    serde_json::from_str(&text).map_err(|error| {
        wrong(format!(
            "it is no JSON array of rules: {error}. A rule is {{\"method\": \"elicitation/create\", \"result\": {{...}}}}"
        ))
    })
}

/// Connects to the server, does `work` with it, and closes the session: also when interrupted.
pub(crate) async fn with_server<T>(
    options: &Options,
    server: ServerArgs,
    print: &Print,
    work: impl AsyncFnOnce(Client) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let mut how = How {
        forced: server.transport.is_some(),
        ..How::default()
    };
    if let Some(file) = &server.answer {
        how.answers = Answers::Rules;
        how.choice.rules = rules(file)?;
    }
    with(options, server, how, print, work).await
}

/// As [`with_server`], in this way.
pub(crate) async fn with<T>(
    options: &Options,
    server: ServerArgs,
    how: How,
    print: &Print,
    work: impl AsyncFnOnce(Client) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let history = history(options).await?;
    let ca = server.ca.clone();
    let server = named(&history, server.target()).await?;
    let secrets = secrets(options, &history).await?;
    let tokens = match how.auth {
        Some(_) => Secrets::in_memory(),
        None => secrets.clone(),
    };
    let mut manager =
        ClientManager::new(history, Arc::new(secrets)).with_credentials(Credentials::new(tokens));
    if let Some(browser) = how.browser {
        manager = manager.with_browser(browser);
    }
    let open = OpenOptions {
        era: options.era,
        timeout: options.timeout,
        waits: options.waits(),
        forced: how.forced,
        answers: how.answers,
        choice: how.choice,
        auth: how.auth,
        ca,
        ..OpenOptions::new(Origin::Cli)
    };
    let id = manager.open(&server, open).await?;
    print.say(&format!("session {id}"));
    let talk = async { work(manager.connected(id).await?).await };
    let done = tokio::select! {
        done = talk => done,
        stopped = stopped() => Err(stopped),
    };
    // The session may have ended by itself; what matters is that all of it is stored.
    manager.close_all().await;
    done
}

/// The server that was named.
pub(crate) async fn named(history: &History, target: Target) -> Result<Server, Failure> {
    match target {
        Target::Saved(name) => match history.server(&name).await? {
            Some(server) if server.unconfirmed => Err(Failure::Usage(format!(
                "{name:?} was pasted or imported and has not been confirmed: it would run `{}`. Confirm it in the app first, or write -- COMMAND",
                server.config.display()
            ))),
            Some(server) => Ok(server),
            None => Err(Failure::Usage(unknown(&name, &history.servers().await?))),
        },
        Target::Typed(config) => Ok(Server {
            id: Uuid::nil(),
            name: config.short_name(),
            config,
            era: EraChoice::Auto,
            timeout_ms: Server::TIMEOUT_MS,
            position: 0,
            demo: false,
            unconfirmed: false,
        }),
    }
}

fn unknown(name: &str, saved: &[Server]) -> String {
    let names: Vec<_> = saved
        .iter()
        .map(|server| format!("{:?}", server.name))
        .collect();
    match names.as_slice() {
        [] => format!(
            "no server is named {name:?}: none is saved yet. Write -- COMMAND, or add it in the app"
        ),
        names => format!(
            "no server is named {name:?}; saved are {}",
            names.join(", ")
        ),
    }
}

/// Waits until the user or the system wants this program to stop.
pub(crate) async fn stopped() -> Failure {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            return tokio::select! {
                _ = tokio::signal::ctrl_c() => Failure::Interrupted,
                _ = terminate.recv() => Failure::Terminated,
            };
        }
    }
    // Where signals cannot be had, this waits for ever, and the system's own way to stop a program holds.
    match tokio::signal::ctrl_c().await {
        Ok(()) => Failure::Interrupted,
        Err(_) => std::future::pending().await,
    }
}
