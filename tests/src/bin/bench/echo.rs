//! The smallest server that there can be: reads lines, or bodies of HTTP requests, and answers with their id. What it costs
//! is the limit of a round trip.

use std::io::{self, BufRead, BufReader, Read as _, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

/// Serves until stdin ends.
///
/// `more`: tools that it lists beside its own.
pub(crate) fn serve(more: usize) -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut output = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        answer(&String::from_utf8_lossy(&line), more, &mut output)?;
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
            answer(&String::from_utf8_lossy(&body), 0, &mut message)?;
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

fn answer(line: &str, more: usize, output: &mut impl Write) -> io::Result<()> {
    let Some(id) = after(line, "\"id\":") else {
        return Ok(());
    };
    let word = |key| after(line, key).unwrap_or_default().trim_matches('"');
    // The same can be asked for as a tool.
    let wanted = match word("\"method\":") {
        "tools/call" => word("\"name\":"),
        method => method,
    };
    let number = |key, otherwise| {
        after(line, key)
            .and_then(|n| n.parse().ok())
            .unwrap_or(otherwise)
    };
    match wanted {
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
        "tools/list" => {
            write!(
                output,
                r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tools":["#
            )?;
            for name in ["echo", "big", "rows", "flood"] {
                write!(
                    output,
                    r#"{{"name":"{name}","inputSchema":{{"type":"object"}}}},"#
                )?;
            }
            for n in 0..more {
                write!(
                    output,
                    r#"{{"name":"tool-{n:05}","description":"Tool {n} of many: reads the record that its number names","inputSchema":{{"type":"object","properties":{{"record":{{"type":"integer"}}}}}}}},"#
                )?;
            }
            writeln!(output, "{}]}}}}", wide_tool())
        }
        "big" => {
            let size = number("\"size\":", 0);
            write!(
                output,
                r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":""#
            )?;
            for rest in (0..size).step_by(1 << 16) {
                output.write_all(&[b'x'; 1 << 16][..(size - rest).min(1 << 16)])?;
            }
            writeln!(output, r#""}}]}}}}"#)
        }
        "rows" => {
            let size = number("\"size\":", 0);
            write!(
                output,
                r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[],"structuredContent":{{"rows":[0"#
            )?;
            for n in 0..size / ROW.len() {
                write!(
                    output,
                    "{}",
                    ROW.replacen("00000000", &format!("1{n:07}"), 1)
                )?;
            }
            writeln!(output, "]}}}}}}")
        }
        "flood" => {
            let (count, size) = (number("\"count\":", 0), number("\"size\":", 300));
            let a_second = number("\"perSecond\":", 0);
            flood(output, count, size, a_second)?;
            writeln!(
                output,
                r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"done"}}]}}}}"#
            )
        }
        _ => writeln!(
            output,
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"ok"}}]}}}}"#
        ),
    }
}

/// Part of a JSON result, as a table's rows are.
const ROW: &str = r#",{"id":00000000,"name":"Ada Lovelace","active":true,"score":0.25,"tags":["one","two"],"at":"2026-11-30T12:00:00Z"}"#;

/// In how many parts a second is cut.
const TICKS: usize = 50;

/// Numbered notifications: at full speed, or so many a second.
fn flood(output: &mut impl Write, count: usize, size: usize, a_second: usize) -> io::Result<()> {
    let head =
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":""#;
    let filler = "x".repeat(size.saturating_sub(head.len() + 13));
    for n in 0..count {
        writeln!(output, "{head}{n:08} {filler}\"}}}}")?;
        if a_second > 0 && n % (a_second / TICKS).max(1) == 0 {
            output.flush()?;
            std::thread::sleep(Duration::from_secs(1) / TICKS as u32);
        }
    }
    Ok(())
}

/// A tool with a description of 13 kB and an enum of 126 values.
fn wide_tool() -> String {
    let description = "Reads one of the views. ".repeat(13_000 / 24);
    let values: Vec<_> = (0..126).map(|n| format!("\"view-{n:03}\"")).collect();
    format!(
        r#"{{"name":"wide","description":"{description}","inputSchema":{{"type":"object","properties":{{"view":{{"type":"string","enum":[{}]}}}}}}}}"#,
        values.join(",")
    )
}

/// The token after a key, by search: good enough for what our own client writes.
fn after<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let rest = line[line.find(key)? + key.len()..].trim_start();
    let end = rest.find([',', '}', '\n']).unwrap_or(rest.len());
    Some(rest[..end].trim())
}
