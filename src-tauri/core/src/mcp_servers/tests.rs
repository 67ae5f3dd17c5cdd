use super::{read, write};
use crate::protocol::ServerConfig;

/// Each entry as `name: words of what is run or its URL | variables or headers | problem`.
fn shown(text: &str) -> Vec<String> {
    let entries = read(text).unwrap_or_else(|problem| panic!("{problem}: {text}"));
    let line = |entry: super::Entry| {
        let (target, pairs) = match &entry.config {
            None => ("-".to_owned(), vec![]),
            Some(config @ ServerConfig::Stdio { env, cwd, .. }) => {
                let cwd = cwd.iter().map(|cwd| format!("in {}", cwd.display()));
                let env = env.iter().map(|(name, value)| format!("{name}={value}"));
                (config.display(), env.chain(cwd).collect::<Vec<_>>())
            }
            Some(ServerConfig::StreamableHttp { url, headers }) => (
                format!("http {url}"),
                headers.iter().map(|(n, v)| format!("{n}={v}")).collect(),
            ),
            Some(ServerConfig::Sse { url, headers }) => (
                format!("sse {url}"),
                headers.iter().map(|(n, v)| format!("{n}={v}")).collect(),
            ),
        };
        let problem = entry.problem.unwrap_or_default();
        format!("{}: {target} | {} | {problem}", entry.name, pairs.join(" "))
    };
    entries.into_iter().map(line).collect()
}

#[test]
fn files_of_all_hosts_are_read() {
    for (text, expected) in [
        (
            r#"{"mcpServers":{"b":{"command":"npx","args":["-y","pkg"],"env":{"N":7,"T":"x"},"cwd":"/srv"},"a":{"url":"http://h/mcp"}}}"#,
            vec![
                "b: npx -y pkg | N=7 T=x in /srv | ",
                "a: http http://h/mcp |  | ",
            ],
        ),
        (
            "// settings\n{ /* of VS Code */ \"servers\": { \"w\": { \"type\": \"stdio\", \"command\": \"${env:BIN}/w\", }, }, \"inputs\": [], }",
            vec!["w: ${BIN}/w |  | "],
        ),
        (
            r#"{"mcp":{"servers":{"w":{"type":"streamable-http","url":"https://h/x","headers":{"Authorization":"Bearer ${input:t}"}}}}}"#,
            vec![
                "w: http https://h/x | Authorization=Bearer ${input:t} | `Bearer ${input:t}` is not filled in here: write its value",
            ],
        ),
        (
            r#"{"command":["uvx","tool","--x"],"args":["y z"]}"#,
            vec![": uvx tool --x \"y z\" |  | "],
        ),
        (
            r#"{"type":"sse","url":"http://h/sse"}"#,
            vec![": sse http://h/sse |  | "],
        ),
        (
            r#""weather": {"serverUrl": "http://h"},"#,
            vec!["weather: http http://h |  | "],
        ),
        (
            r#"{"w":{"command":"w","envFile":".env"}}"#,
            vec!["w: w |  | left out: envFile"],
        ),
        ("\u{feff}{\"mcpServers\":{}}", vec![]),
        (
            r#"{"mcpServers":{"u":{"command":"a // b","args":["http://x, ]"]}}}"#,
            vec!["u: \"a // b\" \"http://x, ]\" |  | "],
        ),
    ] {
        if expected.is_empty() {
            assert!(
                read(text).is_err(),
                "an empty file is said to be one: {text}"
            );
        } else {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}

#[test]
fn one_broken_entry_is_one_broken_entry() {
    let text = r#"{"mcpServers":{"ok":{"command":"ok"},"n":7,"c":{"command":{}},"e":{"command":" "},"x":{},
        "args":{"command":"a","args":"b"},"t":{"type":"carrier-pigeon","url":"x"},"u":{"type":"http"},"v":{"command":"v","env":{"A":{}}}}}"#;
    assert_eq!(
        shown(text),
        [
            "ok: ok |  | ",
            "n: - |  | it is no object",
            "c: - |  | its `command` is neither a string nor an array",
            "e: - |  | its `command` is empty",
            "x: - |  | it has neither `command` nor `url`",
            "args: - |  | its `args` is no array",
            "t: - |  | its type `carrier-pigeon` is none that we know",
            "u: - |  | it has no `url`",
            "v: v |  | left out: env A, its value is no text",
        ]
    );
}

#[test]
fn what_is_no_such_file_is_refused_in_words() {
    for text in [
        "",
        "npx -y pkg",
        "[]",
        "7",
        r#"{"theme":"dark"}"#,
        "{\"a\":",
    ] {
        let problem = read(text).expect_err(text);
        assert!(
            problem.contains("aste"),
            "{text}: says what to do: {problem}"
        );
    }
}

#[test]
fn what_is_written_is_read_as_it_was() {
    let configs = [
        (
            "b",
            ServerConfig::Stdio {
                command: "run".into(),
                args: vec!["a b".into()],
                env: [("K".to_owned(), "${secret:x/env/K}".to_owned())].into(),
                cwd: Some("/srv".into()),
            },
        ),
        (
            "a",
            ServerConfig::StreamableHttp {
                url: "http://h/mcp".into(),
                headers: vec![("x".into(), "y".into())],
            },
        ),
        (
            "c",
            ServerConfig::Sse {
                url: "http://h/sse".into(),
                headers: vec![],
            },
        ),
    ];
    let text = write(configs.iter().map(|(name, config)| (*name, config)));
    let read = read(&text).unwrap();
    let back: Vec<_> = read
        .into_iter()
        .map(|entry| (entry.name, entry.config.unwrap()))
        .collect();
    let expected: Vec<_> = configs
        .into_iter()
        .map(|(name, config)| (name.to_owned(), config))
        .collect();
    assert_eq!(back, expected, "{text}");
}
