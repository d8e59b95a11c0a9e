//! Finds the browser that pages are tested with.

use std::env;
use std::path::PathBuf;

/// A browser: that of the variable `CHROMIUM`, or one on the path. `None`, and a line that says so, where there is none.
///
/// # Panics
/// In CI there must be one.
pub fn chromium() -> Option<PathBuf> {
    let found = env::var_os("CHROMIUM").map(PathBuf::from).or_else(on_the_path);
    if found.is_none() {
        assert!(env::var_os("CI").is_none(), "there is no Chromium");
        eprintln!("left out: there is no Chromium to look at the page (CHROMIUM can name one)");
    }
    found
}

fn on_the_path() -> Option<PathBuf> {
    // One without windows first: it takes half the time.
    let names =
        ["chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome"];
    let path = env::var_os("PATH")?;
    env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name))).find(|program| program.is_file())
}
