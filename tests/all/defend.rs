//! The question of the page for the best defence in a puzzle.

use serde_json::{Value, json};
use tak_engine::board::{AnyPosition, ByColor, Komi, Reserve, Setup};
use tak_engine::page::file;

use crate::brute_force::wins;
use crate::cases::cases;
use crate::page::{ask, from, last};

/// A puzzle as the page asks about it.
fn puzzle_start(puzzle: &Value) -> Value {
    let pieces = |player: usize| json!([puzzle["flats"][player], puzzle["caps"][player]]);
    let half_komi = (2.0 * puzzle["komi"].as_f64().unwrap()) as i64;
    let reserves = [pieces(0), pieces(1)];
    json!({"size": puzzle["size"], "half_komi": half_komi, "opening": "swap", "tps": puzzle["tps"], "reserves": reserves})
}

/// The position after these moves from a start, in which the game is not over.
fn reached(start: &Value, moves: &[&str]) -> Option<AnyPosition> {
    let view = ask(json!({"do": "view", "game": {"start": start, "moves": moves}}));
    let mut setup: Setup = view["view"]["tps"].as_str().unwrap().parse().unwrap();
    setup.komi = Komi::from_half(view["view"]["half_komi"].as_i64().unwrap()).unwrap();
    let count = |player: usize, kind: usize| start["reserves"][player][kind].as_u64().unwrap() as u8;
    setup.reserves = ByColor([0, 1].map(|player| Reserve { stones: count(player, 0), caps: count(player, 1) }));
    view["view"]["outcome"].is_null().then(|| AnyPosition::from_setup(&setup).unwrap())
}

/// Forced wins of the puzzles that come with the program, played against the best defence. What that says is compared with
/// a search of all moves.
#[test]
fn the_best_defence_against_a_puzzle_is_found() {
    const LONGEST: u64 = 5;
    for name in ["/puzzles/4x4.jsonl", "/puzzles/5x5.jsonl", "/puzzles/6x6.jsonl", "/puzzles/7x7.jsonl"] {
        let puzzles = file(name).unwrap().text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let forced = puzzles.filter(|puzzle| puzzle["plies"].as_u64().is_some_and(|plies| plies <= LONGEST));
        let forced = forced.filter(|puzzle| puzzle["kind"] != "defence");
        for puzzle in forced.take(cases(6)) {
            let (start, plies) = (puzzle_start(&puzzle), puzzle["plies"].as_u64().unwrap() as u32);
            let ask = |moves: &[&str]| {
                let question = json!({"do": "defend", "game": {"start": &start, "moves": moves}, "plies": plies - 1});
                last(question)["defence"].take()
            };
            let right = puzzle["solution"]["move"].as_str().unwrap();
            let answer = ask(&[right]);
            let defence = answer["move"].as_str().unwrap();
            assert_eq!(answer, json!({"is_lost": true, "move": defence, "plies": plies - 1}), "{puzzle}");
            let next = reached(&start, &[right, defence]);
            assert!(
                next.is_none_or(|next| wins(&next, plies - 2) && (plies < 5 || !wins(&next, plies - 4))),
                "{puzzle}"
            );
            let wrong = puzzle["wrong"].as_array().unwrap().iter().map(|wrong| wrong["move"].as_str().unwrap());
            for wrong in wrong.filter(|wrong| reached(&start, &[wrong]).is_some()).take(2) {
                let answer = ask(&[wrong]);
                assert_eq!(answer["is_lost"], false, "{wrong} in {puzzle}");
                let defence = answer["move"].as_str().unwrap();
                let next = reached(&start, &[wrong, defence]);
                assert!(next.is_none_or(|next| !wins(&next, plies - 2)), "{wrong} {defence} in {puzzle}");
            }
        }
    }
}

#[test]
fn a_defence_needs_a_game_that_goes_on() {
    let over = json!({"do": "defend", "game": from(3, "x3/1,1,1/2,2,x 2 4"), "plies": 2});
    assert_eq!(ask(over), json!({"error": "there is nothing to analyse: the game is over"}));
    // With no plies left, nothing is lost.
    let none = json!({"do": "defend", "game": from(3, "x3/1,1,x/2,2,x 2 4"), "plies": 0});
    assert_eq!(last(none)["defence"], json!({"is_lost": false, "move": "c1"}));
}
