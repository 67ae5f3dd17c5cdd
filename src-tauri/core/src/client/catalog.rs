//! What a server offers: tools, prompts, resources, templates. A broken item is an item with a problem.

use std::collections::HashSet;

use serde_json::value::RawValue;

use super::json::{Members, items, string};
use super::{Client, ClientError, Draft};

/// Pages of one list that are read at most: a server can make up cursors for ever.
const PAGES: u32 = 1000;

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

impl Client {
    /// All tools.
    ///
    /// # Errors
    /// Where the first page cannot be had.
    pub async fn list_tools(&self) -> Result<Listed<Tool>, ClientError> {
        let mut tools = self.list_raw(Catalog::Tools).await?.map(tool);
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
        Ok(tools)
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

    /// All items of a list, to the byte. A later page that fails is a problem of the list.
    ///
    /// # Errors
    /// Where the first page cannot be had.
    pub async fn list_raw(&self, what: Catalog) -> Result<Listed<Box<RawValue>>, ClientError> {
        let mut listed = Listed {
            items: vec![],
            problems: vec![],
            pages: 0,
        };
        let (mut seen, mut cursor) = (HashSet::new(), None::<String>);
        loop {
            let params = cursor
                .as_ref()
                .map(|cursor| format!(r#"{{"cursor":{cursor}}}"#));
            let page = match self.page(what, params).await {
                Ok(page) => page,
                Err(error) if listed.pages == 0 => return Err(error),
                Err(error) => {
                    listed
                        .problems
                        .push(format!("page {} is missing: {error}", listed.pages + 1));
                    return Ok(listed);
                }
            };
            // The token goes back as it came: cursors are opaque, and an empty one is valid (server/utilities/pagination).
            let Some(next) = listed.take(page) else {
                return Ok(listed);
            };
            if !seen.insert(next.clone()) {
                listed.problems.push(format!(
                    "the server repeats the cursor {next}; the list ends here"
                ));
                return Ok(listed);
            }
            if listed.pages == PAGES {
                listed.problems.push(format!(
                    "the list ends after {PAGES} pages; the server has more"
                ));
                return Ok(listed);
            }
            cursor = Some(next);
        }
    }

    async fn page(&self, what: Catalog, params: Option<String>) -> Result<Page, ClientError> {
        let method = what.method();
        let call = self.call(&Draft::new(method, params)).await?;
        let result = match call.outcome().await.answered(method)? {
            Ok(result) => result,
            Err(error) => {
                return Err(ClientError::Refused {
                    method: method.to_owned(),
                    error,
                });
            }
        };
        Page::of(&result, what.member()).map_err(|problem| ClientError::BadResult {
            method: method.to_owned(),
            problem,
        })
    }
}

pub(super) struct Page {
    items: Vec<Box<RawValue>>,
    /// The cursor of the next page as JSON text.
    next: Option<String>,
    problem: Option<String>,
}

impl Page {
    pub(super) fn of(result: &RawValue, member: &str) -> Result<Self, String> {
        let members = Members::of(result.get()).map_err(|_| "it is no object".to_owned())?;
        let list = members
            .get(member)
            .ok_or_else(|| format!("it has no `{member}`"))?;
        let list = items(list.get()).ok_or_else(|| format!("its `{member}` is no array"))?;
        let next = members.get("nextCursor").map(RawValue::get);
        let (next, problem) = match next {
            None => (None, None),
            Some("null") => (
                None,
                Some("nextCursor is null where it should be left out".to_owned()),
            ),
            Some(token) if token.starts_with('"') => (Some(token.to_owned()), None),
            Some(token) => (
                Some(token.to_owned()),
                Some(format!("nextCursor is no string: {token}")),
            ),
        };
        Ok(Self {
            items: list.into_iter().map(ToOwned::to_owned).collect(),
            next,
            problem,
        })
    }
}

impl Listed<Box<RawValue>> {
    /// Adds a page; gives the cursor of the next.
    pub(super) fn take(&mut self, page: Page) -> Option<String> {
        self.pages += 1;
        self.items.extend(page.items);
        self.problems.extend(page.problem);
        page.next
    }
}

impl<T> Listed<T> {
    /// The same list of what `read` makes of the items.
    pub fn map<U>(self, read: impl Fn(T) -> U) -> Listed<U> {
        Listed {
            items: self.items.into_iter().map(read).collect(),
            problems: self.problems,
            pages: self.pages,
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
