//! What a server asks of its client: elicitation, sampling, roots. In the legacy era these are requests, in the modern one they
//! stand in an `input_required` result (basic/patterns/mrtr); here both are one list.

use parking_lot::Mutex;
use serde_json::value::RawValue;
use tokio::sync::{oneshot, watch};

use super::json::{Json, Members, string};
use crate::protocol::RequestId;
use crate::record::{Clock, Seq};

/// Who answers what a server asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Answers {
    /// Nobody: nothing is declared, and what is asked all the same is refused.
    #[default]
    Refuse,
    /// A rule: forms are accepted with their defaults, or declined where a required field has none; roots as configured; no
    /// sampling.
    Defaults,
    /// Whoever looks at [`super::Client::inputs`] and calls [`super::Client::answer`], where no rule does; roots as configured.
    Ask,
    /// Rules alone; roots as configured. What no rule answers is refused.
    Rules,
}

/// Names what a server asks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InputId {
    /// The record in which it stands.
    pub seq: Seq,
    /// Its key among the `inputRequests` of a modern result.
    pub key: Option<String>,
}

/// Something that a server asks and nobody has answered yet.
#[derive(Clone, Debug)]
pub struct PendingInput {
    /// Its name.
    pub id: InputId,
    /// `elicitation/create`, `sampling/createMessage` or `roots/list`.
    pub method: String,
    /// Its `params`, to the byte.
    pub params: Option<Box<RawValue>>,
    /// The request of ours that waits for it, where the server says it.
    pub request: Option<Seq>,
    /// Since when, microseconds since the epoch.
    pub since_us: i64,
    /// The user agreed to visit its page, and the server has not said yet that the visit is over. Any answer ends the wait.
    pub visiting: bool,
}

impl PendingInput {
    /// A question that is asked now.
    pub(super) fn now(
        id: InputId,
        method: String,
        params: Option<&RawValue>,
        request: Option<Seq>,
    ) -> Self {
        Self {
            id,
            method,
            params: params.map(ToOwned::to_owned),
            request,
            since_us: Clock::start().now_us(),
            visiting: false,
        }
    }
}

/// An answer to what a server asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A result, as JSON text.
    Result(String),
    /// A refusal. In the modern era nothing is sent then: the call that asked stays as it is.
    Error {
        /// JSON-RPC error code.
        code: i64,
        /// In words.
        message: String,
    },
}

/// Whether this app can answer a request of the server at all.
pub(super) fn is_known(method: &str) -> bool {
    matches!(
        method,
        "elicitation/create" | "sampling/createMessage" | "roots/list"
    )
}

/// Consent to what was asked.
const ACCEPT: &str = r#"{"action":"accept"}"#;
/// So many ends of visits are kept in mind that nobody waits for.
const VISITED: usize = 100;

/// What is asked and not answered yet.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    open: Mutex<Vec<Open>>,
    changed: watch::Sender<()>,
    /// Visits that ended before anybody waited for their end.
    visited: Mutex<Vec<String>>,
}

#[derive(Debug)]
struct Open {
    input: PendingInput,
    /// The id of a legacy request.
    rpc: Option<RequestId>,
    /// The page whose visit it waits for.
    page: Option<String>,
    tell: oneshot::Sender<Answer>,
}

impl Inputs {
    /// Puts a question up for an answer. It yields nothing where the question is withdrawn.
    pub(super) fn ask(
        &self,
        input: PendingInput,
        rpc: Option<RequestId>,
    ) -> oneshot::Receiver<Answer> {
        self.put(input, rpc, None)
    }

    /// Puts up that the visit of a page is under way. `None` where the server has said already that it is over.
    pub(super) fn visit(
        &self,
        input: PendingInput,
        page: String,
    ) -> Option<oneshot::Receiver<Answer>> {
        let mut visited = self.visited.lock();
        if let Some(at) = visited.iter().position(|over| *over == page) {
            visited.remove(at);
            return None;
        }
        // Under the lock: its end cannot be told in between.
        Some(self.put(input, None, Some(page)))
    }

    /// The server says that the visit of a page is over (2025-11-25 client/elicitation). One that nobody waits for is kept in
    /// mind: it may have been quick.
    pub(super) fn visited(&self, page: String) {
        let mut visited = self.visited.lock();
        let waiting = self.take(|open| open.page.as_ref() == Some(&page));
        if waiting.is_empty() {
            if visited.len() == VISITED {
                visited.remove(0);
            }
            visited.push(page);
        }
        for open in waiting {
            // Its call may be over.
            let _ = open.tell.send(Answer::Result(ACCEPT.to_owned()));
        }
    }

    fn put(
        &self,
        input: PendingInput,
        rpc: Option<RequestId>,
        page: Option<String>,
    ) -> oneshot::Receiver<Answer> {
        let (tell, told) = oneshot::channel();
        let open = Open {
            input,
            rpc,
            page,
            tell,
        };
        self.open.lock().push(open);
        self.changed.send_replace(());
        told
    }

    pub(super) fn list(&self) -> Vec<PendingInput> {
        let open = self.open.lock();
        open.iter().map(|open| open.input.clone()).collect()
    }

    pub(super) fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    /// False where nobody asks that any more.
    pub(super) fn answer(&self, id: &InputId, answer: Answer) -> bool {
        let mut taken = self.take(|open| open.input.id == *id);
        taken
            .pop()
            .is_some_and(|open| open.tell.send(answer).is_ok())
    }

    /// The request of ours that asked was given up. False where it asked nothing.
    pub(super) fn withdraw(&self, request: Seq) -> bool {
        !self
            .take(|open| open.input.request == Some(request))
            .is_empty()
    }

    /// The server takes its legacy request back.
    pub(super) fn take_back(&self, rpc: &RequestId) {
        self.take(|open| open.rpc.as_ref() == Some(rpc));
    }

    /// All of them are over.
    pub(super) fn clear(&self) {
        self.take(|_| true);
    }

    fn take(&self, wanted: impl Fn(&Open) -> bool) -> Vec<Open> {
        let taken: Vec<_> = self
            .open
            .lock()
            .extract_if(.., |open| wanted(open))
            .collect();
        if !taken.is_empty() {
            self.changed.send_replace(());
        }
        taken
    }
}

/// The interim result of a modern server.
#[derive(Debug)]
pub(super) struct InputRequired {
    /// Key, method and params of each question.
    pub(super) questions: Vec<(String, String, Option<Box<RawValue>>)>,
    /// `requestState`, as its JSON text.
    pub(super) state: Option<String>,
}

impl InputRequired {
    /// `None` where the result is none, or asks neither for input nor for another try.
    pub(super) fn of(result: &Json) -> Option<Self> {
        // Most results are large and something else: they are not read for this.
        if !result.get().contains("input_required") {
            return None;
        }
        let members = Members::of(result.get()).ok()?;
        if members.string("resultType")? != "input_required" {
            return None;
        }
        let asked = members
            .get("inputRequests")
            .map(|asked| Members::of(asked.get()));
        let mut questions = vec![];
        for (key, question) in asked.transpose().ok()?.iter().flat_map(Members::iter) {
            let question = Members::of(question.get()).ok()?;
            let params = question.get("params").map(ToOwned::to_owned);
            questions.push((key.to_owned(), question.string("method")?, params));
        }
        let state = members
            .get("requestState")
            .map(|state| state.get().to_owned());
        (state.is_some() || !questions.is_empty()).then_some(Self { questions, state })
    }

    /// The members that a retry carries besides the original params.
    pub(super) fn retry(&self, answers: &[(String, String)]) -> String {
        let answers: Vec<_> = answers
            .iter()
            .map(|(key, answer)| format!("{}:{answer}", super::json::quoted(key)))
            .collect();
        let mut members = vec![];
        if !answers.is_empty() {
            members.push(format!(r#""inputResponses":{{{}}}"#, answers.join(",")));
        }
        members.extend(
            self.state
                .as_ref()
                .map(|state| format!(r#""requestState":{state}"#)),
        );
        members.join(",")
    }
}

/// The answer of [`Answers::Defaults`].
pub(super) fn by_default(method: &str, params: Option<&RawValue>) -> Answer {
    const DECLINE: &str = r#"{"action":"decline"}"#;
    match method {
        "elicitation/create" => {
            let content = params.and_then(form_defaults);
            let accept = |content| format!(r#"{{"action":"accept","content":{content}}}"#);
            Answer::Result(content.map_or_else(|| DECLINE.to_owned(), accept))
        }
        _ => Answer::Error {
            code: -1,
            message: "This client does not sample by itself".to_owned(),
        },
    }
}

/// The defaults of a form's fields; `None` for another mode, or where a required field has none.
fn form_defaults(params: &RawValue) -> Option<String> {
    let params = Members::of(params.get()).ok()?;
    // An absent mode is a form (client/elicitation › Capabilities).
    if params
        .get("mode")
        .and_then(string)
        .is_some_and(|mode| mode != "form")
    {
        return None;
    }
    let schema = Members::of(params.get("requestedSchema")?.get()).ok()?;
    let properties = Members::of(schema.get("properties")?.get()).ok()?;
    let required: Vec<String> = schema
        .get("required")
        .and_then(|required| serde_json::from_str(required.get()).ok())
        .unwrap_or_default();
    let mut fields = vec![];
    for (name, property) in properties.iter() {
        let property = Members::of(property.get()).ok();
        match property
            .as_ref()
            .and_then(|property| property.get("default"))
        {
            Some(default) => fields.push(format!("{}:{default}", super::json::quoted(name))),
            None if required.iter().any(|needed| needed == name) => return None,
            None => {}
        }
    }
    Some(format!("{{{}}}", fields.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).unwrap()
    }

    #[test]
    fn forms_are_answered_with_their_defaults() {
        let check = |params: &str, expected: &str| {
            let answer = by_default("elicitation/create", Some(&raw(params)));
            assert_eq!(answer, Answer::Result(expected.to_owned()), "{params}");
        };
        let form = |properties: &str, required: &str| {
            format!(
                r#"{{"message":"?","requestedSchema":{{"type":"object","properties":{properties},"required":{required}}}}}"#
            )
        };
        check(
            &form(
                r#"{"a":{"type":"number","default":95.50},"b":{"type":"string"}}"#,
                r#"["a"]"#,
            ),
            r#"{"action":"accept","content":{"a":95.50}}"#,
        );
        check(
            &form(r#"{"a":{"type":"string"}}"#, "[]"),
            r#"{"action":"accept","content":{}}"#,
        );
        check(
            &form(r#"{"a":{"type":"string"}}"#, r#"["a"]"#),
            r#"{"action":"decline"}"#,
        );
        check(
            r#"{"mode":"url","url":"https://x.test"}"#,
            r#"{"action":"decline"}"#,
        );
    }

    #[test]
    fn an_interim_result_is_told_by_its_type_and_its_state_goes_back_to_the_byte() {
        let read = |text: &str| InputRequired::of(&text.into());
        assert!(read(r#"{"content":[{"type":"text","text":"input_required"}]}"#).is_none());
        assert!(
            read(r#"{"resultType":"input_required"}"#).is_none(),
            "it asks for nothing"
        );
        let asked = read(
            r#"{"resultType":"input_required","inputRequests":{"q":{"method":"roots/list"}},"requestState":"a\u00e9"}"#,
        );
        let asked = asked.unwrap();
        assert_eq!(
            asked.retry(&[("q".to_owned(), r#"{"roots":[]}"#.to_owned())]),
            r#""inputResponses":{"q":{"roots":[]}},"requestState":"a\u00e9""#
        );
        let bare = read(
            r#"{"resultType":"input_required","inputRequests":{"q":{"method":"roots/list"}}}"#,
        );
        assert_eq!(bare.unwrap().retry(&[]), "");
    }
}
