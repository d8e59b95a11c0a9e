//! Puzzles written as PTN: tags, and the tree of moves as variations.

use std::collections::BTreeMap;

use super::{TINUE, game_before, position, read, sampled, shipped};
use crate::cases::cases;
use crate::folder::{Folder, output_for};
use serde_json::Value;
use tak_engine::notation::{PtnGame, parse_games};

#[test]
fn tags_go_along_and_stdin_is_read() {
    let folder = Folder::new("puzzles-tags");
    let tags = "[Player1 \"Ann \\\"A\\\" Lee\"]\n[Odd \"x\"]\n[Event \"E\"]\n[Komi \"2.5\"]\n[Result \"1-0\"]\n";
    let text = format!("\u{feff}{tags}{}", position(TINUE)).replace('\n', "\r\n");
    let output = output_for(&mut folder.command("puzzles - --nodes 20000 --kind tinue"), &text);
    assert!(output.status.success());
    let puzzles = read(std::str::from_utf8(&output.stdout).unwrap());
    assert_eq!(puzzles.len(), 1);
    let record = &puzzles[0].record;
    assert_eq!(record["komi"], 2.5);
    assert_eq!(record["tags"]["Player1"], "Ann \"A\" Lee");
    assert_eq!(record["tags"]["Odd"], "x");
    assert_eq!(record["solution"]["move"], "c2<");

    folder.file("game.ptn", text);
    folder.puzzles("game.ptn --nodes 20000 --kind tinue --out puzzles.ptn");
    let ptn = folder.text("puzzles.ptn");
    let game = parse_games(&ptn).next().unwrap().unwrap();
    assert_eq!(game.tag("Player1"), Some("Ann \"A\" Lee"));
    assert_eq!(game.tag("Odd"), None, "PTN Ninja refuses tags it does not know");
    assert_eq!(game.start.komi.half(), 5);
    assert_eq!(game.moves.len(), 3);
    assert_eq!(game.moves[0].marks, "!");
}

/// The variations of a game in PTN Ninja's form: names, and their words without numbers and marks.
fn variations(ptn: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for part in ptn.split("\n\n{").skip(1) {
        let (name, moves) = part.split_once("}\n").unwrap();
        if name.starts_with('*') {
            continue;
        }
        let words = moves.split_whitespace();
        let words = words.filter(|word| !word.ends_with('.'));
        let words = words.map(|word| word.trim_end_matches('?').to_owned());
        found.push((name.to_owned(), words.collect()));
    }
    found
}

#[test]
fn ptn_has_the_whole_tree_as_variations() {
    let folder = Folder::new("puzzles-ptn");
    let mut text = sampled::<4>(cases(10));
    text.push_str(&position(TINUE));
    // Wins on flats branch most, with a variation for each way to end the game: these have more than two hundred.
    let known = shipped();
    let known = known.iter().filter(|puzzle| puzzle.plies == Some(5));
    let flats = known.filter(|puzzle| puzzle.kind == "flats").take(8);
    text.extend(flats.map(game_before));
    folder.file("games.ptn", text);
    let words = "games.ptn --nodes 20000 --max-plies 7";
    folder.puzzles(&format!("{words} --out puzzles.jsonl"));
    folder.puzzles(&format!("{words} --out puzzles.ptn"));
    let puzzles = read(&folder.text("puzzles.jsonl"));
    let ptn = folder.text("puzzles.ptn");
    folder.succeed("replay puzzles.ptn");
    let games: Vec<PtnGame> = parse_games(&ptn).map(Result::unwrap).collect();
    assert_eq!(games.len(), puzzles.len());
    // A game's text begins with its tags.
    let starts: Vec<usize> = ptn.match_indices("\n\n[").map(|(at, _)| at + 2).collect();
    let starts: Vec<usize> = std::iter::once(0).chain(starts).collect();
    let ends = starts[1..].iter().copied().chain([ptn.len()]);
    let texts: Vec<&str> = starts.iter().zip(ends).map(|(&a, b)| &ptn[a..b]).collect();
    assert_eq!(texts.len(), games.len());
    let mut variations_seen = 0;
    for ((puzzle, game), text) in puzzles.iter().zip(&games).zip(texts) {
        assert_eq!(game.moves[0].mv, puzzle.first);
        // Every line as words from the root.
        let main: Vec<String> = game.moves.iter().map(|played| played.mv.to_string()).collect();
        let mut lines = BTreeMap::from([(String::new(), main)]);
        for (name, moves) in variations(text) {
            let (parent, own) = name.rsplit_once('/').unwrap_or(("", &name));
            let (place, _) = own.split_once('_').unwrap();
            let side = usize::from(place.ends_with('b'));
            let number: usize = place[..place.len() - 1].parse().unwrap();
            let start = 2 * puzzle.setup.move_number as usize + puzzle.setup.to_move.index();
            let offset = 2 * number + side - start;
            let parent = &lines[parent];
            assert!(offset < parent.len(), "PTN Ninja needs a move to branch from: {text}");
            let moves = moves.into_iter().filter(|word| word != "--");
            let line = parent[..offset].iter().cloned().chain(moves).collect();
            assert!(lines.insert(name, line).is_none(), "a name is there twice: {text}");
            variations_seen += 1;
        }
        let mut printed_lines: Vec<Vec<String>> = lines.into_values().collect();
        printed_lines.sort();
        let mut wanted = Vec::new();
        leaves(&puzzle.record["solution"], &[], &mut wanted);
        for wrong in puzzle.record["wrong"].as_array().unwrap() {
            let mut line = vec![wrong["move"].as_str().unwrap().to_owned()];
            let answer = wrong["answer"].as_array().unwrap().iter();
            line.extend(answer.map(|mv| mv.as_str().unwrap().to_owned()));
            wanted.push(line);
        }
        wanted.sort();
        assert_eq!(printed_lines, wanted, "{text}");
    }
    assert!(variations_seen > 10, "{variations_seen} variations");
}

/// The lines of a tree.
fn leaves(node: &Value, before: &[String], lines: &mut Vec<Vec<String>>) {
    let mut line = before.to_vec();
    line.push(node["move"].as_str().unwrap().to_owned());
    let answers = node["answers"].as_array().unwrap();
    for answer in answers {
        leaves(answer, &line, lines);
    }
    if answers.is_empty() {
        lines.push(line);
    }
}
