//! `docs/coverage.md` against the schemas of the five revisions, and against the tests that it names.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

const REVISIONS: [&str; 5] = [
    "2024-11-05",
    "2025-03-26",
    "2025-06-18",
    "2025-11-25",
    "2026-07-28",
];

/// A row of the table: the type, its revisions, and its test.
struct Row {
    name: String,
    revisions: String,
    test: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn rows() -> Vec<Row> {
    let page = std::fs::read_to_string(root().join("docs/coverage.md")).expect("the page");
    let lines = page.lines().filter(|line| line.starts_with("| `"));
    let cell = |text: &str| text.trim().trim_matches('`').to_owned();
    let row = |line: &str| {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(cell).collect();
        assert_eq!(cells.len(), 7, "{line}");
        Row {
            name: cells[0].clone(),
            revisions: cells[2].clone(),
            test: cells[6].clone(),
        }
    };
    lines.map(row).collect()
}

/// All sources of tests.
fn sources(folder: &Path, all: &mut String) {
    for entry in std::fs::read_dir(folder)
        .expect("a folder of the repository")
        .flatten()
    {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() && name != "node_modules" && name != "target" {
            sources(&path, all);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            all.push_str(&std::fs::read_to_string(path).expect("a source"));
        }
    }
}

#[test]
fn the_coverage_page_names_every_type_of_every_revision() {
    let schemas = root().join("../shared/spec/schema");
    if !schemas.is_dir() {
        eprintln!("SKIPPED: no schemas at {}", schemas.display());
        return;
    }
    let rows = rows();
    let named: BTreeSet<_> = rows.iter().map(|row| row.name.clone()).collect();
    let mut found = BTreeSet::new();
    for revision in REVISIONS {
        let text = std::fs::read_to_string(schemas.join(format!("{revision}.json")));
        let schema: Value = serde_json::from_str(&text.expect("a schema")).expect("JSON");
        let types = schema.get("definitions").or(schema.get("$defs"));
        let types = types.and_then(Value::as_object).expect("definitions");
        let wanted = |name: &&String| {
            ["Request", "Notification", "Result"]
                .iter()
                .any(|end| name.ends_with(end))
        };
        let here: BTreeSet<_> = types.keys().filter(wanted).cloned().collect();
        for row in &rows {
            let (first, last) = match row.revisions.split_once('…') {
                None => (row.revisions.as_str(), row.revisions.as_str()),
                Some((first, "")) => (first.trim(), REVISIONS[4]),
                Some((first, last)) => (first.trim(), last.trim()),
            };
            let says = (first..=last).contains(&revision);
            assert_eq!(says, here.contains(&row.name), "{} in {revision}", row.name);
        }
        found.extend(here);
    }
    assert_eq!(named, found);
}

#[test]
fn the_tests_that_the_coverage_page_names_are_there() {
    let mut all = String::new();
    for folder in ["tests", "src-tauri"] {
        sources(&root().join(folder), &mut all);
    }
    let later: BTreeSet<_> = ["*later*", "*family*"].into();
    for row in rows() {
        let there = all.contains(&format!("fn {}(", row.test));
        assert!(
            there || later.contains(row.test.as_str()),
            "{}: no test {}",
            row.name,
            row.test
        );
    }
}
