//! The handshake against servers that do it in odd ways: the right era is reached, or the error says why not.

use std::time::Duration;

use framescope_core::protocol::{Direction, EraChoice};
use framescope_core::record::EventKind;

use crate::peer::{Log, Peer, connect};

/// Methods of the requests that we sent, in order, with their `conn`.
fn asked(log: &Log) -> Vec<(u32, String)> {
    let requests = log
        .frames(Direction::ClientToServer)
        .filter(|row| row.rpc_id.is_some());
    requests
        .map(|row| (row.conn.0, row.method.clone().unwrap_or_default()))
        .collect()
}

fn words(expected: &[(u32, &str)]) -> Vec<(u32, String)> {
    expected
        .iter()
        .map(|(conn, method)| (*conn, (*method).to_owned()))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn e01_e02_e04_the_right_era_is_reached() {
    const PROBE: (u32, &str) = (0, "server/discover");
    const INIT: (u32, &str) = (0, "initialize");
    const AGAIN: (u32, &str) = (1, "initialize");
    for (scenario, revision, requests) in [
        ("good", "2025-11-25", &[PROBE, INIT][..]),
        ("good-modern", "2026-07-28", &[PROBE]),
        ("era-exits", "2025-11-25", &[PROBE, AGAIN]),
        ("era-exits-later", "2025-11-25", &[PROBE, INIT, AGAIN]),
        ("era-slow", "2026-07-28", &[PROBE]),
        ("era-method-not-found", "2025-11-25", &[PROBE, INIT]),
        ("era-invalid-params", "2025-11-25", &[PROBE, INIT]),
        ("era-invalid-request", "2025-11-25", &[PROBE, INIT]),
        ("era-own-error", "2025-11-25", &[PROBE, INIT]),
        ("era-zero", "2025-11-25", &[PROBE, INIT]),
        ("era-header-mismatch", "2026-07-28", &[PROBE]),
        ("era-unsupported-once", "2026-07-28", &[PROBE, PROBE]),
        ("era-unsupported-legacy", "2025-11-25", &[PROBE, INIT]),
        ("era-legacy-listed", "2025-11-25", &[PROBE, INIT]),
        ("era-odd-result", "2025-11-25", &[PROBE, INIT]),
    ] {
        let peer = Peer::start(&[scenario]).await;
        let negotiated = peer.client().await.negotiated();
        assert_eq!(negotiated.revision.as_str(), revision, "{scenario}");
        let log = peer.end().await;
        assert_eq!(asked(&log), words(requests), "{scenario}\n{log}");
        let notes = log.notes("negotiated").await;
        assert_eq!(notes.len(), 1, "{scenario}: one settled conn\n{log}");
        assert_eq!(notes[0].1["revision"], revision, "{scenario}");
        log.holds_every_byte().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn e02_e03_silence_leads_to_a_new_process_in_the_right_era() {
    const PROBE: (u32, &str) = (0, "server/discover");
    for (scenario, revision, requests) in [
        ("era-silent", "2025-11-25", &[PROBE, (1, "initialize")][..]),
        // Held in the same process it would lock the server; a new one has never heard the probe.
        ("era-late", "2025-11-25", &[PROBE, (1, "initialize")]),
        (
            "era-deaf-then-modern",
            "2026-07-28",
            &[PROBE, (1, "initialize"), (1, "server/discover")],
        ),
        // The answer comes while the process is being ended.
        ("era-slow", "2026-07-28", &[PROBE, (1, "server/discover")]),
    ] {
        let (connected, log) = connect(&[scenario], Duration::from_millis(200), async |client| {
            assert_eq!(
                client.negotiated().revision.as_str(),
                revision,
                "{scenario}"
            );
        })
        .await;
        connected.unwrap_or_else(|error| panic!("{scenario}: {error}\n{log}"));
        assert_eq!(asked(&log), words(requests), "{scenario}\n{log}");
        assert_eq!(
            log.events(EventKind::Opened).count(),
            2,
            "{scenario}\n{log}"
        );
        assert_eq!(
            log.events(EventKind::Closed).count(),
            2,
            "{scenario}: the first was ended before the second\n{log}"
        );
        assert!(
            !log.notes("handshake").await.is_empty(),
            "{scenario}: why is in the log\n{log}"
        );
        log.holds_every_byte().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_negotiated_says_why() {
    for (scenario, text) in [
        ("era-unsupported-modern", "2099-01-01"),
        ("era-unsupported-bare", "the server offers none"),
        ("era-refuses-all", "-32603"),
        ("era-bare-initialize", "protocol revision"),
        ("era-unknown-version", "1999-01-01"),
    ] {
        let peer = Peer::start(&[scenario]).await;
        let error = match peer.connected().await {
            Ok(client) => panic!("{scenario}: connected: {:?}", client.negotiated()),
            Err(error) => error.to_string(),
        };
        assert!(error.contains(text), "{scenario}: {error}");
        let log = peer.end().await;
        log.holds_every_byte().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chosen_era_is_not_probed() {
    for (scenario, choice, requests) in [
        ("good", EraChoice::Legacy, &[(0, "initialize")][..]),
        ("era-exits", EraChoice::Legacy, &[(0, "initialize")]),
        ("good-modern", EraChoice::Modern, &[(0, "server/discover")]),
    ] {
        let peer = Peer::speaking(&[scenario], choice).await;
        peer.client().await;
        let log = peer.end().await;
        assert_eq!(asked(&log), words(requests), "{scenario}\n{log}");
    }
}
