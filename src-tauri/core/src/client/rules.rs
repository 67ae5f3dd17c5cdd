//! Questions of a server that are answered by rule, and not by the user.

use std::sync::atomic::Ordering;

use super::Client;
use super::follow::Put;
use super::input::{Answer, Answers, PendingInput, by_default, is_known};
use super::link::Link;
use super::roots;
use crate::protocol::{RequestId, Rule};

impl Client {
    /// Replaces the rules that answer what the server asks. What is asked already keeps waiting.
    pub fn set_rules(&self, rules: Vec<Rule>) {
        *self.latest().dial.rules.lock() = rules;
    }

    /// Whether the server asked something that no rule answered, where only rules answer.
    pub fn was_left_unanswered(&self) -> bool {
        self.latest().dial.unanswered.load(Ordering::Relaxed)
    }
}

impl Link {
    /// Has a question answered by whoever is to answer it.
    pub(super) fn put_up(&self, input: PendingInput, rpc: Option<RequestId>) -> Put {
        let answers = self.dial.how.answers;
        let method = input.method.clone();
        if answers == Answers::Refuse || !is_known(&method) {
            let message = format!("Method not found: this client does not offer {method}");
            let words = format!("{method} was answered with -32601: this app does not offer it");
            return Put::Answered(
                Answer::Error {
                    code: -32601,
                    message,
                },
                words,
            );
        }
        if let Some((answer, words)) = self.by_rule(&input) {
            return Put::Answered(answer, words);
        }
        if method == roots::METHOD {
            let answer = roots::answer(&self.dial.roots.lock());
            return Put::Answered(
                answer,
                format!("{method} was answered with the server's roots"),
            );
        }
        match answers {
            Answers::Ask => Put::Waits(self.dial.inputs.ask(input, rpc)),
            Answers::Defaults => {
                let answer = by_default(&method, input.params.as_deref());
                Put::Answered(answer, format!("{method} was answered by default"))
            }
            Answers::Rules | Answers::Refuse => {
                self.dial.unanswered.store(true, Ordering::Relaxed);
                let message = "there is nobody here who could answer".to_owned();
                let words = format!("{method} was refused: no rule answers it");
                Put::Answered(Answer::Error { code: -1, message }, words)
            }
        }
    }

    /// The answer of the first rule that fits, and which rule that is, in words.
    fn by_rule(&self, input: &PendingInput) -> Option<(Answer, String)> {
        let params = input.params.as_deref();
        let rules = self.dial.rules.lock();
        let (at, rule) = rules
            .iter()
            .enumerate()
            .find(|(_, rule)| rule.fits(&input.method, params.map(|params| params.get())))?;
        let answer = match (&rule.result, &rule.error) {
            (Some(result), _) => Answer::Result(result.get().to_owned()),
            (None, Some(error)) => Answer::Error {
                code: error.code,
                message: error.message.clone(),
            },
            (None, None) if input.method == roots::METHOD => roots::answer(&self.dial.roots.lock()),
            (None, None) => by_default(&input.method, params),
        };
        let what = if rule.contains.is_empty() {
            String::new()
        } else {
            format!(" (where it contains {:?})", rule.contains)
        };
        let words = format!("{} was answered by rule {}{what}", input.method, at + 1);
        Some((answer, words))
    }
}
