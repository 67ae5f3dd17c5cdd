//! What the server offers besides tools: resources, templates, prompts, completion of their arguments, and a skill.

mod completion;
pub(crate) mod media;
mod prompts;
mod resources;
mod skills;

pub(crate) use completion::complete;
pub(crate) use prompts::{prompt, prompts};
pub(crate) use resources::{COUNTER_URI, guide, lines, read, resources, templates};
pub(crate) use skills::{skill, skills};
