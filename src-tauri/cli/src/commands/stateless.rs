//! `stateless`: whether a server that claims the modern era answers each request alone as it does over one connection.

use framescope_core::client::{Catalog, Client, Compared, Draft};
use framescope_core::protocol::Era;
use serde_json::{Value, json};

use crate::args::{Options, ServerArgs};
use crate::failure::Failure;
use crate::live::with_server;
use crate::print::{Print, visible};

/// Compares the lists that the server offers, and a call where one is named. One line a request: `same` or `differs`.
pub(crate) async fn check(
    options: &Options,
    server: ServerArgs,
    call: Option<Draft>,
    print: &mut Print,
) -> Result<(), Failure> {
    let compared = with_server(options, server, print, async |client: Client| {
        let negotiated = client.negotiated();
        if negotiated.era == Era::Legacy {
            return Err(Failure::Usage(
                "the server speaks the legacy era, which has a state on purpose: use --era modern"
                    .to_owned(),
            ));
        }
        let offered: Value =
            serde_json::from_str(negotiated.capabilities.get()).unwrap_or_default();
        let lists = [
            ("tools", Catalog::Tools),
            ("resources", Catalog::Resources),
            ("resources", Catalog::Templates),
            ("prompts", Catalog::Prompts),
        ];
        let offered = lists
            .into_iter()
            .filter(|(capability, _)| offered.get(capability).is_some())
            .map(|(_, list)| Draft::new(list.method(), None));
        let mut compared = vec![];
        let discover = Draft::new("server/discover", None);
        for draft in std::iter::once(discover).chain(offered).chain(call) {
            let result = client.compare_alone(&draft).await;
            compared.push((draft, result));
        }
        Ok(compared)
    })
    .await?;
    for (draft, result) in &compared {
        show(options, draft, result, print)?;
    }
    if compared.iter().all(|(_, result)| result.same == Some(true)) {
        return Ok(());
    }
    print.say(
        "the server does not answer alike: it keeps a state, or its answers change by themselves",
    );
    Err(Failure::Answered)
}

fn show(
    options: &Options,
    draft: &Draft,
    result: &Compared,
    print: &mut Print,
) -> std::io::Result<()> {
    let what = draft.about();
    if options.json {
        let line = json!({
            "method": draft.method,
            "what": what,
            "shared": result.shared.map(|seq| seq.0),
            "alone": result.alone.map(|seq| seq.0),
            "same": result.same,
            "message": result.message,
        });
        return print.line(line.to_string());
    }
    let verdict = match result.same {
        Some(true) => "same",
        Some(false) => "differs",
        None => "failed",
    };
    let words = [Some(draft.method.clone()), what, result.message.clone()];
    let words: Vec<_> = words.into_iter().flatten().collect();
    print.line(visible(&format!("{verdict} {}", words.join(" · ")), false))
}
