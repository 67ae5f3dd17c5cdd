//! The way from the tap to the recorder: bounded in records and bytes, in the order of the log, and never lossy.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

use super::clock::Moment;
use super::entry::{BodyId, Entry, Record};
use super::{Clock, Event, KnownSecrets, NotRecording, Note, Seq, Tap};

/// How many entries of one session may wait for its recorder: what comes while the disk is busy for some milliseconds.
pub(super) const QUEUE: usize = 4096;
/// How many bytes of all sessions of this process may wait for their recorders.
const BUDGET: usize = 8 << 20;
/// A batch ends with the entry that reaches this many bytes.
const BATCH_BYTES: usize = 1 << 20;

/// Never holds less than what one entry may ask for, 4 MiB, so nobody waits for ever.
static PROCESS_BUDGET: LazyLock<Arc<Semaphore>> =
    LazyLock::new(|| Arc::new(Semaphore::new(BUDGET)));

/// The two ends of a session's log: the tap that feeds it, and what its recorder reads.
pub fn log_channel(clock: Clock, secrets: KnownSecrets) -> (Tap, LogReceiver) {
    channel(clock, secrets, Arc::clone(&PROCESS_BUDGET))
}

pub(super) fn channel(
    clock: Clock,
    secrets: KnownSecrets,
    budget: Arc<Semaphore>,
) -> (Tap, LogReceiver) {
    let (sender, queue) = mpsc::channel(QUEUE);
    let shared = Arc::new(Shared {
        clock,
        budget,
        bodies: AtomicU64::new(BodyId::FIRST_IN_PARTS.0),
        state: Mutex::new(State {
            head: Seq(0),
            last_us: i64::MIN,
            failure: None,
        }),
        failed: CancellationToken::new(),
    });
    let receiver = LogReceiver {
        shared: Arc::clone(&shared),
        queue,
        held: Uncommitted(None),
        taken: Seq(0),
    };
    (Tap::new(Log { shared, sender }, secrets), receiver)
}

#[derive(Debug)]
struct Shared {
    clock: Clock,
    budget: Arc<Semaphore>,
    bodies: AtomicU64,
    state: Mutex<State>,
    /// Wakes those who wait for room when `state.failure` is set.
    failed: CancellationToken,
}

#[derive(Debug)]
struct State {
    head: Seq,
    last_us: i64,
    failure: Option<NotRecording>,
}

impl State {
    fn recording(&self) -> Result<(), NotRecording> {
        self.failure.clone().map_or(Ok(()), Err)
    }
}

/// An entry with the part of the byte budget that it occupies.
#[derive(Debug)]
struct Queued {
    entry: Entry,
    room: OwnedSemaphorePermit,
}

/// The writing end.
#[derive(Clone, Debug)]
pub(super) struct Log {
    shared: Arc<Shared>,
    sender: mpsc::Sender<Queued>,
}

impl Log {
    pub(super) fn head(&self) -> Seq {
        self.shared.state.lock().head
    }

    pub(super) fn next_body(&self) -> BodyId {
        BodyId(
            self.shared
                .bodies
                .fetch_add(BodyId::PARTS, Ordering::Relaxed),
        )
    }

    /// Gives the record its number and time and queues it. Dropped half-way, it has done neither.
    pub(super) async fn record(&self, mut record: Record) -> Result<Seq, NotRecording> {
        let size = record.body.head().len();
        loop {
            let slot = self.slot(size).await?;
            match self.shared.push(slot, record)? {
                Pushed::Done(seq) => return Ok(seq),
                Pushed::NoteFirst(back) => record = *back,
            }
        }
    }

    /// Queues the next bytes of a body, at most 4 MiB.
    pub(super) async fn part(
        &self,
        id: BodyId,
        part: u32,
        bytes: Bytes,
    ) -> Result<(), NotRecording> {
        let (place, room) = self.slot(bytes.len()).await?;
        self.shared.state.lock().recording()?;
        place.send(Queued {
            entry: Entry::Part { id, part, bytes },
            room,
        });
        Ok(())
    }

    /// Waits for a place in the queue, then for bytes: who waits for bytes holds up nobody but its own session.
    async fn slot(&self, size: usize) -> Result<Slot<'_>, NotRecording> {
        let bytes = u32::try_from(size.min(BUDGET)).unwrap_or(u32::MAX);
        if let Ok(place) = self.sender.try_reserve()
            && let Ok(room) = Arc::clone(&self.shared.budget).try_acquire_many_owned(bytes)
        {
            return Ok((place, room));
        }
        let wait = async {
            let place = self.sender.reserve().await.ok()?;
            let room = Arc::clone(&self.shared.budget)
                .acquire_many_owned(bytes)
                .await
                .ok()?;
            Some((place, room))
        };
        let slot = self.shared.failed.run_until_cancelled(wait).await.flatten();
        slot.ok_or_else(|| self.shared.failure())
    }
}

type Slot<'a> = (mpsc::Permit<'a, Queued>, OwnedSemaphorePermit);

enum Pushed {
    Done(Seq),
    /// The slot went to a note that says that the clock moved; the record needs another.
    NoteFirst(Box<Record>),
}

impl Shared {
    /// Number, time and place in the queue are given under one lock: the order of the queue is the order of the numbers.
    fn push(&self, (place, room): Slot<'_>, record: Record) -> Result<Pushed, NotRecording> {
        let mut state = self.state.lock();
        state.recording()?;
        let now = Moment::now();
        let (mut next, waiting) = match self.clock.follow(now) {
            Some(by_us) => (
                Record::of_event(record.conn, &Event::Note(Note::ClockMoved { by_us })),
                Some(record),
            ),
            None => (record, None),
        };
        state.head.0 += 1;
        state.last_us = state.last_us.max(self.clock.us(now));
        next.seq = state.head;
        next.at_us = state.last_us;
        place.send(Queued {
            entry: Entry::Record(next),
            room,
        });
        Ok(waiting.map_or(Pushed::Done(state.head), |record| {
            Pushed::NoteFirst(Box::new(record))
        }))
    }

    fn fail(&self, why: NotRecording) {
        self.state.lock().failure.get_or_insert(why);
        self.failed.cancel();
    }

    fn failure(&self) -> NotRecording {
        let state = self.state.lock();
        let gone = || NotRecording {
            since: Seq(state.head.0 + 1),
            why: "the recorder has ended".to_owned(),
        };
        state.failure.clone().unwrap_or_else(gone)
    }
}

/// What was taken from the log and is not committed yet. Its part of the byte budget is given back when this is dropped.
#[derive(Debug)]
pub struct Uncommitted(Option<OwnedSemaphorePermit>);

impl Uncommitted {
    fn add(&mut self, room: OwnedSemaphorePermit) {
        match &mut self.0 {
            Some(all) => all.merge(room),
            None => self.0 = Some(room),
        }
    }
}

/// Tells the taps that recording is over.
#[derive(Clone, Debug)]
pub struct LogFailure(Arc<Shared>);

impl LogFailure {
    /// Every tap call returns this from now on, also those that wait. The first reason stays. Drop the receiver soon after:
    /// what is queued keeps its byte budget until then.
    pub fn fail(&self, why: NotRecording) {
        self.0.fail(why);
    }
}

/// The reading end, for the session's recorder.
#[derive(Debug)]
pub struct LogReceiver {
    shared: Arc<Shared>,
    queue: mpsc::Receiver<Queued>,
    held: Uncommitted,
    /// The last record that was taken.
    taken: Seq,
}

impl LogReceiver {
    /// Waits for an entry, then takes what is queued besides: at most `max` entries, and none after the one with which they
    /// reach 1 MiB. Says how many it added to `out`; 0 means that all taps are gone. Asking for more says that what was
    /// taken before is committed, unless it was taken away by [`Self::uncommitted`]. Loses nothing when dropped half-way.
    pub async fn recv_many(&mut self, out: &mut Vec<Entry>, max: usize) -> usize {
        drop(self.uncommitted());
        let Some(mut queued) = self.queue.recv().await else {
            return 0;
        };
        let (mut count, mut bytes) = (0, 0);
        loop {
            count += 1;
            bytes += queued.entry.size();
            if let Entry::Record(record) = &queued.entry {
                self.taken = record.seq;
            }
            out.push(queued.entry);
            self.held.add(queued.room);
            if count >= max || bytes >= BATCH_BYTES {
                return count;
            }
            let Ok(next) = self.queue.try_recv() else {
                return count;
            };
            queued = next;
        }
    }

    /// What was taken, to be dropped once it is committed.
    pub fn uncommitted(&mut self) -> Uncommitted {
        Uncommitted(self.held.0.take())
    }

    /// For whoever stores what was taken, if it cannot.
    pub fn failure(&self) -> LogFailure {
        LogFailure(Arc::clone(&self.shared))
    }

    /// Takes no more: every tap call is refused from now on, also those that wait. What is queued can still be received.
    pub fn end(&mut self) {
        let since = Seq(self.shared.state.lock().head.0 + 1);
        self.shared.fail(NotRecording {
            since,
            why: "the session has ended".to_owned(),
        });
        self.queue.close();
    }

    /// Whether [`Self::end`] was called.
    pub fn is_ended(&self) -> bool {
        self.queue.is_closed()
    }
}

impl Drop for LogReceiver {
    /// A recorder that ends without a word must not leave its taps waiting.
    fn drop(&mut self) {
        self.shared.fail(NotRecording {
            since: Seq(self.taken.0 + 1),
            why: "the recorder has ended".to_owned(),
        });
    }
}
