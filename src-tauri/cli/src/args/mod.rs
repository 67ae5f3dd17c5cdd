//! The command line: what `framescope-cli` understands. Wrong usage ends with exit code 2 before anything is opened.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use framescope_core::manager::OwnWaits;
use framescope_core::protocol::{EraChoice, ServerConfig};
use framescope_core::record::redact::RedactRules;

const EXIT_CODES: &str = "\
SERVER is one of:
  --server NAME                                  one saved in the app
  --url URL [--transport http|sse] [--header 'K: V']... [--ca FILE]
  -- COMMAND [ARG]...                            over stdio, with [--env K=V]... [--cwd DIR]

SESSION is an id, a unique prefix of one, or `last`.

Exit codes: 0 a result, 1 the server answered with an error or isError, 2 wrong usage, 3 could not connect or the
connection broke, 4 timed out, 5 input was asked for and none was given, 6 denied by a rule, 130 interrupted.";

/// Framescope without a window: talks to MCP servers and records every byte as a session that the app shows too.
#[derive(Debug, Parser)]
#[command(name = "framescope-cli", version, after_help = EXIT_CODES, propagate_version = true)]
pub(crate) struct Cli {
    /// What is wanted.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// What holds for every command.
    #[command(flatten)]
    pub(crate) options: Options,
}

/// Options of every command; they may stand after it as well.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// How to begin: auto, legacy, modern or a revision such as 2025-11-25.
    #[arg(long, global = true, value_name = "ERA")]
    pub(crate) era: Option<EraChoice>,
    /// How long to wait for the answer to a request [default: 30].
    #[arg(long, global = true, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
    /// How long to wait for it altogether, progress or not [default: the server's own, else 3600].
    #[arg(long, global = true, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) total: Option<Duration>,
    /// How long a server may be silent at its start [default: the server's own, else 30, and 60 for npx, uvx and their like].
    #[arg(long, global = true, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) start_wait: Option<Duration>,
    /// How long a command may take to end after its stdin was closed [default: the server's own, else 5].
    #[arg(long, global = true, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) close_wait: Option<Duration>,
    /// The data folder [default: FRAMESCOPE_DATA_DIR, else the app's].
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data_dir: Option<PathBuf>,
    /// The first line of FILE opens the secrets of the data folder, or an encrypted file [default: FRAMESCOPE_PASSPHRASE].
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) passphrase_file: Option<PathBuf>,
    /// Raw JSON on stdout.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Nothing on stderr but errors.
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
}

impl Options {
    /// The waits that were written.
    pub(crate) fn waits(&self) -> OwnWaits {
        OwnWaits {
            total: self.total,
            grace: self.close_wait,
            start: self.start_wait,
        }
    }
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Lists what a server offers, one line an item; --json: an array of the items as received.
    List {
        /// What to list.
        what: What,
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Calls a tool; --json: the raw result or error.
    Call {
        /// The tool's name.
        tool: String,
        /// Its arguments, sent to the byte; @FILE reads them from a file.
        #[arg(long, value_name = "JSON|@FILE")]
        args: Option<String>,
        /// Calls it so often over one connection, all recorded, and prints one JSON line of figures in place of the result.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        repeat: Option<u32>,
        /// So many calls at a time.
        #[arg(long, value_name = "M", default_value_t = 1, requires = "repeat", value_parser = clap::value_parser!(u32).range(1..=1000))]
        concurrency: u32,
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Sends any request and prints its raw result.
    Request {
        /// The method, e.g. tools/list.
        method: String,
        /// Its params, sent to the byte; @FILE reads them from a file.
        #[arg(long, value_name = "JSON|@FILE")]
        params: Option<String>,
        /// The whole response message instead of its result.
        #[arg(long)]
        envelope: bool,
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Reads a resource: its texts as text, other contents one line each; --json: the raw result.
    Read {
        /// The resource's URI.
        uri: String,
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Gets a prompt: its messages, each after its role; --json: the raw result.
    Prompt {
        /// The prompt's name.
        name: String,
        /// Its arguments, an object of strings, sent to the byte; @FILE reads them from a file.
        #[arg(long, value_name = "JSON|@FILE")]
        args: Option<String>,
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Completes an argument of a prompt or a variable of a URI template: one value a line; --json: the raw result.
    #[command(group = ArgGroup::new("of").required(true).args(["prompt", "template"]))]
    Complete {
        /// The argument and what is typed so far.
        #[arg(value_name = "NAME=TYPED", value_parser = pair)]
        argument: (String, String),
        /// The prompt that has it.
        #[arg(long, value_name = "NAME")]
        prompt: Option<String>,
        /// The URI template that has it.
        #[arg(long, value_name = "URI")]
        template: Option<String>,
        /// An argument that is chosen already.
        #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
        given: Vec<(String, String)>,
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Subscribes and prints what the server tells, one line a notification; --json: the raw messages.
    Listen {
        /// A resource.
        #[arg(long, value_name = "URI")]
        uri: Vec<String>,
        /// A list; a legacy server tells of all of them unasked.
        #[arg(long, value_name = "LIST", value_enum)]
        list: Vec<What>,
        /// Ends after so many notifications.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
        count: Option<u64>,
        /// Ends after so many seconds.
        #[arg(long, value_name = "SECONDS", value_parser = seconds)]
        during: Option<Duration>,
        /// Calls this tool, without arguments, once it listens.
        #[arg(long, value_name = "TOOL")]
        call: Option<String>,
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Prints how a server introduces itself; --json: the raw result of `server/discover` or `initialize`.
    Discover {
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Sends requests over one connection, and each alone over a fresh connection or process: a modern server must answer alike.
    Stateless {
        /// A tool to be called too.
        #[arg(long, value_name = "TOOL")]
        call: Option<String>,
        /// Its arguments; @FILE reads them from a file.
        #[arg(long, value_name = "JSON|@FILE", requires = "call")]
        args: Option<String>,
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Connects to a server step by step and explains the step that fails; --json: the report.
    Doctor {
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Lists the recorded sessions, newest first.
    Sessions {
        /// Only sessions that hold this text.
        #[arg(long, value_name = "TEXT")]
        search: Option<String>,
    },
    /// Prints a session's log, one row a line; --json: the JSONL capture format.
    Log {
        /// An id, a unique prefix of one, or `last`.
        session: String,
        /// Only the rows that match, e.g. 'kind:error method:tools/*'.
        #[arg(long, value_name = "QUERY")]
        filter: Option<String>,
    },
    /// Writes a session as a file.
    Export {
        /// An id, a unique prefix of one, or `last`.
        session: String,
        /// The format.
        #[arg(long)]
        format: Format,
        /// Where to; stdout where missing.
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
        #[command(flatten)]
        redact: RedactArgs,
        /// Encrypts it (age) to the passphrase of --passphrase-file or FRAMESCOPE_PASSPHRASE; the former means it by itself.
        #[arg(long)]
        encrypt: bool,
    },
    /// Takes a capture (.jsonl, or encrypted as .age) or a session file (.framescope) into the history and prints its id.
    Import {
        /// The file.
        file: PathBuf,
    },
    /// Signs in to a server by OAuth, tells what token there is, or signs out.
    Auth {
        /// What to do.
        #[arg(value_enum)]
        what: AuthWhat,
        #[command(flatten)]
        server: ServerArgs,
    },
    /// Uses everything that the server at URL offers once: for the conformance suite, which says in the environment what it wants.
    #[command(hide = true)]
    Conformance {
        /// The server's URL.
        url: String,
    },
    /// Runs the built-in demo server on stdin and stdout, or over HTTP.
    DemoServer {
        /// Serves Streamable HTTP on this port of 127.0.0.1 (0: any free one) and prints the URL on stderr.
        #[arg(long, value_name = "PORT")]
        http: Option<u16>,
    },
}

/// What a server offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// `tools/list`
    Tools,
    /// `resources/list`
    Resources,
    /// `resources/templates/list`
    Templates,
    /// `prompts/list`
    Prompts,
}

/// What to do about a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AuthWhat {
    /// Opens the browser (that of BROWSER first) and waits until somebody has signed in.
    Login,
    /// Prints whose token there is, for what, and until when.
    Status,
    /// Revokes the token and forgets it.
    Logout,
}

/// Formats of `export`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The JSONL capture format, lossless.
    Jsonl,
}

/// What is taken out of an export.
#[derive(Debug, Args)]
pub(crate) struct RedactArgs {
    /// Takes out values by their name: of members at any depth, and of `name=value` in text.
    #[arg(long = "redact-key", value_name = "NAME")]
    keys: Vec<String>,
    /// Takes out HTTP headers.
    #[arg(long = "redact-header", value_name = "NAME")]
    headers: Vec<String>,
    /// Takes out what matches in any text, or of it the group `secret`.
    #[arg(long = "redact-value", value_name = "REGEX")]
    values: Vec<String>,
    /// Takes out what a JSON path names: $.params.arguments.token, $..password.
    #[arg(long = "redact-path", value_name = "PATH")]
    paths: Vec<String>,
    /// Takes out what is a secret nearly always: credentials by their usual names, tokens known by their form.
    #[arg(long = "redact-default")]
    usual: bool,
}

impl RedactArgs {
    /// The rules that were written.
    pub(crate) fn rules(self) -> RedactRules {
        let mut rules = if self.usual {
            RedactRules::usual()
        } else {
            RedactRules::default()
        };
        rules.keys.extend(self.keys);
        rules.headers.extend(self.headers);
        rules.values.extend(self.values);
        rules.paths.extend(self.paths);
        rules
    }
}

/// Transports of `--url`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum UrlTransport {
    /// Streamable HTTP.
    Http,
    /// HTTP+SSE of 2024-11-05.
    Sse,
}

/// Which server.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("which").required(true).args(["server", "url", "argv"]))]
pub(crate) struct ServerArgs {
    /// A server saved in the app.
    #[arg(long, value_name = "NAME")]
    pub(crate) server: Option<String>,
    /// The URL of a server.
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// How to speak to the URL, and in no other way [default: http, then sse where that is refused].
    #[arg(long, value_enum, conflicts_with_all = ["server", "argv"])]
    pub(crate) transport: Option<UrlTransport>,
    /// A header sent with every request to the URL.
    #[arg(long, value_name = "K: V", conflicts_with_all = ["server", "argv"], value_parser = header)]
    pub(crate) header: Vec<(String, String)>,
    /// A file of certificates (PEM) to trust besides the machine's own.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["server", "argv"])]
    pub(crate) ca: Option<PathBuf>,
    /// A variable for the command, in addition to the environment.
    #[arg(long, value_name = "K=V", conflicts_with_all = ["server", "url"], value_parser = variable)]
    pub(crate) env: Vec<(String, String)>,
    /// The command's working directory.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["server", "url"])]
    pub(crate) cwd: Option<PathBuf>,
    /// Answers what the server asks (elicitation, sampling, roots) by the rules in this file: a JSON array of
    /// {"method": ..., "contains": TEXT, "result": ... | "error": {"code", "message"}}; with neither, by default.
    #[arg(long, value_name = "FILE")]
    pub(crate) answer: Option<PathBuf>,
    /// A command to start; it speaks MCP over its standard streams.
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) argv: Vec<String>,
}

/// The server that was named.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// One saved in the app.
    Saved(String),
    /// One written on the command line.
    Typed(ServerConfig),
}

impl ServerArgs {
    /// A server that only has a URL.
    pub(crate) fn of_url(url: String) -> Self {
        Self {
            server: None,
            url: Some(url),
            transport: None,
            header: vec![],
            ca: None,
            env: vec![],
            cwd: None,
            answer: None,
            argv: vec![],
        }
    }

    /// The server that was named; clap has made sure that it is exactly one.
    pub(crate) fn target(self) -> Target {
        if let Some(name) = self.server {
            return Target::Saved(name);
        }
        if let Some(url) = self.url {
            let headers = self.header;
            return Target::Typed(match self.transport.unwrap_or(UrlTransport::Http) {
                UrlTransport::Http => ServerConfig::StreamableHttp { url, headers },
                UrlTransport::Sse => ServerConfig::Sse { url, headers },
            });
        }
        let mut words = self.argv.into_iter();
        Target::Typed(ServerConfig::Stdio {
            command: words.next().unwrap_or_default(),
            args: words.collect(),
            env: self.env.into_iter().collect::<BTreeMap<_, _>>(),
            cwd: self.cwd,
        })
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let problem = || format!("{text:?} is no number of seconds above 0");
    let seconds: f64 = text.parse().map_err(|_| problem())?;
    if seconds > 0.0 {
        Duration::try_from_secs_f64(seconds).map_err(|_| problem())
    } else {
        Err(problem())
    }
}

fn header(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once(':')
        .ok_or_else(|| format!("{text:?} has no colon: write 'Name: value'"))?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        Some(_) | None => Err(format!("{text:?} names no argument: write NAME=VALUE")),
    }
}

fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        Some(_) | None => Err(format!("{text:?} sets no variable: write NAME=value")),
    }
}

#[cfg(test)]
mod tests;
