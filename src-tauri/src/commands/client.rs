//! How this app shows itself to a server, and the checks that talk to a server in two ways.

use framescope_core::client::{Answers, Draft, capabilities, client_info};
use framescope_core::history::Origin;
use framescope_core::manager::{self, OpenOptions};
use framescope_core::protocol::{ClientChoice, Era, EraChoice, Rule, RuleError};
use framescope_core::record::SessionId;
use serde_json::value::RawValue;
use tauri::State;

use super::Answer;
use super::log::reader;
use super::talk::{core_draft, logged};
use crate::rows::{
    BothErasRow, ClientDefaults, ClientDraft, ClientRow, ErrorCode, IpcErrorRow, RequestDraft,
    RuleAnswer, RuleRow, SideRow, StatelessRow,
};
use crate::state::{AppState, session_id};

#[tauri::command]
pub(crate) async fn get_client(server: String, state: State<'_, AppState>) -> Answer<ClientRow> {
    let server = state.server(&server).await?;
    let choice = state.history()?.client_choice(server.id).await?;
    Ok(ClientRow {
        info: choice.info,
        legacy: choice.legacy,
        modern: choice.modern,
        defaults: ClientDefaults {
            info: client_info(),
            legacy: capabilities(Answers::Ask, Era::Legacy).to_owned(),
            modern: capabilities(Answers::Ask, Era::Modern).to_owned(),
        },
        rules: choice.rules.into_iter().map(rule_row).collect(),
    })
}

#[tauri::command]
pub(crate) async fn set_client(
    server: String,
    draft: ClientDraft,
    state: State<'_, AppState>,
) -> Answer<()> {
    let server = state.server(&server).await?;
    let choice = ClientChoice {
        info: object("the identity", draft.info)?,
        legacy: object("the capabilities of the legacy era", draft.legacy)?,
        modern: object("the capabilities of the modern era", draft.modern)?,
        rules: draft
            .rules
            .into_iter()
            .map(rule)
            .collect::<Result<_, _>>()?,
    };
    let manager = state.manager()?;
    manager
        .history()
        .set_client_choice(server.id, &choice)
        .await?;
    let live = manager.live().into_iter();
    for session in live.filter(|live| live.server == Some(server.id)) {
        if let Some(client) = manager.client(session.id) {
            client.set_rules(choice.rules.clone());
        }
    }
    Ok(())
}

/// A text that must be a JSON object, kept as it is but for the space around it; an empty one is none.
fn object(what: &str, text: Option<String>) -> Answer<Option<String>> {
    let Some(text) = text.map(|text| text.trim().to_owned()) else {
        return Ok(None);
    };
    if text.is_empty() {
        return Ok(None);
    }
    let is_object = serde_json::from_str::<&RawValue>(&text).is_ok() && text.starts_with('{');
    if is_object {
        return Ok(Some(text));
    }
    Err(IpcErrorRow::new(
        ErrorCode::InvalidConfig,
        format!("{what} must be a JSON object"),
    ))
}

fn rule_row(rule: Rule) -> RuleRow {
    let answer = match (rule.result, rule.error) {
        (Some(result), _) => RuleAnswer::Result {
            json: result.get().to_owned(),
        },
        (None, Some(error)) => RuleAnswer::Error {
            code: error.code,
            message: error.message,
        },
        (None, None) => RuleAnswer::Defaults,
    };
    RuleRow {
        on: rule.on,
        method: rule.method,
        contains: rule.contains,
        answer,
    }
}

fn rule(row: RuleRow) -> Answer<Rule> {
    let (result, error) = match row.answer {
        RuleAnswer::Defaults => (None, None),
        RuleAnswer::Result { json } => {
            let result = RawValue::from_string(json).map_err(|error| {
                let text = format!(
                    "the answer of the rule for {} is no JSON: {error}",
                    row.method
                );
                IpcErrorRow::new(ErrorCode::InvalidConfig, text)
            })?;
            (Some(result), None)
        }
        RuleAnswer::Error { code, message } => (None, Some(RuleError { code, message })),
    };
    Ok(Rule {
        on: row.on,
        method: row.method,
        contains: row.contains,
        result,
        error,
    })
}

#[tauri::command]
pub(crate) async fn call_both_eras(
    session: String,
    draft: RequestDraft,
    state: State<'_, AppState>,
) -> Answer<BothErasRow> {
    let id = session_id(&session)?;
    let client = state.client(id)?;
    let draft = core_draft(draft);
    let era = client.negotiated().era;
    let (here, there) = tokio::join!(
        sent(&state, id, &draft),
        sent_in(&state, id, other(era), &draft)
    );
    let (legacy, modern) = match era {
        Era::Legacy => (here, there),
        Era::Modern => (there, here),
    };
    Ok(BothErasRow { legacy, modern })
}

fn other(era: Era) -> Era {
    match era {
        Era::Legacy => Era::Modern,
        Era::Modern => Era::Legacy,
    }
}

async fn sent(state: &AppState, session: SessionId, draft: &Draft) -> SideRow {
    let sending = async {
        let client = state.client(session)?;
        let seq = client.call(draft).await?.seq();
        // The page asks the log for it next.
        logged(&reader(state, &session.to_string()).await?, seq).await?;
        Ok::<_, IpcErrorRow>(seq)
    };
    let (seq, problem) = match sending.await {
        Ok(seq) => (Some(seq.0), None),
        Err(error) => (None, Some(error.message)),
    };
    SideRow {
        session: Some(session.to_string()),
        seq,
        problem,
    }
}

/// Sends it in a session of the same server in another era, which stays open.
async fn sent_in(state: &AppState, session: SessionId, era: Era, draft: &Draft) -> SideRow {
    match in_era(state, session, era).await {
        Ok(other) => sent(state, other, draft).await,
        Err(error) => SideRow {
            session: None,
            seq: None,
            problem: Some(error.message),
        },
    }
}

/// A live session of the same server in an era; opens one where there is none.
async fn in_era(state: &AppState, session: SessionId, era: Era) -> Answer<SessionId> {
    let manager = state.manager()?;
    let summary = manager.history().session(session).await?;
    let in_era = |live: &manager::Live| matches!(&live.state, manager::State::Connected { negotiated, .. } if negotiated.era == era);
    let live = manager.live();
    let mut same = live.iter().filter(|live| live.server == summary.server);
    if let Some(open) = same.find(|live| in_era(live)) {
        return Ok(open.id);
    }
    let missing = || {
        IpcErrorRow::new(
            ErrorCode::NotFound,
            "its server is not in the list any more",
        )
    };
    let server = state
        .server(&summary.server.ok_or_else(missing)?.to_string())
        .await?;
    let chosen = match era {
        Era::Legacy => EraChoice::Legacy,
        Era::Modern => EraChoice::Modern,
    };
    let options = OpenOptions {
        era: Some(chosen),
        answers: Answers::Ask,
        roots: manager.history().roots(server.id).await?,
        choice: manager.history().client_choice(server.id).await?,
        ..OpenOptions::new(Origin::App)
    };
    let id = manager.open(&server, options).await?;
    manager.connected(id).await?;
    Ok(id)
}

#[tauri::command]
pub(crate) async fn check_stateless(
    session: String,
    drafts: Vec<RequestDraft>,
    state: State<'_, AppState>,
) -> Answer<Vec<StatelessRow>> {
    let client = state.client(session_id(&session)?)?;
    if client.negotiated().era == Era::Legacy {
        return Err(IpcErrorRow::new(
            ErrorCode::InvalidConfig,
            "this session is of the legacy era, whose servers may keep a state: connect in the modern era",
        ));
    }
    let mut rows = vec![];
    for draft in drafts {
        let draft = core_draft(draft);
        let compared = client.compare_alone(&draft).await;
        rows.push(StatelessRow {
            what: draft.about(),
            method: draft.method,
            shared: compared.shared.map(|seq| seq.0),
            alone: compared.alone.map(|seq| seq.0),
            same: compared.same,
            message: compared.message,
        });
    }
    Ok(rows)
}
