//! A sign-in that somebody watches and steers: it runs in its task, step by step or on its own.

use std::sync::Arc;

use tokio::sync::{mpsc, watch};

use super::credentials::Held;
use super::flow::{Flow, Paste};
use super::step::{Halt, Step, StepKind};

/// How it stands with a sign-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Nothing runs; something is left to be run.
    Ready,
    /// A step runs.
    Running,
    /// A step waits for the user.
    Waiting,
    /// There is a token.
    Done,
    /// A step failed; it can be run again.
    Failed,
    /// It was given up.
    Cancelled,
}

/// What to do.
#[derive(Clone, Debug)]
pub enum Command {
    /// Run the next step.
    Step,
    /// Run on until it waits, fails or is done.
    Run,
    /// Set a value of a step, or have it as usual again.
    Set(StepKind, String, Option<String>),
    /// That step and all after it are to be run again.
    RestartFrom(StepKind),
    /// Answer the question that a step asks.
    Consent(bool),
    /// The browser came back to this address, somewhere else.
    Finish(String),
    /// Give it up.
    Cancel,
}

/// How a sign-in looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// How it stands.
    pub state: State,
    /// Its steps.
    pub steps: Vec<Step>,
    /// The step that would run next.
    pub next: Option<StepKind>,
}

/// A sign-in. Dropping the last handle gives it up.
#[derive(Clone, Debug)]
pub struct SignIn {
    commands: mpsc::Sender<Command>,
    view: watch::Receiver<View>,
    paste: Paste,
}

impl SignIn {
    /// Takes a flow over; `done` is called with its token. The future is its task: it ends with the sign-in.
    pub fn new(
        flow: Flow,
        by_step: bool,
    ) -> (Self, impl Future<Output = Option<Arc<Held>>> + Send) {
        let (commands, received) = mpsc::channel(16);
        let first = View {
            state: State::Ready,
            steps: flow.steps().borrow().clone(),
            next: flow.next(),
        };
        let (tell, view) = watch::channel(first);
        let paste = flow.paster();
        let task = Task {
            flow,
            commands: received,
            tell,
            go: if by_step { Go::Stop } else { Go::On },
            by_step,
            ended: None,
        };
        let handle = Self {
            commands,
            view,
            paste,
        };
        (handle, task.run())
    }

    /// How it looks, and as it changes.
    pub fn view(&self) -> watch::Receiver<View> {
        self.view.clone()
    }

    /// Tells it what to do. What has ended takes no more.
    pub async fn tell(&self, command: Command) {
        if let Command::Finish(url) = command {
            self.paste.put(url);
        } else {
            // It may have ended.
            let _ = self.commands.send(command).await;
        }
    }
}

/// What runs by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Go {
    Stop,
    Once,
    On,
}

struct Task {
    flow: Flow,
    commands: mpsc::Receiver<Command>,
    tell: watch::Sender<View>,
    go: Go,
    by_step: bool,
    ended: Option<State>,
}

impl Task {
    async fn run(mut self) -> Option<Arc<Held>> {
        loop {
            if self.flow.next().is_none() {
                self.show(State::Done);
                return self.flow.run().await.ok();
            }
            let command = if self.go == Go::Stop {
                let state = self.ended.take().unwrap_or(State::Ready);
                self.show(state);
                self.commands.recv().await
            } else {
                match self.step().await {
                    Some(command) => command,
                    None => continue,
                }
            };
            match command {
                Some(Command::Cancel) | None => {
                    self.show(State::Cancelled);
                    return None;
                }
                Some(command) => self.obey(command),
            }
        }
    }

    /// Runs a step, unless a command comes first.
    async fn step(&mut self) -> Option<Option<Command>> {
        let mut steps = self.flow.steps();
        let next = self.flow.next();
        let tell = self.tell.clone();
        let running = async {
            let mut ran = std::pin::pin!(self.flow.run_next());
            loop {
                tokio::select! {
                    biased;
                    ran = &mut ran => return ran,
                    _ = steps.changed() => {
                        let steps = steps.borrow_and_update().clone();
                        let waits = steps.iter().any(|step| step.open_url.is_some());
                        let state = if waits { State::Waiting } else { State::Running };
                        tell.send_replace(View { state, steps, next });
                    }
                }
            }
        };
        let ran = tokio::select! {
            ran = running => ran,
            command = self.commands.recv() => return Some(command),
        };
        match ran {
            Ok(()) if self.go == Go::On => {}
            Ok(()) => self.go = Go::Stop,
            Err(halt) => {
                self.go = Go::Stop;
                self.ended = Some(match halt {
                    Halt::Failed(_) => State::Failed,
                    Halt::Asked(_) => State::Waiting,
                });
            }
        }
        None
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Step => self.go = Go::Once,
            Command::Run => self.go = Go::On,
            Command::Set(step, name, value) => {
                self.flow.set(step, &name, value);
                self.go = Go::Stop;
            }
            Command::RestartFrom(step) => {
                self.flow.restart_from(step);
                self.go = Go::Stop;
            }
            Command::Consent(agree) => {
                self.flow.answer(agree);
                self.go = match (agree, self.by_step) {
                    (true, true) => Go::Once,
                    (true, false) => Go::On,
                    (false, _) => Go::Stop,
                };
                if !agree {
                    self.ended = Some(State::Failed);
                }
            }
            Command::Finish(_) | Command::Cancel => {}
        }
    }

    fn show(&self, state: State) {
        let steps = self.flow.steps().borrow().clone();
        let next = self.flow.next();
        self.tell.send_replace(View { state, steps, next });
    }
}
