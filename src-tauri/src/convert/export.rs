//! What an export would lack, as rows.

use framescope_core::history;
use framescope_core::record::redact::{self, Redactor};

use crate::rows::{ExportPreview, RedactRules, RedactionSample, RuleHits, RuleKind};

impl From<RedactRules> for redact::RedactRules {
    fn from(rules: RedactRules) -> Self {
        let RedactRules {
            keys,
            headers,
            values,
            paths,
        } = rules;
        Self {
            keys,
            headers,
            values,
            paths,
        }
    }
}

/// `shown`: characters of a text at most.
pub(crate) fn export_preview(
    redactor: &Redactor,
    preview: history::ExportPreview,
    shown: usize,
) -> ExportPreview {
    let cut = |text: String| text.chars().take(shown).collect();
    let rules = redactor.rules();
    let hits = rules.iter().zip(preview.hits).map(|(rule, hits)| RuleHits {
        kind: kind(rule.kind),
        rule: rule.text.clone(),
        hits,
        problem: rule.problem.clone(),
    });
    let samples = preview
        .places
        .into_iter()
        .map(|(seq, hit)| RedactionSample {
            seq: seq.map_or(0, |seq| seq.0),
            place: hit.place,
            before: cut(hit.before),
            after: cut(hit.after),
            rule: rules
                .get(hit.rule)
                .map(|rule| rule.text.clone())
                .unwrap_or_default(),
        });
    ExportPreview {
        records: preview.records,
        changed: preview.changed,
        rules: hits.collect(),
        samples: samples.collect(),
    }
}

fn kind(kind: redact::RuleKind) -> RuleKind {
    match kind {
        redact::RuleKind::Key => RuleKind::Key,
        redact::RuleKind::Header => RuleKind::Header,
        redact::RuleKind::Value => RuleKind::Value,
        redact::RuleKind::Path => RuleKind::Path,
    }
}
