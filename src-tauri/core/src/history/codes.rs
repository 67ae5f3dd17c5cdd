//! The integers that stand in session files for events, directions and kinds (`migrations/session.sql`).

use crate::protocol::{Direction, Kind};
use crate::record::HttpPhase;

/// Every kind of frame, in the order of its integers from 1.
pub(super) const KINDS: [Kind; 6] = [
    Kind::Request,
    Kind::Notification,
    Kind::Result,
    Kind::Error,
    Kind::Batch,
    Kind::Malformed,
];

pub(super) const REQUEST: i64 = 1;
pub(super) const RESULT: i64 = 3;
pub(super) const ERROR: i64 = 4;
pub(super) const MALFORMED: i64 = 6;

pub(super) const NOTE_OTHER: i64 = 20;
pub(super) const NOTE_TIMED_OUT: i64 = 21;
pub(super) const NOTE_CANCELLED: i64 = 22;
pub(super) const NOTE_UNANSWERED: i64 = 23;
pub(super) const NOTE_NEGOTIATED: i64 = 24;

pub(super) fn direction(direction: Direction) -> i64 {
    match direction {
        Direction::ClientToServer => 1,
        Direction::ServerToClient => 2,
    }
}

pub(super) fn direction_of(code: i64) -> Option<Direction> {
    match code {
        1 => Some(Direction::ClientToServer),
        2 => Some(Direction::ServerToClient),
        _ => None,
    }
}

pub(super) fn kind(kind: Kind) -> i64 {
    match kind {
        Kind::Request => REQUEST,
        Kind::Notification => 2,
        Kind::Result => RESULT,
        Kind::Error => ERROR,
        Kind::Batch => 5,
        Kind::Malformed => MALFORMED,
    }
}

pub(super) fn kind_of(code: i64) -> Option<Kind> {
    KINDS.into_iter().find(|k| kind(*k) == code)
}

/// The kind of a note by the tag of its body.
pub(super) fn note(tag: &str) -> i64 {
    match tag {
        "timed-out" => NOTE_TIMED_OUT,
        "cancelled" => NOTE_CANCELLED,
        "unanswered" => NOTE_UNANSWERED,
        "negotiated" => NOTE_NEGOTIATED,
        _ => NOTE_OTHER,
    }
}

pub(super) fn http(phase: HttpPhase) -> i64 {
    match phase {
        HttpPhase::Request => 30,
        HttpPhase::Response => 31,
        HttpPhase::End => 32,
        HttpPhase::Comment => 33,
    }
}
