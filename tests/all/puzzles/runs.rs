//! Runs of the command: what is a duplicate, threads, counts, mistakes of a player, and bad games.

use std::collections::{BTreeMap, BTreeSet};

use super::proofs::follow_up;
use super::{Puzzle, TINUE, game_before, mv, position, read, sampled, shipped};
use crate::cases::{are_many, cases, step};
use crate::folder::{Folder, ended};
use serde_json::{Value, json};
use tak_engine::board::{Color, Setup, Symmetry};
use tak_engine::notation::{PtnGame, parse_games};

/// A game in which White misses roads.
const GAME: &str = "[Player1 \"Ann \\\"A\\\" Lee\"]\n[Odd tag \"1\"]\n[Size \"5\"]\n[Komi \"0.5\"]\n\n\
    1. a1 e5 {a comment}\n2. c3 c4\n3. d3 b3\n4. b4?! d4''\n5. d2 e4\n6. a4 c4<\n";

#[test]
fn a_rotated_or_recoloured_position_is_the_same_puzzle_with_any_komi() {
    let folder = Folder::new("puzzles-symmetry");
    let setup: Setup = TINUE.parse().unwrap();
    let own = position(TINUE);
    folder.file("one.ptn", &own);
    let one = read(&folder.puzzles("one.ptn --nodes 20000"));
    assert_eq!(one.len(), 1, "{one:?}");
    let mut all = own;
    let symmetries = Symmetry::ALL.into_iter().step_by(step(4));
    let images = 2 * symmetries.len();
    for symmetry in symmetries {
        let image = Setup { move_number: 30, ..setup.transformed(symmetry) };
        all.push_str(&position(&image.to_string()));
        all.push_str("[Komi \"2\"]\n");
        all.push_str(&position(&image.colors_swapped().to_string()));
    }
    folder.file("all.ptn", all);
    assert_eq!(read(&folder.puzzles("all.ptn --nodes 20000")).len(), 1);
    let totals = folder.puzzles("all.ptn --nodes 20000 --out all.jsonl");
    let count = images + 1;
    let expected = format!("{count} games, {count} positions: 1 tinue");
    assert!(totals.contains(&expected), "{totals}");
    let expected = format!(" {images} duplicates");
    assert!(totals.contains(&expected), "{totals}");
}

#[test]
fn threads_change_nothing_and_count_ends_early() {
    let folder = Folder::new("puzzles-threads");
    // Positions that are known to hold puzzles, the easy ones, so that not much has to be looked at.
    let known = shipped();
    let known = known.iter().filter(|puzzle| puzzle.setup.size.width() == 5 && puzzle.plies != Some(1));
    let each = if are_many() { 4 } else { 3 };
    let games = ["tinue", "defence", "flats"].map(|kind| {
        let own = known.clone().filter(|puzzle| puzzle.kind == kind);
        let own = own.take(each);
        own.map(game_before).collect::<String>()
    });
    folder.file("games.ptn", games.concat());
    let words = "games.ptn --nodes 3000 --max-plies 5";
    let [one, three] = [1, 3].map(|threads| folder.puzzles(&format!("{words} --threads {threads}")));
    assert_eq!(one, three);
    let puzzles = read(&one);
    for kind in ["tinue", "defence", "flats"] {
        let count = puzzles.iter().filter(|puzzle| puzzle.kind == kind).count();
        assert!(count >= each - 1, "{count} of {kind}: {one}");
    }
    // Fewer than there are.
    let most = each - 2;
    let mut wanted = BTreeMap::new();
    let first: Vec<&str> = one
        .lines()
        .filter(|line| {
            let count: &mut usize = wanted.entry(Puzzle::read(line).kind).or_default();
            *count += 1;
            *count <= most
        })
        .collect();
    for threads in [1, 3] {
        let few = folder.puzzles(&format!("{words} --count {most} --threads {threads}"));
        assert_eq!(few.lines().collect::<Vec<_>>(), first);
    }
    let only = folder.puzzles(&format!("{words} --kind tinue --size 5 --count 1"));
    assert!(one.contains(&only), "{only}");
    assert_eq!(only.lines().count(), 1);
    assert_eq!(folder.succeed(&format!("puzzles {words} --size 4")), "");
}

/// Black wins in three plies, by `e4` alone.
const BLACKS: &str = "21,1,1,x2/1,2,12,2,x/1,x,1,1S,12/12,121C,2C,2,2/x2,21,2,1 2 19";

/// A game of Bob with Ann, who is Black, of one move.
fn missed(tps: &str, mv: &str) -> String {
    let number = tps.rsplit(' ').next().unwrap();
    let first = if tps.contains(" 2 ") { "--" } else { "" };
    format!("[Player1 \"Bob\"]\n[Player2 \"Ann\"]\n{}{number}. {first} {mv}\n\n", position(tps))
}

#[test]
fn mistakes_are_puzzles_of_the_player_who_made_them() {
    let folder = Folder::new("puzzles-mistakes");
    let games = sampled::<4>(cases(60)) + "\n" + &sampled::<5>(cases(5));
    folder.file("games.ptn", games.replace("[Size", "[Player1 \"Ann\"]\n[Player2 \"Bob\"]\n[Size"));
    let words = "games.ptn --from-mistakes --max-plies 5 --nodes 20000";
    let puzzles = read(&folder.puzzles(words));
    let games: Vec<PtnGame> = parse_games(&folder.text("games.ptn")).map(Result::unwrap).collect();
    for puzzle in &puzzles {
        let [game, ply] = ["game", "ply"].map(|name| puzzle.record[name].as_u64().unwrap() as usize);
        let played = games[game - 1].moves[ply].mv;
        assert_ne!(played, puzzle.first, "{}", puzzle.record);
        assert_eq!(played, mv(&puzzle.record["wrong"][0]), "{}", puzzle.record);
    }
    // Mistakes have the proofs of other puzzles.
    let checked = follow_up(&puzzles, usize::MAX);
    let kinds: BTreeSet<&str> = puzzles.iter().map(|puzzle| puzzle.kind.as_str()).collect();
    println!("{} mistakes, {checked:?}", puzzles.len());
    assert!(kinds.contains("best") && kinds.len() >= 3, "{kinds:?}");
    let keys: Vec<String> = puzzles.iter().map(|puzzle| puzzle.record.to_string()).collect();
    let whites = read(&folder.puzzles(&format!("{words} --player ANN")));
    assert!(!whites.is_empty() && whites.len() < puzzles.len());
    assert!(whites.iter().all(|puzzle| puzzle.setup.to_move == Color::White), "{whites:?}");
    let more = whites.iter().filter(|puzzle| !keys.contains(&puzzle.record.to_string())).count();
    assert!(2 * more < whites.len(), "only repeated positions differ: {more}");
}

#[test]
fn only_a_move_that_loses_something_is_a_mistake() {
    let folder = Folder::new("puzzles-missed");
    folder.file("games.ptn", missed(BLACKS, "d5") + &missed(BLACKS, "e4"));
    let puzzles = read(&folder.puzzles("games.ptn --from-mistakes --player Ann --nodes 20000"));
    assert_eq!(puzzles.iter().map(|puzzle| puzzle.record["game"].as_u64()).collect::<Vec<_>>(), [Some(1)]);
    let record = &puzzles[0].record;
    assert_eq!((record["kind"].as_str(), record["plies"].as_u64()), (Some("tinue"), Some(3)));
    assert_eq!((record["solution"]["move"].as_str(), record["wrong"][0]["move"].as_str()), (Some("e4"), Some("d5")));
    let words = "puzzles games.ptn --from-mistakes --nodes 20000 --player";
    let printed = ended(&mut folder.command(&format!("{words} Bob")), 0);
    assert_eq!(printed, (String::new(), "no puzzle found\n".to_owned()));
    let printed = ended(&mut folder.command(&format!("{words} Cid")), 0);
    assert_eq!(printed, (String::new(), "no puzzle found\nleft out of 2 games: 2 without Cid\n".to_owned()));

    // Roads at hand, by a placement and by a spread.
    for (tps, right, kind, plies) in [
        ("2C,x3,1C/2,2,2,2,x/1,1,1,1,x/2,2,2,2,x/x5 1 6", "e3", "best", None),
        ("2,2,2,2,x/x3,2,1/1,1,1,1,2/2,2,2,2,x/x5 1 7", "e4-", "tinue", Some(1)),
    ] {
        folder.file("game.ptn", missed(tps, "a1") + &missed(tps, right));
        let puzzles = read(&folder.puzzles("game.ptn --from-mistakes --nodes 20000"));
        let [puzzle] = &puzzles[..] else { panic!("{tps}: {puzzles:?}") };
        assert_eq!((puzzle.kind.as_str(), puzzle.plies, puzzle.first.to_string()), (kind, plies, right.to_owned()));
        assert_eq!(puzzle.record["wrong"][0]["answer"].as_array().map(Vec::len), Some(1), "Black has a road then");
        assert_eq!(puzzle.record["also"], Value::Null);
    }
}

#[test]
fn several_pieces_on_one_square_may_be_right() {
    let folder = Folder::new("puzzles-pieces");
    // White completes a road with a flat or the capstone.
    let (tps, [right, also], played) = ("x5/2,2,2,2,x/1,1,1,1,x/2,2,2,2,x/x5 1 6", ["e3", "Ce3"], ["a1", "Se3"]);
    folder.file("games.ptn", played.map(|mv| missed(tps, mv)).concat() + &missed(tps, right) + &missed(tps, also));
    let words = "games.ptn --from-mistakes --nodes 20000";
    let puzzles = read(&folder.puzzles(words));
    assert_eq!(puzzles.len(), 1, "the same position");
    let record = &puzzles[0].record;
    assert_eq!((record["kind"].as_str(), record["solution"]["move"].as_str()), (Some("best"), Some(right)));
    assert_eq!((&record["also"], &record["wrong"][0]["move"]), (&json!([also]), &json!(played[0])));
    folder.puzzles(&format!("{words} --force --out puzzles.ptn"));
    let ptn = folder.text("puzzles.ptn");
    assert!(ptn.contains("has good moves on one square.") && ptn.contains(&format!("{also}!")), "{ptn}");
    folder.file("games.ptn", missed(tps, played[1]));
    assert_eq!(read(&folder.puzzles(words))[0].record["wrong"][0]["move"], played[1]);
}

#[test]
fn a_bad_game_costs_only_itself() {
    let folder = Folder::new("puzzles-bad");
    let bad = "[Size \"5\"]\n\n1. a1 e5\n2. z9\n\n";
    let illegal = "[Size \"5\"]\n\n1. a1 e5\n2. a1\n\n";
    let nameless = "[Event \"x\"]\n\n1. a1\n\n";
    let text = [bad, &position(TINUE), illegal, nameless, GAME].concat();
    folder.file("games.ptn", text.replace('\n', "\r\n"));
    let (out, stderr_text) = ended(&mut folder.command("puzzles games.ptn --nodes 5000"), 1);
    let puzzles = read(&out);
    assert!(puzzles.iter().any(|puzzle| puzzle.record["game"] == 2), "{puzzles:?}");
    for part in [
        "game 1: line 4: ",
        "game 3: line 11: illegal move 2 of White, a1",
        "game 4: ",
        "error: 3 of 5 games are not whole",
    ] {
        assert!(stderr_text.contains(part), "{part}: {stderr_text}");
    }
}
