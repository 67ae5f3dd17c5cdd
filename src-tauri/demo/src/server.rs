//! What the server is and does: `rmcp`'s handler, which hands over to [`crate::tools`] and [`crate::offers`].
#![expect(
    deprecated,
    reason = "MCP deprecates logging in 2026-07-28, but it is part of every revision so far"
)]

use parking_lot::Mutex;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult,
    CompletionInfo, GetPromptRequestParams, GetPromptResponse, Implementation, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, LoggingLevel, MetaObject,
    PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams, ReadResourceResponse,
    ServerCapabilities, ServerConfig, SetLevelRequestParams,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};

use crate::wire::Output;
use crate::{offers, tools};

pub(crate) type Context = RequestContext<RoleServer>;

/// How long a client of the modern era may keep a list, in milliseconds. None ever changes.
const FRESH_MS: u64 = 300_000;

const INSTRUCTIONS: &str = "A server to try an MCP client on. `com.example.weather/current` is an ordinary tool. The \
     tools named `args-…` take each kind of argument and return what they got. The others each show one thing that \
     servers do: answer late, report progress, log, fail, crash. Nothing here reaches the network or changes anything.";

/// The demo server. One per connection.
pub(crate) struct Demo {
    /// The least severe level that a client of the legacy era wants to hear, as set by `logging/setLevel`.
    level: Mutex<LoggingLevel>,
    exit: Box<dyn Fn(u8) + Send + Sync>,
    output: Option<Output>,
}

impl Demo {
    /// `exit`: what the `exit` tool does with its code.
    pub(crate) fn new(exit: impl Fn(u8) + Send + Sync + 'static) -> Self {
        Self {
            level: Mutex::new(LoggingLevel::Debug),
            exit: Box::new(exit),
            output: None,
        }
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

fn modern(context: &Context) -> bool {
    context
        .protocol_version()
        .is_some_and(|version| version >= ProtocolVersion::V_2026_07_28)
}

/// What a result of the modern era says of its server. Legacy results say nothing.
fn signature(context: &Context) -> Option<MetaObject> {
    let identity = serde_json::to_value(identity()).ok()?;
    modern(context).then(|| {
        let mut meta = MetaObject::new();
        meta.0
            .insert("io.modelcontextprotocol/serverInfo".to_owned(), identity);
        meta
    })
}

/// Every list has one page, so every cursor is one that this server never gave.
fn single_page(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|params| params.cursor) {
        Some(cursor) => Err(ErrorData::invalid_params(
            format!("cursor {cursor:?} is not one that this server gave: its lists have one page"),
            None,
        )),
        None => Ok(()),
    }
}

macro_rules! list {
    ($result:ident, $items:expr, $request:expr, $context:expr) => {{
        single_page($request)?;
        let mut list = $result::with_all_items($items)
            .with_ttl_ms(FRESH_MS)
            .with_cache_scope(CacheScope::Public);
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
            .enable_resources()
            .enable_tools()
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
        list!(ListToolsResult, tools::all(), request, context)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let meta = signature(&context);
        let arguments = tools::Arguments(request.arguments.unwrap_or_default());
        let result = tools::call(self, &request.name, &arguments, context).await?;
        Ok(result.with_meta(meta).into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        list!(ListResourcesResult, offers::resources(), request, context)
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
        let mut result = offers::read(&request.uri)?;
        result.meta = signature(&context);
        Ok(result.into())
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        list!(ListPromptsResult, offers::prompts(), request, context)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        let mut result = offers::prompt(&request.name, &request.arguments.unwrap_or_default())?;
        result.meta = signature(&context);
        Ok(result.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        context: Context,
    ) -> Result<CompleteResult, ErrorData> {
        let values = offers::complete(&request.r#ref, &request.argument)?;
        let completion = CompletionInfo::with_all_values(values)
            .map_err(|why| ErrorData::internal_error(why, None))?;
        let mut result = CompleteResult::new(completion);
        result.meta = signature(&context);
        Ok(result)
    }
}
