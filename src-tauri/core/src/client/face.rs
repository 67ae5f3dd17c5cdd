//! How this client shows itself to a server: its identity and its capabilities.

use super::input::Answers;
use crate::protocol::{ClientChoice, Era};

/// Who we are, as an `Implementation` object.
pub fn client_info() -> String {
    format!(
        r#"{{"name":"framescope","title":"Framescope","version":"{}"}}"#,
        env!("CARGO_PKG_VERSION")
    )
}

/// What is declared to servers in an era where the user chose nothing else.
pub fn capabilities(answers: Answers, era: Era) -> &'static str {
    match (answers, era) {
        (Answers::Refuse, _) => "{}",
        (Answers::Defaults, _) => r#"{"elicitation":{"form":{}},"roots":{}}"#,
        // The modern era has no notification of changed roots (client/roots).
        (Answers::Ask | Answers::Rules, Era::Modern) => {
            r#"{"elicitation":{"form":{},"url":{}},"roots":{},"sampling":{"tools":{}}}"#
        }
        (Answers::Ask | Answers::Rules, Era::Legacy) => {
            r#"{"elicitation":{"form":{},"url":{}},"roots":{"listChanged":true},"sampling":{"tools":{}}}"#
        }
    }
}

/// The identity that is sent.
pub(super) fn info_of(choice: &ClientChoice) -> String {
    choice.info.clone().unwrap_or_else(client_info)
}

/// The capabilities that are sent.
pub(super) fn capabilities_of(choice: &ClientChoice, answers: Answers, era: Era) -> String {
    let chosen = match era {
        Era::Legacy => &choice.legacy,
        Era::Modern => &choice.modern,
    };
    let ours = || capabilities(answers, era).to_owned();
    chosen.clone().unwrap_or_else(ours)
}
