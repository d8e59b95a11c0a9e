//! The examples of README.md and of the pages are real: the program is run, and its whole output compared with the page.
//! Links lead somewhere, and there are not too many words. docs/CONTRIBUTING.md describes the form of examples. `UPDATE_EXAMPLES=1 cargo test --test all readme` puts
//! the program's output into the pages.

#![cfg(all(feature = "cli", unix))]

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rayon::prelude::*;
use regex::{Captures, Regex};

use crate::common::Tei;
use crate::dialogue::Dialogue;

/// Replaces numbers that are not compared.
const NUMBER: &str = "#";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// README.md and the pages to which it leads: those in docs, and that of the lab.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = fs::read_dir(root().join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|name| name == "md"))
        .collect();
    pages.sort();
    pages.push(root().join("lab/README.md"));
    pages.insert(0, root().join("README.md"));
    pages
}

/// The folder in which the examples of a page run: it contains only the suites of openings.
fn folder(page: &Path) -> PathBuf {
    let name = page.strip_prefix(root()).unwrap().with_extension("");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("examples").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink(root().join("openings"), folder.join("openings")).unwrap();
    folder
}

/// A shell that finds this program under the name `tak-engine`.
fn shell(command: &str, folder: &Path) -> Command {
    let own = Path::new(env!("CARGO_BIN_EXE_tak-engine")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(own.to_owned()).chain(std::env::split_paths(&path));
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder).env("PATH", std::env::join_paths(all).unwrap());
    shell
}

/// The contents of a `console` block: commands after `$`, each followed by its stdout.
fn console(shown: &str, folder: &Path) -> String {
    let mut text = String::new();
    let mut lines = shown.lines();
    while let Some(line) = lines.next() {
        let Some(first) = line.strip_prefix("$ ") else {
            continue;
        };
        let mut command = first.to_owned();
        while command.ends_with('\\') {
            let next = lines.next().expect("a line after one that ends with \\");
            write!(command, "\n{next}").unwrap();
        }
        let output = shell(&command, folder).output().expect("a shell to run the examples");
        assert!(output.status.success(), "{command}: {output:?}");
        let printed = String::from_utf8(output.stdout).unwrap();
        writeln!(text, "$ {command}").unwrap();
        text.push_str(&printed);
    }
    text
}

/// The contents of a `tei` block: lines typed after `>`, each followed by its answer. The answer to a `go`, which must
/// be valid, ends with `bestmove`; that to another line ends when an `isready` after it is answered.
fn tei(shown: &str) -> String {
    let mut tei = Tei::start();
    let mut text = String::new();
    for typed in shown.lines().filter_map(|line| line.strip_prefix("> ")) {
        writeln!(text, "> {typed}").unwrap();
        let answer = match typed.split(' ').next() {
            Some("quit") => {
                tei.send(typed);
                break;
            }
            Some("go") => {
                tei.send(typed);
                tei.until("bestmove ")
            }
            Some("isready") => {
                tei.send(typed);
                tei.until("readyok")
            }
            _ => tei.ask(typed),
        };
        for line in answer {
            writeln!(text, "{line}").unwrap();
        }
    }
    let ended = tei.close();
    assert!(ended.status.success(), "{}", ended.stderr);
    assert!(ended.rest.is_empty(), "{:?}", ended.rest);
    text
}

/// The text without the numbers excluded by `varies`: the matches of its groups, which may be numbers and blanks only.
fn compared(text: &str, varies: &[Regex]) -> String {
    varies.iter().fold(text.to_owned(), |text, pattern| {
        let replaced = pattern.replace_all(&text, |found: &Captures| {
            let whole = found.get(0).unwrap();
            let mut kept = String::new();
            let mut end = whole.start();
            for group in found.iter().skip(1).flatten() {
                assert!(
                    group.as_str().chars().all(|c| c.is_ascii_digit() || " .".contains(c)),
                    "{pattern} matches \"{}\", which is not a number",
                    group.as_str()
                );
                kept.push_str(&text[end..group.start()]);
                kept.push_str(NUMBER);
                end = group.end();
            }
            kept + &text[end..whole.end()]
        });
        replaced.into_owned()
    })
}

/// The regular expressions of a line `<!-- varies: A, B -->`.
fn varies(line: &str) -> Option<Vec<Regex>> {
    let list = line.strip_prefix("<!-- varies: ")?.strip_suffix(" -->").unwrap_or_else(|| panic!("no end: {line}"));
    let pattern = |text| {
        let pattern = Regex::new(text).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert!(pattern.captures_len() > 1, "no group in {text}");
        pattern
    };
    Some(list.split(", ").map(pattern).collect())
}

/// A page with its examples as the program prints them now, and their number. An example without a difference in
/// compared text stays as it is.
fn refreshed(page: &Path) -> (String, usize) {
    let text = fs::read_to_string(page).unwrap();
    let folder = folder(page);
    let (mut fresh, mut examples) = (String::new(), 0);
    let mut patterns = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        writeln!(fresh, "{line}").unwrap();
        if let Some(found) = varies(line) {
            patterns = found;
            continue;
        }
        let Some(language) = line.strip_prefix("```") else {
            assert!(patterns.is_empty(), "no example after {patterns:?}");
            continue;
        };
        let mut shown = String::new();
        for line in lines.by_ref().take_while(|line| *line != "```") {
            writeln!(shown, "{line}").unwrap();
        }
        let printed = match language {
            "console" => Some(console(&shown, &folder)),
            "tei" => Some(tei(&shown)),
            _ => None,
        };
        if let Some(printed) = printed {
            examples += 1;
            for pattern in &patterns {
                assert!(pattern.is_match(&printed), "nothing varies by {pattern}:\n{printed}");
            }
            if compared(&shown, &patterns) != compared(&printed, &patterns) {
                shown = printed;
            }
        } else {
            assert!(patterns.is_empty(), "no example after {patterns:?}");
        }
        patterns.clear();
        writeln!(fresh, "{shown}```").unwrap();
    }
    (fresh, examples)
}

#[test]
fn examples_print_the_output_on_the_pages() {
    let update = std::env::var_os("UPDATE_EXAMPLES").is_some();
    let mut examples = 0;
    let mut differ = String::new();
    // In parallel, since this is the slowest test here.
    let refreshed: Vec<_> = pages().into_par_iter().map(|page| (refreshed(&page), page)).collect();
    for ((fresh, found), page) in refreshed {
        examples += found;
        let text = fs::read_to_string(&page).unwrap();
        if update && fresh != text {
            fs::write(&page, &fresh).unwrap();
        } else if let Some((shown, printed)) = first_difference(&text, &fresh) {
            let name = page.strip_prefix(root()).unwrap().display();
            writeln!(differ, "{name}: \"{shown}\" is now \"{printed}\"").unwrap();
        }
    }
    assert!(
        differ.is_empty(),
        "{differ}If that was meant, let the pages follow: UPDATE_EXAMPLES=1 cargo test --test all readme"
    );
    assert!(examples >= 5, "only {examples} examples");
}

/// The first line that is not the same in both.
fn first_difference(shown: &str, printed: &str) -> Option<(String, String)> {
    fn lines(text: &str) -> impl Iterator<Item = String> {
        text.lines().chain(std::iter::repeat("nothing")).map(str::to_owned)
    }
    let longest = shown.lines().count().max(printed.lines().count());
    lines(shown).zip(lines(printed)).take(longest).find(|(shown, printed)| shown != printed)
}

/// The definitions `[name]: target` at the end of a page.
fn definitions(text: &str) -> Vec<(&str, &str)> {
    text.lines().filter_map(|line| line.strip_prefix('[')?.split_once("]: ")).collect()
}

/// A page without its blocks and comments.
fn prose(text: &str) -> String {
    let mut prose = String::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            lines.by_ref().find(|line| *line == "```");
        } else if !line.starts_with("<!--") {
            writeln!(prose, "{line}").unwrap();
        }
    }
    prose
}

/// The anchors of the headings of a page, as GitHub makes them.
fn anchors(text: &str) -> HashSet<String> {
    let heading = |line: &str| Some(line.trim_start_matches('#').strip_prefix(' ')?.to_lowercase());
    let prose = prose(text);
    let headings = prose.lines().filter(|line| line.starts_with('#')).filter_map(heading);
    headings
        .map(|text| text.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).collect::<String>())
        .map(|text| text.replace(' ', "-"))
        .collect()
}

#[test]
fn links_lead_to_files_and_headings() {
    let mut pages = pages();
    let others = ["CHANGELOG.md", "bindings/python/README.md", "bindings/wasm/js/README.md", "core/README.md"];
    pages.extend(others.iter().chain(&["playtak/README.md"]).map(|name| root().join(name)));
    let inline = Regex::new(r"\]\(([^)\s]+)\)").unwrap();
    let named = Regex::new(r"\]\[([a-z-]+)\]").unwrap();
    let mut wrong = String::new();
    for page in &pages {
        let text = fs::read_to_string(page).unwrap();
        let name = page.strip_prefix(root()).unwrap().display();
        let definitions = definitions(&text);
        let prose = prose(&text);
        let inline = inline.captures_iter(&prose).map(|found| found.extract::<1>().1[0]);
        for target in definitions.iter().map(|(_, target)| *target).chain(inline) {
            if target.starts_with("https://") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            let has_anchor = || anchors(&fs::read_to_string(&file).unwrap()).contains(anchor);
            if !file.is_file() || !anchor.is_empty() && !has_anchor() {
                writeln!(wrong, "{name}: {target} is not there").unwrap();
            }
        }
        for (link, _) in &definitions {
            if !text.contains(&format!("][{link}]")) {
                writeln!(wrong, "{name} does not use [{link}]").unwrap();
            }
        }
        for [link] in named.captures_iter(&prose).map(|found| found.extract::<1>().1) {
            if !definitions.iter().any(|(defined, _)| *defined == link) {
                writeln!(wrong, "{name}: [{link}] is not defined").unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn readme_is_short_and_leads_to_every_page() {
    let pages = pages();
    let readme = fs::read_to_string(&pages[0]).unwrap();
    for page in &pages[1..] {
        let target = page.strip_prefix(root()).unwrap().display();
        assert!(readme.contains(&format!("]({target})")), "README.md does not lead to {target}");
    }
    let length = readme.lines().count();
    assert!(length <= 160, "README.md has {length} lines, at most 160 are allowed");
    let count = pages.len() - 1;
    assert!(count <= 16, "there are {count} pages besides README.md, at most 16 are allowed");
    let words: usize = pages.iter().map(|page| fs::read_to_string(page).unwrap().split_whitespace().count()).sum();
    assert!(words <= 24_500, "README.md and the pages have {words} words, at most 24,500 are allowed");
}

fn blocks(text: &str, language: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(found) = line.strip_prefix("```") {
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            if found == language {
                blocks.push(block.join("\n"));
            }
        }
    }
    blocks
}

/// Commands that take too long to run here, or need other machines, have no output on the page.
#[test]
fn commands_that_are_not_run_have_flags_that_exist() {
    let call = Regex::new(r"(?m)(?:^|\s|/release/)tak-engine((?: [a-z]+)+)([^|>;&]*)").unwrap();
    let flag = Regex::new("--[a-z-]+").unwrap();
    let mut checked = 0;
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for block in ["sh", "yaml"].map(|language| blocks(&text, language)).concat() {
            let block = block.replace("\\\n", " ").replace("\n              --", " --");
            for found in call.captures_iter(&block) {
                let mut words: Vec<&str> = found[1].split_whitespace().collect();
                // `tournament merge` has separate options; other words are not subcommands.
                words.truncate(if words.contains(&"merge") { 2 } else { 1 });
                let help = Command::new(env!("CARGO_BIN_EXE_tak-engine")).args(&words).arg("--help").output().unwrap();
                assert!(help.status.success(), "{words:?}: {help:?}");
                let help = String::from_utf8(help.stdout).unwrap();
                let line = found[2].lines().next().unwrap_or_default();
                for flag in flag.find_iter(line).map(|found| found.as_str()) {
                    let known =
                        help.lines().any(|line| line.split_whitespace().any(|word| word.trim_end_matches(',') == flag));
                    assert!(known, "{}: {words:?} has no {flag}", page.display());
                    checked += 1;
                }
            }
        }
    }
    assert!(checked >= 20, "only {checked} flags");
}
