//! The desktop app.

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    framescope_app::start(std::env::args_os().skip(1))
}
