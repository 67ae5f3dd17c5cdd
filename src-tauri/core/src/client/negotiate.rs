//! Leads the handshake of either era. The only place that knows both.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio::time::{Instant, sleep_until};

use super::connect::{Dial, Opened, Settled};
use super::draft::{Draft, Manner};
use super::face::{capabilities_of, info_of};
use super::handshake::{
    Patience, Probe, UNSUPPORTED_VERSION, Verdict, discovered, initialized, judge, other_legacy,
    tells_legacy, undescribed,
};
use super::link::{Limits, Link};
use super::{ClientError, Negotiated, Outcome, Reply};
use crate::protocol::{Era, EraChoice, Revision};
use crate::record::{Note, StoppedBy};
use crate::transport::TransportError;

impl Dial {
    /// Settles era and revision of a wire. Another process may have to take its place.
    pub(super) async fn negotiate(
        self: &Arc<Self>,
        first: Opened,
        era: EraChoice,
    ) -> Result<Arc<Link>, ClientError> {
        let settled = match era {
            EraChoice::Legacy => self.initialize(&first.link, Revision::LATEST_LEGACY).await,
            EraChoice::Revision(revision) if revision.era() == Era::Legacy => {
                self.initialize(&first.link, revision).await
            }
            EraChoice::Modern => self.modern(&first, Revision::LATEST_MODERN).await,
            EraChoice::Revision(revision) => self.modern(&first, revision).await,
            EraChoice::Auto => return self.find_out(first).await,
        };
        self.settle(&first, settled).await
    }

    /// Keeps what was settled, and ends what could not be.
    async fn settle(&self, opened: &Opened, settled: Settled) -> Result<Arc<Link>, ClientError> {
        let link = &opened.link;
        match settled {
            Ok(negotiated) => {
                let negotiated = Arc::new(negotiated);
                // A link is settled once.
                let _ = link.negotiated.set(Arc::clone(&negotiated));
                link.note(note(&negotiated), None).await;
                Ok(Arc::clone(link))
            }
            Err(error) => {
                link.writer.close(StoppedBy::App, Some(error.to_string()));
                link.gone().await;
                Err(error)
            }
        }
    }

    /// Probes with `server/discover`, which no legacy server can execute, and falls back as basic/transports/stdio ›
    /// Backward Compatibility says.
    async fn find_out(self: &Arc<Self>, first: Opened) -> Result<Arc<Link>, ClientError> {
        if self.how.no_probe {
            let why = "the server ended at server/discover before";
            self.explain(&first, why, "asking initialize at once").await;
            let settled = self.legacy(&first).await;
            return self.settle(&first, settled).await;
        }
        let verdict = match self
            .discover(&first, Revision::LATEST_MODERN, self.how.patience)
            .await
        {
            Err(ClientError::Transport(TransportError::Http(error))) if tells_legacy(&error) => {
                Ok(Verdict::Legacy(error.to_string()))
            }
            verdict => verdict,
        };
        let settled = match verdict {
            Ok(Verdict::Restart(why)) => {
                self.explain(&first, &why, "starting it again for initialize")
                    .await;
                self.note_end(&first);
                let second = self.open(&first.link.config).await?;
                let settled = self.legacy(&second).await;
                return self.settle(&second, settled).await;
            }
            Ok(Verdict::RestartModern(why)) => {
                self.explain(&first, &why, "starting it again in the modern era")
                    .await;
                let second = self.open(&first.link.config).await?;
                let settled = self.modern(&second, Revision::LATEST_MODERN).await;
                return self.settle(&second, settled).await;
            }
            Ok(Verdict::Legacy(why)) => {
                self.explain(&first, &why, "trying initialize").await;
                match self.legacy(&first).await {
                    // Some servers answer the probe and exit all the same.
                    Err(ClientError::Closed { reason, .. })
                        if reason.closed.by == StoppedBy::Server =>
                    {
                        let why = "the server answered server/discover and ended";
                        self.explain(&first, why, "starting it again for initialize alone")
                            .await;
                        self.note_end(&first);
                        let second = self.open(&first.link.config).await?;
                        let settled = self.legacy(&second).await;
                        return self.settle(&second, settled).await;
                    }
                    settled => settled,
                }
            }
            Ok(verdict) => self.accept(&first, verdict, Revision::LATEST_MODERN).await,
            Err(error) => Err(error),
        };
        self.settle(&first, settled).await
    }

    /// Keeps that the server ended by itself.
    fn note_end(&self, opened: &Opened) {
        let reason = opened.link.closed();
        if reason.is_some_and(|reason| reason.closed.by == StoppedBy::Server) {
            self.ended_at_probe.store(true, Ordering::Relaxed);
        }
    }

    /// Spoken to as a modern server, whatever it answers.
    async fn modern(&self, opened: &Opened, revision: Revision) -> Settled {
        let verdict = self
            .discover(opened, revision, self.without_fallback())
            .await?;
        self.accept(opened, verdict, revision).await
    }

    async fn accept(&self, opened: &Opened, verdict: Verdict, asked: Revision) -> Settled {
        let method = "server/discover".to_owned();
        match verdict {
            Verdict::Modern(revision, result) => Ok(discovered(revision, &result)),
            Verdict::Undescribed(revision, why) => {
                self.explain(opened, &why, "going on in the modern era")
                    .await;
                Ok(undescribed(revision))
            }
            Verdict::Legacy(why) => {
                self.explain(opened, &why, "going on in the modern era, as chosen")
                    .await;
                Ok(undescribed(asked))
            }
            Verdict::Incompatible(theirs) => Err(ClientError::Incompatible {
                theirs,
                ours: vec![asked],
            }),
            Verdict::Again(_) | Verdict::Restart(_) | Verdict::RestartModern(_) => {
                match opened.link.closed() {
                    Some(reason) if reason.closed.by == StoppedBy::Server => {
                        Err(ClientError::Closed { method, reason })
                    }
                    Some(_) | None => Err(ClientError::TimedOut {
                        method,
                        after: opened.since.elapsed(),
                    }),
                }
            }
        }
    }

    async fn explain(&self, opened: &Opened, why: &str, then: &str) {
        (self.how.step)(then.to_owned());
        opened
            .link
            .note(
                Note::Handshake {
                    text: format!("{why}; {then}"),
                },
                None,
            )
            .await;
    }

    /// How long to wait where silence has no second meaning: as long as for any answer.
    fn without_fallback(&self) -> Patience {
        let timeout = self.how.timeout.max(self.how.patience.from_start);
        Patience {
            from_output: timeout,
            from_start: timeout,
        }
    }

    async fn discover(
        &self,
        opened: &Opened,
        asked: Revision,
        patience: Patience,
    ) -> Result<Verdict, ClientError> {
        let verdict = judge(self.probe(opened, asked, patience).await?, asked, false);
        let Verdict::Again(revision) = verdict else {
            return Ok(verdict);
        };
        let probe = self.probe(opened, revision, patience).await?;
        Ok(judge(probe, revision, true))
    }

    /// Asks `server/discover`. Where no answer comes in time the process is ended, and a late answer is still heard.
    async fn probe(
        &self,
        opened: &Opened,
        asked: Revision,
        patience: Patience,
    ) -> Result<Probe, ClientError> {
        const METHOD: &str = "server/discover";
        (self.how.step)(format!("asking {METHOD}"));
        let link = &opened.link;
        let manner = Manner {
            revision: asked,
            ..link.manner()
        };
        let limits = Limits {
            timeout: None,
            total: Draft::TOTAL,
        };
        let call = match link.call(&Draft::new(METHOD, None), manner, limits).await {
            Err(ClientError::Closed { reason, .. }) if reason.closed.by == StoppedBy::Server => {
                return Ok(Probe::Ended);
            }
            call => call?,
        };
        let seq = call.seq();
        let mut outcome = pin!(call.outcome());
        let in_time = tokio::select! {
            outcome = &mut outcome => Some(outcome),
            () = self.silence(opened, patience) => None,
        };
        let late = in_time.is_none();
        let outcome = match in_time {
            Some(outcome) => outcome,
            // Over HTTP silence is no sign of an era, and nothing could be locked into one.
            None if !link.one_line => {
                link.cancel(seq).await;
                return Err(ClientError::TimedOut {
                    method: METHOD.to_owned(),
                    after: opened.since.elapsed(),
                });
            }
            None => {
                let text = format!(
                    "no answer to {METHOD} in {:.1} s; ending the server",
                    opened.since.elapsed().as_secs_f64()
                );
                link.note(Note::Handshake { text }, Some(seq)).await;
                link.writer
                    .close(StoppedBy::App, Some(format!("no answer to {METHOD}")));
                let outcome = outcome.await;
                link.gone().await;
                outcome
            }
        };
        match outcome {
            Outcome::Reply {
                reply: Ok(result), ..
            } if late => {
                let modern = matches!(
                    judge(Probe::Result(result), asked, false),
                    Verdict::Modern(..)
                );
                Ok(if modern { Probe::Late } else { Probe::Silence })
            }
            Outcome::Reply { .. } if late => Ok(Probe::Silence),
            Outcome::Reply {
                reply: Ok(result), ..
            } => Ok(Probe::Result(result)),
            Outcome::Reply {
                reply: Err(error), ..
            } => Ok(Probe::Error(error)),
            Outcome::Closed(reason) => match reason.closed.by {
                StoppedBy::App if late => Ok(Probe::Silence),
                StoppedBy::Server => Ok(Probe::Ended),
                StoppedBy::App | StoppedBy::User => Err(ClientError::Closed {
                    method: METHOD.to_owned(),
                    reason,
                }),
            },
            Outcome::Failed(error) => Err(error.into()),
            Outcome::OverLimit { seq } => Err(ClientError::OverLimit {
                method: METHOD.to_owned(),
                seq,
            }),
            Outcome::TimedOut { .. } | Outcome::Cancelled => Err(ClientError::Cancelled {
                method: METHOD.to_owned(),
            }),
        }
    }

    /// Waits until the server has been silent for too long.
    async fn silence(&self, opened: &Opened, patience: Patience) {
        if !opened.link.one_line {
            return tokio::time::sleep(self.how.timeout).await;
        }
        let last = Instant::now() + patience.from_start;
        let mut alive = opened.alive.clone();
        let first_output = tokio::select! {
            heard = alive.wait_for(|alive| *alive) => heard.is_ok(),
            () = sleep_until(last) => return,
        };
        sleep_until(if first_output {
            Instant::now() + patience.from_output
        } else {
            last
        })
        .await;
    }

    /// `initialize`, and back to the modern era where the server refuses it as a modern one does.
    async fn legacy(&self, opened: &Opened) -> Settled {
        match self.initialize(&opened.link, Revision::LATEST_LEGACY).await {
            Err(ClientError::Refused { error, .. }) if error.code == UNSUPPORTED_VERSION => {
                let why = format!(
                    "the server refused initialize with {}: {}",
                    error.code, error.message
                );
                self.explain(opened, &why, "asking server/discover once more")
                    .await;
                let verdict = self
                    .discover(opened, Revision::LATEST_MODERN, self.without_fallback())
                    .await?;
                if matches!(verdict, Verdict::Legacy(_)) {
                    return Err(ClientError::Refused {
                        method: "initialize".to_owned(),
                        error,
                    });
                }
                self.accept(opened, verdict, Revision::LATEST_MODERN).await
            }
            settled => settled,
        }
    }

    /// `initialize` and `notifications/initialized` (basic/lifecycle › Initialization).
    async fn initialize(&self, link: &Arc<Link>, revision: Revision) -> Settled {
        let (method, mut offered) = ("initialize".to_owned(), revision);
        let mut reply = self.ask_initialize(link, offered).await?;
        let other = reply
            .as_ref()
            .err()
            .and_then(|error| other_legacy(error, offered));
        if let Some(other) =
            other.filter(|_| matches!(self.how.era, EraChoice::Auto | EraChoice::Legacy))
        {
            offered = other;
            reply = self.ask_initialize(link, offered).await?;
        }
        let result = reply.map_err(|error| ClientError::Refused {
            method: method.clone(),
            error,
        })?;
        let negotiated = initialized(&result);
        let (theirs, negotiated) = match negotiated {
            Ok(negotiated) if negotiated.era == Era::Legacy => {
                (negotiated.revision.to_string(), Some(negotiated))
            }
            Ok(negotiated) => (negotiated.revision.to_string(), None),
            Err(theirs) => (theirs, None),
        };
        // A client that does not support the server's choice ends the connection (basic/lifecycle › Version Negotiation).
        let fixed = matches!(self.how.era, EraChoice::Revision(_));
        let negotiated = negotiated.filter(|negotiated| !fixed || negotiated.revision == revision);
        let Some(negotiated) = negotiated else {
            return Err(ClientError::Incompatible {
                theirs: vec![theirs],
                ours: self.legacy_revisions(),
            });
        };
        link.notify("notifications/initialized", None).await?;
        Ok(negotiated)
    }

    fn legacy_revisions(&self) -> Vec<Revision> {
        match self.how.era {
            EraChoice::Revision(revision) => vec![revision],
            EraChoice::Auto | EraChoice::Legacy | EraChoice::Modern => Revision::ALL
                .into_iter()
                .filter(|revision| revision.era() == Era::Legacy)
                .collect(),
        }
    }

    async fn ask_initialize(
        &self,
        link: &Arc<Link>,
        offered: Revision,
    ) -> Result<Reply, ClientError> {
        const METHOD: &str = "initialize";
        (self.how.step)(format!("asking {METHOD}"));
        let params = format!(
            r#"{{"protocolVersion":"{offered}","capabilities":{},"clientInfo":{}}}"#,
            capabilities_of(&self.how.choice, self.how.answers, offered.era()),
            info_of(&self.how.choice)
        );
        let limits = Limits {
            timeout: Some(self.without_fallback().from_start),
            total: Draft::TOTAL,
        };
        let manner = Manner {
            revision: offered,
            ..link.manner()
        };
        let call = link
            .call(&Draft::new(METHOD, Some(params)), manner, limits)
            .await?;
        call.outcome().await.answered(METHOD)
    }
}

fn note(negotiated: &Negotiated) -> Note {
    Note::Negotiated {
        era: negotiated.era.as_str().to_owned(),
        revision: negotiated.revision.as_str().to_owned(),
        server: negotiated.server.clone(),
        capabilities: Some(negotiated.capabilities.clone()),
        instructions: negotiated.instructions.clone(),
    }
}
