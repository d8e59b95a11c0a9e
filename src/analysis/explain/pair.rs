//! A move and a better one if neither decides the game: what speaks for the better one.

use super::board::{comes_nearer, filled, flat_lead, missing_squares, squares, with_turn};
use super::effect::{does_anything, does_as_much, effect, is_possible, is_told};
use super::fact::{Better, Fact};
use super::lines::quiet_ends;
use super::moves;
use crate::board::{AnyPosition, Color, Move, MoveKind, PieceKind, Square};

/// Plies of a line in which later moves are looked at.
const MAX_PLAN_PLIES: usize = 8;

/// The most moves of a line that come before the move that a sentence is about.
const MAX_PATH: usize = 2;

/// A lead in flats that is worth telling, since a placement adds one.
const MIN_LEAD: i32 = 2;

/// A move and a better one, the positions after them, neither of them final, and the lines from there.
pub struct Pair<'a> {
    mover: Color,
    size: usize,
    before: &'a AnyPosition,
    moves: [Move; 2],
    after: [AnyPosition; 2],
    lines: [&'a [Move]; 2],
}

impl<'a> Pair<'a> {
    /// `after` is a line from the position after the first move, `better` one from `before` that begins with the second.
    pub fn new(before: &'a AnyPosition, moves: [Move; 2], [after, better]: [&'a [Move]; 2]) -> Option<Self> {
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

    /// The facts if neither move decides the game, in the order of [`super::compare::facts`]. What the lines say is told
    /// only if `is_open`: no result is proven.
    pub fn facts(&self, of_played: &[Fact], of_best: &[Fact], is_open: bool) -> Vec<Vec<Fact>> {
        let threatens = |facts: &[Fact]| facts.iter().any(|fact| matches!(fact, Fact::Threatens { .. }));
        let is_threat = [of_played, of_best].map(threatens);
        let told: Vec<Fact> = of_best.iter().filter(|fact| self.is_told(fact, of_played)).cloned().collect();
        let (weak, mut strong): (Vec<Fact>, Vec<Fact>) = told.into_iter().partition(|fact| self.is_weak(fact));
        let answer = self.answer(is_threat);
        // After a threat the player has no move of choice.
        let prepared = if answer.is_none() && !is_threat[1] { self.prepares(of_played) } else { None };
        let is_answered = answer.is_some();
        strong.extend(answer.or(prepared));
        strong.extend(self.piece());
        strong.extend(self.filled());
        // The squares of a player who threatens a road already say nothing.
        let players = [Some(!self.mover), Some(self.mover).filter(|_| is_threat == [false; 2])];
        let needs = |plies| players.into_iter().flatten().filter_map(move |player| self.needs(player, plies));
        let (far, near): (Vec<Fact>, Vec<Fact>) = needs(0).partition(|fact| self.is_weak(fact));
        strong.extend(near);
        let mut tiers = vec![strong, far, weak];
        let leads = |min| self.leads(min).filter(|_| !self.is_gain_uncounted(of_played, of_best));
        if is_open {
            tiers[0].extend(self.takes().filter(|_| !is_answered));
            tiers[0].extend(leads(MIN_LEAD));
            tiers[1].extend(self.expects(of_played));
            tiers[1].extend(of_best.iter().filter(|fact| is_larger_threat(fact, of_played)).cloned());
            tiers[1].extend(needs(1));
            tiers[2].extend(leads(1));
        }
        tiers
    }

    /// Returns whether a fact rarely is why a move is better.
    fn is_weak(&self, fact: &Fact) -> bool {
        match fact {
            Fact::Joins { .. } | Fact::Separates { .. } | Fact::Hard { .. } => true,
            Fact::Needs { after, .. } => after[0].1.len().min(after[1].1.len()) > self.size / 2,
            _ => false,
        }
    }

    /// Returns whether a fact about the better move says something that does not hold for the move played.
    fn is_told(&self, fact: &Fact, of_played: &[Fact]) -> bool {
        match fact {
            Fact::Covers { .. } => self.lead(&self.after[1]) > self.lead(&self.after[0]),
            // Where a capstone stands is seldom why.
            Fact::Capstone { .. } => false,
            // What a spread joins or separates is not known.
            Fact::Joins { .. } | Fact::Separates { .. } => !self.moves[0].is_spread() && is_told(fact, of_played),
            _ => is_told(fact, of_played),
        }
    }

    /// A move of the opponent that has an effect after the worse move which no move has after the better one: the answer
    /// that is expected, or a later one that could be played at once.
    /// `is_threat`: whether the move played and the better one threaten a road.
    fn answer(&self, is_threat: [bool; 2]) -> Option<Fact> {
        let [mv, better] = self.moves;
        let (reply, effect) = found(self.lines[0], &self.after, 0)?;
        // If both do, that is not the difference.
        let better = (is_threat != [true; 2]).then_some(Better { mv: better, is_threat: is_threat[1] });
        Some(Fact::Answer { mv, better, reply, effect: Box::new(effect) })
    }

    /// The same for the player after the better move, if the opponent did nothing.
    fn prepares(&self, of_played: &[Fact]) -> Option<Fact> {
        let [shown, other] = &self.after;
        let waiting = [with_turn(other, self.mover)?, with_turn(shown, self.mover)?];
        let (later, effect) = found(self.lines[1], &waiting, 1)?;
        // Flats two moves later say little.
        if matches!(effect, Fact::Covers { .. }) || of_played.iter().any(|fact| does_as_much(fact, &effect)) {
            return None;
        }
        let is_kept = effect_of(self.before, later).is_some_and(|now| does_as_much(&now, &effect));
        Some(Fact::Prepares { mv: self.moves[1], later, effect: Box::new(effect), is_kept })
    }

    /// White's lead or Black's, that of the player who moves first.
    fn lead(&self, position: &AnyPosition) -> i32 {
        if self.mover == Color::White { flat_lead(position) } else { -flat_lead(position) }
    }

    /// The lead when flats fill the rest of the board, without komi, which is the same for both.
    fn filled(&self) -> Option<Fact> {
        let lead = |which: usize| {
            let (_, lead) = filled(&self.after[which])?;
            let lead = lead + self.before.komi().half();
            Some((self.moves[which], if self.mover == Color::White { lead } else { -lead }))
        };
        let after = [lead(0)?, lead(1)?];
        (after[1].1 > after[0].1).then_some(Fact::Filled { after })
    }

    /// The answer on the square of the better move, if it does anything there that can be named.
    fn takes(&self) -> Option<Fact> {
        let ([mv, better], &reply) = (self.moves, self.lines[0].first()?);
        if reply.is_spread() || better.is_spread() || reply.square() != better.square() {
            return None;
        }
        let is_told = |effect: &Fact| does_anything(effect) && self.is_prevented(effect);
        let effects = moves::facts(&self.after[0], reply).into_iter().filter(is_told);
        let effect = Some(Box::new(effects.min_by_key(Fact::rank)?));
        Some(Fact::Expects { path: vec![mv], later: reply, effect })
    }

    /// Returns whether the move played gains what a lead in flats does not show: a wall or a capstone on the board, or an
    /// effect that the better move does not have.
    fn is_gain_uncounted(&self, of_played: &[Fact], of_best: &[Fact]) -> bool {
        let is_lacking = |fact: &Fact| !of_best.iter().any(|other| does_as_much(other, fact));
        let [played, better] = self.moves.map(Move::kind);
        let is_piece = matches!(played, MoveKind::Place(PieceKind::Wall | PieceKind::Cap)) && played != better;
        is_piece || of_played.iter().any(|fact| does_anything(fact) && is_lacking(fact))
    }

    /// The difference between two pieces on the same square. A flat is compared only if it can be covered.
    fn piece(&self) -> Option<Fact> {
        let kind = |mv: Move| match mv.kind() {
            MoveKind::Place(kind) => Some(kind),
            MoveKind::Spread(..) => None,
        };
        let [played, better] = self.moves;
        let pieces = [kind(played)?, kind(better)?];
        let square = better.square();
        let covers = |mv: &Move| mv.is_spread() && mv.covered().contains(square);
        // One that gives the player a road is none.
        let is_safe = |mv: &Move| {
            let mut position = self.after[0].clone();
            position.play_unchecked(*mv);
            position.outcome().is_none() && position.winning_move(self.mover).is_none()
        };
        // A capstone covers a wall as well.
        let is_by_flat = |mv: &Move| {
            let mut position = self.after[0].clone();
            position.play_unchecked(*mv);
            position.top(square).is_some_and(|(_, kind)| kind == PieceKind::Flat)
        };
        let moves = self.after[0].legal_moves().into_iter();
        let covers = moves.filter(|mv| covers(mv) && is_by_flat(mv) && is_safe(mv));
        let cover = covers.min_by_key(|mv| mv.to_string().len());
        let is_known = pieces[0] != PieceKind::Flat || cover.is_some();
        let opponent = !self.mover;
        let is_capstone = |at: Square| self.before.top(at) == Some((opponent, PieceKind::Cap));
        let has_capstone = self.before.reserves()[opponent].caps > 0 || squares(self.before.size()).any(is_capstone);
        let fact = Fact::Piece { square, better, pieces, cover, has_capstone };
        (played.square() == square && is_known).then_some(fact)
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
        let after = |plies| {
            let [one, other] = self.followed(plies)?;
            // A wall or a capstone that only one line places is a difference in flats that says nothing.
            let is_alike = standing_placed(&one.0) == standing_placed(&other.0);
            is_alike.then(|| [one, other].map(|(path, position)| (path, self.lead(&position))))
        };
        let found = [1, 3].into_iter().filter_map(after).find(|[(_, lead), (_, better)]| better - lead >= min);
        found.filter(|_| is_lasting).map(|after| Fact::Leads { after })
    }

    /// The squares that a player needs for a road after either move and so many plies of its line, if that speaks for the
    /// better one and no spread makes the count worthless.
    fn needs(&self, player: Color, plies: usize) -> Option<Fact> {
        let after = if plies == 0 {
            [0, 1].map(|which| (vec![self.moves[which]], self.after[which].clone()))
        } else {
            self.followed(plies)?
        };
        let [shown, better] = after.each_ref().map(|(_, position)| missing_squares(position, player));
        let (shown, better) = (shown?, better?);
        let (few, many) = (better.len(), shown.len());
        let is_better = if player == self.mover { few < many } else { few > many };
        let is_near = few.min(many) < self.size - 1;
        let is_sure = plies == 0 || !self.is_by_answers(player, [many, few]);
        // A count of squares says nothing if a spread is faster.
        let is_slow = |needed: [usize; 2]| after.iter().zip(needed).all(|((_, at), n)| !comes_nearer(at, player, n));
        if self.before.ply() < 2 || !is_better || !is_near || !is_sure || !is_slow([many, few]) {
            return None;
        }
        let [(played, _), (best, _)] = after;
        Some(Fact::Needs { player, after: [(best, better), (played, shown)] })
    }

    /// Returns whether the answer to one of the moves, given to the other, removes the difference in counts: then it comes
    /// from the answers and not from the moves.
    fn is_by_answers(&self, player: Color, [shown, better]: [usize; 2]) -> bool {
        let crossed = |which: usize| {
            let mut position = self.after[which].clone();
            position.play(*self.lines[1 - which].first()?).ok()?;
            Some(missing_squares(&position, player).map_or(usize::MAX, |squares| squares.len()))
        };
        let is_as_bad = |count: usize| if player == self.mover { count >= shown } else { count <= shown };
        let is_as_good = |count: usize| if player == self.mover { count <= better } else { count >= better };
        crossed(1).is_some_and(is_as_bad) || crossed(0).is_some_and(is_as_good)
    }

    /// The first move of the opponent after the move played, or of the player after the better one, with an effect that no
    /// move of the other line has; the answer with what else it does if there is none.
    fn expects(&self, of_played: &[Fact]) -> Option<Fact> {
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
            let is_told = |index: usize, effect: &Fact| {
                index <= MAX_PATH && is_other(effect) && self.is_new(which, index, effect)
            };
            let found = effects(which, player).into_iter().find(|(index, effect)| is_told(*index, effect));
            found.map(|(index, effect)| Fact::Expects {
                path: [&[self.moves[which]], &self.lines[which][..index]].concat(),
                later: self.lines[which][index],
                effect: Some(Box::new(effect)),
            })
        };
        let is_own = |fact: &Fact| match fact {
            Fact::Expects { effect: Some(effect), .. } => of_played.iter().any(|own| does_as_much(own, effect)),
            _ => false,
        };
        let plan = || later(1, self.mover).filter(|fact| !is_own(fact));
        later(0, !self.mover).or_else(plan).or_else(|| self.weak_answer())
    }

    /// Returns whether an effect of this move of a line is due to its first move: the answer does not have it after the
    /// other move as well, and a captured stack stands there by then.
    fn is_new(&self, which: usize, index: usize, effect: &Fact) -> bool {
        match effect {
            _ if index == 0 => {
                let now = effect_of(&self.after[1 - which], self.lines[which][0]);
                now.is_none_or(|now| !does_as_much(&now, effect))
            }
            Fact::Captures { square, height, .. } => self.after[which].height(*square) == *height,
            _ => true,
        }
    }

    /// Returns whether no answer to the better move has an effect of the answer to the move played. To join groups or to
    /// come nearer to a road is none: some answer always does.
    fn is_prevented(&self, effect: &Fact) -> bool {
        let is_usual = matches!(effect, Fact::Nears { .. } | Fact::Joins { .. } | Fact::Separates { .. });
        !is_usual && !is_possible(&self.after[1], effect)
    }

    /// Another thing that the answer does, and does not after the better move.
    fn weak_answer(&self) -> Option<Fact> {
        let reply = *self.lines[0].first()?;
        let others = moves::facts(&self.after[1], reply);
        let is_threat = |fact: &Fact| matches!(fact, Fact::Threatens { .. } | Fact::Unstoppable { .. });
        let is_other = |fact: &Fact| {
            others.iter().all(|other| other.kind() != fact.kind() && !is_threat(other) && !does_as_much(other, fact))
        };
        let facts = moves::facts(&self.after[0], reply).into_iter();
        // That it stops the threat of the move played says nothing about the better one.
        let is_told = |fact: &Fact| {
            does_anything(fact) && !matches!(fact, Fact::Stops { .. }) && is_other(fact) && self.is_prevented(fact)
        };
        let effect = facts.filter(is_told).min_by_key(Fact::rank)?;
        Some(Fact::Expects { path: vec![self.moves[0]], later: reply, effect: Some(Box::new(effect)) })
    }
}

/// How many walls and capstones each player places in a line.
fn standing_placed(line: &[Move]) -> [usize; 2] {
    let is_standing = |mv: &&Move| matches!(mv.kind(), MoveKind::Place(PieceKind::Wall | PieceKind::Cap));
    [0, 1].map(|player| line.iter().skip(player).step_by(2).filter(is_standing).count())
}

/// Returns whether a fact about the better move is a threat with more squares than the one of the move played.
fn is_larger_threat(fact: &Fact, of_played: &[Fact]) -> bool {
    let squares = |fact: &Fact| if matches!(fact, Fact::Threatens { .. }) { fact.squares().len() } else { 0 };
    squares(fact) > of_played.iter().map(squares).max().unwrap_or(0)
}

fn effect_of(position: &AnyPosition, mv: Move) -> Option<Fact> {
    effect(position, mv, &[])
}

/// The first move of a line, at every second ply, that has an effect in the first position, if none has it in the other.
fn found(line: &[Move], [here, other]: &[AnyPosition; 2], from: usize) -> Option<(Move, Fact)> {
    let moves = line.iter().take(MAX_PLAN_PLIES).skip(from).step_by(2);
    let effects = moves.filter_map(|&mv| Some((mv, effect_of(here, mv)?)));
    effects.into_iter().find(|(_, effect)| !is_possible(other, effect))
}
