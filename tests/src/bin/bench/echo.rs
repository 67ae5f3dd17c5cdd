//! The smallest server that there can be: reads lines, or bodies of HTTP requests, and answers with their id. What it costs
//! is the limit of a round trip.

use std::io::{self, BufRead, BufReader, Read as _, Write};
use std::net::{TcpListener, TcpStream};

/// Serves until stdin ends.
pub(crate) fn serve() -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut output = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        answer(&String::from_utf8_lossy(&line), &mut output)?;
        output.flush()?;
        line.clear();
    }
    Ok(())
}

/// Serves over HTTP until stdin ends; prints its URL.
pub(crate) fn serve_http() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    writeln!(io::stdout(), "http://{}/mcp", listener.local_addr()?)?;
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A connection ends as its client wants.
            std::thread::spawn(move || drop(connection(stream)));
        }
    });
    io::stdin().read_to_end(&mut Vec::new()).map(drop)
}

fn connection(mut stream: TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let mut input = BufReader::new(stream.try_clone()?);
    let (mut line, mut body, mut out) = (String::new(), Vec::new(), Vec::new());
    loop {
        let (mut length, mut posted) = (0, false);
        loop {
            line.clear();
            if input.read_line(&mut line)? == 0 {
                return Ok(());
            }
            posted |= line.starts_with("POST ");
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            }
            if line == "\r\n" {
                break;
            }
        }
        body.resize(length, 0);
        input.read_exact(&mut body)?;
        let mut message = Vec::new();
        if posted {
            answer(&String::from_utf8_lossy(&body), &mut message)?;
        }
        let status = match (posted, message.is_empty()) {
            (false, _) => "405 Method Not Allowed",
            (true, true) => "202 Accepted",
            (true, false) => "200 OK",
        };
        out.clear();
        write!(
            out,
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            message.len()
        )?;
        out.extend(message);
        stream.write_all(&out)?;
    }
}

fn answer(line: &str, output: &mut impl Write) -> io::Result<()> {
    let Some(id) = after(line, "\"id\":") else {
        return Ok(());
    };
    match after(line, "\"method\":")
        .unwrap_or_default()
        .trim_matches('"')
    {
        "server/discover" => {
            writeln!(
                output,
                r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":-32601,"message":"Method not found"}}}}"#
            )
        }
        "initialize" => writeln!(
            output,
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"protocolVersion":"2025-11-25","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"echo","version":"0"}}}}}}"#
        ),
        "tools/list" => writeln!(
            output,
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tools":[{{"name":"echo","inputSchema":{{"type":"object"}}}}]}}}}"#
        ),
        "big" => {
            let size: usize = after(line, "\"size\":")
                .and_then(|n| n.parse().ok())
                .unwrap_or(0);
            write!(
                output,
                r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":""#
            )?;
            for rest in (0..size).step_by(1 << 16) {
                output.write_all(&[b'x'; 1 << 16][..(size - rest).min(1 << 16)])?;
            }
            writeln!(output, r#""}}]}}}}"#)
        }
        "flood" => {
            let count: u64 = after(line, "\"count\":")
                .and_then(|n| n.parse().ok())
                .unwrap_or(0);
            let size: usize = after(line, "\"size\":")
                .and_then(|n| n.parse().ok())
                .unwrap_or(300);
            let head = r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":""#;
            let filler = "x".repeat(size.saturating_sub(head.len() + 4));
            for _ in 0..count {
                writeln!(output, "{head}{filler}\"}}}}")?;
            }
            writeln!(output, r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
        }
        _ => writeln!(
            output,
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"ok"}}]}}}}"#
        ),
    }
}

/// The token after a key, by search: good enough for what our own client writes.
fn after<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let rest = line[line.find(key)? + key.len()..].trim_start();
    let end = rest.find([',', '}', '\n']).unwrap_or(rest.len());
    Some(rest[..end].trim())
}
