//! Tauri's build step.
#[path = "src/names.rs"]
mod names;

fn main() {
    // `generate_context!` panics where the folder is missing; an empty one lets Rust-only jobs build without npm.
    if let Err(error) = std::fs::create_dir_all("../ui/dist") {
        println!("cargo::warning=cannot create ../ui/dist: {error}");
    }
    println!("cargo::rerun-if-changed=src/names.rs");
    // Named commands get a permission each; `capabilities/main.json` grants them one by one.
    let manifest = tauri_build::AppManifest::new().commands(names::COMMANDS);
    if let Err(error) =
        tauri_build::try_build(tauri_build::Attributes::new().app_manifest(manifest))
    {
        println!("cargo::error={error:#}");
    }
}
