//! The page about annotated games, as the program writes it.

use super::folder::Folder;
use crate::playout::game_of;
use tak_engine::board::Size;
use tak_engine::notation::PtnGame;

const HOSTILE: &str = "</svg><script>alert(1)</script>&'";

/// Games of random moves on all sizes, with names that must be escaped.
pub fn games(count: u64) -> String {
    let games = (0..count).map(|seed| {
        let size = Size::ALL[seed as usize % Size::ALL.len()];
        let mut ptn = PtnGame::from(&game_of(size, 24, seed));
        let (one, other) = ["Ann", HOSTILE, "Dee"].split_at(seed as usize % 3);
        let players = ["Player1", "Player2"].into_iter().zip([other, one].concat());
        ptn.tags.splice(0..0, players.map(|(tag, name)| (tag.to_owned(), name.to_owned())));
        ptn.to_string()
    });
    games.collect::<Vec<_>>().join("\n")
}

/// The page about these games.
pub fn page(folder: &Folder, ptn: &str) -> String {
    folder.file("games.ptn", ptn);
    folder.succeed("annotate games.ptn --nodes 150 --report review.html");
    folder.text("review.html")
}

/// Players and results of games without more than a move, a game a line.
pub const RESULTS: [(&str, &str, &str); 12] = [
    ("Once", "Rest", "1-0"),
    ("Rest", "Even", "1/2-1/2"),
    ("Never", "Rest", "0-1"),
    ("Often", "Rest", "R-0"),
    ("Often", "Rest", "R-0"),
    ("Rest", "Often", "F-0"),
    ("Rest", "Often", "0-R"),
    ("Often", "Rest", "0-F"),
    ("Often", "Rest", "0-R"),
    ("Often", "Rest", "0-R"),
    ("Often", "Rest", "0-R"),
    ("Open", "Rest", "*"),
];

/// These games as PTN.
pub fn games_with_results() -> String {
    let ptn: Vec<String> = RESULTS
        .iter()
        .map(|(white, black, result)| {
            format!("[Player1 \"{white}\"]\n[Player2 \"{black}\"]\n[Size \"5\"]\n\n1. a1 e5 {result}\n")
        })
        .collect();
    ptn.join("\n")
}

/// Checks the properties of every page, apart from a script at its end.
pub fn check(page: &str) {
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    for tag in "a details figure g h3 li ol p pre script section summary svg table tr".split(' ') {
        let opened = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
    // Nothing is fetched. The one address is the name of the SVG format.
    let before = page.split("<script>").next().unwrap().replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for forbidden in ["http:", "https:", "<script", "<link", "<img", "@import", "url(", "NaN", "inf\""] {
        assert!(!before.contains(forbidden), "{forbidden}");
    }
    let names = |start: &str| page.split(start).skip(1).map(|rest| rest.split('"').next().unwrap()).collect::<Vec<_>>();
    let mut ids = names(" id=\"");
    ids.sort_unstable();
    assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "an id is there twice");
    for link in names("href=\"#") {
        assert!(ids.binary_search(&link).is_ok(), "#{link} leads nowhere");
    }
}
