//! `tak-engine puzzles` as a user runs it. Its claims are checked by an independent exhaustive search
//! with the rules of fast-tak.
//!
//! `CASES=200 cargo test --release --test all puzzles` looks at so many of the shipped puzzles of each kind and size
//! instead of 1, and at so many times more positions of other games.

#![cfg(feature = "cli")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::cases::{are_many, cases, step};
use crate::claims::games;
use crate::claims::oracle::Oracle;
use crate::explain::theirs::{Place, Top, after, all_moves, roads, squares};
use crate::folder::{Folder, ended, fail, output_for};
use crate::rules::setups::fast_tak_game;
use fast_tak::takparse::Piece;
use fast_tak::{GameResult, Reserves};
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::Value;
use tak_engine::board::{AnyPosition, ByColor, Color, Game, Komi, Move, Reserve, Setup, Symmetry};
use tak_engine::notation::{PtnGame, canonical_tps, parse_games};
use tak_engine::search::Solved;

/// Longer puzzles are not followed up.
const LONGEST: u32 = 5;

impl Folder {
    /// The stdout of a run in which nothing is wrong.
    fn puzzles(&self, words: &str) -> String {
        self.succeed_quietly(&format!("puzzles {words}"))
    }
}

/// A puzzle as its line says.
#[derive(Debug)]
struct Puzzle {
    kind: String,
    setup: Setup,
    plies: Option<u32>,
    settled: Option<u32>,
    first: Move,
    record: Value,
}

impl Puzzle {
    fn read(line: &str) -> Self {
        let record: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| record[name].as_str().unwrap().to_owned();
        let number = |name: &str| record[name].as_u64().map(|number| number as u32);
        let mut setup: Setup = text("tps").parse().unwrap();
        setup.komi = Komi::from_half((2.0 * record["komi"].as_f64().unwrap()) as i64).unwrap();
        let pieces = |name: &str, player: usize| record[name][player].as_u64().unwrap() as u8;
        setup.reserves =
            ByColor([0, 1].map(|player| Reserve { stones: pieces("flats", player), caps: pieces("caps", player) }));
        Self {
            kind: text("kind"),
            setup,
            plies: number("plies"),
            settled: number("settled"),
            first: mv(&record["solution"]),
            record,
        }
    }

    /// A text that does not depend on the side from which one looks, on the komi or on the kind.
    fn key(&self) -> String {
        let seen = |setup: &Setup| {
            let setup = Setup { move_number: 9, ..setup.clone() };
            format!("{} {:?}", canonical_tps(&setup), setup.reserves)
        };
        seen(&self.setup).min(seen(&self.setup.colors_swapped()))
    }
}

fn mv(node: &Value) -> Move {
    node["move"].as_str().unwrap().parse().unwrap()
}

fn read(lines: &str) -> Vec<Puzzle> {
    lines.lines().map(Puzzle::read).collect()
}

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

/// The puzzles that come with the program, the easy ones first: seldom are all of them looked at.
fn shipped() -> Vec<Puzzle> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/puzzles");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
        .collect();
    files.sort();
    let texts = files.iter().map(|path| fs::read_to_string(path).unwrap());
    let mut puzzles: Vec<Puzzle> = texts.flat_map(|text| read(&text)).collect();
    puzzles.sort_by_key(|puzzle| (puzzle.plies, puzzle.record["difficulty"].as_u64()));
    puzzles
}

/// Follows up at most this number of each kind and size, on all cores.
fn follow_up(puzzles: &[Puzzle], most: usize) -> BTreeMap<(String, usize), usize> {
    let queue = std::sync::Mutex::new(puzzles.iter());
    let checked = std::sync::Mutex::new(BTreeMap::new());
    let work = || {
        loop {
            let next = queue.lock().unwrap().next();
            let Some(puzzle) = next else { break };
            if !can_be_checked(puzzle) {
                continue;
            }
            let group = (puzzle.kind.clone(), puzzle.setup.size.width());
            // Counted before it is looked at, so that two workers do not both take the last of a group.
            {
                let mut checked = checked.lock().unwrap();
                let count: &mut usize = checked.entry(group).or_default();
                if *count >= most {
                    continue;
                }
                *count += 1;
            }
            check_any(puzzle);
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..std::thread::available_parallelism().map_or(1, usize::from)).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            if let Err(panic) = worker.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
    checked.into_inner().unwrap()
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

/// Games of all sorts: with odd komi and reserves, nearly full boards, tall stacks, last pieces, and repetition. None
/// begins in move 1 with stones on the board, which PTN does not know.
fn sampled<const N: usize>(count: usize) -> String {
    let mut rng = StdRng::seed_from_u64(N as u64);
    let samples = std::iter::repeat_with(|| games::sample::<N>(&mut rng));
    let known = samples.filter(|sample| sample.setup.move_number > 1 || sample.setup.stacks.is_empty());
    let games = known.take(count).map(|sample| {
        let mut game = Game::new(AnyPosition::from_setup(&sample.setup).unwrap());
        for mv in sample.moves {
            game.play(mv).unwrap();
        }
        PtnGame::from(&game).to_string()
    });
    games.collect::<Vec<_>>().join("\n")
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

/// A game in which White misses roads.
const GAME: &str = "[Player1 \"Ann \\\"A\\\" Lee\"]\n[Odd tag \"1\"]\n[Size \"5\"]\n[Komi \"0.5\"]\n\n\
    1. a1 e5 {a comment}\n2. c3 c4\n3. d3 b3\n4. b4?! d4''\n5. d2 e4\n6. a4 c4<\n";

/// One position, given as a game without moves.
fn position(tps: &str) -> String {
    format!("[TPS \"{tps}\"]\n\n")
}

/// The position of a puzzle, likewise.
fn game_before(puzzle: &Puzzle) -> String {
    let setup = &puzzle.setup;
    format!("[Komi \"{}\"]\n", setup.komi) + &position(&setup.to_string())
}

/// White wins in three plies, by `c2<` alone.
const TINUE: &str = "2,1,2,x2/1,1,1,x2/2,1,1,12C,1/12,1,1C,12S,1/2,12,2,x2 1 15";

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
    folder.fail("puzzles games.ptn --player Ann", 2);

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
    }
}

#[test]
fn games_of_datagen_are_refused_with_the_way_to_ptn() {
    let error = Folder::new("puzzles-datagen").fail("puzzles games.bin", 2);
    assert_eq!(error, "error: games.bin: games of datagen become PTN with tak-lab games, see lab/README.md\n");
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

#[test]
fn invalid_requests_are_reported() {
    let folder = Folder::new("puzzles-refused");
    folder.file("empty.ptn", "");
    folder.file("game.ptn", GAME);
    folder.file("there.jsonl", "mine\n");
    for (words, part) in [
        ("puzzles empty.ptn", "no game in empty.ptn"),
        ("puzzles missing.ptn", "missing.ptn"),
        ("puzzles .", "Is a directory"),
        ("puzzles -", "no game in stdin"),
        ("puzzles game.ptn --out there.jsonl", "cannot write there.jsonl"),
        // Twice: the first run must not leave anything that the second is refused for.
        ("puzzles - --out p.jsonl", "no game in stdin"),
        ("puzzles - --out p.jsonl", "no game in stdin"),
    ] {
        let (out, stderr_text) = ended(&mut folder.command(words), 1);
        assert!(out.is_empty() && stderr_text.contains(part), "{words}: {out}{stderr_text}");
    }
    assert_eq!(folder.text("there.jsonl"), "mine\n");
    for words in [
        "game.ptn --kind mate",
        "game.ptn --max-plies 0",
        "game.ptn --max-plies 1 --kind tinue --kind flats",
        "game.ptn --count 0",
        "game.ptn --size 9",
        "game.ptn --out out.txt",
        "missing.ptn --out out.txt",
        "",
    ] {
        folder.fail(&format!("puzzles {words}"), 2);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let folder = Folder::new("puzzles-full");
    folder.file("game.ptn", position(TINUE));
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let stderr_text = fail(folder.command("puzzles game.ptn --nodes 5000").stdout(full), 1);
    assert!(stderr_text.contains("cannot write stdout"), "{stderr_text}");
}

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

#[test]
fn a_run_without_puzzles_reports_it() {
    let folder = Folder::new("puzzles-none");
    folder.file("game.ptn", "[Size \"3\"]\n1. a1 c3\n");
    let printed = ended(&mut folder.command("puzzles game.ptn --nodes 100"), 0);
    assert_eq!(printed, (String::new(), "no puzzle found\n".to_owned()));
}
