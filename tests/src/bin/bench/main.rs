//! Figures of a release build, each beside its limit in the same run: `cargo xtask bench`.
//!
//! With `echo` as its first word this program is the server that is measured against: raw bytes, no SDK.

mod echo;
mod process;
mod recorder;
mod report;
mod stdio;

use report::Report;

type Error = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Error> {
    if std::env::args().nth(1).as_deref() == Some("echo") {
        return Ok(echo::serve()?);
    }
    let mut report = Report::default();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        recorder::measure(&mut report).await?;
        stdio::measure(&mut report).await
    })?;
    process::measure(&mut report)?;
    report.print();
    Ok(())
}
