//! What a server offers: tools, prompts, resources, templates. A broken item is an item with a problem.

use serde_json::value::RawValue;

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
    /// `name`
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
    /// `name`
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
