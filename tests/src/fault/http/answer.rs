//! What comes back to a request: a head and the parts of a body, or bytes that are no HTTP.

/// What comes back to a request.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// What the spec asks for.
    Good,
    /// All sessions are forgotten; then what the spec asks for.
    ForgetSessions,
    /// Nothing; the connection stays open.
    Silence,
    /// This text as it is, then the end of the connection.
    Raw(String),
    /// An HTTP response.
    Response(Response),
}

/// An HTTP response. In its texts `$ID` is the id of the request, `$N` the number of the round, `$ORIGIN` this server,
/// `$OTHER` the same server under another port.
#[derive(Clone, Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) framing: Framing,
    pub(crate) coding: Coding,
    /// The head byte by byte, with a pause after each line.
    pub(crate) slow_head: bool,
    pub(crate) parts: Vec<Part>,
}

/// How the end of the body is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    Chunked,
    /// `Content-Length`, with so much more than there is.
    Length(usize),
    /// The connection ends.
    Close,
    /// No body and no header about one (204).
    Empty,
}

/// The content coding. The parts must be text then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    Identity,
    Gzip,
    Brotli,
}

/// A part of a body.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Text(String),
    Bytes(Vec<u8>),
    /// Byte by byte, each in a chunk of its own.
    Trickle(String),
    /// This text so many times.
    Burst(u64, String),
    /// This text for ever, with so many milliseconds in between.
    Endless(u64, String),
    /// A text, so many mebibytes of `x`, a text.
    Big(&'static str, u64, &'static str),
    /// Does nothing for so many milliseconds.
    Pause(u64),
    /// Nothing until a message with this method has come in by another request.
    Await(&'static str),
    /// All messages that other requests leave for the stream, as events; it never ends by itself.
    Stream,
    /// Nothing until the client closes the connection.
    Hang,
    /// The connection ends here.
    Cut,
    /// The connection is reset here.
    Reset,
}

impl Response {
    /// A response without a body.
    pub(crate) fn empty(status: u16) -> Self {
        Self {
            status,
            headers: vec![],
            framing: Framing::Length(0),
            coding: Coding::Identity,
            slow_head: false,
            parts: vec![],
        }
    }

    /// A response of this type.
    pub(crate) fn typed(status: u16, content_type: &str, body: &str) -> Self {
        let mut response = Self::empty(status).with("Content-Type", content_type);
        response.parts = vec![Part::Text(body.to_owned())];
        response
    }

    /// A JSON response.
    pub(crate) fn json(status: u16, body: &str) -> Self {
        Self::typed(status, "application/json", body)
    }

    /// A stream of events.
    pub(crate) fn sse(parts: Vec<Part>) -> Self {
        let mut response = Self::empty(200)
            .with("Content-Type", "text/event-stream")
            .framed(Framing::Chunked);
        response.parts = parts;
        response
    }

    /// With a header.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With another way to tell the end.
    pub(crate) fn framed(self, framing: Framing) -> Self {
        Self { framing, ..self }
    }

    /// With a content coding and its header.
    pub(crate) fn coded(self, coding: Coding, name: &str) -> Self {
        let coded = self.with("Content-Encoding", name);
        Self { coding, ..coded }
    }
}

impl From<Response> for Answer {
    fn from(response: Response) -> Self {
        Self::Response(response)
    }
}

/// One event of a stream, as most servers write it.
pub(crate) fn event(data: &str) -> String {
    format!("event: message\ndata: {data}\n\n")
}

impl Coding {
    /// The bytes in this coding, by blocks that are stored and not compressed.
    pub(crate) fn encode(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Identity => bytes.to_vec(),
            Self::Gzip => gzip(bytes),
            Self::Brotli => brotli(bytes),
        }
    }
}

/// RFC 1952 around RFC 1951 §3.2.4.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    for block in bytes.chunks(0xffff) {
        let length = u16::try_from(block.len()).unwrap_or(u16::MAX);
        out.push(0);
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend(block);
    }
    out.extend([1, 0, 0, 0xff, 0xff]);
    out.extend(crc32(bytes).to_le_bytes());
    let size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    out.extend(size.to_le_bytes());
    out
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            let mask = (crc & 1).wrapping_neg();
            crc = (crc >> 1) ^ (0xedb8_8320 & mask);
        }
    }
    !crc
}

/// RFC 7932 §9.2: a window of 2^16, meta-blocks marked as uncompressed, an empty last one.
fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    if bytes.is_empty() {
        return vec![6];
    }
    for (number, block) in bytes.chunks(1 << 16).enumerate() {
        let length = u32::try_from(block.len() - 1).unwrap_or(0);
        // From the lowest bit: not last (1 bit), four nibbles of length (2), the length less one (16), uncompressed (1).
        let header = length << 3 | 1 << 19;
        // The first one comes after the one bit that tells the window.
        let bits = if number == 0 { header << 1 } else { header };
        out.extend(&bits.to_le_bytes()[..3]);
        out.extend(block);
    }
    out.push(3);
    out
}
