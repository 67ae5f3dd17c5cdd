//! Somebody who signs in.

use super::*;

/// Goes where the authorization server sends it, as a person who agrees to everything.
#[derive(Default)]
pub(super) struct Agrees(AtomicUsize);

impl Agrees {
    pub(super) fn opened(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

pub(super) async fn get(url: &str) -> Result<Answer, String> {
    let web = Web::new(None, KnownSecrets::default(), None);
    let answer = web.ask(Ask::get(url)?).await.expect("no log to fail");
    answer.map_err(|error| error.to_string())
}

impl Browser for Agrees {
    fn open<'a>(
        &'a self,
        url: &'a str,
    ) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>> {
        Box::pin(async move {
            self.0.fetch_add(1, Ordering::Relaxed);
            let answer = get(url).await?;
            get(answer.header("location").ok_or("not sent back")?)
                .await
                .map(drop)
        })
    }
}

/// A manager on a data folder of its own, in which somebody signs in.
pub(super) struct App {
    pub(super) manager: ClientManager,
    pub(super) browser: Arc<Agrees>,
    pub(super) data: TempDir,
}

impl App {
    pub(super) async fn new() -> Self {
        let data = tempfile::tempdir().expect("a folder");
        let history = History::open(data.path()).await.expect("a history");
        let browser = Arc::new(Agrees::default());
        let manager = ClientManager::new(history, Arc::new(MemorySecrets::default()))
            .with_credentials(Credentials::new(Secrets::in_memory()));
        Self {
            manager,
            browser,
            data,
        }
    }

    /// The same, where somebody agrees whenever a server asks.
    pub(super) async fn agreeing() -> Self {
        let app = Self::new().await;
        let browser = Arc::clone(&app.browser);
        Self {
            manager: app.manager.clone().with_browser(browser),
            ..app
        }
    }

    pub(super) async fn connect(
        &self,
        url: &str,
        headers: &[(&str, &str)],
        choice: AuthChoice,
    ) -> Result<Client, String> {
        let options = OpenOptions {
            forced: true,
            auth: Some(choice),
            ..OpenOptions::new(Origin::App)
        };
        let id = self.manager.open(&server(url, headers), options).await;
        let id = id.map_err(|error| error.to_string())?;
        self.manager
            .connected(id)
            .await
            .map_err(|error| error.to_string())
    }

    /// Signs in until it is over or halts.
    pub(super) async fn sign_in(&self, url: &str, choice: AuthChoice) -> View {
        let options = SignInOptions {
            origin: Origin::App,
            by_step: false,
            asks: false,
            choice: Some(choice),
            ca: None,
            browser: Arc::clone(&self.browser) as Arc<dyn Browser>,
        };
        let begun = self.manager.sign_in(&server(url, &[]), options).await;
        let (sign_in, _) = begun.expect("it begins");
        let mut view = sign_in.view();
        let over = |view: &View| {
            let asks = view.steps.iter().any(|step| step.consent.is_some());
            asks || matches!(view.state, State::Done | State::Failed)
        };
        view.wait_for(over).await.expect("it goes on").clone()
    }
}
