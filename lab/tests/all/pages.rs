//! Commands in the pages have flags that exist.

use std::fs;
use std::path::Path;

use regex::Regex;

use crate::support::folder::Folder;

const PAGES: [&str; 3] = ["lab/README.md", "docs/CONTRIBUTING.md", "docs/training.md"];

#[test]
fn commands_of_the_pages_have_flags_that_exist() {
    let call = Regex::new(r"(?m)(?:^|/)tak-lab ([a-z]+)([^|>;&\n]*)").unwrap();
    let flag = Regex::new("--[a-z-]+").unwrap();
    let folder = Folder::new("pages");
    let mut checked = 0;
    for page in PAGES {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(page)).unwrap();
        for found in text.replace("\\\n", " ").lines().flat_map(|line| call.captures_iter(line)) {
            let inner = found[2].split_whitespace().next().filter(|&word| ["make", "--spsa"].contains(&word));
            let help = folder.succeed(&format!("{} {} --help", &found[1], inner.unwrap_or_default()));
            for flag in flag.find_iter(&found[2]).map(|flag| flag.as_str()).filter(|&flag| flag != "--spsa") {
                let known = help.split_whitespace().any(|word| word.trim_end_matches(',') == flag);
                assert!(known, "{page}: {found:?} has no {flag}");
                checked += 1;
            }
        }
    }
    assert!(checked >= 20, "only {checked} flags");
}
