//! `read`, `prompt`, `complete` and `discover`: what a server offers besides tools, and how it introduces itself.

use framescope_core::client::{Client, Draft};
use serde_json::{Map, Value, json};

use super::talk::{exchange, json as checked, refused};
use crate::args::{Options, ServerArgs};
use crate::failure::Failure;
use crate::live::with_server;
use crate::print::{Print, visible};
use crate::result::{Block, completions, contents, messages};

/// Reads a resource.
pub(crate) async fn read(
    options: &Options,
    server: ServerArgs,
    uri: &str,
    print: &mut Print,
) -> Result<(), Failure> {
    let params = json!({ "uri": uri }).to_string();
    let draft = Draft::new("resources/read", Some(params));
    show(options, server, &draft, print, |raw, print| {
        for content in contents(raw) {
            put(&content, "", print)?;
        }
        Ok(())
    })
    .await
}

/// Gets a prompt.
pub(crate) async fn prompt(
    options: &Options,
    server: ServerArgs,
    name: &str,
    args: Option<String>,
    print: &mut Print,
) -> Result<(), Failure> {
    let args = args.map(|args| checked("--args", &args)).transpose()?;
    let args = args.map_or_else(String::new, |args| format!(r#","arguments":{args}"#));
    let params = format!(r#"{{"name":{}{args}}}"#, Value::from(name));
    let draft = Draft::new("prompts/get", Some(params));
    show(options, server, &draft, print, |raw, print| {
        for (role, content) in messages(raw) {
            put(&content, &format!("{}: ", visible(&role, false)), print)?;
        }
        Ok(())
    })
    .await
}

/// What an argument to be completed belongs to.
pub(crate) struct Of {
    /// A prompt, by its name.
    pub(crate) prompt: Option<String>,
    /// A URI template.
    pub(crate) template: Option<String>,
}

/// Completes an argument.
pub(crate) async fn complete(
    options: &Options,
    server: ServerArgs,
    of: &Of,
    (name, value): (String, String),
    given: Vec<(String, String)>,
    print: &mut Print,
) -> Result<(), Failure> {
    let reference = match (&of.prompt, &of.template) {
        (Some(prompt), _) => json!({ "type": "ref/prompt", "name": prompt }),
        (None, template) => json!({ "type": "ref/resource", "uri": template }),
    };
    let mut params = json!({ "ref": reference, "argument": { "name": name, "value": value } });
    if !given.is_empty() {
        let given: Map<_, _> = given
            .into_iter()
            .map(|(name, value)| (name, Value::from(value)))
            .collect();
        params["context"] = json!({ "arguments": given });
    }
    let draft = Draft::new("completion/complete", Some(params.to_string()));
    show(options, server, &draft, print, |raw, print| {
        for value in completions(raw) {
            print.text(&value)?;
        }
        Ok(())
    })
    .await
}

/// Prints how the server introduced itself.
pub(crate) async fn discover(
    options: &Options,
    server: ServerArgs,
    print: &mut Print,
) -> Result<(), Failure> {
    let told = with_server(options, server, print, async |client: Client| {
        Ok(client.negotiated())
    })
    .await?;
    if options.json {
        return Ok(print.line(told.raw.get())?);
    }
    let title = format!("{} {}", told.name, told.version);
    print.line(visible(title.trim(), false))?;
    print.line(format!("{} {}", told.era.as_str(), told.revision))?;
    print.line(visible(
        &format!("capabilities {}", told.capabilities),
        false,
    ))?;
    if let Some(instructions) = &told.instructions {
        print.text(instructions)?;
    }
    Ok(())
}

/// Sends a request and shows its result: raw where that is wanted, else as `shown` does.
async fn show(
    options: &Options,
    server: ServerArgs,
    draft: &Draft,
    print: &mut Print,
    shown: impl FnOnce(&str, &mut Print) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let exchanged = exchange(options, server, draft, print).await?;
    match &exchanged.reply {
        Err(error) => return refused(options, error, print),
        Ok(raw) if options.json => print.line(raw.get())?,
        Ok(raw) => shown(raw.get(), print)?,
    }
    exchanged.settled()
}

fn put(block: &Block, before: &str, print: &mut Print) -> std::io::Result<()> {
    match block {
        Block::Text(text) => print.text(&format!("{before}{text}")),
        Block::Other(line) => print.line(format!("{before}{line}")),
    }
}
