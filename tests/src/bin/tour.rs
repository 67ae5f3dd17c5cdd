//! What `cargo xtask run` does where there is no display: opens the app, connects the demo server, calls the weather
//! tool, saves a picture, prints the timeline.

use std::path::PathBuf;

use framescope_tests::cli::Cli;
use framescope_tests::driver::{App, Error};
use framescope_tests::peers::program;

#[tokio::main]
async fn main() -> Result<(), Error> {
    let picture: PathBuf = std::env::args_os()
        .nth(1)
        .ok_or("usage: tour PICTURE.png")?
        .into();
    let data = tempfile::tempdir()?;
    let app = App::start(
        &program("framescope").ok_or("the app is not built")?,
        data.path(),
    )
    .await?;
    app.connect("Demo server").await?;
    app.call(
        "com.example.weather/current",
        r#"{"location":"Berlin","units":"metric"}"#,
    )
    .await?;
    let result = app.result("ok").await?;
    app.picture(&picture).await?;
    app.quit().await?;

    let cli = Cli::on(data.path()).ok_or("framescope-cli is not built")?;
    let log = cli.run(&["log", "last"]);
    say(&log.text());
    say(&format!(
        "The weather tool answered:\n{result}\n\nThe window: {}",
        picture.display()
    ));
    Ok(())
}

fn say(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stdout(), "{text}");
}
