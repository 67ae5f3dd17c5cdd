//! Command lines and `mcpServers` files: in from the clipboard and from the files of other hosts, out to the clipboard.

use framescope_core::mcp_servers::{self, Entry, HostFile};
use framescope_core::protocol::ServerConfig;
use framescope_core::secrets::looks_secret;
use tauri::State;

use super::Answer;
use crate::convert::transport;
use crate::desktop::Import;
use crate::rows::{ErrorCode, HostFileRow, HostServers, IpcErrorRow, PastedServer, PastedValue};
use crate::state::AppState;
use crate::words;

#[tauri::command]
pub(crate) fn split_command_line(text: String) -> Answer<Vec<String>> {
    words::split(&text).map_err(invalid)
}

#[tauri::command]
pub(crate) fn read_mcp_servers(text: String) -> Answer<Vec<PastedServer>> {
    let entries = mcp_servers::read(&text).map_err(invalid)?;
    Ok(entries.into_iter().map(pasted).collect())
}

#[tauri::command]
pub(crate) fn list_host_files() -> Vec<HostFileRow> {
    let row = |file: HostFile| HostFileRow {
        host: file.host.to_owned(),
        path: file.path.display().to_string(),
    };
    mcp_servers::found().into_iter().map(row).collect()
}

#[tauri::command]
pub(crate) async fn read_host_file(
    host: Option<String>,
    state: State<'_, AppState>,
) -> Answer<Option<HostServers>> {
    let path = match host {
        None => state.desktop.open(Import::Servers).await.into_iter().next(),
        Some(host) => {
            let mut files = mcp_servers::found().into_iter();
            let file = files.find(|file| file.host == host);
            let gone = || invalid(format!("the file of {host} is not there any more"));
            Some(file.ok_or_else(gone)?.path)
        }
    };
    let Some(path) = path else { return Ok(None) };
    let entries = mcp_servers::read_file(&path).map_err(invalid)?;
    Ok(Some(HostServers {
        path: path.display().to_string(),
        servers: entries.into_iter().map(pasted).collect(),
    }))
}

#[tauri::command]
pub(crate) async fn copy_mcp_servers(
    servers: Vec<String>,
    state: State<'_, AppState>,
) -> Answer<String> {
    let mut wanted = Vec::new();
    for id in &servers {
        wanted.push(state.server(id).await?);
    }
    Ok(mcp_servers::write(
        wanted
            .iter()
            .map(|server| (server.name.as_str(), &server.config)),
    ))
}

fn invalid(message: String) -> IpcErrorRow {
    IpcErrorRow::new(ErrorCode::InvalidConfig, message)
}

fn pasted(entry: Entry) -> PastedServer {
    let mut pasted = PastedServer {
        name: entry.name,
        transport: entry.config.as_ref().map(transport),
        command_line: String::new(),
        argv: vec![],
        url: String::new(),
        env: vec![],
        headers: vec![],
        cwd: String::new(),
        problem: entry.problem,
    };
    match entry.config {
        None => {}
        Some(config @ ServerConfig::Stdio { .. }) => {
            pasted.command_line = config.display();
            if let ServerConfig::Stdio {
                command,
                args,
                env,
                cwd,
            } = config
            {
                pasted.argv = std::iter::once(command).chain(args).collect();
                pasted.env = env.into_iter().map(value).collect();
                pasted.cwd = cwd
                    .map(|cwd| cwd.to_string_lossy().into_owned())
                    .unwrap_or_default();
            }
        }
        Some(
            ServerConfig::StreamableHttp { url, headers } | ServerConfig::Sse { url, headers },
        ) => {
            pasted.url = url;
            pasted.headers = headers.into_iter().map(value).collect();
        }
    }
    pasted
}

fn value((name, value): (String, String)) -> PastedValue {
    PastedValue {
        secret: looks_secret(&name, &value),
        name,
        value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pasted_command_line_is_split_into_exactly_its_words() {
        for argv in [
            vec!["npx", "-y", "@scope/pkg@1.2"],
            vec![r"C:\Program Files\node.exe", "a b", ""],
            vec!["sh", "-c", "echo \"$HOME\" 'x' `y` \\n | cat # no"],
            vec!["größe", "日本 語", "a\nb\tc"],
        ] {
            let entry = Entry {
                name: String::new(),
                config: Some(ServerConfig::Stdio {
                    command: argv[0].to_owned(),
                    args: argv[1..].iter().map(|word| (*word).to_owned()).collect(),
                    env: Default::default(),
                    cwd: None,
                }),
                problem: None,
            };
            let pasted = pasted(entry);
            assert_eq!(pasted.argv, argv);
            let split = split_command_line(pasted.command_line.clone()).unwrap();
            assert_eq!(split, argv, "{}", pasted.command_line);
        }
    }
}
