//! `fault-server`: an MCP server that misbehaves on purpose.

use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match framescope_tests::fault::main(&args) {
        Ok(code) => code,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "fault-server: {error}");
            ExitCode::from(70)
        }
    }
}
