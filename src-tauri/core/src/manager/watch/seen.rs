//! What the system tells of changed files, gathered until it is quiet.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use notify::event::{MetadataKind, ModifyKind};
use notify::{ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};

use super::paths::Place;

/// How long nothing may change before a build is taken to be done.
const QUIET: Duration = Duration::from_millis(500);
/// The longest wait for that: something that never rests must not keep the changes beside it from being seen.
const LONGEST: Duration = Duration::from_secs(30);
/// Changes that are kept while nobody takes them. That something changed is known from the first.
const KEPT: usize = 1024;
/// Paths that are named.
const NAMED: usize = 3;

/// What was seen in one go.
#[derive(Debug)]
pub(super) struct Changed {
    /// When the first of it was seen.
    pub(super) since: Instant,
    paths: BTreeSet<PathBuf>,
    /// Why not all is watched any more.
    pub(super) problem: Option<String>,
}

impl Changed {
    fn new() -> Self {
        Self {
            since: Instant::now(),
            paths: BTreeSet::new(),
            problem: None,
        }
    }

    /// Nothing that is watched has changed; only something went wrong.
    pub(super) fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// What changed, in words; paths inside `base` are told from there.
    pub(super) fn words(&self, base: &Path) -> String {
        let name = |path: &PathBuf| {
            let path = path.strip_prefix(base).unwrap_or(path);
            path.display().to_string()
        };
        let named: Vec<_> = self.paths.iter().take(NAMED).map(name).collect();
        let more = self.paths.len() - named.len();
        match named.split_last() {
            Some((last, [])) => format!("{last} changed"),
            Some((last, others)) if more == 0 => {
                format!("{} and {last} changed", others.join(", "))
            }
            Some(_) | None => format!("{} and {more} more changed", named.join(", ")),
        }
    }
}

/// What the system told.
#[derive(Debug)]
enum Told {
    Changed(PathBuf),
    Failed(String),
}

/// Watches places, as long as it is kept.
pub(super) struct Watcher {
    watcher: RecommendedWatcher,
    folders: BTreeMap<PathBuf, RecursiveMode>,
    told: mpsc::Receiver<Told>,
}

impl Watcher {
    /// Begins. What cannot be watched is told, and the rest is watched; where nothing can be, there is no watcher.
    pub(super) fn start(places: Vec<Place>) -> (Option<Self>, Vec<String>) {
        let (tell, told) = mpsc::channel(KEPT);
        let folders = folders(&places);
        let places = Arc::new(places);
        let handler = move |event: notify::Result<Event>| {
            let all = match event {
                Ok(event) => changes(event, &places),
                Err(error) => vec![Told::Failed(words(&error, None))],
            };
            for one in all {
                // Where there is no room, a change is known already.
                let _ = tell.try_send(one);
            }
        };
        let mut watcher = match notify::recommended_watcher(handler) {
            Ok(watcher) => Self {
                watcher,
                folders,
                told,
            },
            Err(error) => return (None, vec![words(&error, None)]),
        };
        let problems = watcher.again();
        (Some(watcher), problems)
    }

    /// Asks the system again for every folder: one that was deleted and made again is another folder.
    fn again(&mut self) -> Vec<String> {
        use notify::Watcher as _;
        let mut problems = vec![];
        for (folder, mode) in &self.folders {
            match self.watcher.watch(folder, *mode) {
                Ok(()) => {}
                // A build may make it again.
                Err(error) if matches!(error.kind, ErrorKind::PathNotFound) => {}
                Err(error) => problems.push(words(&error, Some(folder))),
            }
        }
        problems
    }

    /// Waits for a change, and until it is quiet after it. None where the system tells nothing any more.
    pub(super) async fn settled(&mut self) -> Option<Changed> {
        let mut next = self.told.recv().await?;
        let mut changed = Changed::new();
        let last = changed.since + LONGEST;
        loop {
            match next {
                Told::Changed(path) => {
                    if self.folders.contains_key(&path) {
                        changed.problem = self.again().pop();
                    }
                    changed.paths.insert(path);
                }
                Told::Failed(why) => changed.problem = Some(why),
            }
            let now = Instant::now();
            if now >= last {
                break;
            }
            match timeout_at(last.min(now + QUIET), self.told.recv()).await {
                Ok(Some(more)) => next = more,
                Ok(None) | Err(_) => break,
            }
        }
        // What was deleted and is made again only now.
        changed.problem = self.again().pop().or(changed.problem);
        Some(changed)
    }

    /// Forgets what has been seen: what is started after this has it all.
    pub(super) fn forget(&mut self) {
        while self.told.try_recv().is_ok() {}
    }
}

/// The folders to watch; those above them tell when one is made again.
fn folders(places: &[Place]) -> BTreeMap<PathBuf, RecursiveMode> {
    let mut folders = BTreeMap::new();
    for place in places {
        let mode = folders
            .entry(place.root.clone())
            .or_insert(RecursiveMode::NonRecursive);
        if place.deep {
            *mode = RecursiveMode::Recursive;
        }
    }
    for place in places {
        if let Some(above) = place.root.parent() {
            folders
                .entry(above.to_owned())
                .or_insert(RecursiveMode::NonRecursive);
        }
    }
    folders
}

/// The changes in an event that concern a place. Reading a file is none.
fn changes(event: Event, places: &[Place]) -> Vec<Told> {
    let read = matches!(
        event.kind,
        EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(MetadataKind::AccessTime))
    );
    if read {
        return vec![];
    }
    let concerned = |path: &PathBuf| places.iter().any(|place| place.concerns(path));
    let paths = event.paths.into_iter().filter(concerned);
    paths.map(Told::Changed).collect()
}

/// What the system said, and the next step.
fn words(error: &notify::Error, folder: Option<&Path>) -> String {
    let path = folder.or_else(|| error.paths.first().map(PathBuf::as_path));
    let of = path.map_or_else(String::new, |path| format!(" {}", path.display()));
    let io = match &error.kind {
        ErrorKind::Io(io) => Some(io),
        ErrorKind::Generic(_)
        | ErrorKind::PathNotFound
        | ErrorKind::WatchNotFound
        | ErrorKind::InvalidConfig(_)
        | ErrorKind::MaxFilesWatch => None,
    };
    if matches!(error.kind, ErrorKind::MaxFilesWatch) {
        return format!(
            "the system watches no more folders, so changes in{of} are not seen: watch a smaller folder, such as that of the built files, or raise fs.inotify.max_user_watches"
        );
    }
    // EMFILE: the user's programs have too many watchers, or this one too many files.
    if io.and_then(io::Error::raw_os_error) == Some(24) {
        return "the system allows no more watchers, so changes are not seen: end other programs that watch files, or raise fs.inotify.max_user_instances".to_owned();
    }
    format!("the system does not watch{of}: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limits_of_the_system_are_told_with_the_next_step() {
        for (error, expected) in [
            (
                notify::Error::new(ErrorKind::MaxFilesWatch).add_path("/x/y".into()),
                "changes in /x/y are not seen: watch a smaller folder",
            ),
            (
                notify::Error::io(io::Error::from_raw_os_error(24)),
                "fs.inotify.max_user_instances",
            ),
            (notify::Error::generic("odd"), "does not watch: odd"),
        ] {
            let told = words(&error, None);
            assert!(told.contains(expected), "{told}");
        }
    }

    #[test]
    fn what_changed_is_named_up_to_a_few() {
        let base = Path::new("/base");
        for (paths, expected) in [
            (vec!["/base/a"], "a changed"),
            (vec!["/base/a", "/other/b"], "a and /other/b changed"),
            (vec!["/base/a", "/base/b", "/base/c"], "a, b and c changed"),
            (
                vec!["/base/a", "/base/b", "/base/c", "/base/d", "/base/e"],
                "a, b, c and 2 more changed",
            ),
        ] {
            let mut changed = Changed::new();
            changed.paths = paths.into_iter().map(PathBuf::from).collect();
            assert_eq!(changed.words(base), expected);
        }
    }

    #[tokio::test]
    async fn a_folder_that_is_deleted_and_made_again_is_watched_again() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let dist = base.join("dist");
        std::fs::create_dir(&dist).unwrap();
        let (watcher, problems) = Watcher::start(vec![Place::of("dist", &base).unwrap()]);
        assert!(problems.is_empty(), "{problems:?}");
        let mut watcher = watcher.unwrap();
        for content in ["one", "two"] {
            std::fs::remove_dir_all(&dist).unwrap();
            std::fs::create_dir(&dist).unwrap();
            std::fs::write(dist.join("a.js"), content).unwrap();
            let changed = watcher.settled().await.unwrap();
            assert!(changed.words(&base).contains("dist"), "{changed:?}");
            std::fs::write(dist.join("b.js"), content).unwrap();
            let changed = watcher.settled().await.unwrap();
            let name = Path::new("dist").join("b.js").display().to_string();
            assert_eq!(changed.words(&base), format!("{name} changed"));
            assert_eq!(changed.problem, None);
        }
        std::fs::write(base.join("beside"), "").unwrap();
        std::fs::read(dist.join("a.js")).unwrap();
        std::fs::write(dist.join("last"), "").unwrap();
        let changed = watcher.settled().await.unwrap();
        let last = Path::new("dist").join("last").display().to_string();
        assert_eq!(changed.words(&base), format!("{last} changed"));
    }
}
