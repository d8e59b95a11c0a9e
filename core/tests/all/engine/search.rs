//! The search: exact limits, legal lines, repeatable results, and claims that a full-width search confirms.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::brute_force::{loses, wins};
use crate::cases::{are_many, cases};
use crate::playout::game_of;
use tak_engine_core::board::{AnyPosition, Game, Komi, Size};
use tak_engine_core::engine::{Engine, Limits, SearchRequest, Settings};
use tak_engine_core::eval::evaluator;
use tak_engine_core::notation::parse_move;
use tak_engine_core::search::{Report, Score, Solved};

fn engine(threads: usize) -> Engine {
    Engine::new(Settings {
        // Enough for every search here: a larger one takes longer to make than some of them.
        hash_mib: 1,
        threads,
        move_overhead: Duration::ZERO,
        ..Settings::default()
    })
}

fn game(tps: &str) -> Game {
    Game::new(tps.parse().unwrap())
}

fn search(engine: &mut Engine, game: &Game, limits: Limits) -> Report {
    engine.analyse(game, limits).unwrap()
}

#[test]
fn node_limits_are_exact_and_one_thread_is_repeatable() {
    let nodes = cases(5_000) as u64;
    for size in Size::ALL {
        let game = game_of(size, 8, 5);
        if game.position().outcome().is_some() {
            continue;
        }
        let first = search(&mut engine(1), &game, Limits::nodes(nodes));
        let second = search(&mut engine(1), &game, Limits::nodes(nodes));
        assert_eq!((first.nodes, &first.lines), (second.nodes, &second.lines));
        assert!(first.nodes == nodes || first.lines[0].solved.is_some(), "{} nodes at {size}", first.nodes);
        let two = search(&mut engine(2), &game, Limits::nodes(nodes));
        assert!(two.nodes <= nodes);
    }
}

#[test]
fn many_workers_share_a_small_limit_of_nodes() {
    let game = game("x6/x6/x6/x2,1,x3/x2,2,x3/x6 1 2");
    for _ in 0..10 {
        let report = search(&mut engine(8), &game, Limits::nodes(1000));
        assert!((850..=1000).contains(&report.nodes), "{} nodes", report.nodes);
        assert!(report.depth >= 2, "depth {}", report.depth);
    }
}

/// Before an iteration is complete the score is the evaluation of the position, unless a move was seen to win.
#[test]
fn an_unfinished_first_iteration_has_the_static_score() {
    let (mut unfinished, mut won) = (0, 0);
    for seed in 0..cases(60) as u64 {
        let size = Size::ALL[seed as usize % 6];
        let game = game_of(size, 4 + seed as u32 % 60 / 2, seed);
        if game.position().outcome().is_some() {
            continue;
        }
        let shares = game.position().explain(evaluator(size));
        let evaluation: f64 = shares.iter().map(|share| share.score).sum();
        let settings = Settings { multipv: 1 + seed as usize % 3, ..engine(1 + seed as usize % 2).settings().clone() };
        for limit in [1, 2, 3, 4, 5, 20] {
            let report = search(&mut Engine::new(settings.clone()), &game, Limits::nodes(limit));
            if report.depth > 0 {
                continue;
            }
            unfinished += 1;
            won += u32::from(report.lines[0].score.is_win());
            for line in &report.lines {
                let Some(solved) = line.solved else {
                    let value = f64::from(line.score.value());
                    assert!((value - evaluation).abs() < 1.0, "{value}: {game:?}");
                    continue;
                };
                let Solved::Win(plies) = solved else {
                    panic!("{solved:?} by one move: {game:?}");
                };
                assert_eq!(line.score, Score::win_in(plies as usize));
                assert!(wins(game.position(), plies), "{plies}: {game:?}");
            }
        }
    }
    assert!(unfinished > cases(25), "{unfinished}");
    assert!(won > 0 || !are_many(), "none of {unfinished} won");
}

#[test]
fn depth_limits_are_exact() {
    let game = game("x6/x6/x6/x6/x6/x6 1 1");
    for plies in 1..=5 {
        for threads in [1, 2] {
            let settings = Settings { multipv: 4, ..engine(threads).settings().clone() };
            let report = search(&mut Engine::new(settings), &game, Limits::depth(plies));
            assert_eq!((report.depth, report.lines.len()), (plies, 4));
        }
    }
}

/// Short forced wins: the full-width search and the engine find the same ones at the same depth.
#[test]
fn short_wins_and_losses_agree_with_full_width_search() {
    let mut found = [0; 4];
    for seed in 0..cases(100) as u64 {
        // 3x3 is quick to search in full; a few positions of 4x4 have longer spreads.
        let large = seed % 30 == 0;
        let size = if large { Size::ALL[1] } else { Size::ALL[0] };
        let game = game_of(size, 4 + (seed % 9) as u32, seed);
        if game.position().outcome().is_some() {
            continue;
        }
        agrees_with_full_width(&game, (1, 3), &mut found);
        if !large {
            agrees_with_full_width(&game, (4, 5), &mut found);
        }
    }
    assert!(found.iter().sum::<u32>() > 5, "too few: {found:?}");
    assert!(found[1..].iter().all(|&count| count > 5) || !are_many(), "the sample must hold all kinds: {found:?}");
}

/// Searches with so many threads to a depth of at least 3 and checks every claim about results within 3 plies, and that
/// none is missing.
fn agrees_with_full_width(game: &Game, (threads, plies): (usize, u32), found: &mut [u32; 4]) {
    let position = game.position();
    let report = search(&mut engine(threads), game, Limits::depth(plies));
    match report.lines[0].solved {
        Some(Solved::Win(plies)) if plies <= 3 => {
            assert!(wins(position, plies), "claimed win in {plies}: {position:?}");
            found[plies as usize] += 1;
        }
        Some(Solved::Loss(plies)) if plies <= 3 => {
            assert!(loses(position, plies), "claimed loss in {plies}: {position:?}");
            found[plies as usize] += 1;
        }
        _ => assert!(!wins(position, 3), "missed a win: {position:?}"),
    }
    assert_eq!(report.lines[0].solved == Some(Solved::Win(1)), wins(position, 1));
}

#[test]
fn a_repeated_position_is_a_draw_under_the_rule() {
    let mut game = Game::new(AnyPosition::start(Size::new(5).unwrap(), Komi::ZERO));
    let size = game.position().size();
    let last = parse_move("c1<", size).unwrap();
    let cycle = ["c3+", "b1>", "c4-", "c1<"];
    let moves = ["a1", "e5", "e4", "a2", "Cc3", "Cb1"].into_iter().chain(cycle).chain(cycle);
    for text in moves.take(13) {
        game.play(parse_move(text, size).unwrap()).unwrap();
    }
    // One more move brings the position after the capstones a third time.
    let score_of_last = |repetitions| {
        let settings = Settings { multipv: 500, repetitions, ..engine(1).settings().clone() };
        let report = search(&mut Engine::new(settings), &game, Limits::depth(1));
        assert_eq!(report.lines.len(), game.legal_moves().len());
        report.lines.iter().find(|line| line.pv[0] == last).unwrap().score
    };
    assert_eq!(score_of_last(3), Score::DRAW);
    assert_ne!(score_of_last(4), Score::DRAW);
    assert_ne!(score_of_last(0), Score::DRAW);
    game.play(last).unwrap();
    assert_eq!(game.occurrences(), 3);
}

#[test]
fn another_repetition_rule_clears_the_search_results() {
    let game = game_of(Size::new(5).unwrap(), 12, 1);
    let mut used = engine(1);
    search(&mut used, &game, Limits::depth(6));
    used.set(Settings { repetitions: 0, ..used.settings().clone() });
    let mut fresh = Engine::new(used.settings().clone());
    let [again, first] = [&mut used, &mut fresh].map(|engine| search(engine, &game, Limits::depth(6)));
    assert_eq!(again.nodes, first.nodes);
}

#[test]
fn the_stop_flag_still_gives_a_move() {
    let game = game_of(Size::new(6).unwrap(), 10, 3);
    let request = SearchRequest::new(game.clone(), Limits::default());
    let report = engine(2).run_with(&request, Some(&AtomicBool::new(true)), |_| {}).unwrap();
    assert!(game.position().check_legal(report.best().unwrap()).is_ok());
}

#[test]
fn the_engine_survives_a_table_it_cannot_allocate() {
    let mut engine = engine(1);
    engine.prepare().unwrap();
    engine.set(Settings { hash_mib: 1 << 40, ..engine.settings().clone() });
    assert!(engine.prepare().is_err());
    engine.set(Settings { hash_mib: 2, ..engine.settings().clone() });
    assert!(engine.prepare().is_ok());
}
