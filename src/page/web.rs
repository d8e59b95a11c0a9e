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
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const LINES: &str = "application/jsonl; charset=utf-8";
const DATA: &str = "application/json; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

macro_rules! files {
    ($($path:literal, $kind:ident, $name:literal;)*) => {
        /// Paths and files, in no order.
        const FILES: &[(&str, File)] = &[
            $(($path, File { text: include_str!(concat!("web/", $name)), kind: $kind })),*
        ];
    };
}

files! {
    "/", HTML, "index.html";
    "/how-to-play.html", HTML, "how-to-play.html";
    "/style.css", CSS, "style.css";
    "/themes.css", CSS, "../../draw/themes.css";
    "/icon.svg", PICTURE, "icon.svg";
    "/main.js", SCRIPT, "main.js";
    "/analysis.js", SCRIPT, "analysis.js";
    "/attempt.js", SCRIPT, "attempt.js";
    "/board.js", SCRIPT, "board.js";
    "/clock.js", SCRIPT, "clock.js";
    "/connection.js", SCRIPT, "connection.js";
    "/dialogs.js", SCRIPT, "dialogs.js";
    "/draft.js", SCRIPT, "draft.js";
    "/drag.js", SCRIPT, "drag.js";
    "/elements.js", SCRIPT, "elements.js";
    "/explore.js", SCRIPT, "explore.js";
    "/game.js", SCRIPT, "game.js";
    "/glicko.js", SCRIPT, "glicko.js";
    "/graph.js", SCRIPT, "graph.js";
    "/hand.js", SCRIPT, "hand.js";
    "/input.js", SCRIPT, "input.js";
    "/learn.js", SCRIPT, "learn.js";
    "/lessons.json", DATA, "lessons.json";
    "/moves.js", SCRIPT, "moves.js";
    "/new-game.js", SCRIPT, "new-game.js";
    "/notes.js", SCRIPT, "notes.js";
    "/owner.js", SCRIPT, "owner.js";
    "/panel.js", SCRIPT, "panel.js";
    "/parts.js", SCRIPT, "parts.js";
    "/pieces.js", SCRIPT, "pieces.js";
    "/positions.js", SCRIPT, "positions.js";
    "/puzzle-list.js", SCRIPT, "puzzle-list.js";
    "/puzzles.js", SCRIPT, "puzzles.js";
    "/puzzles-4x4.jsonl", LINES, "../../../docs/puzzles/4x4.jsonl";
    "/puzzles-5x5.jsonl", LINES, "../../../docs/puzzles/5x5.jsonl";
    "/puzzles-6x6.jsonl", LINES, "../../../docs/puzzles/6x6.jsonl";
    "/puzzles-7x7.jsonl", LINES, "../../../docs/puzzles/7x7.jsonl";
    "/results.js", SCRIPT, "results.js";
    "/review.js", SCRIPT, "review.js";
    "/state.js", SCRIPT, "state.js";
    "/task.css", CSS, "task.css";
    "/task.js", SCRIPT, "task.js";
    "/transport.js", SCRIPT, "transport.js";
    "/tree.js", SCRIPT, "tree.js";
    "/undo.js", SCRIPT, "undo.js";
    "/variations.js", SCRIPT, "variations.js";
    "/watch.js", SCRIPT, "watch.js";
}

/// The file at a path, such as `/` or `/style.css`.
#[must_use]
pub fn file(path: &str) -> Option<&'static File> {
    FILES.iter().find(|(name, _)| *name == path).map(|(_, file)| file)
}

#[cfg(test)]
mod tests {
    use super::*;

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
