//! The words of the exit card.

use super::*;

fn closed(reason: EndReason, by: StoppedBy, code: Option<i32>, signal: Option<&str>) -> Closed {
    Closed {
        reason,
        by,
        code,
        signal: signal.map(Into::into),
        text: None,
        lived_us: 252_000_000,
    }
}

#[test]
fn the_title_names_the_party_that_ended_it() {
    use EndReason::{Closed as AsTold, Exited, Failed, StreamEnded};
    use StoppedBy::{App, Server, User};
    for (end, expected) in [
        (
            closed(Exited, Server, Some(3), None),
            "The server exited with code 3",
        ),
        (
            closed(Exited, Server, Some(0), None),
            "The server exited with code 0",
        ),
        (
            closed(Exited, Server, None, Some("SIGSEGV")),
            "The server was ended by SIGSEGV",
        ),
        (
            closed(AsTold, User, Some(0), None),
            "You closed the connection",
        ),
        (
            closed(AsTold, User, None, Some("SIGKILL")),
            "You closed the connection",
        ),
        (
            closed(AsTold, App, Some(1), None),
            "Framescope closed the connection",
        ),
        (
            closed(StreamEnded, Server, None, None),
            "The server closed its output",
        ),
        (closed(Failed, Server, None, None), "The connection failed"),
    ] {
        assert_eq!(title(&end), expected, "{end:?}");
    }
}

#[test]
fn the_detail_says_how_long_and_by_whose_hand() {
    let crash = closed(EndReason::Exited, StoppedBy::Server, Some(3), None);
    let crash = detail(&crash, "It ran");
    assert_eq!(
        crash,
        "It ran 4 min 12 s. We did not stop it: no signal was sent."
    );
    let killed = closed(EndReason::Closed, StoppedBy::User, None, Some("SIGKILL"));
    let killed = detail(&killed, "It ran");
    assert_eq!(
        killed,
        "It ran 4 min 12 s. It did not end by itself: SIGKILL was sent."
    );
}

#[test]
fn what_the_end_says_begins_like_a_sentence() {
    for (text, expected) in [
        (
            "the server at x refused",
            "It was open 4 min 12 s. The server at x refused",
        ),
        (
            "tools/list failed",
            "It was open 4 min 12 s. tools/list failed",
        ),
    ] {
        let end = Closed {
            text: Some(text.to_owned()),
            ..closed(EndReason::Closed, StoppedBy::App, None, None)
        };
        assert_eq!(detail(&end, "It was open"), expected);
    }
}

#[test]
fn durations_are_read_at_a_glance() {
    for (us, expected) in [
        (424_000, "424 ms"),
        (2_140_000, "2.1 s"),
        (252_000_000, "4 min 12 s"),
        (11_100_000_000, "3 h 5 min"),
    ] {
        assert_eq!(lasted(us), expected);
    }
}
