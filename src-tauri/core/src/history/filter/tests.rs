//! The grammar, term by term.

use super::sql::{Context, glob, moments_hold};
use super::terms::{AtBounds, Has, Key, KindWord, SessionTest, Status, Test};
use super::units::{Bounds, When};
use super::{Filter, parse};
use crate::history::{Origin, codes};
use crate::protocol::{Direction, Kind};
use crate::record::{EventKind, Flags};

/// Each key that the language has stands in the guide and in the app's own help.
#[test]
fn the_guide_and_the_help_name_every_key() {
    let guide = include_str!("../../../../../docs/guide.md");
    let help = include_str!("../../../../../ui/src/app/Shortcuts.tsx");
    for key in Key::words().split(' ') {
        assert!(guide.contains(&format!("`{key}:")), "{key} in the guide");
        assert!(help.contains(&format!("{key}:")), "{key} in the help");
    }
}

fn bounds(low: impl Into<Option<i64>>, high: impl Into<Option<i64>>) -> Bounds {
    Bounds {
        low: low.into(),
        high: high.into(),
    }
}

fn at(low: impl Into<Option<When>>, high: impl Into<Option<When>>) -> AtBounds {
    AtBounds {
        low: low.into(),
        high: high.into(),
    }
}

fn tests(filter: &Filter) -> Vec<(bool, Test)> {
    filter
        .terms
        .iter()
        .map(|term| (term.negated, term.test.clone()))
        .collect()
}

/// Each text is one term.
#[test]
fn a_term_means_what_the_grammar_says() {
    let text = |text: &str| Test::Text(text.to_owned());
    let words = |words: &[&str]| {
        words
            .iter()
            .map(|word| (*word).to_owned())
            .collect::<Vec<_>>()
    };
    let minute = 60_000_000;
    let cases = [
        ("weather", text("weather")),
        (r#""two words""#, text("two words")),
        (r#""a \"b\" \\ c\n""#, text(r#"a "b" \ c\n"#)),
        ("http://x", text("http://x")),
        ("a:b", text("a:b")),
        ("foo:>5", text("foo:>5")),
        (":", text(":")),
        ("-", text("-")),
        ("dir:c2s", Test::Dir(vec![Direction::ClientToServer])),
        (
            "dir:c2s,s2c",
            Test::Dir(vec![Direction::ClientToServer, Direction::ServerToClient]),
        ),
        (
            "kind:request",
            Test::Kind(vec![KindWord::Frame(Kind::Request)]),
        ),
        (
            "kind:malformed,stderr,lifecycle",
            Test::Kind(vec![
                KindWord::Frame(Kind::Malformed),
                KindWord::Event(EventKind::Stderr),
                KindWord::Lifecycle,
            ]),
        ),
        (
            "method:tools/*,ping",
            Test::Method(words(&["tools/*", "ping"])),
        ),
        ("id:22", Test::Id(words(&["22"]))),
        (r#"id:"22""#, Test::Id(words(&[r#""22""#]))),
        ("id:abc", Test::Id(words(&[r#""abc""#]))),
        (
            "id:9007199254740993",
            Test::Id(words(&["9007199254740993"])),
        ),
        ("id:null", Test::Id(words(&["null"]))),
        (
            "status:ok,iserror",
            Test::Status(vec![Status::Ok, Status::IsError]),
        ),
        (
            "status:timeout",
            Test::Status(vec![Status::Settled(codes::NOTE_TIMED_OUT)]),
        ),
        ("status:pending", Test::Status(vec![Status::Pending])),
        (
            "status:404",
            Test::Status(vec![Status::Http(bounds(404, 404))]),
        ),
        (
            "status:5xx",
            Test::Status(vec![Status::Http(bounds(500, 599))]),
        ),
        ("status:-32602", Test::Status(vec![Status::Code(-32602)])),
        ("size:>1k", Test::Size(vec![bounds(1001, None)])),
        ("size:>=1k", Test::Size(vec![bounds(1000, None)])),
        ("size:<2M", Test::Size(vec![bounds(None, 1_999_999)])),
        ("size:1.3k", Test::Size(vec![bounds(1300, 1399)])),
        ("size:512..2kB", Test::Size(vec![bounds(512, 2000)])),
        ("dur:>100ms", Test::Dur(vec![bounds(100_001, None)])),
        (
            "dur:1s..1.5s",
            Test::Dur(vec![bounds(1_000_000, 1_500_000)]),
        ),
        (
            "dur:5ms,<=250us",
            Test::Dur(vec![bounds(5_000, 5_999), bounds(None, 250)]),
        ),
        (
            "at:14:02",
            Test::At(vec![at(
                When::OfDay(842 * minute),
                When::OfDay(843 * minute - 1),
            )]),
        ),
        (
            "at:>14:02:09.5",
            Test::At(vec![at(When::OfDay(842 * minute + 9_500_001), None)]),
        ),
        (
            "at:14:02..14:05",
            Test::At(vec![at(
                When::OfDay(842 * minute),
                When::OfDay(845 * minute),
            )]),
        ),
        (
            "at:last 5m",
            Test::At(vec![at(When::Ago(5 * minute), None)]),
        ),
        ("at:last5m", Test::At(vec![at(When::Ago(5 * minute), None)])),
        (
            r#"at:"last 5m""#,
            Test::At(vec![at(When::Ago(5 * minute), None)]),
        ),
        (
            "at:<1970-01-02",
            Test::At(vec![at(None, When::Local(86_400_000_000 - 1))]),
        ),
        (
            "at:>=1970-01-01T00:01",
            Test::At(vec![at(When::Local(minute), None)]),
        ),
        ("conn:0", Test::Conn(vec![bounds(0, 0)])),
        ("conn:>0", Test::Conn(vec![bounds(1, None)])),
        (
            "has:late,note,finding",
            Test::Has(vec![Has::Flag(Flags::LATE), Has::Note, Has::Finding]),
        ),
        (
            "server:git*",
            Test::Session(SessionTest::Server(words(&["git*"]))),
        ),
        (
            "origin:cli",
            Test::Session(SessionTest::Origin(vec![Origin::Cli])),
        ),
        ("pinned:no", Test::Session(SessionTest::Pinned(false))),
        (
            "after:1970-01-02",
            Test::Session(SessionTest::Started(vec![at(
                When::Local(86_400_000_000),
                None,
            )])),
        ),
    ];
    for (text, test) in cases {
        for (text, negated) in [(text.to_owned(), false), (format!("-{text}"), true)] {
            if text.starts_with("--") {
                continue;
            }
            let filter = parse(&text).unwrap_or_else(|problem| panic!("{text}: {problem}"));
            assert_eq!(tests(&filter), [(negated, test.clone())], "{text}");
        }
    }
}

#[test]
fn terms_stand_side_by_side() {
    let filter = parse("  kind:request -dir:s2c\tdur:>1s  \"a b\" at:last 5m x ").unwrap();
    assert_eq!(filter.terms.len(), 6);
    assert_eq!(filter.terms.iter().filter(|term| term.negated).count(), 1);
    assert_eq!(parse(" ").unwrap(), Filter::default());
}

/// Text, place in UTF-16 units, a word that the message must hold.
#[test]
fn a_problem_says_where_and_what_would_be_right() {
    let cases = [
        ("dir:up", (0, 6), "c2s or s2c"),
        ("ok -kind:", (3, 9), "request, result"),
        ("dir:>c2s", (0, 8), "c2s or s2c"),
        ("ok foo:a,b", (3, 10), "\"foo\" is no key"),
        ("foo:\"a\"", (0, 7), "\"foo\" is no key"),
        ("a,b", (0, 3), "quotes"),
        ("\"open", (0, 5), "closing"),
        ("ü \u{1f600} size:5q", (5, 12), ">1k"),
        ("size:1k..", (0, 9), "two ends"),
        ("size:>1k..2k", (0, 12), "comparison"),
        ("size:1.k", (0, 8), ">1k"),
        ("dur:5", (0, 5), ">100ms"),
        ("at:25:00", (0, 8), ">14:02"),
        ("status:fine", (0, 11), "iserror"),
        ("has:everything", (0, 14), "orphan"),
        ("dir:c2s,", (0, 8), "c2s or s2c"),
        ("dir:\"c2s\"x", (0, 10), "comma"),
        ("\"a\"b", (0, 4), "space"),
    ];
    for (text, place, says) in cases {
        let problem = parse(text).expect_err(text);
        assert_eq!((problem.from, problem.to), place, "{text}: {problem}");
        assert!(problem.message.contains(says), "{text}: {problem}");
    }
}

#[test]
fn terms_about_sessions_are_refused_for_records() {
    let problem = parse("x pinned:yes")
        .unwrap()
        .condition(Context::default())
        .expect_err("about sessions");
    assert_eq!((problem.from, problem.to), (2, 12));
}

#[test]
fn globs() {
    let cases = [
        ("tools/*", "tools/call", true),
        ("tools/*", "tool", false),
        ("*", "", true),
        ("a?c", "ABC", true),
        ("a?c", "ac", false),
        ("*b*", "abc", true),
        ("[a]", "a", false),
        ("[a]", "[a]", true),
    ];
    for (pattern, text, matches) in cases {
        assert_eq!(glob(pattern, text), matches, "{pattern} {text}");
    }
}

#[test]
fn a_day_is_a_day_where_this_program_runs() {
    let noon = |date: &str| {
        let date = chrono::NaiveDate::parse_from_str(date, "%Y-%m-%d").unwrap();
        let noon = date.and_hms_opt(12, 0, 0).unwrap();
        noon.and_local_timezone(chrono::Local)
            .unwrap()
            .timestamp_micros()
    };
    let context = Context {
        day_us: noon("2026-11-29"),
        now_us: noon("2026-11-29"),
    };
    let holds = |filter: &str, at_us| {
        let filter = parse(filter).unwrap();
        let (Test::At(list) | Test::Session(SessionTest::Started(list))) = &filter.terms[0].test
        else {
            panic!("{filter:?} is not about time")
        };
        moments_hold(list, at_us, context)
    };
    assert!(holds("at:12:00", noon("2026-11-29")));
    assert!(!holds("at:12:00", noon("2026-11-28")));
    assert!(!holds("at:<12:00", noon("2026-11-29")));
    assert!(holds("at:2026-11-28", noon("2026-11-28")));
    assert!(holds("after:2026-11-28", noon("2026-11-28")));
    assert!(!holds("before:2026-11-28", noon("2026-11-28")));
    assert!(holds("at:last 1m", noon("2026-11-29")));
    assert!(!holds("at:last 1m", noon("2026-11-28")));
}
