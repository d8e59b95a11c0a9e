//! Whole sessions, line by line as the clients hold them, and whole games.

use std::thread;

use super::{FULL_BOARD, Info, Score, WIN_IN_ONE, check_search, is_over, parse_info, play};
use crate::common::Tei;
use crate::dialogue::Dialogue;
use fast_tak::takparse::Tps;
use fast_tak::{Game, Reserves};

#[test]
fn ptn_ninja_session() {
    let mut tei = Tei::start();
    tei.send("tei");
    tei.until("teiok");
    for line in [
        "setoption name Hash value 64",
        "setoption name Threads value 1",
        "setoption name Flatstones value 0",
        "setoption name Capstones value -1",
        "setoption name MultiPV value 2",
        "isready",
    ] {
        tei.send(line);
    }
    assert_eq!(tei.line(), "readyok");
    for line in [
        "teinewgame size 6 halfkomi 4",
        "setoption name Flats value 25",
        "setoption name Caps value 2",
        "setoption name Flats1 value 25",
        "setoption name Flats2 value 20",
        "setoption name Caps1 value 2",
        "setoption name Caps2 value 0",
        "isready",
    ] {
        tei.send(line);
    }
    assert_eq!(tei.line(), "readyok");
    assert_eq!(tei.show(), "info string tps x6/x6/x6/x6/x6/x6 1 1 halfkomi 4 reserves 25/2 20/0");

    // Interactive: search until the user continues, then the next position, without waiting for bestmove.
    tei.send("position tps x6/x6/x6/x6/x6/2,x5 2 1");
    tei.send("go infinite");
    let first = parse_info(&tei.line());
    assert_eq!(first.multipv, Some(1));
    tei.send("stop");
    tei.send("position startpos moves a1 f6 Ce3'");
    tei.send("go infinite");
    tei.until("bestmove ");
    parse_info(&tei.line());
    tei.send("stop");
    tei.until("bestmove ");

    // With limits: the lines of both moves, two for each rank where the score is proven.
    tei.send(&format!("position tps {WIN_IN_ONE}"));
    let (lines, best) = tei.go("go depth 3");
    assert_eq!(best, "f1");
    let infos: Vec<Info> = lines.iter().map(|line| parse_info(line)).collect();
    let last = |rank| infos.iter().rev().find(|info| info.multipv == Some(rank)).expect("a line for each rank");
    assert_eq!(last(1).pv, ["f1"]);
    assert_eq!(last(1).score, Score::Solved("win".to_owned(), 1));
    assert_ne!(last(2).pv[0], "f1");
    assert!(tei.close().status.success());
}

#[test]
fn playtak_session() {
    let mut tei = Tei::start();
    tei.send("tei");
    tei.until("teiok");
    for line in [
        "setoption name HalfKomi value 2",
        "setoption name Flatstones value 10",
        "setoption name Capstones value 0",
        "teinewgame 3",
        "position startpos moves",
    ] {
        tei.send(line);
    }
    let (lines, best) = tei.go("go wtime 2000 btime 2000 winc 5000 binc 5000");
    check_search(&lines, &best);
    assert_eq!(tei.show(), "info string tps x3/x3/x3 1 1 halfkomi 2 reserves 10/0 10/0");
    // The opponent has ended the game, and still we are asked.
    tei.send(&format!("position startpos moves {FULL_BOARD}"));
    assert_eq!(tei.go("go wtime 500 btime 300"), (vec![], "--".to_owned()));
    assert_eq!(tei.go("go infinite"), (vec![], "--".to_owned()));
    let ended = tei.close();
    assert!(ended.status.success());
    assert_eq!(ended.rest, [""; 0]);
}

/// Plays a game over TEI, the first `random` plies at random, every move and every line checked by fast-tak.
fn play_game<const N: usize>(random: usize, mut seed: u64)
where
    Reserves<N>: Default,
{
    let mut tei = Tei::start();
    tei.send(&format!("teinewgame {N}"));
    let mut game = Game::<N, 0>::default();
    let mut list = String::from("position startpos moves");
    let mut plies = 0;
    while !is_over(&game) {
        let best = if plies < random {
            let mut moves = Vec::new();
            game.possible_moves(&mut moves);
            seed = seed.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(1);
            moves[(seed >> 33) as usize % moves.len()].to_string()
        } else {
            tei.send(&list);
            let (lines, best) = tei.go("go nodes 150");
            for info in check_search(&lines, &best) {
                let mut line = game.clone();
                for mv in &info.pv {
                    play(&mut line, mv);
                }
            }
            best
        };
        play(&mut game, &best);
        list.extend([" ", &best]);
        plies += 1;
        assert!(plies < 1000, "the game does not end: {list}");
    }
    tei.send(&list);
    let tps: Tps = game.clone().into();
    assert!(tei.show().starts_with(&format!("info string tps {tps} ")), "{list}");
    assert_eq!(tei.go("go nodes 150"), (vec![], "--".to_owned()));
    assert!(tei.close().status.success());
}

#[test]
fn whole_games_end_legally_at_every_size() {
    let games: [fn(); 6] = [
        || play_game::<3>(2, 1),
        || play_game::<4>(3, 2),
        || play_game::<5>(4, 3),
        || play_game::<6>(4, 4),
        || play_game::<7>(6, 5),
        || play_game::<8>(6, 6),
    ];
    thread::scope(|scope| {
        for game in games {
            scope.spawn(game);
        }
    });
}
