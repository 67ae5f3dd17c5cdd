//! TLS with an authority of one's own.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use framescope_core::protocol::ServerConfig;
use framescope_core::record::HttpPhase;
use framescope_tests::cli::Cli;
use framescope_tests::peers::missing;
use serde_json::Value;

use super::OK;
use super::peer::{How, Server, called, client, words};

/// Makes an authority and a certificate for this machine: `ca.pem`, `leaf.pem`, `leaf.key`.
const CERTIFICATES: &str = r#"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -keyout ca.key -out ca.pem -subj "/CN=Test authority"
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout leaf.key -out leaf.csr -subj "/CN=localhost"
printf 'subjectAltName=DNS:localhost,DNS:mcp.invalid,IP:127.0.0.1\nbasicConstraints=CA:FALSE\nextendedKeyUsage=serverAuth\n' > ext
openssl x509 -req -in leaf.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile ext -out leaf.pem
"#;

/// Takes TLS connections and hands their bytes to the port that it is given.
const TERMINATOR: &str = r#"
import socket, ssl, sys, threading
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1], sys.argv[2])
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
def copy(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
def serve(plain):
    try:
        secure = context.wrap_socket(plain, server_side=True)
    except OSError:
        return
    inner = socket.create_connection(("127.0.0.1", int(sys.argv[3])))
    threading.Thread(target=copy, args=(secure, inner), daemon=True).start()
    copy(inner, secure)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
"#;

/// The same for HTTP/2 only: each request goes on as one of HTTP/1.1.
const TERMINATOR_2: &str = r#"
const [cert, key, port] = process.argv.slice(1).map((arg, i) => i < 2 ? require("fs").readFileSync(arg) : arg);
const own = /^(:|connection$|transfer-encoding$|keep-alive$|host$)/;
const plain = (headers) => Object.fromEntries(Object.entries(headers).filter(([name]) => !own.test(name)));
const server = require("http2").createSecureServer({ cert, key, allowHTTP1: false });
server.on("stream", (stream, headers) => {
  const inner = require("http").request(
    { host: "127.0.0.1", port, method: headers[":method"], path: headers[":path"], headers: plain(headers) },
    (answer) => {
      if (stream.destroyed) return answer.destroy();
      stream.respond({ ":status": answer.statusCode, ...plain(answer.headers) });
      answer.on("error", () => stream.close(2)).pipe(stream);
    },
  );
  stream.on("close", () => inner.destroy());
  inner.on("error", () => stream.close(2));
  stream.on("error", () => inner.destroy()).pipe(inner);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
"#;

/// A running terminator.
pub(super) struct Terminator {
    child: Child,
    pub(super) url: String,
}

impl Drop for Terminator {
    fn drop(&mut self) {
        // It fails only where it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Puts TLS before a server; its authority is in `ca.pem` of the folder.
pub(super) fn start(folder: &Path, server: &Server) -> Option<Terminator> {
    terminate(folder, server, ["python3", "-c", TERMINATOR])
}

fn terminate(folder: &Path, server: &Server, program: [&str; 3]) -> Option<Terminator> {
    let [program, option, script] = program;
    let made = Command::new("sh")
        .args(["-ec", CERTIFICATES])
        .current_dir(folder)
        .stderr(Stdio::null())
        .status();
    if !made.is_ok_and(|status| status.success()) {
        return missing("openssl");
    }
    let (_, rest) = server.url.rsplit_once(':')?;
    let port = rest.split('/').next()?;
    let mut child = Command::new(program)
        .args([option, script, "leaf.pem", "leaf.key", port])
        .current_dir(folder)
        .stdout(Stdio::piped())
        .spawn()
        .ok()
        .or_else(|| missing(program))?;
    let mut port = String::new();
    let stdout = child.stdout.take()?;
    BufReader::new(stdout).read_line(&mut port).ok()?;
    let url = format!("https://localhost:{}/mcp", port.trim());
    Some(Terminator { child, url })
}

#[tokio::test(flavor = "multi_thread")]
async fn an_authority_of_ones_own_is_trusted_where_its_file_is_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(&["json"]);
    let Some(terminator) = start(folder.path(), &server) else {
        return;
    };
    let config = || ServerConfig::StreamableHttp {
        url: terminator.url.clone(),
        headers: vec![],
    };
    let with = |ca: Option<&str>| How {
        ca: ca.map(|ca| folder.path().join(ca)),
        ..How::default()
    };
    let (done, _) = client(config(), with(Some("ca.pem")), async |client, _| {
        words(&called(client).await)
    })
    .await;
    assert_eq!(done.expect("connected"), OK);
    for (ca, expected) in [
        (None, "does not trust who signed"),
        (Some("leaf.key"), "as certificates to trust"),
        (Some("none.pem"), "as certificates to trust"),
    ] {
        let (done, _) = client(config(), with(ca), async |_, _| ()).await;
        let error = done.expect_err("no connection").to_string();
        assert!(error.contains(expected), "{ca:?}: {error}");
    }
    server.end();
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_goes_over_one_connection_of_http_2_where_the_server_speaks_it() {
    for scenario in ["json", "sse"] {
        let folder = tempfile::tempdir().expect("a folder");
        let server = Server::start(&[scenario]);
        let Some(terminator) = terminate(folder.path(), &server, ["node", "-e", TERMINATOR_2])
        else {
            return;
        };
        let config = ServerConfig::StreamableHttp {
            url: terminator.url.clone(),
            headers: vec![],
        };
        let how = How {
            ca: Some(folder.path().join("ca.pem")),
            ..How::default()
        };
        let (done, records) = client(config, how, async |client, _| {
            futures_util::future::join_all((0..20).map(async |_| words(&called(client).await)))
                .await
        })
        .await;
        let answers = done.unwrap_or_else(|error| panic!("{scenario}: {error}"));
        assert_eq!(answers, [OK; 20], "{scenario}");
        let http = records.iter().filter_map(|record| record.http());
        let responses: Vec<_> = http
            .filter(|http| http.phase == HttpPhase::Response)
            .collect();
        assert!(responses.len() >= 22, "{scenario}: {responses:?}");
        for response in &responses {
            assert_eq!(response.text.as_deref(), Some("HTTP/2.0"), "{response:?}");
        }
        let made = responses.iter().filter(|one| one.connect_us > Some(0));
        assert_eq!(made.count(), 1, "{scenario}: {responses:?}");
        server.end();
    }
}

/// The state and the fact of each of the doctor's steps, and who is at fault.
fn examined(cli: &Cli<'_>, args: &[&str], code: i32) -> (Vec<(String, String)>, Value) {
    let args: Vec<_> = ["doctor", "--json"].iter().chain(args).copied().collect();
    let json = cli.run(&args).expect(code);
    let report: Value = serde_json::from_str(&json).expect("a report");
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let steps = report["steps"].as_array().expect("steps");
    let steps = steps
        .iter()
        .map(|step| (word(&step["state"]), word(&step["fact"])));
    (steps.collect(), report["fault"].clone())
}

#[test]
fn the_doctor_agrees_on_tls_as_sessions_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = tempfile::tempdir().expect("a folder");
    let server = Server::start(&["json"]);
    let (Some(cli), Some(terminator)) = (Cli::on(data.path()), start(folder.path(), &server))
    else {
        return;
    };
    let ca = folder.path().join("ca.pem");
    let key = folder.path().join("leaf.key");
    let (url, ca) = (terminator.url.as_str(), ca.to_string_lossy());

    // DNS, TCP, TLS, HTTP, authorization, discover, initialize.
    let (steps, fault) = examined(&cli, &["--url", url, "--ca", &ca], 0);
    assert!(
        steps[2].0 == "passed" && steps[2].1.contains("TLS 1.3"),
        "{steps:?}"
    );
    assert_eq!((steps[3].0.as_str(), fault), ("passed", Value::Null));

    let (steps, fault) = examined(&cli, &["--url", url], 3);
    let states: Vec<_> = steps.iter().map(|(state, _)| state.as_str()).collect();
    assert_eq!(states[..4], ["passed", "passed", "failed", "waiting"]);
    let what = fault["what"].as_str().unwrap_or_default();
    assert!(what.contains("does not trust who signed"), "{fault}");

    let (steps, fault) = examined(&cli, &["--url", url, "--ca", &key.to_string_lossy()], 3);
    assert_eq!(steps[2].0, "failed", "a key is no certificate: {steps:?}");
    assert_eq!(fault["party"], "configuration", "{fault}");
    server.end();
}
