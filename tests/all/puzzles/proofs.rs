//! What puzzles claim, compared with brute force.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use super::{Puzzle, mv, read, sampled, shipped};
use crate::cases::{are_many, cases, step};
use crate::explain::theirs::{Place, Top, after, all_moves, roads, squares};
use crate::fast_rules::fast_tak_game;
use crate::folder::Folder;
use crate::oracle::Oracle;
use fast_tak::takparse::Piece;
use fast_tak::{GameResult, Reserves};
use rayon::prelude::*;
use serde_json::Value;
use tak_engine::board::{AnyPosition, Game, Move};
use tak_engine::search::Solved;

/// Longer puzzles are not followed up.
const LONGEST: u32 = 5;

/// Holds all that a puzzle of few plies claims against brute force.
fn check<const N: usize>(puzzle: &Puzzle)
where
    Reserves<N>: Default,
{
    let puzzle_text = puzzle.record.to_string();
    let game = Game::new(AnyPosition::from_setup(&puzzle.setup).unwrap());
    let moves = game.legal_moves();
    assert!(moves.contains(&puzzle.first), "{puzzle_text}");
    let others = moves.into_iter().filter(|&mv| mv != puzzle.first);
    let plies = puzzle.plies.unwrap();
    assert!(puzzle.settled.is_none_or(|settled| settled >= plies), "{puzzle_text}");
    // Claims beyond the plies of the puzzle have to hold too, as far as brute force reaches.
    let settled = puzzle.settled.unwrap_or(LONGEST).min(LONGEST).max(plies);
    let mut oracle = Oracle::<N>::new(&puzzle.setup, &[], 3);
    match puzzle.kind.as_str() {
        "defence" => {
            for mv in others {
                let lost = oracle.confirms(Solved::Loss(plies), Some(mv));
                assert!(lost, "{mv} does not lose: {puzzle_text}");
            }
            let lost = oracle.confirms(Solved::Loss(settled), Some(puzzle.first));
            assert!(!lost, "the right move loses: {puzzle_text}");
        }
        kind @ ("tinue" | "flats") => {
            for mv in others {
                let wins = oracle.confirms(Solved::Win(settled), Some(mv));
                assert!(!wins, "{mv} wins too: {puzzle_text}");
            }
            let sooner = plies > 1 && oracle.confirms(Solved::Win(plies - 1), Some(puzzle.first));
            assert!(!sooner, "there is a sooner win: {puzzle_text}");
            let wins = oracle.confirms(Solved::Win(plies), Some(puzzle.first));
            assert!(wins, "the right move does not win: {puzzle_text}");
            oracle.only_roads = true;
            let by_road = oracle.confirms(Solved::Win(plies), Some(puzzle.first));
            assert_eq!(by_road, kind == "tinue", "{puzzle_text}");
            check_tree(&game, &puzzle.record["solution"], plies, &puzzle_text);
        }
        other => panic!("{other} is not followed up"),
    }
    for wrong in puzzle.record["wrong"].as_array().unwrap() {
        let mut game = game.clone();
        assert_ne!(mv(wrong), puzzle.first, "{puzzle_text}");
        game.play(mv(wrong)).unwrap();
        for answer in wrong["answer"].as_array().unwrap() {
            game.play(answer.as_str().unwrap().parse().unwrap()).unwrap();
        }
    }
}

/// Every line of a solution is legal, takes all the plies and ends with the mover's win.
fn check_tree(game: &Game, node: &Value, left: u32, puzzle_text: &str) {
    let mut game = game.clone();
    game.play(mv(node)).unwrap();
    let answers = node["answers"].as_array().unwrap();
    let outcome = game.position().outcome();
    assert_eq!(outcome.is_some(), answers.is_empty(), "{puzzle_text}");
    assert_eq!(outcome.is_some(), left == 1, "{puzzle_text}");
    if let Some(outcome) = outcome {
        assert_eq!(outcome.winner, Some(game.start().to_move()), "{puzzle_text}");
    }
    let moves: BTreeSet<String> = answers.iter().map(|node| mv(node).to_string()).collect();
    assert_eq!(moves.len(), answers.len(), "duplicate answer: {puzzle_text}");
    for answer in answers {
        check_tree(&game, answer, left - 1, puzzle_text);
    }
}

/// Returns whether it is short enough, of a kind that is proven, and not too high for fast-tak.
fn can_be_checked(puzzle: &Puzzle) -> bool {
    let mut stacks = puzzle.setup.stacks.iter();
    puzzle.plies.is_some_and(|plies| plies <= LONGEST) && stacks.all(|stack| stack.colors.len() <= 30)
}

/// The same as [`check`] for any size.
fn check_any(puzzle: &Puzzle) {
    match puzzle.setup.size.width() {
        3 => check::<3>(puzzle),
        4 => check::<4>(puzzle),
        5 => check::<5>(puzzle),
        6 => check::<6>(puzzle),
        7 => check::<7>(puzzle),
        _ => check::<8>(puzzle),
    }
}

/// Follows up at most this number of each kind and size, on all cores.
pub(super) fn follow_up(puzzles: &[Puzzle], most: usize) -> BTreeMap<(String, usize), usize> {
    let mut checked = BTreeMap::new();
    let mut is_wanted = |puzzle: &&Puzzle| {
        let count: &mut usize = checked.entry((puzzle.kind.clone(), puzzle.setup.size.width())).or_default();
        *count += 1;
        *count <= most
    };
    let chosen: Vec<_> =
        puzzles.iter().filter(|puzzle| can_be_checked(puzzle)).filter(|puzzle| is_wanted(puzzle)).collect();
    chosen.into_par_iter().for_each(check_any);
    checked.into_iter().map(|(group, count)| (group, count.min(most))).collect()
}

/// The themes of a puzzle that follow from the moves, by the rules of fast-tak.
fn themes<const N: usize>(puzzle: &Puzzle) -> Vec<&'static str>
where
    Reserves<N>: Default,
{
    let mut game = fast_tak_game::<N, 0>(&puzzle.setup.position().unwrap());
    let (solver, reserves) = (game.to_move, [game.white_reserves, game.black_reserves]);
    let mut themes = BTreeSet::new();
    let mut node = &puzzle.record["solution"];
    for ply in 0.. {
        let Some(mv) = node["move"].as_str() else { break };
        let then = after(&game, mv).unwrap();
        if ply % 2 == 0 {
            let (own, spread) = (roads(&then, solver), mv.find(['+', '-', '<', '>']));
            let drops = spread.map_or(0, |at| (mv.len() - at - 1).max(1));
            let flattens = |((_, top), (_, now)): ((Place, Top), (Place, Top))| {
                matches!((top, now), (Some((Piece::Wall, _)), Some((Piece::Cap, _))))
            };
            if squares(&game).into_iter().zip(squares(&then)).any(flattens) {
                themes.insert("flatten");
            }
            if drops >= 3 {
                themes.insert("long-spread");
            }
            if ply == 0 && own.is_empty() && puzzle.kind == "tinue" && puzzle.plies != Some(1) {
                themes.insert("quiet-start");
            }
            let targets: BTreeSet<String> =
                own.iter().map(|mv| Move::from_str(mv).unwrap().target().to_string()).collect();
            let goes_on = |mv: &String| {
                let reply = after(&then, mv).unwrap();
                reply.result() == GameResult::Ongoing && !roads(&reply, solver).is_empty()
            };
            if targets.len() > 1 && then.result() == GameResult::Ongoing && all_moves(&then).iter().all(goes_on) {
                themes.insert("two-threats");
            }
            let moved = Move::from_str(mv).unwrap().target();
            let is_capstone = squares(&then).contains(&((moved.column(), moved.row()), Some((Piece::Cap, solver))));
            let threatens = |game| !roads(game, !solver).is_empty();
            let goes_on = then.result() == GameResult::Ongoing;
            if ply == 0 && is_capstone && goes_on && threatens(&game) && !threatens(&then) {
                themes.insert("capstone-block");
            }
        }
        (game, node) = (then, &node["answers"][0]);
    }
    if reserves.iter().any(|reserve| usize::from(reserve.stones) + usize::from(reserve.caps) <= N) {
        themes.insert("few-pieces");
    }
    themes.into_iter().collect()
}

#[test]
fn themes_of_shipped_puzzles_hold_by_other_rules() {
    for puzzle in shipped().iter().filter(|puzzle| can_be_checked(puzzle)).step_by(step(40)) {
        let said = puzzle.record["themes"].as_array().unwrap();
        let mut said: Vec<&str> = said.iter().map(|theme| theme.as_str().unwrap()).collect();
        said.retain(|theme| !theme.ends_with("-road"));
        said.sort_unstable();
        let found = match puzzle.setup.size.width() {
            4 => themes::<4>(puzzle),
            5 => themes::<5>(puzzle),
            6 => themes::<6>(puzzle),
            _ => themes::<7>(puzzle),
        };
        assert_eq!(said, found, "{}", puzzle.record);
    }
}

#[test]
fn shipped_puzzles_hold_by_brute_force() {
    let mut puzzles = shipped();
    let keys: BTreeSet<String> = puzzles.iter().map(Puzzle::key).collect();
    assert_eq!(keys.len(), puzzles.len(), "a puzzle is there twice");
    let most = cases(1);
    // On larger boards brute force takes several times as long.
    let sizes = if are_many() { vec![4, 5, 6, 7] } else { vec![4, 5] };
    puzzles.retain(|puzzle| sizes.contains(&puzzle.setup.size.width()));
    let checked = follow_up(&puzzles, most);
    println!("{checked:?}");
    for kind in ["tinue", "defence", "flats"] {
        for &size in &sizes {
            let count = checked.get(&(kind.to_owned(), size));
            assert!(count.is_some_and(|&count| count >= most.min(2)), "{kind} {size}");
        }
    }
}

#[test]
fn puzzles_of_all_sorts_hold_by_brute_force() {
    let folder = Folder::new("puzzles-all-sorts");
    let mut text = sampled::<3>(cases(40));
    text.push_str(&sampled::<4>(cases(20)));
    text.push_str(&sampled::<5>(cases(1)));
    if are_many() {
        text.push_str(&sampled::<6>(cases(1)));
    }
    folder.file("games.ptn", text);
    let kinds = "--kind tinue --kind defence --kind flats";
    let lines = folder.puzzles(&format!("games.ptn {kinds} --max-plies 5 --nodes 50000"));
    let puzzles = read(&lines);
    let checked = follow_up(&puzzles, usize::MAX);
    println!("{checked:?}");
    for kind in ["tinue", "defence", "flats"] {
        let counts = checked.iter().filter(|((other, _), _)| other == kind);
        let count: usize = counts.map(|(_, &count)| count).sum();
        let least = if are_many() { 5 } else { 1 };
        assert!(count >= least, "{count} of {kind}");
    }
}

#[test]
fn roads_at_hand_are_spreads_that_alone_win() {
    let folder = Folder::new("puzzles-at-hand");
    folder.file("games.ptn", sampled::<4>(cases(100)) + "\n" + &sampled::<5>(cases(50)));
    let puzzles = read(&folder.puzzles("games.ptn --max-plies 1"));
    assert!(puzzles.iter().all(|puzzle| puzzle.kind == "tinue" && puzzle.plies == Some(1)), "{puzzles:?}");
    let checked: usize = follow_up(&puzzles, usize::MAX).into_values().sum();
    assert!(checked >= if are_many() { 20 } else { 2 }, "{checked}");
    for puzzle in &puzzles {
        let mv: Move = puzzle.record["solution"]["move"].as_str().unwrap().parse().unwrap();
        assert!(mv.is_spread(), "{puzzle:?}");
    }
}
