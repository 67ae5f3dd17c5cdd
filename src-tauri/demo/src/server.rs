//! What the server is and does: `rmcp`'s handler, which hands over to [`crate::tools`] and [`crate::offers`].
#![expect(
    deprecated,
    reason = "MCP deprecates logging in 2026-07-28, but it is part of every revision so far"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult,
    CompletionInfo, GetPromptRequestParams, GetPromptResponse, GetSkillRequestParams,
    GetSkillResult, Implementation, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListSkillsResult, ListToolsResult, LoggingLevel, MetaObject,
    PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse,
    ServerCapabilities, ServerConfig, SetLevelRequestParams, SubscribeRequestParams,
    SubscriptionFilter, UnsubscribeRequestParams,
};
use rmcp::service::{RequestContext, SubscriptionContext};
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio::task::JoinSet;

use crate::dialog::{Dialog, Round, Stop};
use crate::hub::{Hub, Subscribed};
use crate::wire::Output;
use crate::{offers, tools};

pub(crate) type Context = RequestContext<RoleServer>;

/// How long a client of the modern era may keep a list, in milliseconds. None ever changes there.
const FRESH_MS: u64 = 300_000;
/// How many resources a page of their list holds.
const PAGE: usize = 10;
/// What begins the cursor of a page.
const CURSOR: &str = "demo-from-";

const INSTRUCTIONS: &str = "A server to try an MCP client on. `com.example.weather/current` is an ordinary tool. The \
     tools named `args-…` take each kind of argument and return what they got. The others each show one thing that \
     servers do: answer late, report progress, log, ask the user or the model, fail, crash. Nothing here reaches the network \
     or changes anything.";

/// The demo server. One per connection.
pub(crate) struct Demo {
    /// The least severe level that a client of the legacy era wants to hear, as set by `logging/setLevel`.
    level: Mutex<LoggingLevel>,
    exit: Box<dyn Fn(u8) + Send + Sync>,
    output: Option<Output>,
    pub(crate) hub: Arc<Hub>,
    /// The resources that a legacy client has subscribed to.
    pub(crate) subscribed: Subscribed,
    /// Whether the extra tool, prompt and resource are there.
    extra: AtomicBool,
    /// Whether the page of `url-required` counts as visited.
    visited: AtomicBool,
    /// What goes on after an answer. It ends with the connection.
    tasks: Mutex<JoinSet<()>>,
}

impl Demo {
    /// `exit`: what the `exit` tool does with its code.
    pub(crate) fn new(exit: impl Fn(u8) + Send + Sync + 'static, hub: Arc<Hub>) -> Self {
        Self {
            level: Mutex::new(LoggingLevel::Debug),
            exit: Box::new(exit),
            output: None,
            hub,
            subscribed: Subscribed::default(),
            extra: AtomicBool::new(false),
            visited: AtomicBool::new(false),
            tasks: Mutex::default(),
        }
    }

    /// Whether the extra tool, prompt and resource are there.
    pub(crate) fn extra(&self) -> bool {
        self.extra.load(Ordering::Relaxed)
    }

    /// Lets them come or go, and says whether they are there now.
    pub(crate) fn toggle_extra(&self) -> bool {
        !self.extra.fetch_xor(true, Ordering::Relaxed)
    }

    /// Goes on with `work` after the answer.
    pub(crate) fn later(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.tasks.lock().spawn(work);
    }

    pub(crate) fn set_visited(&self) {
        self.visited.store(true, Ordering::Relaxed);
    }

    /// Whether the page was visited since this was last asked.
    pub(crate) fn take_visited(&self) -> bool {
        self.visited.swap(false, Ordering::Relaxed)
    }

    /// Lets tools write lines themselves, where there are lines.
    pub(crate) fn over(self, output: Output) -> Self {
        Self {
            output: Some(output),
            ..self
        }
    }

    /// Where lines go out; `None` on a transport that has none.
    pub(crate) fn output(&self) -> Option<Output> {
        self.output.clone()
    }

    pub(crate) fn exit(&self, code: u8) {
        (self.exit)(code);
    }

    /// The least severe level that the client wants to hear about this request; `None`: it wants no log messages.
    pub(crate) fn log_level(&self, context: &Context) -> Option<LoggingLevel> {
        if modern(context) {
            context.meta.log_level()
        } else {
            Some(*self.level.lock())
        }
    }
}

/// Who this server is, in every answer that tells.
pub(crate) fn identity() -> Implementation {
    Implementation::new("framescope-demo", env!("CARGO_PKG_VERSION"))
        .with_title("Framescope demo server")
        .with_description("Shows each thing that an MCP server can do, for trying a client on")
}

pub(crate) fn modern(context: &Context) -> bool {
    context
        .protocol_version()
        .is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

/// What a result of the modern era says of its server. Legacy results say nothing.
pub(crate) fn signature(context: &Context) -> Option<MetaObject> {
    let identity = serde_json::to_value(identity()).ok()?;
    modern(context).then(|| {
        let mut meta = MetaObject::new();
        meta.0
            .insert("io.modelcontextprotocol/serverInfo".to_owned(), identity);
        meta
    })
}

/// The page of `items` that a request asks for, and the cursor of the next one.
fn page<T>(
    mut items: Vec<T>,
    request: Option<PaginatedRequestParams>,
    size: usize,
) -> Result<(Vec<T>, Option<String>), ErrorData> {
    let cursor = request.and_then(|params| params.cursor);
    let from = match &cursor {
        None => 0,
        Some(cursor) => cursor
            .strip_prefix(CURSOR)
            .and_then(|from| from.parse().ok())
            .filter(|from| *from > 0 && *from < items.len() && from % size == 0)
            .ok_or_else(|| {
                let message = format!("cursor {cursor:?} is not one that this server gave");
                ErrorData::invalid_params(message, None)
            })?,
    };
    let more = items.len() > from.saturating_add(size);
    let page = items.drain(from..).take(size).collect();
    Ok((page, more.then(|| format!("{CURSOR}{}", from + size))))
}

macro_rules! list {
    ($result:ident, $items:expr, $request:expr, $context:expr) => {
        list!($result, $items, $request, $context, usize::MAX)
    };
    ($result:ident, $items:expr, $request:expr, $context:expr, $size:expr) => {{
        let (items, next) = page($items, $request, $size)?;
        let mut list = $result::with_all_items(items)
            .with_ttl_ms(FRESH_MS)
            .with_cache_scope(CacheScope::Public);
        list.next_cursor = next;
        if modern(&$context) {
            list.meta = signature(&$context);
        } else {
            (list.ttl_ms, list.cache_scope) = (None, None);
        }
        Ok(list)
    }};
}

impl ServerHandler for Demo {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_completions()
            .enable_logging()
            .enable_prompts()
            .enable_prompts_list_changed()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_resources_subscribe()
            .enable_tools()
            .enable_tool_list_changed()
            .enable_skills()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(identity())
            .with_instructions(INSTRUCTIONS)
    }

    async fn set_level(&self, request: SetLevelRequestParams, _: Context) -> Result<(), ErrorData> {
        *self.level.lock() = request.level;
        Ok(())
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        let mut all = tools::all();
        all.extend(self.extra().then(tools::extra));
        list!(ListToolsResult, all, request, context)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = tools::Arguments(request.arguments.unwrap_or_default());
        let round = Round {
            answers: request.input_responses,
            state: request.request_state,
        };
        tools::call(self, &request.name, &arguments, round, context).await
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        let all = offers::resources(self.extra());
        list!(ListResourcesResult, all, request, context, PAGE)
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        list!(
            ListResourceTemplatesResult,
            offers::templates(),
            request,
            context
        )
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let round = Round {
            answers: request.input_responses,
            state: request.request_state,
        };
        let dialog = Dialog::new(&context, round)?;
        match offers::read(self, &request.uri, dialog).await {
            Ok(mut result) => {
                result.meta = signature(&context);
                Ok(result.into())
            }
            Err(Stop::Again(result)) => Ok((*result).into()),
            Err(Stop::Refused(error)) => Err(error),
        }
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        list!(
            ListPromptsResult,
            offers::prompts(self.extra()),
            request,
            context
        )
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        let round = Round {
            answers: request.input_responses,
            state: request.request_state,
        };
        let dialog = Dialog::new(&context, round)?;
        let arguments = request.arguments.unwrap_or_default();
        match offers::prompt(&request.name, &arguments, self.extra(), dialog).await {
            Ok(mut result) => {
                result.meta = signature(&context);
                Ok(result.into())
            }
            Err(Stop::Again(result)) => Ok((*result).into()),
            Err(Stop::Refused(error)) => Err(error),
        }
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: Context,
    ) -> Result<CompleteResult, ErrorData> {
        let values = offers::complete(&request.r#ref, &request.argument, request.context.as_ref())?;
        let completion = CompletionInfo::with_all_values(values)
            .map_err(|why| ErrorData::internal_error(why, None))?;
        let mut result = CompleteResult::new(completion);
        result.meta = signature(&context);
        Ok(result)
    }

    async fn list_skills(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListSkillsResult, ErrorData> {
        list!(ListSkillsResult, offers::skills(), request, context)
    }

    async fn get_skill(
        &self,
        request: GetSkillRequestParams,
        context: Context,
    ) -> Result<GetSkillResult, ErrorData> {
        let mut result = GetSkillResult::new(offers::skill(&request.uri)?)
            .with_ttl_ms(FRESH_MS)
            .with_cache_scope(CacheScope::Public);
        result.meta = signature(&context);
        Ok(result)
    }

    async fn subscribe(
        &self,
        request: SubscribeRequestParams,
        _: Context,
    ) -> Result<(), ErrorData> {
        self.subscribed.lock().insert(request.uri);
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: Context,
    ) -> Result<(), ErrorData> {
        self.subscribed.lock().remove(&request.uri);
        Ok(())
    }

    /// Everything, but only this server's own resources.
    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let mut accepted = requested.clone();
        if let Some(uris) = &mut accepted.resource_subscriptions {
            uris.retain(|uri| uri.starts_with("demo://"));
        }
        self.hub.accepted();
        Some(accepted)
    }

    async fn listen(&self, subscription: SubscriptionContext) -> Result<(), ErrorData> {
        self.hub.listen(&subscription).await;
        Ok(())
    }
}
