//! Pairs responses with requests: a pure state machine run in `seq` order, and the only pairer of the log.

use std::collections::{HashMap, HashSet, VecDeque};

use super::{Conn, Event, EventKind, Flags, Note, Record, Seq};
use crate::protocol::{Direction, Envelope, Kind, RequestId};

/// How many answered requests are remembered, to tell a second answer from one to no request.
const REMEMBERED: usize = 10_000;

/// How a record relates to earlier ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observed {
    /// Responses: the request that it answers. Batches: the first request that one of its items answers.
    pub reply_to: Option<Seq>,
    /// Microseconds from that request to this record.
    pub dur_us: Option<i64>,
    /// That request's method.
    pub method: Option<Box<str>>,
    /// [`Flags::LATE`], [`Flags::DUPLICATE`] or [`Flags::ORPHAN`], where it holds; of a batch, those of its items.
    pub flags: Flags,
    /// Batches: the items that answer something.
    pub answered: Vec<Answered>,
}

/// An item of a batch that answers a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// Its index in [`Envelope::items`].
    pub item: usize,
    /// The record that holds the request.
    pub reply_to: Seq,
    /// The request's method.
    pub method: Box<str>,
}

/// Pairs responses with requests: same exchange first, else the oldest unanswered request of the opposite direction with
/// that id. What is unanswered when its `conn` closes stays so.
#[derive(Debug, Default)]
pub struct Correlator {
    open: HashMap<Key, VecDeque<Request>>,
    answered: HashMap<Key, Request>,
    /// The keys of `answered`, oldest first.
    order: VecDeque<Key>,
    /// Requests that timed out or were cancelled.
    settled: HashSet<Seq>,
}

/// Who asked, and under which id.
type Key = (Direction, RequestId);

#[derive(Clone, Debug)]
struct Request {
    seq: Seq,
    at_us: i64,
    conn: Conn,
    via: Option<Seq>,
    method: Box<str>,
}

impl Correlator {
    /// Takes the next record of the log.
    pub fn observe(&mut self, record: &Record) -> Observed {
        match (record.event, &record.envelope, record.direction) {
            (EventKind::Frame, Some(envelope), Some(direction)) => {
                self.frame(record, envelope, direction)
            }
            (EventKind::Note, ..) => {
                let settled = matches!(
                    record.said().as_deref(),
                    Some(Event::Note(Note::TimedOut { .. } | Note::Cancelled))
                );
                self.settled.extend(record.about.filter(|_| settled));
                Observed::default()
            }
            (EventKind::Closed, ..) => {
                self.close(record.conn);
                Observed::default()
            }
            _ => Observed::default(),
        }
    }

    fn frame(&mut self, record: &Record, envelope: &Envelope, direction: Direction) -> Observed {
        if envelope.kind != Kind::Batch {
            return self.message(record, envelope, direction);
        }
        let mut batch = Observed::default();
        for (item, envelope) in envelope.items.iter().enumerate() {
            let seen = self.message(record, envelope, direction);
            batch.flags = batch.flags.with(seen.flags);
            if let (Some(reply_to), Some(method)) = (seen.reply_to, &seen.method) {
                batch.answered.push(Answered {
                    item,
                    reply_to,
                    method: method.clone(),
                });
                if batch.reply_to.is_none() {
                    batch = Observed {
                        flags: batch.flags,
                        answered: batch.answered,
                        ..seen
                    };
                }
            }
        }
        batch
    }

    fn message(&mut self, record: &Record, envelope: &Envelope, direction: Direction) -> Observed {
        match envelope.kind {
            Kind::Request => {
                if let (Some(id), Some(method)) = (&envelope.id, &envelope.method) {
                    let method = method.clone();
                    let request = Request {
                        seq: record.seq,
                        at_us: record.at_us,
                        conn: record.conn,
                        via: record.via,
                        method,
                    };
                    self.open
                        .entry((direction, id.canonical()))
                        .or_default()
                        .push_back(request);
                }
                Observed::default()
            }
            Kind::Result | Kind::Error => self.response(record, envelope, direction.opposite()),
            Kind::Notification | Kind::Batch | Kind::Malformed => Observed::default(),
        }
    }

    fn response(&mut self, record: &Record, envelope: &Envelope, asker: Direction) -> Observed {
        let id = envelope.id.as_ref().map(RequestId::canonical);
        let key = id
            .filter(|id| id.as_str() != "null")
            .map(|id| (asker, id))
            .or_else(|| self.carried(record.via?, asker));
        let Some(key) = key else {
            return Observed {
                flags: Flags::ORPHAN,
                ..Observed::default()
            };
        };
        if let Some(request) = self.take(&key, record.via) {
            let late = self.settled.remove(&request.seq);
            let observed = request.answered_by(record, Flags::default().with_if(late, Flags::LATE));
            self.remember(key, request);
            return observed;
        }
        match self.answered.get(&key) {
            Some(request) => request.answered_by(record, Flags::DUPLICATE),
            None => Observed {
                flags: Flags::ORPHAN,
                ..Observed::default()
            },
        }
    }

    /// The key of the request in that exchange, for answers without an id.
    fn carried(&self, via: Seq, asker: Direction) -> Option<Key> {
        let open = self.open.iter().filter(|((by, _), _)| *by == asker);
        let mut keys =
            open.filter(|(_, requests)| requests.iter().any(|request| request.is_of(via)));
        keys.next().map(|(key, _)| key.clone())
    }

    fn take(&mut self, key: &Key, via: Option<Seq>) -> Option<Request> {
        let requests = self.open.get_mut(key)?;
        let same = via.and_then(|via| requests.iter().position(|request| request.is_of(via)));
        let request = requests.remove(same.unwrap_or(0));
        if requests.is_empty() {
            self.open.remove(key);
        }
        request
    }

    fn remember(&mut self, key: Key, request: Request) {
        if self.answered.insert(key.clone(), request).is_none() {
            self.order.push_back(key);
        }
        if self.order.len() > REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.answered.remove(&oldest);
        }
    }

    fn close(&mut self, conn: Conn) {
        let settled = &mut self.settled;
        self.open.retain(|_, requests| {
            requests.retain(|request| {
                let gone = request.conn == conn;
                if gone {
                    settled.remove(&request.seq);
                }
                !gone
            });
            !requests.is_empty()
        });
    }
}

impl Request {
    fn is_of(&self, exchange: Seq) -> bool {
        self.seq == exchange || self.via == Some(exchange)
    }

    fn answered_by(&self, record: &Record, flags: Flags) -> Observed {
        Observed {
            reply_to: Some(self.seq),
            dur_us: Some(record.at_us - self.at_us),
            method: Some(self.method.clone()),
            flags,
            answered: Vec::new(),
        }
    }
}
