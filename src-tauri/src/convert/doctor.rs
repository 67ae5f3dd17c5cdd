//! The connection doctor's report for the page.

use framescope_core::doctor::{Fact, Outcome, Party, Report, StepState};

use crate::rows::{DoctorFact, DoctorFault, DoctorOutcome, DoctorReport, DoctorState, DoctorStep};

pub(crate) fn doctor_report(report: &Report) -> DoctorReport {
    let steps = report.steps.iter().map(|step| DoctorStep {
        label: step.label.to_owned(),
        state: match step.state {
            StepState::Waiting => DoctorState::Waiting,
            StepState::Running => DoctorState::Running,
            StepState::Passed => DoctorState::Passed,
            StepState::Failed => DoctorState::Failed,
            StepState::Skipped => DoctorState::Skipped,
        },
        fact: step.fact.clone(),
        dur_us: step.dur_us,
    });
    DoctorReport {
        outcome: match report.outcome {
            Outcome::Running => DoctorOutcome::Running,
            Outcome::Passed => DoctorOutcome::Passed,
            Outcome::Failed => DoctorOutcome::Failed,
            Outcome::Cancelled => DoctorOutcome::Cancelled,
        },
        headline: report.headline(),
        steps: steps.collect(),
        fault: report.fault.as_ref().map(|fault| DoctorFault {
            headline: fault.headline.to_owned(),
            sign_in: fault.party == Party::Nobody,
            clear: fault.clear.to_owned(),
            what: fault.what.clone(),
            next: fault.next.clone(),
            evidence: facts(&fault.evidence),
        }),
        facts: facts(&report.facts),
        session: report.session.map(|id| id.to_string()),
        text: report.text(),
    }
}

fn facts(facts: &[Fact]) -> Vec<DoctorFact> {
    let row = |fact: &Fact| DoctorFact {
        name: fact.name.clone(),
        value: fact.value.clone(),
    };
    facts.iter().map(row).collect()
}
