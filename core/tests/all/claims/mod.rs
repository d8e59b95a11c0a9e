//! A `solved` is a proof: every claim of the search and of the solver about the next few plies is compared with an
//! independent full-width search, and no later report of the same search takes it back.
//!
//! `CASES=40 cargo test --release --test all claims` checks 107,000 positions instead of 2,675, `CLAIMS_SEED=7` others.

mod reports;

use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::cases::{cases, step};
use crate::games::{Sample, sample};
use crate::oracle::Oracle;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use tak_engine_core::board::{AnyPosition, ByColor, Color, Game, Komi, Move, OpeningRule, Reserve, Setup, Size};
use tak_engine_core::engine::{Engine, Level, Limits, SearchRequest, Settings, Task};
use tak_engine_core::search::{Report, Solved};

/// Longer claims are not checked.
const MAX_CHECKED_PLIES: u32 = 5;

/// The way in which a position is searched.
struct Look {
    settings: Settings,
    limits: Limits,
    /// By the solver instead of the search.
    solve: bool,
    /// By a solver that looks for the shortest win.
    shortest: bool,
    /// Stopped after this many iterations.
    stop: Option<usize>,
}

impl Look {
    /// This number of nodes by one thread under the usual rules.
    fn plain(nodes: u64) -> Self {
        Self {
            settings: Settings { hash_mib: 1, ..Settings::default() },
            limits: Limits::nodes(nodes),
            solve: false,
            shortest: false,
            stop: None,
        }
    }

    fn random(rng: &mut StdRng, threads: usize) -> Self {
        let multipv = if rng.random_bool(0.3) { rng.random_range(2..=6) } else { 1 };
        let nodes = [100, 300, 600, 1500].choose(rng).unwrap() * rng.random_range(1..=2);
        let solve = rng.random_bool(0.2);
        let depth = rng.random_bool(0.2).then(|| rng.random_range(1..=6));
        let level = rng.random_bool(0.1).then(|| Level::new(rng.random_range(10..=Level::MAX))).flatten();
        Self {
            settings: Settings {
                hash_mib: 1,
                threads,
                multipv,
                move_overhead: Duration::ZERO,
                repetitions: *[3, 3, 3, 3, 3, 2, 2, 4, 1, 0].choose(rng).unwrap(),
                level,
                ..Settings::default()
            },
            limits: Limits { depth, ..Limits::nodes(nodes) },
            solve,
            shortest: solve && rng.random_bool(0.5),
            stop: rng.random_bool(0.1).then(|| rng.random_range(1..=8)),
        }
    }
}

/// A claim: the result of the position, or of it and the first move.
type Claim = (Option<Move>, Solved);

/// All reports of a search, the final one last.
fn reports(engine: &mut Engine, game: &Game, look: &Look) -> Vec<Report> {
    engine.set(look.settings.clone());
    let task = match (look.solve, look.shortest) {
        (false, _) => Task::Play,
        (true, false) => Task::Solve,
        (true, true) => Task::Shortest,
    };
    let request = SearchRequest { task, ..SearchRequest::new(game.clone(), look.limits) };
    let stop = AtomicBool::new(false);
    let mut reports: Vec<Report> = Vec::new();
    let note = |report: &Report| {
        reports.push(report.clone());
        stop.store(look.stop.is_some_and(|after| reports.len() >= after), Ordering::SeqCst);
    };
    let last = engine.run_with(&request, Some(&stop), note).unwrap();
    reports.push(last);
    reports
}

/// All claims in the reports of a search, and the result that is claimed to be the shortest.
fn claims(reports: &[Report]) -> (Vec<Claim>, Option<Solved>) {
    let mut found: Vec<Claim> = Vec::new();
    for report in reports {
        for (rank, line) in report.lines.iter().enumerate() {
            let Some(solved @ (Solved::Win(plies) | Solved::Loss(plies))) = line.solved else {
                continue;
            };
            // The loss of the best line is that of every move.
            let whole = rank == 0 && matches!(solved, Solved::Loss(_));
            let claim = (line.pv.first().copied().filter(|_| !whole), solved);
            if plies <= MAX_CHECKED_PLIES && !found.contains(&claim) {
                found.push(claim);
            }
        }
    }
    let last = reports.last().filter(|report| report.shortest);
    (found, last.and_then(|report| report.lines[0].solved))
}

/// The searches done so far.
#[derive(Debug, Default)]
struct Tally {
    positions: usize,
    /// Of games with another opening rule than the usual one.
    other_openings: usize,
    wins: [u32; MAX_CHECKED_PLIES as usize + 1],
    losses: [u32; MAX_CHECKED_PLIES as usize + 1],
    shortest: u32,
    /// Searches with a stop, at a level and with a limit of depth.
    cut_short: u32,
    false_claims: Vec<String>,
    /// Contradictions between reports, and wrong lines.
    faults: Vec<String>,
}

fn check<const N: usize>(engine: &mut Engine, setup: &Setup, moves: &[Move], look: &Look, tally: &mut Tally) {
    let mut game = Game::new(AnyPosition::from_setup(setup).unwrap());
    // The oracle supports one rule for the first turns, so it sees games of the others only after them.
    let is_first_turn = |game: &Game| game.position().ply() < 2;
    let mut seen_from = (setup.clone(), 0);
    for (index, &mv) in moves.iter().enumerate() {
        let was_first = is_first_turn(&game);
        game.play(mv).unwrap();
        if was_first && !is_first_turn(&game) && setup.opening != OpeningRule::Swap {
            seen_from = (game.position().to_setup(), index + 1);
        }
    }
    if is_first_turn(&game) && setup.opening != OpeningRule::Swap {
        return;
    }
    tally.positions += 1;
    tally.other_openings += usize::from(setup.opening != OpeningRule::Swap);
    let reports = reports(engine, &game, look);
    tally.cut_short += u32::from(look.stop.is_some() || look.settings.level.is_some() || look.limits.depth.is_some());
    let faults = reports::faults(&game, &reports, &look.settings);
    tally.faults.extend(faults.iter().map(|fault| format!("{fault}; {}", describe(setup, moves, look))));
    let (claims, shortest) = claims(&reports);
    if claims.is_empty() {
        return;
    }
    let (start, played) = seen_from;
    let mut oracle = Oracle::<N>::new(&start, &moves[played..], look.settings.repetitions);
    for (mv, solved) in claims {
        match solved {
            Solved::Win(plies) => tally.wins[plies as usize] += 1,
            Solved::Loss(plies) => tally.losses[plies as usize] += 1,
        }
        if !oracle.confirms(solved, mv) {
            let mv = mv.map(|mv| mv.to_string());
            tally.false_claims.push(format!("{solved:?} with {mv:?}: {}", describe(setup, moves, look)));
        }
    }
    // Finding no win takes longer than finding one.
    let affordable = if N <= 4 { MAX_CHECKED_PLIES } else { 3 };
    if let Some(solved @ (Solved::Win(plies) | Solved::Loss(plies))) = shortest
        && (2..=affordable).contains(&plies)
    {
        tally.shortest += 1;
        let sooner = plies - 1;
        let mut moves_now = game.position().legal_moves().into_iter();
        if moves_now.any(|mv| oracle.confirms(Solved::Win(sooner), Some(mv)))
            || oracle.confirms(Solved::Loss(sooner), None)
        {
            tally.false_claims.push(format!("{solved:?} not the shortest: {}", describe(setup, moves, look)));
        }
    }
}

/// A search as text that reproduces it.
fn describe(setup: &Setup, moves: &[Move], look: &Look) -> String {
    let mut text = format!("{} komi {} opening {}", setup, setup.komi, setup.opening);
    for color in Color::ALL {
        let reserve = setup.reserves[color];
        write!(text, " {}/{}", reserve.stones, reserve.caps).unwrap();
    }
    text.push_str(" moves");
    for &mv in moves {
        write!(text, " {mv}").unwrap();
    }
    let settings = &look.settings;
    write!(
        text,
        " (threads {}, multipv {}, repetitions {}, level {:?}, {:?}, solve {}, shortest {}, stop {:?})",
        settings.threads,
        settings.multipv,
        settings.repetitions,
        settings.level.map(Level::number),
        look.limits,
        look.solve,
        look.shortest,
        look.stop
    )
    .unwrap();
    text
}

/// Checks at least `default` positions, more in CI.
fn claims_hold<const N: usize>(default: usize) {
    let positions = cases(default);
    let seed = std::env::var("CLAIMS_SEED").map_or(1, |text| text.parse().expect("a number"));
    let mut rng = StdRng::seed_from_u64(seed << 8 | N as u64);
    let mut engines = [1, 4].map(|threads| Engine::new(Settings { hash_mib: 1, threads, ..Settings::default() }));
    let mut tally = Tally::default();
    while tally.positions < positions {
        let Sample { setup, moves, looks } = sample::<N>(&mut rng);
        let several = rng.random_bool(0.1);
        let look = Look::random(&mut rng, if several { 4 } else { 1 });
        let engine = &mut engines[usize::from(several)];
        // Half of the games start with the table of the game before.
        if rng.random_bool(0.5) {
            engine.clear();
        }
        for back in (0..looks).rev() {
            let upto = moves.len() - back;
            check::<N>(engine, &setup, &moves[..upto], &look, &mut tally);
        }
    }
    println!(
        "{N}x{N}: {} positions ({} of other openings), wins {:?}, losses {:?}, {} the shortest, {} false, {} faults",
        tally.positions,
        tally.other_openings,
        tally.wins,
        tally.losses,
        tally.shortest,
        tally.false_claims.len(),
        tally.faults.len()
    );
    for wrong in [&tally.false_claims, &tally.faults] {
        assert!(wrong.is_empty(), "{N}x{N}: {} wrong:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
    }
    // Claims of a win in one or of an unstoppable threat are easy; there must be others too.
    let deep: u32 = tally.wins[3..].iter().chain(&tally.losses[3..]).sum();
    assert!(
        deep as usize > positions / 160
            && tally.wins[1] > 0
            && tally.losses[2] > 0
            && tally.other_openings > 0
            && tally.shortest as usize >= positions / 400
            && tally.cut_short as usize > positions / 10,
        "{N}x{N}: too few claims"
    );
}

/// Searches one game and expects every claim to be true.
fn check_game<const N: usize>(engine: &mut Engine, setup: &Setup, moves: &[Move], look: &Look) {
    let mut tally = Tally::default();
    check::<N>(engine, setup, moves, look, &mut tally);
    assert!(tally.false_claims.is_empty(), "{}", tally.false_claims[0]);
    assert!(tally.faults.is_empty(), "{}", tally.faults[0]);
}

/// A setup with these reserves of White and of Black, stones and capstones.
fn setup(tps: &str, half_komi: i64, reserves: [(u8, u8); 2]) -> Setup {
    let reserves = ByColor(reserves.map(|(stones, caps)| Reserve { stones, caps }));
    Setup { komi: Komi::from_half(half_komi).unwrap(), reserves, ..tps.parse().unwrap() }
}

fn moves(text: &str) -> Vec<Move> {
    text.split(' ').map(|mv| mv.parse().unwrap()).collect()
}

#[test]
fn a_spread_that_fills_the_board_answers_a_threat() {
    fn check_all<const N: usize>(boards: &[&str]) {
        for tps in boards {
            let setup = tps.parse::<Setup>().unwrap();
            for solve in [false, true] {
                let look = Look { solve, ..Look::plain(60_000) };
                let mut engine = Engine::new(look.settings.clone());
                check_game::<N>(&mut engine, &setup, &[], &look);
            }
        }
    }
    check_all::<4>(&[
        "1,2S,2,x/1,2,2,x/1211,1,22S,2111/1S,2S,11,22 2 20",
        "1,x,1,11S/2,x,2,1/12,222S,1S,12211/2,22,1,11S 1 20",
        "11,1S,2,1S/2,1S,1S,2/1,111,2,211S/x3,12122 1 20",
        "1,222,21,2/2S,111,22,2S/2S,x,2,1/211S,x,1,2S 2 20",
    ]);
    check_all::<6>(&[
        "111,2,2,2,2,2/2,1S,11122,1S,21211,1/22,1,21,1,2,112/1,2,2S,22,2,x/1S,1,111,2,221C,x/2S,2,21,11S,2S,2 1 20",
    ]);
}

#[test]
fn spread_into_repetition_is_an_evasion() {
    let setup = "121,x,1/x,1S,1S/2,x,1 1 58".parse::<Setup>().unwrap();
    let moves = moves("a3- a1> a2+ b1< a3- a1>");
    for solve in [false, true] {
        let look = Look { solve, ..Look::plain(20_000) };
        let mut engine = Engine::new(look.settings.clone());
        check_game::<3>(&mut engine, &setup, &moves, &look);
        // The same with the table entries from earlier in the game.
        for plies in 0..=moves.len() {
            check_game::<3>(&mut engine, &setup, &moves[..plies], &look);
        }
    }
}

/// Without a swap, the position of move 1 counts as an occurrence of the same one later.
#[test]
fn a_board_of_move_1_recurs() {
    let setup = setup("x3,2C/2,2,x,1/2,x,2S,x/1,2S,2,2 1 1", 0, [(2, 2), (7, 2)]);
    let setup = Setup { opening: OpeningRule::NoSwap, ..setup };
    let round = moves("d3- b3+ d2+ b4-");
    let mut look = Look::plain(3000);
    look.settings.multipv = 5;
    for rounds in 1..=2 {
        let moves = round.repeat(rounds);
        let mut engine = Engine::new(look.settings.clone());
        check_game::<4>(&mut engine, &setup, &moves, &look);
        let start = AnyPosition::from_setup(&setup).unwrap();
        let mut game = Game::new(start.clone());
        for &mv in &moves {
            game.play(mv).unwrap();
        }
        assert_eq!(game.position().hash(), start.hash());
    }
}

#[test]
fn best_defence_never_loses_at_once() {
    let setup = setup("x,1,x/x,2S,11/1S,2,21111 2 37", -4, [(60, 2), (5, 0)]);
    let mut look = Look::plain(6000);
    look.settings.multipv = 4;
    let mut engine = Engine::new(look.settings.clone());
    check_game::<3>(&mut engine, &setup, &[], &look);
}

#[test]
fn loss_in_interrupted_iteration_is_not_claimed() {
    let setup = setup("1,1,1111S/2,1C,211S/1S,x2 2 18", 0, [(60, 2), (4, 2)]);
    let moves = moves("a2+ a1> a3- b1< a2+ a1>");
    for threads in [1, 4] {
        let mut engine = Engine::new(Settings::default());
        for nodes in (300..1200).step_by(3 * step(4)) {
            let mut look = Look::plain(nodes);
            look.settings.threads = threads;
            look.settings.repetitions = 4;
            engine.clear();
            check_game::<3>(&mut engine, &setup, &moves, &look);
        }
    }
}

#[test]
fn proof_stays_when_the_table_has_lost_it() {
    let setup = setup("1S,x,1S/x3/x3 1 35", 4, [(3, 0), (4, 1)]);
    let mut look = Look::plain(20_000);
    look.settings.hash_mib = 8;
    check_game::<3>(&mut Engine::new(look.settings.clone()), &setup, &[], &look);
}

#[test]
fn proof_of_a_move_stays_in_its_line() {
    let setup = setup("211,2S,1S/x,1S,2/x,2,2 2 29", -20, [(13, 1), (6, 1)]);
    let moves = moves("c1+ a3-");
    let mut look = Look::plain(5000);
    look.settings = Settings { hash_mib: 8, multipv: 4, ..look.settings };
    let mut engine = Engine::new(look.settings.clone());
    check_game::<3>(&mut engine, &setup, &[], &look);
    let look = Look { solve: true, limits: Limits::nodes(30_000), ..look };
    check_game::<3>(&mut engine, &setup, &moves, &look);
}

#[test]
fn line_of_a_proof_goes_to_the_end() {
    // No move stops the threat; a limit is reached after the proof and before its line is known.
    let threat = "x2,1/122,x2/1,x,2 2 60".parse::<Setup>().unwrap();
    let look = Look { limits: Limits::depth(5), ..Look::plain(0) };
    check_game::<3>(&mut Engine::new(look.settings.clone()), &threat, &[], &look);
    let long = "1,22,2S,2/2S,x3/21,1,1,12S/2S,2S,12122,1S 2 20".parse::<Setup>().unwrap();
    let look = Look { solve: true, shortest: true, ..Look::plain(60_000) };
    check_game::<4>(&mut Engine::new(look.settings.clone()), &long, &[], &look);
}

#[test]
fn the_first_turns_are_not_taken_for_later_ones() {
    // With so few pieces the game is over soon after the first turns.
    for stones in 1..=4 {
        for half_komi in (-6..=6).step_by(step(4)) {
            let [first, later] = [1, 5].map(|move_number| Setup {
                reserves: ByColor([Reserve { stones, caps: 0 }; 2]),
                move_number,
                ..Setup::empty(Size::ALL[0], Komi::from_half(half_komi).unwrap())
            });
            let look = Look::plain(20_000);
            let mut engine = Engine::new(look.settings.clone());
            check_game::<3>(&mut engine, &first, &[], &look);
            check_game::<3>(&mut engine, &later, &[], &look);
            engine.clear();
            check_game::<3>(&mut engine, &later, &[], &look);
            check_game::<3>(&mut engine, &first, &[], &look);
        }
    }
}

macro_rules! tests_of_sizes {
    ($($name:ident: $size:literal, $positions:literal;)*) => {
        $(
            #[test]
            fn $name() {
                claims_hold::<$size>($positions);
            }
        )*
    };
}

tests_of_sizes! {
    claims_hold_on_3x3: 3, 625;
    claims_hold_on_4x4: 4, 625;
    claims_hold_on_5x5: 5, 500;
    claims_hold_on_6x6: 6, 375;
    claims_hold_on_7x7: 7, 200;
    claims_hold_on_8x8: 8, 350;
}
