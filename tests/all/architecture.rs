//! The source against docs/architecture.md: allowed imports, no cycles, and files that may read a clock.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

const PLAN: &str = include_str!("../../docs/architecture.md");

/// Unit tests and comments; a `use`; its innermost group; a path elsewhere.
static PATTERNS: LazyLock<[Regex; 4]> = LazyLock::new(|| {
    let patterns = [
        r"(?s)\n#\[cfg\(test\)\]\nmod \w+ \{.*|//[^\n]*",
        r"(?m)^\s*(pub(?:\([^)]*\))? )?use ([^;]+);",
        r"([\w:]+)::\{([^{}]*)\}",
        r"[A-Za-z0-9_]+(?:::[A-Za-z0-9_]+)+",
    ];
    patterns.map(|pattern| Regex::new(pattern).unwrap())
});

/// A source file without comments and unit tests. Paths are like `crate::board::Move`.
struct File {
    code: String,
    imports: Vec<String>,
    /// The names that it imports, and whether for all others or only for the files below it.
    names: BTreeMap<String, (bool, String)>,
}

/// All paths of a `use` tree: `a::{b, c::d as e}` gives `a::b` and `a::c::d`.
fn leaves(tree: &str) -> Vec<String> {
    let mut tree = tree.to_owned();
    while let Some(found) = PATTERNS[2].captures(&tree) {
        let items = found[2].split(',').map(str::trim).filter(|item| !item.is_empty());
        let items: Vec<_> = items.map(|item| format!("{}::{item}", &found[1])).collect();
        tree = tree.replacen(&found[0], &items.join(","), 1);
    }
    tree.split(',')
        .map(|path| path.split(" as ").next().unwrap().trim().trim_end_matches("::self").to_owned())
        .collect()
}

impl File {
    fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap();
        let [hidden, statement, _, inline] = &*PATTERNS;
        let code = hidden.replace_all(&text, "");
        let uses = statement
            .captures_iter(&code)
            .flat_map(|found| leaves(&found[2]).into_iter().map(move |path| (found.get(1).is_some(), path)));
        let uses: Vec<_> = uses.collect();
        let name = |path: &str| path.rsplit("::").next().unwrap().to_owned();
        let names = uses.iter().map(|(is_public, path)| (name(path), (*is_public, path.clone()))).collect();
        let rest = statement.replace_all(&code, "");
        let inline = inline.find_iter(&rest).map(|path| path.as_str().to_owned());
        let private = uses.into_iter().filter(|(is_public, _)| !is_public).map(|(_, path)| path);
        let imports = private.chain(inline).collect();
        Self { code: code.into_owned(), imports, names }
    }
}

/// Every file of `src` by its module, such as `search/solve/table`, except tests, `lib.rs` and `main.rs`.
fn sources() -> BTreeMap<String, File> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut folders, mut files) = (vec![src.clone()], BTreeMap::new());
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.strip_prefix(&src).unwrap().with_extension("").to_str().unwrap().to_owned();
            let is_left_out = ["lib", "main"].contains(&&*name) || name.split('/').any(|part| part == "tests");
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") && !is_left_out {
                files.insert(name.trim_end_matches("/mod").to_owned(), File::read(&path));
            }
        }
    }
    files
}

/// The file that a path leads to from a module, through the names that other files import. `None` for a path to another
/// crate.
fn target(files: &BTreeMap<String, File>, from: &str, path: &str) -> Option<String> {
    let (mut here, names) = (from.to_owned(), path.split("::").collect::<Vec<_>>());
    for (place, &name) in names.iter().enumerate() {
        let below = format!("{here}/{name}").trim_start_matches('/').to_owned();
        match name {
            "self" => {}
            "super" => here.truncate(here.rfind('/').unwrap_or(0)),
            "crate" => here.clear(),
            _ if files.contains_key(&below) => here = below,
            _ if place == 0 => return None,
            _ => match files
                .get(&here)
                .and_then(|file| file.names.get(name))
                .filter(|to| to.0 || from.starts_with(&format!("{here}/")))
            {
                Some((_, to)) => {
                    return target(files, &here, &[&[&**to], &names[place + 1..]].concat().join("::")).or(Some(here));
                }
                None => break,
            },
        }
    }
    Some(here).filter(|here| !here.is_empty())
}

/// The files that each file imports.
fn edges(files: &BTreeMap<String, File>) -> BTreeMap<&String, BTreeSet<String>> {
    let targets =
        |from, file: &File| file.imports.iter().filter_map(|path| target(files, from, path)).collect::<BTreeSet<_>>();
    files.iter().map(|(from, file)| (from, &targets(from, file) - &BTreeSet::from([from.clone()]))).collect()
}

/// The rows of the table of layers: a folder, the folders it may import, and the files in it that may read a clock.
fn layers() -> Vec<(&'static str, BTreeSet<&'static str>, &'static str)> {
    let quoted = |cell: &'static str| cell.split('`').skip(1).step_by(2);
    let rows =
        PLAN.lines().filter(|line| line.starts_with("| `")).map(|line| line.trim_matches('|').split('|').collect());
    let rows = rows.filter(|cells: &Vec<_>| cells.len() == 4);
    rows.map(|cells| (quoted(cells[0]).next().unwrap(), quoted(cells[2]).collect(), cells[3].trim())).collect()
}

/// The row of a file.
fn row(layers: &[(&str, BTreeSet<&str>, &str)], file: &str) -> usize {
    let place = layers.iter().position(|(folder, ..)| file == *folder || file.starts_with(&format!("{folder}/")));
    place.unwrap_or_else(|| panic!("docs/architecture.md has no row for src/{file}"))
}

#[test]
fn folders_import_only_rows_above_them() {
    let (files, layers) = (sources(), layers());
    let edges = edges(&files);
    assert!(edges.values().map(BTreeSet::len).sum::<usize>() > 800, "few imports are found");
    for (from, to) in edges.iter().flat_map(|(from, targets)| targets.iter().map(move |to| (from, to))) {
        let (own, other) = (row(&layers, from), row(&layers, to));
        assert!(own == other || other < own && layers[own].1.contains(layers[other].0), "{from} may not import {to}");
    }
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let files = sources();
    let mut left = edges(&files);
    while let Some(end) = left.iter().find(|(_, to)| to.iter().all(|to| !left.contains_key(to))).map(|(from, _)| *from)
    {
        left.remove(end);
    }
    // Files that only import a cycle are not part of it.
    while let Some(start) = left.keys().find(|from| !left.values().any(|to| to.contains(**from))).copied() {
        left.remove(start);
    }
    assert!(left.is_empty(), "these files import each other: {left:#?}");
}

#[test]
fn only_front_ends_read_a_clock() {
    let layers = layers();
    for (name, file) in sources() {
        let reads = file.code.contains("Instant::now") || file.code.contains("SystemTime");
        let may = layers[row(&layers, &name)].2;
        assert!(!reads || may == "yes" || may == format!("`{name}`"), "src/{name} reads a clock");
    }
}

#[test]
fn files_named_in_the_map_exist() {
    let named = PLAN.split('`').skip(1).step_by(2).filter(|name| name.starts_with("src/"));
    let missing: Vec<_> = named.filter(|name| !Path::new(env!("CARGO_MANIFEST_DIR")).join(name).exists()).collect();
    assert!(missing.is_empty(), "docs/architecture.md names {missing:?}");
}
