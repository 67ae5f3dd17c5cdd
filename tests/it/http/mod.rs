//! The Streamable HTTP transport against a server that misbehaves: no byte is lost, nothing hangs, and what went wrong is
//! said in words. Ids like `H04` name public faults of other clients.

mod peer;

use framescope_core::client::Outcome;
use peer::{How, called, session, words};

#[tokio::test(flavor = "multi_thread")]
async fn survey() {
    let only = std::env::var("ONLY").unwrap_or_default();
    let list = std::process::Command::new(env!("CARGO_BIN_EXE_fault-server")).output().expect("a list");
    let list = String::from_utf8(list.stdout).expect("text");
    for line in list.lines().filter(|line| line.starts_with("http")) {
        let name = line.split_whitespace().nth(1).expect("a name");
        if !only.is_empty() && !only.split(',').any(|one| one == name) { continue; }
        let how = How { timeout: std::time::Duration::from_secs(2), ..How::default() };
        let (done, log) = session(&[name], how, async |client| {
            let first: Outcome = called(client).await;
            let second = called(client).await;
            (words(&first), words(&second))
        }).await;
        let cut = |text: String| text.chars().take(300).collect::<String>();
        match done {
            Ok((first, second)) => println!("{name}:\n   1 {}\n   2 {}", cut(first), cut(second)),
            Err(error) => println!("{name}:\n   not connected: {error}"),
        }
        if !only.is_empty() { println!("{log}"); }
        let check = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| log.holds_every_byte()));
        if check.is_err() { println!("   !!! {name} NOT CONSERVED"); }
    }
}
