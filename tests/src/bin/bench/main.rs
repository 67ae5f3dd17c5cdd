//! Figures of a release build, each beside its limit in the same run: `cargo xtask bench`.
//!
//! With `round-trip` it measures only that, on one thread; pinned to one core, both ends share it.
//! With `echo` or `echo-http` as its first word this program is the server that is measured against: raw bytes, no SDK.

mod echo;
mod http;
mod process;
mod recorder;
mod report;
mod stdio;

use report::Report;

type Error = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Error> {
    let word = std::env::args().nth(1);
    if word.as_deref() == Some("echo") {
        return Ok(echo::serve()?);
    }
    if word.as_deref() == Some("echo-http") {
        return Ok(echo::serve_http()?);
    }
    let mut report = Report::default();
    if word.as_deref() == Some("round-trip") {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            stdio::round_trip(&mut report).await?;
            http::round_trip(&mut report).await
        })?;
        report.print();
        return Ok(());
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        recorder::measure(&mut report).await?;
        stdio::round_trip(&mut report).await?;
        http::round_trip(&mut report).await?;
        stdio::flood(&mut report).await
    })?;
    process::measure(&mut report)?;
    report.print();
    Ok(())
}
