//! What a server offers: tools, prompts, resources, templates. A broken item is an item with a problem.

use serde_json::value::RawValue;
use tokio::sync::watch;

use super::json::{Members, items, string};
use super::{Cache, Client, ClientError};

/// Which list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Catalog {
    /// `tools/list`
    Tools,
    /// `prompts/list`
    Prompts,
    /// `resources/list`
    Resources,
    /// `resources/templates/list`
    Templates,
}

/// A list, all pages of it.
#[derive(Clone, Debug, Default)]
pub struct Listed<T> {
    /// The items, in the server's order.
    pub items: Vec<T>,
    /// What is wrong with the list itself; the items that could be read are there.
    pub problems: Vec<String>,
    /// How many pages were read.
    pub pages: u32,
    /// How long it may be shown without asking again.
    pub cache: Cache,
}

/// Hints of a tool, which a client must not trust (server/tools › Tool). `None` is "not said".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToolHints {
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// It may destroy.
    pub destructive: Option<bool>,
    /// Calling it twice is as calling it once.
    pub idempotent: Option<bool>,
    /// It reaches the outside world.
    pub open_world: Option<bool>,
}

/// A tool.
#[derive(Clone, Debug)]
pub struct Tool {
    /// `name`; empty where it has none.
    pub name: String,
    /// `title`, else `annotations.title`.
    pub title: Option<String>,
    /// `description`
    pub description: Option<String>,
    /// `inputSchema`, to the byte.
    pub input_schema: Option<Box<RawValue>>,
    /// `outputSchema`, to the byte.
    pub output_schema: Option<Box<RawValue>>,
    /// `annotations`
    pub hints: ToolHints,
    /// The whole item, to the byte.
    pub raw: Box<RawValue>,
    /// What is wrong with it.
    pub problem: Option<String>,
}

/// A prompt.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// `name`; empty where it has none.
    pub name: String,
    /// `title`
    pub title: Option<String>,
    /// `description`
    pub description: Option<String>,
    /// `arguments`
    pub arguments: Vec<PromptArgument>,
    /// The whole item, to the byte.
    pub raw: Box<RawValue>,
    /// What is wrong with it.
    pub problem: Option<String>,
}

/// An argument of a prompt; its value is a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptArgument {
    /// `name`
    pub name: String,
    /// `title`
    pub title: Option<String>,
    /// `description`
    pub description: Option<String>,
    /// `required`
    pub required: bool,
}

/// A resource.
#[derive(Clone, Debug)]
pub struct Resource {
    /// `uri`; empty where it has none.
    pub uri: String,
    /// `name`; empty where it has none.
    pub name: String,
    /// `title`
    pub title: Option<String>,
    /// `description`
    pub description: Option<String>,
    /// `mimeType`
    pub mime_type: Option<String>,
    /// `size` in bytes.
    pub size: Option<u64>,
    /// The whole item, to the byte.
    pub raw: Box<RawValue>,
    /// What is wrong with it.
    pub problem: Option<String>,
}

/// A resource template.
#[derive(Clone, Debug)]
pub struct Template {
    /// `uriTemplate` (RFC 6570); empty where it has none.
    pub uri_template: String,
    /// `name`; empty where it has none.
    pub name: String,
    /// `title`
    pub title: Option<String>,
    /// `description`
    pub description: Option<String>,
    /// `mimeType`
    pub mime_type: Option<String>,
    /// The whole item, to the byte.
    pub raw: Box<RawValue>,
    /// What is wrong with it.
    pub problem: Option<String>,
}

impl Catalog {
    /// The method that lists it.
    pub fn method(self) -> &'static str {
        match self {
            Self::Tools => "tools/list",
            Self::Prompts => "prompts/list",
            Self::Resources => "resources/list",
            Self::Templates => "resources/templates/list",
        }
    }

    /// The lists that a notification says have changed.
    pub fn changed_by(method: &str) -> &'static [Self] {
        match method {
            "notifications/tools/list_changed" => &[Self::Tools],
            "notifications/prompts/list_changed" => &[Self::Prompts],
            "notifications/resources/list_changed" => &[Self::Resources, Self::Templates],
            _ => &[],
        }
    }

    /// The member of the result that holds the items.
    pub(super) fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Prompts => "prompts",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
        }
    }
}

macro_rules! read {
    ($($kind:ident by $read:ident),*) => {$(
        impl $kind {
            /// Reads an item of a list; a broken one is an item with a problem.
            pub fn of(raw: Box<RawValue>) -> Self {
                $read(raw)
            }
        }
    )*};
}
read!(Tool by tool, Prompt by prompt, Resource by resource, Template by template);

impl Client {
    /// All tools.
    ///
    /// # Errors
    /// Where the first page cannot be had.
    pub async fn list_tools(&self) -> Result<Listed<Tool>, ClientError> {
        Ok(self.tools(self.list_raw(Catalog::Tools).await?))
    }

    /// The tools as they were read last, where they may be shown without asking again: the server has announced no change
    /// since, and the time that it gave has not passed.
    pub fn fresh_tools(&self) -> Option<Listed<Tool>> {
        let listed = self.latest().dial.lists.fresh(Catalog::Tools)?;
        Some(self.tools(listed))
    }

    /// Counts up when a list that the server said had changed was read again.
    pub fn lists_changed(&self) -> watch::Receiver<u64> {
        self.latest().dial.lists.changes()
    }

    /// Says that a list which had changed was read again.
    pub(crate) fn tell_lists_changed(&self) {
        self.latest().dial.lists.tell();
    }

    fn tools(&self, listed: Listed<Box<RawValue>>) -> Listed<Tool> {
        let mut tools = listed.map(tool);
        let link = self.latest();
        for tool in &mut tools.items {
            if let Some(why) = link.params.refuses(&tool.name) {
                let why = format!("it cannot be called over HTTP: {why}");
                tool.problem = Some(match tool.problem.take() {
                    Some(problem) => format!("{problem}; {why}"),
                    None => why,
                });
            }
        }
        tools
    }

    /// All prompts.
    ///
    /// # Errors
    /// Where the first page cannot be had.
    pub async fn list_prompts(&self) -> Result<Listed<Prompt>, ClientError> {
        Ok(self.list_raw(Catalog::Prompts).await?.map(prompt))
    }

    /// All resources.
    ///
    /// # Errors
    /// Where the first page cannot be had.
    pub async fn list_resources(&self) -> Result<Listed<Resource>, ClientError> {
        Ok(self.list_raw(Catalog::Resources).await?.map(resource))
    }

    /// All resource templates.
    ///
    /// # Errors
    /// Where the first page cannot be had.
    pub async fn list_templates(&self) -> Result<Listed<Template>, ClientError> {
        Ok(self.list_raw(Catalog::Templates).await?.map(template))
    }
}

impl<T> Listed<T> {
    /// The same list of what `read` makes of the items.
    pub fn map<U>(self, read: impl Fn(T) -> U) -> Listed<U> {
        Listed {
            items: self.items.into_iter().map(read).collect(),
            problems: self.problems,
            pages: self.pages,
            cache: self.cache,
        }
    }
}

/// Reads members of an item and gathers what is wrong with them.
struct Item<'a> {
    members: Option<Members<'a>>,
    problems: Vec<String>,
}

impl<'a> Item<'a> {
    fn of(raw: &'a RawValue) -> Self {
        match Members::of(raw.get()) {
            Ok(members) => Self {
                members: Some(members),
                problems: vec![],
            },
            Err(_) => Self {
                members: None,
                problems: vec!["it is no object".to_owned()],
            },
        }
    }

    fn get(&self, key: &str) -> Option<&'a RawValue> {
        self.members.as_ref()?.get(key)
    }

    fn object(&self, key: &str) -> Option<Members<'a>> {
        Members::of(self.get(key)?.get()).ok()
    }

    fn text(&mut self, key: &str) -> Option<String> {
        let value = self.get(key)?;
        let text = string(value);
        if text.is_none() {
            self.problems.push(format!("`{key}` is no string"));
        }
        text
    }

    fn required(&mut self, key: &str) -> String {
        if self.members.is_some() && self.get(key).is_none() {
            self.problems.push(format!("it has no `{key}`"));
        }
        self.text(key).unwrap_or_default()
    }

    fn problem(self) -> Option<String> {
        (!self.problems.is_empty()).then(|| self.problems.join("; "))
    }
}

pub(super) fn tool(raw: Box<RawValue>) -> Tool {
    let mut item = Item::of(&raw);
    let name = item.required("name");
    let annotations = item.object("annotations");
    let hint = |key| match annotations.as_ref()?.get(key)?.get() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    };
    let hints = ToolHints {
        read_only: hint("readOnlyHint"),
        destructive: hint("destructiveHint"),
        idempotent: hint("idempotentHint"),
        open_world: hint("openWorldHint"),
    };
    let title = item
        .text("title")
        .or_else(|| annotations.as_ref()?.string("title"));
    let description = item.text("description");
    let input_schema = item.get("inputSchema").map(ToOwned::to_owned);
    match (&input_schema, item.object("inputSchema")) {
        (None, _) if item.members.is_some() => {
            item.problems.push("it has no `inputSchema`".to_owned())
        }
        (Some(_), None) => item.problems.push("`inputSchema` is no object".to_owned()),
        (_, Some(schema)) => item.problems.extend(faults(&schema)),
        (None, None) => {}
    }
    let output_schema = item.get("outputSchema").map(ToOwned::to_owned);
    let problem = item.problem();
    Tool {
        name,
        title,
        description,
        input_schema,
        output_schema,
        hints,
        raw,
        problem,
    }
}

/// What hosts stumble over in the root of an `inputSchema` (server/tools › Tool). It can be called all the same.
fn faults(schema: &Members<'_>) -> Vec<String> {
    let mut faults = Vec::new();
    match schema.get("type").map(RawValue::get) {
        None => faults.push("`inputSchema` has no `type`, which must be \"object\"".to_owned()),
        Some(r#""object""#) => {}
        Some(other) => faults.push(format!(
            "the `type` of `inputSchema` is {other}, and must be \"object\""
        )),
    }
    let properties = schema.get("properties").map(|raw| raw.get());
    if properties.is_some_and(|properties| !properties.starts_with('{')) {
        faults.push("the `properties` of `inputSchema` are no object".to_owned());
    }
    let required = schema.get("required").map(|raw| items(raw.get()));
    let names = |list: Option<Vec<&RawValue>>| {
        list.is_some_and(|list| list.into_iter().all(|name| string(name).is_some()))
    };
    if required.is_some_and(|required| !names(required)) {
        faults.push("the `required` of `inputSchema` is no array of names".to_owned());
    }
    faults
}

pub(super) fn prompt(raw: Box<RawValue>) -> Prompt {
    let mut item = Item::of(&raw);
    let (name, title) = (item.required("name"), item.text("title"));
    let description = item.text("description");
    let listed = item
        .get("arguments")
        .map(|arguments| items(arguments.get()));
    let mut arguments = vec![];
    match listed {
        Some(None) => item.problems.push("`arguments` is no array".to_owned()),
        Some(Some(listed)) => {
            for (at, raw) in listed.into_iter().enumerate() {
                let mut argument = Item::of(raw);
                arguments.push(PromptArgument {
                    name: argument.required("name"),
                    title: argument.text("title"),
                    description: argument.text("description"),
                    required: argument
                        .get("required")
                        .is_some_and(|required| required.get() == "true"),
                });
                item.problems.extend(
                    argument
                        .problem()
                        .map(|problem| format!("argument {}: {problem}", at + 1)),
                );
            }
        }
        None => {}
    }
    let problem = item.problem();
    Prompt {
        name,
        title,
        description,
        arguments,
        raw,
        problem,
    }
}

fn resource(raw: Box<RawValue>) -> Resource {
    let mut item = Item::of(&raw);
    let (uri, name, title) = (
        item.required("uri"),
        item.required("name"),
        item.text("title"),
    );
    let (description, mime_type) = (item.text("description"), item.text("mimeType"));
    let size = item.get("size").and_then(|size| size.get().parse().ok());
    let problem = item.problem();
    Resource {
        uri,
        name,
        title,
        description,
        mime_type,
        size,
        raw,
        problem,
    }
}

fn template(raw: Box<RawValue>) -> Template {
    let mut item = Item::of(&raw);
    let (uri_template, name, title) = (
        item.required("uriTemplate"),
        item.required("name"),
        item.text("title"),
    );
    let (description, mime_type) = (item.text("description"), item.text("mimeType"));
    let problem = item.problem();
    Template {
        uri_template,
        name,
        title,
        description,
        mime_type,
        raw,
        problem,
    }
}
