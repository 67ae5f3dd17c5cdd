//! `cargo xtask compat`: published servers, installed on demand, each tried with `framescope-cli`; the result is
//! `docs/compatibility.md`. Servers run one at a time. What was found is kept in the target folder, so a single server can be
//! tried again.

mod page;
mod place;
mod processes;
mod row;
mod session;
mod table;

use std::fs;
use std::path::PathBuf;

use crate::proc::{Outcome, cargo, exec, root, say};
use crate::setup;
use row::Row;
use table::Server;

/// Tries the servers with these names, or all of them.
pub(crate) fn compat(names: &[&str]) -> Outcome {
    if cfg!(not(target_os = "linux")) {
        return Err(
            "`cargo xtask compat` looks for left processes in /proc: it needs Linux.".into(),
        );
    }
    let servers = table::servers()?;
    let known = |name: &&&str| !servers.iter().any(|server| server.name == **name);
    if let Some(unknown) = names.iter().find(known) {
        return Err(format!("no server of the table is named {unknown}"));
    }
    setup::node()?;
    exec(&mut cargo(&[
        "build",
        "--quiet",
        "--package",
        "framescope-cli",
    ]))?;
    for folder in ["rows", "logs"] {
        let folder = place::home().join(folder);
        fs::create_dir_all(&folder)
            .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    }
    let mut failed = vec![];
    for server in &servers {
        if names.is_empty() || names.contains(&server.name.as_str()) {
            let row = row::try_server(server);
            tell(&row);
            if !row.failed.is_empty() {
                failed.push(row.name.clone());
            }
            keep(&row)?;
            write(&servers)?;
        }
    }
    match failed.as_slice() {
        [] => Ok(()),
        failed => Err(format!("failed: {}", failed.join(", "))),
    }
}

fn tell(row: &Row) {
    say(&format!(
        "== {} {}: {}, {}",
        row.name, row.version, row.revision, row.offers
    ));
    for words in &row.odd {
        say(&format!("   odd: {words}"));
    }
    for words in &row.failed {
        say(&format!("   FAILED: {words}"));
    }
}

fn kept(name: &str) -> PathBuf {
    place::home()
        .join("rows")
        .join(format!("{}.json", place::folder_name(name)))
}

fn keep(row: &Row) -> Outcome {
    let path = kept(&row.name);
    let text = serde_json::to_string_pretty(row).map_err(|error| error.to_string())?;
    fs::write(&path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

fn write(servers: &[Server]) -> Outcome {
    let rows: Vec<Option<Row>> = servers
        .iter()
        .map(|server| serde_json::from_str(&fs::read_to_string(kept(&server.name)).ok()?).ok())
        .collect();
    let path = root().join("docs/compatibility.md");
    fs::write(&path, page::page(servers, &rows))
        .map_err(|error| format!("cannot write {}: {error}", path.display()))
}
