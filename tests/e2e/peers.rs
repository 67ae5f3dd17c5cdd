//! A journey through published servers: each lists and calls in the real app.

use framescope_tests::driver::{App, Error};
use framescope_tests::peers::{server_filesystem, server_memory};
use serde_json::json;
use tempfile::tempdir;

use super::demo::says;
use super::{app, both_themes};

#[tokio::test]
async fn a_folder_and_a_memory_are_served_by_published_servers() -> Result<(), Error> {
    let data = tempdir()?;
    let folder = tempdir()?;
    let (Some(program), Some(files), Some(memory)) =
        (app(), server_filesystem(folder.path()), server_memory())
    else {
        return Ok(());
    };
    let kept = folder.path().join("memory.jsonl");
    let app = App::start_with(&program, data.path(), &[("MEMORY_FILE_PATH", &kept)]).await?;
    app.add_and_connect("files", &files).await?;
    let path = folder.path().join("note.txt");
    let write = json!({ "path": path, "content": "nine words that stand in a file on disk" });
    app.call("write_file", &write.to_string()).await?;
    // Writing is marked as destructive.
    app.click("destructive-send").await?;
    says(&app, "Successfully wrote").await?;
    app.call("read_text_file", &json!({ "path": path }).to_string())
        .await?;
    says(&app, "nine words that stand").await?;
    app.call(
        "list_directory",
        &json!({ "path": folder.path() }).to_string(),
    )
    .await?;
    says(&app, "[FILE] note.txt").await?;
    both_themes(&app, "peer-filesystem").await?;

    app.add_and_connect("memory", &memory).await?;
    let ada = json!({ "entities": [{ "name": "Ada", "entityType": "person", "observations": ["wrote notes"] }] });
    app.call("create_entities", &ada.to_string()).await?;
    says(&app, "wrote notes").await?;
    app.call("search_nodes", r#"{"query":"Ada"}"#).await?;
    says(&app, "person").await?;
    both_themes(&app, "peer-memory").await?;
    app.quit().await
}
