//! Small files of each kind, made here.

pub(crate) const ICON: &[u8] = include_bytes!("../../../../icons/64x64.png");

/// A drawing. Scripts in it must not run anywhere.
pub(crate) const DRAWING: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="28" fill="#4c6fff"/><script>alert("a script in a drawing")</script></svg>"##;

/// A page. It is data for its reader, never part of theirs.
pub(crate) const PAGE: &str = "<!doctype html>\n<title>A page</title>\n<h1>A page of a server</h1>\n<script>alert('a script in a page')</script>\n<img src=x onerror=alert(1)>\n";

/// A WAV file: 8-bit mono at 8 kHz, a quarter of a second.
pub(crate) fn tone() -> Vec<u8> {
    const RATE: u32 = 8_000;
    const SAMPLES: u32 = RATE / 4;
    let mut wav = Vec::new();
    wav.extend(b"RIFF");
    wav.extend((36 + SAMPLES).to_le_bytes());
    wav.extend(b"WAVEfmt ");
    wav.extend(16_u32.to_le_bytes());
    wav.extend(1_u16.to_le_bytes());
    wav.extend(1_u16.to_le_bytes());
    wav.extend(RATE.to_le_bytes());
    wav.extend(RATE.to_le_bytes());
    wav.extend(1_u16.to_le_bytes());
    wav.extend(8_u16.to_le_bytes());
    wav.extend(b"data");
    wav.extend(SAMPLES.to_le_bytes());
    wav.extend((0..SAMPLES).map(|i| {
        let phase = f64::from(i) / f64::from(RATE) * 440.0 * std::f64::consts::TAU;
        (128.0 + 80.0 * phase.sin()) as u8
    }));
    wav
}

/// Every byte value, four times.
pub(crate) fn bytes() -> Vec<u8> {
    (0..=255).cycle().take(1_024).collect()
}

/// A PDF of one page with one line of text.
pub(crate) fn paper() -> Vec<u8> {
    let text = "BT /F1 18 Tf 40 90 Td (A paper of the demo server) Tj ET";
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 320 180] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>".to_owned(),
        format!("<< /Length {} >>\nstream\n{text}\nendstream", text.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    let mut pdf = "%PDF-1.4\n".to_owned();
    let mut offsets = vec![];
    for (object, number) in objects.iter().zip(1..) {
        offsets.push(pdf.len());
        pdf.push_str(&format!("{number} 0 obj\n{object}\nendobj\n"));
    }
    let table = pdf.len();
    pdf.push_str(&format!(
        "xref\n0 {}\n0000000000 65535 f \n",
        offsets.len() + 1
    ));
    for offset in &offsets {
        pdf.push_str(&format!("{offset:010} 00000 n \n"));
    }
    pdf.push_str(&format!(
        "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n",
        offsets.len() + 1
    ));
    pdf.into_bytes()
}
