//! Takes what comes from the server: resolves callers, answers the server's requests. It never waits for the writer, or two
//! full pipes would wait for each other.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::call::reply;
use super::draft::framed;
use super::follow::Put;
use super::input::{Answer, InputId, PendingInput};
use super::json::{Json, Members, items, quoted};
use super::link::{Link, gone};
use super::pages::unknown_kind;
use super::pending::{Answered, Waiting};
use super::{Catalog, Outcome};
use crate::protocol::{Envelope, Kind, RequestId, Revision, text};
use crate::record::{Note, PARSE_LIMIT, Recorded, Seq, StoppedBy};
use crate::transport::{Ended, Inbound, Outbound};

/// Runs until the wire has ended. Where the task ends otherwise, be it before its first step, the connection ends as well.
pub(super) fn run(
    link: Arc<Link>,
    mut inbound: mpsc::Receiver<Inbound>,
) -> impl Future<Output = ()> + Send {
    let guard = Guard(link);
    async move {
        let link = &guard.0;
        while let Some(item) = inbound.recv().await {
            match item {
                Inbound::Frame(frame) => link.take(&frame).await,
                Inbound::Ended {
                    via,
                    why: Ended::Unwritten,
                } => link.unwritten(via),
                Inbound::Ended {
                    via,
                    why: Ended::Over(error),
                } => link.over(via, error).await,
                Inbound::Closed(reason) => {
                    link.end(reason).await;
                    break;
                }
            }
        }
    }
}

/// Which record a message stands in, and whose exchange carried it.
#[derive(Clone, Copy)]
struct From {
    seq: Seq,
    via: Option<Seq>,
}

/// The answer in a message.
fn answer(raw: Option<&Bytes>, seq: Seq) -> Option<Outcome> {
    let raw = raw?;
    // Bad bytes in it are the server's fault and shown in the log; its caller gets the rest.
    let reply = reply(&Json::of(raw))?;
    Some(Outcome::Reply {
        reply,
        raw: raw.clone(),
        seq,
    })
}

/// Where the task fails, callers must not wait for ever, and the server must end.
struct Guard(Arc<Link>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0
            .writer
            .close(StoppedBy::App, Some("this app failed".to_owned()));
        self.0.pending.lock().close();
        self.0.closed.send_if_modified(|closed| {
            let failed = closed.is_none();
            closed.get_or_insert_with(|| Arc::new(gone()));
            failed
        });
    }
}

impl Link {
    async fn take(self: &Arc<Self>, frame: &Recorded) {
        let envelope = frame.envelope();
        if envelope.kind == Kind::Batch {
            self.judge_batch(frame.seq()).await;
        }
        if envelope.kind != Kind::Batch {
            let from = From {
                seq: frame.seq(),
                via: frame.carriage().via,
            };
            return self.message(envelope, frame.message().as_ref(), from).await;
        }
        let message = frame.message();
        let text = message.as_ref().map(|raw| text(raw));
        for (item, raw) in envelope
            .items
            .iter()
            .zip(text.as_deref().and_then(items).unwrap_or_default())
        {
            self.message(
                item,
                Some(&Bytes::copy_from_slice(raw.get().as_bytes())),
                From {
                    seq: frame.seq(),
                    via: frame.carriage().via,
                },
            )
            .await;
        }
    }

    async fn message(self: &Arc<Self>, envelope: &Envelope, raw: Option<&Bytes>, from: From) {
        let seq = from.seq;
        if raw.is_none() {
            return self.over_limit(from).await;
        }
        match (envelope.kind, &envelope.id) {
            (Kind::Request, Some(id)) => {
                let method = envelope.method.as_deref().unwrap_or_default();
                self.serve(method, id, raw, seq).await
            }
            (Kind::Notification, _) => {
                let method = envelope.method.as_deref().unwrap_or_default();
                self.hear(method, raw, seq).await;
            }
            // Also what is malformed but names the request that it answers: its caller must not wait.
            (Kind::Result | Kind::Error | Kind::Malformed, Some(id)) => {
                self.resolve(id, raw, from, envelope.kind).await;
            }
            (Kind::Error, None) => self.stray(raw, from),
            (_, _) => {}
        }
    }

    /// Arrays are legal in one revision only (2025-03-26 basic/index › Batching); they are read all the same.
    async fn judge_batch(&self, seq: Seq) {
        let negotiated = self.negotiated.get();
        let Some(revision) = negotiated.map(|negotiated| negotiated.revision) else {
            return;
        };
        if revision != Revision::V2025_03_26 {
            let text =
                format!("an array of messages is not allowed in {revision}; its items are read");
            self.note(Note::Deviation { text }, Some(seq)).await;
        }
    }

    /// A result of a type that we do not know is no valid one (2026-07-28 basic/index › ResultType). It is handed on all the
    /// same: this is a tool to look at what servers send.
    async fn judge_kind(&self, outcome: &Outcome) {
        let Outcome::Reply {
            reply: Ok(result),
            seq,
            ..
        } = outcome
        else {
            return;
        };
        let members = self.is_modern().then(|| Members::of(result.get()).ok());
        if let Some(kind) = members.flatten().and_then(|members| unknown_kind(&members)) {
            let text = format!("resultType {kind} is none that this client knows");
            self.note(Note::Deviation { text }, Some(*seq)).await;
        }
    }

    async fn hear(&self, method: &str, raw: Option<&Bytes>, seq: Seq) {
        match method {
            "notifications/progress" => self.progress(raw),
            "notifications/cancelled" => self.taken_back(raw),
            "notifications/message" => {}
            _ => {
                if method == "notifications/elicitation/complete" {
                    self.visited(raw);
                }
                self.dial.lists.heard(method);
                let text = raw.map(|raw| text(raw));
                self.notice(method, text.as_deref(), raw, seq).await;
            }
        }
    }

    /// The server says that the visit of a page is over.
    fn visited(&self, raw: Option<&Bytes>) {
        let text = raw.map(|raw| text(raw));
        let params = text
            .as_deref()
            .and_then(|text| Members::of(text).ok()?.get("params"));
        let page =
            params.and_then(|params| Members::of(params.get()).ok()?.string("elicitationId"));
        if let Some(page) = page {
            self.dial.inputs.visited(page);
        }
    }

    /// The server gives up a request of its own.
    fn taken_back(&self, raw: Option<&Bytes>) {
        let text = raw.map(|raw| text(raw));
        let params = text
            .as_deref()
            .and_then(|text| Members::of(text).ok()?.get("params"));
        let id = params.and_then(|params| Members::of(params.get()).ok()?.get("requestId"));
        if let Some(id) = id {
            self.dial.inputs.take_back(&RequestId::from_raw(id.get()));
        }
    }

    async fn resolve(
        self: &Arc<Self>,
        id: &RequestId,
        raw: Option<&Bytes>,
        from: From,
        kind: Kind,
    ) {
        let Some(outcome) = answer(raw, from.seq) else {
            return;
        };
        self.judge_kind(&outcome).await;
        let answered = self.pending.lock().answered(id, from.via);
        match answered {
            Answered::Caller(waiting) => {
                self.learn(&waiting, &outcome);
                self.tell(*waiting, outcome);
            }
            Answered::Raw => {}
            Answered::Nobody if kind == Kind::Error => self.stray(raw, from),
            Answered::Nobody => {}
        }
    }

    /// An error that names no request that waits, as servers send it that could not read or would not take the message
    /// (§ "id": null): it answers the request whose exchange carried it.
    fn stray(&self, raw: Option<&Bytes>, from: From) {
        if let (Some(via), Some(outcome)) = (from.via, answer(raw, from.seq)) {
            self.pending.lock().stray(via, outcome);
        }
    }

    /// A message that was stored and not read names no request. It answers the one whose exchange carried it; where only
    /// one waits, it can be no other's answer.
    async fn over_limit(&self, from: From) {
        let seq = from.seq;
        self.note(Note::OverLimit { limit: PARSE_LIMIT }, Some(seq))
            .await;
        let found = {
            let mut pending = self.pending.lock();
            match from.via {
                Some(via) => pending.take_sent(via).map(|(_, waiting)| waiting),
                None => pending.take_only(),
            }
        };
        if let Some(waiting) = found {
            let why = Some(format!(
                "its answer, #{seq}, is over {} MiB: stored, not read",
                PARSE_LIMIT >> 20
            ));
            self.note(Note::Unanswered { why }, waiting.seq.get().copied())
                .await;
            let _ = waiting.tell.send(Outcome::OverLimit { seq });
        }
    }

    fn progress(&self, raw: Option<&Bytes>) {
        let text = raw.map(|raw| text(raw));
        let params = text
            .as_deref()
            .and_then(|text| Members::of(text).ok()?.get("params"));
        let params = params.and_then(|params| Members::of(params.get()).ok());
        if let Some((params, token)) = params
            .as_ref()
            .and_then(|params| Some((params, params.get("progressToken")?)))
        {
            let mut pending = self.pending.lock();
            pending.progress(token.get(), params, Instant::now());
        }
    }

    /// What an answer tells about later requests: which arguments of tools go into headers.
    fn learn(&self, waiting: &Waiting, outcome: &Outcome) {
        if self.one_line || waiting.method != Catalog::Tools.method() || !self.is_modern() {
            return;
        }
        if let Outcome::Reply {
            reply: Ok(result), ..
        } = outcome
        {
            let params = waiting.attempt.as_ref();
            let params = params.and_then(|attempt| attempt.draft.params.as_deref());
            let first = params.is_none_or(|params| !params.contains("\"cursor\""));
            self.params.learn(result, first);
        }
    }

    /// Answers a request of the server: `ping` with a result, what is known by whoever is to answer it, the rest with -32601.
    async fn serve(self: &Arc<Self>, method: &str, id: &RequestId, raw: Option<&Bytes>, seq: Seq) {
        if self.is_modern() {
            let text = format!(
                "{method} was not answered: a modern client must not send responses (basic/patterns)"
            );
            return self.note(Note::AnsweredByRule { text }, Some(seq)).await;
        }
        if method == "ping" {
            return self
                .respond(id, Answer::Result("{}".to_owned()), method, seq)
                .await;
        }
        let text = raw.map(|raw| text(raw));
        let params = text
            .as_deref()
            .and_then(|text| Members::of(text).ok()?.get("params"));
        let id_of = InputId { seq, key: None };
        let input = PendingInput::now(id_of, method.to_owned(), params, None);
        match self.put_up(input, Some(id.clone())) {
            Put::Answered(answer, text) => {
                self.note(Note::AnsweredByRule { text }, Some(seq)).await;
                self.respond(id, answer, method, seq).await;
            }
            Put::Waits(told) => {
                let (link, id, method) = (Arc::clone(self), id.clone(), method.to_owned());
                let params = params.map(ToOwned::to_owned);
                // Over stdio nothing says for which call it is asked: none runs out of time meanwhile.
                self.pending.lock().hold(Instant::now());
                self.dial.how.tasks.spawn(async move {
                    let told = told.await;
                    link.pending.lock().release(Instant::now());
                    link.wake.notify_one();
                    // A question that was withdrawn needs no answer.
                    if let Ok(answer) = told {
                        link.respond(&id, answer.clone(), &method, seq).await;
                        link.after_answer(&answer, seq, params.as_deref()).await;
                    }
                });
            }
        }
    }

    async fn respond(&self, id: &RequestId, answer: Answer, method: &str, seq: Seq) {
        let body = match answer {
            Answer::Result(result) => format!(r#""result":{result}"#),
            Answer::Error { code, message } => {
                format!(
                    r#""error":{{"code":{code},"message":{}}}"#,
                    quoted(&message)
                )
            }
        };
        let raw = framed(
            format!(r#"{{"jsonrpc":"2.0","id":{id},{body}}}"#),
            self.one_line,
        );
        if let Err(error) = self.writer.post(Outbound::new(raw)) {
            let text = format!("{method} was not answered: {error}");
            self.note(Note::AnsweredByRule { text }, Some(seq)).await;
        }
    }
}
