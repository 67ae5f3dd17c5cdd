//! The command line: what it accepts, and what is wrong usage.

use super::*;

fn parse(line: &str) -> Result<Cli, clap::Error> {
    Cli::try_parse_from(line.split_whitespace())
}

fn target(line: &str) -> Target {
    let command = parse(line).unwrap().command;
    let (Command::List { server, .. }
    | Command::Call { server, .. }
    | Command::Request { server, .. }) = command
    else {
        panic!("{line} names no server");
    };
    server.target()
}

#[test]
fn clap_finds_no_fault_in_the_definition() {
    use clap::CommandFactory;
    Cli::command().debug_assert();
}

#[test]
fn a_server_is_named_in_one_of_three_ways() {
    let stdio = |command: &str, args: &[&str], env: &[(&str, &str)], cwd: Option<&str>| {
        Target::Typed(ServerConfig::Stdio {
            command: command.into(),
            args: args.iter().map(|&a| a.into()).collect(),
            env: env.iter().map(|&(k, v)| (k.into(), v.into())).collect(),
            cwd: cwd.map(Into::into),
        })
    };
    for (line, expected) in [
        ("f list tools --server Demo", Target::Saved("Demo".into())),
        (
            "f list tools -- node a.mjs --json -q",
            stdio("node", &["a.mjs", "--json", "-q"], &[], None),
        ),
        (
            "f call t --env A=b=c --env D= --cwd /x -- s",
            stdio("s", &[], &[("A", "b=c"), ("D", "")], Some("/x")),
        ),
        (
            "f list prompts --url http://h/mcp --header X-A:1",
            Target::Typed(ServerConfig::StreamableHttp {
                url: "http://h/mcp".into(),
                headers: vec![("X-A".into(), "1".into())],
            }),
        ),
        (
            "f request ping --transport sse --url http://h/sse",
            Target::Typed(ServerConfig::Sse {
                url: "http://h/sse".into(),
                headers: vec![],
            }),
        ),
    ] {
        assert_eq!(target(line), expected, "{line}");
    }
}

#[test]
fn options_may_stand_before_and_after_the_command() {
    for line in [
        "f --timeout 1.5 --era legacy --json -q --data-dir /d list tools -- s",
        "f list tools --timeout 1.5 --era legacy --json -q --data-dir /d -- s",
        "f list --json tools -q --era legacy --timeout 1.5 --data-dir /d -- s",
    ] {
        let options = parse(line).unwrap().options;
        assert_eq!(options.timeout, Some(Duration::from_millis(1500)), "{line}");
        assert_eq!(options.era, Some(EraChoice::Legacy), "{line}");
        assert_eq!(options.data_dir, Some(PathBuf::from("/d")), "{line}");
        assert!(options.json && options.quiet, "{line}");
    }
}

#[test]
fn wrong_usage_is_exit_code_2() {
    for line in [
        "f",
        "f list",
        "f list tools",
        "f list toys -- s",
        "f list tools --server a --url b",
        "f list tools --server a -- s",
        "f list tools --server a --env A=b",
        "f list tools --header A:b -- s",
        "f call -- s",
        "f call t --timeout 0 -- s",
        "f call t --timeout soon -- s",
        "f call t --era 2020-01-01 -- s",
        "f call t --env =b -- s",
        "f export last",
        "f export last --format pcap",
        "f sessions --no-such-option",
    ] {
        assert_eq!(parse(line).expect_err(line).exit_code(), 2, "{line}");
    }
}

#[test]
fn help_and_version_are_no_errors() {
    for line in ["f --help", "f --version", "f call --help"] {
        assert_eq!(parse(line).expect_err(line).exit_code(), 0, "{line}");
    }
}
