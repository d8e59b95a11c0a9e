//! The files of the page, which are part of the program.

/// A file of the page.
#[derive(Debug, Clone, Copy)]
pub struct File {
    /// The content.
    pub text: &'static str,
    /// The media type, as in the HTTP header `Content-Type`.
    pub kind: &'static str,
    /// The path of its source below the folder `web`.
    pub(crate) source: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const LINES: &str = "application/jsonl; charset=utf-8";
const TABLE: &str = "text/tab-separated-values; charset=utf-8";
const DATA: &str = "application/json; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

macro_rules! files {
    ($($kind:ident: $($name:literal)+;)+ { $($path:literal, $other:ident, $source:expr;)+ }) => {
        /// Paths and files, in no order. A path is that below the folder `web`, with a few exceptions.
        const FILES: &[(&str, File)] = &[
            $($(files!(concat!("/", $name), $kind, $name),)+)+
            $(files!($path, $other, $source),)+
        ];
    };
    ($path:expr, $kind:ident, $source:expr) => {
        ($path, File { text: include_str!(concat!("../../web/", $source)), kind: $kind, source: $source })
    };
}

files! {
    HTML:
        "how-to-play.html";
    CSS:
        "styles/board.css" "styles/dialogs.css" "styles/library.css" "styles/rules.css" "styles/style.css" "styles/task.css" "styles/themes.css";
    SCRIPT:
        "src/actions/attempt.js" "src/actions/clock.js" "src/actions/engine.js" "src/actions/files.js"
        "src/actions/game.js" "src/actions/hand.js" "src/actions/mistake-search.js" "src/actions/mistakes.js" "src/actions/new-game.js" "src/actions/owner.js"
        "src/actions/second.js" "src/actions/study.js" "src/actions/texts.js" "src/actions/undo.js" "src/actions/watch.js" "src/app.js" "src/connection.js"
        "src/lazy.js" "src/library/conversations.js" "src/library/database.js" "src/library/mistake-words.js" "src/library/mistakes.js"
        "src/library/search.js" "src/library/shelf.js" "src/library/store.js" "src/library/words.js"
        "src/main.js" "src/model/doc.js" "src/model/draft.js" "src/model/errors.js" "src/model/glicko.js"
        "src/model/link.js" "src/model/lz.js" "src/model/mistake.js" "src/model/notes.js" "src/model/positions.js" "src/model/puzzle-list.js"
        "src/model/results.js" "src/model/setup.js" "src/model/sites.js"
        "src/model/squares.js" "src/model/stored.js" "src/model/tree.js" "src/rules.js" "src/store.js"
        "src/tasks/editor-words.js" "src/tasks/editor.js" "src/tasks/explorer.js" "src/tasks/lessons.js" "src/tasks/openings.js" "src/tasks/puzzles.js" "src/tasks/task.js"
        "src/tasks/words.js" "src/transport.js" "src/views/analysis.js" "src/views/board.js" "src/views/diagram.js" "src/views/dialogs.js"
        "src/views/drag.js" "src/views/graph.js" "src/views/icons.js" "src/views/input.js" "src/views/library.js" "src/views/lines.js"
        "src/views/mistakes.js" "src/views/moves.js" "src/views/parts.js" "src/views/pieces.js" "src/views/play.js" "src/views/puzzles.js" "src/views/share.js" "src/views/shell.js"
        "src/views/sound.js" "src/views/table.js" "src/views/titles.js" "src/views/words.js" "src/words.js"
        "vendor/lit-html.js";
    LINES:
        "puzzles/4x4.jsonl" "puzzles/5x5.jsonl" "puzzles/6x6.jsonl" "puzzles/7x7.jsonl";
    TABLE:
        "openings.tsv";
    DATA:
        "lessons.json";
    PICTURE:
        "icon.svg";
    {
        "/", HTML, "index.html";
    }
}

/// The file at a path, such as `/` or `/style.css`.
pub fn file(path: &str) -> Option<&'static File> {
    FILES.iter().find(|(name, _)| *name == path).map(|(_, file)| file)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    /// A debug build serves what is in the folder, and a release what is in this list.
    #[test]
    fn all_files_of_the_folders_are_in_the_program() {
        let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
        let mut folders = ["src", "styles", "vendor", "puzzles"].map(PathBuf::from).to_vec();
        let mut there = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(web.join(&folder)).unwrap() {
                let entry = entry.unwrap();
                let path = folder.join(entry.file_name());
                if entry.file_type().unwrap().is_dir() {
                    folders.push(path);
                } else if !path.to_str().unwrap().ends_with(".d.ts")
                    && path.extension().is_some_and(|kind| kind != "txt")
                {
                    there.push(path.to_str().unwrap().replace('\\', "/"));
                }
            }
        }
        let mut listed: Vec<_> = FILES
            .iter()
            .map(|(_, file)| file.source)
            .filter(|source| there.iter().any(|path| path == source))
            .collect();
        there.sort();
        listed.sort_unstable();
        assert_eq!(listed, there);
    }

    #[test]
    fn the_page_loads_only_itself() {
        for (path, file) in FILES {
            for address in ["http://", "https://", "//cdn"] {
                let places = file.text.match_indices(address);
                // The namespace of SVG, the home of a library, and a link for its user are not loaded.
                let known = ["http://www.w3.org/", "https://lit.dev,", "https://ptn.ninja/${game}"];
                let loaded = places.filter(|(at, _)| !known.iter().any(|name| file.text[*at..].starts_with(name)));
                assert_eq!(loaded.count(), 0, "{path} names {address}");
            }
        }
    }

    /// All colours come from the themes.
    #[test]
    fn colours_are_those_of_the_themes() {
        let text = |path| file(path).unwrap().text;
        let themes = text("/styles/themes.css");
        let styles = [
            "/styles/style.css",
            "/styles/board.css",
            "/styles/dialogs.css",
            "/styles/task.css",
            "/styles/library.css",
            "/styles/rules.css",
        ]
        .map(text);
        let color = regex::Regex::new("#[0-9a-fA-F]{3,8} *[;,)!]").unwrap();
        let uses = regex::Regex::new(r"var\((--[a-z0-9-]+)").unwrap();
        for style in styles {
            let own = color.find_iter(style).filter(|found| !found.as_str().starts_with("#000000"));
            assert_eq!(own.map(|found| found.as_str()).collect::<Vec<_>>(), [""; 0]);
            for (_, [name]) in uses.captures_iter(style).map(|found| found.extract()) {
                let definition = format!("{name}:");
                // By scripts.
                let is_set = ["--part", "--size", "--frame-part", "--told"].contains(&name);
                assert!(is_set || themes.contains(&definition) || styles[0].contains(&definition), "{name}");
            }
        }
    }

    #[test]
    fn no_file_needs_a_weaker_content_policy() {
        let handler = regex::Regex::new(r"\son[a-z]+\s*=").unwrap();
        for (path, file) in FILES.iter().filter(|(_, file)| file.kind == HTML) {
            assert!(!file.text.contains("style="), "{path}");
            assert!(!file.text.contains("<style"), "{path}");
            assert!(!handler.is_match(file.text), "{path} has a handler");
            for script in file.text.split("<script").skip(1) {
                assert!(script.starts_with(" type=\"module\" src=\""), "{path}: <script{script:.40}");
            }
        }
        // The library for templates makes its elements of texts in the scripts alone.
        for (path, file) in FILES.iter().filter(|(path, file)| file.kind == SCRIPT && !path.starts_with("/vendor/")) {
            for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function("] {
                assert!(!file.text.contains(word), "{path} uses {word}");
            }
        }
    }
}
