//! Why a move is worse than another one. No fact that holds for the better move as well is named.

use super::board::{filled, flat_lead, missing_squares, with_turn};
use super::effect::{does_as_much, effect, is_possible};
use super::fact::Fact;
use super::lines::quiet_ends;
use super::moves;
use crate::board::{AnyPosition, Color, Move, MoveKind};
use crate::search::{Line, Solved};

/// Plies of a line in which later moves are looked at.
const MAX_PLAN_PLIES: usize = 8;

/// The most moves of a line that come before the move that a sentence is about.
const MAX_PATH: usize = 3;

/// A lead in flats that is worth telling, since a placement adds one.
const MIN_LEAD: i32 = 2;

/// The facts about `played`, after which `after` is the best line, and about the move that `better` begins with: those
/// that are a reason, then weaker ones, for which there is room only if no sentence can be made of the first.
pub fn facts(position: &AnyPosition, played: Move, after: &Line, better: &Line) -> Vec<Vec<Fact>> {
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
    if !facts.is_empty() {
        return vec![facts];
    }
    let is_open = after.solved.or(better.solved).is_none();
    let pair = Pair::new(position, [played, best], [&after.pv, &better.pv]);
    pair.map_or_else(Vec::new, |pair| pair.facts(&of_played, &of_best, is_open))
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
    match fact {
        Fact::Flats { half_lead, .. } => {
            !of_other.iter().any(|other| matches!(other, Fact::Flats { half_lead: lead, .. } if lead >= half_lead))
        }
        // Two moves are compared in these.
        Fact::Covers { .. }
        | Fact::Cuts { .. }
        | Fact::Nears { .. }
        | Fact::Race { .. }
        | Fact::Leaves { .. }
        | Fact::Fills { .. }
        | Fact::First { .. } => false,
        _ => !of_other.iter().any(|other| does_as_much(other, fact)),
    }
}

/// A move and a better one, with the positions after them, in which the game goes on, and the lines from there.
struct Pair<'a> {
    mover: Color,
    size: usize,
    before: &'a AnyPosition,
    moves: [Move; 2],
    after: [AnyPosition; 2],
    lines: [&'a [Move]; 2],
}

impl<'a> Pair<'a> {
    /// `after` is a line from the position after the first move, `better` one from `before` that begins with the second.
    fn new(before: &'a AnyPosition, moves: [Move; 2], [after, better]: [&'a [Move]; 2]) -> Option<Self> {
        let play = |mv: Move| {
            let mut position = before.clone();
            position.play(mv).ok()?;
            position.outcome().is_none().then_some(position)
        };
        Some(Self {
            mover: before.to_move(),
            size: before.size().width(),
            before,
            moves,
            after: [play(moves[0])?, play(moves[1])?],
            lines: [after, &better[1..]],
        })
    }

    /// The facts if neither move decides the game, in the order of [`facts`]. What the lines say only if `is_open`: no
    /// result is proven.
    fn facts(&self, of_played: &[Fact], of_best: &[Fact], is_open: bool) -> Vec<Vec<Fact>> {
        let of_best: Vec<Fact> = of_best.iter().filter(|fact| self.is_told(fact, of_played)).cloned().collect();
        let (weak, mut strong): (Vec<Fact>, Vec<Fact>) = of_best.into_iter().partition(|fact| self.is_weak(fact));
        let threatens = strong.iter().any(|fact| matches!(fact, Fact::Threatens { .. }));
        strong.extend(self.answer().or_else(|| self.prepares()));
        strong.extend(self.piece());
        strong.extend(self.filled());
        let players = [Some(!self.mover), Some(self.mover).filter(|_| !threatens)];
        let needs = |plies| players.into_iter().flatten().filter_map(move |player| self.needs(player, plies));
        let (far, near): (Vec<Fact>, Vec<Fact>) = needs(0).partition(|fact| self.is_weak(fact));
        strong.extend(near);
        let mut tiers = vec![strong, weak, far, Vec::new()];
        if is_open {
            let answers = tiers[0].iter().any(|fact| matches!(fact, Fact::Answer { .. }));
            tiers[0].extend(self.takes().filter(|_| !answers));
            tiers[0].extend(self.leads(MIN_LEAD));
            tiers[1].extend(self.expects());
            tiers[1].extend(needs(1));
            tiers[2].extend(self.leads(1));
            tiers[2].extend(self.answer_now());
            tiers[2].extend(needs(3));
            tiers[3].extend(self.lines[0].first().map(|&later| {
                let path = vec![self.moves[0]];
                Fact::Expects { path, later, effect: None }
            }));
        }
        tiers
    }

    /// Returns whether a fact rarely is why a move is better.
    fn is_weak(&self, fact: &Fact) -> bool {
        match fact {
            Fact::Joins { .. } | Fact::Hard { .. } | Fact::Capstone { .. } => true,
            Fact::Needs { after, .. } => after[0].1.min(after[1].1) > self.size / 2,
            _ => false,
        }
    }

    /// Returns whether a fact about the better move says something that does not hold for the move played.
    fn is_told(&self, fact: &Fact, of_played: &[Fact]) -> bool {
        match fact {
            Fact::Covers { .. } => self.lead(&self.after[1]) > self.lead(&self.after[0]),
            _ => is_told(fact, of_played),
        }
    }

    /// A move of the opponent that has an effect after the worse move which no move has after the better one: the answer
    /// that is expected, or a later one that could be played at once.
    fn answer(&self) -> Option<Fact> {
        let [mv, better] = self.moves;
        self.found(self.lines[0], &self.after, 0).map(|(reply, effect)| Fact::Answer {
            mv,
            better,
            reply,
            effect: Box::new(effect),
        })
    }

    /// The same for the player after the better move, if the opponent did nothing.
    fn prepares(&self) -> Option<Fact> {
        let [shown, other] = &self.after;
        let waiting = [with_turn(other, self.mover)?, with_turn(shown, self.mover)?];
        let (later, effect) = self.found(self.lines[1], &waiting, 1)?;
        let is_kept = effect_of(self.before, later).is_some_and(|now| does_as_much(&now, &effect));
        Some(Fact::Prepares { mv: self.moves[1], later, effect: Box::new(effect), is_kept })
    }

    /// The first move of a line, at every second ply, that has an effect in the first position, if none has it in the other.
    fn found(&self, line: &[Move], [here, other]: &[AnyPosition; 2], from: usize) -> Option<(Move, Fact)> {
        let moves = line.iter().take(MAX_PLAN_PLIES).skip(from).step_by(2);
        let effects = moves.filter_map(|&mv| Some((mv, effect_of(here, mv)?)));
        effects.into_iter().find(|(_, effect)| !is_possible(other, effect))
    }

    /// White's lead or Black's, that of the player who moves first.
    fn lead(&self, position: &AnyPosition) -> i32 {
        if self.mover == Color::White { flat_lead(position) } else { -flat_lead(position) }
    }

    /// The lead when flats fill the rest of the board.
    fn filled(&self) -> Option<Fact> {
        let lead = |which: usize| {
            let (_, lead) = filled(&self.after[which])?;
            Some((self.moves[which], if self.mover == Color::White { lead } else { -lead }))
        };
        let after = [lead(0)?, lead(1)?];
        (after[1].1 > after[0].1).then_some(Fact::Filled { after })
    }

    /// The answer on the square of the better move.
    fn takes(&self) -> Option<Fact> {
        let ([mv, better], &reply) = (self.moves, self.lines[0].first()?);
        let is_taken = !reply.is_spread() && !better.is_spread() && reply.square() == better.square();
        is_taken.then_some(Fact::Takes { mv, reply })
    }

    /// What another piece on the same square would have been.
    fn piece(&self) -> Option<Fact> {
        let kind = |mv: Move| match mv.kind() {
            MoveKind::Place(kind) => Some(kind),
            MoveKind::Spread(..) => None,
        };
        let [played, better] = self.moves;
        let pieces = [kind(played)?, kind(better)?];
        (played.square() == better.square()).then_some(Fact::Piece { square: better.square(), better, pieces })
    }

    /// Both moves and so many plies of their lines, with the positions then; `None` if one is not quiet.
    fn followed(&self, plies: usize) -> Option<[(Vec<Move>, AnyPosition); 2]> {
        let follow = |which: usize| {
            let (line, mut position) = (self.lines[which].get(..plies)?, self.after[which].clone());
            line.iter().try_for_each(|&mv| position.play(mv).map(|_| ())).ok()?;
            let is_quiet = || Color::ALL.into_iter().all(|player| position.winning_move(player).is_none());
            (position.outcome().is_none() && is_quiet())
                .then(|| ([&[self.moves[which]], line].concat(), position.clone()))
        };
        Some([follow(0)?, follow(1)?])
    }

    /// The flats after one or two answers, if the lines end with a difference in the same direction.
    fn leads(&self, min: i32) -> Option<Fact> {
        let line = |which: usize| [&[self.moves[which]], self.lines[which]].concat();
        let ends = quiet_ends(self.before, [&line(0), &line(1)])?;
        let is_lasting = self.lead(&ends[1]) - self.lead(&ends[0]) >= min;
        let after = |plies| Some(self.followed(plies)?.map(|(path, position)| (path, self.lead(&position))));
        let found = [1, 3].into_iter().filter_map(after).find(|[(_, lead), (_, better)]| better - lead >= min);
        found.filter(|_| is_lasting).map(|after| Fact::Leads { after })
    }

    /// The squares that a player needs for a road after either move and so many plies of its line, if that speaks for the better one.
    fn needs(&self, player: Color, plies: usize) -> Option<Fact> {
        let needed =
            |(path, position): (Vec<Move>, AnyPosition)| Some((path, missing_squares(&position, player)?.len()));
        let after = if plies == 0 {
            [0, 1].map(|which| (vec![self.moves[which]], self.after[which].clone()))
        } else {
            self.followed(plies)?
        };
        let [shown, better] = after.map(needed);
        let (shown, better) = (shown?, better?);
        let is_better = if player == self.mover { better.1 < shown.1 } else { better.1 > shown.1 };
        let is_near = better.1.min(shown.1) < self.size - 1;
        (self.before.ply() > 1 && is_better && is_near).then(|| Fact::Needs { player, after: [better, shown] })
    }

    /// The first move of the opponent after the move played, or of the player after the better one, with an effect that no
    /// move of the other line has; the answer with what else it does if there is none.
    fn expects(&self) -> Option<Fact> {
        let effects = |which: usize, player: Color| {
            let mut position = self.after[which].clone();
            let mut found = Vec::new();
            for (index, &mv) in self.lines[which].iter().enumerate().take(MAX_PLAN_PLIES) {
                if position.to_move() == player
                    && let Some(effect) = effect_of(&position, mv)
                {
                    found.push((index, effect));
                }
                if position.play(mv).is_err() {
                    break;
                }
            }
            found
        };
        let later = |which: usize, player: Color| {
            let others = effects(1 - which, player);
            let is_other = |effect: &Fact| !others.iter().any(|(_, other)| does_as_much(other, effect));
            let found =
                effects(which, player).into_iter().find(|(index, effect)| *index <= MAX_PATH && is_other(effect));
            found.map(|(index, effect)| Fact::Expects {
                path: [&[self.moves[which]], &self.lines[which][..index]].concat(),
                later: self.lines[which][index],
                effect: Some(Box::new(effect)),
            })
        };
        later(0, !self.mover).or_else(|| later(1, self.mover)).or_else(|| self.weak_answer())
    }

    /// What the answer does, if the same move does not do it after the better one.
    fn answer_now(&self) -> Option<Fact> {
        let later = *self.lines[0].first()?;
        let effect = effect(&self.after[0], later, &moves::facts(&self.after[1], later))?;
        Some(Fact::Expects { path: vec![self.moves[0]], later, effect: Some(Box::new(effect)) })
    }

    /// Another thing that it does.
    fn weak_answer(&self) -> Option<Fact> {
        let reply = *self.lines[0].first()?;
        let is_effect = |fact: &Fact| {
            matches!(fact, Fact::Cuts { .. } | Fact::Nears { .. } | Fact::Joins { .. } | Fact::Capstone { .. })
        };
        let others = moves::facts(&self.after[1], reply);
        let facts = moves::facts(&self.after[0], reply).into_iter();
        let effect = facts.filter(|fact| is_effect(fact) && !others.contains(fact)).min_by_key(Fact::rank)?;
        Some(Fact::Expects { path: vec![self.moves[0]], later: reply, effect: Some(Box::new(effect)) })
    }
}

fn effect_of(position: &AnyPosition, mv: Move) -> Option<Fact> {
    effect(position, mv, &[])
}
