//! Why a move is worse than another one. No fact that holds for the better move as well is named.

use super::board::{filled, flat_lead, missing_squares};
use super::fact::Fact;
use super::lines::quiet_ends;
use super::moves;
use crate::board::{AnyPosition, Color, Move, MoveKind, PieceKind};
use crate::search::{Line, Solved};

/// Plies of a line in which later moves are named.
const MAX_PLAN_PLIES: usize = 8;

/// The facts about `played`, after which `after` is the best line, and about the move that `better` begins with.
pub fn facts(position: &AnyPosition, played: Move, after: &Line, better: &Line) -> Vec<Fact> {
    let Some(&best) = better.pv.first().filter(|&&best| best != played) else { return Vec::new() };
    let (of_played, of_best) = (moves::facts(position, played), moves::facts(position, best));
    let mut facts = losses(played, after, &of_played);
    // Then the better move has the same fault.
    if of_best.iter().any(|fact| matches!(fact, Fact::Leaves { .. })) {
        facts.clear();
    }
    facts.extend(wins(best, better, &of_best));
    facts.extend(of_best.iter().filter(|fact| is_decisive(fact) && is_told(fact, &of_played)).cloned());
    // What decides the game is enough.
    if facts.is_empty() {
        let pair = Pair { position, mover: position.to_move(), played, best };
        facts = pair.facts(&of_played, &of_best, after, better);
    }
    facts
}

fn is_decisive(fact: &Fact) -> bool {
    matches!(fact, Fact::Road { .. } | Fact::Flats { .. } | Fact::Unstoppable { .. })
}

/// What the move played allows.
fn losses(played: Move, after: &Line, of_played: &[Fact]) -> Vec<Fact> {
    let is_loss = |fact: &&Fact| match fact {
        Fact::Leaves { .. } | Fact::Road { .. } => true,
        Fact::Flats { half_lead, .. } => *half_lead <= 0,
        _ => false,
    };
    match (of_played.iter().find(is_loss), after.solved) {
        (Some(loss), _) => vec![loss.clone()],
        (None, Some(Solved::Win(plies))) if plies > 1 => {
            vec![Fact::Loses { mv: played, moves: plies.div_ceil(2), first: after.pv.first().copied() }]
        }
        _ => Vec::new(),
    }
}

/// What the better move would have won by force.
fn wins(best: Move, better: &Line, of_best: &[Fact]) -> Option<Fact> {
    match better.solved {
        Some(Solved::Win(plies)) if !of_best.iter().any(is_decisive) => {
            Some(Fact::Wins { mv: best, moves: plies.div_ceil(2) })
        }
        _ => None,
    }
}

/// Returns whether a fact about a move says something that does not hold for another one.
fn is_told(fact: &Fact, of_other: &[Fact]) -> bool {
    let same = of_other.iter().find(|other| other.kind() == fact.kind());
    match (fact, same) {
        (Fact::Covers { flats, own, .. }, Some(Fact::Covers { flats: covered, own: added, .. })) => {
            flats + own > covered + added
        }
        (Fact::Flats { half_lead, .. }, Some(Fact::Flats { half_lead: other, .. })) => half_lead > other,
        (Fact::Threatens { roads, .. }, Some(Fact::Threatens { roads: others, .. })) => {
            !roads.iter().any(|road| others.contains(road))
        }
        // Two moves are compared in these.
        (Fact::Nears { .. } | Fact::Race { .. } | Fact::Leaves { .. } | Fact::Fills { .. } | Fact::First { .. }, _) => {
            false
        }
        (_, None) => true,
        _ => false,
    }
}

/// A move and a better one.
struct Pair<'a> {
    position: &'a AnyPosition,
    mover: Color,
    played: Move,
    best: Move,
}

impl Pair<'_> {
    /// The facts if neither move decides the game: the weak ones only if there are no others.
    fn facts(&self, of_played: &[Fact], of_best: &[Fact], after: &Line, better: &Line) -> Vec<Fact> {
        let mut facts: Vec<Fact> = self.answer(after).into_iter().collect();
        facts.extend(of_best.iter().filter(|fact| is_told(fact, of_played)).cloned());
        facts.extend(self.filled());
        let line: Vec<Move> = [self.played].into_iter().chain(after.pv.iter().copied()).collect();
        let lines = [&*line, &better.pv];
        let is_open = after.solved.or(better.solved).is_none();
        if is_open {
            facts.extend(self.plans(lines, true));
            facts.extend(self.at_ends(lines));
        }
        facts.extend(Color::ALL.into_iter().filter_map(|player| self.needs(player)));
        self.drop_repeated(&mut facts);
        let is_wall = |mv: Move| mv.kind() == MoveKind::Place(PieceKind::Wall);
        let stops = of_played.iter().any(|fact| matches!(fact, Fact::Stops { .. } | Fact::Cuts { .. }));
        if is_wall(self.played) && !is_wall(self.best) && !stops {
            facts.push(Fact::Wall { mv: self.played });
        }
        if facts.iter().any(|fact| !self.is_weak(fact)) {
            facts.retain(|fact| !self.is_weak(fact));
        } else if is_open {
            facts.extend(self.plans(lines, false));
        }
        facts.extend(after.pv.first().map(|&reply| Fact::Expects { mv: self.played, reply }));
        facts
    }

    /// Returns whether a fact rarely is why a move is better.
    fn is_weak(&self, fact: &Fact) -> bool {
        let is_far = |squares: usize| squares > self.position.size().width() / 2;
        match fact {
            Fact::Joins { .. } | Fact::Hard { .. } | Fact::Capstone { .. } | Fact::Wall { .. } => true,
            Fact::Cuts { before, .. } => is_far(*before),
            Fact::Needs { after, .. } | Fact::EndNeeds { after, .. } => is_far(after[0].1.min(after[1].1)),
            Fact::Leads { after: [(_, one), (_, other)] } => other - one < 2,
            _ => false,
        }
    }

    fn after(&self, mv: Move) -> Option<AnyPosition> {
        let mut position = self.position.clone();
        position.play(mv).ok()?;
        position.outcome().is_none().then_some(position)
    }

    /// An effect that the opponent's answer has only after the worse move.
    fn answer(&self, after: &Line) -> Option<Fact> {
        let reply = *after.pv.first()?;
        let of_other = self.after(self.best).map_or_else(Vec::new, |position| moves::facts(&position, reply));
        let effect = strongest_effect(&self.after(self.played)?, reply, &of_other)?;
        Some(Fact::Answer { mv: self.played, reply, effect: Box::new(effect) })
    }

    /// The lead when flats fill the rest of the board.
    fn filled(&self) -> Option<Fact> {
        let lead = |mv: Move| {
            let (_, lead) = filled(&self.after(mv)?)?;
            Some((mv, if self.mover == Color::White { lead } else { -lead }))
        };
        let after = [lead(self.played)?, lead(self.best)?];
        (after[1].1 > after[0].1).then_some(Fact::Filled { after })
    }

    /// Later moves of the opponent after the move played, and of the player after the better one, with effects that no
    /// move of the other line has. If `is_strict`, other threats of a road there are as good.
    fn plans(&self, [shown, better]: [&[Move]; 2], is_strict: bool) -> Option<Fact> {
        let effects = |line: &[Move], player: Color, from: usize| {
            let mut position = self.position.clone();
            let mut found = Vec::new();
            for (index, &mv) in line.iter().enumerate().take(MAX_PLAN_PLIES) {
                // A move that comes twice would be ambiguous.
                if index >= from && position.to_move() == player && !line[..index].contains(&mv) {
                    found.extend(strongest_effect(&position, mv, &[]).map(|effect| (mv, effect)));
                }
                if position.play(mv).is_err() {
                    break;
                }
            }
            found
        };
        let plan = |mv: Move, player: Color, line: &[Move], other: &[Move]| {
            let others: Vec<Fact> = effects(other, player, 0).into_iter().map(|(_, fact)| fact).collect();
            let is_large = |fact: &Fact| match fact {
                Fact::Covers { flats, own, .. } => flats + own > 1,
                Fact::Cuts { .. } => false,
                _ => true,
            };
            let mut found = effects(line, player, 2).into_iter();
            let threats = |fact: &Fact| if matches!(fact, Fact::Threatens { .. }) { fact.squares().len() } else { 0 };
            let repeated = if is_strict { others.iter().map(threats).max().unwrap_or(0) } else { 0 };
            let is_repeated = |effect: &Fact| (1..=repeated).contains(&threats(effect));
            let (later, effect) =
                found.find(|(_, effect)| is_large(effect) && is_told(effect, &others) && !is_repeated(effect))?;
            Some(Fact::Plan { mv, player, later, effect: Box::new(effect) })
        };
        // A threat of the better move says enough about it.
        let of_best = strongest_effect(self.position, self.best, &[]);
        let is_quiet = !matches!(of_best, Some(Fact::Threatens { .. }));
        let of_played = plan(self.played, !self.mover, shown, better);
        of_played.or_else(|| plan(self.best, self.mover, better, shown).filter(|_| is_quiet))
    }

    /// Leaves one fact about the squares that a player needs, and none if a threat or a block says it.
    fn drop_repeated(&self, facts: &mut Vec<Fact>) {
        let threatens = facts.iter().any(|fact| matches!(fact, Fact::Threatens { .. }));
        let cuts = facts.iter().any(|fact| matches!(fact, Fact::Cuts { .. }));
        let is_end = facts.iter().any(|fact| matches!(fact, Fact::EndNeeds { .. }));
        facts.retain(|fact| match fact {
            Fact::EndNeeds { player, .. } => !cuts || *player == self.mover,
            Fact::Needs { player, .. } => !is_end && !if *player == self.mover { threatens } else { cuts },
            _ => true,
        });
    }

    /// The flats at the quiet ends of both lines, and the squares that the players need for a road there.
    fn at_ends(&self, lines: [&[Move]; 2]) -> Vec<Fact> {
        let Some([shown, other]) = quiet_ends(self.position, lines) else { return Vec::new() };
        let lead = |end| if self.mover == Color::White { flat_lead(end) } else { -flat_lead(end) };
        let leads = [(self.played, lead(&shown)), (self.best, lead(&other))];
        let mut facts = Vec::new();
        if leads[1].1 > leads[0].1 {
            facts.push(Fact::Leads { after: leads });
        }
        let squares = |end: &AnyPosition, player| missing_squares(end, player).map(|squares| squares.len());
        let needs = |player| {
            let after = [(self.best, squares(&other, player)?), (self.played, squares(&shown, player)?)];
            self.is_reason(player, after).then_some(Fact::EndNeeds { player, after })
        };
        facts.extend([!self.mover, self.mover].into_iter().find_map(needs));
        facts
    }

    /// The squares that a player needs for a road after either move, if that speaks for the better one.
    fn needs(&self, player: Color) -> Option<Fact> {
        let after = |mv: Move| Some((mv, missing_squares(&self.after(mv)?, player)?.len()));
        let after = [after(self.best)?, after(self.played)?];
        (self.position.ply() > 1 && self.is_reason(player, after)).then_some(Fact::Needs { player, after })
    }

    /// Returns whether these squares, first after the better move, speak for it.
    fn is_reason(&self, player: Color, [(_, best), (_, played)]: [(Move, usize); 2]) -> bool {
        let is_better = if player == self.mover { best < played } else { best > played };
        is_better && best.min(played) < self.position.size().width() - 1
    }
}

/// The strongest effect of a move that is not among others.
pub fn strongest_effect(position: &AnyPosition, mv: Move, others: &[Fact]) -> Option<Fact> {
    let is_effect = |fact: &Fact| match fact {
        Fact::Unstoppable { .. }
        | Fact::Threatens { .. }
        | Fact::Flattens { .. }
        | Fact::Captures { .. }
        | Fact::Covers { .. } => true,
        Fact::Cuts { before, .. } => *before <= position.size().width() / 2,
        _ => false,
    };
    let facts = moves::facts(position, mv).into_iter();
    facts.filter(|fact| is_effect(fact) && is_told(fact, others)).min_by_key(Fact::rank)
}
