//! The skill (extension `io.modelcontextprotocol/skills`).

use rmcp::ErrorData;
use rmcp::model::{Skill, SkillFrontmatter, SkillResource, SkillResources};

pub(super) const URI: &str = "skill://demo/inspect-a-server/SKILL.md";
pub(super) const TEXT: &str = "---\nname: inspect-a-server\ndescription: How to look at a server that is new to you\n---\n\n# Inspect a server\n\n1. List what it offers.\n2. Call a tool that only reads.\n3. Look at what crossed the wire.\n";

pub(crate) fn skills() -> Vec<Skill> {
    let front = SkillFrontmatter::new(
        "inspect-a-server",
        "How to look at a server that is new to you",
    );
    let file = SkillResource::from_bytes(URI, TEXT.as_bytes());
    vec![Skill::new(URI, front, SkillResources::Files(vec![file]))]
}

pub(crate) fn skill(uri: &str) -> Result<Skill, ErrorData> {
    skills()
        .into_iter()
        .find(|skill| skill.uri == uri)
        .ok_or_else(|| {
            ErrorData::invalid_params(format!("no skill {uri:?}: see skills/list"), None)
        })
}
