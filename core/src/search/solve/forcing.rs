//! Lambda search: an AND/OR search of growing depth over threats of growing order, for a forced win of one attacker.
//!
//! A move is a threat if the attacker would win soon after a pass of the defender, which is tested by passing (Thomsen,
//! "Lambda-Search in Game Trees - with Application to Go", 2000). A threat of order 1 is a tak: after a pass one move
//! wins. After a threat of order k + 1 and a pass, threats of order k win. The search of order k tries only threats of
//! orders up to k for the attacker, which are few moves, and all moves for the defender.
//!
//! Assumes that a winning move is a threat, so that the defender would lose by passing too. Fails in zugzwang: such a
//! win is missed, but nothing false is claimed. The order [`EVERY_MOVE`] is exact: moves need not be threats, and every
//! win is found, in the fewest plies, given enough time.

use super::budget::Budget;
use super::table::{ANY_PLIES, ProofEntry, SolverTable};
use crate::board::{Bitboard, Color, EndReason, Move, MoveKind, PieceKind, Position, spread};
use crate::search::evasions::ExactEvasions;
use crate::search::history::{Cutoff, Earlier, Histories};
use crate::search::ordering::{Hints, Ordering, Scored, pick};
use crate::search::policy::{MoveContext, MoveScorer, MoveWeights};
use crate::search::repetition::Repetitions;
use crate::search::tt::Table;

/// The highest order of threats.
pub(super) const ANY_THREAT: u16 = EVERY_MOVE - 1;

/// An order above all orders of threats: the attacker may make any move.
pub(super) const EVERY_MOVE: u16 = u16::MAX;

/// The difference between two lengths of a win. With threats the attacker makes the last move. With every move the
/// defender may be forced to end the game.
const fn step(order: u16) -> u16 {
    if order == EVERY_MOVE { 1 } else { 2 }
}

/// The state that the searches of one solve share.
pub(super) struct Solver<'a> {
    /// Wins on flats do not count.
    pub only_roads: bool,
    pub repetitions: Repetitions,
    pub table: SolverTable<'a>,
    pub histories: Histories,
    pub move_weights: &'a MoveWeights,
    pub budget: Budget<'a>,
}

impl<'a> Solver<'a> {
    pub fn new(
        only_roads: bool,
        repetitions: Repetitions,
        table: &'a Table,
        move_weights: &'a MoveWeights,
        budget: Budget<'a>,
    ) -> Self {
        let histories = Histories::default();
        Self { only_roads, repetitions, table: SolverTable::new(table), histories, move_weights, budget }
    }

    /// A search for a win of `attacker`.
    pub fn forcing<const N: usize>(&mut self, position: &Position<N>, attacker: Color) -> Forcing<'_, 'a, N> {
        Forcing {
            position: position.clone(),
            attacker,
            solver: self,
            truncated: false,
            stopped: false,
            move_stack: Vec::new(),
            move_lists: Vec::new(),
            buffer: Vec::new(),
        }
    }
}

/// The search for one attacker.
pub(super) struct Forcing<'s, 'a, const N: usize> {
    position: Position<N>,
    attacker: Color,
    solver: &'s mut Solver<'a>,
    /// A line was cut at the limit of plies, so that there may be a win with more of them.
    pub truncated: bool,
    /// A limit was reached; results are meaningless.
    pub stopped: bool,
    /// The moves that led to the node, including passes.
    move_stack: Vec<Option<Move>>,
    move_lists: Vec<Vec<Scored>>,
    buffer: Vec<Move>,
}

impl<const N: usize> Forcing<'_, '_, N> {
    /// The minimum number of plies, at most `longest`, in which threats of orders up to `order` win; `None` if they do
    /// not, or if a limit was reached.
    pub fn shortest(&mut self, order: u16, longest: u16) -> Option<u16> {
        let attacks = self.position.to_move() == self.attacker;
        self.stopped = false;
        for plies in (if attacks { 1 } else { 2 }..=longest).step_by(step(order).into()) {
            if self.wins_within(order, plies) {
                return Some(plies);
            }
            if self.stopped || !self.truncated {
                break;
            }
        }
        None
    }

    /// Returns whether threats of orders up to `order` win within `plies`. Meaningless if `stopped` is set afterwards;
    /// valid for any number of plies unless `truncated` is set.
    pub fn wins_within(&mut self, order: u16, plies: u16) -> bool {
        self.truncated = false;
        if self.position.to_move() == self.attacker { self.attack(order, plies) } else { self.defend(order, plies) }
    }

    /// The moves of a win found within `plies`: the attacker wins as soon as possible, the defender loses as late as
    /// possible. Incomplete if a limit is reached.
    pub fn line(&mut self, order: u16, plies: u16) -> Vec<Move> {
        let fewest = self.shortest(order, plies).unwrap_or(plies);
        let mut line = self.line_backwards(order, fewest);
        line.reverse();
        line
    }

    /// The same with the last move first, if there is no win in fewer plies than `left`.
    fn line_backwards(&mut self, order: u16, left: u16) -> Vec<Move> {
        if self.position.to_move() == self.attacker {
            let known = self.win_at_once().or_else(|| self.stored_moves(order, left).next());
            let mv = known.or_else(|| {
                self.wins_within(order, left);
                self.stored_moves(order, left).next()
            });
            return mv.map_or_else(Vec::new, |mv| self.line_after(mv, order, left.saturating_sub(1)));
        }
        let mut answers = Vec::new();
        self.position.generate_moves(&mut answers);
        // The stored moves have escaped from wins in fewer plies.
        let stored: Vec<Move> = self.stored_moves(order, left).collect();
        let (mut answers, others): (Vec<Move>, Vec<Move>) = answers.into_iter().partition(|mv| stored.contains(mv));
        answers.extend(others);
        // An attack may take fewer plies than its threats need: if the defender has to end the game, or is in zugzwang.
        let mut left = left;
        let mut longest = Vec::new();
        loop {
            for &mv in &answers {
                if self.loses_sooner(mv, order, left) {
                    continue;
                }
                let line = self.line_after(mv, order, left.saturating_sub(1));
                if line.len() > longest.len() {
                    longest = line;
                }
                if longest.len() == usize::from(left) {
                    return longest;
                }
            }
            if self.stopped {
                return Vec::new();
            }
            // All other moves lose within this.
            left = left.saturating_sub(step(order));
            if longest.len() >= left.into() {
                return longest;
            }
        }
    }

    /// The line that begins with `mv`, backwards.
    fn line_after(&mut self, mv: Move, order: u16, left: u16) -> Vec<Move> {
        let undo = self.position.play_unchecked(mv);
        let is_over = self.attacker_has_won().is_some();
        let mut line = if is_over { Vec::new() } else { self.line_backwards(order, left) };
        self.position.unplay(mv, undo);
        line.push(mv);
        line
    }

    /// Returns whether the defender's move `mv` loses in fewer plies than `left`.
    fn loses_sooner(&mut self, mv: Move, order: u16, left: u16) -> bool {
        let Some(plies) = left.checked_sub(1 + step(order)) else {
            return false;
        };
        let undo = self.position.play_unchecked(mv);
        let loses = self.attacker_has_won().is_some() || self.wins_within(order, plies);
        self.position.unplay(mv, undo);
        loses
    }

    /// The attacker's fastest winning move of a win found within `left` plies. `None` if a limit is reached and no move
    /// is stored.
    pub fn winning_move(&mut self, order: u16, left: u16) -> Option<Move> {
        self.win_at_once().or_else(|| {
            // If a limit is reached before the shortest win is found again, use the stored one.
            let plies = self.shortest(order, left).unwrap_or(left);
            self.stored_moves(order, plies).next()
        })
    }

    /// The stored moves of wins within `plies`, by the order of their threats.
    fn stored_moves(&self, order: u16, plies: u16) -> impl Iterator<Item = Move> {
        (0..=order.min(plies / 2))
            .chain((order == EVERY_MOVE).then_some(order))
            .map(|order| self.solver.table.get(self.key(order)))
            .filter(move |entry| (1..=plies).contains(&entry.won))
            .filter_map(|entry| entry.mv)
            .filter(|&mv| self.position.is_pseudo_legal(mv))
    }

    /// The table key of the position for this attacker and order.
    fn key(&self, order: u16) -> u64 {
        let salt = 2 * u64::from(order) + self.attacker.index() as u64 + 1;
        self.position.hash() ^ self.solver.repetitions.key() ^ spread(salt)
    }

    /// Returns whether the attacker has won, if the game is over by the rules or by repetition.
    fn attacker_has_won(&self) -> Option<bool> {
        match self.position.outcome() {
            Some(outcome) => {
                let counts = outcome.reason == EndReason::Road || !self.solver.only_roads;
                Some(counts && outcome.winner == Some(self.attacker))
            }
            None => self.solver.repetitions.contains(self.position.hash()).then_some(false),
        }
    }

    /// Returns whether the attacker, who is to move, wins within `plies` by threats of orders up to `order`; order 0 is
    /// a win with this move. `plies` is odd unless the order is [`EVERY_MOVE`].
    fn attack(&mut self, order: u16, plies: u16) -> bool {
        if plies == 0 {
            self.truncated = true;
            return false;
        }
        if !self.solver.budget.visit() {
            self.stopped = true;
            return false;
        }
        if self.win_at_once().is_some() {
            return true;
        }
        if plies == 1 || order == 0 {
            self.truncated |= order > 0;
            let may_end =
                self.is_last_turn() || (order == EVERY_MOVE && (self.may_fill() || self.position.is_opening()));
            return may_end && self.attack_with(0, 1, None);
        }
        let evasions = ExactEvasions::exact(&mut self.position, !self.attacker);
        if order == EVERY_MOVE {
            return self.attack_with(order, plies, evasions);
        }
        // A threat of a higher order needs more plies.
        let most = (plies - 1) / 2;
        self.truncated |= order > most;
        // Threats of lower orders are fewer, and win against most defences.
        (1..=order.min(most)).any(|order| self.attack_with(order, plies, evasions))
    }

    /// The same for one order, after lower ones have failed; only `evasions` are searched.
    fn attack_with(&mut self, order: u16, plies: u16, evasions: Option<ExactEvasions>) -> bool {
        if self.stopped {
            return false;
        }
        let key = self.key(order);
        let known = self.solver.table.get(key);
        if let Some(won) = self.recall(known, plies) {
            return won;
        }
        let before = self.solver.budget.nodes;
        let truncated = std::mem::take(&mut self.truncated);
        let only_taks = order == 1 && !self.is_last_turn() && !self.ends_soon();
        let allowed = Allowed {
            evasions,
            taks: (only_taks && !self.position.is_opening()).then(|| self.position.tak_placements(self.attacker)),
            only_pieces: !self.position.tall().intersects(self.position.owned(self.attacker)),
            stops_end: false,
        };
        let found = self.first_good(known.mv, allowed, plies, |search| match search.attacker_has_won() {
            Some(won) => won,
            None => order > 0 && search.defend(order, plies - 1),
        });
        if self.stopped {
            return false;
        }
        let entry = match found {
            Some(_) => ProofEntry { won: plies, mv: found, ..known },
            None => ProofEntry { safe: if self.truncated { plies } else { ANY_PLIES }, ..known },
        };
        self.truncated |= truncated;
        self.solver.table.set(key, self.solver.budget.nodes - before, entry);
        found.is_some()
    }

    /// Returns whether the defender, who is to move, loses within `plies` after every move. `plies` is even unless the
    /// order is [`EVERY_MOVE`].
    fn defend(&mut self, order: u16, plies: u16) -> bool {
        if !self.solver.budget.visit() {
            self.stopped = true;
            return false;
        }
        let threat = ExactEvasions::exact(&mut self.position, self.attacker);
        let quiet = threat.is_none();
        // Most attacker moves are rejected here: only taks are fast enough or allowed.
        let in_time = match order {
            1 => false,
            EVERY_MOVE => plies > 2 || self.must_harm_itself() || self.may_fill(),
            _ => plies > 2,
        };
        if quiet && !self.ends_soon() && !in_time {
            self.truncated |= order > 1;
            return false;
        }
        if self.position.winning_move(!self.attacker).is_some() {
            return false;
        }
        let key = self.key(order);
        let known = self.solver.table.get(key);
        if let Some(won) = self.recall(known, plies) {
            return won;
        }
        let before = self.solver.budget.nodes;
        let truncated = std::mem::take(&mut self.truncated);
        let threatens = order == EVERY_MOVE || !quiet || self.wins_after_pass(order, plies);
        if self.stopped {
            return false;
        }
        let mut escape = None;
        if threatens {
            // If a spread may reach a drawn position, any spread may be an evasion. The attacker also needs a turn to
            // execute the threat.
            let in_turn = plies > 1;
            let allowed = Allowed {
                evasions: threat.filter(|_| in_turn && self.solver.repetitions.is_empty()),
                stops_end: in_turn && !self.solver.only_roads && self.position.reserve(self.attacker).total() == 1,
                ..Allowed::default()
            };
            escape = self.first_good(known.mv, allowed, plies, |search| match search.attacker_has_won() {
                Some(lost) => !lost,
                None => !search.attack(order, plies - 1),
            });
            if self.stopped {
                return false;
            }
        }
        let lost = threatens && escape.is_none();
        let entry = if lost {
            ProofEntry { won: plies, ..known }
        } else {
            ProofEntry { safe: if self.truncated { plies } else { ANY_PLIES }, mv: escape.or(known.mv), ..known }
        };
        self.truncated |= truncated;
        self.solver.table.set(key, self.solver.budget.nodes - before, entry);
        lost
    }

    /// Returns whether the attacker wins within `plies`, if the `known` entry decides it.
    fn recall(&mut self, known: ProofEntry, plies: u16) -> Option<bool> {
        if known.won > 0 && known.won <= plies {
            return Some(true);
        }
        if known.safe >= plies {
            self.truncated |= known.safe < ANY_PLIES;
            return Some(false);
        }
        None
    }

    /// A move that wins for the attacker at once, if one is found quickly.
    fn win_at_once(&self) -> Option<Move> {
        let on_flats = || self.position.winning_end().filter(|_| !self.solver.only_roads);
        on_flats().or_else(|| self.position.winning_move(self.attacker))
    }

    /// Returns whether the attacker, who is to move, may win on flats by ending the game.
    fn is_last_turn(&self) -> bool {
        !self.solver.only_roads && self.position.is_last_turn()
    }

    /// Returns whether the attacker may threaten to end the game on flats with the next move but one. The limits are
    /// exact: this move, the reply and the next move fill three squares or place two pieces of the attacker.
    fn ends_soon(&self) -> bool {
        let few = self.position.reserve(self.attacker).total() <= 2 || self.position.empty().count() <= 3;
        few && !self.solver.only_roads
    }

    /// Returns whether the defender may be in zugzwang. A placement that does not end the game is always a safe move.
    fn must_harm_itself(&self) -> bool {
        self.position.is_opening() || self.position.reserve(!self.attacker).total() < 2
    }

    /// Returns whether a spread, now or next turn, may fill the board and end the game on flats.
    fn may_fill(&self) -> bool {
        self.position.empty().count() as usize <= N
    }

    /// Returns whether the attacker wins by threats of a lower order if the defender passes.
    fn wins_after_pass(&mut self, order: u16, plies: u16) -> bool {
        self.position.pass_turn();
        self.move_stack.push(None);
        let won = self.attack(order - 1, plies - 1);
        self.move_stack.pop();
        self.position.pass_turn();
        won
    }

    /// The first allowed move, in move order, after which `is_good` holds.
    fn first_good(
        &mut self,
        stored: Option<Move>,
        allowed: Allowed,
        plies: u16,
        mut is_good: impl FnMut(&mut Self) -> bool,
    ) -> Option<Move> {
        let ply = self.move_stack.len();
        let mover = self.position.to_move();
        let mut earlier = self.move_stack.iter().rev().copied();
        let last = earlier.next().flatten();
        let hints = Hints {
            table: stored,
            killers: self.solver.histories.killers(ply),
            counter: self.solver.histories.counter(mover, last),
            earlier: Earlier { last, own: earlier.next().flatten() },
        };
        let mut attempt = |search: &mut Self, mv: Move| {
            let undo = search.position.play_unchecked(mv);
            search.move_stack.push(Some(mv));
            let good = is_good(search);
            search.move_stack.pop();
            search.position.unplay(mv, undo);
            good && !search.stopped
        };
        // Try the stored move first: it often works again and saves move generation.
        let first = [hints.table, hints.killers[0], hints.killers[1], hints.counter];
        for (index, &mv) in first.iter().enumerate() {
            if let Some(mv) = mv
                && !first[..index].contains(&Some(mv))
                && self.position.is_pseudo_legal(mv)
                && self.allows(allowed, mv)
                && attempt(self, mv)
            {
                return Some(mv);
            }
        }
        if self.stopped {
            return None;
        }
        let mut moves = std::mem::take(&mut self.buffer);
        moves.clear();
        if allowed.taks.is_some() {
            self.position.placements(&mut moves);
            self.position.tak_spreads(&mut moves);
        } else {
            self.position.generate_moves(&mut moves);
        }
        moves.retain(|&mv| !first.contains(&Some(mv)) && self.allows(allowed, mv));
        if self.move_lists.len() <= ply {
            self.move_lists.resize_with(ply + 1, Vec::new);
        }
        let mut list = std::mem::take(&mut self.move_lists[ply]);
        list.clear();
        if !moves.is_empty() {
            let context = MoveContext::new(&self.position, &self.position.ways(), last.map(Move::target));
            let moves = moves.iter().copied();
            let scorer = MoveScorer::new(&self.position, &context, self.solver.move_weights);
            Ordering { scorer, histories: &self.solver.histories, hints: &hints }.fill(moves, &mut list);
        }
        self.buffer = moves;
        let mut found = None;
        let mut index = 0;
        while let Some(mv) = pick(&mut list, index).filter(|_| !self.stopped) {
            index += 1;
            if attempt(self, mv) {
                let tried = list[..index - 1].iter().map(|scored| scored.mv);
                let cutoff = Cutoff { color: mover, earlier: hints.earlier, depth: plies.into(), ply };
                self.solver.histories.reward(&cutoff, mv, tried);
                found = Some(mv);
                break;
            }
        }
        self.move_lists[ply] = list;
        found
    }

    /// Returns whether `mv`, a legal move, is allowed.
    fn allows(&mut self, allowed: Allowed, mv: Move) -> bool {
        if allowed.evasions.is_some_and(|evasions| !evasions.allow(mv)) {
            return false;
        }
        if allowed.stops_end {
            let undo = self.position.play_unchecked(mv);
            let stops = self.attacker_has_won().is_some() || self.position.winning_end().is_none();
            self.position.unplay(mv, undo);
            return stops;
        }
        let Some(taks) = allowed.taks else {
            return true;
        };
        match mv.kind() {
            MoveKind::Place(PieceKind::Wall) => false,
            MoveKind::Place(_) if taks.contains(mv.square()) => true,
            // On other squares a placement is a tak only if it lets a stack of the attacker complete a road by a
            // spread.
            MoveKind::Place(_) if allowed.only_pieces => false,
            _ => {
                let undo = self.position.play_unchecked(mv);
                let is_tak = self.position.winning_move(self.attacker).is_some();
                self.position.unplay(mv, undo);
                is_tak
            }
        }
    }
}

/// The moves to search.
#[derive(Debug, Clone, Copy, Default)]
struct Allowed {
    /// Only evasions of a threat.
    evasions: Option<ExactEvasions>,
    /// Only taks; these are the squares where a placement is one.
    taks: Option<Bitboard>,
    /// The attacker has no stack.
    only_pieces: bool,
    /// Only moves after which the attacker's last placement does not win on flats. Most moves near the end do not
    /// prevent that, and checking is cheaper than scoring them.
    stops_end: bool,
}
