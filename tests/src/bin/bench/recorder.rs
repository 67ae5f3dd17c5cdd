//! From the tap to the disk: rows and bytes a second.

use bytes::Bytes;
use framescope_core::history::{History, NewSession, OnLoss, Origin};
use framescope_core::protocol::{Direction, ServerConfig};
use framescope_core::record::{Carriage, KnownSecrets, SessionId};
use uuid::Uuid;

use crate::Error;
use crate::report::{Report, now};

pub(crate) async fn measure(report: &mut Report) -> Result<(), Error> {
    for (name, size, count) in [
        ("300 B", 300, 300_000_u32),
        ("4 KB", 4096, 60_000),
        ("200 KB", 200 * 1024, 2_000),
    ] {
        let folder = tempfile::tempdir()?;
        let history = History::open(folder.path()).await?;
        let recording = history.record(session(), KnownSecrets::default()).await?;
        let frame = Bytes::from(notification(size));
        let start = now();
        for _ in 0..count {
            recording
                .tap
                .frame(
                    Direction::ServerToClient,
                    frame.clone(),
                    Carriage::default(),
                )
                .await?;
        }
        recording.finish().await?;
        let seconds = start.elapsed().as_secs_f64();
        let rows = f64::from(count) / seconds;
        let megabytes = rows * size as f64 / 1e6;
        report.line(
            &format!("recorder, tap to closed file, {name}"),
            &format!("{rows:.0} rows/s"),
            &format!("{megabytes:.0} MB/s"),
        );
    }
    Ok(())
}

/// A session to record into.
pub(crate) fn session() -> NewSession {
    NewSession {
        id: SessionId(Uuid::now_v7()),
        server: None,
        server_name: "bench".into(),
        config: ServerConfig::Stdio {
            command: "bench".into(),
            args: vec![],
            env: Default::default(),
            cwd: None,
        },
        origin: Origin::Cli,
        previous: None,
        on_loss: OnLoss::Close,
    }
}

/// A notification of that many bytes.
pub(crate) fn notification(size: usize) -> String {
    let head =
        r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":""#;
    format!(
        "{head}{}\"}}}}",
        "x".repeat(size.saturating_sub(head.len() + 3))
    )
}
