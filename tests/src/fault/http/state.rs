//! What the connections of a running server share.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::PathBuf;

use serde_json::Value;
use tokio::sync::watch;

use super::answer::Answer;
use super::request::Request;
use super::{On, Style};
use crate::fault::handshake::Handshaking;
use crate::fault::message::Asked;

/// The state, and who waits for a change of it.
#[derive(Debug)]
pub(crate) struct Shared {
    state: watch::Sender<State>,
}

/// The state of a running server.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) handshake: Handshaking,
    pub(crate) style: Style,
    /// Whether `initialize` begins a session.
    pub(crate) mints_sessions: bool,
    pub(crate) sessions: BTreeSet<String>,
    pub(crate) minted: u64,
    /// Deviations: what they answer, and the answers still to be given; the last one stays.
    pub(crate) rules: Vec<(On, Vec<Answer>)>,
    /// Method of each message that came in; empty for a response.
    pub(crate) heard: Vec<String>,
    /// Messages for the streams of [`super::answer::Part::Stream`].
    pub(crate) streamed: Vec<String>,
    /// The id of the last request, as JSON text.
    pub(crate) asked: String,
    pub(crate) requests: u64,
    pub(crate) log: Option<File>,
    pub(crate) wrote: Option<PathBuf>,
}

impl Shared {
    pub(crate) fn new(state: State) -> Self {
        Self {
            state: watch::Sender::new(state),
        }
    }

    /// Changes the state, and wakes who waits for that.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        let mut told = None;
        self.state.send_modify(|state| told = Some(change(state)));
        match told {
            Some(told) => told,
            None => unreachable!("send_modify calls its closure"),
        }
    }

    /// Waits until a message with this method has come in after the first `number`.
    pub(crate) async fn heard_after(&self, number: usize, method: &str) {
        let heard = |state: &State| state.heard.iter().skip(number).any(|m| m == method);
        let mut changes = self.state.subscribe();
        // An error means that the server is gone, and this task with it.
        let _ = changes.wait_for(heard).await;
    }

    /// Waits for message `number` of the stream.
    pub(crate) async fn streamed(&self, number: usize) -> String {
        let mut changes = self.state.subscribe();
        let there = changes
            .wait_for(|state| state.streamed.len() > number)
            .await;
        there.map_or_else(|_| String::new(), |state| state.streamed[number].clone())
    }
}

impl State {
    /// The deviation for a request, if there is one.
    pub(crate) fn deviation(&mut self, request: &Request, asked: Option<&Asked>) -> Option<Answer> {
        let rule = self.rules.iter_mut();
        let (_, answers) = rule.into_iter().find(|(on, _)| on.covers(request, asked))?;
        if answers.len() > 1 {
            return Some(answers.remove(0));
        }
        answers.first().cloned()
    }

    /// Writes a line into the file of `--read`.
    pub(crate) fn note(&mut self, line: &Value) -> io::Result<()> {
        let Some(log) = &mut self.log else {
            return Ok(());
        };
        log.write_all(format!("{line}\n").as_bytes())
    }
}
