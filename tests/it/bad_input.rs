//! Wrong input of every kind: the message names the party at fault and the next step, and the exit code is the contract's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use framescope_tests::cli::{Cli, Run};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _};
use tempfile::tempdir;

use crate::mount::Mount;

const SERVER: &str = env!("CARGO_BIN_EXE_fault-server");

/// What is typed, the exit code, and what stderr says: who, what, and what to do.
type Case<'a> = (&'a [&'a str], i32, &'a [&'a str]);

fn check(cli: &Cli<'_>, (args, code, parts): Case<'_>) -> Run {
    let run = cli.run(args);
    assert_eq!(run.code, code, "{args:?}: {}", run.stderr);
    for part in parts {
        assert!(
            run.stderr.contains(part),
            "{args:?}: {part:?} is not said: {}",
            run.stderr
        );
    }
    assert!(
        run.stdout.is_empty(),
        "{args:?}: stdout carries results alone: {}",
        run.text()
    );
    assert!(
        !run.stderr.contains("panicked") && !run.stderr.contains('\u{1b}'),
        "{args:?}: {}",
        run.stderr
    );
    run
}

/// A file that may be executed.
fn script(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).expect("a file");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("executable");
    }
    path.to_string_lossy().into_owned()
}

#[test]
fn a_command_that_is_no_server_is_told_apart() {
    let (data, files) = (tempdir().expect("a folder"), tempdir().expect("a folder"));
    let Some(cli) = Cli::on(data.path()) else {
        return;
    };
    let plain = files.path().join("plain");
    fs::write(&plain, "no program").expect("a file");
    let plain = plain.to_string_lossy();
    let gone = files.path().join("gone").to_string_lossy().into_owned();
    let folder = files.path().to_string_lossy();
    let no_interpreter = script(files.path(), "no-interpreter", "#!/no/such/program\n");
    let no_program = script(files.path(), "no-program", "neither one nor the other");
    let not_started = "no process was started";
    let cases: &[Case<'_>] = &[
        (
            &["list", "tools", "--", "framescope-no-such-program"],
            3,
            &[
                "this app could not find `framescope-no-such-program`",
                not_started,
                "full path",
                "PATH",
            ],
        ),
        (
            &["list", "tools", "--", &gone],
            3,
            &["there is no such file", not_started, "Check the command"],
        ),
        (
            &["list", "tools", "--", &folder],
            3,
            &["it is a folder", not_started, "Check the command"],
        ),
        (
            &["list", "tools", "--", &plain],
            3,
            &[
                "this app could not start",
                "not executable",
                not_started,
                "Check the command",
            ],
        ),
        (
            &["list", "tools", "--", &no_interpreter],
            3,
            &[
                "this app could not start",
                "interpreter",
                not_started,
                "Check",
            ],
        ),
        (
            &["list", "tools", "--", &no_program],
            3,
            &["neither a program", "#!", not_started, "Check"],
        ),
        (
            &["list", "tools", "--cwd", &gone, "--", SERVER],
            3,
            &[
                "working directory",
                "is no folder",
                not_started,
                "correct the working directory",
            ],
        ),
        (
            &["list", "tools", "--", SERVER, "stdio", "exit-at-once", "7"],
            3,
            &[
                "the server exited with code 7",
                "initialize",
                "No module named foo",
            ],
        ),
        (
            &["list", "tools", "--", "true"],
            3,
            &[
                "the server exited with code 0",
                "nothing to stderr",
                "terminal",
            ],
        ),
        (
            &[
                "list",
                "tools",
                "--era",
                "legacy",
                "--timeout",
                "0.5",
                "--",
                SERVER,
                "stdio",
                "mute",
            ],
            3,
            &[
                "the server did not answer initialize within",
                "Give it more time",
            ],
        ),
    ];
    for case in cases {
        check(&cli, *case);
    }
}

/// A fault server over HTTP, which ends with its stdin.
struct Http {
    child: Child,
    url: String,
}

impl Http {
    fn start(scenario: &[&str]) -> Self {
        use std::io::BufRead as _;
        let mut child = Command::new(SERVER)
            .arg("http")
            .args(scenario)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the fault server starts");
        let mut url = String::new();
        let stdout = child.stdout.take().expect("its stdout");
        std::io::BufReader::new(stdout)
            .read_line(&mut url)
            .expect("its URL");
        let url = url.trim().to_owned();
        Self { child, url }
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

#[test]
fn a_url_that_is_no_server_is_told_apart() {
    let data = tempdir().expect("a folder");
    let Some(cli) = Cli::on(data.path()) else {
        return;
    };
    let (good, html, page, silent, ssh) = (
        Http::start(&["json"]),
        Http::start(&["html", "200"]),
        Http::start(&["html", "404"]),
        Http::start(&["no-head"]),
        Http::start(&["no-http"]),
    );
    let (tls, plain) = answers_plainly();
    // Bound and never listened to: nobody else gets the port, and it refuses.
    let taken = std::net::UdpSocket::bind("127.0.0.1:0").expect("a port");
    let refused = format!("http://{}/mcp", taken.local_addr().expect("its address"));
    let cases: &[Case<'_>] = &[
        (
            &["list", "tools", "--url", "nonsense"],
            3,
            &[
                "this app cannot use `nonsense`",
                "nothing was sent",
                "Give the full",
            ],
        ),
        (
            &["list", "tools", "--url", "ftp://127.0.0.1/mcp"],
            3,
            &["`ftp`", "nothing was sent", "http:// or https://"],
        ),
        (
            &["list", "tools", "--url", &refused],
            3,
            &[
                "refused the connection",
                "Start the server",
                "check host and port",
            ],
        ),
        (
            &["list", "tools", "--url", "http://host.invalid/mcp"],
            3,
            &["`host.invalid` could not be resolved", "Check the host"],
        ),
        (
            &["list", "tools", "--url", &tls],
            3,
            &["no secure connection to", "no TLS", "try http://"],
        ),
        (
            &["list", "tools", "--url", &html.url],
            3,
            &["the server at", "web page", "check the URL"],
        ),
        (
            &["list", "tools", "--url", &page.url],
            3,
            &["the server at", "HTTP 404", "Check the path of the URL"],
        ),
        (
            &["list", "tools", "--url", &ssh.url],
            3,
            &["is not valid HTTP", "Check the port"],
        ),
        (
            &[
                "list",
                "tools",
                "--url",
                &good.url,
                "--header",
                "Bad Name: x",
            ],
            3,
            &["cannot send the header", "nothing was sent", "Correct it"],
        ),
        (
            &["call", "fault", "--timeout", "0.5", "--url", &silent.url],
            4,
            &["did not answer tools/call within 0.5 s", "--timeout"],
        ),
    ];
    for case in cases {
        check(&cli, *case);
    }
    plain.join().expect("it was asked");
}

/// The https URL of something that answers in plain HTTP, once.
fn answers_plainly() -> (String, std::thread::JoinHandle<()>) {
    use std::io::{Read as _, Write as _};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let at = listener.local_addr().expect("its address");
    let once = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let mut hello = [0; 1];
        stream.read_exact(&mut hello).expect("a first byte");
        stream
            .write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            .expect("answered");
        // What the other side still says is read, so that it gets the answer and no reset.
        let _ = stream.read_to_end(&mut Vec::new());
    });
    (format!("https://{at}/mcp"), once)
}

#[test]
fn wrong_usage_is_said_before_anything_is_sent() {
    let data = tempdir().expect("a folder");
    let Some(cli) = Cli::on(data.path()) else {
        return;
    };
    let cases: &[Case<'_>] = &[
        (
            &["call", "fault", "--args", "{'a': 1}", "--", SERVER],
            2,
            &["--args is not JSON", "nothing was sent", "quotes"],
        ),
        (
            &["call", "fault", "--args", "@no-such-file", "--", SERVER],
            2,
            &["--args", "cannot read no-such-file"],
        ),
        (
            &["request", "ping", "--params", "[1,", "--", SERVER],
            2,
            &["--params is not JSON", "nothing was sent"],
        ),
        (&["list", "tools"], 2, &["--server", "--url", "Usage"]),
        (
            &["list", "tools", "--server", "nobody"],
            2,
            &["no server is named \"nobody\"", "-- COMMAND"],
        ),
        (
            &["list", "tools", "--timeout", "0", "--", SERVER],
            2,
            &["no number of seconds above 0"],
        ),
        (
            &["list", "tools", "--era", "2020", "--", SERVER],
            2,
            &["--era"],
        ),
        (&["log", "ffff"], 2, &["no session \"ffff\"", "`last`"]),
        (
            &["import", "/no/such/file"],
            3,
            &["this app could not", "/no/such/file"],
        ),
    ];
    for case in cases {
        check(&cli, *case);
    }
    assert_eq!(cli.run(&["sessions"]).expect(0), "", "no session was begun");
}

#[tokio::test]
async fn a_session_file_of_another_format_says_which_program_reads_it() {
    let newer = ["has session format 3", "reads up to 2", "update Framescope"];
    let older = ["has session format 1", "reads 2", "export it as a capture"];
    for (format, parts) in [("3", newer), ("1", older)] {
        is_refused(format, &parts).await;
    }
}

async fn is_refused(format: &str, parts: &[&str]) {
    let data = tempdir().expect("a folder");
    let Some(cli) = Cli::on(data.path()) else {
        return;
    };
    let good = [SERVER, "stdio", "good"].map(str::to_owned);
    cli.on_server(&["call", "fault"], &good).expect(0);
    let file = session_file(data.path());
    let mut conn = SqliteConnectOptions::new()
        .filename(&file)
        .connect()
        .await
        .expect("a connection");
    let sql = format!("pragma user_version = {format}");
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql))
        .execute(&mut conn)
        .await
        .expect("another format");
    conn.close().await.expect("closed");
    check(&cli, (&["log", "last"], 2, parts));
    let copy = data.path().join("copy.framescope");
    fs::copy(&file, &copy).expect("a copy");
    check(&cli, (&["import", &copy.to_string_lossy()], 2, parts));
    assert_eq!(
        cli.run(&["sessions"]).expect(0).lines().count(),
        1,
        "it is listed all the same"
    );
    cli.on_server(&["call", "fault"], &good).expect(0);
}

fn session_file(data: &Path) -> PathBuf {
    let files = fs::read_dir(data.join("sessions")).expect("the sessions");
    files
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|ext| ext == "framescope"))
        .expect("a session file")
}

/// Makes a data folder that cannot be used.
type Spoil = fn(&Path);

#[test]
fn a_data_folder_that_cannot_be_used_is_named() {
    let list: &[&str] = &["list", "tools", "--", SERVER, "stdio", "good"];
    let elsewhere = "choose another data folder with FRAMESCOPE_DATA_DIR";
    let spoils: [(Spoil, &[&str]); 5] = [
        (
            |data| fs::write(data, "a file").expect("a file"),
            &["could not create the data folder", "in the way", elsewhere],
        ),
        (
            |data| {
                fs::create_dir(data).expect("a folder");
                fs::write(data.join("sessions"), "a file").expect("a file");
            },
            &["sessions", "in the way", elsewhere],
        ),
        (
            |data| {
                fs::create_dir(data).expect("a folder");
                fs::create_dir(data.join("framescope.db")).expect("a folder");
            },
            &["could not open the catalogue", "See whether it is a file"],
        ),
        (
            |data| {
                fs::create_dir(data).expect("a folder");
                fs::write(data.join("framescope.db"), "no database".repeat(99)).expect("a file");
            },
            &[
                "could not open the catalogue",
                "not a database",
                "Move that file away",
            ],
        ),
        (
            |data| {
                fs::create_dir(data).expect("a folder");
                fs::create_dir(data.join("framescope.lock")).expect("a folder");
            },
            &["could not open the lock file", "framescope.lock"],
        ),
    ];
    let dir = tempdir().expect("a folder");
    for (n, (spoil, parts)) in spoils.iter().enumerate() {
        let data = dir.path().join(n.to_string());
        spoil(&data);
        let Some(cli) = Cli::on(&data) else { return };
        check(&cli, (list, 3, parts));
    }

    let Some(disk) = Mount::tmpfs("4m") else {
        return;
    };
    let Some(cli) = Cli::on(disk.path()) else {
        return;
    };
    cli.run(list).expect(0);
    disk.remount("ro");
    let parts = ["Read-only file system", "make it writable", elsewhere];
    check(&cli, (list, 3, &parts));
    disk.remount("rw");
    cli.run(list).expect(0);
}
