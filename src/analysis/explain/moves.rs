//! What a move does, by the rules alone.

use super::board::{groups_beside, half_lead, is_unstoppable, missing_squares, roads_in_one, stops};
use super::fact::{Fact, Stop};
use crate::board::{AnyPosition, Color, EndReason, Move, MoveKind, PieceKind, Square};

/// A position before and after a move of a player.
struct Step<'a> {
    before: &'a AnyPosition,
    after: AnyPosition,
    mover: Color,
    mv: Move,
}

/// All facts about a legal move. None in the first turns, in which a player places a piece of the opponent's.
pub fn facts(before: &AnyPosition, mv: Move) -> Vec<Fact> {
    let mut after = before.clone();
    if before.ply() < 2 || after.play(mv).is_err() {
        return Vec::new();
    }
    let step = Step { before, after, mover: before.to_move(), mv };
    if let Some(outcome) = step.after.outcome() {
        let is_own_road = outcome.reason == EndReason::Road && outcome.winner == Some(step.mover);
        let lead = half_lead(&step.after);
        return match outcome.reason {
            EndReason::Road if is_own_road => vec![Fact::Road { mv, squares: step.after.winning_road() }],
            EndReason::Road => Vec::new(),
            _ => vec![Fact::Flats { mv, half_lead: if step.mover == Color::White { lead } else { -lead } }],
        };
    }
    let left = roads_in_one(&step.after, !step.mover);
    if !left.is_empty() {
        return vec![Fact::Leaves { mv, roads: left }];
    }
    let mut facts = Vec::new();
    facts.extend(step.stops());
    let threat = step.threatens();
    let (is_stop, is_threat) = (!facts.is_empty(), threat.is_some());
    facts.extend(threat);
    facts.extend(step.flattens());
    facts.extend(step.covers());
    facts.extend(step.joins().filter(|_| !is_threat));
    let roads = [step.cuts().filter(|_| !is_stop), step.nears().filter(|_| !is_threat)];
    // The race says the same about both players.
    let is_race = !is_threat && !is_stop && roads.iter().all(Option::is_none);
    facts.extend(roads.into_iter().flatten());
    facts.extend(step.race().filter(|_| is_race));
    facts
}

impl Step<'_> {
    fn stops(&self) -> Option<Fact> {
        let roads = roads_in_one(self.before, !self.mover);
        if roads.is_empty() {
            return None;
        }
        let stops = stops(self.before);
        let is_placement = |mv: &Move| !mv.is_spread() && mv.square() == self.mv.square();
        let stop = match *stops {
            [_] => Stop::Move,
            _ if !self.mv.is_spread() && stops.iter().all(is_placement) => Stop::Square(self.mv.square()),
            _ => Stop::Any,
        };
        Some(Fact::Stops { mv: self.mv, roads, stop })
    }

    fn threatens(&self) -> Option<Fact> {
        let roads = roads_in_one(&self.after, self.mover);
        if roads.is_empty() {
            return None;
        }
        let mv = self.mv;
        let is_sure = is_unstoppable(&self.after);
        Some(if is_sure { Fact::Unstoppable { mv, roads } } else { Fact::Threatens { mv, roads } })
    }

    fn flattens(&self) -> Option<Fact> {
        let square = self.mv.target();
        let was_wall = matches!(self.before.top(square), Some((_, PieceKind::Wall)));
        (self.mv.is_spread() && was_wall).then_some(Fact::Flattens { square })
    }

    fn covers(&self) -> Option<Fact> {
        let enemy_flat = Some((!self.mover, PieceKind::Flat));
        let is_covered =
            |&square: &Square| self.before.top(square) == enemy_flat && self.after.top(square) != enemy_flat;
        let flats = self.mv.covered().into_iter().filter(is_covered).count();
        let then = [self.mover, !self.mover].map(|color| self.after.flat_count(color));
        (flats > 0).then_some(Fact::Covers { mv: self.mv, flats: flats as u32, then })
    }

    fn cuts(&self) -> Option<Fact> {
        let before = missing_squares(self.before, !self.mover)?.len();
        let then = missing_squares(&self.after, !self.mover).map(|squares| squares.len());
        // Far roads do not matter yet.
        let is_near = before < self.before.size().width() - 1;
        (is_near && then.is_none_or(|then| then > before)).then_some(Fact::Cuts { mv: self.mv, before, then })
    }

    fn joins(&self) -> Option<Fact> {
        let is_single = match self.mv.kind() {
            MoveKind::Place(kind) => kind != PieceKind::Wall,
            MoveKind::Spread(..) => false,
        };
        let groups = groups_beside(self.before, self.mover, self.mv.square());
        (is_single && groups > 1).then_some(Fact::Joins { mv: self.mv, groups })
    }

    fn nears(&self) -> Option<Fact> {
        let before = missing_squares(self.before, self.mover).map_or(usize::MAX, |squares| squares.len());
        let then = missing_squares(&self.after, self.mover)?;
        // Far roads do not matter yet.
        let is_near = then.len() < before && before < self.before.size().width() - 1;
        (is_near && self.has_pieces(self.mover, then.len())).then_some(Fact::Nears { mv: self.mv, before, then })
    }

    fn race(&self) -> Option<Fact> {
        let missing = |color| missing_squares(&self.after, color).map(|squares| squares.len());
        let (own, enemy) = (missing(self.mover)?, missing(!self.mover)?);
        let can_fill = self.has_pieces(self.mover, own) && self.has_pieces(!self.mover, enemy);
        can_fill.then_some(Fact::Race { mv: self.mv, needs: [own, enemy] })
    }

    /// Returns whether a player has pieces in reserve for so many squares.
    fn has_pieces(&self, color: Color, squares: usize) -> bool {
        let reserve = self.after.reserves()[color];
        usize::from(reserve.stones) + usize::from(reserve.caps) >= squares
    }
}
