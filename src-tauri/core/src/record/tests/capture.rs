//! The capture format is exact both ways, and says which line is wrong.

use std::path::{Path, PathBuf};

use bytes::Bytes;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::protocol::{Direction, ServerConfig};
use crate::record::capture::{
    CaptureProblem, CaptureReader, CaptureWriter, CapturedRecord, FORMAT, Header,
};
use crate::record::{
    Conn, Correlator, EventKind, Flags, Record, Redaction, Seq, SessionId, preview,
};

fn header() -> Header {
    Header {
        format: FORMAT,
        session: SessionId("01a22727-0000-7000-8000-000000000001".parse().unwrap()),
        origin: "cli".into(),
        server: "Weather".into(),
        name: None,
        revision: None,
        config: Some(ServerConfig::Sse {
            url: "http://x/".into(),
            headers: vec![],
        }),
        started_us: 5,
        ended_us: None,
        previous: None,
        tags: vec![],
    }
}

fn write(records: &[CapturedRecord]) -> Vec<u8> {
    let mut writer = CaptureWriter::new(Vec::new(), &header()).unwrap();
    for record in records {
        writer.record(record).unwrap();
    }
    writer.finish().unwrap()
}

fn frame(seq: u64, body: &[u8]) -> CapturedRecord {
    CapturedRecord {
        seq: Seq(seq),
        at_us: 7,
        conn: Conn(0),
        event: EventKind::Frame,
        direction: Some(Direction::ServerToClient),
        via: None,
        about: None,
        body: Bytes::copy_from_slice(body),
        redactions: vec![],
        flags: Flags::default(),
    }
}

#[test]
fn a_line_looks_as_documented() {
    let full = CapturedRecord {
        conn: Conn(1),
        via: Some(Seq(1)),
        about: Some(Seq(2)),
        redactions: vec![Redaction {
            offset: 3,
            name: "KEY".into(),
        }],
        flags: Flags::UNTERMINATED
            .with(Flags::TRUNCATED)
            .with(Flags::NOISE),
        ..frame(3, b"\xff")
    };
    let text = String::from_utf8(write(&[frame(1, "\"é\"\r".as_bytes()), full])).unwrap();
    let expected = concat!(
        r#"{"format":1,"session":"01a22727-0000-7000-8000-000000000001","origin":"cli","server":"Weather","config":{"type":"sse","url":"http://x/","headers":[]},"started_us":5}"#,
        "\n",
        r#"{"seq":1,"at_us":7,"conn":0,"event":"frame","direction":"s2c","body":"\"é\"\r"}"#,
        "\n",
        r#"{"seq":3,"at_us":7,"conn":1,"event":"frame","direction":"s2c","via":1,"about":2,"unterminated":true,"truncated":true,"redacted":[{"offset":3,"name":"KEY"}],"body_base64":"/w=="}"#,
        "\n",
    );
    assert_eq!(text, expected);
}

#[test]
fn what_a_newer_program_added_is_passed_over() {
    let text = concat!(
        r#"{"format":1,"session":"01a22727-0000-7000-8000-000000000001","origin":"web","server":"s","config":{"type":"smoke"},"started_us":5,"mood":"good"}"#,
        "\n\n",
        r#"{"seq":2,"at_us":7,"conn":0,"event":"smell","mood":"good","body":"x"}"#,
    );
    let mut reader = CaptureReader::new(text.as_bytes()).unwrap();
    assert_eq!(
        (
            reader.header().config.as_ref(),
            reader.header().origin.as_str()
        ),
        (None, "web")
    );
    let record = reader.next_record().unwrap().unwrap();
    assert_eq!(
        (record.event, record.body.as_ref()),
        (EventKind::Unknown, b"x".as_ref())
    );
    assert!(reader.next_record().unwrap().is_none());
    assert_eq!(preview(&record.into()), "x");
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let head = String::from_utf8(write(&[frame(5, b"a")])).unwrap();
    let fails = |text: &str| -> (u64, CaptureProblem) {
        let read = CaptureReader::new(text.as_bytes())
            .and_then(|reader| reader.collect::<Result<Vec<_>, _>>());
        let error = read.expect_err(text);
        (error.line, error.problem)
    };
    assert!(matches!(fails(""), (1, CaptureProblem::NoHeader(_))));
    assert!(matches!(
        fails("Listening\n"),
        (1, CaptureProblem::NoHeader(_))
    ));
    assert!(matches!(
        fails(&head.replace("\"format\":1", "\"format\":2")),
        (1, CaptureProblem::NewerFormat(2))
    ));
    assert!(matches!(
        fails(&head.replace("\"session\"", "\"other\"")),
        (1, CaptureProblem::NoHeader(_))
    ));
    assert!(
        matches!(
            fails(&format!("{head}{{\"seq\":6,\"at")),
            (3, CaptureProblem::NoRecord(_))
        ),
        "the file breaks off"
    );
    let record = |seq: u64, rest: &str| {
        format!("{head}\n{{\"seq\":{seq},\"at_us\":7,\"conn\":0,\"event\":\"frame\"{rest}}}\n")
    };
    assert!(matches!(
        fails(&record(5, "")),
        (4, CaptureProblem::Order(Seq(5), Seq(5)))
    ));
    assert!(matches!(
        fails(&record(6, r#","body_base64":"?""#)),
        (4, CaptureProblem::Base64(_))
    ));
}

#[test]
fn the_golden_sessions_are_written_as_they_were_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/sessions");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "jsonl"));
    assert!(files.len() >= 2, "{files:?}");
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        let mut reader = CaptureReader::new(&bytes[..]).unwrap();
        let mut writer = CaptureWriter::new(Vec::new(), reader.header()).unwrap();
        while let Some(record) = reader.next_record().unwrap() {
            writer.record(&record).unwrap();
        }
        assert!(writer.finish().unwrap() == bytes, "{path:?}");
    }
}

/// One line for each record: its number, marks, the request it answers, and its preview.
fn derived(session: &str) -> String {
    let reader = CaptureReader::new(session.as_bytes()).unwrap();
    let mut correlator = Correlator::default();
    let mut lines = String::new();
    for record in reader {
        let record = Record::from(record.unwrap());
        let seen = correlator.observe(&record);
        let kind = record
            .envelope
            .as_ref()
            .map_or(record.event.as_str(), |envelope| envelope.kind.as_str());
        let flags = record.flags.with(seen.flags).0;
        let reply_to = seen
            .reply_to
            .map(|seq| format!(" re {seq}"))
            .unwrap_or_default();
        lines += &format!(
            "{} {kind} {flags:b}{reply_to}: {}\n",
            record.seq,
            preview(&record)
        );
    }
    lines
}

#[test]
fn what_is_derived_from_the_golden_sessions_stays() {
    assert_eq!(
        derived(include_str!(
            "../../../../../tests/sessions/legacy-stdio.jsonl"
        )),
        include_str!("legacy-stdio.txt")
    );
    assert_eq!(
        derived(include_str!(
            "../../../../../tests/sessions/modern-stdio.jsonl"
        )),
        include_str!("modern-stdio.txt")
    );
}

proptest! {
    #[test]
    fn any_record_comes_back(
        bodies in vec(prop_oneof![vec(any::<u8>(), 0..50), ".{0,20}".prop_map(String::into_bytes)], 0..10),
        event in 1_i64..7, conn: u32, at_us: i64, via: Option<u64>, marks in 0_u32..4,
    ) {
        let flags = Flags::default().with_if(marks & 1 > 0, Flags::UNTERMINATED).with_if(marks & 2 > 0, Flags::TRUNCATED);
        let records: Vec<_> = bodies.iter().zip(1..).map(|(body, seq)| CapturedRecord {
            at_us, flags,
            conn: Conn(conn),
            event: EventKind::from_number(event),
            via: via.map(Seq),
            ..frame(seq, body)
        }).collect();
        let bytes = write(&records);
        let reader = CaptureReader::new(&bytes[..]).unwrap();
        let read: Vec<_> = reader.map(Result::unwrap).collect();
        prop_assert_eq!(read, records);
    }
}
