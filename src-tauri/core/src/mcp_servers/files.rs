//! Where other MCP hosts keep their servers.

use std::path::{Path, PathBuf};

use super::Entry;

/// The longest such file that is read, in bytes: some hosts keep their history in it.
const LONGEST: u64 = 64 << 20;

/// A file of another host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostFile {
    /// The host; unique among them.
    pub host: &'static str,
    /// The file.
    pub path: PathBuf,
}

/// The files of the hosts that we know, as far as they exist on this machine.
pub fn found() -> Vec<HostFile> {
    let (Some(home), Some(config)) = (dirs::home_dir(), dirs::config_dir()) else {
        return vec![];
    };
    let mut files = known(&home, &config);
    files.retain(|file| file.path.is_file());
    files
}

/// `config`: where programs keep their settings, which is not below `.config` everywhere.
fn known(home: &Path, config: &Path) -> Vec<HostFile> {
    let cline = "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json";
    let files = [
        (
            "Claude Desktop",
            config,
            "Claude/claude_desktop_config.json",
        ),
        ("Claude Code", home, ".claude.json"),
        ("Cursor", home, ".cursor/mcp.json"),
        ("VS Code", config, "Code/User/mcp.json"),
        ("VS Code settings", config, "Code/User/settings.json"),
        ("Cline", config, cline),
        ("Windsurf", home, ".codeium/windsurf/mcp_config.json"),
        ("Gemini CLI", home, ".gemini/settings.json"),
        ("Zed", home, ".config/zed/settings.json"),
    ];
    let file = |(host, base, path): (_, &Path, &str)| HostFile {
        host,
        path: base.join(path),
    };
    files.map(file).into()
}

/// Reads the servers of a file.
///
/// # Errors
/// In words, where it cannot be read or holds none.
pub fn read_file(path: &Path) -> Result<Vec<Entry>, String> {
    let refused = |why: String| format!("{} cannot be read: {why}", path.display());
    let size = std::fs::metadata(path)
        .map_err(|error| refused(error.to_string()))?
        .len();
    if size > LONGEST {
        return Err(refused(format!(
            "it has {size} bytes, which no such file needs"
        )));
    }
    let bytes = std::fs::read(path).map_err(|error| refused(error.to_string()))?;
    let text =
        String::from_utf8(bytes).map_err(|_| refused("it is no text in UTF-8".to_owned()))?;
    super::read(&text).map_err(|why| format!("{}: {why}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_host_and_read_or_refused_in_words() {
        let folder = tempfile::tempdir().unwrap();
        let files = known(folder.path(), &folder.path().join("config"));
        let hosts: Vec<_> = files.iter().map(|file| file.host).collect();
        let mut unique = hosts.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), hosts.len(), "a host names one file");

        let path = folder.path().join(".claude.json");
        assert!(files.contains(&HostFile {
            host: "Claude Code",
            path: path.clone()
        }));
        let none = read_file(&path).unwrap_err();
        assert!(none.contains(".claude.json cannot be read"), "{none}");
        std::fs::write(&path, [0xff, 0xfe]).unwrap();
        let none = read_file(&path).unwrap_err();
        assert!(none.contains("UTF-8"), "{none}");
        std::fs::write(&path, r#"{"numStartups":3}"#).unwrap();
        let none = read_file(&path).unwrap_err();
        assert!(none.contains("no server is in it"), "{none}");
        std::fs::write(&path, r#"{"mcpServers":{"a":{"command":"a"}},"projects":{"/x":{"mcpServers":{"b":{"url":"http://b"}}},"/y":{}}}"#)
            .unwrap();
        let names: Vec<_> = read_file(&path)
            .unwrap()
            .into_iter()
            .map(|entry| entry.name)
            .collect();
        assert_eq!(names, ["a", "b"], "those of all projects too");
    }
}
