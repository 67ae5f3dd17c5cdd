//! Writes an answer to a connection, byte by byte where the scenario wants it so.

use std::fs::File;
use std::io::{self, Write as _};
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::net::tcp::OwnedWriteHalf;
use tokio::time::sleep;

use super::answer::{Answer, Coding, Framing, Part, Response, event};
use super::state::Shared;

/// Whether the connection can be used for another request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Connection {
    Keep,
    Close,
}

/// What an answer's text is filled with.
#[derive(Debug)]
pub(crate) struct Blanks {
    pub(crate) id: String,
    pub(crate) origin: String,
    pub(crate) other: String,
}

impl Blanks {
    fn fill(&self, text: &str) -> String {
        text.replace("$ID", &self.id)
            .replace("$ORIGIN", &self.origin)
            .replace("$OTHER", &self.other)
    }
}

/// The writing half of a connection, for one answer.
#[derive(Debug)]
pub(crate) struct Sender<'a> {
    pub(crate) out: &'a mut OwnedWriteHalf,
    pub(crate) shared: &'a Shared,
    pub(crate) blanks: Blanks,
    /// Takes a copy of the entity.
    pub(crate) copy: Option<File>,
    /// How many messages had come in when this answer began.
    pub(crate) heard: usize,
}

impl Sender<'_> {
    pub(crate) async fn answer(&mut self, answer: &Answer) -> io::Result<Connection> {
        match answer {
            Answer::Response(response) => self.response(response).await,
            Answer::Raw(text) => {
                let text = self.blanks.fill(text);
                self.out.write_all(text.as_bytes()).await?;
                Ok(Connection::Close)
            }
            Answer::Silence => std::future::pending().await,
            // Replaced by a response before it comes here.
            Answer::Good | Answer::ForgetSessions => Ok(Connection::Close),
        }
    }

    async fn response(&mut self, response: &Response) -> io::Result<Connection> {
        let chunked = response.framing == Framing::Chunked;
        if matches!(response.framing, Framing::Length(_)) || response.coding != Coding::Identity {
            return self.at_once(response).await;
        }
        self.head(response, None).await?;
        for part in &response.parts {
            if self.part(part, chunked).await? == Connection::Close {
                return Ok(Connection::Close);
            }
        }
        if chunked {
            self.out.write_all(b"0\r\n\r\n").await?;
        }
        Ok(match response.framing {
            Framing::Close => Connection::Close,
            Framing::Chunked | Framing::Length(_) | Framing::Empty => Connection::Keep,
        })
    }

    /// A response whose length must be known, or whose body must be there before it can be encoded.
    async fn at_once(&mut self, response: &Response) -> io::Result<Connection> {
        let mut entity = Vec::new();
        for part in &response.parts {
            if let Part::Text(text) = part {
                entity.extend(self.blanks.fill(text).into_bytes());
            } else if let Part::Bytes(bytes) = part {
                entity.extend(bytes);
            } else {
                let text = format!("{part:?} needs a body of unknown length");
                return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
            }
        }
        self.keep(&entity)?;
        let body = response.coding.encode(&entity);
        self.head(response, Some(body.len())).await?;
        self.out.write_all(&body).await?;
        Ok(match response.framing {
            Framing::Length(0) => Connection::Keep,
            Framing::Length(_) | Framing::Chunked | Framing::Close | Framing::Empty => {
                Connection::Close
            }
        })
    }

    async fn head(&mut self, response: &Response, length: Option<usize>) -> io::Result<()> {
        let mut head = format!(
            "HTTP/1.1 {} {}\r\n",
            response.status,
            reason(response.status)
        );
        for (name, value) in &response.headers {
            head.push_str(&format!("{name}: {}\r\n", self.blanks.fill(value)));
        }
        match (response.framing, length) {
            (Framing::Length(more), Some(length)) => {
                head.push_str(&format!("Content-Length: {}\r\n", length + more));
            }
            (_, Some(length)) => head.push_str(&format!("Content-Length: {length}\r\n")),
            (Framing::Chunked, None) => head.push_str("Transfer-Encoding: chunked\r\n"),
            (Framing::Close, None) => head.push_str("Connection: close\r\n"),
            (Framing::Empty | Framing::Length(_), None) => {}
        }
        head.push_str("\r\n");
        if !response.slow_head {
            return self.out.write_all(head.as_bytes()).await;
        }
        for byte in head.bytes() {
            self.out.write_all(&[byte]).await?;
            if byte == b'\n' {
                sleep(Duration::from_millis(5)).await;
            }
        }
        Ok(())
    }

    async fn part(&mut self, part: &Part, chunked: bool) -> io::Result<Connection> {
        match part {
            Part::Text(text) => {
                let text = self.blanks.fill(text);
                self.body(text.as_bytes(), chunked).await?;
            }
            Part::Bytes(bytes) => self.body(bytes, chunked).await?,
            Part::Trickle(text) => {
                for byte in self.blanks.fill(text).into_bytes() {
                    self.body(&[byte], chunked).await?;
                }
            }
            Part::Burst(count, text) => self.burst(*count, text, chunked).await?,
            Part::Endless(pause, text) => self.endless(*pause, text, chunked).await?,
            Part::Big(before, mebibytes, after) => {
                let before = self.blanks.fill(before);
                self.body(before.as_bytes(), chunked).await?;
                let chunk = vec![b'x'; 1 << 20];
                for _ in 0..*mebibytes {
                    self.body(&chunk, chunked).await?;
                }
                self.body(after.as_bytes(), chunked).await?;
            }
            Part::Pause(ms) => sleep(Duration::from_millis(*ms)).await,
            Part::Await(method) => self.shared.heard_after(self.heard, method).await,
            Part::Stream => self.stream(chunked).await?,
            Part::Hang => std::future::pending().await,
            Part::Cut => return Ok(Connection::Close),
            Part::Reset => {
                self.out.as_ref().set_zero_linger()?;
                return Ok(Connection::Close);
            }
        }
        Ok(Connection::Keep)
    }

    async fn endless(&mut self, pause: u64, text: &str, chunked: bool) -> io::Result<()> {
        for round in 0_u64.. {
            let text = text.replace("$N", &round.to_string());
            self.body(text.as_bytes(), chunked).await?;
            sleep(Duration::from_millis(pause)).await;
        }
        Ok(())
    }

    async fn burst(&mut self, count: u64, text: &str, chunked: bool) -> io::Result<()> {
        let mut many = String::new();
        for round in 0..count {
            many.push_str(&text.replace("$N", &round.to_string()));
            if many.len() >= 1 << 16 {
                self.body(many.as_bytes(), chunked).await?;
                many.clear();
            }
        }
        self.body(many.as_bytes(), chunked).await
    }

    async fn stream(&mut self, chunked: bool) -> io::Result<()> {
        for number in 0.. {
            let message = self.shared.streamed(number).await;
            self.body(event(&message).as_bytes(), chunked).await?;
        }
        Ok(())
    }

    async fn body(&mut self, bytes: &[u8], chunked: bool) -> io::Result<()> {
        if bytes.is_empty() {
            // An empty chunk would be the end.
            return Ok(());
        }
        self.keep(bytes)?;
        if !chunked {
            return self.out.write_all(bytes).await;
        }
        let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
        chunk.extend(bytes);
        chunk.extend(b"\r\n");
        self.out.write_all(&chunk).await
    }

    fn keep(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.copy
            .as_mut()
            .map_or(Ok(()), |file| file.write_all(bytes))
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200..300 => "Fine",
        300..400 => "Elsewhere",
        _ => "Refused",
    }
}
