//! What comes in headers and files, and what people type.

use framescope_core::history::filter;
use framescope_core::mcp_servers;
use framescope_core::record::capture::{CaptureReader, CaptureWriter, CapturedRecord};
use framescope_core::record::{Record, preview};
use framescope_core::transport::Challenge;

/// The most characters of a preview.
const PREVIEW: usize = 160;

/// The challenges of a header: what one says does not depend on those after it.
pub fn challenge(header: &[u8]) {
    let header = String::from_utf8_lossy(header);
    let of = |headers: &[&str]| Challenge {
        status: 403,
        www_authenticate: headers.iter().map(|&one| one.to_owned()).collect(),
        ..Challenge::default()
    };
    let alone = of(&[&header]);
    let followed = of(&[&header, "Bearer scope=\"later\""]);
    for name in ["error", "resource_metadata"] {
        assert_eq!(alone.parameters(name), followed.parameters(name), "{name}");
    }
    assert!(alone.scopes().iter().all(|scope| !scope.is_empty()));
    assert!(followed.is_bearer(), "the second header is one");
    let told = alone.is_bearer() || alone.hints().is_empty();
    assert!(told, "hints come from what a sign-in answers");
}

/// A capture file: what was read of it is read the same once it is written again, and has a preview of one short line.
pub fn capture(file: &[u8]) {
    let Ok(mut reader) = CaptureReader::new(file) else {
        return;
    };
    let header = reader.header().clone();
    let records: Vec<CapturedRecord> = reader.by_ref().flatten().collect();
    let ordered = records.is_sorted_by(|one, next| one.seq < next.seq);
    assert!(ordered, "their order is that of the file");
    let mut writer = held(CaptureWriter::new(Vec::new(), &header));
    for record in &records {
        held(writer.record(record));
    }
    let written = held(writer.finish());
    let again = held(CaptureReader::new(&written[..]));
    assert_eq!(held(again.collect::<Result<Vec<_>, _>>()), records);
    for record in records {
        let line = preview(&Record::from(record));
        assert!(line.chars().count() <= PREVIEW, "{line:?}");
        assert!(!line.chars().any(char::is_control), "{line:?}");
    }
}

/// A filter: it is taken, or the problem has its place in it.
pub fn filter(text: &[u8]) {
    let text = String::from_utf8_lossy(text);
    if let Err(problem) = filter::parse(&text) {
        let units = text.encode_utf16().count();
        let inside = problem.from <= problem.to && problem.to <= units;
        assert!(inside, "{}..{} of {units}", problem.from, problem.to);
        assert!(!problem.message.is_empty(), "it is said");
    }
}

/// An `mcpServers` file: servers that can be used are the same once they are written and read again.
pub fn mcp_servers(text: &[u8]) {
    let text = String::from_utf8_lossy(text);
    let Ok(entries) = mcp_servers::read(&text) else {
        return;
    };
    let servers = |entries: &[mcp_servers::Entry]| -> Vec<_> {
        let usable = |entry: &mcp_servers::Entry| {
            let config = entry.config.as_ref()?;
            Some((entry.name.clone(), config.clone()))
        };
        entries.iter().filter_map(usable).collect()
    };
    let found = servers(&entries);
    if found.is_empty() {
        return;
    }
    let written = mcp_servers::write(found.iter().map(|(name, config)| (name.as_str(), config)));
    let again = held(mcp_servers::read(&written));
    assert_eq!(servers(&again), found, "{written}");
}

/// What works whatever the bytes were: memory takes what is written, and what was written can be read.
fn held<T, E: std::fmt::Debug>(result: Result<T, E>) -> T {
    result.unwrap_or_else(|error| panic!("{error:?}"))
}
