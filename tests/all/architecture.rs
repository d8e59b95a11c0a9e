//! The table of who may know whom in docs/architecture.md, held against every path in the source.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const PLAN: &str = include_str!("../../docs/architecture.md");

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The rows of the plan's tables whose first cell is in backquotes: that name, and the names in the last cell.
fn table() -> Vec<(&'static str, BTreeSet<&'static str>)> {
    let quoted = |cell: &'static str| cell.split('`').skip(1).step_by(2);
    PLAN.lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
            let [folder, _, may_know] = cells[..] else {
                panic!("not three cells: {line}");
            };
            let name = quoted(folder).next().expect("the row begins with a name");
            (name, quoted(may_know).collect())
        })
        .collect()
}

/// Every source file with its path below `src`, but for the two that tie everything together.
fn sources() -> Vec<(PathBuf, String)> {
    let src = root().join("src");
    let mut folders = vec![src.clone()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let below = path.strip_prefix(&src).unwrap().to_owned();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && below != Path::new("lib.rs")
                && below != Path::new("main.rs")
            {
                files.push((below, fs::read_to_string(path).unwrap()));
            }
        }
    }
    assert!(files.len() > 50, "only {} files", files.len());
    files
}

/// The modules on the way to a file: `search/solve/table.rs` is in `search`, `solve`, `table`.
fn modules(file: &Path) -> Vec<String> {
    let names = file.with_extension("");
    let names = names.iter().map(|name| name.to_str().unwrap().to_owned());
    names.filter(|name| name != "mod").collect()
}

/// The first names of a path's end: `a::b` gives `a`, `{a::b, c}` gives `a` and `c`.
fn first_names(text: &str) -> Vec<&str> {
    let name = |text: &'_ str| text.find(|c: char| !c.is_alphanumeric() && c != '_');
    let Some(group) = text.strip_prefix('{') else {
        return vec![&text[..name(text).unwrap_or(text.len())]];
    };
    let (mut depth, mut at_start, mut names) = (0, true, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => at_start = true,
            c if at_start && !c.is_whitespace() => {
                names.push(&group[at..][..name(&group[at..]).unwrap_or(group.len() - at)]);
                at_start = false;
            }
            _ => {}
        }
    }
    names
}

/// The folders that a file names by `crate::` or by a `super::` that goes up to the crate's root.
fn known(file: &Path, text: &str) -> BTreeSet<String> {
    let depth = modules(file).len();
    // What comes after is one module deeper.
    let inline = text.find("\nmod tests {").unwrap_or(text.len());
    let mut known = BTreeSet::new();
    for start in ["crate::", "super::"] {
        for (at, _) in text.match_indices(start) {
            let before = text[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_') || text[..at].ends_with("super::") {
                continue;
            }
            let mut rest = &text[at..];
            if start == "super::" {
                let mut ups = 0;
                while let Some(up) = rest.strip_prefix("super::") {
                    rest = up;
                    ups += 1;
                }
                if ups < depth + usize::from(at > inline) {
                    continue;
                }
            } else {
                rest = &rest[start.len()..];
            }
            known.extend(first_names(rest).into_iter().map(str::to_owned));
        }
    }
    known
}

#[test]
fn paths_are_found_in_every_form() {
    let text = "use crate::{a::{b, c}, d};\npub(in crate::e) use super::super::{f, g::h};\n\
                use super::i; // [`crate::j`] super::super::super::k\nmod tests { use super::super::l; }\n";
    let text = text.replace("mod tests", "\nmod tests");
    let known = |file: &str| {
        let known: Vec<String> = known(Path::new(file), &text).into_iter().collect();
        known.join(" ")
    };
    assert_eq!(known("x/y/z.rs"), "a d e j k");
    assert_eq!(known("x/y/mod.rs"), "a d e f g j k");
    assert_eq!(modules(Path::new("x/y/mod.rs")), ["x", "y"]);
    assert_eq!(modules(Path::new("x.rs")), ["x"]);
}

#[test]
fn the_table_has_a_row_for_every_folder_and_no_arrow_turns_back() {
    let rows: Vec<&str> = table().iter().map(|(name, _)| *name).collect();
    let folders: BTreeSet<String> = sources().iter().map(|(file, _)| modules(file).swap_remove(0)).collect();
    let listed: BTreeSet<String> = rows.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(listed, folders, "the table of docs/architecture.md and src differ");
    assert_eq!(listed.len(), rows.len(), "a folder has two rows: {rows:?}");
    for (row, (name, may_know)) in table().iter().enumerate() {
        for other in may_know {
            assert!(rows[..row].contains(other), "{name} names {other}, which is not above it");
        }
    }
}

#[test]
fn folders_know_only_whom_they_may() {
    let table: BTreeMap<_, _> = table().into_iter().collect();
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        let own = modules(&file).swap_remove(0);
        let Some(may_know) = table.get(own.as_str()) else {
            continue;
        };
        for other in known(&file, &text) {
            if other != own && !may_know.contains(other.as_str()) {
                wrong.push(format!("src/{}: {own} may not know {other}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "against the table of docs/architecture.md:\n{}", wrong.join("\n"));
}

/// The code of a file, without comments and tests.
fn code(text: &str) -> String {
    let tests = ["\n#[cfg(test)]\nmod ", "\n#[cfg(test)]\n#["];
    let ends = tests.iter().filter_map(|start| text.find(start));
    let text = &text[..ends.min().unwrap_or(text.len())];
    let lines = text.lines();
    let lines = lines.map(|line| line.split_once("//").map_or(line, |(code, _)| code));
    lines.collect::<Vec<_>>().join("\n")
}

/// The names of a path.
fn names(path: &str) -> Vec<String> {
    let names = path.split("::").map(str::trim);
    let names = names.filter(|name| !name.is_empty() && *name != "self");
    names.map(str::to_owned).collect()
}

/// All paths of what stands after `use`: `a::{b, c::d as e}` gives `a::b` and `a::c::d`.
fn leaves(tree: &str) -> Vec<Vec<String>> {
    let (Some(open), Some(end)) = (tree.find('{'), tree.rfind('}')) else {
        return vec![names(tree.split(" as ").next().unwrap_or(tree))];
    };
    let (mut depth, mut from) = (0, open + 1);
    let mut below = Vec::new();
    for (at, c) in tree.char_indices().skip(open + 1) {
        match c {
            '{' => depth += 1,
            '}' if at < end => depth -= 1,
            ',' | '}' if depth == 0 => {
                let item = tree[from..at].trim();
                if !item.is_empty() {
                    below.extend(leaves(item));
                }
                from = at + 1;
            }
            _ => {}
        }
    }
    let start = names(&tree[..open]);
    let below = below.into_iter();
    below.map(|path| [start.clone(), path].concat()).collect()
}

type Module = Vec<String>;

/// What a file names, each by its whole path, and what it lets others name in its place.
#[derive(Default)]
struct Names {
    named: Vec<Vec<String>>,
    passed_on: BTreeMap<String, Vec<String>>,
}

fn names_in(text: &str) -> Names {
    let mut found = Names::default();
    let mut rest = String::new();
    for statement in code(text).split_inclusive(';') {
        // What comes before the `use` may be the end of another item.
        let Some((before, tree)) = statement.rsplit_once("use ") else {
            rest.push_str(statement);
            continue;
        };
        let is_passed_on = before.trim_end().ends_with("pub") || before.trim_end().ends_with(')');
        rest.push_str(before);
        for path in leaves(tree.trim_end_matches(';')) {
            match path.last().cloned() {
                Some(name) if is_passed_on => _ = found.passed_on.insert(name, path),
                _ => found.named.push(path),
            }
        }
    }
    let paths = rest.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
    let paths = paths.filter(|path| path.contains("::"));
    found.named.extend(paths.map(names));
    found
}

/// The file that a path leads to from a module, through names that are passed on.
fn target(files: &BTreeMap<Module, Names>, from: &[String], path: &[String]) -> Module {
    let mut here = from.to_vec();
    for (place, name) in path.iter().enumerate() {
        match name.as_str() {
            "super" => _ = here.pop(),
            "crate" => here.clear(),
            _ => {
                let below = [here.clone(), vec![name.clone()]].concat();
                let passed_on = files.get(&here).and_then(|names| names.passed_on.get(name));
                if files.contains_key(&below) {
                    here = below;
                } else if let Some(further) = passed_on.filter(|further| further.len() > 1) {
                    return target(files, &here, &[further, &path[place + 1..]].concat());
                } else {
                    break;
                }
            }
        }
    }
    here
}

/// In the search no file uses one that uses it, by whatever way. Methods of a type count as where they are used: `impl`
/// blocks are not followed.
#[test]
fn the_files_of_the_search_have_an_order() {
    let files: BTreeMap<Module, Names> = sources().iter().map(|(file, text)| (modules(file), names_in(text))).collect();
    let of_search = |module: &Module| module.first().is_some_and(|folder| folder == "search");
    let mut left: BTreeMap<&Module, BTreeSet<Module>> = BTreeMap::new();
    for (module, names) in files.iter().filter(|(module, _)| of_search(module)) {
        let local = |path: &&Vec<String>| {
            let below = [module.clone(), vec![path[0].clone()]].concat();
            ["crate", "super"].contains(&path[0].as_str()) || files.contains_key(&below)
        };
        let named = names.named.iter().filter(|path| !path.is_empty());
        let used = named.filter(local).map(|path| target(&files, module, path));
        let used = used.filter(|other| of_search(other) && other != module);
        left.insert(module, used.collect());
    }
    assert!(left.len() > 25, "only {} files", left.len());
    let arrows: usize = left.values().map(BTreeSet::len).sum();
    assert!(arrows > 80, "only {arrows} uses");
    // Files that use nothing but what has been taken away are taken away, until none is left.
    loop {
        let before = left.len();
        let there: BTreeSet<Module> = left.keys().map(|&module| module.clone()).collect();
        left.retain(|_, used| used.intersection(&there).next().is_some());
        if left.len() == before {
            break;
        }
    }
    assert!(left.is_empty(), "these use each other: {left:#?}");
}

#[test]
fn names_are_followed_to_the_file_that_has_them() {
    let text = "use a::{b, c::{d as e, self}};\npub(crate) use x::Y;\nfn f() { super::g::<u8>(); } // h::i\n\
                #[cfg(test)]\nmod tests { use j::k; }";
    let text = text.replace("#[cfg", "\n#[cfg");
    let found = names_in(&text);
    let named: Vec<String> = found.named.iter().map(|path| path.join("::")).collect();
    assert_eq!(named, ["a::b", "a::c::d", "a::c", "super::g"]);
    assert_eq!(found.passed_on["Y"], ["x", "Y"]);
    let module = |path: &str| names(path);
    let files =
        BTreeMap::from([(module("s"), found), (module("s::x"), Names::default()), (module("s::z"), Names::default())]);
    assert_eq!(target(&files, &module("s::z"), &names("super::Y::new")), module("s::x"));
    assert_eq!(target(&files, &module("s::z"), &names("super::w")), module("s"));
    assert_eq!(target(&files, &module("s"), &names("crate::s::z::v")), module("s::z"));
}

/// Below those who talk to the world, time comes from outside: see `TimeSource`, whose default alone is the system's clock.
#[test]
fn clocks_are_read_by_those_who_talk_to_the_world() {
    let timeless = [
        "board", "notation", "system", "weights", "eval", "search", "engine", "training", "draw", "journal", "spsa",
        "annotate", "puzzles", "review", "page",
    ];
    let mut read = BTreeSet::new();
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        let own = modules(&file).swap_remove(0);
        if !timeless.contains(&own.as_str()) {
            continue;
        }
        read.insert(own);
        for (number, line) in (1..).zip(text.lines()) {
            let (code, _) = line.split_once("//").unwrap_or((line, ""));
            let reads = code.contains("Instant::now") || code.contains("SystemTime");
            if reads && file != Path::new("engine/time.rs") {
                wrong.push(format!("src/{}:{number}: {line}", file.display()));
            }
        }
    }
    assert_eq!(read.len(), timeless.len(), "only {read:?}");
    assert!(wrong.is_empty(), "a clock is read:\n{}", wrong.join("\n"));
}

/// Whether the documentation right above line `at` has an example.
fn has_example(lines: &[&str], at: usize) -> bool {
    let above = lines[..at].iter().rev();
    // Attributes stand between the two, some over several lines, but no empty line.
    let above = above.take_while(|line| !line.is_empty());
    above.into_iter().any(|line| line.starts_with("/// ```"))
}

/// What the text of a module lets everyone see: its public modules, and the names that it brings up from below.
fn shown(text: &str) -> (BTreeSet<&str>, BTreeSet<&str>) {
    let modules = text.lines().filter_map(|line| line.strip_prefix("pub mod "));
    let modules = modules.filter_map(|line| line.strip_suffix(';'));
    let uses = text.split("\npub use ").skip(1);
    let uses = uses.filter_map(|after| Some(after.split_once(';')?.0));
    let names = uses.flat_map(|list| list.split(|c: char| !c.is_alphanumeric() && c != '_'));
    (modules.collect(), names.collect())
}

#[test]
fn public_types_have_examples() {
    let kinds = ["struct", "enum", "trait", "type"].map(|kind| format!("pub {kind} "));
    let files: Vec<_> = sources().into_iter().map(|(file, text)| (modules(&file), file, text)).collect();
    let (mut found, mut bare) = (BTreeSet::new(), BTreeSet::new());
    let mut open = vec![(Vec::new(), fs::read_to_string(root().join("src/lib.rs")).unwrap())];
    while let Some((module, text)) = open.pop() {
        let (below, names) = shown(&text);
        for (path, file, text) in &files {
            if path.starts_with(&module)
                && let [name] = &path[module.len()..]
                && below.contains(name.as_str())
            {
                open.push((path.clone(), text.clone()));
            }
            if !path.starts_with(&module) {
                continue;
            }
            let lines: Vec<&str> = text.lines().collect();
            for (at, line) in lines.iter().enumerate() {
                let Some(rest) = kinds.iter().find_map(|kind| line.strip_prefix(&**kind)) else {
                    continue;
                };
                if *path != module && !names.contains(first_names(rest)[0]) {
                    continue;
                }
                let place = format!("src/{}:{}: {line}", file.display(), at + 1);
                if !has_example(&lines, at) {
                    bare.insert(place.clone());
                }
                found.insert(place);
            }
        }
    }
    assert!(found.len() > 100, "only {} types", found.len());
    let bare: Vec<String> = bare.into_iter().collect();
    assert!(bare.is_empty(), "without an example:\n{}", bare.join("\n"));
}

#[test]
fn the_files_that_answer_questions_are_there() {
    let named = PLAN.split('`').skip(1).step_by(2).filter(|name| name.starts_with("src/"));
    let missing: Vec<&str> = named.filter(|name| !root().join(name).is_file()).collect();
    assert!(missing.is_empty(), "docs/architecture.md names {missing:?}");
}
