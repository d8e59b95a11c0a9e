//! The files of the page, which are part of the program.

/// A file of the page.
///
/// ```
/// let icon = tak_engine::page::file("/icon.svg").ok_or("no icon")?;
/// assert_eq!(icon.kind, "image/svg+xml");
/// # Ok::<(), &str>(())
/// ```
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
const DATA: &str = "application/json; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

macro_rules! files {
    ($($kind:ident: $($name:literal)+;)+ { $($path:literal, $other:ident, $source:expr;)+ }) => {
        /// Paths and files, in no order.
        const FILES: &[(&str, File)] = &[
            $($(files!(concat!("/", $name), $kind, concat!("src/", $name)),)+)+
            $(files!($path, $other, $source),)+
        ];
    };
    ($path:expr, $kind:ident, $source:expr) => {
        ($path, File { text: include_str!(concat!("../../web/", $source)), kind: $kind, source: $source })
    };
}

files! {
    HTML: "how-to-play.html";
    CSS: "style.css" "task.css";
    SCRIPT: "main.js" "analysis.js" "attempt.js" "board.js" "clock.js" "connection.js" "dialogs.js" "draft.js" "drag.js"
        "elements.js" "explore.js" "game.js" "glicko.js" "graph.js" "hand.js" "input.js" "learn.js" "moves.js" "new-game.js"
        "notes.js" "owner.js" "panel.js" "parts.js" "pieces.js" "positions.js" "puzzle-list.js" "puzzles.js" "results.js"
        "review.js" "state.js" "task.js" "transport.js" "tree.js" "undo.js" "variations.js" "watch.js";
    DATA: "lessons.json";
    PICTURE: "icon.svg";
    {
        "/", HTML, "src/index.html";
        "/themes.css", CSS, "../src/draw/themes.css";
        "/puzzles-4x4.jsonl", LINES, "puzzles/4x4.jsonl";
        "/puzzles-5x5.jsonl", LINES, "puzzles/5x5.jsonl";
        "/puzzles-6x6.jsonl", LINES, "puzzles/6x6.jsonl";
        "/puzzles-7x7.jsonl", LINES, "puzzles/7x7.jsonl";
    }
}

/// The file at a path, such as `/` or `/style.css`.
#[must_use]
pub fn file(path: &str) -> Option<&'static File> {
    FILES.iter().find(|(name, _)| *name == path).map(|(_, file)| file)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// A debug build serves what is in the folder, and a release what is in this list.
    #[test]
    fn all_files_of_the_folder_are_in_the_program() {
        for folder in ["src", "puzzles"] {
            let entries = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("web").join(folder)).unwrap();
            let mut there: Vec<_> =
                entries.map(|entry| format!("{folder}/{}", entry.unwrap().file_name().display())).collect();
            let sources = FILES.iter().map(|(_, file)| file.source);
            let mut listed: Vec<_> = sources.filter(|source| source.starts_with(folder)).collect();
            there.sort();
            listed.sort_unstable();
            assert_eq!(listed, there);
        }
    }

    #[test]
    fn the_page_is_small_and_loads_only_itself() {
        // Views are loaded when they are opened, and their data with them.
        let views =
            ["/puzzles.js", "/puzzle-list.js", "/results.js", "/glicko.js", "/learn.js", "/explore.js", "/task.css"];
        let first = FILES.iter().filter(|(path, file)| ![LINES, DATA].contains(&file.kind) && !views.contains(path));
        let bytes: usize = first.map(|(_, file)| file.text.len()).sum();
        assert!(bytes <= 230_000, "{bytes} bytes");
        for (path, file) in FILES {
            for address in ["http://", "https://", "//cdn"] {
                let places = file.text.match_indices(address);
                // The namespace of SVG is not loaded.
                let loaded = places.filter(|(at, _)| !file.text[*at..].starts_with("http://www.w3.org/"));
                assert_eq!(loaded.count(), 0, "{path} names {address}");
            }
        }
    }

    /// All colours come from the themes, which the diagrams share.
    #[test]
    fn colours_are_those_of_the_themes() {
        let text = |path| file(path).unwrap().text;
        let [style, themes] = ["/style.css", "/themes.css"].map(text);
        let color = regex::Regex::new("#[0-9a-fA-F]{3,8} *[;,)!]").unwrap();
        assert_eq!(color.find(style), None);
        let uses = regex::Regex::new(r"var\((--[a-z-]+)\)").unwrap();
        for (_, [name]) in uses.captures_iter(style).map(|found| found.extract()) {
            let definition = format!("{name}: ");
            assert!(themes.contains(&definition) || style.contains(&definition), "{name}");
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
        for (path, file) in FILES.iter().filter(|(_, file)| file.kind == SCRIPT) {
            for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function("] {
                assert!(!file.text.contains(word), "{path} uses {word}");
            }
        }
    }
}
