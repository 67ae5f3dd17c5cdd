//! Secrets are planted wherever they can enter, and looked for in every file that is written and in every export: as they are, and
//! as JSON, URLs and Base64 have them.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use framescope_core::auth::{Browser, Credentials};
use framescope_core::history::{History, Origin, Sealed, Server, SessionQuery};
use framescope_core::manager::{ClientManager, OpenOptions};
use framescope_core::protocol::{AuthChoice, EraChoice, ServerConfig};
use framescope_core::record::KnownSecrets;
use framescope_core::record::redact::{RedactRules, Redactor};
use framescope_core::secrets::Secrets;
use framescope_core::transport::{Ask, Web};
use framescope_tests::issuer::{Heard, Issuer, Reply, metadata};
use framescope_tests::peers::files;
use serde_json::{Value, json};
use uuid::Uuid;

const PASSPHRASE: &str = "passphrase of the test";

/// What is planted, by the name under which it is referred to.
const PLANTED: [(&str, &str); 8] = [
    ("arg", "arg/s3cr3t+\"ä\\x"),
    ("env", "env s3cr3t\"é/=+"),
    ("short", "pin-77"),
    ("header", "header/s3cr3t+==\"x"),
    ("query", "query-s3cr3t/+ü"),
    ("userinfo", "userinfo-s3cr3t-4711"),
    ("client", "client-s3cr3t/+=&"),
    ("elsewhere", "n0-server-gets-this-one"),
];

fn planted(name: &str) -> &'static str {
    PLANTED
        .iter()
        .find(|(known, _)| *known == name)
        .expect("it is planted")
        .1
}

/// A text in every form in which a server may hand it back.
fn forms(text: &str) -> String {
    let percent: String = text
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect();
    let quoted = json!(text).to_string();
    let basic = STANDARD.encode(format!("user:{text}"));
    format!(
        "{text} {percent} {quoted} {} {basic}",
        STANDARD.encode(text)
    )
}

/// What must not be found for a secret.
fn needles(text: &str) -> Vec<Vec<u8>> {
    let json = json!(text).to_string();
    let mut all: Vec<Vec<u8>> = vec![text.into(), json[1..json.len() - 1].into()];
    let words = forms(text);
    all.extend(
        words
            .split(' ')
            .skip(text.split(' ').count())
            .take(1)
            .map(Into::into),
    );
    for before in 0..3 {
        let padded = [&[0; 2][..before], text.as_bytes()].concat();
        for engine in [&STANDARD_NO_PAD, &URL_SAFE_NO_PAD] {
            let encoded = engine.encode(&padded);
            all.push(encoded.as_bytes()[(before * 8).div_ceil(6)..padded.len() * 8 / 6].to_vec());
        }
    }
    all
}

#[track_caller]
fn absent(secrets: &[String], place: &str, bytes: &[u8]) {
    for secret in secrets {
        // Under 8 bytes only what stood in its own field is masked: its Base64 is found by chance.
        let only_raw = if secret.len() < 8 { 1 } else { usize::MAX };
        for needle in needles(secret).into_iter().take(only_raw) {
            let found = memchr::memmem::find(bytes, &needle);
            if let Some(at) = found {
                let around =
                    &bytes[at.saturating_sub(120)..bytes.len().min(at + needle.len() + 40)];
                panic!(
                    "{place} holds {secret:?} as {:?}: …{}…",
                    String::from_utf8_lossy(&needle),
                    String::from_utf8_lossy(around)
                );
            }
        }
    }
}

/// Agrees to everything.
pub(crate) struct Agrees;

impl Browser for Agrees {
    fn open<'a>(
        &'a self,
        url: &'a str,
    ) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>> {
        Box::pin(async move {
            let web = Web::new(None, KnownSecrets::default(), None);
            let get = async |url: &str| {
                let answer = web.ask(Ask::get(url)?).await.expect("no log to fail");
                answer.map_err(|error| error.to_string())
            };
            let answer = get(url).await?;
            get(answer.header("location").ok_or("not sent back")?)
                .await
                .map(drop)
        })
    }
}

/// A server that hands back all that it was sent.
fn echo(base: &str, heard: &Heard) -> Option<Reply> {
    if heard.what == "GET /.well-known/oauth-authorization-server" {
        let mut metadata = metadata(base);
        metadata["token_endpoint_auth_methods_supported"] = json!(["client_secret_post"]);
        return Some(Reply::json(&metadata));
    }
    let sent = heard
        .headers
        .get("authorization")
        .map(String::as_str)
        .unwrap_or_default();
    let open = heard.what == "POST /open";
    if !open && (heard.what != "POST /mcp" || !sent.starts_with("Bearer access-token")) {
        return None;
    }
    let body: Value = serde_json::from_str(&heard.body).unwrap_or_default();
    let texts = heard.headers.values().chain(heard.fields.values());
    let said: Vec<_> = texts
        .map(|text| forms(text.trim_start_matches("Bearer ")))
        .collect();
    let said = said.join(" ");
    let mut result = match heard.method().as_str() {
        "server/discover" if open => {
            json!({ "supportedVersions": ["2026-07-28"], "capabilities": { "tools": {} }, "instructions": said })
        }
        "tools/list" => {
            json!({ "tools": [{ "name": "t", "description": said, "inputSchema": { "type": "object" } }] })
        }
        _ => return None,
    };
    result["resultType"] = "complete".into();
    result["ttlMs"] = 0.into();
    result["cacheScope"] = "private".into();
    Some(Reply::json(
        &json!({ "jsonrpc": "2.0", "id": body["id"], "result": result }),
    ))
}

pub(crate) fn server(name: &str, config: ServerConfig) -> Server {
    Server {
        id: Uuid::now_v7(),
        name: name.to_owned(),
        config,
        era: EraChoice::Auto,
        timeout_ms: Server::TIMEOUT_MS,
        position: 0,
        demo: false,
        unconfirmed: false,
    }
}

/// A process that says its arguments and its environment on both of its pipes, and ends.
fn process(reference: &dyn Fn(&str) -> String) -> ServerConfig {
    let say = "printf '%s\\n' \"$1 $SECRET\" >&2; printf %s \"user:$SECRET\" | base64 >&2; \
               printf '%s\\n' \"no JSON $1 $SECRET\"; printf '{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":\"%s\"}\\n' \"$SECRET\"; exit 3";
    ServerConfig::Stdio {
        command: "sh".to_owned(),
        args: ["-c", say, "say"]
            .map(str::to_owned)
            .into_iter()
            .chain([format!("--token={}", reference("arg")), reference("short")])
            .collect(),
        env: [("SECRET".to_owned(), reference("env"))].into(),
        cwd: None,
    }
}

/// Whether it could be connected and asked; the session is still open then.
pub(crate) async fn connects(manager: &ClientManager, server: &Server) -> bool {
    let options = OpenOptions {
        forced: true,
        ..OpenOptions::new(Origin::App)
    };
    let id = manager.open(server, options).await.expect("it opens");
    let Ok(client) = manager.connected(id).await else {
        return false;
    };
    client.list_tools().await.expect("tools");
    true
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn no_planted_secret_is_in_any_file_or_export() {
    let data = tempfile::tempdir().expect("a folder");
    let history = History::open(data.path()).await.expect("a history");
    let secrets = Secrets::without_keychain(data.path());
    let mut names = std::collections::BTreeMap::new();
    for (name, value) in PLANTED {
        names.insert(name, secrets.set(name, value).await);
    }
    secrets.keep_in_file(PASSPHRASE).await.expect("a file");
    let reference = |name: &str| format!("${{secret:{}}}", names[name]);
    let issuer = Issuer::start(Box::new(echo));
    let manager = ClientManager::new(history.clone(), Arc::new(secrets.clone()))
        .with_credentials(Credentials::new(secrets.clone()))
        .with_browser(Arc::new(Agrees));

    let stdio = server("process", process(&reference));
    let auth = AuthChoice {
        client_id: Some("a-client".to_owned()),
        client_secret: Some(reference("client")),
        ..AuthChoice::default()
    };
    let signed = server(
        "signed",
        ServerConfig::StreamableHttp {
            url: issuer.mcp(),
            headers: vec![],
        },
    );
    let host = issuer.base.trim_start_matches("http://");
    let open = server(
        "open",
        ServerConfig::StreamableHttp {
            url: format!(
                "http://user:{}@{host}/open?key={}",
                reference("userinfo"),
                reference("query")
            ),
            headers: vec![("X-Own".to_owned(), reference("header"))],
        },
    );
    for server in [&stdio, &signed, &open] {
        history.save_server(server).await.expect("saved");
    }
    history
        .set_auth_choice(signed.id, &auth)
        .await
        .expect("saved");
    assert!(!connects(&manager, &stdio).await, "it ends by itself");
    assert!(connects(&manager, &signed).await, "signed in");
    issuer.revoke_all();
    assert!(
        connects(&manager, &signed).await,
        "renewed, or signed in again"
    );
    connects(&manager, &open).await;
    manager.close_all().await;
    // The index of the search is written as well.
    let mut search = history.search("JSON").await.expect("a search").once();
    while search.next().await.is_some() {}

    let heard = issuer.heard();
    assert!(heard.iter().any(|heard| {
        heard
            .fields
            .get("client_secret")
            .is_some_and(|sent| sent == planted("client"))
    }));
    assert!(
        heard.iter().any(|heard| heard
            .fields
            .get("key")
            .is_some_and(|sent| sent.starts_with("query-s3cr3t/"))),
        "{heard:#?}"
    );
    assert!(heard.iter().any(|heard| {
        heard
            .headers
            .get("x-own")
            .is_some_and(|sent| sent.starts_with("header/"))
    }));
    let verifiers = heard
        .iter()
        .filter_map(|heard| heard.fields.get("code_verifier").cloned());
    let sent = heard
        .iter()
        .filter_map(|heard| heard.headers.get("authorization"));
    let tokens = sent
        .filter_map(|sent| sent.strip_prefix("Bearer "))
        .map(str::to_owned);
    let mut all: Vec<String> = verifiers.chain(tokens).chain(issuer.tokens()).collect();
    assert!(all.len() >= 4, "{all:?}");
    all.extend(["code-that-is-secret", "refresh-token-1", PASSPHRASE].map(str::to_owned));
    all.extend(PLANTED.map(|(_, value)| value.to_owned()));

    let mut seen = 0;
    for file in files(data.path()) {
        let bytes = std::fs::read(&file).unwrap_or_default();
        seen += usize::from(memchr::memmem::find(&bytes, "‹secret:".as_bytes()).is_some());
        absent(&all, &file.display().to_string(), &bytes);
    }
    assert!(
        seen >= 3,
        "what the servers sent back is recorded, in {seen} files"
    );
    let usual = Redactor::of_all(&RedactRules::usual()).expect("rules");
    let sessions = history
        .sessions(&SessionQuery::default())
        .await
        .expect("sessions");
    assert!(sessions.len() >= 4);
    for session in sessions {
        let (mut plain, mut redacted) = (Vec::new(), Vec::new());
        history
            .export(session.id, &mut plain)
            .await
            .expect("exported");
        history
            .export_redacted(session.id, &usual, &mut redacted)
            .await
            .expect("exported");
        let mut sealed = Sealed::new(Vec::new(), PASSPHRASE).expect("begun");
        history
            .export(session.id, &mut sealed)
            .await
            .expect("exported");
        let sealed = sealed.finish().expect("ended");
        for (kind, bytes) in [
            ("plain", plain),
            ("redacted", redacted),
            ("encrypted", sealed),
        ] {
            absent(
                &all,
                &format!("the {kind} export of {}", session.server_name),
                &bytes,
            );
        }
    }
}
