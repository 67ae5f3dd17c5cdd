//! Bodies in another charset than UTF-8. JSON between systems is UTF-8 (RFC 8259 § 8.1), and so is every event stream; some
//! servers send their JSON in what their framework is set to all the same.

use bytes::Bytes;
use encoding_rs::{Decoder, Encoding, UTF_8};
use reqwest::header::{CONTENT_TYPE, HeaderMap};

/// Turns a body into UTF-8, chunk by chunk.
pub(super) struct Charset {
    encoding: &'static Encoding,
    decoder: Decoder,
}

impl Charset {
    /// That of a response; `None` where it is UTF-8, not said, or no known one.
    pub(super) fn of(headers: &HeaderMap) -> Option<Self> {
        let encoding = Encoding::for_label(label(headers)?.as_bytes())?;
        (encoding != UTF_8).then(|| Self {
            encoding,
            decoder: encoding.new_decoder_with_bom_removal(),
        })
    }

    /// Its name.
    pub(super) fn name(&self) -> &'static str {
        self.encoding.name()
    }

    /// The next bytes as UTF-8; `last` gives what an unfinished character left.
    pub(super) fn decode(&mut self, bytes: &[u8], last: bool) -> Bytes {
        let mut text = String::new();
        // None only where the length overflows, which no chunk in memory can.
        if let Some(room) = self.decoder.max_utf8_buffer_length(bytes.len()) {
            text.reserve(room);
        }
        let _ = self.decoder.decode_to_string(bytes, &mut text, last);
        text.into()
    }
}

/// The `charset` parameter of the content type (RFC 9110 § 8.3.2).
fn label(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    let mut parameters = value.split(';').skip(1);
    parameters.find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let charset = name.trim().eq_ignore_ascii_case("charset");
        charset.then(|| value.trim().trim_matches('"').to_owned())
    })
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;

    fn read(kind: &str, chunks: &[&[u8]]) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_str(kind).expect("a value"));
        let mut charset = Charset::of(&headers)?;
        let mut all = Vec::new();
        for chunk in chunks {
            all.extend_from_slice(&charset.decode(chunk, false));
        }
        all.extend_from_slice(&charset.decode(b"", true));
        Some(String::from_utf8(all).expect("UTF-8"))
    }

    #[test]
    fn a_body_becomes_utf_8_whatever_it_was() {
        for (kind, chunks, text) in [
            (
                "application/json; charset=ISO-8859-1",
                &[&b"\xfc"[..]][..],
                Some("ü"),
            ),
            (
                "application/json;Charset=\"windows-1252\"",
                &[b"\x80"],
                Some("€"),
            ),
            (
                "application/json; charset=utf-16le",
                &[b"\xff\xfe\x3d", b"\xd8\x00\xde"],
                Some("😀"),
            ),
            (
                "application/json; charset=shift_jis",
                &[b"\x93", b"\xfa"],
                Some("日"),
            ),
            (
                "application/json; charset=shift_jis",
                &[b"\x93"],
                Some("\u{fffd}"),
            ),
            ("application/json; charset=UTF8", &[b"x"], None),
            ("application/json; charset=nonsense", &[b"x"], None),
            ("application/json", &[b"x"], None),
        ] {
            assert_eq!(read(kind, chunks).as_deref(), text, "{kind}");
        }
    }
}
