//! Whole games. The dialogues of clients are cases of `check`, which this engine passes.

use std::thread;

use super::{check_search, is_over, play};
use crate::common::Tei;
use crate::dialogue::Dialogue;
use fast_tak::takparse::Tps;
use fast_tak::{Game, Reserves};

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
