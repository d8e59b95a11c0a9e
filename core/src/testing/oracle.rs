//! Checks claims by full-width search on the rules of fast-tak, with repetition counted.
//!
//! A claimed win is true if the attacker has a move after which every reply of the defender loses. All replies are
//! tried. Our own board suggests the attacker's first move to try, to save time. The suggestion need not be correct,
//! since fast-tak plays it, and if it does not win all other moves are tried as well.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use fast_tak::Game as Rules;
use fast_tak::takparse::{GameResult, WinReason};

use super::fast_rules::{fast_tak_game, ours};
use super::hint::Hint;
use crate::board::{Color, Komi, Move, Position, Setup};
use crate::search::Solved;

/// Moves played for one claim before it counts as unconfirmed: some minutes.
const PATIENCE: u64 = 100_000_000;

/// A game on fast-tak's board. Its own komi is a constant of the type, so flats are compared here.
pub struct Oracle<const N: usize> {
    now: Node<N>,
    komi: Komi,
    repetitions: usize,
    /// Keys of the positions of the game and of the line being tried, the latest one last.
    seen: Vec<u64>,
    hint: Hint,
    /// The last move that escaped, by the remaining plies. The order does not change results.
    escapes: HashMap<u32, Move>,
    /// True if wins on flats count as draws.
    pub only_roads: bool,
    played: u64,
}

/// The same position on both boards.
#[derive(Clone)]
struct Node<const N: usize> {
    rules: Rules<N, 0>,
    ours: Position<N>,
}

impl<const N: usize> Node<N> {
    fn play(&mut self, mv: Move) {
        self.rules.play(mv.to_string().parse().unwrap()).unwrap();
        // fast-tak also draws after fifty reversible plies.
        self.rules.reversible_plies = 0;
        self.ours.play_unchecked(mv);
    }

    fn key(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.rules.board.hash(&mut hasher);
        self.rules.to_move.hash(&mut hasher);
        hasher.finish()
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.rules.possible_moves(&mut moves);
        moves.into_iter().map(ours).collect()
    }
}

impl<const N: usize> Oracle<N> {
    /// The game that begins with `setup` and continues with `moves`; the `repetitions`th occurrence of a position is a
    /// draw (0 for never).
    pub fn new(setup: &Setup, moves: &[Move], repetitions: u32) -> Self {
        let position: Position<N> = setup.position().unwrap();
        let mut oracle = Self {
            now: Node { rules: fast_tak_game(&position), ours: position },
            komi: setup.komi,
            repetitions: repetitions as usize,
            seen: Vec::new(),
            hint: Hint::new(repetitions as usize),
            escapes: HashMap::new(),
            only_roads: false,
            played: 0,
        };
        oracle.remember();
        for &mv in moves {
            oracle.now.play(mv);
            oracle.remember();
        }
        oracle
    }

    fn remember(&mut self) {
        self.seen.push(self.now.key());
        self.hint.seen.push(self.now.ours.hash());
    }

    /// Returns whether the claim for the player to move is true after `first`; without it, the claim is a loss against
    /// any play.
    pub fn confirms(&mut self, solved: Solved, first: Option<Move>) -> bool {
        let mover = self.now.ours.to_move();
        let (attacker, plies) = match solved {
            Solved::Win(plies) => (mover, plies),
            Solved::Loss(plies) => (!mover, plies),
        };
        self.played = 0;
        let node = self.now.clone();
        match first {
            None => self.defended(&node, attacker, plies),
            Some(mv) => self.wins_after(&node, mv, attacker, plies),
        }
    }

    /// Returns whether `attacker` wins within `plies`, the first of which is `mv`.
    fn wins_after(&mut self, node: &Node<N>, mv: Move, attacker: Color, plies: u32) -> bool {
        self.played += 1;
        assert!(self.played < PATIENCE, "neither confirmed nor refuted");
        let mut node = node.clone();
        node.play(mv);
        if let Some(outcome) = self.outcome(&node) {
            return outcome == Outcome::WonBy(attacker);
        }
        if plies < 2 {
            return false;
        }
        let key = node.key();
        let before = self.seen.iter().filter(|&&other| other == key).count();
        if self.repetitions > 0 && before + 1 >= self.repetitions {
            return false;
        }
        self.seen.push(key);
        self.hint.seen.push(node.ours.hash());
        let won = if node.ours.to_move() == attacker {
            self.attacked(&node, attacker, plies - 1)
        } else {
            self.defended(&node, attacker, plies - 1)
        };
        self.seen.pop();
        self.hint.seen.pop();
        won
    }

    /// Returns whether the defender, to move, loses within `plies` against any play.
    fn defended(&mut self, node: &Node<N>, attacker: Color, plies: u32) -> bool {
        let mut moves = node.moves();
        if let Some(escape) = self.escapes.get(&plies) {
            moves.sort_by_key(|mv| mv != escape);
        }
        let escape = moves.into_iter().find(|&mv| !self.wins_after(node, mv, attacker, plies));
        if let Some(mv) = escape {
            self.escapes.insert(plies, mv);
        }
        escape.is_none()
    }

    /// Returns whether the attacker, to move, has a move that wins within `plies`.
    fn attacked(&mut self, node: &Node<N>, attacker: Color, plies: u32) -> bool {
        let hint = self.hint.attack(&mut node.ours.clone(), attacker, plies);
        hint.is_some_and(|mv| self.wins_after(node, mv, attacker, plies))
            || node.moves().into_iter().any(|mv| self.wins_after(node, mv, attacker, plies))
    }

    /// The outcome by the rules, if the game is over.
    fn outcome(&self, node: &Node<N>) -> Option<Outcome> {
        let result: GameResult = node.rules.result().try_into().ok()?;
        Some(match result {
            GameResult::White(WinReason::Road) => Outcome::WonBy(Color::White),
            GameResult::Black(WinReason::Road) => Outcome::WonBy(Color::Black),
            _ if self.only_roads => Outcome::Draw,
            _ => match 2 * i32::from(node.rules.board.flat_diff()) - self.komi.half() {
                0 => Outcome::Draw,
                1.. => Outcome::WonBy(Color::White),
                _ => Outcome::WonBy(Color::Black),
            },
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    WonBy(Color),
    Draw,
}
