//! The source of all crates against docs/architecture.md: who may import whom, no circles, and who may read a clock.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;

const MAP: &str = include_str!("../../docs/architecture.md");

/// Folders of source files, each with its row of the map; the first two have one for each folder in them.
const SOURCES: [(&str, &str); 7] = [
    ("core/src", ""),
    ("src", ""),
    ("playtak/src", "playtak"),
    ("lab/src", "lab"),
    ("bindings/python/src", "python"),
    ("bindings/wasm/src", "wasm"),
    ("bindings/wasm/rules/src", "rules"),
];

/// Every file of them by its module, such as `search/solve/table` or `lab/fit/adam`, without tests, `lib.rs` and
/// `main.rs`.
static FILES: LazyLock<BTreeMap<String, File>> = LazyLock::new(|| {
    let sources = SOURCES.map(|(folder, row)| (Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), row));
    // Unit tests and comments; the innermost group of a `use`; a `use`; any path.
    let patterns = [
        r"(?s)\n#\[cfg\(test\)\]\nmod \w+ \{.*|//[^\n]*",
        r"([\w:]+)::\{([^{}]*)\}",
        r"(?m)^\s*(pub(?:\([^)]*\))? )?use ([^;]+);",
        r"[A-Za-z0-9_]+(?:::[A-Za-z0-9_]+)+",
    ];
    let patterns = patterns.map(|pattern| Regex::new(pattern).unwrap());
    let (mut folders, mut files) = (sources.clone().map(|(folder, _)| folder).to_vec(), BTreeMap::new());
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let below = |(folder, row)| path.strip_prefix(folder).ok().map(|below| (row, below.with_extension("")));
            let (row, below) = sources.iter().find_map(|(folder, row)| below((folder, *row))).unwrap();
            let is_root = [Path::new("lib"), Path::new("main")].contains(&&*below);
            let name = Path::new(row).join(below).to_str().unwrap().to_owned();
            let is_source = !is_root && !name.split('/').any(|part| part == "tests");
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") && is_source {
                files.insert(name.trim_end_matches("/mod").to_owned(), File::read(&path, &patterns));
            }
        }
    }
    files
});

/// A source file without comments and unit tests. Paths are like `crate::board::Move`.
struct File {
    code: String,
    imports: BTreeSet<String>,
    /// The imported names, each with its path and `true` if other files may use it.
    names: BTreeMap<String, (bool, String)>,
}

impl File {
    fn read(path: &Path, [hidden, group, statement, any]: &[Regex; 4]) -> Self {
        let mut code = hidden.replace_all(&fs::read_to_string(path).unwrap(), "").into_owned();
        while let Some(found) = group.captures(&code) {
            let items = found[2].split(',').map(str::trim).filter(|item| !item.is_empty());
            let items: Vec<_> = items.map(|item| format!("{}::{item}", &found[1])).collect();
            code = code.replacen(&found[0], &items.join(", "), 1);
        }
        let mut names = BTreeMap::new();
        for found in statement.captures_iter(&code) {
            for item in found[2].split(", ") {
                let path = item.split(" as ").next().unwrap().trim().trim_end_matches("::self");
                let name = item.rsplit("::").next().unwrap().rsplit(" as ").next().unwrap();
                names.insert(name.to_owned(), (found.get(1).is_some(), path.to_owned()));
            }
        }
        let private =
            statement.replace_all(
                &code,
                |found: &regex::Captures| {
                    if found.get(1).is_some() { String::new() } else { found[0].to_owned() }
                },
            );
        let imports = any.find_iter(&private).map(|path| path.as_str().to_owned()).collect();
        Self { code, imports, names }
    }
}

/// The file that a path from `from` leads to, through the names that other files import. `None` for other crates.
fn target(from: &str, path: &str) -> Option<String> {
    let (mut here, parts) = (from.to_owned(), path.split("::").collect::<Vec<_>>());
    for (place, &part) in parts.iter().enumerate() {
        let below = format!("{here}/{part}").trim_start_matches('/').to_owned();
        match part {
            "self" => {}
            "super" => here.truncate(here.rfind('/').unwrap_or(0)),
            "crate" => {
                let rows = SOURCES.iter().map(|(_, row)| *row);
                here = rows.filter(|row| from.starts_with(&format!("{row}/"))).collect();
            }
            "tak_engine" | "tak_core" if place == 0 => here.clear(),
            _ if FILES.contains_key(&below) => here = below,
            _ if place == 0 => return None,
            _ => {
                let name = FILES.get(&here).and_then(|file| file.names.get(part));
                let Some((_, to)) = name.filter(|(public, _)| *public || from.starts_with(&format!("{here}/"))) else {
                    break;
                };
                return target(&here, &[&[&**to], &parts[place + 1..]].concat().join("::")).or(Some(here));
            }
        }
    }
    Some(here).filter(|here| !here.is_empty())
}

/// The files that each file imports.
static EDGES: LazyLock<BTreeMap<&str, BTreeSet<String>>> = LazyLock::new(|| {
    let targets =
        |from, file: &File| file.imports.iter().filter_map(|path| target(from, path)).collect::<BTreeSet<_>>();
    let targets = |from, file| &targets(from, file) - &SOURCES.map(|(_, row)| row.to_owned()).into();
    FILES.iter().map(|(from, file)| (&**from, &targets(from, file) - &BTreeSet::from([from.clone()]))).collect()
});

/// The rows of the table of layers: a folder, the folders it may import, and who in it may read a clock.
fn layers() -> Vec<(&'static str, BTreeSet<&'static str>, &'static str)> {
    let quoted = |cell: &'static str| cell.split('`').skip(1).step_by(2);
    let rows =
        MAP.lines().filter(|line| line.starts_with("| `")).map(|line| line.trim_matches('|').split('|').collect());
    let rows = rows.filter(|cells: &Vec<_>| cells.len() == 4);
    rows.map(|cells| (quoted(cells[0]).next().unwrap(), quoted(cells[2]).collect(), cells[3].trim())).collect()
}

fn row(layers: &[(&str, BTreeSet<&str>, &str)], file: &str) -> usize {
    let place = layers.iter().position(|(folder, ..)| file == *folder || file.starts_with(&format!("{folder}/")));
    place.unwrap_or_else(|| panic!("docs/architecture.md has no row for {file}"))
}

#[test]
fn folders_import_only_rows_above_them() {
    let layers = layers();
    assert!(EDGES.values().map(BTreeSet::len).sum::<usize>() > 800, "few imports are found");
    for (from, to) in EDGES.iter().flat_map(|(from, targets)| targets.iter().map(move |to| (from, to))) {
        let (own, other) = (row(&layers, from), row(&layers, to));
        assert!(own == other || other < own && layers[own].1.contains(layers[other].0), "{from} may not import {to}");
    }
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    // Files whose imports are all removed are in no circle, and those that no remaining file imports.
    let mut left = EDGES.clone();
    while let Some(file) = left.keys().copied().find(|file| {
        !left[file].iter().any(|to| left.contains_key(&**to)) || !left.values().any(|targets| targets.contains(*file))
    }) {
        left.remove(file);
    }
    assert!(left.is_empty(), "these files import each other: {left:#?}");
}

#[test]
fn only_front_ends_read_a_clock() {
    let layers = layers();
    for (name, file) in &*FILES {
        let reads = file.code.contains("Instant::now") || file.code.contains("SystemTime");
        let may = layers[row(&layers, name)].2;
        assert!(!reads || may == "yes" || may == format!("`{name}`"), "src/{name} reads a clock");
    }
}

#[test]
fn files_named_in_the_pages_exist() {
    let pages = [("architecture", MAP), ("CONTRIBUTING", include_str!("../../docs/CONTRIBUTING.md"))];
    for (page, text) in pages {
        let folders = ["core/", "src/", "web/"];
        let quoted = text.split('`').skip(1).step_by(2);
        let named = quoted.filter(|name| folders.iter().any(|folder| name.starts_with(folder)));
        let missing: Vec<_> = named.filter(|name| !Path::new(env!("CARGO_MANIFEST_DIR")).join(name).exists()).collect();
        assert!(missing.is_empty(), "docs/{page}.md names {missing:?}");
    }
}
