//! Reads HTTP/1.1 requests, as far as clients of MCP write them.

use std::io;

use serde_json::{Map, Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, BufReader};

use crate::fault::message::Asked;

/// One request.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    /// Names in lower case, values as sent, in order.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    /// The next request of a connection; `None` where the client has closed it.
    pub(crate) async fn read<R: AsyncRead + Unpin>(
        from: &mut BufReader<R>,
    ) -> io::Result<Option<Self>> {
        let Some(first) = line(from).await? else {
            return Ok(None);
        };
        let mut words = first.split(' ');
        let mut word = || words.next().unwrap_or_default().to_owned();
        let (method, path) = (word(), word());
        let mut headers = Vec::new();
        while let Some(header) = line(from).await?.filter(|header| !header.is_empty()) {
            if let Some((name, value)) = header.split_once(':') {
                headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
            }
        }
        let mut request = Self {
            method,
            path,
            headers,
            body: vec![],
        };
        request.body = request.read_body(from).await?;
        Ok(Some(request))
    }

    async fn read_body<R: AsyncRead + Unpin>(
        &self,
        from: &mut BufReader<R>,
    ) -> io::Result<Vec<u8>> {
        if self.header("transfer-encoding") == Some("chunked") {
            return chunks(from).await;
        }
        let length = self.header("content-length").and_then(|n| n.parse().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        from.read_exact(&mut body).await?;
        Ok(body)
    }

    /// The value of a header, its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(header, _)| header == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The message in the body.
    pub(crate) fn asked(&self) -> Option<Asked> {
        Asked::read(&self.body)
    }

    /// For the file of `--read`.
    pub(crate) fn to_json(&self, number: u64, connection: u64) -> Value {
        let headers: Map<String, Value> = self
            .headers
            .iter()
            .map(|(name, value)| (name.clone(), json!(value)))
            .collect();
        json!({
            "request": number, "connection": connection, "method": self.method, "path": self.path,
            "headers": headers, "body": String::from_utf8_lossy(&self.body),
        })
    }
}

async fn line<R: AsyncRead + Unpin>(from: &mut BufReader<R>) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    if from.read_until(b'\n', &mut line).await? == 0 {
        return Ok(None);
    }
    let line = String::from_utf8_lossy(&line);
    Ok(Some(line.trim_end_matches(['\r', '\n']).to_owned()))
}

async fn chunks<R: AsyncRead + Unpin>(from: &mut BufReader<R>) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    while let Some(size) = line(from).await? {
        let size = usize::from_str_radix(&size, 16).unwrap_or(0);
        let mut chunk = vec![0; size];
        from.read_exact(&mut chunk).await?;
        body.append(&mut chunk);
        line(from).await?;
        if size == 0 {
            break;
        }
    }
    Ok(body)
}
