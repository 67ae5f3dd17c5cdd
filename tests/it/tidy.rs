//! The layer rule, module docs and file sizes: what no compiler checks.

use std::fs;
use std::path::{Path, PathBuf};

use framescope_tests::peers::root;

/// Which core modules a core module may use (ARCHITECTURE.md, the one-way rule).
const LAYERS: &[(&str, &[&str])] = &[
    ("protocol", &[]),
    ("record", &["protocol"]),
    ("history", &["record", "protocol"]),
    ("transport", &["record", "protocol"]),
    ("secrets", &["record", "protocol"]),
    ("auth", &["secrets", "transport", "record", "protocol"]),
    ("client", &["transport", "record", "protocol"]),
    ("check", &[]),
    ("mcp_servers", &["client", "protocol"]),
    (
        "manager",
        &[
            "protocol",
            "record",
            "history",
            "transport",
            "client",
            "secrets",
            "auth",
        ],
    ),
    (
        "doctor",
        &[
            "protocol",
            "record",
            "history",
            "transport",
            "client",
            "secrets",
            "manager",
        ],
    ),
];

/// Files over the stop size, each with its reason.
const LARGE: &[(&str, &str)] = &[];

#[test]
fn core_modules_use_only_the_layers_below() {
    let core = root().join("src-tauri/core/src");
    for file in files(&core, &["rs"]) {
        let relative = file.strip_prefix(&core).expect("a file below the core");
        let module = relative
            .components()
            .next()
            .expect("a first part")
            .as_os_str()
            .to_string_lossy()
            .replace(".rs", "");
        let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == module) else {
            continue;
        };
        for (number, line) in read(&file).lines().enumerate() {
            for used in line.split("crate::").skip(1) {
                let used: String = used
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '_')
                    .collect();
                let known = LAYERS.iter().any(|(name, _)| *name == used);
                let fine = !known || used == module || allowed.contains(&used.as_str());
                assert!(
                    fine,
                    "{}:{}: `{module}` may not use `{used}`",
                    relative.display(),
                    number + 1
                );
            }
        }
    }
}

#[test]
fn every_rust_module_says_what_it_is() {
    for file in files(&root(), &["rs"]) {
        let first = read(&file).lines().next().unwrap_or_default().to_owned();
        let tests = file.file_name().is_some_and(|name| name == "tests.rs");
        assert!(
            tests || first.starts_with("//!"),
            "{}: begins without a //! line",
            file.display()
        );
    }
}

#[test]
fn files_stay_under_the_stop_sizes() {
    for file in files(&root(), &["rs", "ts", "tsx"]) {
        let name = file.to_string_lossy().replace('\\', "/");
        let test =
            name.contains("/tests/") || name.ends_with("tests.rs") || name.contains(".test.ts");
        let stop = match file.extension().and_then(|e| e.to_str()) {
            _ if test => 1000,
            Some("rs") => 600,
            Some("tsx") => 300,
            _ => 450,
        };
        let lines = read(&file).lines().count();
        let allowed = LARGE.iter().any(|(large, _)| name.ends_with(large));
        assert!(
            allowed || lines <= stop,
            "{name}: {lines} lines, the stop size is {stop}"
        );
    }
}

#[test]
fn only_the_bridge_imports_tauri() {
    for file in files(&root().join("ui/src"), &["ts", "tsx"]) {
        let bridge = file.parent().is_some_and(|folder| folder.ends_with("ipc"));
        assert!(
            bridge || !read(&file).contains("@tauri-apps/"),
            "{}: imports Tauri outside ipc",
            file.display()
        );
    }
}

fn read(file: &Path) -> String {
    fs::read_to_string(file)
        .unwrap_or_else(|error| panic!("cannot read {}: {error}", file.display()))
}

/// All source files below a folder, without what is generated or installed.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let skipped = [
        "target",
        "node_modules",
        "dist",
        "gen",
        ".git",
        ".venv",
        "bindings",
    ];
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(&folder)
            .unwrap_or_else(|error| panic!("cannot list {}: {error}", folder.display()));
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if path.is_dir() && !skipped.contains(&name.as_str()) {
                open.push(path);
            } else if path
                .extension()
                .and_then(|e| e.to_str())
                .is_some_and(|e| endings.contains(&e))
            {
                found.push(path);
            }
        }
    }
    assert!(
        !found.is_empty(),
        "no source file below {}",
        folder.display()
    );
    found
}
