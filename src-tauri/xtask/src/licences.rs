//! `cargo xtask licences`: what the app is built from, with its licences, for the about box (`ui/generated/licences.json`).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::proc::{Outcome, output, root, say};

/// How files begin that hold a licence or what it asks to be passed on.
const FILES: [&str; 4] = ["license", "licence", "copying", "notice"];

/// The file.
#[derive(Serialize)]
struct Listed {
    packages: Vec<Package>,
    /// Each text once: most of them are the same.
    texts: Vec<String>,
}

#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
struct Package {
    name: String,
    version: String,
    /// SPDX expression.
    license: String,
    /// Places of its texts in the list of texts.
    texts: Vec<usize>,
}

/// A package and the folder that it lies in.
struct Found {
    name: String,
    version: String,
    license: String,
    folder: PathBuf,
}

/// Writes the file, unless it is newer than both lock files.
pub(crate) fn write() -> Outcome {
    let file = root().join("ui/generated/licences.json");
    if is_fresh(&file) {
        return Ok(());
    }
    let mut found = crates()?;
    found.extend(npm_packages()?);
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut packages: Vec<_> = found
        .into_iter()
        .map(|one| Package {
            texts: texts(&one)
                .into_iter()
                .map(|text| {
                    let next = places.len();
                    *places.entry(text).or_insert(next)
                })
                .collect(),
            name: one.name,
            version: one.version,
            license: one.license,
        })
        .collect();
    packages.sort();
    packages.dedup();
    let mut texts = vec![String::new(); places.len()];
    for (text, place) in places {
        texts[place] = text;
    }
    let listed = Listed { packages, texts };
    let json = serde_json::to_string(&listed).map_err(|error| error.to_string())?;
    let written = std::fs::create_dir_all(root().join("ui/generated"))
        .and_then(|()| std::fs::write(&file, json));
    written.map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    say(&format!(
        "The licences of {} packages are in {}.",
        listed.packages.len(),
        file.display()
    ));
    Ok(())
}

fn is_fresh(file: &Path) -> bool {
    let time = |path: &Path| path.metadata().and_then(|data| data.modified()).ok();
    let locks = ["Cargo.lock", "ui/package-lock.json"];
    let newest = locks.iter().map(|lock| time(&root().join(lock))).max();
    time(file).is_some_and(|made| newest.flatten().is_some_and(|newest| made > newest))
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Crate>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Crate {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    license_file: Option<String>,
    manifest_path: PathBuf,
    source: Option<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

#[derive(Deserialize)]
struct Kind {
    /// None for what the program itself uses.
    kind: Option<String>,
}

/// The crates of the app and the command line tool, on all systems.
fn crates() -> Result<Vec<Found>, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let told = output(&cargo, &["metadata", "--format-version", "1", "--locked"])
        .ok_or("`cargo metadata --locked` failed: run it to see why")?;
    let metadata: Metadata =
        serde_json::from_str(&told).map_err(|error| format!("`cargo metadata`: {error}"))?;
    let nodes: HashMap<_, _> = metadata
        .resolve
        .nodes
        .iter()
        .map(|node| (&node.id, node))
        .collect();
    let ours = |one: &&Crate| matches!(one.name.as_str(), "framescope" | "framescope-cli");
    let mut open: Vec<_> = metadata
        .packages
        .iter()
        .filter(ours)
        .map(|one| &one.id)
        .collect();
    let mut used = BTreeSet::new();
    while let Some(id) = open.pop() {
        if used.insert(id)
            && let Some(node) = nodes.get(id)
        {
            let uses = |one: &&Dependency| one.dep_kinds.iter().any(|kind| kind.kind.is_none());
            open.extend(node.deps.iter().filter(uses).map(|one| &one.pkg));
        }
    }
    let all = metadata.packages.iter();
    // Those without a source are parts of this repository.
    let all = all.filter(|one| used.contains(&one.id) && one.source.is_some());
    let found = all.map(|one| Found {
        name: one.name.clone(),
        version: one.version.clone(),
        license: one
            .license
            .clone()
            .or_else(|| one.license_file.clone())
            .unwrap_or_default(),
        folder: one
            .manifest_path
            .parent()
            .unwrap_or(Path::new(""))
            .to_owned(),
    });
    Ok(found.collect())
}

#[derive(Deserialize)]
struct NpmLock {
    packages: BTreeMap<String, NpmPackage>,
}

#[derive(Deserialize)]
struct NpmPackage {
    version: Option<String>,
    license: Option<String>,
    #[serde(default)]
    dev: bool,
    #[serde(default)]
    optional: bool,
}

/// The npm packages of the page.
fn npm_packages() -> Result<Vec<Found>, String> {
    let path = root().join("ui/package-lock.json");
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let lock: NpmLock =
        serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let used = lock.packages.into_iter().filter_map(|(place, one)| {
        let (_, name) = place.rsplit_once("node_modules/")?;
        (!one.dev && !one.optional).then(|| Found {
            name: name.to_owned(),
            version: one.version.unwrap_or_default(),
            license: one.license.unwrap_or_default(),
            folder: root().join("ui").join(&place),
        })
    });
    Ok(used.collect())
}

/// The texts in a package's folder. Of several licences to choose from one is passed on: the shorter MIT licence.
fn texts(package: &Found) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(&package.folder) else {
        return Vec::new();
    };
    let mut files: Vec<_> = entries
        .flatten()
        .filter(|entry| entry.path().is_file())
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .to_lowercase();
            FILES.iter().any(|begin| name.starts_with(begin))
        })
        .collect();
    files.sort();
    let is_mit = |path: &PathBuf| path.to_string_lossy().to_lowercase().ends_with("-mit");
    if package.license.contains(" OR ")
        && let Some(mit) = files.iter().find(|path| is_mit(path))
    {
        files = vec![mit.clone()];
    }
    let read = |path: PathBuf| std::fs::read(path).ok();
    let texts = files.into_iter().filter_map(read);
    texts
        .map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned())
        .collect()
}
