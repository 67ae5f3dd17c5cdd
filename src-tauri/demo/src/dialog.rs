//! Questions to the client, in either era: a legacy server sends requests of its own and waits; a modern one gives up the
//! request with `input_required` and is asked again (2026-07-28 basic/patterns/mrtr).
//!
//! A tool asks with [`Dialog::ask`] and reads like straight code in both. What was answered before travels in
//! `requestState`, so that nothing is kept between the rounds.

use std::borrow::Cow;

use rmcp::ErrorData;
use rmcp::RoleServer;
use rmcp::model::{
    ClientCapabilities, CustomRequest, InputRequests, InputRequiredResult, InputResponses,
    ServerRequest,
};
use rmcp::service::{PeerRequestOptions, RequestHandle, ServiceError};
use serde_json::{Map, Value, json};

use crate::server::{Context, modern};

/// What a retry brings.
#[derive(Default)]
pub(crate) struct Round {
    pub(crate) answers: Option<InputResponses>,
    pub(crate) state: Option<String>,
}

/// Why a request ends here.
pub(crate) enum Stop {
    /// The client is to answer and to ask again.
    Again(Box<InputRequiredResult>),
    Refused(ErrorData),
}

impl From<ErrorData> for Stop {
    fn from(error: ErrorData) -> Self {
        Self::Refused(error)
    }
}

/// A question: its key, and a request without an id.
pub(crate) type Question = (Cow<'static, str>, &'static str, Value);

/// One request and what its client has answered so far.
pub(crate) struct Dialog<'a> {
    context: &'a Context,
    given: Map<String, Value>,
}

impl<'a> Dialog<'a> {
    /// # Errors
    ///
    /// Where the state is not one that this server gave.
    pub(crate) fn new(context: &'a Context, round: Round) -> Result<Self, ErrorData> {
        let mut given = match round.state {
            None => Map::new(),
            Some(state) => serde_json::from_str::<Map<String, Value>>(&state).map_err(|_| {
                ErrorData::invalid_params("`requestState` is not one that this server gave", None)
            })?,
        };
        given.extend(round.answers.into_iter().flatten());
        Ok(Self { context, given })
    }

    /// Asks all of them at once and gives the answers, in their order.
    pub(crate) async fn ask(&mut self, questions: Vec<Question>) -> Result<Vec<Value>, Stop> {
        let open: Vec<_> = questions
            .iter()
            .filter(|(key, ..)| !self.given.contains_key(&**key))
            .collect();
        for (_, method, params) in &open {
            self.declared(method, params)?;
        }
        if modern(self.context) {
            let mut requests = InputRequests::new();
            for (key, method, params) in &open {
                let request = serde_json::from_value(json!({ "method": method, "params": params }))
                    .map_err(|why| ErrorData::internal_error(why.to_string(), None))?;
                requests.insert(key.clone().into_owned(), request);
            }
            if !requests.is_empty() {
                let result = InputRequiredResult::new(Some(requests), self.state());
                return Err(Stop::Again(Box::new(result)));
            }
        } else {
            let mut sent = vec![];
            for (key, method, params) in open {
                sent.push((
                    key.clone(),
                    send(self.context, method, params.clone()).await?,
                ));
            }
            for (key, handle) in sent {
                let answer = answer(self.context, handle).await?;
                self.given.insert(key.into_owned(), answer);
            }
        }
        let answer = |(key, ..): &Question| self.given.get(&**key).cloned().unwrap_or_default();
        Ok(questions.iter().map(answer).collect())
    }

    /// Asks one question.
    pub(crate) async fn ask_one(&mut self, question: Question) -> Result<Value, Stop> {
        Ok(self.ask(vec![question]).await?.pop().unwrap_or_default())
    }

    /// Sends the client round again without asking anything, as a busy server does. A legacy server cannot.
    pub(crate) fn come_again(&mut self, key: String) -> Result<(), Stop> {
        if !modern(self.context) || self.given.contains_key(&key) {
            return Ok(());
        }
        self.given.insert(key, Value::Bool(true));
        let state = self.state().unwrap_or_default();
        Err(Stop::Again(Box::new(
            InputRequiredResult::from_request_state(state),
        )))
    }

    /// None until there is something to remember.
    fn state(&self) -> Option<String> {
        (!self.given.is_empty()).then(|| Value::from(self.given.clone()).to_string())
    }

    /// A server must not ask for what its client has not declared.
    fn declared(&self, method: &str, params: &Value) -> Result<(), ErrorData> {
        let declared = self.context.client_capabilities();
        let declared = serde_json::to_value(declared.unwrap_or_default()).unwrap_or_default();
        let required = match method {
            "elicitation/create" if params["mode"] == "url" => {
                json!({ "elicitation": { "url": {} } })
            }
            "elicitation/create" => json!({ "elicitation": {} }),
            "sampling/createMessage" if params.get("tools").is_some() => {
                json!({ "sampling": { "tools": {} } })
            }
            "sampling/createMessage" => json!({ "sampling": {} }),
            _ => json!({ "roots": {} }),
        };
        if contains(&declared, &required) {
            return Ok(());
        }
        if modern(self.context) {
            let required = serde_json::from_value::<ClientCapabilities>(required);
            return Err(ErrorData::missing_required_client_capability(
                required.unwrap_or_default(),
            ));
        }
        Err(ErrorData::invalid_request(
            format!("this client did not declare {required}, so that it cannot be asked {method}"),
            None,
        ))
    }
}

/// Whether each member of `part` is in `whole`.
fn contains(whole: &Value, part: &Value) -> bool {
    let members = part.as_object().into_iter().flatten();
    whole.is_object()
        && members
            .into_iter()
            .all(|(key, part)| whole.get(key).is_some_and(|whole| contains(whole, part)))
}

/// Sends a legacy request as it is written here, past the types of `rmcp`.
pub(crate) async fn send(
    context: &Context,
    method: &str,
    params: Value,
) -> Result<RequestHandle<RoleServer>, ErrorData> {
    let request = ServerRequest::CustomRequest(CustomRequest::new(method, Some(params)));
    let sent = context
        .peer
        .send_cancellable_request(request, PeerRequestOptions::no_options());
    sent.await.map_err(|why| {
        ErrorData::internal_error(format!("{method} could not be sent: {why}"), None)
    })
}

/// Waits for the answer; an error of the client's is one. A question of a request that is cancelled is taken back.
async fn answer(context: &Context, handle: RequestHandle<RoleServer>) -> Result<Value, ErrorData> {
    let (peer, id) = (handle.peer.clone(), handle.id.clone());
    let told = tokio::select! {
        told = handle.await_response() => told,
        () = context.ct.cancelled() => {
            let why = rmcp::model::CancelledNotificationParam::new(Some(id), Some("the call was cancelled".to_owned()));
            peer.notify_cancelled(why).await.ok();
            return Err(ErrorData::internal_error("the call was cancelled", None));
        }
    };
    match told {
        Ok(result) => Ok(serde_json::to_value(result).unwrap_or_default()),
        Err(ServiceError::McpError(error)) => Ok(json!({ "error": error })),
        Err(why) => Err(ErrorData::internal_error(
            format!("the question was not answered: {why}"),
            None,
        )),
    }
}
