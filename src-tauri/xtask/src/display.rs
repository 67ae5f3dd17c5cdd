//! A display of our own where the machine has none.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// An X server without a screen. It ends with this value.
#[derive(Debug)]
pub(crate) struct Display {
    server: Child,
    name: String,
}

impl Display {
    /// Starts one on a free display number.
    pub(crate) fn start() -> Result<Self, String> {
        let mut server = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-screen",
                "0",
                "1600x1000x24",
                "-nolisten",
                "tcp",
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("cannot start Xvfb: {error}"))?;
        let mut number = String::new();
        let read = server
            .stdout
            .take()
            .map(|stdout| BufReader::new(stdout).read_line(&mut number));
        if !matches!(read, Some(Ok(1..))) {
            let _ = server.kill();
            let _ = server.wait();
            return Err("Xvfb ended before it had a display".into());
        }
        Ok(Self {
            server,
            name: format!(":{}", number.trim()),
        })
    }

    /// A command that draws on this display, in a D-Bus session of its own.
    pub(crate) fn command(&self, program: &str, args: &[&str]) -> Command {
        let mut command = crate::proc::command("dbus-run-session", &["--", program]);
        command
            .args(args)
            .env("DISPLAY", &self.name)
            .env("NO_AT_BRIDGE", "1")
            .env_remove("WAYLAND_DISPLAY");
        command
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Whether this machine has a display to open a window on.
pub(crate) fn present() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(not(target_os = "linux")) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}
