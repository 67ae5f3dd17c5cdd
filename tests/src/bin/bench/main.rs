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
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.first().map(String::as_str) {
        Some("echo") => return Ok(echo::serve()?),
        Some("echo-http") => return Ok(echo::serve_http()?),
        _ => {}
    }
    let mut report = Report::default();
    let wanted = |part| words.is_empty() || words.iter().any(|word| word == part);
    let mut runtime = if words == ["round-trip"] {
        tokio::runtime::Builder::new_current_thread()
    } else {
        tokio::runtime::Builder::new_multi_thread()
    };
    runtime
        .worker_threads(2)
        .enable_all()
        .build()?
        .block_on(async {
            if wanted("recorder") {
                recorder::measure(&mut report).await?;
            }
            if wanted("stdio") || wanted("round-trip") {
                stdio::round_trip(&mut report).await?;
            }
            if wanted("http") || wanted("round-trip") {
                http::round_trip(&mut report).await?;
            }
            if wanted("flood") {
                stdio::flood(&mut report).await?;
            }
            Ok::<(), Error>(())
        })?;
    if wanted("process") {
        process::measure(&mut report)?;
    }
    report.print();
    Ok(())
}
