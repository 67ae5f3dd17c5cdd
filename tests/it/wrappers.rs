//! Servers that are started by something else, as most published ones are: nothing of it is left after the end, whatever
//! stands between this app and the server (`../shared/corpus/servers/_wrapper_process_trees.json`).

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use framescope_core::client::Outcome;
use framescope_core::history::Server;
use framescope_core::protocol::{EraChoice, ServerConfig};
use framescope_tests::peers::{missing, root};

use crate::ends::nothing_is_left;
use crate::peer::{Peer, server};

/// What stands between.
const WRAPPERS: [&str; 4] = ["sh", "npm", "npx", "uv"];

/// A word for `sh`.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The server started by a wrapper; `None`, loudly, where that is not installed.
fn wrapped(wrapper: &str, folder: &Path, server: Server) -> Option<Server> {
    let ServerConfig::Stdio { command, args, .. } = &server.config else {
        return None;
    };
    // It comes with the Python environment of the tests; npm's come with Node.js.
    let program = match wrapper {
        "uv" => root().join("tests/peers/.venv/bin/uv"),
        other => other.into(),
    };
    let there = Command::new(&program).arg("--version").output().is_ok();
    if wrapper != "sh" && !there {
        return missing(wrapper);
    }
    let words = std::iter::once(command).chain(args);
    let line: Vec<_> = words.map(|word| quoted(word)).collect();
    let line = line.join(" ");
    let package =
        serde_json::json!({ "name": "wrapped", "version": "1.0.0", "scripts": { "start": line } });
    fs::write(folder.join("package.json"), package.to_string()).expect("a package");
    let bin = folder.join("node_modules/.bin");
    fs::create_dir_all(&bin).expect("a folder");
    symlink(command, bin.join("wrapped-server")).expect("a link");
    let words: Vec<String> = match wrapper {
        // More than one command, or the shell would put the server in its own place.
        "sh" => vec!["-c".to_owned(), format!("{line}; true")],
        "npm" => ["run", "--silent", "start"].map(str::to_owned).into(),
        "npx" => ["--no-install", "wrapped-server"]
            .map(str::to_owned)
            .into_iter()
            .chain(args.iter().cloned())
            .collect(),
        _ => ["run", "--no-project", "--offline", "--"]
            .map(str::to_owned)
            .into_iter()
            .chain(std::iter::once(command.clone()))
            .chain(args.iter().cloned())
            .collect(),
    };
    Some(Server {
        config: ServerConfig::Stdio {
            command: program.to_string_lossy().into_owned(),
            args: words,
            env: [].into(),
            cwd: Some(folder.to_owned()),
        },
        ..server
    })
}

/// Processes whose command line names the folder.
fn naming(folder: &Path) -> Vec<String> {
    let folder = folder.to_string_lossy();
    let processes = fs::read_dir("/proc").expect("the processes").flatten();
    let lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(&*folder))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn s11_nothing_is_left_of_what_a_wrapper_started() {
    for wrapper in WRAPPERS {
        for scenario in ["good", "helper", "ignores-eof"] {
            let dir = tempfile::tempdir().expect("a folder");
            let folder = dir.path().to_owned();
            let direct = server(&folder, &[scenario], EraChoice::Auto);
            let Some(server) = wrapped(wrapper, &folder, direct) else {
                continue;
            };
            let peer = Peer::of(dir, &server).await;
            let outcome = peer.called().await;
            assert!(
                matches!(outcome, Outcome::Reply { reply: Ok(_), .. }),
                "{wrapper} {scenario}: {outcome:?}"
            );
            assert!(!naming(&folder).is_empty(), "{wrapper} {scenario}: it runs");
            let log = peer.end().await;
            nothing_is_left(&log).await;
            let left = naming(&folder);
            assert!(left.is_empty(), "{wrapper} {scenario}: {left:?}\n{log}");
        }
    }
}
