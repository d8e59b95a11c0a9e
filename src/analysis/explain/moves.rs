//! What a move does, by the rules alone.

use super::board::{
    can_join, filled, groups_beside, half_lead, is_unstoppable, missing_squares, neighbours, roads_in_one, squares,
    stops,
};
use super::fact::{Fact, Stack, Stop};
use super::stacks;
use crate::board::{AnyPosition, Color, EndReason, Move, MoveKind, OpeningRule, PieceKind, Square};

/// A position before and after a move of a player.
struct Step<'a> {
    before: &'a AnyPosition,
    after: AnyPosition,
    mover: Color,
    mv: Move,
}

/// All facts about a legal move.
pub fn facts(before: &AnyPosition, mv: Move) -> Vec<Fact> {
    let Some(step) = Step::new(before, mv) else { return Vec::new() };
    if before.ply() < 2 {
        // Without a swap the flat is the player's own, and a position that was set up may have others.
        let is_usual =
            before.opening() != OpeningRule::NoSwap && before.to_setup().stacks.len() == before.ply() as usize;
        let is_double = before.opening() == OpeningRule::DoubleBlack && before.to_move() == Color::White;
        let first = Fact::First { mv, place: place(before, mv.square()), is_double };
        return is_usual.then_some(first).into_iter().collect();
    }
    let mut facts: Vec<Fact> = step.flattens().into_iter().collect();
    if let Some(outcome) = step.after.outcome() {
        let lead = half_lead(&step.after);
        facts.push(match (outcome.reason, outcome.winner) {
            (EndReason::Road, Some(owner)) => Fact::Road { mv, owner, squares: step.after.winning_road() },
            _ => Fact::Flats { mv, half_lead: if step.mover == Color::White { lead } else { -lead } },
        });
        return facts;
    }
    let left = roads_in_one(&step.after, !step.mover);
    if !left.is_empty() {
        facts.push(Fact::Leaves { mv, roads: left });
        return facts;
    }
    let (stop, threat) = (step.stops(), step.threatens());
    let (is_stop, is_threat) = (stop.is_some(), threat.is_some());
    facts.extend(stop.into_iter().chain(threat));
    facts.extend([step.captures(), step.covers(), step.fills(), step.capstone(), step.hard()].into_iter().flatten());
    facts.extend(stacks::facts(before, mv, &step.after));
    facts.extend(step.joins().filter(|_| !is_threat));
    facts.extend(step.separates().filter(|_| !is_stop));
    let roads = [step.cuts().filter(|_| !is_stop), step.nears().filter(|_| !is_threat)];
    // The race says the same about both players.
    let is_race = !is_threat && !is_stop && roads.iter().all(Option::is_none);
    facts.extend(roads.into_iter().flatten());
    facts.extend(step.race().filter(|_| is_race));
    facts
}

/// The fact about a legal move of the kind of another one, which is an effect; `None` if the move ends the game or lets
/// the opponent complete a road.
pub fn effect_like(before: &AnyPosition, mv: Move, like: &Fact) -> Option<Fact> {
    let step = Step::new(before, mv)?;
    if before.ply() < 2 || step.after.outcome().is_some() {
        return None;
    }
    let found = match like {
        Fact::Unstoppable { .. } | Fact::Threatens { .. } => step.threatens(),
        Fact::Flattens { .. } => step.flattens(),
        Fact::Captures { .. } => step.captures(),
        Fact::Covers { .. } => step.covers(),
        _ => None,
    };
    found.filter(|_| step.after.winning_move(!step.mover).is_none())
}

/// The part of the board in which a first turn places a flat.
fn place(before: &AnyPosition, square: Square) -> &'static str {
    let last = before.size().width() - 1;
    let is_edge = |along: usize| along == 0 || along == last;
    let is_corner = |square: Square| is_edge(square.column()) && is_edge(square.row());
    let other = squares(before.size()).find(|&other| before.top(other).is_some() && is_corner(other));
    match (is_corner(square), other) {
        (true, None) => "in a corner",
        (true, Some(other)) if other.row() != square.row() && other.column() != square.column() => {
            "in the opposite corner"
        }
        (true, Some(_)) => "in an adjacent corner",
        _ if is_edge(square.column()) || is_edge(square.row()) => "on the edge",
        _ => "away from the edge",
    }
}

impl<'a> Step<'a> {
    fn new(before: &'a AnyPosition, mv: Move) -> Option<Self> {
        let mut after = before.clone();
        after.play(mv).ok()?;
        Some(Self { before, after, mover: before.to_move(), mv })
    }

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
        (self.mv.is_spread() && was_wall).then_some(Fact::Flattens { mv: self.mv, square })
    }

    /// The highest stack that changes hands.
    fn captures(&self) -> Option<Fact> {
        let owner = |position: &AnyPosition, square| position.top(square).map(|(owner, _)| owner);
        let is_taken = |square: &Square| {
            owner(self.before, *square) == Some(!self.mover) && owner(&self.after, *square) == Some(self.mover)
        };
        let square = self.mv.covered().into_iter().filter(is_taken).max_by_key(|&square| self.before.height(square))?;
        let height = self.before.height(square);
        (height >= Stack::MIN_HEIGHT).then_some(Fact::Captures { mv: self.mv, square, height })
    }

    fn covers(&self) -> Option<Fact> {
        let enemy_flat = Some((!self.mover, PieceKind::Flat));
        let is_covered =
            |&square: &Square| self.before.top(square) == enemy_flat && self.after.top(square) != enemy_flat;
        let flats = self.mv.covered().into_iter().filter(is_covered).count() as u32;
        let then = [self.mover, !self.mover].map(|color| self.after.flat_count(color));
        let own = if self.mv.is_spread() { then[0].saturating_sub(self.before.flat_count(self.mover)) } else { 0 };
        (flats + own > 0).then_some(Fact::Covers { mv: self.mv, flats, own, then })
    }

    /// Who is ahead when the board is full, if that is near.
    fn fills(&self) -> Option<Fact> {
        let (last, lead) = filled(&self.after)?;
        Some(Fact::Fills { mv: self.mv, last, half_lead: if self.mover == Color::White { lead } else { -lead } })
    }

    fn capstone(&self) -> Option<Fact> {
        let (size, square) = (self.before.size(), self.mv.square());
        let is_enemy = |&at: &Square| self.before.top(at).is_some_and(|(owner, _)| owner != self.mover);
        let beside = neighbours(square, size).filter(is_enemy).count();
        let from_centre = |along: usize| (2 * along).abs_diff(size.width() - 1);
        let distance = from_centre(square.column()).max(from_centre(square.row()));
        let is_placed = self.mv.kind() == MoveKind::Place(PieceKind::Cap);
        (is_placed && (beside > 1 || distance <= 2)).then_some(Fact::Capstone {
            mv: self.mv,
            beside,
            is_central: distance <= 1,
        })
    }

    fn hard(&self) -> Option<Fact> {
        let square = self.mv.target();
        let is_hard = self.mv.is_spread()
            && self.after.top(square) == Some((self.mover, PieceKind::Cap))
            && self.before.top(square) == Some((self.mover, PieceKind::Flat))
            && self.after.color_at(square, 1) == self.mover;
        is_hard.then_some(Fact::Hard { mv: self.mv })
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
        let groups = groups_beside(self.before, self.mover, self.mv.square()).len();
        (is_single && groups > 1).then_some(Fact::Joins { mv: self.mv, groups })
    }

    fn separates(&self) -> Option<Fact> {
        let groups = groups_beside(self.before, !self.mover, self.mv.square());
        let is_sure = groups.len() > 1 && !self.mv.is_spread() && !can_join(&self.after, &groups);
        is_sure.then_some(Fact::Separates { mv: self.mv, groups: groups.len() })
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
