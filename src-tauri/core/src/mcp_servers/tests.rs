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
fn a_server_json_of_the_registry_is_read_in_every_spelling() {
    for (text, expected) in [
        (
            r#"{"$schema":"x","name":"io.github.x/fs","version":"1.0.2","packages":[
                {"registryType":"npm","identifier":"@x/fs","version":"1.0.2","transport":{"type":"stdio"},
                 "packageArguments":[{"type":"positional","valueHint":"target_dir","isRequired":true},{"type":"named","name":"--mode","default":"local"}],
                 "environmentVariables":[{"name":"API_KEY","isRequired":true,"isSecret":true},{"name":"LOG","default":"info"},{"name":"MORE"}]},
                {"registryType":"oci","identifier":"docker.io/x/fs:1.0.2","transport":{"type":"stdio"},
                 "runtimeArguments":[{"type":"named","name":"--mount","value":"type=bind,src={from},dst={to}","variables":{"from":{"isRequired":true},"to":{"default":"/p"}}}],
                 "environmentVariables":[{"name":"LOG","default":"info"}]},
                {"registryType":"mcpb","identifier":"https://h/x.mcpb"},
                {"registryType":"npm","identifier":"web","transport":{"type":"streamable-http","url":"http://localhost:1/mcp"}}],
             "remotes":[{"type":"sse","url":"https://h/{tenant}/sse","variables":{"tenant":{"default":"eu"}},"headers":[{"name":"X-Key","isRequired":true}]},
                {"type":"streamable-http","url":"https://h/mcp"}]}"#,
            vec![
                "fs: npx -y @x/fs@1.0.2 \"<target_dir>\" --mode local | API_KEY= LOG=info | API_KEY needs a value; `<target_dir>` is to be filled in",
                "fs: docker run -i --rm -e LOG --mount type=bind,src={from},dst=/p docker.io/x/fs:1.0.2 | LOG=info | `{from}` is to be filled in",
                "fs: - |  | its package `https://h/x.mcpb` is of the kind `mcpb`, which cannot be started from here",
                "fs: - |  | its package `web` listens over streamable-http: start it yourself, then add its URL",
                "fs: sse https://h/eu/sse | X-Key= | X-Key needs a value",
                "fs: http https://h/mcp |  | ",
            ],
        ),
        (
            r#"{"server":{"name":"a/w","packages":[{"registry_type":"pypi","identifier":"w","version":"0.5.0","runtime_hint":"uvx"},
                {"registry_type":"nuget","identifier":"W","version":"1","package_arguments":[{"type":"positional","value":"mcp"}]},
                {"registry_name":"docker","name":"x/w","version":"3"}],
              "remotes":[{"transport_type":"sse","url":"http://h"}]},"_meta":{}}"#,
            vec![
                "w: uvx w==0.5.0 |  | ",
                "w: dnx W@1 -- mcp |  | ",
                "w: docker run -i --rm x/w:3 |  | ",
                "w: sse http://h |  | ",
            ],
        ),
    ] {
        assert_eq!(shown(text), expected, "{text}");
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
