//! A test peer over Streamable HTTP: hand-written HTTP/1.1, so that it can break every rule.
//!
//! It prints its URL and ends when its stdin ends. `--read FILE` holds a JSON line for each request (and one when the
//! client closes an answer before its end); `--wrote FILE` makes `FILE.N` with the entity of the answer to request N.

mod answer;
mod good;
mod request;
mod scenarios;
mod sender;
mod state;

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::net::tcp::OwnedReadHalf;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use super::Argument;
use super::handshake::{Handshake, Handshaking};
use super::message::Asked;
use answer::Answer;
use request::Request;
pub(crate) use scenarios::scenarios;
use sender::{Blanks, Connection, Sender};
use state::{Shared, State};

/// A scenario over HTTP.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    /// What it does wrong, in one line.
    pub(crate) about: &'static str,
    pub(crate) handshake: Handshake,
    pub(crate) style: Style,
    pub(crate) mints_sessions: bool,
    pub(crate) rules: fn(Argument<'_>) -> Vec<(On, Vec<Answer>)>,
}

/// How requests are answered where the scenario says nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Json,
    Sse,
    /// On the stream that a GET has opened (HTTP+SSE of 2024-11-05).
    Stream,
}

/// Which requests a deviation covers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum On {
    /// POSTs of a message with this method.
    Message(&'static str),
    /// POSTs of a request other than the handshake.
    Request,
    /// This HTTP method.
    Http(&'static str),
    /// GETs that go on with a stream.
    Resume,
    /// This path.
    Path(&'static str),
    /// All.
    Any,
}

impl On {
    fn covers(self, request: &Request, asked: Option<&Asked>) -> bool {
        let method = asked.and_then(|asked| asked.method.as_deref());
        let handshake = matches!(method, Some("initialize" | "server/discover"));
        match self {
            Self::Message(wanted) => method == Some(wanted),
            Self::Request => {
                asked.is_some_and(|a| a.id.is_some()) && method.is_some() && !handshake
            }
            Self::Http(wanted) => request.method == wanted,
            Self::Resume => request.header("last-event-id").is_some(),
            Self::Path(wanted) => request.path == wanted,
            Self::Any => true,
        }
    }
}

/// Serves until stdin ends.
pub(crate) fn serve(
    scenario: &Scenario,
    argument: Argument<'_>,
    wrote: Option<PathBuf>,
    read: Option<File>,
) -> io::Result<ExitCode> {
    let shared = Shared::new(State {
        handshake: Handshaking::new(scenario.handshake),
        style: scenario.style,
        mints_sessions: scenario.mints_sessions,
        sessions: Default::default(),
        minted: 0,
        rules: (scenario.rules)(argument),
        heard: vec![],
        streamed: vec![],
        asked: "null".to_owned(),
        requests: 0,
        log: read,
        wrote,
    });
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let (ended, end) = oneshot::channel();
    std::thread::spawn(move || {
        let _ = io::stdin().read_to_end(&mut Vec::new());
        let _ = ended.send(());
    });
    runtime.block_on(listen(Arc::new(shared), end))?;
    Ok(ExitCode::SUCCESS)
}

async fn listen(shared: Arc<Shared>, mut end: oneshot::Receiver<()>) -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let other = TcpListener::bind("127.0.0.1:0").await?;
    let origin = |at: &TcpListener| Ok::<_, io::Error>(format!("http://{}", at.local_addr()?));
    let origins = (origin(&listener)?, origin(&other)?);
    writeln!(io::stdout(), "{}/mcp", origins.0)?;
    let mut connections = JoinSet::new();
    for number in 1.. {
        let (stream, _) = tokio::select! {
            accepted = listener.accept() => accepted?,
            accepted = other.accept() => accepted?,
            _ = &mut end => break,
        };
        stream.set_nodelay(true)?;
        connections.spawn(connection(
            Arc::clone(&shared),
            stream,
            number,
            origins.clone(),
        ));
    }
    Ok(())
}

/// Answers the requests of one connection. What fails here is the client's end of it.
async fn connection(
    shared: Arc<Shared>,
    stream: TcpStream,
    number: u64,
    origins: (String, String),
) {
    let (reader, mut writer) = stream.into_split();
    let mut reader = BufReader::new(reader);
    while let Ok(Some(request)) = Request::read(&mut reader).await {
        let Ok((mut sender, answer, exchange)) =
            begin(&shared, &request, number, &origins, &mut writer)
        else {
            return;
        };
        let end = tokio::select! {
            end = sender.answer(&answer) => end,
            () = closed(&mut reader) => {
                let _ = shared.change(|state| state.note(&json!({ "closed": exchange })));
                return;
            }
        };
        if !matches!(end, Ok(Connection::Keep)) {
            return;
        }
    }
}

fn begin<'a>(
    shared: &'a Shared,
    request: &Request,
    connection: u64,
    (origin, other): &(String, String),
    out: &'a mut tokio::net::tcp::OwnedWriteHalf,
) -> io::Result<(Sender<'a>, Answer, u64)> {
    let asked = request.asked();
    let here = out.local_addr()?.to_string();
    shared.change(|state| {
        state.requests += 1;
        let number = state.requests;
        let mut line = request.to_json(number, connection);
        line["origin"] = json!(format!("http://{here}"));
        state.note(&line)?;
        let heard = state.heard.len();
        if let Some(asked) = &asked {
            state.heard.push(asked.method.clone().unwrap_or_default());
        }
        let copy = state.wrote.as_ref().map(|path| {
            let mut name = path.clone().into_os_string();
            name.push(format!(".{number}"));
            File::create(name)
        });
        let answer = choose(state, request, asked.as_ref());
        if let Some(id) = asked.as_ref().and_then(|asked| asked.id.as_deref()) {
            id.clone_into(&mut state.asked);
        }
        let blanks = Blanks {
            // What has no body is about the last request.
            id: asked.map_or_else(|| state.asked.clone(), |asked| asked.id().to_owned()),
            origin: origin.clone(),
            other: other.clone(),
        };
        let copy = copy.transpose()?;
        Ok((
            Sender {
                out,
                shared,
                blanks,
                copy,
                heard,
            },
            answer,
            number,
        ))
    })
}

fn choose(state: &mut State, request: &Request, asked: Option<&Asked>) -> Answer {
    let answer = state.deviation(request, asked).unwrap_or(Answer::Good);
    match answer {
        Answer::Good => {}
        Answer::ForgetSessions => state.sessions.clear(),
        deviation @ (Answer::Silence | Answer::Raw(_) | Answer::Response(_)) => return deviation,
    }
    good::answer(state, request).map_or_else(|| Answer::Raw(String::new()), Answer::Response)
}

/// Returns when the client has closed its end.
async fn closed(reader: &mut BufReader<OwnedReadHalf>) {
    match reader.fill_buf().await {
        Ok(bytes) if !bytes.is_empty() => std::future::pending().await,
        Ok(_) | Err(_) => {}
    }
}
