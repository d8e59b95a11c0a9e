//! The rules of the first turns (swap, no-swap, double black stack) against formulas and fast-tak, and claims of the
//! search in them against full-width search.

use std::collections::HashSet;

use super::setups::check_moves;
use crate::brute_force::{loses, wins};
use crate::for_all_sizes;
use tak_engine_core::board::{AnyPosition, ByColor, Color, Game, Komi, OpeningRule, Position, Reserve, Setup};
use tak_engine_core::engine::{Engine, Limits, SearchRequest, Settings, Task};
use tak_engine_core::search::Solved;

fn start<const N: usize>(opening: OpeningRule) -> Setup {
    Setup { opening, ..Setup::empty(Position::<N>::SIZE, Komi::ZERO) }
}

fn first_turns<const N: usize>() {
    for opening in OpeningRule::ALL {
        let squares = (N * N) as u64;
        let kinds = match opening {
            OpeningRule::NoSwap if Reserve::standard(Position::<N>::SIZE).caps > 0 => 3,
            OpeningRule::NoSwap => 2,
            _ => 1,
        };
        let mut position: Position<N> = start::<N>(opening).position().unwrap();
        assert_eq!(position, Position::start_with(Komi::ZERO, opening));
        assert_eq!(position.perft(1), kinds * squares);
        assert_eq!(position.perft(2), kinds * kinds * squares * (squares - 1));
        check_moves::<N, 0>(&mut position, true);
        for mut next in replies(&position) {
            assert_eq!(next.to_string().parse::<Setup>().unwrap().opening, opening, "shown by the board");
            check_moves::<N, 0>(&mut next, true);
        }
    }
}

#[test]
fn first_turns_agree_with_formulas_and_fast_tak() {
    for_all_sizes!(first_turns());
}

fn allowed_openings(setup: &Setup) -> Vec<OpeningRule> {
    let with = |opening| Setup { opening, ..setup.clone() };
    OpeningRule::ALL.into_iter().filter(|&opening| with(opening).position::<5>().is_ok()).collect()
}

#[test]
fn boards_of_first_turns_belong_to_their_opening() {
    use OpeningRule::{DoubleBlack, NoSwap, Swap};
    for (board, shown) in
        [("2,x4", Swap), ("22,x4", DoubleBlack), ("1,x4", NoSwap), ("1S,x4", NoSwap), ("1C,x4", NoSwap)]
    {
        let tps = format!("x5/x5/x5/x5/{board} 2 1").parse::<Setup>().unwrap();
        assert_eq!((tps.shown_opening(), tps.opening), (Some(shown), shown), "{board}");
        assert_eq!(allowed_openings(&tps), [shown], "{board}");
        // From move 2 on nothing shows the opening, and it has no effect.
        let later = format!("x5/x5/x5/x5/{board} 2 2").parse::<Setup>().unwrap();
        assert_eq!(later.shown_opening(), None);
    }
    let double = "x5/x5/x5/x5/2,x4 2 1".parse::<Setup>().unwrap();
    assert_eq!(
        Setup { opening: DoubleBlack, ..double }.position::<5>().unwrap_err().to_string(),
        "Black to play move 1 needs a board with one stack of two black flats (opening double-black)"
    );
    let empty = "x5/x5/x5/x5/x5 2 1".parse::<Setup>().unwrap();
    assert_eq!(empty.shown_opening(), None);
    assert!(allowed_openings(&empty).is_empty(), "Black cannot begin on an empty board");
}

/// Handicaps, and positions with an arbitrary move number.
#[test]
fn stones_in_move_one_decide_the_first_turns() {
    use OpeningRule::{NoSwap, Swap};
    for (board, shown) in [
        ("2S,x4 2 1", Swap),
        ("22S,x4 2 1", Swap),
        ("222,x4 2 1", Swap),
        ("11,x4 2 1", Swap),
        ("2,2,x3 2 1", Swap),
        ("22,x4 1 1", Swap),
        ("1,1,x3 1 1", Swap),
        ("2,1,x3 2 1", Swap),
        ("2,1,1S,11,x 2 1", Swap),
        ("12,x4 2 1", NoSwap),
        ("2S,1,x3 2 1", NoSwap),
        ("2,2,1,x2 2 1", NoSwap),
        ("22,1,x3 2 1", NoSwap),
        ("x3,2112S,x 1 1", NoSwap),
        ("2,1,x3 1 1", NoSwap),
    ] {
        let setup = format!("x5/x5/x5/x5/{board}").parse::<Setup>().unwrap();
        assert_eq!((setup.shown_opening(), setup.opening), (Some(shown), shown), "{board}");
        assert!(setup.begins_with_stones(), "{board}");
        assert_eq!(allowed_openings(&setup), [Swap, NoSwap], "{board}");
    }
}

/// Each player whose first turn is to come needs a flat of the other's.
#[test]
fn a_swap_needs_flats_to_place() {
    use OpeningRule::{NoSwap, Swap};
    let all_black = |side| format!("x5/x5/x5/x5/{},x4 {side} 1", "2".repeat(21)).parse::<Setup>().unwrap();
    assert_eq!(all_black(1).shown_opening(), Some(NoSwap));
    assert_eq!(allowed_openings(&all_black(1)), [NoSwap]);
    assert_eq!(all_black(2).shown_opening(), Some(Swap), "Black places a white flat");
    let refused = |setup: Setup| Setup { opening: Swap, ..setup }.position::<5>().unwrap_err().to_string();
    assert_eq!(refused(all_black(1)), "White to play move 1 needs a flat of each colour left to place (opening swap)");
    assert_eq!(
        refused(Setup { to_move: Color::Black, ..all_black(1).colors_swapped() }),
        "Black to play move 1 needs a white flat left to place (opening swap)"
    );
    // With only one black flat at the start the double black stack is a single flat.
    let mut single = "x5/x5/x5/x5/2,x4 2 1".parse::<Setup>().unwrap();
    single.reserves[Color::Black].stones = 1;
    assert_eq!(OpeningRule::ALL.map(|rule| single.opening_or(rule)), [Swap, Swap, OpeningRule::DoubleBlack]);
}

#[test]
fn the_same_board_under_another_opening_is_another_position() {
    let hash = |opening| Position::<6>::start_with(Komi::ZERO, opening).hash();
    let hashes: HashSet<u64> = OpeningRule::ALL.into_iter().map(hash).collect();
    assert_eq!(hashes.len(), 3);
    assert_eq!(hash(OpeningRule::Swap), Position::<6>::start(Komi::ZERO).hash());
}

fn replies<const N: usize>(position: &Position<N>) -> impl Iterator<Item = Position<N>> {
    position.legal_moves().into_iter().map(|mv| {
        let mut next = position.clone();
        next.play_unchecked(mv);
        next
    })
}

/// Reserves so small that games end in the first turns or soon after: every claim of search and solver is true, and a
/// win in three plies is always found.
#[test]
fn claims_in_first_turns_are_true() {
    let mut claims = 0;
    let reserves = |stones: [u8; 2], caps: [u8; 2]| {
        let reserve = |player: usize| Reserve { stones: stones[player], caps: caps[player] };
        ByColor([reserve(0), reserve(1)])
    };
    for opening in OpeningRule::ALL {
        for (stones, caps) in [
            ([1, 1], [0, 0]),
            ([1, 1], [1, 1]),
            ([1, 3], [0, 0]),
            ([2, 1], [0, 1]),
            ([2, 2], [0, 0]),
            ([2, 2], [1, 0]),
            ([3, 2], [0, 0]),
            ([3, 3], [0, 0]),
        ] {
            for half_komi in [-1, 0, 3] {
                let begin = Setup {
                    reserves: reserves(stones, caps),
                    komi: Komi::from_half(half_komi).unwrap(),
                    ..start::<3>(opening)
                };
                let mut setups = vec![begin.clone()];
                // One first turn of each kind: in a corner, on an edge, in the centre.
                let near = |setup: &Setup| {
                    let square = setup.stacks[0].square;
                    square.column() < 2 && square.row() <= square.column()
                };
                setups.extend(replies(&begin.position::<3>().unwrap()).map(|next| next.to_setup()).filter(near));
                for setup in setups {
                    claims += u32::from(check_claim(&setup));
                }
            }
        }
    }
    assert!(claims > 100, "only {claims} claims");
}

/// Returns whether anything was claimed.
fn check_claim(setup: &Setup) -> bool {
    let position: Position<3> = setup.position().unwrap();
    let any = AnyPosition::S3(position.clone());
    let game = Game::new(any.clone());
    let place = || format!("{} {:?} {}", setup, setup.reserves, setup.opening);
    let mut engine = Engine::new(Settings { hash_mib: 1, ..Settings::default() });
    let searched = engine.analyse(&game, Limits::depth(3)).unwrap();
    let request = SearchRequest::new(game, Limits::nodes(2000));
    let solved = engine.run(&SearchRequest { task: Task::Solve, ..request }).unwrap();
    if position.outcome().is_some() {
        assert_eq!(searched.best(), None, "{}", place());
        assert_eq!(solved.best(), None, "{}", place());
        return false;
    }
    for report in [&searched, &solved] {
        assert_eq!(position.check_legal(report.best().unwrap()), Ok(()));
        match report.lines[0].solved {
            Some(Solved::Win(plies)) if plies <= 5 => {
                assert!(wins(&any, plies), "win in {plies}: {}", place());
            }
            Some(Solved::Loss(plies)) if plies <= 4 => {
                assert!(loses(&any, plies), "loss in {plies}: {}", place());
            }
            _ => {}
        }
    }
    if wins(&any, 3) {
        let won = matches!(searched.lines[0].solved, Some(Solved::Win(..=3)));
        assert!(won, "missed a win: {}", place());
    }
    searched.lines[0].solved.is_some()
}

/// Boards of a game without swap that begins with stones of both colours, where spreads are possible in move 1: lines are
/// legal, claims of up to three plies are true, and a win in one stays.
#[test]
fn searches_from_boards_with_stones_are_right() {
    let settings = |repetitions, multipv| Settings { hash_mib: 8, repetitions, multipv, ..Settings::default() };
    let search = |tps: &str, reserves: [(u8, u8); 2], settings: Settings, limits: Limits| {
        let reserves = ByColor(reserves.map(|(stones, caps)| Reserve { stones, caps }));
        let setup = Setup { reserves, ..tps.parse::<Setup>().unwrap() };
        let position = AnyPosition::from_setup(&setup).unwrap();
        let report = Engine::new(settings).analyse(&Game::new(position.clone()), limits).unwrap();
        for line in &report.lines {
            let mut after = position.clone();
            for &mv in &line.pv {
                assert!(after.play(mv).is_ok(), "{tps}: {mv} of {:?}", line.pv);
            }
            if let Some(Solved::Win(plies @ 1..=3)) = line.solved {
                assert!(wins(&position, plies), "{tps}: no win in {plies}");
            }
        }
        report
    };
    let towers = "x,x,222,1/212S,12222212,11111,2/1,2211S,2,x/221S,2,12211121S,2S 1 1";
    search(towers, [(20, 1), (23, 1)], settings(0, 1), Limits::nodes(20_000));
    let few = "1,x,x,x/x,2,x,x/x,x,x,x/x,211,x,x 1 1";
    search(few, [(3, 1), (2, 1)], settings(3, 4), Limits::nodes(20_000));
    let won = search("x,x,122C/x,111,x/x,122S,x 1 1", [(6, 0), (12, 1)], settings(3, 4), Limits::depth(4));
    assert_eq!(won.lines[0].solved, Some(Solved::Win(1)));
    let last = "2,x2,11111111111112/x4/x,221,x2/x3,2 1 1";
    let report = search(last, [(15, 0), (15, 0)], settings(3, 1), Limits::depth(5));
    let mut after: Position<4> = last.parse().unwrap();
    after.play(report.best().unwrap()).unwrap();
    assert_eq!(after.outcome(), None, "White's last stone loses at once");
}
