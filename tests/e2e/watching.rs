//! A server under construction: what is built is watched, the server restarts, and what that changed is told.

use framescope_tests::driver::{App, Error};
use tempfile::tempdir;

use super::{app, both_themes};

/// A legacy server whose tools stand in a file beside it.
const SERVER: &str = r#"
const tools = JSON.parse(require("fs").readFileSync(__dirname + "/tools.json", "utf8"));
const answers = {
  initialize: (params) => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "built", version: "1" } }),
  "tools/list": () => ({ tools }),
  "tools/call": ({ name, arguments: given }) => ({ content: [{ type: "text", text: name + " was given " + JSON.stringify(given) }] }),
};
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: "unknown" } };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...body }));
});
"#;

/// Tools with these names and descriptions.
fn tools(tools: &[(&str, &str)]) -> String {
    let one = |(name, description): &(&str, &str)| {
        format!(
            r#"{{"name":"{name}","description":"{description}","inputSchema":{{"type":"object","properties":{{"city":{{"type":"string"}}}}}}}}"#
        )
    };
    let all: Vec<_> = tools.iter().map(one).collect();
    format!("[{}]", all.join(","))
}

#[tokio::test]
async fn what_is_built_again_is_restarted_compared_and_called_again() -> Result<(), Error> {
    let (data, built) = (tempdir()?, tempdir()?);
    let Some(app) = app() else {
        return Ok(());
    };
    let (server, list) = (
        built.path().join("server.cjs"),
        built.path().join("tools.json"),
    );
    std::fs::write(&server, SERVER)?;
    std::fs::write(&list, tools(&[("forecast", "Weather"), ("wind", "Wind")]))?;
    let app = App::start(&app, data.path()).await?;
    app.click("add-server").await?;
    app.fill("add-server-input", &format!("node {}", server.display()))
        .await?;
    app.fill("add-server-name", "built").await?;
    app.fill("watch-paths", &built.path().display().to_string())
        .await?;
    app.click("add-server-connect").await?;
    app.call("forecast", r#"{"city":"Oslo"}"#).await?;
    let first = app.result("ok").await?;
    assert!(first.contains("Oslo"), "{first}");

    let now = [("forecast", "Weather of a city"), ("rain", "Rain")];
    std::fs::write(&list, tools(&now))?;
    app.get("restart-strip").await?;
    let told = "(document.querySelector('[data-testid=restart-strip]')?.innerText ?? '')";
    app.until(&format!(
        "{told}.includes('tools.json changed') && {told}.includes('1 tool added, 1 removed, 1 changed')"
    ))
    .await?;
    app.eval("document.querySelector('[data-testid=restart-changes] summary').click()")
        .await?;
    app.until(&format!(
        "['added rain', 'removed wind', 'changed forecast'].every(words => {told}.includes(words))"
    ))
    .await?;
    both_themes(&app, "restarted").await?;
    app.click("run-again").await?;
    app.until("[...document.querySelectorAll('[data-testid=timeline-row]')].some(row => row.dataset.kind === 'result' && row.innerText.includes('Oslo'))").await?;

    // And once more: the new session is watched as well.
    std::fs::write(&list, tools(&now[..1]))?;
    app.until(&format!("{told}.includes('1 tool removed')"))
        .await?;
    app.quit().await
}
