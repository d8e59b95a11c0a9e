//! Sentences about moves. What each says is derived again from its words alone, with the rules of fast-tak.

#![cfg(feature = "annotate")]

mod claim;
pub mod theirs;

use std::collections::BTreeMap;

use crate::cases::{are_many, cases, step};
use crate::fast_rules::fast_tak_game;
use crate::for_all_sizes;
use crate::playout::{STYLES, random_game, random_setup};
use claim::{Claim, words};
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use tak_engine::analysis::annotate::{AnnotatedGame, AnnotatedPly, Mark, annotate, reasons_of};
use tak_engine::analysis::explain::{Reason, mistake, reasons, refutation};
use tak_engine::board::{AnyPosition, Color, Game, Komi, Move, OpeningRule, Position, Setup, Size};
use tak_engine::engine::{Engine, Limits, Settings};
use tak_engine::notation::parse_games;
use tak_engine::search::{Line, Score};
use theirs::after;

type Seen = BTreeMap<&'static str, usize>;

fn check_positions<const N: usize>(seen: &mut Seen) {
    for seed in 0..cases(1) as u64 {
        for style in STYLES {
            random_game::<N>(seed, style, 60, |position, rng| check_position(position, rng, seen));
        }
        // Boards of any kind, at move 1 too; fast-tak does not know the double black stack.
        let mut rng = StdRng::seed_from_u64(seed);
        for _ in 0..20 {
            let setup =
                random_setup::<N>(Komi::ZERO, &mut rng).filter(|setup| setup.opening != OpeningRule::DoubleBlack);
            if let Some(position) = setup.and_then(|setup| setup.position::<N>().ok()) {
                check_position(&position, &mut rng, seen);
            }
        }
    }
}

fn check_position<const N: usize>(position: &Position<N>, rng: &mut StdRng, seen: &mut Seen) {
    if position.outcome().is_some() {
        return;
    }
    let any = AnyPosition::from_setup(&position.to_setup()).unwrap();
    let winning = position.winning_move(position.to_move()).filter(|_| position.ply() > 1);
    for mv in winning.into_iter().chain(position.legal_moves().sample(rng, 1).copied()) {
        check_reasons::<N>(&Game::new(any.clone()), &line_of(&[mv]), None, seen);
    }
    let lines = [0; 2].map(|_| playout(&any, rng));
    check_mistake::<N>(&any, [&line_of(&lines[0]), &line_of(&lines[1])], seen);
    let (wrong, answer) = (lines[0][0], &lines[0][1..]);
    // Most random answers refute nothing.
    let refuted = refutation(&any, wrong, answer, None);
    check::<N>(&any, wrong, [texts(&lines[0]), Vec::new()], &refuted, &mut Seen::new());
}

/// Some random moves.
fn playout(position: &AnyPosition, rng: &mut impl rand::Rng) -> Vec<Move> {
    let mut position = position.clone();
    let mut line = Vec::new();
    while line.len() < 6 && position.outcome().is_none() {
        let mv = *position.legal_moves().choose(rng).unwrap();
        position.play(mv).unwrap();
        line.push(mv);
    }
    line
}

fn line_of(pv: &[Move]) -> Line {
    Line { score: Score::DRAW, bound: None, solved: None, pv: pv.to_vec() }
}

fn texts(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

/// Checks the reasons for a move.
fn check_reasons<const N: usize>(game: &Game, line: &Line, engine: Option<&mut Engine>, seen: &mut Seen) {
    check::<N>(game.position(), line.pv[0], [texts(&line.pv), Vec::new()], &reasons(game, line, engine), seen);
}

/// Checks the reasons why the first of two lines is worse.
fn check_mistake<const N: usize>(position: &AnyPosition, [played, better]: [&Line; 2], seen: &mut Seen) {
    let after = Line { pv: played.pv[1..].to_vec(), ..played.clone() };
    let found = mistake(position, played.pv[0], &after, better, None);
    check::<N>(position, played.pv[0], [texts(&played.pv), texts(&better.pv)], &found, seen);
}

fn check<const N: usize>(position: &AnyPosition, mv: Move, lines: [Vec<String>; 2], found: &[Reason], seen: &mut Seen) {
    let before = fast_tak_game::<N, 0>(&position.to_setup().position().unwrap());
    let mv = mv.to_string();
    let context = format!("{position} {mv} {lines:?}");
    let is_bare = |reason: &Reason| reason.text.starts_with("The engine expects the answer");
    assert!(found.len() <= 3 && (found.len() == 1 || !found.iter().any(is_bare)), "{context}");
    let claim = Claim { after: after(&before, &mv).unwrap(), before: &before, mv, lines, context };
    for reason in found {
        assert!(reason.text.chars().count() <= Reason::MAX_CHARS, "{}", reason.text);
        claim.check(reason);
        *seen.entry(reason.kind).or_default() += 1;
    }
    *seen.entry(if found.is_empty() { "none" } else { "some" }).or_default() += 1;
    let is_named = |reason: &Reason| words(r".*[a-h][1-8].*", &reason.text).is_some();
    *seen.entry("named").or_default() += usize::from(found.iter().any(is_named));
}

#[test]
fn sentences_hold_by_other_rules() {
    let mut seen = BTreeMap::new();
    for_all_sizes!(check_positions(&mut seen));
    if are_many() {
        let kinds = "road flats leaves-road threats stops-road threat flattens answer captures covers locks-in prepares \
            filled expected-flats cuts last-piece squares-missing nears capstone joins \
            separates hard-capstone piece race first-turn expected-answer";
        for kind in kinds.split(' ') {
            assert!(seen.get(kind).is_some_and(|&count| count > 10), "{kind}: {seen:?}");
        }
    }
    // Of most random moves nothing is worse than of others.
    assert!(seen["some"] > seen["none"], "{seen:?}");
}

/// In random games they are rare.
#[test]
fn sentences_about_other_stacks_hold() {
    for (tps, mv, expected) in [
        ("x5/x5/112,1C,1,1,x/x5/2,2,x3 1 6", "e3", "pins Black’s stack of 3 on a3: if it moves, White has a road"),
        ("x5/x5/x5/1S,x4/221,2S,2,x,2 1 6", "a2+", "frees White’s stack of 3 on a1, which could not move"),
        ("x5/x5/x5/x5/112,1S,2,x,2 1 6", "Sa2", "locks in Black’s stack of 3 on a1"),
    ] {
        let (game, line) = (Game::new(tps.parse().unwrap()), line_of(&[mv.parse().unwrap()]));
        check_reasons::<5>(&game, &line, None, &mut Seen::new());
        let texts: Vec<String> = reasons(&game, &line, None).into_iter().map(|reason| reason.text).collect();
        assert!(texts.contains(&format!("{mv} {expected}.")), "{texts:?}");
    }
}

/// The kinds of sentences about a position, a move and its answers, and a better move with its answers.
fn kinds(tps: &str, played: &str, better: &str) -> Vec<&'static str> {
    let moves = |text: &str| -> Vec<Move> { text.split(' ').map(|mv| mv.parse().unwrap()).collect() };
    let (played, better) = (moves(played), moves(better));
    let found = mistake(&tps.parse().unwrap(), played[0], &line_of(&played[1..]), &line_of(&better), None);
    found.into_iter().map(|reason| reason.kind).collect()
}

#[test]
fn squares_for_a_road_are_counted_if_no_spread_is_faster() {
    let slow = "2,x,2,x2/x3,2,x/x5/x2,1,x,211112C/1,12221C,x2,1 1 16";
    assert!(kinds(slow, "d2", "b5").contains(&"squares-missing"));
    for (tps, played, better) in [
        // Of 5 squares, 2b5-11 leaves one, and of 4, b3+.
        ("2,2221C,1,1,1/2112C,x,2,1,x/x,2,1,21,2/x3,2,x/x5 2 14", "b3>", "c2"),
        ("2,2,1,x2/x,2,1,x2/x,1,2C,x2/1,1,2,x2/1,x4 2 6", "b4-", "a4"),
        // After both moves, a2- threatens a road.
        ("1,x,1,x,1/1,1,2,x2/1,2,2,x2/1,2,x3/2,2,x3 2 7", "Cd4", "d5"),
    ] {
        assert!(!kinds(tps, played, better).contains(&"squares-missing"), "{tps}");
    }
}

#[test]
fn leads_in_flats_hide_no_gain_of_the_move_played() {
    // The capstone flattens a wall.
    let flattened = "2,x,2,x2/x3,2,x/x5/x,2S,1,121,x/1,1221C,12C,1,1 1 13";
    assert!(!kinds(flattened, "b1+ 2c1+", "a2 b2>").contains(&"expected-flats"));
    let wall = "1,x5/x,2,1,x3/x2,1C,x3/x6/x6/2,x5 2 3";
    assert!(!kinds(wall, "Sc3 b4", "c2 d5").contains(&"expected-flats"));
}

#[test]
fn a_first_flat_is_the_first_and_the_opponents() {
    let own = AnyPosition::start_with(Size::new(5).unwrap(), Komi::default(), OpeningRule::NoSwap);
    let set_up: AnyPosition = "2,x2,11111111111112/x4/x,221,x2/x3,2 1 1".parse().unwrap();
    for (position, mv) in [(own, "a1"), (set_up.clone(), "a1"), (set_up, "3b2>")] {
        assert_eq!(reasons(&Game::new(position), &line_of(&[mv.parse().unwrap()]), None), []);
    }
}

/// Sentences about the games of the PTN files in `GAMES`, and how many positions have some.
#[test]
#[ignore = "needs files of games in GAMES"]
fn sentences_about_games_hold_by_other_rules() {
    let files = std::env::var("GAMES").expect("names of files");
    let mut engine = Engine::new(Settings { hash_mib: 16, threads: 1, ..Settings::default() });
    let (mut best, mut mistakes) = (Seen::new(), Seen::new());
    for file in files.split_whitespace() {
        let text = std::fs::read_to_string(file).unwrap();
        for source in parse_games(&text) {
            let game = source.unwrap_or_else(|fault| panic!("{file}: {fault}")).game().unwrap();
            let mut played = Game::new(game.start().clone());
            for &mv in game.moves() {
                let check = match played.position().size().width() {
                    3 => check_played::<3>,
                    4 => check_played::<4>,
                    5 => check_played::<5>,
                    6 => check_played::<6>,
                    7 => check_played::<7>,
                    _ => check_played::<8>,
                };
                check(&mut engine, &played, mv, &mut best, &mut mistakes);
                played.play(mv).unwrap();
            }
        }
    }
    println!("best {best:?}\nmistakes {mistakes:?}");
    // Why a move was a mistake is not always known.
    for (seen, percent) in [(best, 95), (mistakes, 70)] {
        let (some, none) = (seen["some"], seen.get("none").copied().unwrap_or(0));
        assert!(100 * some >= percent * (some + none) && 5 * seen["named"] >= 3 * (some + none), "{seen:?}");
    }
}

/// Checks the reasons for the best move, and those against the move played if that is worse by the engine's judgement.
fn check_played<const N: usize>(engine: &mut Engine, game: &Game, mv: Move, best: &mut Seen, mistakes: &mut Seen) {
    let limits = || Limits::nodes(500);
    let line = engine.analyse(game, limits()).unwrap().lines[0].clone();
    check_reasons::<N>(game, &line, Some(engine), best);
    let mut next = game.clone();
    next.play(mv).unwrap();
    let after = engine.analyse(&next, limits()).unwrap().lines.first().cloned();
    let Some(after) = after.filter(|after| line.pv[0] != mv && -after.score < line.score) else { return };
    let played = Line { pv: [mv].into_iter().chain(after.pv.iter().copied()).collect(), ..after };
    check_mistake::<N>(game.position(), [&played, &line], mistakes);
}

/// The file of mistakes: the position, the move played, a better one, and the sentences.
const MISTAKES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/games/mistakes.tsv");

fn annotated(game: &Game, nodes: u64) -> AnnotatedGame {
    let mut engine = Engine::new(Settings { hash_mib: 16, threads: 1, ..Settings::default() });
    annotate(game, Limits::nodes(nodes), &mut engine).unwrap().unwrap()
}

fn is_mistake(ply: &AnnotatedPly) -> bool {
    matches!(ply.mark, Some(Mark::Mistake | Mark::Blunder))
}

/// The line of that file about a move, if it is a mistake and there is something to say.
fn mistake_line(position: &AnyPosition, mv: Move) -> Option<String> {
    let mut game = Game::new(position.clone());
    game.play(mv).unwrap();
    let annotated = annotated(&game, 20_000);
    let sentences: Vec<String> = reasons_of(&annotated, None).concat().into_iter().map(|reason| reason.text).collect();
    let ply = annotated.plies.first().filter(|ply| is_mistake(ply) && !sentences.is_empty())?;
    Some(format!("{position}\t{mv}\t{}\t{}", ply.best[0], sentences.join(" ")))
}

/// `MISTAKES_OF=games.ptn` makes the file from some mistakes of each game, `UPDATE_EXAMPLES=1` its sentences anew.
#[test]
fn mistakes_of_real_games_are_explained_as_in_their_file() {
    if let Some(file) = std::env::var_os("MISTAKES_OF") {
        let mut lines = vec!["position\tplayed\tbetter\tsentences".to_owned()];
        for source in parse_games(&std::fs::read_to_string(file).unwrap()) {
            let game = source.unwrap().game().unwrap();
            let mut played = Game::new(game.start().clone());
            let mut found = Vec::new();
            for ply in annotated(&game, 1_000).plies {
                if ply.loss > 4.0 {
                    found.push((played.position().clone(), ply.mv));
                }
                played.play(ply.mv).unwrap();
            }
            let of_game = found.iter().filter_map(|(position, mv)| mistake_line(position, *mv));
            lines.extend(of_game.take(9));
        }
        std::fs::write(MISTAKES, lines.join("\n") + "\n").unwrap();
    }
    let file = std::fs::read_to_string(MISTAKES).unwrap();
    let explained = |line: &str| {
        let [position, mv, ..] = *line.split('\t').collect::<Vec<_>>() else { panic!("{line}") };
        mistake_line(&position.parse().unwrap(), mv.parse().unwrap())
    };
    if std::env::var_os("UPDATE_EXAMPLES").is_some() {
        let lines: Vec<String> = file.lines().skip(1).filter_map(explained).collect();
        let head = file.lines().next().unwrap();
        return std::fs::write(MISTAKES, format!("{head}\n{}\n", lines.join("\n"))).unwrap();
    }
    for line in file.lines().skip(1).step_by(step(25)) {
        assert_eq!(explained(line).as_deref(), Some(line));
    }
}

#[test]
fn the_player_who_reads_is_addressed() {
    let position: AnyPosition = "x5/1,1,1,1,x/x5/2,2,2,2,x/2,x4 1 7".parse().unwrap();
    let line = |moves: &str, score: Score| Line {
        score,
        bound: None,
        solved: score.solved(),
        pv: moves.split(' ').map(|mv| mv.parse().unwrap()).collect(),
    };
    let (after, better) = (line("e2", Score::win_in(1)), line("e4", Score::win_in(1)));
    let texts = |reader: Option<Color>| -> Vec<String> {
        let reasons = mistake(&position, "a3".parse().unwrap(), &after, &better, reader);
        reasons.into_iter().map(|reason| reason.text).collect()
    };
    assert_eq!(texts(None), ["e4 completes a road.", "White leaves e2 open: Black completes a road there."]);
    assert_eq!(texts(Some(Color::White))[1], "You leave e2 open: Black completes a road there.");
    assert_eq!(texts(Some(Color::Black))[1], "White leaves e2 open: you complete a road there.");
}

/// Sentences about the best move of a proven line.
fn proven(tps: &str, half_komi: i64, pv: &str, score: Score) -> Vec<String> {
    let setup = tps.parse::<AnyPosition>().unwrap().to_setup();
    let position = AnyPosition::from_setup(&Setup { komi: Komi::from_half(half_komi).unwrap(), ..setup }).unwrap();
    let pv = pv.split(' ').map(|mv| mv.parse().unwrap()).collect();
    let line = Line { score, bound: None, solved: score.solved(), pv };
    reasons(&Game::new(position), &line, None).into_iter().map(|reason| reason.text).collect()
}

#[test]
fn what_strong_players_would_call_false_is_not_said() {
    let all = |tps: &str, mv: &str| -> String {
        let line = line_of(&[mv.parse().unwrap()]);
        check_reasons::<5>(&Game::new(tps.parse().unwrap()), &line, None, &mut Seen::new());
        proven(tps, 0, mv, Score::DRAW).concat()
    };
    // d1 stops that road too, but Black has another one then.
    let only = all("x,1,1C,2,2/x3,2,x/x,22,x,2,x/x,1,2,2C,2/1,1,2S,x2 1 13", "c5>");
    assert!(only.contains("c5> stops Black’s road with d1; after any other move Black completes one."), "{only}");
    // b4- joins b2 and c3.
    let apart = all("x,1,2,x2/x,2,1,x2/x,1,2,x2/x,2,x,1,x/x5 1 5", "Cc2");
    assert!(!apart.contains("apart"), "{apart}");
}

#[test]
fn a_loss_on_flats_with_the_next_move_is_told() {
    let lost = proven("x,1,2/1,2S,1/x,1,2 1 5", 5, "a3 a1", Score::loss_in(2));
    assert_eq!(lost[0], "After a3 Black ends the game with a1 and wins on flats.");
}
