//! `conformance`: the client that the conformance suite drives. It does what a host would do with a server: lists what there
//! is and uses each of it once.

use std::sync::Arc;

use framescope_core::auth::Browser;
use framescope_core::client::{Answers, Client, ClientError, Draft, Tool};
use framescope_core::protocol::{AuthChoice, Grant};
use framescope_core::record::KnownSecrets;
use framescope_core::transport::{Answer, Ask, Web};
use futures_util::future::BoxFuture;
use serde_json::{Map, Value, json};

use crate::args::{Options, ServerArgs};
use crate::failure::Failure;
use crate::live::{How, with};
use crate::print::Print;

/// What the suite says in the environment.
#[derive(Debug, Default)]
struct Wanted {
    scenario: String,
    /// Calls that it wants, as tool and arguments.
    calls: Vec<(String, Value)>,
    /// How it wants the client to sign in.
    auth: AuthChoice,
}

impl Wanted {
    fn of_environment() -> Self {
        let context = std::env::var("MCP_CONFORMANCE_CONTEXT").unwrap_or_default();
        let context: Value = serde_json::from_str(&context).unwrap_or_default();
        let calls = context["toolCalls"].as_array().into_iter().flatten();
        let call = |call: &Value| {
            let name = call["name"].as_str()?.to_owned();
            Some((name, call["arguments"].clone()))
        };
        Self {
            scenario: std::env::var("MCP_CONFORMANCE_SCENARIO").unwrap_or_default(),
            calls: calls.filter_map(call).collect(),
            auth: auth(&context),
        }
    }
}

/// What the suite has registered beforehand.
fn auth(context: &Value) -> AuthChoice {
    let text = |name: &str| context[name].as_str().map(str::to_owned);
    let machine = text("private_key_pem").is_some() || text("issuer").is_none();
    let grant = match (text("client_id"), text("idp_id_token"), text("valid_jwt")) {
        (_, Some(_), _) => Grant::EnterpriseManaged,
        (_, _, Some(_)) => Grant::WorkloadIdentity,
        (Some(_), None, None) if machine => Grant::ClientCredentials,
        _ => Grant::AuthorizationCode,
    };
    AuthChoice {
        grant,
        client_id: text("client_id"),
        client_secret: text("client_secret"),
        private_key: text("private_key_pem"),
        key_alg: text("signing_algorithm"),
        issuer: text("issuer"),
        metadata_url: Some("https://conformance-test.local/client-metadata.json".to_owned()),
        assertion: text("idp_id_token").or_else(|| text("valid_jwt")),
        idp_token_endpoint: text("idp_token_endpoint"),
        idp_client_id: text("idp_client_id"),
        ..AuthChoice::default()
    }
}

/// Stands in for a person: goes where the suite's authorization server sends the browser, which agrees to everything.
struct Agrees;

impl Browser for Agrees {
    fn open<'a>(&'a self, url: &'a str) -> BoxFuture<'a, Result<(), String>> {
        Box::pin(async move {
            let web = Web::new(None, KnownSecrets::default(), None);
            let back = get(&web, url).await?;
            let back = back.header("location").ok_or("it was not sent back")?;
            get(&web, back).await.map(drop)
        })
    }

    fn is_needed(&self) -> bool {
        true
    }
}

async fn get(web: &Web, url: &str) -> Result<Answer, String> {
    let answer = web.ask(Ask::get(url)?).await;
    let answer = answer.map_err(|lost| lost.to_string())?;
    answer.map_err(|error| error.to_string())
}

/// Uses everything that the server offers.
pub(crate) async fn run(options: &Options, url: String, print: &mut Print) -> Result<(), Failure> {
    let wanted = Wanted::of_environment();
    let how = How {
        forced: true,
        answers: Answers::Defaults,
        auth: Some(wanted.auth.clone()),
        browser: Some(Arc::new(Agrees)),
        ..How::default()
    };
    with(
        options,
        ServerArgs::of_url(url),
        how,
        print,
        async |client: Client| use_all(&client, &wanted).await,
    )
    .await
}

async fn use_all(client: &Client, wanted: &Wanted) -> Result<(), Failure> {
    let capabilities: Value =
        serde_json::from_str(client.negotiated().capabilities.get()).unwrap_or_default();
    // A server without capabilities is asked for its tools all the same: they are what servers have.
    let tools = client.list_tools().await?.items;
    for (tool, arguments) in calls(&tools, wanted) {
        let params = json!({ "name": tool, "arguments": arguments });
        ask(client, "tools/call", &params).await?;
    }
    if capabilities.get("resources").is_some() {
        for resource in client.list_resources().await?.items {
            ask(client, "resources/read", &json!({ "uri": resource.uri })).await?;
        }
    }
    if capabilities.get("prompts").is_some() {
        for prompt in client.list_prompts().await?.items {
            let names = prompt
                .arguments
                .iter()
                .map(|argument| argument.name.clone());
            let arguments: Map<String, Value> = names.map(|name| (name, json!("x"))).collect();
            let params = json!({ "name": prompt.name, "arguments": arguments });
            ask(client, "prompts/get", &params).await?;
        }
    }
    Ok(())
}

/// The calls that the suite names, else one of each tool. A tool that must not be called is left out.
fn calls(tools: &[Tool], wanted: &Wanted) -> Vec<(String, Value)> {
    if !wanted.calls.is_empty() {
        return wanted.calls.clone();
    }
    let schema = |tool: &Tool| -> Value {
        let text = tool
            .input_schema
            .as_ref()
            .map_or("{}", |schema| schema.get());
        serde_json::from_str(text).unwrap_or_default()
    };
    if wanted.scenario == "json-schema-2020-12-preservation"
        && let [focal, echo] = tools
    {
        return vec![(echo.name.clone(), json!({ "schema": schema(focal) }))];
    }
    let usable = tools.iter().filter(|tool| tool.problem.is_none());
    usable
        .map(|tool| (tool.name.clone(), arguments(&schema(tool))))
        .collect()
}

/// A value for each required property.
fn arguments(schema: &Value) -> Value {
    let required = schema["required"].as_array().into_iter().flatten();
    let value = |name: &str| match schema["properties"][name]["type"].as_str() {
        Some("number" | "integer") => json!(5),
        Some("boolean") => json!(true),
        Some("array") => json!([]),
        Some("object") => json!({}),
        _ => json!("x"),
    };
    let named = required.filter_map(Value::as_str);
    named
        .map(|name| (name.to_owned(), value(name)))
        .collect::<Map<_, _>>()
        .into()
}

/// An error is an answer too: the suite judges what was sent.
async fn ask(client: &Client, method: &str, params: &Value) -> Result<(), ClientError> {
    let call = client
        .call(&Draft::new(method, Some(params.to_string())))
        .await?;
    call.outcome().await.answered(method).map(drop)
}
