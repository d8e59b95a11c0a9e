//! Proof-number search: proves a goal without a bound on plies.
//!
//! Depth-first proof-number search (Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002).
//! Every position has two numbers: how many positions at least must still be settled to prove the goal, and to disprove
//! it. The search always goes where the smaller one can be brought down with the least work, so it prefers moves that
//! leave few answers: in Tak, taks. What it bets on is that such forcing lines are the ones that win. It has no idea of
//! length: a proof need not be the shortest.
//!
//! Only proofs are ever believed. A disproof may rest on a position that came up before on the line at hand, and on
//! another line that position may be winning (the graph-history interaction); so a refuted goal is "not proven" and its
//! opposite is proven as a goal of its own. A proof is made of positions proven before it, down to ended games, hence no
//! repetition can hide in it.

use super::budget::Budget;
use super::goal::{Goal, Worn, is_last_turn, settled};
use super::table::Known;
use crate::board::{Move, Position};
use crate::search::ordering::Threat;

/// A number that says: settled the other way.
const INFINITE: u32 = 1 << 30;

/// The longest line looked at, in plies.
const LONGEST: usize = 250;

/// What is known of a position under one goal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Numbers {
    /// Positions to settle until the player to move has what they want, 0 if they have; Nagai's phi.
    pub own: u32,
    /// The same for the other player; Nagai's delta.
    pub other: u32,
    /// With the goal proven: within so many plies.
    pub plies: u16,
    /// The best move.
    pub mv: Option<Move>,
}

impl Numbers {
    /// Settled: in favour of the player to move, or of the other.
    fn settled(in_favour: bool, plies: u16) -> Self {
        let (own, other) = if in_favour {
            (0, INFINITE)
        } else {
            (INFINITE, 0)
        };
        Self {
            own,
            other,
            plies,
            mv: None,
        }
    }
}

/// A move of a position under search.
struct Child {
    mv: Move,
    key: u64,
    /// What holds unless the table knows better.
    first: Numbers,
    /// Whether the table is asked at all.
    open: bool,
}

/// The search for one goal.
pub(super) struct Proof<'a, 'b, const N: usize> {
    pub position: Position<N>,
    pub goal: Goal,
    pub worn: &'a Worn,
    pub known: &'a mut Known<Numbers>,
    pub budget: &'a mut Budget<'b>,
    /// Hashes of the positions on the line at hand.
    path: Vec<u64>,
    /// The longest line looked at so far, in plies.
    pub deepest: usize,
    stopped: bool,
    buffer: Vec<Move>,
}

impl<'a, 'b, const N: usize> Proof<'a, 'b, N> {
    pub fn new(
        position: &Position<N>,
        goal: Goal,
        worn: &'a Worn,
        known: &'a mut Known<Numbers>,
        budget: &'a mut Budget<'b>,
    ) -> Self {
        Self {
            position: position.clone(),
            goal,
            worn,
            known,
            budget,
            path: Vec::new(),
            deepest: 0,
            stopped: false,
            buffer: Vec::new(),
        }
    }

    /// Searches until the goal is proven or refuted, or a limit is reached. What was found before stays in the table, so
    /// that it can go on with another limit.
    pub fn run(&mut self) -> Verdict {
        self.stopped = false;
        let numbers = self.search(INFINITE, INFINITE);
        let (proof, disproof) = if self.is_attacking() {
            (numbers.own, numbers.other)
        } else {
            (numbers.other, numbers.own)
        };
        match () {
            () if proof == 0 => Verdict::Proven(numbers.plies),
            () if disproof == 0 => Verdict::Refuted,
            () => Verdict::Open,
        }
    }

    fn is_attacking(&self) -> bool {
        self.position.to_move() == self.goal.attacker
    }

    fn key(&self) -> u64 {
        self.position.hash() ^ self.goal.salt()
    }

    /// Works on the present position, in which the game goes on, until one of its numbers reaches its limit.
    fn search(&mut self, own_limit: u32, other_limit: u32) -> Numbers {
        let key = self.key();
        let before = self.budget.nodes;
        if !self.budget.visit() {
            self.stopped = true;
        }
        self.path.push(self.position.hash());
        self.deepest = self.deepest.max(self.path.len());
        let (children, refused) = self.children();
        let numbers = loop {
            let Choice {
                numbers,
                best,
                own_of_best,
                second,
            } = self.weigh(&children, refused);
            if numbers.own >= own_limit || numbers.other >= other_limit || self.stopped {
                break numbers;
            }
            let Some(child) = best.map(|index| &children[index]) else {
                break numbers;
            };
            // The child may grow until its sibling looks better; by a quarter more than that, so that the search does
            // not jump to and fro between alike ones (Pawlewicz and Lew, "Improving Depth-First PN-Search: 1+e Trick",
            // 2007).
            let child_other = own_limit.min(second.saturating_add(second / 4).saturating_add(1));
            let child_own = (other_limit - numbers.other).saturating_add(own_of_best);
            let undo = self.position.play(child.mv);
            self.search(child_own.min(INFINITE), child_other.min(INFINITE));
            self.position.unplay(child.mv, undo);
        };
        self.path.pop();
        self.known.set(key, self.budget.nodes - before, numbers);
        numbers
    }

    /// The numbers of a position from those of its children.
    fn weigh(&self, children: &[Child], refused: bool) -> Choice {
        let attacking = self.is_attacking();
        let mut choice = Choice {
            numbers: Numbers {
                own: INFINITE,
                other: 0,
                plies: 0,
                mv: None,
            },
            best: None,
            own_of_best: 0,
            second: INFINITE,
        };
        let mut sum = 0u32;
        // The attacker takes the shortest proof, the defender the longest. A refused answer loses in two.
        let mut plies: Option<u16> = if refused && !attacking { Some(2) } else { None };
        let mut plies_move = None;
        for (index, child) in children.iter().enumerate() {
            let numbers = if child.open {
                self.known.get(child.key).unwrap_or(child.first)
            } else {
                child.first
            };
            if numbers.other < choice.numbers.own {
                choice.second = choice.numbers.own;
                choice.numbers.own = numbers.other;
                choice.best = Some(index);
                choice.own_of_best = numbers.own;
            } else if numbers.other < choice.second {
                choice.second = numbers.other;
            }
            sum = sum.saturating_add(numbers.own).min(INFINITE);
            let proven = if attacking {
                numbers.other == 0
            } else {
                numbers.own == 0
            };
            if proven {
                let through = numbers.plies.saturating_add(1);
                let better =
                    plies.is_none_or(|p| if attacking { through < p } else { through > p });
                if better {
                    plies = Some(through);
                    plies_move = Some(child.mv);
                }
            }
        }
        choice.numbers.other = sum;
        if choice.numbers.own == 0 {
            choice.numbers.other = INFINITE;
        } else if choice.numbers.own >= INFINITE {
            choice.numbers.own = INFINITE;
            choice.numbers.other = 0;
        } else {
            choice.numbers.other = sum.clamp(1, INFINITE - 1);
        }
        let proven = if attacking {
            choice.numbers.own == 0
        } else {
            choice.numbers.other == 0
        };
        if proven {
            choice.numbers.plies = plies.unwrap_or(0);
            choice.numbers.mv = plies_move;
        } else if let Some(index) = choice.best {
            choice.numbers.mv = Some(children[index].mv);
        }
        choice
    }

    /// The moves of the present position with what can be said of them at once, and whether answers were left out
    /// because they lose to the threat they don't answer.
    fn children(&mut self) -> (Vec<Child>, bool) {
        let mover = self.position.to_move();
        let attacking = self.is_attacking();
        let mut moves = std::mem::take(&mut self.buffer);
        moves.clear();
        match self.position.winning_move(mover) {
            Some(mv) => moves.push(mv),
            None => self.position.legal_moves(&mut moves),
        }
        let count = moves.len();
        if count > 1 && !is_last_turn(&self.position) {
            let threat = Threat::of(&self.position, !mover);
            if threat.exists() {
                moves.retain(|&mv| threat.may_answer(&self.position, mv));
            }
        }
        let refused = moves.len() < count;
        let mut children = Vec::with_capacity(moves.len());
        for &mv in &moves {
            let undo = self.position.play(mv);
            children.push(self.child(mv, attacking));
            self.position.unplay(mv, undo);
        }
        self.buffer = moves;
        (children, refused)
    }

    /// The child that `mv` has just led to.
    fn child(&mut self, mv: Move, after_attacker: bool) -> Child {
        let hash = self.position.hash();
        let closed = |first| Child {
            mv,
            key: 0,
            first,
            open: false,
        };
        if let Some(reached) = settled(&self.position, self.goal, self.worn) {
            return closed(Numbers::settled(reached != after_attacker, 0));
        }
        // Back where the line has been, or beyond all bounds: no progress for the attacker.
        if self.path.contains(&hash) || self.path.len() >= LONGEST {
            return closed(Numbers::settled(after_attacker, 0));
        }
        let mover = self.position.to_move();
        if self.position.winning_move(mover).is_some() {
            return closed(Numbers::settled(true, 1));
        }
        let tak = Threat::of(&self.position, !mover).exists();
        let (proof, disproof) = match (after_attacker, tak) {
            // A tak by the attacker leaves few answers.
            (true, true) => (TAK, 1),
            (true, false) => (QUIET, 1),
            (false, true) => (2, 1),
            (false, false) => (1, 1),
        };
        let (own, other) = if after_attacker {
            (disproof, proof)
        } else {
            (proof, disproof)
        };
        Child {
            mv,
            key: hash ^ self.goal.salt(),
            first: Numbers {
                own,
                other,
                plies: 0,
                mv: None,
            },
            open: true,
        }
    }

    /// Follows the proof from the present position, the attacker on the shortest way known, the defender on the
    /// longest. Where the table has lost a part it is proven again; where a limit ends that, the line ends too.
    pub fn line(&mut self) -> Vec<Move> {
        let start = self.position.clone();
        let mut line = Vec::new();
        while settled(&self.position, self.goal, self.worn).is_none() && line.len() < LONGEST {
            let mover = self.position.to_move();
            if let Some(mv) = self.position.winning_move(mover) {
                line.push(mv);
                let _ = self.position.play(mv);
                continue;
            }
            let attacking = self.is_attacking();
            let mut numbers = self.known.get(self.key()).unwrap_or_default();
            let proven = |n: Numbers| (if attacking { n.own } else { n.other }) == 0 && n.plies > 0;
            if !proven(numbers) {
                self.stopped = false;
                numbers = self.search(INFINITE, INFINITE);
                if !proven(numbers) {
                    break;
                }
            }
            // A defender whose every answer was refused at once has no move noted: any will do.
            let mut moves = Vec::new();
            self.position.legal_moves(&mut moves);
            let Some(mv) = numbers.mv.or(moves.first().copied()) else {
                break;
            };
            line.push(mv);
            let _ = self.position.play(mv);
        }
        self.position = start;
        line
    }
}

/// How a proof ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The goal is reached within so many plies, whatever the defender does.
    Proven(u16),
    /// Not so, or only with a repetition: the opposite may be proven.
    Refuted,
    /// A limit was reached.
    Open,
}

/// The numbers of a position, and where to go on.
struct Choice {
    numbers: Numbers,
    best: Option<usize>,
    own_of_best: u32,
    second: u32,
}

/// First proof numbers of positions after a move of the attacker's: with a road threatened a few answers have to be
/// refuted, without one nearly all moves.
const TAK: u32 = 2;
const QUIET: u32 = 12;
