//! Plain HTTP exchanges that carry no MCP messages: those of a sign-in. Each is in the log as its request, its response and its
//! end with the body. Nothing is followed or sent again here.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;
use parking_lot::Mutex;
use reqwest::Url;
use reqwest::header::HeaderMap;

use super::body::Body;
use super::connect::timed;
use super::endpoint::{CONNECT, Endpoint, at, brief, logged, parse, shown};
use super::error::{HttpError, of_request};
use super::exchange::{as_sent, empty, response_record};
use crate::record::{Conn, Event, HttpEvent, HttpPhase, KnownSecrets, NotRecording, Seq, Tap};

/// How much of a body is read.
const LIMIT: usize = 1024 * 1024;
/// How long an exchange may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// Members of a JSON object whose values are secrets.
const SECRETS: [&str; 6] = [
    "access_token",
    "refresh_token",
    "id_token",
    "client_secret",
    "registration_access_token",
    "device_code",
];

/// A request.
#[derive(Clone, Debug)]
pub struct Ask {
    /// Its method.
    pub method: reqwest::Method,
    /// Where to.
    pub url: Url,
    /// Its headers.
    pub headers: Vec<(String, String)>,
    /// Its body.
    pub body: Option<String>,
}

impl Ask {
    /// A GET of a page. Errors are words.
    pub fn get(url: &str) -> Result<Self, String> {
        let url = Url::parse(url).map_err(|error| format!("`{url}` is no URL: {error}"))?;
        Ok(Self {
            method: reqwest::Method::GET,
            url,
            headers: Vec::new(),
            body: None,
        })
    }
}

/// What was answered.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: Vec<(String, String)>,
    /// The beginning of the body, as text.
    pub body: String,
    /// The record of the request, where there is a log.
    pub seq: Option<Seq>,
}

impl Answer {
    /// A header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut all = self.headers.iter();
        let found = all.find(|(key, _)| key.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

/// Makes plain exchanges. Secrets that an answer brings are known before it is logged.
#[derive(Debug)]
pub struct Web {
    log: Option<(Tap, Conn)>,
    secrets: KnownSecrets,
    ca: Option<PathBuf>,
    /// One client per origin: proxies and certificates depend on it.
    clients: Mutex<HashMap<String, reqwest::Client>>,
}

impl Web {
    /// `ca`: a file of further trusted certificates.
    pub fn new(log: Option<(Tap, Conn)>, secrets: KnownSecrets, ca: Option<PathBuf>) -> Self {
        Self {
            log,
            secrets,
            ca,
            clients: Mutex::default(),
        }
    }

    /// What is masked in the log.
    pub fn secrets(&self) -> &KnownSecrets {
        &self.secrets
    }

    /// Makes one exchange.
    ///
    /// # Errors
    /// Where no answer came; the inner one says why.
    pub async fn ask(&self, ask: Ask) -> Result<Result<Answer, HttpError>, NotRecording> {
        let prepared = self.client(&ask.url).and_then(|client| {
            let mut headers = HeaderMap::new();
            for (name, value) in parse(&ask.headers)? {
                headers.append(name, value);
            }
            Ok((client, headers))
        });
        let (client, headers) = match prepared {
            Ok(prepared) => prepared,
            Err(error) => return Ok(Err(error)),
        };
        let address = at(&ask.url);
        let body = ask.body.map(Bytes::from);
        let seq = self.log(
            HttpEvent {
                phase: HttpPhase::Request,
                method: Some(ask.method.to_string()),
                url: Some(shown(&ask.url)),
                headers: as_sent(&address, body.as_ref(), &headers),
                text: body.as_ref().map(text),
                ..empty()
            },
            None,
        );
        let seq = seq.await?;
        let mut request = client
            .request(ask.method, ask.url.clone())
            .headers(headers)
            .timeout(PATIENCE);
        if let Some(body) = body {
            request = request.body(body);
        }
        let (answered, took) = timed(request.send()).await;
        let response = match answered {
            Ok(response) => response,
            Err(error) => {
                let error = of_request(&error, &brief(&ask.url), address, CONNECT);
                self.end(Some(error.to_string()), seq).await?;
                return Ok(Err(error));
            }
        };
        let (status, headers) = (response.status().as_u16(), logged(response.headers()));
        let record = response_record(&response, took);
        let (read, broken) = read(response).await;
        let body = String::from_utf8_lossy(&read).into_owned();
        self.learn(&body);
        self.log(record, seq).await?;
        match broken {
            Some(why) => {
                self.end(Some(why.clone()), seq).await?;
                let url = brief(&ask.url);
                Ok(Err(HttpError::Broken { url, why }))
            }
            None => {
                self.end(Some(body.clone()), seq).await?;
                Ok(Ok(Answer {
                    status,
                    headers,
                    body,
                    seq,
                }))
            }
        }
    }

    /// Logs the request by which the browser came back.
    ///
    /// # Errors
    /// Where it cannot be logged.
    pub async fn returned(&self, url: &str) -> Result<Option<Seq>, NotRecording> {
        let request = HttpEvent {
            phase: HttpPhase::Request,
            method: Some("GET".to_owned()),
            url: Some(url.to_owned()),
            ..empty()
        };
        let seq = self.log(request, None).await?;
        let response = HttpEvent {
            phase: HttpPhase::Response,
            status: Some(200),
            ..empty()
        };
        self.log(response, seq).await?;
        self.end(None, seq).await?;
        Ok(seq)
    }

    fn learn(&self, body: &str) {
        let Ok(members) = serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(body)
        else {
            return;
        };
        for name in SECRETS {
            if let Some(value) = members.get(name).and_then(serde_json::Value::as_str) {
                self.secrets.learn(name, value);
            }
        }
    }

    async fn end(&self, text: Option<String>, via: Option<Seq>) -> Result<(), NotRecording> {
        let end = HttpEvent { text, ..empty() };
        self.log(end, via).await.map(drop)
    }

    async fn log(&self, http: HttpEvent, via: Option<Seq>) -> Result<Option<Seq>, NotRecording> {
        match &self.log {
            Some((tap, conn)) => tap
                .event(*conn, Event::Http(http), via, None)
                .await
                .map(Some),
            None => Ok(None),
        }
    }

    fn client(&self, url: &Url) -> Result<reqwest::Client, HttpError> {
        let origin = url.origin().ascii_serialization();
        if let Some(client) = self.clients.lock().get(&origin) {
            return Ok(client.clone());
        }
        let client = Endpoint::new(url.as_str(), &[], self.ca.as_deref())?.client;
        self.clients.lock().insert(origin, client.clone());
        Ok(client)
    }
}

fn text(bytes: &Bytes) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The beginning of a body, and what broke it.
async fn read(response: reqwest::Response) -> (Vec<u8>, Option<String>) {
    let mut body = Body::of(response);
    let mut read = Vec::new();
    loop {
        match tokio::time::timeout(PATIENCE, body.chunk()).await {
            Ok(Ok(Some(chunk))) => read.extend_from_slice(&chunk),
            Ok(Ok(None)) => return (read, None),
            Ok(Err(why)) => return (read, Some(why)),
            Err(_) => return (read, Some("it did not end in time".to_owned())),
        }
        if read.len() > LIMIT {
            return (read, Some("it is over 1 MiB".to_owned()));
        }
    }
}
