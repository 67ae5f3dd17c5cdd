//! `call --repeat`: the same call many times over one connection, and how long the answers took.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use framescope_core::client::{Client, Draft, Outcome};
use framescope_core::record::Clock;
use tokio::task::JoinSet;

use super::talk::broken_off;
use crate::args::{Options, ServerArgs};
use crate::failure::Failure;
use crate::live::with_server;
use crate::print::Print;
use crate::result::tool_result;

/// How much to call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    /// Calls in all.
    pub(crate) calls: u32,
    /// Calls at a time.
    pub(crate) concurrency: u32,
}

/// What one caller saw: the microseconds of each call, and how many went wrong.
#[derive(Debug, Default)]
struct Seen {
    micros: Vec<i64>,
    errors: u32,
}

/// Calls the tool again and again and prints one line of figures; an error or `isError` of the server counts as one.
pub(crate) async fn repeat(
    options: &Options,
    server: ServerArgs,
    draft: Draft,
    load: Load,
    print: &mut Print,
) -> Result<(), Failure> {
    let work = async |client: Client| all(client, draft, load).await;
    let (seen, wall_us) = with_server(options, server, print, work).await?;
    print.line(figures(&seen, wall_us))?;
    if seen.errors > 0 {
        return Err(Failure::Answered);
    }
    Ok(())
}

async fn all(client: Client, draft: Draft, load: Load) -> Result<(Seen, i64), Failure> {
    let clock = Clock::start();
    let begun = Arc::new(AtomicU32::new(0));
    let draft = Arc::new(draft);
    let start = clock.now_us();
    let mut callers = JoinSet::new();
    for _ in 0..load.concurrency.min(load.calls) {
        let (client, draft, begun) = (client.clone(), Arc::clone(&draft), Arc::clone(&begun));
        let clock = clock.clone();
        callers.spawn(async move {
            let mut seen = Seen::default();
            while begun.fetch_add(1, Ordering::Relaxed) < load.calls {
                let start = clock.now_us();
                let good = once(&client, &draft).await?;
                seen.micros.push(clock.now_us() - start);
                seen.errors += u32::from(!good);
            }
            Ok::<_, Failure>(seen)
        });
    }
    let mut total = Seen::default();
    for seen in callers.join_all().await {
        let seen = seen?;
        total.micros.extend(seen.micros);
        total.errors += seen.errors;
    }
    let wall_us = clock.now_us() - start;
    total.micros.sort_unstable();
    Ok((total, wall_us))
}

/// One call; whether it brought a good result.
async fn once(client: &Client, draft: &Draft) -> Result<bool, Failure> {
    match client.call(draft).await?.outcome().await {
        Outcome::Reply { reply, .. } => Ok(reply.is_ok_and(|raw| !tool_result(raw.get()).is_error)),
        Outcome::Closed(reason) => Err(broken_off(&draft.method, &reason)),
        Outcome::Cancelled => Err(Failure::Interrupted),
        Outcome::TimedOut { .. } | Outcome::Failed(_) | Outcome::OverLimit { .. } => Ok(false),
    }
}

fn figures(seen: &Seen, wall_us: i64) -> String {
    let Seen { micros, errors } = seen;
    let n = micros.len();
    let wall_s = wall_us as f64 / 1e6;
    let calls_s = n as f64 / wall_s.max(1e-6);
    let at = |percent: usize| {
        micros
            .get(n.saturating_sub(1) * percent / 100)
            .copied()
            .unwrap_or(0)
    };
    format!(
        r#"{{"n":{n},"errors":{errors},"wall_s":{wall_s:.6},"calls_s":{calls_s:.1},"p50_us":{},"p99_us":{},"max_us":{}}}"#,
        at(50),
        at(99),
        at(100)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_one_line_of_json() {
        let seen = Seen {
            micros: (1..=200).collect(),
            errors: 3,
        };
        assert_eq!(
            figures(&seen, 2_000_000),
            r#"{"n":200,"errors":3,"wall_s":2.000000,"calls_s":100.0,"p50_us":100,"p99_us":198,"max_us":200}"#
        );
    }
}
