//! What is watched: files, folders and globs as typed, and whether a change concerns them.

use std::io;
use std::path::{Component, Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};

/// Folders inside a watched folder in which tools write on their own: a change in them is none of the server.
const ASIDE: [&str; 4] = [".git", "node_modules", "__pycache__", ".venv"];

/// Why a path cannot be watched.
#[derive(Debug, thiserror::Error)]
pub enum PathError {
    /// It is no pattern.
    #[error("the watched path `{typed}` is no pattern: {why}. Correct it in the server's settings")]
    BadGlob {
        /// As typed.
        typed: String,
        /// What is wrong with it.
        why: String,
    },
    /// There is nothing.
    #[error(
        "the watched path `{typed}` is not there: {path} was looked for. Build the server first, or correct the path in its settings"
    )]
    Missing {
        /// As typed.
        typed: String,
        /// Where it was looked for.
        path: String,
    },
    /// It cannot be looked at.
    #[error("the watched path `{typed}` cannot be read: {source}")]
    Unreadable {
        /// As typed.
        typed: String,
        /// The system's words.
        source: io::Error,
    },
}

/// A path to be watched.
#[derive(Debug)]
pub(super) struct Place {
    /// What the system is asked to watch: an existing folder, without links in its path.
    pub(super) root: PathBuf,
    /// With all folders in it.
    pub(super) deep: bool,
    what: What,
}

#[derive(Debug)]
enum What {
    /// All that is in the folder.
    Folder,
    /// A file in it. The folder is watched, since editors and builds put another file in its place.
    File(PathBuf),
    /// What in the folder matches.
    Matching(GlobMatcher),
}

impl Place {
    /// Reads a path as typed; a relative one is looked for in `base`.
    pub(super) fn of(typed: &str, base: &Path) -> Result<Self, PathError> {
        let (fixed, pattern) = halves(typed);
        let path = base.join(fixed);
        let path = path.canonicalize().map_err(|source| {
            let typed = typed.to_owned();
            if source.kind() == io::ErrorKind::NotFound {
                let path = path.display().to_string();
                PathError::Missing { typed, path }
            } else {
                PathError::Unreadable { typed, source }
            }
        })?;
        if let Some(pattern) = pattern {
            return Ok(Self {
                root: path,
                deep: pattern.contains(['/', '\\']),
                what: What::Matching(matcher(typed, &pattern)?),
            });
        }
        Ok(match path.parent() {
            Some(folder) if !path.is_dir() => Self {
                root: folder.to_owned(),
                deep: false,
                what: What::File(path),
            },
            Some(_) | None => Self {
                root: path,
                deep: true,
                what: What::Folder,
            },
        })
    }

    /// Whether a change of that path is one of what is watched here.
    pub(super) fn concerns(&self, path: &Path) -> bool {
        let Ok(inner) = path.strip_prefix(&self.root) else {
            return false;
        };
        let aside = |part: Component<'_>| matches!(part, Component::Normal(name) if ASIDE.iter().any(|aside| name == *aside));
        match &self.what {
            What::File(file) => path == file,
            What::Folder => !inner.components().any(aside),
            What::Matching(matcher) => matcher.is_match(inner) && !inner.components().any(aside),
        }
    }
}

/// Checks a path as typed, as far as that can be done without looking for it.
///
/// # Errors
/// Where it is no pattern.
pub fn check(typed: &str) -> Result<(), PathError> {
    match halves(typed).1 {
        Some(pattern) => matcher(typed, &pattern).map(drop),
        None => Ok(()),
    }
}

/// The folder before the first part that is a pattern, and the pattern.
fn halves(typed: &str) -> (PathBuf, Option<String>) {
    let path = Path::new(typed);
    let is_pattern = |part: &Component<'_>| {
        part.as_os_str()
            .to_string_lossy()
            .contains(['*', '?', '[', '{'])
    };
    let fixed = path.components().take_while(|part| !is_pattern(part));
    let fixed: PathBuf = fixed.collect();
    let pattern = path.components().skip_while(|part| !is_pattern(part));
    let pattern: PathBuf = pattern.collect();
    let pattern = pattern.to_string_lossy().into_owned();
    (fixed, Some(pattern).filter(|text| !text.is_empty()))
}

fn matcher(typed: &str, pattern: &str) -> Result<GlobMatcher, PathError> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    match glob {
        Ok(glob) => Ok(glob.compile_matcher()),
        Err(error) => Err(PathError::BadGlob {
            typed: typed.to_owned(),
            why: error.kind().to_string(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_concerns_what_is_watched_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        for dir in ["src/deep", "dist", "src/node_modules"] {
            std::fs::create_dir_all(base.join(dir)).unwrap();
        }
        std::fs::write(base.join("dist/server.js"), "").unwrap();
        for (typed, changed, expected) in [
            ("src", "src/a.ts", true),
            ("src", "src/deep/a.ts", true),
            ("./src/", "src/deep/a.ts", true),
            ("src", "dist/a.ts", false),
            ("src", "src/node_modules/a.js", false),
            ("src", "src/deep/__pycache__/a.pyc", false),
            ("src/node_modules", "src/node_modules/a.js", true),
            ("dist/server.js", "dist/server.js", true),
            ("dist/server.js", "dist/server.js.map", false),
            ("src/*.ts", "src/a.ts", true),
            ("src/*.ts", "src/deep/a.ts", false),
            ("src/**/*.ts", "src/a.ts", true),
            ("src/**/*.ts", "src/deep/a.ts", true),
            ("src/**/*.ts", "src/deep/a.js", false),
            ("src/**/*.{ts,js}", "src/deep/a.js", true),
            ("*/server.js", "dist/server.js", true),
        ] {
            let place = Place::of(typed, &base).unwrap();
            assert_eq!(
                place.concerns(&base.join(changed)),
                expected,
                "{typed} and {changed}"
            );
        }
    }

    #[test]
    fn what_cannot_be_watched_is_told() {
        let folder = tempfile::tempdir().unwrap();
        for (typed, expected) in [
            ("gone/x.js", "gone/x.js was looked for"),
            ("gone/**", "gone was looked for"),
            ("src[", "is no pattern"),
        ] {
            let error = Place::of(typed, folder.path()).unwrap_err().to_string();
            assert!(error.contains(expected), "{typed}: {error}");
            assert!(error.contains("settings"), "the next step: {error}");
        }
        assert!(check("src/[").is_err());
        assert!(check("src/**/*.ts").is_ok() && check("not/there/yet").is_ok());
    }
}
