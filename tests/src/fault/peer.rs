//! Runs a scenario over stdin and stdout, step by step, in one thread.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::handshake::{Done, Handshaking};
use super::message::Asked;
use super::step::{Scenario, Step};

/// Where to put copies of what crosses the wire.
#[derive(Debug)]
pub(crate) struct Files {
    pub(crate) wrote: Option<File>,
    pub(crate) read: Option<File>,
}

/// The running server.
pub(crate) struct Peer {
    stdin: BufReader<io::Stdin>,
    stdout: File,
    files: Files,
    handshake: Handshaking,
    /// The request that a step left unanswered.
    kept: Option<Asked>,
    line_end: &'static str,
    term: Option<Term>,
    helpers: Vec<Child>,
}

/// What a step led to.
enum Next {
    Go,
    End(ExitCode),
}

/// How one message was dealt with.
enum Heard {
    Message(Asked),
    Noise,
    Eof,
}

impl Peer {
    pub(crate) fn new(scenario: &Scenario, files: Files) -> io::Result<Self> {
        Ok(Self {
            stdin: BufReader::new(io::stdin()),
            stdout: raw_stdout()?,
            files,
            handshake: Handshaking::new(scenario.handshake),
            kept: None,
            line_end: "\n",
            term: None,
            helpers: vec![],
        })
    }

    /// Runs the script to its end, or to the end of the pipe.
    pub(crate) fn run(mut self, steps: &[Step]) -> io::Result<ExitCode> {
        for step in steps {
            match self.step(step) {
                Ok(Next::Go) => {}
                Ok(Next::End(code)) => return Ok(code),
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
                Err(error) => return Err(error),
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn step(&mut self, step: &Step) -> io::Result<Next> {
        match step {
            Step::Until(method) => return self.behave_until(Some(method)),
            Step::UntilAnswers(count) => return self.behave_until_answers(*count),
            Step::ToEof => return self.behave_until(None),
            Step::IgnoreToEof => while !matches!(self.hear()?, Heard::Eof) {},
            Step::Answer => {
                if let Some(answer) = self.kept.as_ref().and_then(Asked::answer) {
                    self.line(&answer)?;
                }
            }
            Step::LineEnd(end) => self.line_end = end,
            Step::Line(text) => self.line(&self.filled(text))?,
            Step::Bytes(bytes) => self.write(bytes)?,
            Step::Trickle(text) => {
                for byte in self.filled(text).into_bytes() {
                    self.write(&[byte])?;
                }
            }
            Step::Burst(count, text) => self.burst(*count, &self.filled(text))?,
            Step::Big(before, mebibytes, after) => {
                self.write(self.filled(before).as_bytes())?;
                let chunk = vec![b'x'; 1 << 20];
                for _ in 0..*mebibytes {
                    self.write(&chunk)?;
                }
                self.line(after)?;
            }
            Step::Stderr(bytes) => io::stderr().write_all(bytes)?,
            Step::Pause(ms) => sleep(Duration::from_millis(*ms)),
            Step::Hang => sleep(Duration::from_secs(600)),
            Step::CatchTerm => self.term = Some(Term::catch()?),
            Step::AwaitTerm => {
                if let Some(term) = &mut self.term {
                    term.wait();
                }
            }
            Step::Helper => self.start_helper()?,
            Step::CloseStdoutAnd(scenario) => return Err(become_without_stdout(scenario)),
            Step::Exit(code) => return Ok(Next::End(ExitCode::from(*code))),
            Step::Signal(name) => return Err(die(name)),
        }
        Ok(Next::Go)
    }

    fn behave_until(&mut self, method: Option<&str>) -> io::Result<Next> {
        loop {
            let asked = match self.hear()? {
                Heard::Message(asked) => asked,
                Heard::Noise => continue,
                // The end of stdin ends a script that still waits for a message.
                Heard::Eof if method.is_none() => return Ok(Next::Go),
                Heard::Eof => return Ok(Next::End(ExitCode::SUCCESS)),
            };
            let wanted = method.is_some_and(|m| m == "*" || asked.method.as_deref() == Some(m));
            if wanted {
                if asked.id.is_some() {
                    self.kept = Some(asked);
                }
                return Ok(Next::Go);
            }
            if let Next::End(code) = self.behave(&asked)? {
                return Ok(Next::End(code));
            }
        }
    }

    fn behave_until_answers(&mut self, count: usize) -> io::Result<Next> {
        let mut left = count;
        while left > 0 {
            match self.hear()? {
                Heard::Message(asked) if asked.is_response() => left -= 1,
                Heard::Message(asked) => {
                    if let Next::End(code) = self.behave(&asked)? {
                        return Ok(Next::End(code));
                    }
                }
                Heard::Noise => {}
                Heard::Eof => return Ok(Next::End(ExitCode::SUCCESS)),
            }
        }
        Ok(Next::Go)
    }

    fn hear(&mut self) -> io::Result<Heard> {
        let mut line = Vec::new();
        if self.stdin.read_until(b'\n', &mut line)? == 0 {
            return Ok(Heard::Eof);
        }
        if let Some(file) = &mut self.files.read {
            file.write_all(&line)?;
        }
        Ok(Asked::read(&line).map_or(Heard::Noise, Heard::Message))
    }

    /// Does with one message what a server should do, the handshake by the scenario's rules.
    fn behave(&mut self, asked: &Asked) -> io::Result<Next> {
        match self.handshake.answer(asked) {
            Some(Done::Exit(code)) => return Ok(Next::End(ExitCode::from(code))),
            Some(Done::Write(messages)) => {
                for message in messages {
                    self.line(&message)?;
                }
            }
            Some(Done::WriteAfter(ms, message)) => {
                sleep(Duration::from_millis(ms));
                self.line(&message)?;
            }
            None => {
                if let Some(answer) = asked.answer() {
                    self.line(&answer)?;
                }
            }
        }
        Ok(Next::Go)
    }

    fn burst(&mut self, count: u64, text: &str) -> io::Result<()> {
        let mut chunk = Vec::with_capacity(1 << 17);
        for round in 0..count {
            let text = text.replace("$N", &round.to_string());
            chunk.extend_from_slice(text.as_bytes());
            chunk.extend_from_slice(self.line_end.as_bytes());
            if chunk.len() >= 1 << 16 {
                self.write(&chunk)?;
                chunk.clear();
            }
        }
        self.write(&chunk)
    }

    fn filled(&self, text: &str) -> String {
        let id = self.kept.as_ref().map_or("null", Asked::id);
        text.replace("$ID", id)
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        self.write(format!("{text}{}", self.line_end).as_bytes())
    }

    /// Writes all of it; the copy holds exactly what the pipe took, also when we are killed in between.
    fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let taken = self.stdout.write(bytes)?;
            if let Some(file) = &mut self.files.wrote {
                file.write_all(&bytes[..taken])?;
            }
            bytes = &bytes[taken..];
        }
        Ok(())
    }

    fn start_helper(&mut self) -> io::Result<()> {
        let helper = Command::new(std::env::current_exe()?)
            .args(["stdio", "deaf"])
            .spawn()?;
        writeln!(io::stderr(), "helper {}", helper.id())?;
        self.helpers.push(helper);
        Ok(())
    }
}

/// SIGTERM, caught instead of ending the process.
struct Term {
    runtime: tokio::runtime::Runtime,
    #[cfg(unix)]
    signal: tokio::signal::unix::Signal,
}

impl Term {
    fn catch() -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build()?;
        #[cfg(unix)]
        let signal = {
            let _inside = runtime.enter();
            tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?
        };
        Ok(Self {
            runtime,
            #[cfg(unix)]
            signal,
        })
    }

    fn wait(&mut self) {
        #[cfg(unix)]
        self.runtime.block_on(self.signal.recv());
        #[cfg(not(unix))]
        self.runtime.block_on(std::future::pending::<()>());
    }
}

/// Stdout without the buffer of the standard library, so that a write is a write.
#[cfg(unix)]
fn raw_stdout() -> io::Result<File> {
    use std::os::fd::AsFd as _;
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

#[cfg(windows)]
fn raw_stdout() -> io::Result<File> {
    use std::os::windows::io::AsHandle as _;
    Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
}

/// Replaces this process, keeping its pid, by one that runs another scenario with stdout closed. Returns on failure only.
fn become_without_stdout(scenario: &str) -> io::Error {
    let exe = match std::env::current_exe() {
        Ok(exe) => exe,
        Err(error) => return error,
    };
    replace(
        Command::new(exe)
            .args(["stdio", scenario])
            .stdout(Stdio::null()),
    )
}

/// Ends this process by a signal. Returns on failure only.
fn die(signal: &str) -> io::Error {
    replace(Command::new("sh").args(["-c", &format!("kill -{signal} $$")]))
}

#[cfg(unix)]
fn replace(command: &mut Command) -> io::Error {
    std::os::unix::process::CommandExt::exec(command)
}

#[cfg(not(unix))]
fn replace(_command: &mut Command) -> io::Error {
    io::Error::from(io::ErrorKind::Unsupported)
}
