//! Finds the requirements of these tests besides the program: a browser, the checks of axe-core, and the page without a
//! server.

use std::env;
use std::path::PathBuf;

/// The reason to ignore tests if there is no browser. With `CI` set they run, and fail.
pub fn lacks_chromium() -> Option<&'static str> {
    (found().is_none() && !is_ci()).then_some("no Chromium: CHROMIUM can name one")
}

/// The same for axe-core.
pub fn lacks_axe_core() -> Option<&'static str> {
    (!axe_core().is_file() && !is_ci())
        .then_some("no axe-core: AXE can name its axe.min.js, `npm pack axe-core` has it")
}

/// The same for the page without a server.
pub fn lacks_static_page() -> Option<&'static str> {
    (!static_page().is_dir() && !is_ci()).then_some("no target/page: `make page` writes it")
}

fn is_ci() -> bool {
    env::var_os("CI").is_some()
}

/// A browser: that of the variable `CHROMIUM`, or one on the path.
///
/// # Panics
/// If there is none.
pub fn chromium() -> PathBuf {
    found().expect("a Chromium on the path or in CHROMIUM")
}

fn found() -> Option<PathBuf> {
    // A headless build first: it takes half the time.
    let names =
        ["chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome"];
    env::var_os("CHROMIUM").map(PathBuf::from).or_else(|| {
        let path = env::var_os("PATH")?;
        env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name))).find(|program| program.is_file())
    })
}

/// The script of axe-core: that of the variable `AXE`, or the one that `.ci/run` fetches.
pub fn axe_core() -> PathBuf {
    let fetched = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/axe/package/axe.min.js");
    env::var_os("AXE").map_or_else(fetched, PathBuf::from)
}

/// The folder that `make page` writes.
pub fn static_page() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/page")
}
