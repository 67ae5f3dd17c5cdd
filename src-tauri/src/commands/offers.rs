//! Resources, templates and prompts, and how the server introduced itself.

use framescope_core::client::{
    Catalog, Client, ClientError, Listed, Prompt, Resource, Template, Tool,
};
use tauri::State;

use super::Answer;
use super::catalog::message;
use super::log::reader;
use crate::rows::{ArgumentRow, OfferKind, OfferRow, OffersRow, PageKind, PageRow, ServerInfoRow};
use crate::state::{AppState, session_id};

#[tauri::command]
pub(crate) async fn list_offers(
    session: String,
    what: OfferKind,
    state: State<'_, AppState>,
) -> Answer<OffersRow> {
    let client = state.client(session_id(&session)?)?;
    match offers(&client, what).await {
        Ok(listed) => Ok(OffersRow {
            items: listed.items,
            problems: listed.problems,
        }),
        // A refusal is a fact about the list, not a failure of this app.
        Err(
            error @ (ClientError::Refused { .. }
            | ClientError::BadResult { .. }
            | ClientError::OverLimit { .. }),
        ) => Ok(OffersRow {
            items: vec![],
            problems: vec![error.to_string()],
        }),
        Err(error) => Err(error.into()),
    }
}

async fn offers(client: &Client, what: OfferKind) -> Result<Listed<OfferRow>, ClientError> {
    Ok(match what {
        OfferKind::Resources => client.list_resources().await?.map(resource),
        OfferKind::Templates => client.list_templates().await?.map(template),
        OfferKind::Prompts => client.list_prompts().await?.map(prompt),
    })
}

fn resource(item: Resource) -> OfferRow {
    OfferRow {
        name: item.name,
        title: item.title,
        description: item.description,
        uri: item.uri,
        mime_type: item.mime_type,
        size: item.size,
        arguments: vec![],
        raw: item.raw.get().to_owned(),
        problem: item.problem,
    }
}

fn template(item: Template) -> OfferRow {
    OfferRow {
        name: item.name,
        title: item.title,
        description: item.description,
        uri: item.uri_template,
        mime_type: item.mime_type,
        size: None,
        arguments: vec![],
        raw: item.raw.get().to_owned(),
        problem: item.problem,
    }
}

fn prompt(item: Prompt) -> OfferRow {
    let argument = |argument: framescope_core::client::PromptArgument| ArgumentRow {
        name: argument.name,
        title: argument.title,
        description: argument.description,
        required: argument.required,
    };
    OfferRow {
        name: item.name,
        title: item.title,
        description: item.description,
        uri: String::new(),
        mime_type: None,
        size: None,
        arguments: item.arguments.into_iter().map(argument).collect(),
        raw: item.raw.get().to_owned(),
        problem: item.problem,
    }
}

#[tauri::command]
pub(crate) async fn get_server_info(
    session: String,
    state: State<'_, AppState>,
) -> Answer<Option<ServerInfoRow>> {
    let reader = reader(&state, &session).await?;
    let mut newest = None;
    for method in ["initialize", "server/discover"] {
        let view = reader.view(&format!("kind:result method:{method}")).await?;
        let last = view.total().saturating_sub(1);
        let answer = reader.rows(&view.seqs(last, view.total())).await?.pop();
        newest = newest.max(answer.and_then(|row| Some((row.seq, row.reply_to?, method))));
    }
    let Some((answer, request, method)) = newest else {
        return Ok(None);
    };
    Ok(Some(ServerInfoRow {
        method: method.to_owned(),
        request: request.0,
        answer: answer.0,
        message: message(&reader, answer).await?,
    }))
}

#[tauri::command]
pub(crate) async fn list_page(
    session: String,
    what: PageKind,
    cursor: Option<String>,
    state: State<'_, AppState>,
) -> Answer<PageRow> {
    let client = state.client(session_id(&session)?)?;
    let catalog = match what {
        PageKind::Tools => Catalog::Tools,
        PageKind::Resources => Catalog::Resources,
        PageKind::Templates => Catalog::Templates,
        PageKind::Prompts => Catalog::Prompts,
    };
    let page = client.list_page(catalog, cursor.as_deref()).await?;
    let cache = page.listed.cache.clone();
    let listed = page.listed.map(|raw| match what {
        PageKind::Tools => tool(Tool::of(raw)),
        PageKind::Resources => resource(Resource::of(raw)),
        PageKind::Templates => template(Template::of(raw)),
        PageKind::Prompts => prompt(Prompt::of(raw)),
    });
    Ok(PageRow {
        items: listed.items,
        problems: listed.problems,
        next: page.next,
        request: page.request.0,
        answer: page.answer.0,
        ttl_ms: cache
            .ttl
            .map(|ttl| u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX)),
        cache_scope: cache.scope,
    })
}

fn tool(item: Tool) -> OfferRow {
    OfferRow {
        name: item.name,
        title: item.title,
        description: item.description,
        uri: String::new(),
        mime_type: None,
        size: None,
        arguments: vec![],
        raw: item.raw.get().to_owned(),
        problem: item.problem,
    }
}
