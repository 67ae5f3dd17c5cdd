//! The log is bounded, masked, and one line an event.

use framescope_core::record::KnownSecrets;

use super::*;

fn line(level: Level, text: &str) -> Line {
    Line {
        at: 1,
        level,
        target: "t".to_owned(),
        text: text.to_owned(),
    }
}

#[test]
fn files_are_bounded_in_size_and_number() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("logs/framescope.log");
    let mut log = LogFile::open(&path).expect("a file");
    let piece = vec![b'x'; 1 << 18];
    let pieces = file::FULL / (1 << 18);
    for _ in 0..pieces * u64::from(file::FILES + 2) {
        log.write(&piece).expect("written");
    }
    let files: Vec<_> = std::fs::read_dir(dir.path().join("logs"))
        .expect("the folder")
        .flatten()
        .collect();
    assert_eq!(files.len(), file::FILES as usize);
    for entry in files {
        let meta = entry.metadata().expect("a file");
        assert!(meta.len() <= file::FULL, "{entry:?}");
        #[cfg(unix)]
        assert_eq!(
            std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o777,
            0o600
        );
    }
    // The next start goes on with it.
    log.write(b"first of a new file\n").expect("written");
    let before = std::fs::metadata(&path).expect("it").len();
    LogFile::open(&path)
        .and_then(|mut log| log.write(b"more\n"))
        .expect("written");
    assert_eq!(std::fs::metadata(&path).expect("it").len(), before + 5);
}

#[test]
fn known_secrets_are_masked_in_memory_and_in_the_file() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("x.log");
    let log = Log::default();
    log.lines.lock().file = Some(LogFile::open(&path).expect("a file"));
    KnownSecrets::new(vec![("KEY".to_owned(), "log-secret-0815".to_owned())]);
    log.add(line(Level::WARN, "refused log-secret-0815\nsecond"));
    let lines = log.lines.lock();
    assert_eq!(
        lines.tail[0].text.matches("‹secret:KEY›").count(),
        1,
        "{:?}",
        lines.tail[0]
    );
    let file = std::fs::read_to_string(&path).expect("the file");
    assert!(file.contains("WARN t: refused ‹secret:KEY›"), "{file}");
    assert!(!file.contains("log-secret"), "{file}");
    assert!(
        file.lines()
            .nth(1)
            .is_some_and(|line| line.starts_with("    second")),
        "{file}"
    );
}

#[test]
fn the_tail_is_bounded_and_says_what_it_lacks() {
    let log = Log::default();
    let dir = tempfile::tempdir().expect("a folder");
    log.lines.lock().file = Some(LogFile::open(&dir.path().join("x.log")).expect("a file"));
    for number in 0..TAIL + 3 {
        log.add(line(Level::INFO, &number.to_string()));
    }
    log.add(line(Level::INFO, &"é".repeat(LONGEST)));
    let lines = log.lines.lock();
    assert_eq!((lines.tail.len(), lines.dropped), (TAIL, 4));
    assert_eq!(lines.tail[0].text, "4");
    assert!(lines.tail[TAIL - 1].text.len() <= LONGEST + 3);
}

#[test]
fn an_event_is_a_line_and_the_level_can_be_changed() {
    let log = Arc::new(Log::default());
    let (filter, handle) = reload::Layer::new(of(Level::INFO));
    let layers = tracing_subscriber::registry()
        .with(filter)
        .with(Lined(Arc::clone(&log)));
    tracing::subscriber::with_default(layers, || {
        tracing::debug!(target: "framescope_core::x", "not yet");
        tracing::info!(target: "hyper", "never");
        tracing::info!(target: "framescope_core::x", number = 7, word = "a b", "said {}", 1);
        handle.reload(of(Level::DEBUG)).expect("a filter");
        tracing::debug!(target: "framescope_core::x", "now");
        handle.reload(of(Level::ERROR)).expect("a filter");
        tracing::warn!(target: "hyper", "no more");
    });
    let lines = log.lines.lock();
    let texts: Vec<_> = lines.tail.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(texts, ["said 1 number=7 word=a b", "now"]);
    assert_eq!(lines.tail[0].target, "framescope_core::x");
}
