//! Signing in, against an authorization server of our own: the `auth` cases of the corpus, each by its id, and what has to hold.

mod app;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use framescope_core::auth::{
    Browser, Command, Credentials, State, Step, StepKind, StepState, View,
};
use framescope_core::client::{Client, ClientError, Draft};
use framescope_core::history::{History, Origin, Server};
use framescope_core::manager::{ClientManager, OpenOptions, SignInOptions};
use framescope_core::protocol::{AuthChoice, EraChoice, ServerConfig};
use framescope_core::record::KnownSecrets;
use framescope_core::secrets::{MemorySecrets, Secrets};
use framescope_core::transport::{Answer, Ask, Web};
use framescope_tests::issuer::{Heard, Issuer, Reply, Rule, metadata};
use framescope_tests::peers::files;
use serde_json::json;
use tempfile::TempDir;
use uuid::Uuid;

use app::App;

fn server(url: &str, headers: &[(&str, &str)]) -> Server {
    let headers = headers
        .iter()
        .map(|&(name, value)| (name.to_owned(), value.to_owned()));
    Server {
        id: Uuid::nil(),
        name: "s".to_owned(),
        config: ServerConfig::StreamableHttp {
            url: url.to_owned(),
            headers: headers.collect(),
        },
        era: EraChoice::Auto,
        timeout_ms: Server::TIMEOUT_MS,
        position: 0,
        demo: false,
        unconfirmed: false,
    }
}

fn no_rule() -> Rule {
    Box::new(|_, _| None)
}

/// Answers one path otherwise.
fn at(path: &'static str, reply: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Rule {
    Box::new(move |base, heard: &Heard| (heard.what == path).then(|| reply(base)))
}

fn step(view: &View, kind: StepKind) -> &Step {
    view.steps
        .iter()
        .find(|step| step.kind == kind)
        .expect("the step")
}

fn error(view: &View) -> String {
    let failed = view.steps.iter().find_map(|step| step.error.as_ref());
    failed
        .unwrap_or_else(|| panic!("nothing failed: {view:#?}"))
        .to_string()
}

async fn call(client: &Client) -> Result<(), ClientError> {
    let draft = Draft::new(
        "tools/call",
        Some(r#"{"name":"t","arguments":{}}"#.to_owned()),
    );
    let call = client.call(&draft).await?;
    call.outcome().await.answered("tools/call").map(drop)
}

/// The browser with a code and the state, and without the issuer.
fn sent_back(heard: &Heard) -> Reply {
    let field = |name: &str| heard.fields.get(name).cloned().unwrap_or_default();
    let back = format!("{}?code=c&state={}", field("redirect_uri"), field("state"));
    Reply::status(302).header("Location", back)
}

const PRM: &str = "GET /.well-known/oauth-protected-resource";

#[tokio::test(flavor = "multi_thread")]
async fn a01_the_authorization_server_is_the_one_that_the_metadata_names_wherever_it_stands() {
    let paths = [
        "/x/prm.json",
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/oauth-protected-resource",
    ];
    for (at, tried) in [(0, 1), (1, 1), (2, 2)] {
        let issuer = Issuer::start(no_rule());
        let named = issuer.base.clone();
        let other = Issuer::start(Box::new(move |base, heard| {
            let path = heard.what.strip_prefix("GET ");
            if heard.what == "POST /mcp" && at == 0 && !heard.headers.contains_key("authorization")
            {
                let value = format!("Bearer resource_metadata=\"{base}{}\"", paths[0]);
                return Some(Reply::status(401).header("WWW-Authenticate", value));
            }
            (path.is_some_and(|path| path.contains("prm") || path.contains("protected"))).then(
                || {
                    if path == Some(paths[at]) {
                        Reply::json(&json!({ "resource": base, "authorization_servers": [named] }))
                    } else {
                        Reply::status(404)
                    }
                },
            )
        }));
        let app = App::new().await;
        let view = app.sign_in(&other.mcp(), AuthChoice::default()).await;
        assert_eq!(view.state, State::Done, "{}: {view:#?}", paths[at]);
        assert_eq!(issuer.paths("POST /token").len(), 1, "{}", paths[at]);
        assert_eq!(
            other.paths("GET /.well-known/oauth-auth").len(),
            0,
            "{}",
            paths[at]
        );
        let probes = step(&view, StepKind::ResourceMetadata).exchanges.len();
        assert_eq!(probes, tried, "each probe is shown");
    }
    // None: the origin is its own authorization server, as in 2025-03-26.
    let old = Issuer::start(Box::new(|_, heard| {
        heard.what.starts_with(PRM).then(|| Reply::status(404))
    }));
    let app = App::new().await;
    let view = app.sign_in(&old.mcp(), AuthChoice::default()).await;
    assert_eq!(view.state, State::Done, "{view:#?}");
    assert_eq!(step(&view, StepKind::ResourceMetadata).exchanges.len(), 2);
    let asked = old.heard();
    let asked = asked
        .iter()
        .find(|heard| heard.what == "GET /authorize")
        .expect("it was asked");
    assert_eq!(
        asked.fields.get("resource"),
        None,
        "2025-03-26 knows no resource"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a02_metadata_of_an_issuer_with_a_path_is_found_and_that_of_another_is_skipped() {
    let issuer = Issuer::start(Box::new(|base, heard| match heard.what.as_str() {
        "GET /.well-known/oauth-protected-resource/mcp" => Some(Reply::json(&json!({
            "resource": format!("{base}/mcp"), "authorization_servers": [format!("{base}/tenant1")],
        }))),
        "GET /.well-known/oauth-authorization-server/tenant1" => {
            Some(Reply::json(&metadata(&format!("{base}/tenant2"))))
        }
        "GET /tenant1/.well-known/openid-configuration" => {
            let mut found = metadata(&format!("{base}/tenant1"));
            found["authorization_response_iss_parameter_supported"] = json!(null);
            Some(Reply::json(&found))
        }
        "GET /authorize" => Some(sent_back(heard)),
        _ => None,
    }));
    let app = App::new().await;
    let view = app.sign_in(&issuer.mcp(), AuthChoice::default()).await;
    assert_eq!(view.state, State::Done, "{view:#?}");
    let tried = step(&view, StepKind::ServerMetadata).exchanges.iter();
    let tried: Vec<_> = tried
        .map(|exchange| exchange.url.replace(&issuer.base, ""))
        .collect();
    assert_eq!(
        tried,
        [
            "/.well-known/oauth-authorization-server/tenant1",
            "/.well-known/openid-configuration/tenant1",
            "/tenant1/.well-known/openid-configuration",
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a05_without_registration_a_client_id_is_asked_for_and_a_configured_one_is_used() {
    let issuer = Issuer::start(at("GET /.well-known/oauth-authorization-server", |base| {
        let mut found = metadata(base);
        found["registration_endpoint"] = json!(null);
        Reply::json(&found)
    }));
    let app = App::new().await;
    let view = app.sign_in(&issuer.mcp(), AuthChoice::default()).await;
    assert_eq!(step(&view, StepKind::Client).state, StepState::Failed);
    assert!(error(&view).contains("client id"), "{}", error(&view));
    assert_eq!(app.browser.opened(), 0);
    let mine = AuthChoice {
        client_id: Some("mine".to_owned()),
        ..AuthChoice::default()
    };
    let view = app.sign_in(&issuer.mcp(), mine).await;
    assert_eq!(view.state, State::Done, "{view:#?}");
    let heard = issuer.heard();
    let ids = heard
        .iter()
        .filter_map(|heard| heard.fields.get("client_id"));
    assert!(ids.clone().count() > 1 && ids.into_iter().all(|id| id == "mine"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a06_metadata_of_another_issuer_is_refused_and_both_are_shown() {
    let issuer = Issuer::start(at("GET /.well-known/oauth-authorization-server", |_| {
        Reply::json(&metadata("https://evil.example"))
    }));
    let app = App::new().await;
    let view = app.sign_in(&issuer.mcp(), AuthChoice::default()).await;
    let error = error(&view);
    assert!(
        error.contains("https://evil.example") && error.contains(&issuer.base),
        "{error}"
    );
    assert_eq!(app.browser.opened(), 0);
    let slash = Issuer::start(Box::new(|base, heard| {
        let slash = format!("{base}/");
        match heard.what.as_str() {
            "GET /.well-known/oauth-authorization-server" => {
                let mut found = metadata(base);
                found["issuer"] = slash.into();
                found["authorization_response_iss_parameter_supported"] = json!(false);
                Some(Reply::json(&found))
            }
            "GET /authorize" => Some(sent_back(heard)),
            _ => None,
        }
    }));
    let view = app.sign_in(&slash.mcp(), AuthChoice::default()).await;
    assert_eq!(view.state, State::Done, "{view:#?}");
    let warned = step(&view, StepKind::ServerMetadata)
        .checks
        .iter()
        .any(|check| check.warning);
    assert!(warned, "2026-07-28 forbids it");
}

#[tokio::test(flavor = "multi_thread")]
async fn a08_metadata_of_another_resource_stops_it_until_that_is_accepted() {
    let theirs = "https://prod.example/mcp";
    let issuer = Issuer::start(at(
        "GET /.well-known/oauth-protected-resource/mcp",
        move |base| Reply::json(&json!({ "resource": theirs, "authorization_servers": [base] })),
    ));
    let app = App::new().await;
    let view = app.sign_in(&issuer.mcp(), AuthChoice::default()).await;
    let asked = step(&view, StepKind::ResourceMetadata)
        .consent
        .clone()
        .expect("a question");
    assert_eq!((asked.theirs.as_str(), asked.ours), (theirs, issuer.mcp()));
    assert_eq!(issuer.paths("GET /authorize").len(), 0);
    let accepting = AuthChoice {
        accept_resource: Some(theirs.to_owned()),
        ..AuthChoice::default()
    };
    let view = app.sign_in(&issuer.mcp(), accepting).await;
    assert_eq!(view.state, State::Done, "{view:#?}");
    let heard = issuer.heard();
    for what in ["GET /authorize", "POST /token"] {
        let sent = heard.iter().find(|heard| heard.what == what).expect(what);
        assert_eq!(sent.fields["resource"], theirs, "{what}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a09_more_scopes_are_asked_for_with_those_that_are_held_and_never_for_ever() {
    let issuer = Issuer::start(no_rule());
    let app = App::agreeing().await;
    let client = app
        .connect(&issuer.mcp(), &[], AuthChoice::default())
        .await
        .expect("it signs in");
    call(&client).await.expect("it steps up");
    let scopes = |issuer: &Issuer| -> Vec<String> {
        let heard = issuer
            .heard()
            .into_iter()
            .filter(|heard| heard.what == "GET /authorize");
        heard.map(|heard| heard.fields["scope"].clone()).collect()
    };
    assert_eq!(scopes(&issuer), ["docs:read", "docs:read docs:write"]);
    let calls = issuer
        .heard()
        .into_iter()
        .filter(|heard| heard.method() == "tools/call");
    assert_eq!(calls.count(), 2, "one retry");
    for (header, rounds) in [
        // A plain 403 is final; scopes that would not help are asked for once.
        ("Bearer", 1),
        (
            "Bearer error=\"insufficient_scope\", scope=\"docs:read\"",
            1,
        ),
        (
            "Bearer error=\"insufficient_scope\", scope=\"docs:admin\"",
            2,
        ),
    ] {
        let issuer = Issuer::start(Box::new(move |_, heard| {
            (heard.method() == "tools/call")
                .then(|| Reply::status(403).header("WWW-Authenticate", header))
        }));
        let app = App::agreeing().await;
        let client = app
            .connect(&issuer.mcp(), &[], AuthChoice::default())
            .await
            .expect("it signs in");
        let refused = call(&client).await.expect_err("it stays refused");
        assert!(refused.to_string().contains("403"), "{refused}");
        assert_eq!(scopes(&issuer).len(), rounds, "{header}");
        app.manager.close_all().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a10_what_is_no_web_page_is_never_opened() {
    for endpoint in [
        "javascript:alert(1)",
        "file:///etc/passwd",
        "data:text/html,x",
        "ms-msdt:/id",
        "vbscript:x",
    ] {
        let issuer = Issuer::start(at(
            "GET /.well-known/oauth-authorization-server",
            move |base| {
                let mut found = metadata(base);
                found["authorization_endpoint"] = endpoint.into();
                Reply::json(&found)
            },
        ));
        let app = App::new().await;
        let view = app.sign_in(&issuer.mcp(), AuthChoice::default()).await;
        assert_eq!(
            step(&view, StepKind::Authorize).state,
            StepState::Failed,
            "{endpoint}"
        );
        assert!(error(&view).contains(endpoint), "{}", error(&view));
        assert_eq!(app.browser.opened(), 0, "{endpoint}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_configured_header_is_never_replaced() {
    let issuer = Issuer::start(no_rule());
    let app = App::agreeing().await;
    let headers = [("authorization", "Bearer my-own-token")];
    let refused = app
        .connect(&issuer.mcp(), &headers, AuthChoice::default())
        .await;
    assert!(refused.is_err());
    let sent = issuer
        .heard()
        .into_iter()
        .filter(|heard| heard.what == "POST /mcp");
    assert!(
        sent.into_iter()
            .all(|heard| heard.headers["authorization"] == "Bearer my-own-token")
    );
    assert_eq!(app.browser.opened(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_renewed_once_for_all_and_forgotten_at_sign_out() {
    let issuer = Issuer::start(no_rule());
    let app = App::new().await;
    let view = app.sign_in(&issuer.mcp(), AuthChoice::default()).await;
    assert_eq!(view.state, State::Done, "{view:#?}");
    let client = app
        .connect(&issuer.mcp(), &[], AuthChoice::default())
        .await
        .expect("it has a token");
    issuer.revoke_all();
    let before = issuer.paths("POST /token").len();
    let lists = [client.list_tools(), client.list_tools()];
    let [first, second] = lists;
    let (first, second) = tokio::join!(first, second);
    first.expect("renewed");
    second.expect("renewed");
    let renewals = issuer.paths("POST /token").len() - before;
    assert_eq!(
        renewals, 1,
        "whoever was refused with the old token takes the new one"
    );
    assert_eq!(app.browser.opened(), 1, "nobody was asked again");
    let signed_out = app
        .manager
        .sign_out(&server(&issuer.mcp(), &[]), Origin::App)
        .await;
    assert!(signed_out.expect("it signs out"), "it was revoked");
    assert_eq!(issuer.paths("POST /revoke").len(), 2);
    assert!(
        app.manager
            .credentials()
            .held(&issuer.mcp())
            .await
            .is_none()
    );
    assert!(client.list_tools().await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_of_a_sign_in_is_in_any_file() {
    let issuer = Issuer::start(no_rule());
    let app = App::agreeing().await;
    let client = app
        .connect(&issuer.mcp(), &[], AuthChoice::default())
        .await
        .expect("it signs in");
    client.list_tools().await.expect("tools");
    app.sign_in(&issuer.mcp(), AuthChoice::default()).await;
    app.manager.close_all().await;
    let heard = issuer.heard();
    let verifiers = heard
        .iter()
        .filter_map(|heard| heard.fields.get("code_verifier").cloned());
    let mut secrets: Vec<String> = verifiers.chain(issuer.tokens()).collect();
    assert!(secrets.len() >= 4, "{secrets:?}");
    secrets
        .extend(["code-that-is-secret", "refresh-token-1", "refresh-token-2"].map(str::to_owned));
    let mut seen = 0;
    for file in files(app.data.path()) {
        let bytes = std::fs::read(&file).unwrap_or_default();
        seen += usize::from(holds(&bytes, "code_challenge"));
        for secret in &secrets {
            assert!(!holds(&bytes, secret), "{}: {secret}", file.display());
        }
    }
    assert!(seen > 0, "the exchanges are recorded");
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|part| part == text.as_bytes())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_goes_step_by_step_and_back() {
    let issuer = Issuer::start(no_rule());
    let app = App::new().await;
    let options = SignInOptions {
        origin: Origin::App,
        by_step: true,
        asks: true,
        choice: None,
        ca: None,
        browser: Arc::clone(&app.browser) as Arc<dyn Browser>,
    };
    let begun = app
        .manager
        .sign_in(&server(&issuer.mcp(), &[]), options)
        .await;
    let (sign_in, _) = begun.expect("it begins");
    let mut view = sign_in.view();
    assert_eq!(view.borrow().state, State::Ready);
    assert_eq!(issuer.heard().len(), 0, "nothing runs by itself");
    for next in [
        StepKind::ResourceMetadata,
        StepKind::ServerMetadata,
        StepKind::Client,
        StepKind::Authorize,
    ] {
        sign_in.tell(Command::Step).await;
        let there = |view: &View| view.next == Some(next) && view.state == State::Ready;
        view.wait_for(there).await.expect("the step");
    }
    let edit = Command::Set(
        StepKind::Authorize,
        "scope".to_owned(),
        Some("mine".to_owned()),
    );
    sign_in.tell(edit).await;
    sign_in.tell(Command::Run).await;
    let asks = |view: &View| view.steps.iter().any(|step| step.consent.is_some());
    view.wait_for(asks).await.expect("a question");
    assert_eq!(
        app.browser.opened(),
        0,
        "nothing is opened before it is agreed to"
    );
    sign_in.tell(Command::Consent(true)).await;
    view.wait_for(|view| view.next == Some(StepKind::Token) && view.state == State::Ready)
        .await
        .expect("the browser came back");
    sign_in.tell(Command::Run).await;
    view.wait_for(|view| view.state == State::Done)
        .await
        .expect("a token");
    let heard = issuer.heard();
    let asked = heard
        .iter()
        .find(|heard| heard.what == "GET /authorize")
        .expect("it was asked");
    assert_eq!(asked.fields["scope"], "mine");
    let held = app
        .manager
        .credentials()
        .held(&issuer.mcp())
        .await
        .expect("a token");
    assert_eq!(held.scopes, ["mine"]);
}
