//! What an answer asks to be done before its caller hears of it: a new session, another revision, headers by a newer schema,
//! another round with the input that the server wants. Each is done once, or a bounded number of times, and stands in the log.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use serde_json::value::RawValue;
use tokio::time::sleep;

use super::draft::Draft;
use super::handshake::{UNSUPPORTED_VERSION, mutual};
use super::input::{Answer, Answers, InputId, InputRequired, PendingInput};
use super::json::Members;
use super::link::Link;
use super::pending::{Attempt, Waiting};
use super::visits::{URL_REQUIRED, pages};
use super::{Catalog, Client, ClientError, Outcome, RpcError};
use crate::protocol::Revision;
use crate::record::{Note, Seq};
use crate::transport::{HttpError, TransportError};

/// The error by which a modern server refuses headers (2026-07-28 streamable-http › Server Validation).
const HEADER_MISMATCH: i64 = -32020;
/// Rounds of input that one call makes.
const ROUNDS: u32 = 10;
/// How long the second round waits that asks for nothing, the third twice as long.
const PAUSE: Duration = Duration::from_millis(500);

/// What an answer asks to be done.
#[derive(Debug)]
pub(super) enum Next {
    /// The session is over: begin a new one.
    Renew,
    /// Ask again in this revision.
    Revise(Revision),
    /// Ask again with the headers of a newer schema.
    Relist,
    /// Ask again with input.
    Input(InputRequired),
    /// Ask again once these pages were visited.
    Visit(Vec<Box<RawValue>>),
}

impl Link {
    /// Tells a caller what became of its request, unless something is to be done first.
    pub(super) fn tell(self: &Arc<Self>, waiting: Waiting, outcome: Outcome) {
        if !matches!(outcome, Outcome::Failed(_)) {
            self.proven.store(true, Ordering::Relaxed);
        }
        self.unlisten(&waiting);
        match self.next(&waiting, &outcome) {
            // Nobody may be waiting: the answer is in the log.
            None => drop(waiting.tell.send(outcome)),
            Some(next) => {
                let link = Arc::clone(self);
                let tasks = &self.dial.how.tasks;
                tasks.spawn(async move { link.follow(waiting, outcome, next).await });
            }
        }
    }

    fn next(&self, waiting: &Waiting, outcome: &Outcome) -> Option<Next> {
        let attempt = waiting.attempt.as_deref()?;
        let once = !attempt.again;
        match outcome {
            Outcome::Failed(TransportError::Http(HttpError::SessionLost { .. })) => {
                (once && self.proven()).then_some(Next::Renew)
            }
            Outcome::Reply {
                reply: Err(error), ..
            } if once && self.is_modern() => self.next_of_error(&attempt.draft, error),
            Outcome::Reply {
                reply: Err(error), ..
            } if once && error.code == URL_REQUIRED && self.dial.how.answers != Answers::Refuse => {
                pages(error).map(Next::Visit)
            }
            Outcome::Reply {
                reply: Ok(result), ..
            } if self.is_modern() && attempt.rounds < ROUNDS && may_ask(&attempt.draft) => {
                let asked = InputRequired::of(result)?;
                let answered = self.dial.how.answers != Answers::Refuse;
                (answered || asked.questions.is_empty()).then_some(Next::Input(asked))
            }
            Outcome::Reply { .. }
            | Outcome::TimedOut { .. }
            | Outcome::Cancelled
            | Outcome::Closed(_)
            | Outcome::Failed(_)
            | Outcome::OverLimit { .. } => None,
        }
    }

    fn next_of_error(&self, draft: &Draft, error: &RpcError) -> Option<Next> {
        match error.code {
            // What somebody chose to send is not corrected.
            UNSUPPORTED_VERSION if draft.revision.is_none() => {
                mutual(error, self.manner().revision).map(Next::Revise)
            }
            HEADER_MISMATCH if !self.one_line && draft.method == "tools/call" => {
                draft.headers.is_empty().then_some(Next::Relist)
            }
            _ => None,
        }
    }

    /// Whether this wire has brought an answer; one that took the place of another and has not is given up.
    fn proven(&self) -> bool {
        self.proven.load(Ordering::Relaxed)
    }

    async fn follow(self: Arc<Self>, mut waiting: Waiting, outcome: Outcome, next: Next) {
        let Some(attempt) = waiting.attempt.take() else {
            return drop(waiting.tell.send(outcome));
        };
        let about = waiting.seq.get().copied();
        match next {
            Next::Renew => {
                let outcome = match self.renewed(&attempt.draft, &outcome).await {
                    Ok(link) => {
                        let why = "a new session was begun";
                        return link
                            .again(*attempt, None, why, about, waiting, outcome)
                            .await;
                    }
                    Err(outcome) => outcome,
                };
                drop(waiting.tell.send(outcome));
            }
            Next::Revise(revision) => {
                let mut attempt = attempt;
                attempt.draft.revision = Some(revision);
                let why = format!("the server supports {revision}");
                self.again(*attempt, None, &why, about, waiting, outcome)
                    .await;
            }
            Next::Relist => {
                let client = Client {
                    link: Arc::clone(&self),
                };
                // Where the list cannot be had, there are no newer headers.
                if Box::pin(client.list_raw(Catalog::Tools)).await.is_err() {
                    return drop(waiting.tell.send(outcome));
                }
                let why = "with the headers of the tool's schema as it is now";
                self.again(*attempt, None, why, about, waiting, outcome)
                    .await;
            }
            Next::Visit(pages) => {
                let Outcome::Reply { seq, .. } = &outcome else {
                    return drop(waiting.tell.send(outcome));
                };
                if !self.visit(&pages, *seq, attempt.first.get().copied()).await {
                    return drop(waiting.tell.send(outcome));
                }
                let why = "the pages that the server named were visited";
                self.again(*attempt, None, why, about, waiting, outcome)
                    .await;
            }
            Next::Input(asked) => self.input(*attempt, &asked, about, waiting, outcome).await,
        }
    }

    /// Sends the request of a call again, `extra` being further members of its params.
    async fn again(
        self: &Arc<Self>,
        attempt: Attempt,
        extra: Option<String>,
        why: &str,
        about: Option<Seq>,
        waiting: Waiting,
        outcome: Outcome,
    ) {
        let why = why.to_owned();
        self.note(Note::Retried { why }, about).await;
        let attempt = Attempt {
            again: attempt.again || extra.is_none(),
            ..attempt
        };
        let mut draft = attempt.draft.clone();
        if let Some(extra) = extra.filter(|extra| !extra.is_empty()) {
            draft.params = Some(extended(draft.params.as_deref(), &extra));
        }
        let (manner, limits) = (self.manner(), self.limits(&draft));
        let sent = self.send(&draft, manner, limits, Some(attempt), waiting.tell);
        let Err((error, tell)) = sent.await else {
            return;
        };
        let outcome = if let ClientError::Closed { reason, .. } = error {
            Outcome::Closed(reason)
        } else if let ClientError::Transport(error) = error {
            Outcome::Failed(error)
        } else {
            outcome
        };
        drop(tell.send(outcome));
    }

    /// Gathers what the server asks for, then asks again (basic/patterns/mrtr › Client Requirements).
    async fn input(
        self: &Arc<Self>,
        attempt: Attempt,
        asked: &InputRequired,
        about: Option<Seq>,
        waiting: Waiting,
        outcome: Outcome,
    ) {
        let Outcome::Reply { seq, .. } = &outcome else {
            return drop(waiting.tell.send(outcome));
        };
        let request = attempt.first.get().copied();
        let answers = match self.gather(asked, *seq, request).await {
            Gathered::Answers(answers) => answers,
            Gathered::Refused => return drop(waiting.tell.send(outcome)),
            Gathered::Withdrawn => return drop(waiting.tell.send(Outcome::Cancelled)),
        };
        if asked.questions.is_empty() && attempt.rounds > 0 {
            // The server sheds load: rounds that ask for nothing are spaced out.
            sleep(PAUSE * attempt.rounds.min(ROUNDS)).await;
        }
        let attempt = Attempt {
            rounds: attempt.rounds + 1,
            ..attempt
        };
        let why = format!("round {} with what the server asked for", attempt.rounds);
        let extra = Some(asked.retry(&answers));
        self.again(attempt, extra, &why, about, waiting, outcome)
            .await;
    }

    async fn gather(&self, asked: &InputRequired, seq: Seq, request: Option<Seq>) -> Gathered {
        let mut waits = vec![];
        for (key, method, params) in &asked.questions {
            let id = InputId {
                seq,
                key: Some(key.clone()),
            };
            let input = PendingInput::now(id, method.clone(), params.as_deref(), request);
            let answer = self.put_up(input, None);
            if let Put::Answered(_, words) = &answer {
                let text = words.clone();
                self.note(Note::AnsweredByRule { text }, Some(seq)).await;
            }
            waits.push((key.clone(), answer));
        }
        let mut answers = vec![];
        for (key, wait) in waits {
            match wait.answer().await {
                Some(Answer::Result(result)) => answers.push((key, result)),
                Some(Answer::Error { .. }) => {
                    if let Some(request) = request {
                        self.dial.inputs.withdraw(request);
                    }
                    return Gathered::Refused;
                }
                None => return Gathered::Withdrawn,
            }
        }
        Gathered::Answers(answers)
    }

    /// A new session in place of this one, where the request may be sent there again.
    async fn renewed(
        self: &Arc<Self>,
        draft: &Draft,
        outcome: &Outcome,
    ) -> Result<Arc<Self>, Outcome> {
        let Outcome::Failed(TransportError::Http(lost)) = outcome else {
            return Err(outcome.clone());
        };
        match self.renew(&lost.to_string()).await {
            Ok(link) if repeats(&draft.method) => Ok(link),
            Ok(_) => Err(Outcome::Failed(TransportError::Http(
                lost.clone().renewed(),
            ))),
            Err(error) => {
                tracing::debug!("no new session: {error}");
                Err(outcome.clone())
            }
        }
    }
}

/// An answer, there or on its way.
#[derive(Debug)]
pub(super) enum Put {
    /// There, by a rule of this app: which, in words.
    Answered(Answer, String),
    /// On its way.
    Waits(tokio::sync::oneshot::Receiver<Answer>),
}

impl Put {
    /// Waits for it; `None` where the question was withdrawn.
    pub(super) async fn answer(self) -> Option<Answer> {
        match self {
            Self::Answered(answer, _) => Some(answer),
            Self::Waits(told) => told.await.ok(),
        }
    }
}

enum Gathered {
    Answers(Vec<(String, String)>),
    Refused,
    Withdrawn,
}

/// Whether a server may ask for input before it answers; what is answered by hand is not answered by rule.
fn may_ask(draft: &Draft) -> bool {
    let by_hand = |params: &str| {
        Members::of(params).is_ok_and(|params| {
            params.get("inputResponses").is_some() || params.get("requestState").is_some()
        })
    };
    matches!(
        draft.method.as_str(),
        "tools/call" | "resources/read" | "prompts/get"
    ) && !draft.params.as_deref().is_some_and(by_hand)
}

/// Whether a request changes nothing, so that it can be sent twice.
fn repeats(method: &str) -> bool {
    matches!(
        method,
        "ping"
            | "tools/list"
            | "prompts/list"
            | "prompts/get"
            | "resources/list"
            | "resources/templates/list"
            | "resources/read"
            | "resources/subscribe"
            | "resources/unsubscribe"
            | "completion/complete"
            | "logging/setLevel"
    )
}

/// Params with further members at their end.
fn extended(params: Option<&str>, extra: &str) -> String {
    let typed = params.filter(|params| !params.trim().is_empty());
    let Some(members) = typed.and_then(|params| Members::of(params).ok()) else {
        return format!("{{{extra}}}");
    };
    let text = typed.unwrap_or_default();
    let comma = if members.is_empty() { "" } else { "," };
    // The text is an object, so its last brace closes it.
    let end = text.rfind('}').unwrap_or(text.len());
    format!("{}{comma}{extra}{}", &text[..end], &text[end..])
}
