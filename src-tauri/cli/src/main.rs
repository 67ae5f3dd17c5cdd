//! Framescope without a window. stdout carries the result alone; everything else goes to stderr.

mod args;
mod commands;
mod failure;
mod live;
mod print;
mod result;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use failure::Failure;
use print::Print;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(wrong) => {
            // Help and version go to stdout, wrong usage to stderr; a reader that went away wants no more of it.
            let _ = wrong.print();
            return ExitCode::from(u8::try_from(wrong.exit_code()).unwrap_or(2));
        }
    };
    log_to_stderr();
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            Print::new(false).error(&format!("cannot start: {error}"));
            return ExitCode::from(3);
        }
    };
    let mut print = Print::new(cli.options.quiet);
    let done = runtime
        .block_on(run(cli, &mut print))
        .and_then(|()| print.flush().map_err(Failure::from));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // What was printed before it failed is part of the result.
            let _ = print.flush();
            if let Some(words) = failure.words() {
                print.error(&words);
            }
            ExitCode::from(failure.exit_code())
        }
    }
}

async fn run(cli: Cli, print: &mut Print) -> Result<(), Failure> {
    let options = cli.options;
    match cli.command {
        Command::List { what, server } => commands::talk::list(&options, server, what, print).await,
        Command::Call {
            tool,
            args,
            repeat,
            concurrency,
            server,
        } => {
            let draft = commands::talk::tool_call(&tool, args)?;
            match repeat {
                Some(calls) => {
                    let load = commands::repeat::Load { calls, concurrency };
                    commands::repeat::repeat(&options, server, draft, load, print).await
                }
                None => commands::talk::call(&options, server, &draft, print).await,
            }
        }
        Command::Request {
            method,
            params,
            envelope,
            server,
        } => commands::talk::request(&options, server, method, params, envelope, print).await,
        Command::Read { uri, server } => {
            commands::offers::read(&options, server, &uri, print).await
        }
        Command::Prompt { name, args, server } => {
            commands::offers::prompt(&options, server, &name, args, print).await
        }
        Command::Complete {
            argument,
            prompt,
            template,
            given,
            server,
        } => {
            let of = commands::offers::Of { prompt, template };
            commands::offers::complete(&options, server, &of, argument, given, print).await
        }
        Command::Listen {
            uri,
            list,
            count,
            during,
            call,
            server,
        } => {
            let wanted = commands::listen::Wanted {
                uris: uri,
                lists: list,
                count,
                during,
                call,
            };
            commands::listen::listen(&options, server, wanted, print).await
        }
        Command::Discover { server } => commands::offers::discover(&options, server, print).await,
        Command::Stateless { call, args, server } => {
            let call = call.map(|tool| commands::talk::tool_call(&tool, args));
            commands::stateless::check(&options, server, call.transpose()?, print).await
        }
        Command::Doctor { server } => commands::doctor::run(&options, server, print).await,
        Command::Sessions { search } => {
            commands::history::sessions(&options, search.as_deref(), print).await
        }
        Command::Log { session, filter } => {
            commands::history::log(&options, &session, filter.as_deref(), print).await
        }
        Command::Export {
            session,
            format: args::Format::Jsonl,
            output,
            redact,
            encrypt,
        } => {
            let how = commands::history::Export {
                rules: redact.rules(),
                encrypt,
                to: output,
            };
            commands::history::export(&options, &session, how, print).await
        }
        Command::Import { file } => commands::history::import(&options, &file, print).await,
        Command::Auth { what, server } => commands::auth::run(&options, what, server, print).await,
        Command::Conformance { url } => commands::conformance::run(&options, url, print).await,
        Command::DemoServer { http: None } => framescope_demo::run_stdio()
            .await
            .map_err(|error| Failure::Connection(error.to_string())),
        Command::DemoServer { http: Some(port) } => demo_over_http(port, print).await,
    }
}

async fn demo_over_http(port: u16, print: &Print) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure::Connection(format!(
            "the demo server cannot use port {port} of 127.0.0.1: {error}. Choose another one"
        ))
    };
    let server = framescope_demo::HttpServer::bind(port)
        .await
        .map_err(failed)?;
    print.say(&format!("demo server at {}", server.url()));
    server.run().await.map_err(failed)
}

fn log_to_stderr() {
    use tracing_subscriber::EnvFilter;
    let filter =
        // The verifier logs what the error says in words as well.
        EnvFilter::try_from_env("FRAMESCOPE_LOG")
            .unwrap_or_else(|_| EnvFilter::new("error,rustls_platform_verifier=off"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr)
        .init();
}
