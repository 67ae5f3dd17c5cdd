//! Pages that a server wants visited (elicitation in URL mode). That the user agreed does not mean that the visit is over: a
//! legacy server says so later (`notifications/elicitation/complete`), and can refuse a call until then (error -32042,
//! 2025-11-25 client/elicitation).

use std::sync::Arc;

use serde_json::value::RawValue;

use super::RpcError;
use super::input::{Answer, Answers, InputId, PendingInput};
use super::json::{Members, items};
use super::link::Link;
use crate::record::Seq;

/// The error of a call that is refused until pages were visited.
pub(super) const URL_REQUIRED: i64 = -32_042;
const ELICIT: &str = "elicitation/create";

/// The pages that an error names, each as the params of an elicitation.
pub(super) fn pages(error: &RpcError) -> Option<Vec<Box<RawValue>>> {
    let data = Members::of(error.data.as_deref()?.get()).ok()?;
    let pages = items(data.get("elicitations")?.get())?;
    let pages: Vec<_> = pages.into_iter().map(ToOwned::to_owned).collect();
    (!pages.is_empty()).then_some(pages)
}

/// The `elicitationId` of a page.
pub(super) fn id_of(params: Option<&RawValue>) -> Option<String> {
    let params = Members::of(params?.get()).ok()?;
    (params.string("mode")? == "url").then_some(())?;
    params.string("elicitationId")
}

/// Whether an answer agrees.
fn accepts(answer: Option<&Answer>) -> bool {
    let Some(Answer::Result(result)) = answer else {
        return false;
    };
    let members = Members::of(result).ok();
    members
        .and_then(|members| members.string("action"))
        .as_deref()
        == Some("accept")
}

impl Link {
    /// Has the pages visited that `seq` refused a call for. True once the server may be asked again.
    pub(super) async fn visit(
        &self,
        pages: &[Box<RawValue>],
        seq: Seq,
        request: Option<Seq>,
    ) -> bool {
        let mut asked = vec![];
        for (at, params) in pages.iter().enumerate() {
            let input = question(seq, Some(format!("elicitations/{at}")), params, request);
            asked.push(self.put_up(input, None));
        }
        for put in asked {
            if !accepts(put.answer().await.as_ref()) {
                if let Some(request) = request {
                    self.dial.inputs.withdraw(request);
                }
                return false;
            }
        }
        for (at, params) in pages.iter().enumerate() {
            let key = Some(format!("elicitations/{at}"));
            if !self
                .until_visited(question(seq, key, params, request))
                .await
            {
                return false;
            }
        }
        true
    }

    /// After an answer to a legacy question: where it agreed to a visit, waits for its end, so that it stays in sight.
    pub(super) async fn after_answer(
        self: &Arc<Self>,
        answer: &Answer,
        seq: Seq,
        params: Option<&RawValue>,
    ) {
        if let (Some(params), true, Some(_)) = (params, accepts(Some(answer)), id_of(params)) {
            self.until_visited(question(seq, None, params, None)).await;
        }
    }

    /// Waits until the server says that a visit is over, or the user does. False where the user gives it up.
    async fn until_visited(&self, input: PendingInput) -> bool {
        let Some(id) = id_of(input.params.as_deref()) else {
            return true;
        };
        let input = PendingInput {
            visiting: true,
            ..input
        };
        let Some(told) = self.dial.inputs.visit(input, id) else {
            return true;
        };
        if self.dial.how.answers == Answers::Ask {
            return accepts(told.await.ok().as_ref());
        }
        // Nobody is there to say that it is enough: as long as for any answer.
        match tokio::time::timeout(self.dial.how.timeout, told).await {
            Ok(told) => accepts(told.ok().as_ref()),
            Err(_) => true,
        }
    }
}

fn question(
    seq: Seq,
    key: Option<String>,
    params: &RawValue,
    request: Option<Seq>,
) -> PendingInput {
    let id = InputId { seq, key };
    PendingInput::now(id, ELICIT.to_owned(), Some(params), request)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_page_with_an_id_has_an_end_that_is_told() {
        let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
        for (params, expected) in [
            (r#"{"mode":"url","elicitationId":"a"}"#, Some("a")),
            (r#"{"mode":"url"}"#, None),
            (r#"{"mode":"form","elicitationId":"a"}"#, None),
            (r#"{"elicitationId":"a"}"#, None),
        ] {
            assert_eq!(id_of(Some(&raw(params))).as_deref(), expected, "{params}");
        }
        assert!(accepts(Some(&Answer::Result(
            r#"{"action":"accept"}"#.to_owned()
        ))));
        assert!(!accepts(Some(&Answer::Result(
            r#"{"action":"decline"}"#.to_owned()
        ))));
        assert!(!accepts(None));
    }
}
