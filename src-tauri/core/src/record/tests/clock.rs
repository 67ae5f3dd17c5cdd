//! The clock never runs backwards, and follows a wall clock that runs ahead.

use std::time::Duration;

use crate::record::clock::{Clock, Moment};

/// One step of both clocks: milliseconds on the monotone one, on the wall; then what `follow` says, and the time since start.
fn check(steps: &[(u64, i64, Option<i64>, i64)]) {
    let start = Moment::now();
    let clock = Clock::anchored(start);
    let shared = clock.clone();
    let (mut at, zero) = (start, clock.us(start));
    for (step, &(mono_ms, wall_ms, followed_ms, since_ms)) in steps.iter().enumerate() {
        at = at.later(Duration::from_millis(mono_ms), wall_ms * 1000);
        assert_eq!(
            clock.follow(at),
            followed_ms.map(|ms| ms * 1000),
            "drift at step {step}"
        );
        assert_eq!(clock.us(at) - zero, since_ms * 1000, "time at step {step}");
        assert_eq!(
            shared.us(at),
            clock.us(at),
            "clones share the anchor, step {step}"
        );
    }
}

#[test]
fn keeps_to_the_monotone_clock_up_to_a_second_of_drift() {
    check(&[
        (10, 10, None, 10),
        (10, 1_010, None, 20),
        (0, -5_000, None, 20),
    ]);
}

#[test]
fn follows_a_machine_that_slept() {
    check(&[
        (10, 3_600_010, Some(3_600_000), 3_600_010),
        (10, 10, None, 3_600_020),
    ]);
}

#[test]
fn ignores_a_wall_clock_that_was_set_back_and_forth() {
    check(&[
        (10, -60_000, None, 10),
        (10, 60_020, None, 20),
        (10, 2_010, Some(2_010 - 10 - 10 + 10), 30 + 2_000),
    ]);
}
