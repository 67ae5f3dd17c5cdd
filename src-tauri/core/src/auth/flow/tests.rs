//! Where metadata may lead.

use super::*;
use crate::auth::SystemBrowser;
use crate::record::KnownSecrets;
use crate::secrets::Secrets;

/// Link-local: where clouds keep what is theirs.
const NEAR: &str = "http://169.254.169.254/latest";

fn flow(server: &str, named: &str, accept_private: bool) -> Flow {
    let challenge = Challenge {
        status: 401,
        www_authenticate: vec![format!("Bearer resource_metadata=\"{named}\"")],
        ..Challenge::default()
    };
    let plan = Plan {
        server: server.to_owned(),
        challenge: Some(challenge),
        choice: AuthChoice {
            accept_private,
            ..AuthChoice::default()
        },
        ..Plan::default()
    };
    let web = Web::new(None, KnownSecrets::default(), None);
    let credentials = Credentials::new(Secrets::in_memory());
    Flow::new(plan, Arc::new(web), credentials, Arc::new(SystemBrowser)).unwrap()
}

#[tokio::test]
async fn a11_metadata_of_a_public_server_leads_to_no_private_address_without_consent() {
    let server = "https://93.184.215.14/mcp";
    let mut asked = flow(server, NEAR, false);
    let Err(Halt::Asked(consent)) = asked.run().await else {
        panic!("it goes there: {asked:?}");
    };
    assert_eq!(consent.kind, ConsentKind::PrivateAddress);
    assert!(consent.message.contains(NEAR), "{}", consent.message);
    let sent = asked.steps.iter().map(|step| step.exchanges.len());
    assert_eq!(sent.sum::<usize>(), 0, "nothing was sent");
    asked.answer(false);
    assert_eq!(asked.steps[1].state, StepState::Failed);

    // The authorization server that the metadata names, too.
    let mut named = flow(server, "https://93.184.215.14/prm", false);
    for step in &mut named.steps[..2] {
        step.state = StepState::Done;
    }
    let found = format!(r#"{{"authorization_servers":["{NEAR}"]}}"#);
    named.found.resource_metadata = serde_json::from_str(&found).ok();
    assert!(
        matches!(named.run().await, Err(Halt::Asked(_))),
        "{named:?}"
    );

    for (server, accept) in [(server, true), ("http://10.0.0.9/mcp", false)] {
        let mut free = flow(server, NEAR, accept);
        free.place = Some(place(&free.server).await);
        assert!(free.may_reach(NEAR, "it").await.is_ok(), "{server}");
    }
}
