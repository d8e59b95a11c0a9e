//! Marks of only moves and proofs of annotated games, checked by a full-width search of 3x3.
//!
//! At a desk it takes 10 games of every other board. `CASES=80 cargo test --test all only_moves` takes 800 games of
//! each.

use crate::brute_force::Solver;
use crate::cases::{are_many, cases, step};
use crate::folder::Folder;
use crate::small_boards::start;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use tak_engine::board::{AnyPosition, Color, Game, Move, Position, Setup, Symmetry};
use tak_engine::engine::{Engine, Limits, Settings};
use tak_engine::notation::{EngineComment, PtnGame, parse_games};

/// Stones of each player and half points of komi, with which no game is drawn.
const BOARDS: [(u8, i32); 4] = [(6, -1), (5, 1), (7, 3), (8, 1)];
/// Plies within which nearly every position of these boards is decided.
const MAX_CHECKED_PLIES: u32 = 12;

/// A game in which the engine plays most of the moves, looking ahead little.
fn game(start: &Setup, engine: &mut Engine, rng: &mut StdRng) -> Game {
    let mut game = Game::new(AnyPosition::from_setup(start).unwrap());
    engine.clear();
    while game.position().outcome().is_none() && game.moves().len() < 40 {
        let report = engine.analyse(&game, Limits::nodes(60)).unwrap();
        let best = report.lines.first().map(|line| line.pv[0]);
        let any = *game.legal_moves().choose(rng).unwrap();
        let is_random = game.moves().len() < 3 || rng.random_bool(0.2);
        game.play(best.filter(|_| !is_random).unwrap_or(any)).unwrap();
    }
    game
}

/// The winner with best play, if that is known: of White's wins and of Black's.
struct Truth([Solver; 2]);

impl Truth {
    fn winner(&mut self, position: &Position<3>) -> Option<Color> {
        let mut position = position.clone();
        let mut found =
            (0..=MAX_CHECKED_PLIES).flat_map(|plies| [Color::White, Color::Black].map(|player| (player, plies)));
        found.find(|&(player, plies)| self.0[player.index()].wins(&mut position, plies)).map(|(player, _)| player)
    }

    /// Returns whether this move and its images by a symmetry of the board alone win. `None` if that is not known.
    fn is_only_win(&mut self, position: &Position<3>, played: Move, images: &[Move]) -> Option<bool> {
        let mover = position.to_move();
        let mut winner_after = |mv| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            self.winner(&next)
        };
        if winner_after(played)? != mover {
            return Some(false);
        }
        let mut others = position.legal_moves().into_iter().filter(|mv| *mv != played && !images.contains(mv));
        let mut is_known = true;
        let another_wins = others.any(|mv| {
            let winner = winner_after(mv);
            is_known &= winner.is_some();
            winner == Some(mover)
        });
        if another_wins { Some(false) } else { is_known.then_some(true) }
    }
}

/// The moves that are equivalent to a move by the symmetries of a position.
fn images(position: &Position<3>, mv: Move) -> Vec<Move> {
    let setup = position.to_setup();
    let own = |symmetry: &Symmetry| setup.transformed(*symmetry).to_string() == setup.to_string();
    Symmetry::ALL.iter().filter(|symmetry| own(symmetry)).map(|symmetry| symmetry.mv(mv, setup.size)).collect()
}

/// If an exhaustive search proves the winner, a marked move is the only one that does. With few nodes for each position
/// the marks would be wrong now and then, if they were given for the findings of those. A win reported as proven is
/// one.
#[test]
fn only_moves_and_proofs_hold() {
    let folder = Folder::new("annotate-only");
    let settings = Settings { hash_mib: 1, ..Settings::default() };
    let mut engine = Engine::new(settings);
    let mut rng = StdRng::seed_from_u64(1);
    let count = cases(10);
    let (mut marks, mut right, mut wrong) = (0, 0, Vec::new());
    let (mut proofs, mut disproven) = (0, Vec::new());
    for (stones, half_komi) in BOARDS.into_iter().step_by(step(2)) {
        let start = start(stones, half_komi);
        let games = (0..count).map(|_| PtnGame::from(&game(&start, &mut engine, &mut rng)));
        let games: Vec<String> = games.map(|game| game.to_string()).collect();
        folder.file("games.ptn", games.join("\n"));
        let mut truth = Truth([Color::White, Color::Black].map(Solver::new));
        for nodes in [50, 300] {
            let text = folder.succeed(&format!("annotate games.ptn --nodes {nodes}"));
            for game in parse_games(&text).map(Result::unwrap) {
                let mut position = start.position::<3>().unwrap();
                for played in &game.moves {
                    let images = images(&position, played.mv);
                    if played.marks.contains('!') {
                        marks += 1;
                        match truth.is_only_win(&position, played.mv, &images) {
                            Some(true) => right += 1,
                            Some(false) => wrong.push(format!("{played:?} in\n{game}")),
                            None => {}
                        }
                    }
                    position.play(played.mv).unwrap();
                    let said = played.comments.iter().find_map(|text| text.parse().ok());
                    let said: EngineComment = said.expect("a comment of the engine");
                    let Some((Some(winner), plies)) = said.proven else {
                        continue;
                    };
                    if plies <= MAX_CHECKED_PLIES {
                        proofs += 1;
                        if truth.winner(&position) != Some(winner) {
                            disproven.push(format!("{played:?} in\n{game}"));
                        }
                    }
                }
            }
        }
    }
    println!("{marks} marks, {right} right, {} wrong", wrong.len());
    println!("{proofs} proofs, {} wrong", disproven.len());
    for wrong in [wrong, disproven] {
        assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    }
    let least = if are_many() { count / 6 } else { 2 };
    assert!(right >= least, "only {right} of {marks} marks are known to be right");
}
