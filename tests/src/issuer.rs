//! An MCP server with its authorization server, on one port of this machine: small, and bent by rules to what a test wants.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

/// A request as it came.
#[derive(Clone, Debug)]
pub struct Heard {
    /// Method and path, e.g. `GET /authorize`.
    pub what: String,
    /// The query, decoded, or the fields of a form.
    pub fields: BTreeMap<String, String>,
    /// The headers, names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body.
    pub body: String,
}

impl Heard {
    fn field(&self, name: &str) -> String {
        self.fields.get(name).cloned().unwrap_or_default()
    }

    /// The method of the JSON-RPC message in it.
    pub fn method(&self) -> String {
        let body: Value = serde_json::from_str(&self.body).unwrap_or_default();
        body["method"].as_str().unwrap_or_default().to_owned()
    }
}

/// An answer.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

impl Reply {
    /// A status and no body.
    pub fn status(status: u16) -> Self {
        Self {
            status,
            headers: vec![],
            body: String::new(),
        }
    }

    /// JSON, with success.
    pub fn json(body: &Value) -> Self {
        Self {
            status: 200,
            headers: vec![("Content-Type".into(), "application/json".into())],
            body: body.to_string(),
        }
    }

    /// The same with a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.push((name.to_owned(), value.into()));
        self
    }
}

/// What a test wants otherwise: gets the base URL and the request, and answers it or leaves it to the usual behaviour.
pub type Rule = Box<dyn Fn(&str, &Heard) -> Option<Reply> + Send + Sync>;

/// A running server; its threads end with the test.
pub struct Issuer {
    /// Its base URL, without a slash at the end.
    pub base: String,
    shared: Arc<Shared>,
}

struct Shared {
    base: String,
    rule: Rule,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    heard: Vec<Heard>,
    /// Scopes of the last authorization.
    scope: String,
    /// Tokens that hold, and their scopes.
    tokens: BTreeMap<String, String>,
    count: usize,
}

impl std::fmt::Debug for Issuer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Issuer").field("base", &self.base).finish()
    }
}

impl Issuer {
    /// Starts one.
    ///
    /// # Panics
    /// Where this machine gives no port.
    #[allow(clippy::expect_used, reason = "a test cannot go on without it")]
    pub fn start(rule: Rule) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let shared = Arc::new(Shared {
            base: base.clone(),
            rule,
            state: Mutex::default(),
        });
        let serving = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&serving);
                std::thread::spawn(move || shared.serve(stream));
            }
        });
        Self { base, shared }
    }

    /// The URL of the MCP server.
    pub fn mcp(&self) -> String {
        format!("{}/mcp", self.base)
    }

    /// What it heard so far.
    pub fn heard(&self) -> Vec<Heard> {
        self.shared.state().heard.clone()
    }

    /// Methods and paths of what it heard of this beginning.
    pub fn paths(&self, start: &str) -> Vec<String> {
        let heard = self.heard().into_iter().map(|heard| heard.what);
        heard.filter(|what| what.starts_with(start)).collect()
    }

    /// All tokens stop to hold.
    pub fn revoke_all(&self) {
        self.shared.state().tokens.clear();
    }

    /// All tokens that were issued and hold.
    pub fn tokens(&self) -> Vec<String> {
        self.shared.state().tokens.keys().cloned().collect()
    }
}

impl Shared {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, mut stream: TcpStream) {
        let Ok(copy) = stream.try_clone() else { return };
        let mut reader = BufReader::new(copy);
        while let Some(heard) = read(&mut reader) {
            let reply = (self.rule)(&self.base, &heard);
            self.state().heard.push(heard.clone());
            let reply = reply.unwrap_or_else(|| self.usual(&heard));
            let mut text = format!(
                "HTTP/1.1 {} X\r\nContent-Length: {}\r\n",
                reply.status,
                reply.body.len()
            );
            for (name, value) in reply.headers {
                text.push_str(&format!("{name}: {value}\r\n"));
            }
            if stream
                .write_all(format!("{text}\r\n{}", reply.body).as_bytes())
                .is_err()
            {
                return;
            }
        }
    }

    fn usual(&self, heard: &Heard) -> Reply {
        let base = &self.base;
        match heard.what.as_str() {
            "GET /.well-known/oauth-protected-resource/mcp" => Reply::json(&json!({
                "resource": format!("{base}/mcp"), "authorization_servers": [base],
            })),
            "GET /.well-known/oauth-authorization-server" => Reply::json(&metadata(base)),
            "POST /register" => Reply::json(&json!({ "client_id": "registered" })),
            "GET /authorize" => self.authorize(heard),
            "POST /token" => self.token(),
            "POST /revoke" => {
                self.state().tokens.remove(&heard.field("token"));
                Reply::status(200)
            }
            "POST /mcp" => self.mcp(heard),
            _ => Reply::status(404),
        }
    }

    fn authorize(&self, heard: &Heard) -> Reply {
        self.state().scope = heard.field("scope");
        let back = format!(
            "{}?code=code-that-is-secret&state={}&iss={}",
            heard.field("redirect_uri"),
            heard.field("state"),
            self.base
        );
        Reply::status(302).header("Location", back)
    }

    fn token(&self) -> Reply {
        let mut state = self.state();
        state.count += 1;
        let token = format!("access-token-{}-{}", state.count, self.base.len());
        let scope = state.scope.clone();
        state.tokens.insert(token.clone(), scope.clone());
        Reply::json(&json!({
            "access_token": token,
            "token_type": "Bearer",
            "refresh_token": format!("refresh-token-{}", state.count),
            "expires_in": 3600,
            "scope": scope,
        }))
    }

    fn mcp(&self, heard: &Heard) -> Reply {
        let sent = heard
            .headers
            .get("authorization")
            .cloned()
            .unwrap_or_default();
        let token = sent.strip_prefix("Bearer ").unwrap_or_default();
        let scope = self.state().tokens.get(token).cloned();
        let Some(scope) = scope else {
            return Reply::status(401).header("WWW-Authenticate", "Bearer scope=\"docs:read\"");
        };
        let body: Value = serde_json::from_str(&heard.body).unwrap_or_default();
        let method = body["method"].as_str().unwrap_or_default();
        if method == "tools/call" && !scope.split(' ').any(|scope| scope == "docs:write") {
            return Reply::status(403).header(
                "WWW-Authenticate",
                "Bearer error=\"insufficient_scope\", scope=\"docs:write\"",
            );
        }
        let mut result = match method {
            "server/discover" => json!({
                "supportedVersions": ["2026-07-28"], "capabilities": { "tools": {} },
            }),
            "tools/list" => {
                json!({ "tools": [{ "name": "t", "inputSchema": { "type": "object" } }] })
            }
            "tools/call" => json!({ "content": [{ "type": "text", "text": "done" }] }),
            _ => return Reply::status(404),
        };
        result["resultType"] = "complete".into();
        result["ttlMs"] = 0.into();
        result["cacheScope"] = "private".into();
        Reply::json(&json!({ "jsonrpc": "2.0", "id": body["id"], "result": result }))
    }
}

/// The metadata of an authorization server at `issuer`, whose endpoints are at the root.
pub fn metadata(issuer: &str) -> Value {
    let root: String = issuer.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
    json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{root}/authorize"),
        "token_endpoint": format!("{root}/token"),
        "registration_endpoint": format!("{root}/register"),
        "revocation_endpoint": format!("{root}/revoke"),
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
        "authorization_response_iss_parameter_supported": true,
    })
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Heard> {
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let mut words = line.split_whitespace();
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length = headers
        .get("content-length")
        .and_then(|text: &String| text.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    let body = String::from_utf8_lossy(&body).into_owned();
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let form = headers
        .get("content-type")
        .is_some_and(|kind| kind.contains("urlencoded"));
    let text = if form { body.as_str() } else { query };
    let fields = text.split('&').filter_map(|pair| pair.split_once('='));
    Some(Heard {
        what: format!("{method} {path}"),
        fields: fields
            .map(|(name, value)| (decoded(name), decoded(value)))
            .collect(),
        headers,
        body,
    })
}

fn decoded(text: &str) -> String {
    let (mut out, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, after @ ..] = rest {
        rest = after;
        match (first, after) {
            (b'+', _) => out.push(b' '),
            (b'%', [high, low, further @ ..]) => {
                let code = [*high, *low];
                let code = std::str::from_utf8(&code).unwrap_or_default();
                out.push(u8::from_str_radix(code, 16).unwrap_or(b'?'));
                rest = further;
            }
            (other, _) => out.push(*other),
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
