//! The explorer: collections of games that are opened in the browser.

use serde_json::json;

use super::browsing::{Page, start};
use super::layout::IS_NARROW;
use crate::support::serving::Serving;

/// Rated games on two boards. The first moves of those on 5x5 are equivalent.
const GAMES: &str = "[Size \"5\"]\n[Rating1 \"1500\"]\n\n1. a1 e5 2. c3 1-0\n\n[Size \"5\"]\n\n1. e5 a1 2. c3 c2 0-1\n\n\
    [Size \"5\"]\n[Rating1 \"1600\"]\n\n1. a5 e1 2. d3 1/2-1/2\n\n[Size \"6\"]\n\n1. a1 f6\n\n[Size \"5\"]\n\n1. a1 a1\n\n";

impl Page {
    /// Gives files to the explorer, each by its name and an expression for its parts.
    fn collect_parts(&self, files: &[(&str, &str)]) {
        self.wait_text("#task-title", "Explorer");
        let files: Vec<_> = files.iter().map(|(name, parts)| format!("new File({parts}, {name:?})")).collect();
        self.eval(&format!(
            "(() => {{ const data = new DataTransfer(); for (const file of [{}]) {{ data.items.add(file); }} \
             const input = document.querySelector('#task input[type=file]'); input.files = data.files; \
             input.dispatchEvent(new Event('change')); }})()",
            files.join(", ")
        ));
    }

    /// Gives files to the explorer by their names and texts.
    pub fn collect(&self, files: &[(&str, &str)]) {
        let files: Vec<_> = files.iter().map(|(name, text)| (*name, json!([text]).to_string())).collect();
        let files: Vec<_> = files.iter().map(|(name, parts)| (*name, parts.as_str())).collect();
        self.collect_parts(&files);
    }

    /// The list of moves, a row a line, with what is read of the bars.
    fn explored(&self) -> String {
        let rows = "[...document.querySelectorAll('#explore-moves tbody tr')].map((row) => [...row.children].map((cell) => \
            cell.querySelector('[aria-label]')?.ariaLabel ?? cell.textContent).join('; ')).join('\\n')";
        self.eval(rows).as_str().unwrap().to_owned()
    }

    fn wait_summary(&self, text: &str) {
        self.wait_text("#explore-summary", text);
    }
}

pub fn a_collection_is_explored(url: &str) {
    let page = Page::open(url);
    page.link(url, &start(5, None));
    page.begin("a1 b2 c3");
    page.open_view("explore", "");
    // It begins with the position on the board.
    page.wait("document.querySelector('#square-c3').ariaLabel.startsWith('c3: white flat')");
    page.collect(&[("first.ptn", GAMES), ("second.ptn", "[Size \"5\"]\n\n1. b1 e5 0-1")]);
    page.wait_text("#task-goal", "first.ptn and second.ptn: 6 games.");
    page.wait_summary("No game has this position.");
    page.click("#task .steps button");
    page.wait_summary("4 games: White 25 %, draw 25 %, Black 50 %.");
    let rows = "a1; 3; White 33 %, draw 33 %, Black 33 %; 1550\nb1; 1; White 0 %, draw 0 %, Black 100 %; ";
    assert_eq!(page.explored(), rows);
    assert_eq!(page.eval(IS_NARROW), true);
    page.wait_text("#explore-left", "Left out of 6 games: 1 on 6x6, 1 damaged.");
    assert_eq!(page.text("#explore-faults"), "game 5: line 21: illegal move a1: square a1 is not empty");
    // A click goes deeper, and so does a move on the board; the symmetries of the position count as one.
    page.click("#explore-moves button");
    page.wait_summary("3 games: ");
    page.click_squares("e5");
    page.wait("document.querySelectorAll('#explore-moves tbody tr').length === 2");
    assert_eq!(page.explored().lines().next(), Some("c3; 2; White 50 %, draw 0 %, Black 50 %; 1500"));
    page.click("#explore-moves button");
    page.wait_summary("2 games: White 50 %, draw 0 %, Black 50 %. 1 game ended here.");
    // Back by the keys too, which asks nothing again.
    page.keys("[ [ [");
    page.wait_summary("4 games: ");
    page.set("explore-board", "6");
    page.wait_summary("1 game: White -, draw -, Black -, 1 without a result.");
    assert_eq!(page.eval("document.querySelectorAll('[role=gridcell]').length"), 36);
    // The collection stays while other views are open, and so does the game.
    page.open_view("learn", "");
    page.open_view("explore", "");
    page.wait_summary("No game has this position.");
    page.click("#task a[href='#']");
    assert_eq!(page.wait_moves(3), "a1 b2 c3");
    page.check();
}

pub fn hostile_collections_are_harmless(url: &str) {
    let page = Page::open(url);
    page.link(url, &start(3, None));
    page.open_view("explore", "");
    let markup = "<img src=x onerror='document.title=1'>";
    page.collect(&[("empty.ptn", ""), (markup, "\u{feff}\u{0}\u{1}\n\n{ ( [ \" 1. ")]);
    page.wait_verdict("No game could be read; 1 is damaged.");
    page.collect(&[("empty.ptn", " \n\n")]);
    page.wait_verdict("These files contain no game.");
    let tags = format!("[Site \"{markup}\"]\n[Size \"4\"]\n[Rating1 \"99999999999\"]\n\n1. a1 {{{markup}}} d4 R-0\n\n");
    page.collect(&[(markup, &format!("{tags}[Size \"{markup}\"]\n\n1. a1"))]);
    // The board is that of the games.
    page.wait_summary("1 game: White 100 %, draw 0 %, Black 0 %.");
    page.wait_text("#task-goal", &format!("{markup}: 2 games."));
    assert_eq!(page.explored(), "a1; 1; White 100 %, draw 0 %, Black 0 %; ");
    assert_eq!(
        page.eval(
            "[document.querySelectorAll('[role=gridcell]').length, document.querySelectorAll('#task img').length]"
        ),
        json!([16, 0])
    );
    // Other encodings, and characters that fall between two parts.
    let utf16 = "[new Uint16Array([0xfeff, ...[...'[Size \"3\"]\\n1. b2 {ö} a1'].map((c) => c.charCodeAt(0))])]";
    let latin = "[new Uint8Array([...'[Size \"3\"]\\n1. b2 {é'].map((c) => c.charCodeAt(0))), '} a2']";
    let long = "['[Size \"3\"]\\n1. b2 {', 'é'.repeat(100_000), '} c1\\n']";
    page.collect_parts(&[("a.ptn", utf16), ("b.ptn", latin), ("c.ptn", long)]);
    page.wait_summary("3 games: ");
    assert_eq!(page.explored(), "b2; 3; ; ");
    // A collection above the limit is refused by name.
    page.collect_parts(&[("large.ptn", "Array(300).fill(new Uint8Array(1_000_000))")]);
    page.wait_text("#task-verdict", "The games could not be read: the files have 300 MB, and at most ");
    page.wait_text("#task-verdict", " MB can be explored here; tak-engine explore reads files of any size.");
    page.check();
}

/// The program holds a collection for one connection; the page sends it again.
pub fn a_lost_connection_loses_no_collection() {
    let serving = Serving::start(&[]);
    let page = Page::open(&serving.url);
    page.link(&serving.url, &start(5, None));
    page.open_view("explore", "");
    page.collect(&[("games.ptn", GAMES)]);
    page.wait_summary("3 games: ");
    page.eval("document.querySelector('#explore-moves tbody tr').dataset.former = ''");
    let port = serving.port;
    drop(serving);
    page.wait_text("#connection", "Not connected");
    // A move that cannot be made changes nothing.
    page.click_squares("b2");
    let serving = Serving::start_at(port, &[]);
    page.wait(
        "document.querySelector('#explore-moves tbody tr') && !document.querySelector('#explore-moves [data-former]')",
    );
    page.click("#explore-moves button");
    page.wait("document.querySelector('#square-a1').ariaLabel.startsWith('a1: black flat')");
    page.wait_summary("3 games: ");
    page.forget_faults();
    drop(serving);
}
