//! The desktop app.
fn main() -> std::process::ExitCode {
    framescope_app::start(std::env::args_os().skip(1))
}
