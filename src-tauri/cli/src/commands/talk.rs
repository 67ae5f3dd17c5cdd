//! `list`, `call` and `request`: the commands that talk to a server.

use std::time::Duration;

use bytes::Bytes;
use framescope_core::client::{Catalog, Client, Draft, Outcome, Reply, RpcError, ended, seconds};
use framescope_core::transport::CloseReason;
use serde_json::value::RawValue;

use crate::args::{Options, ServerArgs, What};
use crate::failure::Failure;
use crate::live::with_server;
use crate::print::{Print, visible};
use crate::result::{Block, block, item, tool_result};

/// Lists what a server offers, all pages of it.
pub(crate) async fn list(
    options: &Options,
    server: ServerArgs,
    what: What,
    print: &mut Print,
) -> Result<(), Failure> {
    let catalog = match what {
        What::Tools => Catalog::Tools,
        What::Resources => Catalog::Resources,
        What::Templates => Catalog::Templates,
        What::Prompts => Catalog::Prompts,
    };
    let listed = with_server(options, server, print, async |client: Client| match client
        .list_raw(catalog)
        .await
    {
        Err(framescope_core::client::ClientError::Refused { error, .. }) => Ok(Err(error)),
        listed => Ok(Ok(listed?)),
    })
    .await?;
    let listed = match listed {
        Ok(listed) => listed,
        Err(error) => return refused(options, &error, print),
    };
    for problem in &listed.problems {
        print.error(problem);
    }
    if options.json {
        let items: Vec<_> = listed.items.iter().map(|item| item.get()).collect();
        print.line(format!("[{}]", items.join(",")))?;
    } else {
        for raw in &listed.items {
            print.line(item(raw))?;
        }
    }
    Ok(())
}

/// The call of a tool, its arguments to the byte.
pub(crate) fn tool_call(tool: &str, args: Option<String>) -> Result<Draft, Failure> {
    let args = match args {
        Some(args) => json("--args", &args)?,
        None => "{}".to_owned(),
    };
    let name = serde_json::Value::from(tool);
    let params = format!(r#"{{"name":{name},"arguments":{args}}}"#);
    Ok(Draft::new("tools/call", Some(params)))
}

/// Calls a tool.
pub(crate) async fn call(
    options: &Options,
    server: ServerArgs,
    draft: &Draft,
    print: &mut Print,
) -> Result<(), Failure> {
    let exchanged = exchange(options, server, draft, print).await?;
    let raw = match &exchanged.reply {
        Ok(raw) => raw,
        Err(error) => return refused(options, error, print),
    };
    let result = tool_result(raw.get());
    if options.json {
        print.line(raw.get())?;
    } else {
        for raw in &result.content {
            match block(raw) {
                Block::Text(text) => print.text(&text)?,
                Block::Other(line) => print.line(line)?,
            }
        }
        if let (true, Some(structured)) = (result.content.is_empty(), result.structured) {
            print.line(structured.get())?;
        }
    }
    if result.is_error {
        print.say("the tool answered with isError");
        return Err(exchanged.failure());
    }
    exchanged.settled()
}

/// Sends any request.
pub(crate) async fn request(
    options: &Options,
    server: ServerArgs,
    method: String,
    params: Option<String>,
    envelope: bool,
    print: &mut Print,
) -> Result<(), Failure> {
    let params = params.map(|params| json("--params", &params)).transpose()?;
    let exchanged = exchange(options, server, &Draft::new(method, params), print).await?;
    if envelope {
        print.line(&exchanged.message)?;
    }
    let raw = match &exchanged.reply {
        Ok(raw) => raw,
        Err(error) if envelope => {
            say(error, print);
            return Err(Failure::Answered);
        }
        Err(error) => return refused(options, error, print),
    };
    if !envelope {
        print.line(raw.get())?;
    }
    if tool_result(raw.get()).is_error {
        return Err(exchanged.failure());
    }
    exchanged.settled()
}

/// What came of a request.
pub(crate) struct Exchanged {
    /// The result or the error.
    pub(crate) reply: Reply,
    /// The whole message.
    message: Bytes,
    /// The server asked something that nothing answered.
    unanswered: bool,
}

impl Exchanged {
    /// What a bad answer is: that of the server, unless it lacked an answer of ours.
    fn failure(&self) -> Failure {
        match self.unanswered {
            true => Failure::Input,
            false => Failure::Answered,
        }
    }

    /// Whether the request is settled: no input is wanted any more.
    pub(crate) fn settled(&self) -> Result<(), Failure> {
        if self.unanswered
            || self
                .reply
                .as_ref()
                .is_ok_and(|raw| tool_result(raw.get()).wants_input)
        {
            return Err(Failure::Input);
        }
        Ok(())
    }
}

/// Sends one request and waits for what becomes of it.
pub(crate) async fn exchange(
    options: &Options,
    server: ServerArgs,
    draft: &Draft,
    print: &Print,
) -> Result<Exchanged, Failure> {
    with_server(options, server, print, async |client: Client| {
        if let Some(problem) = client.compose(draft).problem {
            print.say(&format!("our check: {problem}; sent all the same"));
        }
        let method = &draft.method;
        match client.call(draft).await?.outcome().await {
            Outcome::Reply { reply, raw, .. } => Ok(Exchanged {
                reply,
                message: raw,
                unanswered: client.was_left_unanswered(),
            }),
            Outcome::TimedOut { after } => Err(Failure::TimedOut(timed_out(method, after))),
            Outcome::Cancelled => Err(Failure::Interrupted),
            Outcome::Closed(reason) => Err(broken_off(method, &reason)),
            Outcome::Failed(error) => Err(Failure::Connection(error.to_string())),
            Outcome::OverLimit { seq } => Err(Failure::Connection(format!(
                "the server's answer to {method} is over the limit; it is stored as #{seq} and was not read"
            ))),
        }
    })
    .await
}

/// The connection ended instead of an answer.
pub(crate) fn broken_off(method: &str, reason: &CloseReason) -> Failure {
    let mut words = format!("{} before answering {method}", ended(reason));
    if !reason.last_stderr.is_empty() {
        words.push_str(&format!("; last stderr:\n{}", reason.last_stderr));
    }
    Failure::Connection(words)
}

fn timed_out(method: &str, after: Duration) -> String {
    let seconds = seconds(after);
    format!(
        "the server did not answer {method} within {seconds} s; it was told that the request is cancelled. Give it more time with --timeout"
    )
}

/// A server's error: its raw member on stdout where JSON is wanted, its words on stderr.
pub(crate) fn refused(
    options: &Options,
    error: &RpcError,
    print: &mut Print,
) -> Result<(), Failure> {
    if options.json {
        print.line(error.raw.get())?;
    }
    say(error, print);
    Err(Failure::Answered)
}

fn say(error: &RpcError, print: &Print) {
    let data = error
        .data
        .as_ref()
        .map(|data| format!(" · data {}", data.get()))
        .unwrap_or_default();
    let words = format!(
        "the server answered with error {}: {}{data}",
        error.code, error.message
    );
    print.error(&visible(&words, false));
}

/// A JSON text of the command line or of the file that it names, kept to the byte.
pub(crate) fn json(option: &str, text: &str) -> Result<String, Failure> {
    let text = match text.strip_prefix('@') {
        Some(file) => std::fs::read_to_string(file)
            .map_err(|error| Failure::Usage(format!("{option}: cannot read {file}: {error}")))?,
        None => text.to_owned(),
    };
    match serde_json::from_str::<&RawValue>(&text) {
        Ok(_) => Ok(text),
        Err(error) => Err(Failure::Usage(format!(
            "{option} is not JSON: {error}; nothing was sent. Correct it, and mind the shell's quotes: {option} '{{\"a\": 1}}'"
        ))),
    }
}
