//! Tauri's build step.
fn main() {
    // `generate_context!` panics where the folder is missing; an empty one lets Rust-only jobs build without npm.
    if let Err(error) = std::fs::create_dir_all("../ui/dist") {
        println!("cargo::warning=cannot create ../ui/dist: {error}");
    }
    tauri_build::build();
}
