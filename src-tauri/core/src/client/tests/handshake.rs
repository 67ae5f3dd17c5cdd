//! The handshake with real processes as servers.

use super::{DISCOVER, INITIALIZE, NOT_FOUND, connect, fake, impatient, refused, sent};
use crate::client::Connect;
use crate::protocol::{Era, EraChoice, Revision};
use crate::record::{EventKind, StoppedBy};
use crate::transport::testing::{TestLog, script};

/// What came of a handshake: the log; era, revision, name and conn, or the error; what was sent.
type Found = (TestLog, String, Vec<String>);

async fn outcome(answers: &[(&str, &str)], era: EraChoice) -> Found {
    let log = TestLog::start();
    let connect = connect(&log, fake(answers), era);
    finish(log, connect).await
}

/// With a server that is silent on purpose.
async fn outcome_of_silence(answers: &[(&str, &str)], era: EraChoice) -> Found {
    let log = TestLog::start();
    let connect = impatient(connect(&log, fake(answers), era));
    finish(log, connect).await
}

async fn finish(log: TestLog, connect: Connect) -> Found {
    let result = connect.run().await;
    let text = match &result {
        Ok(client) => {
            let negotiated = client.negotiated();
            client.close(StoppedBy::User, None);
            client.gone().await;
            format!(
                "{} {} {} {}",
                negotiated.era.as_str(),
                negotiated.revision,
                negotiated.name,
                client.conn().0
            )
        }
        Err(error) => error.to_string(),
    };
    log.until("the end", |all| {
        (all.last()?.record.event == EventKind::Closed).then_some(())
    })
    .await;
    let sent = sent(&log);
    (log, text, sent)
}

#[tokio::test]
async fn an_error_to_the_probe_leads_to_initialize_in_the_same_process() {
    let (log, found, sent) = outcome(&[NOT_FOUND, INITIALIZE], EraChoice::Auto).await;
    assert_eq!(found, "legacy 2025-11-25 fake 0");
    assert_eq!(
        sent,
        [
            "0:1 server/discover",
            "0:2 initialize",
            "0:- notifications/initialized"
        ]
    );
    let notes: Vec<_> = log
        .all()
        .iter()
        .filter_map(|logged| logged.note("negotiated"))
        .collect();
    assert_eq!(notes.len(), 1, "what was settled is in the log");
    assert_eq!(notes[0]["capabilities"], serde_json::json!({"tools": {}}));
}

#[tokio::test]
async fn a_modern_server_needs_no_initialize() {
    let (_, found, sent) = outcome(&[DISCOVER, INITIALIZE], EraChoice::Auto).await;
    assert_eq!(found, "modern 2026-07-28 fake 0");
    assert_eq!(sent, ["0:1 server/discover"]);
}

#[tokio::test]
async fn a_refused_revision_is_asked_again_once() {
    let refusal = r#"{"jsonrpc":"2.0","id":$id,"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}}"#;
    let once = format!(
        "!test -n \"$seen\" && printf '%s\\n' \"{}\" || printf '%s\\n' \"{}\"\n!seen=1",
        DISCOVER.1.replace('"', "\\\""),
        refusal.replace('"', "\\\"")
    );
    let (_, found, sent) = outcome(&[("server/discover", &once)], EraChoice::Auto).await;
    assert_eq!(found, "modern 2026-07-28 fake 0");
    assert_eq!(sent, ["0:1 server/discover", "0:2 server/discover"]);
    let (_, found, sent) =
        outcome(&[("server/discover", refusal), INITIALIZE], EraChoice::Auto).await;
    assert!(found.contains("share no protocol revision"), "{found}");
    assert_eq!(
        sent.len(),
        2,
        "no initialize after a modern error: {sent:?}"
    );
}

#[tokio::test]
async fn silence_and_exit_lead_to_a_new_process() {
    for (answer, noted) in [
        ("!:", "did not answer"),
        ("!exit 1", "ended at server/discover"),
    ] {
        let (log, found, sent) =
            outcome_of_silence(&[("server/discover", answer), INITIALIZE], EraChoice::Auto).await;
        assert_eq!(found, "legacy 2025-11-25 fake 1", "{answer}");
        assert_eq!(
            sent,
            [
                "0:1 server/discover",
                "1:2 initialize",
                "1:- notifications/initialized"
            ]
        );
        let all = log.all();
        let said = all.iter().any(|logged| {
            logged.note("handshake").is_some_and(|note| {
                note["text"]
                    .as_str()
                    .is_some_and(|text| text.contains(noted))
            })
        });
        assert!(said, "{answer}: {:?}", log.lines());
        let unanswered: Vec<_> = all
            .iter()
            .filter(|logged| logged.note("unanswered").is_some())
            .collect();
        assert_eq!(unanswered.len(), 1, "the probe is noted as unanswered");
        let closed = all
            .iter()
            .position(|logged| logged.record.event == EventKind::Closed)
            .unwrap();
        let unanswered = all
            .iter()
            .position(|logged| logged.note("unanswered").is_some())
            .unwrap();
        assert!(
            unanswered < closed,
            "notes about what is left come before the end"
        );
    }
}

#[tokio::test]
async fn a_late_answer_to_the_probe_wins() {
    // Answers only once its input is closed, and at once the second time.
    let log = TestLog::start();
    let answer = DISCOVER.1.replace("$id", "1");
    let second = DISCOVER.1.replace("$id", "2");
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("seen").display().to_string();
    let text = format!(
        "if test -e {mark}; then read -r line; echo '{second}'; cat >/dev/null; else :> {mark}; cat >/dev/null; echo '{answer}'; fi"
    );
    let client = impatient(connect(&log, script(&text), EraChoice::Auto))
        .run()
        .await
        .unwrap();
    assert_eq!((client.negotiated().era, client.conn().0), (Era::Modern, 1));
    assert_eq!(sent(&log), ["0:1 server/discover", "1:2 server/discover"]);
}

#[tokio::test]
async fn initialize_refused_as_by_a_modern_server_leads_back_once() {
    let refusal = (
        "initialize",
        r#"{"jsonrpc":"2.0","id":$id,"error":{"code":-32022,"message":"modern"}}"#,
    );
    // The first probe is not answered, later ones are.
    let answer = format!(
        "!test \"$id\" != 1 && printf '%s\\n' \"{}\"",
        DISCOVER.1.replace('"', "\\\"")
    );
    let (_, found, sent) =
        outcome_of_silence(&[("server/discover", &answer), refusal], EraChoice::Auto).await;
    assert_eq!(found, "modern 2026-07-28 fake 1");
    assert_eq!(
        sent,
        [
            "0:1 server/discover",
            "1:2 initialize",
            "1:3 server/discover"
        ]
    );
    let (_, found, _) = outcome(&[NOT_FOUND, refusal], EraChoice::Auto).await;
    assert!(
        found.contains("the server answered initialize with error -32022: modern"),
        "{found}"
    );
}

#[tokio::test]
async fn the_user_can_force_either_era() {
    let both = [DISCOVER, INITIALIZE];
    let check = async |answers: &[(&str, &str)], era: EraChoice, expected: &str, first: &str| {
        let (_, found, sent) = outcome_of_silence(answers, era).await;
        assert!(found.starts_with(expected), "{era}: {found}");
        assert_eq!(sent[0], first, "{era}");
    };
    check(
        &both,
        EraChoice::Legacy,
        "legacy 2025-11-25",
        "0:1 initialize",
    )
    .await;
    check(
        &both,
        EraChoice::Modern,
        "modern 2026-07-28",
        "0:1 server/discover",
    )
    .await;
    check(
        &both,
        EraChoice::Revision(Revision::V2026_07_28),
        "modern 2026-07-28",
        "0:1 server/discover",
    )
    .await;
    check(
        &both,
        EraChoice::Revision(Revision::V2025_11_25),
        "legacy 2025-11-25",
        "0:1 initialize",
    )
    .await;
    let other = "this app and the server share no protocol revision: the server offers 2025-11-25, this app was to speak 2024-11-05";
    check(
        &both,
        EraChoice::Revision(Revision::V2024_11_05),
        other,
        "0:1 initialize",
    )
    .await;
    // Forced is forced: a server without server/discover is spoken to all the same.
    check(
        &[NOT_FOUND],
        EraChoice::Modern,
        "modern 2026-07-28",
        "0:1 server/discover",
    )
    .await;
    check(
        &[],
        EraChoice::Modern,
        "the server did not answer server/discover within",
        "0:1 server/discover",
    )
    .await;
}

#[tokio::test]
async fn a_legacy_server_may_name_another_revision() {
    let versions = r#"{"jsonrpc":"2.0","id":$id,"error":{"code":-32602,"message":"Unsupported","data":{"supported":["2024-11-05"]}}}"#;
    let answer = format!(
        "!case $line in *2024-11-05*) printf '%s\\n' \"{}\";; *) printf '%s\\n' \"{}\";; esac",
        INITIALIZE
            .1
            .replace("2025-11-25", "2024-11-05")
            .replace('"', "\\\""),
        versions.replace('"', "\\\"")
    );
    let (_, found, sent) = outcome(&[NOT_FOUND, ("initialize", &answer)], EraChoice::Auto).await;
    assert_eq!(found, "legacy 2024-11-05 fake 0");
    assert_eq!(sent[1..3], ["0:2 initialize", "0:3 initialize"]);
}

#[tokio::test]
async fn a_server_that_dies_is_named_with_its_stderr() {
    let log = TestLog::start();
    let error = refused(
        connect(
            &log,
            script("echo 'no module named x' >&2; exit 1"),
            EraChoice::Auto,
        )
        .run()
        .await,
    );
    assert_eq!(
        error,
        "the server exited with code 1 before answering initialize; last stderr: no module named x"
    );
}

#[tokio::test]
async fn the_user_can_give_up_while_connecting() {
    let log = TestLog::start();
    let connect = connect(&log, fake(&[]), EraChoice::Auto);
    let stop = connect.stop.clone();
    let (result, ()) = tokio::join!(Connect::run(connect), async {
        log.until("the probe", |all| (all.len() > 1).then_some(()))
            .await;
        stop.cancel();
    });
    assert!(
        refused(result).starts_with("the connection was closed before answering server/discover")
    );
    log.until("the end", |all| {
        all.iter()
            .any(|logged| logged.record.event == EventKind::Closed)
            .then_some(())
    })
    .await;
}
