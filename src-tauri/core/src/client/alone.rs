//! Requests that stand alone: each is the only message of a fresh connection or process. A modern server must answer them as it
//! answers over a connection that has seen other requests (2026-07-28 basic/index › Statelessness).

use std::sync::Arc;

use super::handshake::undescribed;
use super::json::{Members, items};
use super::{Client, ClientError, Draft, Outcome};
use crate::protocol::Revision;
use crate::record::{Note, Seq, StoppedBy};

/// What a request gave over the open connection and alone.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The request over the open connection.
    pub shared: Option<Seq>,
    /// The request that stood alone.
    pub alone: Option<Seq>,
    /// Whether the answers are equal but for `_meta`; `None` where one is missing.
    pub same: Option<bool>,
    /// What differs or failed, in words.
    pub message: Option<String>,
}

impl Client {
    /// Sends a request as the first and only one of a fresh connection or process, without a handshake, and waits for what
    /// becomes of it. Its record, and the outcome.
    ///
    /// # Errors
    /// Where it is not sent.
    pub async fn alone(&self, draft: &Draft) -> Result<(Seq, Outcome), ClientError> {
        let link = self.latest();
        let fresh = link.dial.open(&link.config).await?.link;
        let text = format!(
            "no handshake here: {} stands alone on this connection",
            draft.method
        );
        fresh.note(Note::Handshake { text }, None).await;
        // A link is settled once.
        let _ = fresh
            .negotiated
            .set(Arc::new(undescribed(Revision::LATEST_MODERN)));
        let answered = match fresh.ask(draft).await {
            Ok(call) => Ok((call.seq(), call.outcome().await)),
            Err(error) => Err(error),
        };
        let why = "its one request has been dealt with".to_owned();
        fresh.writer.close(StoppedBy::App, Some(why));
        fresh.gone().await;
        answered
    }

    /// Sends a request over the open connection and then alone, and compares the answers.
    pub async fn compare_alone(&self, draft: &Draft) -> Compared {
        let shared = match self.call(draft).await {
            Ok(call) => {
                let seq = call.seq();
                Ok((seq, call.outcome().await))
            }
            Err(error) => Err(error),
        };
        let alone = self.alone(draft).await;
        let seq =
            |sent: &Result<(Seq, Outcome), ClientError>| sent.as_ref().ok().map(|(seq, _)| *seq);
        let seqs = (seq(&shared), seq(&alone));
        let told = |whose: &str, sent: Result<(Seq, Outcome), ClientError>| {
            let outcome = sent.map_err(|error| format!("{whose}: {error}"))?.1;
            let reply = outcome.answered(&draft.method);
            match reply.map_err(|error| format!("{whose}: {error}"))? {
                Ok(result) => Ok(result.get().to_owned()),
                Err(error) => Ok(error.raw.get().to_owned()),
            }
        };
        let both = told("over the open connection", shared)
            .and_then(|shared| Ok((shared, told("alone", alone)?)));
        let (same, message) = match both {
            Ok((shared, alone)) => match difference(&shared, &alone, String::new()) {
                None => (Some(true), None),
                Some(path) => (Some(false), Some(format!("the answers differ at {path}"))),
            },
            Err(message) => (None, Some(message)),
        };
        Compared {
            shared: seqs.0,
            alone: seqs.1,
            same,
            message,
        }
    }
}

/// The first place where two answers differ, as a JSON pointer; `_meta` may. Numbers are equal where they are written alike.
pub(super) fn difference(one: &str, other: &str, at: String) -> Option<String> {
    if let (Ok(one), Ok(other)) = (Members::of(one), Members::of(other)) {
        let keys = one.iter().chain(other.iter()).map(|(key, _)| key);
        return keys.filter(|key| *key != "_meta").find_map(|key| {
            let path = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
            match (one.get(key), other.get(key)) {
                (Some(one), Some(other)) => difference(one.get(), other.get(), path),
                _ => Some(path),
            }
        });
    }
    if let (Some(one), Some(other)) = (items(one), items(other))
        && one.len() == other.len()
    {
        let mut pairs = one.iter().zip(other).enumerate();
        return pairs
            .find_map(|(i, (one, other))| difference(one.get(), other.get(), format!("{at}/{i}")));
    }
    let text = |value| serde_json::from_str::<String>(value).ok();
    let same = one == other || text(one).is_some_and(|one| Some(one) == text(other));
    (!same).then(|| {
        if at.is_empty() {
            "the top".to_owned()
        } else {
            at
        }
    })
}

#[cfg(test)]
mod tests {
    use super::difference;

    #[test]
    fn the_first_difference_is_named_and_meta_may_differ() {
        for (one, other, expected) in [
            (
                r#"{"a":1,"_meta":{"x":1}}"#,
                r#"{"_meta":{"x":2},"a":1}"#,
                None,
            ),
            (r#"{"a":[{"b":1}]}"#, r#"{"a":[{"b":2}]}"#, Some("/a/0/b")),
            (r#"{"a":[1]}"#, r#"{"a":[1,2]}"#, Some("/a")),
            (r#"{"a/b":1}"#, "{}", Some("/a~1b")),
            (r#"{ "a" : "\u0062" }"#, r#"{"a":"b"}"#, None),
            (
                r#"{"n":12345678901234567890123}"#,
                r#"{"n":12345678901234567890124}"#,
                Some("/n"),
            ),
            ("1", "2", Some("the top")),
        ] {
            let found = difference(one, other, String::new());
            assert_eq!(found.as_deref(), expected, "{one} and {other}");
        }
    }
}
