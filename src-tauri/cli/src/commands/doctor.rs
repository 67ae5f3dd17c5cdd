//! `doctor`: connects step by step and explains the step that fails.

use std::sync::Arc;

use framescope_core::doctor::{Outcome, Report, StepState, examine};
use framescope_core::history::Origin;
use framescope_core::manager::{ClientManager, OpenOptions};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::args::{Options, ServerArgs};
use crate::failure::Failure;
use crate::live;
use crate::print::Print;

/// Examines a server; the steps are printed as they are done.
pub(crate) async fn run(
    options: &Options,
    args: ServerArgs,
    print: &mut Print,
) -> Result<(), Failure> {
    let history = live::history(options).await?;
    let forced = args.transport.is_some();
    let ca = args.ca.clone();
    let mut server = live::named(&history, args.target()).await?;
    server.era = options.era.unwrap_or(server.era);
    let kept = history.connection_options(server.id).await?;
    let secrets = live::secrets(options, &history).await?;
    let manager = ClientManager::new(history, Arc::new(secrets));
    let open = OpenOptions {
        timeout: options.timeout,
        waits: options.waits(),
        forced,
        ca: ca.or(kept.ca),
        ..OpenOptions::new(Origin::Cli)
    };
    let stop = CancellationToken::new();
    let told = watch::Sender::new(Report::new(&server, 0));
    let mut heard = told.subscribe();
    let mut steps = Steps::default();
    if !options.json {
        let opening = told.borrow().opening();
        print.text(opening.trim_end())?;
        print.line("")?;
    }
    let examination = examine(&manager, &server, open, &stop, &told);
    tokio::pin!(examination);
    let interrupted = live::stopped();
    tokio::pin!(interrupted);
    let mut why = None;
    let report = loop {
        tokio::select! {
            report = &mut examination => break report,
            failure = &mut interrupted, if why.is_none() => {
                stop.cancel();
                why = Some(failure);
            }
            _ = heard.changed(), if !options.json => {
                let report = heard.borrow_and_update().clone();
                steps.print(&report, print)?;
            }
        }
    };
    manager.close_all().await;
    if options.json {
        let json = serde_json::to_vec(&report).map_err(std::io::Error::from)?;
        print.line(json)?;
    } else {
        steps.print(&report, print)?;
        print.text(report.conclusion().trim_end())?;
    }
    match (why, report.outcome) {
        (Some(failure), _) => Err(failure),
        (None, Outcome::Passed) => Ok(()),
        (None, Outcome::Running | Outcome::Failed | Outcome::Cancelled) => Err(Failure::Diagnosed),
    }
}

/// Prints each step once, when it is over and the next one has begun.
#[derive(Debug, Default)]
struct Steps {
    printed: usize,
}

impl Steps {
    fn print(&mut self, report: &Report, print: &mut Print) -> Result<(), Failure> {
        let over = report.outcome != Outcome::Running;
        let begun = report
            .steps
            .iter()
            .rposition(|step| step.dur_us.is_some() || step.state == StepState::Running);
        while let Some(step) = report.steps.get(self.printed)
            && (over || begun.is_some_and(|begun| self.printed < begun))
            && (over || step.state != StepState::Running)
        {
            print.text(&step.line())?;
            self.printed += 1;
        }
        print.flush()?;
        Ok(())
    }
}
