//! The browser in which a person signs in. Its address is handed over as one argument, never through a shell.

use std::process::Stdio;

use futures_util::future::BoxFuture;
use reqwest::Url;

/// Opens pages.
pub trait Browser: Send + Sync {
    /// Opens a page, and does not wait until it is closed. Errors are words.
    fn open<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<(), String>>;

    /// Nobody else can open them: where it cannot, the sign-in has failed.
    fn is_needed(&self) -> bool {
        false
    }
}

/// The browser that `BROWSER` names, else what the system opens pages with.
#[derive(Clone, Copy, Debug)]
pub struct SystemBrowser;

impl Browser for SystemBrowser {
    fn open<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(async move {
            let url = Url::parse(url).map_err(|error| error.to_string())?;
            if !matches!(url.scheme(), "https" | "http") {
                return Err(format!("`{}` is no page", url.scheme()));
            }
            open_page(url.as_str())
        })
    }
}

/// Opens a page in the browser that `BROWSER` names, else in what the system opens pages with. What may be opened at all is for
/// the caller to judge.
///
/// # Errors
/// In words, where none of them can be started.
pub fn open_page(url: &str) -> Result<(), String> {
    let named = std::env::var("BROWSER").unwrap_or_default();
    let mut tried = Vec::new();
    for command in commands(&named, url) {
        match spawn(&command) {
            Ok(()) => return Ok(()),
            Err(error) => tried.push(format!("{}: {error}", command[0])),
        }
    }
    Err(tried.join("; "))
}

/// What may open a page, in the order to try: `BROWSER` is a list parted by colons, `%s` in it is the address.
fn commands(named: &str, url: &str) -> Vec<Vec<String>> {
    let own = named.split(':').filter(|one| !one.trim().is_empty());
    let own = own.map(|one| {
        let mut words: Vec<String> = one.split_whitespace().map(str::to_owned).collect();
        let mut placed = false;
        for word in &mut words {
            placed |= word.contains("%s");
            *word = word.replace("%s", url);
        }
        if !placed {
            words.push(url.to_owned());
        }
        words
    });
    let system: &[&str] = if cfg!(target_os = "macos") {
        &["open"]
    } else if cfg!(windows) {
        &["rundll32", "url.dll,FileProtocolHandler"]
    } else {
        &["xdg-open"]
    };
    let mut system: Vec<String> = system.iter().map(|&word| word.to_owned()).collect();
    system.push(url.to_owned());
    own.chain([system]).collect()
}

fn spawn(words: &[String]) -> std::io::Result<()> {
    let mut child = std::process::Command::new(&words[0])
        .args(&words[1..])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    // Waited for, so that none is left behind as a zombie; how it ends does not matter.
    let waiting = std::thread::Builder::new().name("browser".to_owned());
    waiting.spawn(move || drop(child.wait()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_browser_of_the_environment_comes_first() {
        let url = "https://as.test/a?b=c&d";
        let all = commands("firefox -P %s:lynx:", url);
        assert_eq!(all[0], ["firefox", "-P", url]);
        assert_eq!(all[1], ["lynx", url]);
        assert_eq!(all.len(), 3);
        assert_eq!(commands("", url).len(), 1);
    }
}
