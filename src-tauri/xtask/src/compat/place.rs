//! The folders of one server: where it is installed, and where it works.

use std::fs;
use std::path::{Path, PathBuf};

use super::processes::environment;
use super::table::{FOLDER, Server, Source};
use crate::proc::{Outcome, command, exec, root, say};
use crate::run::programs;

/// The version of `uv` that makes the Python environments and runs the `uv` and `uvx` rows.
const UV: &str = "uv==0.13.9";

/// Everything that `cargo xtask compat` installs and records, inside the target folder.
pub(super) fn home() -> PathBuf {
    programs("compat")
}

/// A server's folders.
#[derive(Debug)]
pub(super) struct Place {
    install: PathBuf,
    scratch: PathBuf,
    port: u16,
}

impl Place {
    /// Installs the server where that was not done, and lays its scratch folder anew.
    pub(super) fn prepare(server: &Server) -> Result<Self, String> {
        let place = Self {
            install: home().join("servers").join(folder_name(&format!(
                "{} {}",
                server.package, server.version
            ))),
            scratch: home().join("scratch").join(folder_name(&server.name)),
            port: free_port()?,
        };
        place.install(server)?;
        place.lay_scratch()?;
        Ok(place)
    }

    /// The scratch folder.
    pub(super) fn scratch(&self) -> &Path {
        &self.scratch
    }

    /// The port for a server that listens.
    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// A text of the table with this machine's folders in it.
    pub(super) fn fill(&self, text: &str) -> String {
        let bin = self.bin();
        let cli = programs("debug").join("framescope-cli");
        let places = [
            ("{bin}", bin.as_path()),
            ("{install}", &self.install),
            ("{scratch}", &self.scratch),
            ("{cli}", &cli),
            ("{uv}", &tools().join("bin")),
        ];
        let text = places.iter().fold(text.to_owned(), |text, (name, path)| {
            text.replace(name, &path.to_string_lossy())
        });
        text.replace("{port}", &self.port.to_string())
    }

    /// Filled words.
    pub(super) fn words(&self, words: &[String]) -> Vec<String> {
        words.iter().map(|word| self.fill(word)).collect()
    }

    fn bin(&self) -> PathBuf {
        let npm = self.install.join("node_modules/.bin");
        if npm.is_dir() {
            npm
        } else {
            self.install.join("bin")
        }
    }

    fn install(&self, server: &Server) -> Outcome {
        if server.from == Source::PyPI || server.start.iter().any(|word| word.contains("{uv}")) {
            tools_ready()?;
        }
        self.install_packages(server)?;
        if let Some(script) = &server.script {
            let from = root().join(FOLDER).join(script);
            let name = from.file_name().unwrap_or_default();
            copy(&from, &self.install.join(name))?;
        }
        if let Some((program, args)) = self.words(&server.warm).split_first() {
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let mut warm = command(program, &args);
            environment(&mut warm, server, self);
            exec(warm.current_dir(&self.install))?;
        }
        Ok(())
    }

    fn install_packages(&self, server: &Server) -> Outcome {
        let stamp = self.install.join(".framescope-installed");
        let Server {
            from,
            package,
            version,
            with,
            scripts,
            ..
        } = server;
        let wanted = format!("{from:?} {package} {version} {with:?} {scripts}");
        if fs::read_to_string(&stamp).is_ok_and(|have| have == wanted) {
            return Ok(());
        }
        remove(&self.install)?;
        make(&self.install)?;
        let folder = self.install.to_string_lossy().into_owned();
        let with = server.with.iter().map(String::as_str);
        match server.from {
            Source::Npm => {
                let package = format!("{}@{}", server.package, server.version);
                let mut args = vec!["install", "--no-audit", "--no-fund", "--loglevel=error"];
                if !server.scripts {
                    args.push("--ignore-scripts");
                }
                args.extend(["--prefix", &folder, &package]);
                args.extend(with);
                exec(command("npm", &args).current_dir(&self.install))?;
            }
            Source::PyPI => {
                let uv = tools().join("bin/uv").to_string_lossy().into_owned();
                exec(&mut command(
                    &uv,
                    &["venv", "--quiet", "--allow-existing", &folder],
                ))?;
                let python = format!("{folder}/bin/python");
                let package = format!("{}=={}", server.package, server.version);
                let args = [
                    "pip",
                    "install",
                    "--quiet",
                    "--compile-bytecode",
                    "--python",
                    &python,
                    &package,
                ];
                let args: Vec<&str> = args.into_iter().chain(with).collect();
                exec(&mut command(&uv, &args))?;
            }
            Source::Crates => {
                let built = home().join("crates").to_string_lossy().into_owned();
                let args = ["install", "--debug", "--locked", "--root", &folder];
                let mut cargo = crate::proc::cargo(&args);
                cargo.args(["--version", &server.version, &server.package]);
                exec(cargo.env("CARGO_TARGET_DIR", built))?;
            }
            Source::Here => {}
        }
        fs::write(&stamp, wanted)
            .map_err(|error| format!("cannot write {}: {error}", stamp.display()))
    }

    /// A Git repository with one commit and the files of `tests/compat/scratch`.
    fn lay_scratch(&self) -> Outcome {
        remove(&self.scratch)?;
        make(&self.scratch.join("home"))?;
        let files = root().join(FOLDER).join("scratch");
        for file in fs::read_dir(&files)
            .map_err(|error| format!("cannot read {}: {error}", files.display()))?
        {
            let file = file.map_err(|error| format!("cannot read {}: {error}", files.display()))?;
            copy(&file.path(), &self.scratch.join(file.file_name()))?;
        }
        let git = |args: &[&str]| {
            let done = command("git", args).current_dir(&self.scratch).output();
            match done {
                Ok(done) if done.status.success() => Ok(()),
                Ok(done) => Err(format!(
                    "git failed: {}",
                    String::from_utf8_lossy(&done.stderr)
                )),
                Err(error) => Err(format!("cannot start git: {error}")),
            }
        };
        git(&["init", "--quiet"])?;
        git(&["add", "--all"])?;
        let who = [
            "-c",
            "user.name=Framescope",
            "-c",
            "user.email=compat@example.invalid",
        ];
        git(&[&who[..], &["commit", "--quiet", "--message", "first"]].concat())
    }
}

/// A name as that of a folder that no command line has to quote.
pub(super) fn folder_name(name: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() || c == '.' {
            c
        } else {
            '-'
        }
    };
    let name: String = name.trim().chars().map(plain).collect();
    name.trim_start_matches('-').to_owned()
}

/// The folder with `uv`.
fn tools() -> PathBuf {
    home().join("tools")
}

fn tools_ready() -> Outcome {
    if tools().join("bin/uv").is_file() {
        return Ok(());
    }
    say("Installing uv for the Python servers");
    let folder = tools().to_string_lossy().into_owned();
    exec(&mut command("python3", &["-m", "venv", &folder]))?;
    let pip = format!("{folder}/bin/pip");
    exec(&mut command(&pip, &["install", "--quiet", UV]))
}

fn free_port() -> Result<u16, String> {
    let failed = |error| format!("cannot find a free port: {error}");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").map_err(failed)?;
    Ok(listener.local_addr().map_err(failed)?.port())
}

fn remove(folder: &Path) -> Outcome {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("cannot remove {}: {error}", folder.display()))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

fn make(folder: &Path) -> Outcome {
    fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))
}

fn copy(from: &Path, to: &Path) -> Outcome {
    fs::copy(from, to)
        .map(drop)
        .map_err(|error| format!("cannot copy {}: {error}", from.display()))
}
