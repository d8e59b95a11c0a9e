//! Levels of strength through the real binary: the wins that they promise to see, that they depend only on the game and the
//! seed, and that they have no effect at full strength.

use std::process::Command;

use crate::brute_force::wins;
use crate::cases::{cases, step};
use crate::common::{BINARY, Tei};
use crate::dialogue::{Dialogue, number};
use crate::folder::succeed;
use crate::for_all_sizes;
use crate::playout::random_board;
use crate::reference::Reference;
use rand::SeedableRng;
use rand::rngs::StdRng;
use tak_engine::board::{AnyPosition, Color, Game, Komi, Move, MoveKind, Outcome, PieceKind, Size};
use tak_engine::engine::{Engine, Level, Limits, Settings};

/// The highest level that overlooks a road now and then.
const LAST_BLIND: u8 = 11;

fn size(width: u64) -> Size {
    Size::new(width).unwrap()
}

fn engine_at(level: u8) -> Tei {
    let mut tei = Tei::start();
    tei.send("setoption name Hash value 1");
    tei.send(&format!("setoption name Level value {level}"));
    tei
}

fn set_seed(tei: &mut Tei, seed: u64) {
    tei.send(&format!("setoption name Seed value {seed}"));
}

fn first_move(line: &str) -> &str {
    let (_, pv) = line.split_once(" pv ").expect(line);
    pv.split(' ').next().expect(line)
}

/// Returns whether a move wins the game.
fn is_win(position: &AnyPosition, mv: Move) -> bool {
    let mut after = position.clone();
    after.play(mv).unwrap();
    after.outcome().is_some_and(|end| end.winner == Some(position.to_move()))
}

/// Returns whether the opponent wins by this move or the next one.
fn allows_a_win(position: &AnyPosition, mv: Move) -> bool {
    let mut after = position.clone();
    after.play(mv).unwrap();
    wins(&after, 1)
}

/// Boards on which a road is there to be taken, and boards without a win on which most moves let the opponent win at once
/// and others do not; so many of each at every size.
fn boards(count: usize) -> (Vec<AnyPosition>, Vec<AnyPosition>) {
    fn of_size<const N: usize>(count: usize, (roads, taks): &mut (Vec<AnyPosition>, Vec<AnyPosition>)) {
        let mut rng = StdRng::seed_from_u64(N as u64);
        let (mut missing_roads, mut missing_taks) = (count, count);
        while missing_roads + missing_taks > 0 {
            let Some(position) = random_board::<N>(&mut rng) else {
                continue;
            };
            let position = AnyPosition::from_setup(&position.to_setup()).unwrap();
            if position.winning_move(position.to_move()).is_some() {
                if missing_roads > 0 {
                    missing_roads -= 1;
                    roads.push(position);
                }
                continue;
            }
            if missing_taks == 0 || wins(&position, 1) {
                continue;
            }
            let moves = position.legal_moves();
            let good = moves.iter().filter(|&&mv| !allows_a_win(&position, mv));
            // Most boards have so many that there is no need to try all moves.
            let too_many = moves.len().div_ceil(2);
            if (1..too_many).contains(&good.take(too_many).count()) {
                missing_taks -= 1;
                taks.push(position);
            }
        }
    }
    let mut found = (Vec::new(), Vec::new());
    for_all_sizes!(of_size(count, &mut found));
    found
}

/// Tells an engine of a position with other reserves than the usual ones, and asks for its move.
fn ask(tei: &mut Tei, position: &AnyPosition) -> (Vec<String>, Move) {
    let reserves = position.start_reserves();
    tei.send(&format!("teinewgame size {}", position.size()));
    tei.send(&format!("setoption name Flats value {}", reserves[Color::White].stones));
    tei.send(&format!("setoption name Caps value {}", reserves[Color::White].caps));
    tei.send(&format!("position tps {position}"));
    let (lines, best) = tei.go("go nodes 1000000");
    (lines, best.parse().unwrap())
}

#[test]
fn roads_are_taken_and_taks_are_blocked() {
    let (roads, taks) = boards(1);
    for level in (LAST_BLIND + 1..=Level::MAX).step_by(step(4)) {
        let mut tei = engine_at(level);
        for position in &roads {
            let (lines, best) = ask(&mut tei, position);
            assert!(is_win(position, best), "level {level} plays {best} in {position}: {lines:#?}");
        }
        for position in &taks {
            let (lines, best) = ask(&mut tei, position);
            assert!(!allows_a_win(position, best), "level {level} plays {best} in {position}: {lines:#?}");
        }
    }
}

#[test]
fn beginners_overlook_roads_now_and_then() {
    let (roads, taks) = boards(3);
    for level in [1, LAST_BLIND] {
        let mut tei = engine_at(level);
        let (mut taken, mut blocked, mut asked) = (0, 0, 0);
        for seed in 0..20 {
            set_seed(&mut tei, seed);
            asked += 1;
            let position = &roads[seed as usize % roads.len()];
            let (_, best) = ask(&mut tei, position);
            taken += usize::from(is_win(position, best));
            let position = &taks[seed as usize % taks.len()];
            let (_, best) = ask(&mut tei, position);
            blocked += usize::from(!allows_a_win(position, best));
        }
        assert!(0 < taken && 0 < blocked, "level {level}: {taken} {blocked}");
        if level == 1 {
            assert!(taken < asked && blocked < asked, "{taken} {blocked}");
        }
    }
}

/// Moves of one game of a level against itself, with positions sent as by the front end.
fn self_play(tei: &mut Tei, plies: usize, position: impl Fn(&Game) -> String) -> Vec<Move> {
    let mut game = Game::new(AnyPosition::start(size(5), Komi::ZERO));
    while game.moves().len() < plies && game.position().outcome().is_none() {
        tei.send(&position(&game));
        let (_, best) = tei.go("go movetime 100000");
        game.play(best.parse().unwrap()).unwrap();
    }
    game.moves().to_vec()
}

fn by_moves(game: &Game) -> String {
    let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
    format!("position startpos moves {}", moves.join(" ")).trim_end_matches(" moves ").to_owned()
}

fn by_tps(game: &Game) -> String {
    format!("position tps {}", game.position())
}

#[test]
fn moves_depend_on_the_game_and_the_seed_alone() {
    for level in [20, 8, 1, Level::MAX, 14].into_iter().take(cases(2)) {
        let mut tei = engine_at(level);
        tei.send("teinewgame size 5");
        let game = self_play(&mut tei, 24, by_moves);
        // Other threads, another table, another session, and all of it learnt already.
        tei.send("setoption name Threads value 3");
        tei.send("setoption name Hash value 4");
        assert_eq!(self_play(&mut tei, 24, by_tps), game, "level {level}");
        // The strongest levels seldom vary, so one other seed may give the same game.
        let differs = (1..=4).any(|seed| {
            set_seed(&mut tei, seed);
            self_play(&mut tei, 24, by_moves) != game
        });
        assert!(differs, "level {level}");
        set_seed(&mut tei, 0);
        assert_eq!(self_play(&mut tei, 24, by_moves), game, "level {level}");
    }
}

#[test]
fn no_limit_makes_a_level_stronger() {
    let mut tei = engine_at(20);
    tei.send("teinewgame size 6");
    tei.send("position startpos moves a1 f6 d4 c4");
    let (lines, best) = tei.go("go depth 30");
    let nodes = number(&lines[lines.len() - 1], "nodes");
    for limit in ["go nodes 1000000", "go wtime 900000 btime 900000", "go movetime 60000"] {
        let (lines, other) = tei.go(limit);
        assert_eq!((&other, number(&lines[lines.len() - 1], "nodes")), (&best, nodes), "{limit}");
    }
    // An endless search ends by itself, and says so when it is asked.
    tei.send("go infinite");
    while number(&tei.line(), "nodes") < nodes {}
    assert_eq!(tei.go("stop").1, best);
    // But limits hold.
    let (lines, _) = tei.go("go nodes 50");
    assert!(number(&lines[lines.len() - 1], "nodes") <= 50);
}

/// The moves of a player in one game; `None` when it has none.
type Player<'a> = &'a dyn Fn(&Game) -> Option<Move>;

fn at_level(number: u8, seed: u64) -> impl Fn(&Game) -> Option<Move> {
    let settings = Settings { hash_mib: 1, level: Level::new(number), seed, ..Settings::default() };
    move |game| Engine::new(settings.clone()).analyse(game, Limits::default()).unwrap().best()
}

fn play(players: [Player<'_>; 2], komi: Komi) -> Game {
    let mut game = Game::new(AnyPosition::start(size(5), komi));
    while game.position().outcome().is_none() && game.moves().len() < 200 {
        game.play(players[game.moves().len() % 2](&game).unwrap()).unwrap();
    }
    game
}

/// Half points of the first player, which has each colour in half of the games.
fn half_points<A, B>(games: u64, one: impl Fn(u64) -> A, other: impl Fn(u64) -> B) -> u64
where
    A: Fn(&Game) -> Option<Move>,
    B: Fn(&Game) -> Option<Move>,
{
    let points = |seed: u64| {
        let (one, other) = (one(seed), other(seed));
        let (players, color): ([Player<'_>; 2], _) =
            if seed.is_multiple_of(2) { ([&one, &other], Color::White) } else { ([&other, &one], Color::Black) };
        match play(players, Komi::ZERO).position().outcome() {
            Some(Outcome { winner: Some(winner), .. }) => 2 * u64::from(winner == color),
            _ => 1,
        }
    };
    (0..games).map(points).sum()
}

#[test]
fn low_levels_beat_the_reference_players() {
    let reference = |player: Reference| move |seed| move |game: &Game| player.choose(game.position(), seed);
    let first = half_points(40, |seed| at_level(1, seed), reference(Reference::Placer));
    assert!((48..=78).contains(&first), "level 1: {first} of 80");
    let third = half_points(40, |seed| at_level(3, seed), reference(Reference::RoadTaker));
    assert!(third >= 52, "level 3: {third} of 80");
}

#[test]
fn higher_levels_beat_lower_ones() {
    for [low, high] in [[1, 4], [8, 11]] {
        let points = half_points(24, |seed| at_level(high, seed), |seed| at_level(low, seed));
        assert!(points >= 28, "level {high} against {low}: {points} of 48");
    }
}

#[test]
fn low_levels_rarely_place_walls_or_spread() {
    for level in [1, 5] {
        let (mut others, mut all) = (0, 0);
        for seed in 0..20 {
            let (one, other) = (at_level(level, seed), at_level(level, seed + 100));
            let game = play([&one, &other], Komi::ZERO);
            // Moves 2 to 10 of both players.
            let moves = game.moves().iter().skip(2).take(18);
            all += moves.len();
            let is_natural = |mv: &Move| matches!(mv.kind(), MoveKind::Place(PieceKind::Flat | PieceKind::Cap));
            others += moves.filter(|mv| !is_natural(mv)).count();
        }
        assert!(others * 4 <= all, "level {level}: {others} of {all}");
    }
}

#[test]
fn full_strength_is_as_if_there_were_no_levels() {
    let position = "position startpos moves a1 f6 d4 c4 d3 c3";
    let timeless_lines = |lines: &[String]| -> Vec<String> {
        let without_times = |line: &String| {
            let (depth, rest) = line.split_once(" time ").unwrap();
            format!("{depth} {} {}", number(line, "nodes"), rest.split_once(" wdl ").unwrap().1)
        };
        lines.iter().map(without_times).collect()
    };
    let mut plain = Tei::start();
    plain.send(position);
    let (lines, best) = plain.go("go depth 6");
    let mut tei = engine_at(4);
    tei.send("setoption name Hash value 64");
    set_seed(&mut tei, 9);
    tei.send(position);
    tei.go("go depth 6");
    tei.send("setoption name LimitStrength value true");
    tei.send("setoption name Level value 0");
    tei.go("go depth 6");
    tei.send("setoption name LimitStrength value false");
    let (again, same) = tei.go("go depth 6");
    assert_eq!((timeless_lines(&again), same), (timeless_lines(&lines), best));
}

#[test]
fn multipv_lines_start_with_the_played_move() {
    let mut choices = 0;
    for (level, seed) in [2, 18, 20].into_iter().flat_map(|level| (0..5).map(move |seed| (level, seed))) {
        let mut tei = engine_at(level);
        set_seed(&mut tei, seed);
        tei.send("position startpos moves a1 f6 d4 c4 d3 c3 e4");
        let (single, best) = tei.go("go nodes 1000000");
        assert_eq!(first_move(&single[single.len() - 1]), best);
        tei.send("setoption name MultiPV value 3");
        let (lines, same) = tei.go("go nodes 1000000");
        assert_eq!(same, best, "level {level}");
        // A search without variety has one line.
        let first = lines.iter().rposition(|line| number(line, "multipv") == 1).unwrap();
        let last = &lines[first..];
        assert_eq!(first_move(&last[0]), best);
        assert_eq!(number(&last[0], "cp"), number(&single[single.len() - 1], "cp"));
        if last.len() == 1 {
            continue;
        }
        let ranks: Vec<i64> = last.iter().map(|line| number(line, "multipv")).collect();
        assert_eq!(ranks, [1, 2, 3]);
        let [played, second, third] = [0, 1, 2].map(|place| number(&last[place], "cp"));
        assert!(second >= third, "{last:#?}");
        let mut moves: Vec<&str> = last.iter().map(|line| first_move(line)).collect();
        moves.sort_unstable();
        moves.dedup();
        assert_eq!(moves.len(), 3);
        choices += usize::from(played < second);
    }
    assert!(choices > 0, "always the best move");
}

#[test]
fn analyse_takes_a_level() {
    let tps = "2,x4,1/x2,2,1,x2/x,2,1C,2C,1,x/x,2,1,1,x2/x,1,2,x3/1,x4,2 1 9";
    let mut tei = engine_at(7);
    tei.send(&format!("position tps {tps}"));
    let (_, best) = tei.go("go nodes 1000000");
    let run = |args: &[&str]| succeed(Command::new(BINARY).args(["analyse", tps, "--level", "7"]).args(args));
    let text = run(&[]);
    assert!(text.contains(&format!("\nlevel 7    {best}\n")), "{text}");
    // Its choice is no evaluation.
    assert!(!text.contains("score ") && !text.contains(" %"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&run(&["--json"])).unwrap();
    assert_eq!((&json["best"], &json["lines"][0]["pv"][0]), (&best.as_str().into(), &best.as_str().into()));
    for nothing in [&json["score_cp"], &json["wdl"], &json["lines"][0]["score_cp"], &json["lines"][0]["wdl"]] {
        assert!(nothing.is_null(), "{json}");
    }
}

#[test]
fn the_page_lists_the_levels() {
    let page = include_str!("../../docs/strength.md");
    let (_, table) = page.split_once("| level | Elo").unwrap();
    let rows: Vec<&str> = table.lines().skip(2).take_while(|row| row.starts_with('|')).collect();
    assert_eq!(rows.len(), usize::from(Level::MAX));
    for (row, level) in rows.iter().zip(Level::all()) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        assert_eq!(cells[1], level.number().to_string(), "{row}");
        assert_eq!(cells[2].split(' ').next(), Some(level.elo().to_string().as_str()), "{row}");
        assert_eq!(cells[3], level.player().unwrap_or_default(), "{row}");
    }
}
