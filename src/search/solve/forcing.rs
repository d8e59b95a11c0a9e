//! Wins within a number of plies, found by trying everything: threat sequences ("tinue"), or all moves.
//!
//! The attacker needs one good move, the defender is allowed every answer. With [`Width::Quiet`]`(0)` the attacker only
//! makes taks (threats to complete a road with the next move), which leave few answers, so that long sequences are in reach:
//! threat-space search (Allis, van den Herik and Huntjens, "Go-Moku Solved by New Search Techniques", 1993), but with
//! all the defender's real answers instead of all of them at once. What it bets on is that forced wins are sequences of
//! taks. Tak breaks the bet with quiet moves that threaten a tinue, and with wins on flats; nothing false is claimed
//! then, the win is just not found. Allowing one quiet move on each line repairs most of it for little, as all others
//! still are taks. [`Width::All`] finds every win of that length, and thus the shortest.

use super::budget::Budget;
use super::goal::{Goal, Worn, is_last_turn, settled};
use super::table::Known;
use crate::board::{Move, Position};
use crate::search::ordering::Threat;

/// How many moves of the attacker may be no taks: threats of threats, mostly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    /// So many on each line.
    Quiet(u8),
    /// Any number: every move is tried.
    All,
}

/// What is known of a position under one goal and width.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Reach {
    /// The attacker wins within so many plies; 0 if no win is known.
    won: u16,
    /// The attacker cannot win within so many plies; [`NEVER`] if no number of plies helps.
    safe: u16,
    /// The attacker's winning move, or the defender's best answer.
    mv: Option<Move>,
}

/// More plies than any search tries.
const NEVER: u16 = u16::MAX;

/// The search.
pub(super) struct Forcing<'a, 'b, const N: usize> {
    pub position: Position<N>,
    pub goal: Goal,
    pub width: Width,
    pub worn: &'a Worn,
    pub known: &'a mut Known<Reach>,
    pub budget: &'a mut Budget<'b>,
    /// Whether the last iteration stopped anywhere for lack of plies: more of them may find more.
    truncated: bool,
    /// A limit was reached, answers mean nothing.
    stopped: bool,
    lists: Vec<Vec<Move>>,
    killers: Vec<Option<Move>>,
}

impl<'a, 'b, const N: usize> Forcing<'a, 'b, N> {
    pub fn new(
        position: &Position<N>,
        goal: Goal,
        width: Width,
        worn: &'a Worn,
        known: &'a mut Known<Reach>,
        budget: &'a mut Budget<'b>,
    ) -> Self {
        Self {
            position: position.clone(),
            goal,
            width,
            worn,
            known,
            budget,
            truncated: false,
            stopped: false,
            lists: Vec::new(),
            killers: Vec::new(),
        }
    }

    /// The fewest plies, at most `longest`, in which the attacker forces a win; `None` if there is no such win or a
    /// limit was reached before it was found.
    pub fn shortest(&mut self, longest: u16) -> Option<u16> {
        let first = if self.position.to_move() == self.goal.attacker {
            1
        } else {
            2
        };
        self.stopped = false;
        for plies in (first..=longest).step_by(2) {
            self.truncated = false;
            let won = if first == 1 {
                self.attack(plies, 0)
            } else {
                self.defend(plies, 0)
            };
            if won {
                return Some(plies);
            }
            if self.stopped || !self.truncated {
                return None;
            }
        }
        None
    }

    /// Play that follows a win found within `plies`: the attacker wins as soon as possible, the defender holds out as
    /// long as possible. It ends early where a limit is reached.
    pub fn line(&mut self, plies: u16) -> Vec<Move> {
        let start = self.position.clone();
        let mut line = Vec::new();
        let mut left = plies;
        while let Some(mv) = self.next_of_line(left) {
            line.push(mv);
            let _ = self.position.play(mv);
            left = left.saturating_sub(1);
            if settled(&self.position, self.goal, self.worn).is_some() {
                break;
            }
        }
        self.position = start;
        line
    }

    fn next_of_line(&mut self, left: u16) -> Option<Move> {
        let attacker = self.goal.attacker;
        if self.position.to_move() == attacker {
            return self.position.winning_move(attacker).or_else(|| {
                self.shortest(left)?;
                self.known.get(self.key())?.mv
            });
        }
        let mut moves = Vec::new();
        self.position.legal_moves(&mut moves);
        let mut longest = None;
        for mv in moves {
            let undo = self.position.play(mv);
            let plies = match settled(&self.position, self.goal, self.worn) {
                Some(_) => Some(0),
                None => self.shortest(left),
            };
            self.position.unplay(mv, undo);
            let plies = plies?;
            if longest.is_none_or(|(most, _)| plies > most) {
                longest = Some((plies, mv));
            }
        }
        longest.map(|(_, mv)| mv)
    }

    fn key(&self) -> u64 {
        let width = match self.width {
            Width::Quiet(left) => u64::from(left),
            Width::All => 256,
        };
        self.position.hash() ^ self.goal.salt() ^ width.wrapping_mul(0x5851_F42D_4C95_7F2D)
    }

    /// Whether the attacker, to move, wins within `plies` (odd).
    fn attack(&mut self, plies: u16, ply: usize) -> bool {
        let attacker = self.goal.attacker;
        if !self.budget.visit() {
            self.stopped = true;
            return false;
        }
        if self.position.winning_move(attacker).is_some() {
            return true;
        }
        let last_turn = is_last_turn(&self.position);
        if plies == 1 && !last_turn {
            self.truncated = true;
            return false;
        }
        let key = self.key();
        let mut reach = self.known.get(key).unwrap_or_default();
        if reach.won > 0 && reach.won <= plies {
            return true;
        }
        if reach.safe >= plies {
            self.truncated |= reach.safe < NEVER;
            return false;
        }
        let before = self.budget.nodes;
        let truncated = std::mem::take(&mut self.truncated);
        let threat = Threat::of(&self.position, !attacker);
        let must_answer = threat.exists() && !last_turn;
        let moves = self.moves(ply, reach.mv);
        let mut found = None;
        for &mv in &moves {
            if must_answer && !threat.may_answer(&self.position, mv) {
                continue;
            }
            let undo = self.position.play(mv);
            let won = match settled(&self.position, self.goal, self.worn) {
                Some(won) => won,
                None if plies == 1 => {
                    self.truncated = true;
                    false
                }
                None => self.follow(plies, ply),
            };
            self.position.unplay(mv, undo);
            if self.stopped {
                break;
            }
            if won {
                found = Some(mv);
                break;
            }
        }
        self.lists[ply] = moves;
        if self.stopped {
            return false;
        }
        match found {
            Some(mv) => {
                self.killers[ply] = Some(mv);
                reach.won = plies;
                reach.mv = Some(mv);
            }
            None => reach.safe = if self.truncated { plies } else { NEVER },
        }
        self.truncated |= truncated;
        self.known.set(key, self.budget.nodes - before, reach);
        found.is_some()
    }

    /// Whether the move just made by the attacker, with `plies` left before it, wins; not if the width forbids it.
    fn follow(&mut self, plies: u16, ply: usize) -> bool {
        let Width::Quiet(left) = self.width else {
            return self.defend(plies - 1, ply + 1);
        };
        if self.position.winning_move(self.goal.attacker).is_some() {
            return self.defend(plies - 1, ply + 1);
        }
        if left == 0 {
            return false;
        }
        // Without a threat any move is a defence, but where every move loses by itself.
        if plies <= 3 {
            self.truncated = true;
            return false;
        }
        self.width = Width::Quiet(left - 1);
        let won = self.defend(plies - 1, ply + 1);
        self.width = Width::Quiet(left);
        won
    }

    /// Whether the defender, to move in a game that goes on, loses within `plies` (even) whatever is played.
    fn defend(&mut self, plies: u16, ply: usize) -> bool {
        let defender = !self.goal.attacker;
        if !self.budget.visit() {
            self.stopped = true;
            return false;
        }
        if self.position.winning_move(defender).is_some() {
            return false;
        }
        let key = self.key();
        let mut reach = self.known.get(key).unwrap_or_default();
        if reach.won > 0 && reach.won <= plies {
            return true;
        }
        if reach.safe >= plies {
            self.truncated |= reach.safe < NEVER;
            return false;
        }
        let before = self.budget.nodes;
        let truncated = std::mem::take(&mut self.truncated);
        let threat = Threat::of(&self.position, self.goal.attacker);
        let must_answer = threat.exists() && !is_last_turn(&self.position);
        let moves = self.moves(ply, reach.mv);
        let mut escape = None;
        for &mv in &moves {
            if must_answer && !threat.may_answer(&self.position, mv) {
                continue;
            }
            let undo = self.position.play(mv);
            let lost = match settled(&self.position, self.goal, self.worn) {
                Some(lost) => lost,
                None => self.attack(plies - 1, ply + 1),
            };
            self.position.unplay(mv, undo);
            if self.stopped {
                break;
            }
            if !lost {
                escape = Some(mv);
                break;
            }
        }
        self.lists[ply] = moves;
        if self.stopped {
            return false;
        }
        match escape {
            Some(mv) => {
                self.killers[ply] = Some(mv);
                reach.safe = if self.truncated { plies } else { NEVER };
                reach.mv = Some(mv);
            }
            None => reach.won = plies,
        }
        self.truncated |= truncated;
        self.known.set(key, self.budget.nodes - before, reach);
        escape.is_none()
    }

    /// All legal moves: the one remembered for the position first, then the one that last worked at this ply.
    fn moves(&mut self, ply: usize, remembered: Option<Move>) -> Vec<Move> {
        if self.lists.len() <= ply {
            self.lists.resize_with(ply + 1, Vec::new);
            self.killers.resize(ply + 1, None);
        }
        let mut moves = std::mem::take(&mut self.lists[ply]);
        moves.clear();
        self.position.legal_moves(&mut moves);
        for first in [self.killers[ply], remembered] {
            if let Some(place) = moves.iter().position(|&mv| Some(mv) == first) {
                moves[..=place].rotate_right(1);
            }
        }
        moves
    }
}
