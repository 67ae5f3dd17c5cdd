//! The report as text: for a terminal, the clipboard, an issue.

use std::fmt::Write as _;

use super::fault::Fault;
use super::report::{Fact, Outcome, Report, Step, StepState};

impl Report {
    /// How far it came, in a few words.
    pub fn headline(&self) -> String {
        let all = self.steps.len();
        let at = |state| self.steps.iter().position(|step| step.state == state);
        let after = time(self.total_us);
        match self.outcome {
            Outcome::Running => {
                let step = at(StepState::Running).map_or(1, |at| at + 1);
                format!("at step {step} of {all}")
            }
            Outcome::Passed => format!("connected after {after}"),
            Outcome::Failed => {
                let step = at(StepState::Failed).map_or(all, |at| at + 1);
                format!("stopped at step {step} of {all} after {after}")
            }
            Outcome::Cancelled => format!("cancelled after {after}"),
        }
    }

    /// The whole report.
    pub fn text(&self) -> String {
        let mut text = self.opening();
        for step in &self.steps {
            text.push_str(&step.line());
            text.push('\n');
        }
        text + &self.conclusion()
    }

    /// What stands above the steps.
    pub fn opening(&self) -> String {
        format!("Connection doctor: {}\n{}\n\n", self.server, self.target)
    }

    /// What stands below the steps.
    pub fn conclusion(&self) -> String {
        // Writing to a string cannot fail.
        let mut text = format!("\n{}\n", self.headline());
        if let Some(fault) = &self.fault {
            let clear = match fault.clear {
                "" => String::new(),
                clear => format!(" {clear}"),
            };
            let Fault {
                headline,
                what,
                next,
                ..
            } = fault;
            let _ = write!(text, "\n{headline}{clear}\n{what}\nNext: {next}\n");
            push(&mut text, &fault.evidence);
        }
        if !self.facts.is_empty() {
            text.push_str("\nFacts\n");
            push(&mut text, &self.facts);
        }
        if let Some(session) = self.session {
            let _ = write!(text, "\nRecorded as session {session}\n");
        }
        text
    }
}

impl Step {
    /// One line of the report.
    pub fn line(&self) -> String {
        let mark = match self.state {
            StepState::Waiting | StepState::Skipped => '-',
            StepState::Running => '…',
            StepState::Passed => '✓',
            StepState::Failed => '✗',
        };
        let took = self.dur_us.map(time).unwrap_or_default();
        let fact = self.fact.replace(['\n', '\r'], " ");
        format!("{mark} {:<16} {took:>9}  {fact}", self.label)
            .trim_end()
            .to_owned()
    }
}

fn push(text: &mut String, facts: &[Fact]) {
    for fact in facts {
        let value = fact.value.trim_end().replace('\n', "\n    ");
        let separator = if value.contains('\n') { "\n    " } else { " " };
        let _ = writeln!(text, "  {}:{separator}{value}", fact.name);
    }
}

/// Three significant digits, a space, the unit.
fn time(us: i64) -> String {
    let us = us.max(0) as f64;
    let (value, unit) = match us {
        us if us < 1000.0 => return format!("{us} µs"),
        us if us < 1e6 => (us / 1e3, "ms"),
        us => (us / 1e6, "s"),
    };
    let digits = match value {
        value if value < 10.0 => 2,
        value if value < 100.0 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {unit}")
}
