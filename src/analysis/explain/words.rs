//! Sentences for facts: the only place with their words, so that a translation is possible.

use super::board::{half_lead, missing_squares};
use super::fact::{Better, Fact, Reason, Stack, Stop};
use crate::board::{AnyPosition, Color, Move, MoveKind, PieceKind, Square};
use crate::notation::counted;

/// Who is spoken of, and to whom.
#[derive(Debug, Clone, Copy)]
pub struct Voice {
    /// The player whose move is explained.
    pub mover: Color,
    /// The player who reads it as "you"; `None` for others.
    pub reader: Option<Color>,
}

impl Voice {
    /// The fact in words.
    pub fn reason(self, fact: &Fact) -> Reason {
        Reason { text: self.sentence(fact), kind: fact.kind(), squares: fact.squares(), basis: fact.basis() }
    }

    /// What the move does, without a subject, for facts that an answer can also have.
    fn predicate(self, fact: &Fact) -> Option<String> {
        let opponent = !self.mover;
        Some(match fact {
            Fact::Unstoppable { roads, .. } => match &*names(roads) {
                [one, other, ..] => format!("threatens roads with {one} and {other}: no answer prevents a road"),
                roads => format!("threatens a road with {}: no answer prevents one", roads.concat()),
            },
            Fact::Threatens { roads, .. } => match &*names(roads) {
                [one, other] => format!("threatens a road with {one} or {other}"),
                roads => format!("threatens a road with {}", roads.first()?),
            },
            Fact::Flattens { square, .. } => format!("flattens the wall on {square}"),
            Fact::Captures { square, height, .. } => format!("captures the stack of {height} on {square}"),
            Fact::Covers { flats, own, .. } => {
                let count = |flats: u32| if flats == 1 { "one".to_owned() } else { flats.to_string() };
                let covered = format!("covers {} of {} flats", count(*flats), self.of_inside(opponent));
                match (flats, own) {
                    (_, 0) => covered,
                    (0, _) => format!("uncovers {} of {} flats", count(*own), self.of_inside(self.mover)),
                    _ => format!("{covered} and uncovers {} of {}", count(*own), self.own(self.mover)),
                }
            }
            Fact::LocksIn { stack, .. } => self.on_stack("locks in", opponent, *stack),
            Fact::Frees { stack, .. } => self.on_stack("frees", self.mover, *stack) + ", which could not move",
            Fact::Pins { stack, .. } => {
                let pins = self.on_stack("pins", opponent, *stack);
                format!("{pins}: if it moves, {} a road", self.does_inside(self.mover, "have", "has"))
            }
            Fact::Cuts { then: None, .. } => {
                format!("leaves {} no road over empty squares", self.name_inside(opponent))
            }
            Fact::Cuts { before, then: Some(then), .. } => {
                format!("leaves {} {then} empty squares from a road instead of {before}", self.name_inside(opponent))
            }
            Fact::Joins { groups, .. } => {
                let count = if *groups == 2 { "two".to_owned() } else { groups.to_string() };
                format!("joins {count} of {} groups", self.of_inside(self.mover))
            }
            Fact::Separates { groups, .. } => {
                let count = if *groups == 2 { "two".to_owned() } else { groups.to_string() };
                format!("keeps {count} of {} groups apart", self.of_inside(opponent))
            }
            Fact::Capstone { beside: beside @ 2.., .. } => {
                format!("places a capstone beside {beside} of {} pieces", self.of_inside(opponent))
            }
            Fact::Capstone { is_central: true, .. } => "places a capstone in the centre".to_owned(),
            Fact::Capstone { .. } => "places a capstone next to the centre".to_owned(),
            Fact::Stops { roads, .. } => format!("stops {} road with {}", self.of_inside(opponent), one(roads)),
            Fact::Nears { then, .. } => format!("comes within {} of a road", empty_squares(then.len())),
            _ => return None,
        })
    }

    /// "which threatens a road with c3", of a move of this player.
    fn which(self, player: Color, effect: &Fact) -> String {
        format!("which {}", Self { mover: player, ..self }.predicate(effect).unwrap_or_default())
    }

    /// One sentence.
    fn sentence(self, fact: &Fact) -> String {
        let opponent = !self.mover;
        match fact {
            Fact::Road { mv, owner, .. } if *owner == self.mover => format!("{mv} completes a road."),
            Fact::Road { mv, owner, .. } => format!("{mv} completes {} road.", self.of_inside(*owner)),
            Fact::Flats { mv, half_lead: 0 } => format!("{mv} ends the game in a draw on flats."),
            Fact::Flats { mv, half_lead } => {
                let winner = if *half_lead > 0 { self.mover } else { opponent };
                format!("{mv} ends the game: {} by {}.", self.does_inside(winner, "win", "wins"), halves(*half_lead))
            }
            Fact::Leaves { mv, roads } => match only_square(roads) {
                Some(square) => {
                    format!(
                        "{} {square} open: {} a road there.",
                        self.does(self.mover, "leave", "leaves"),
                        self.does_inside(opponent, "complete", "completes")
                    )
                }
                None => format!(
                    "After {mv} {} a road with {}.",
                    self.does_inside(opponent, "complete", "completes"),
                    one(roads)
                ),
            },
            Fact::Loses { mv, moves: count, first } => {
                let forces = self.does_inside(opponent, "force", "forces");
                let begin = first.map_or(String::new(), |first| format!(", beginning with {first}"));
                format!("After {mv} {forces} a win in {}{begin}.", proven(*count))
            }
            Fact::Wins { mv, moves } => {
                format!("With {mv} {} a win in {}.", self.does_inside(self.mover, "force", "forces"), proven(*moves))
            }
            Fact::Stops { mv, roads, stop } => {
                let completes = self.does_inside(opponent, "complete", "completes");
                let stops = format!("{mv} stops {} road with {}", self.of_inside(opponent), one(roads));
                match stop {
                    Stop::Move => format!("{stops}; after any other move {completes} one."),
                    Stop::Square(square) => format!("Without a piece on {square} {completes} a road."),
                    Stop::Any => format!("{stops}."),
                }
            }
            Fact::AfterPass { moves, first } => {
                let (idle, forces) =
                    (self.does_inside(self.mover, "do", "does"), self.does_inside(opponent, "force", "forces"));
                format!("If {idle} nothing, {forces} a road in {}, beginning with {first}.", proven(*moves))
            }
            Fact::PassAllows { reply, effect } => {
                let (idle, has) =
                    (self.does_inside(self.mover, "do", "does"), self.does_inside(opponent, "have", "has"));
                format!("If {idle} nothing, {has} {reply}, {}.", self.which(opponent, effect))
            }
            Fact::Hard { mv } => {
                format!("{mv} puts the capstone on a flat of its own colour, which it can leave behind.")
            }
            Fact::First { mv, place, is_double } => {
                let flat = if *is_double { "flats" } else { "flat" };
                format!("{mv} places {} first {flat} {place}.", self.of_inside(opponent))
            }
            Fact::LosesFlats { mv, reply } => {
                let (ends, wins) = (
                    self.does_inside(opponent, "end", "ends"),
                    if self.reader == Some(opponent) { "win" } else { "wins" },
                );
                format!("After {mv} {ends} the game with {reply} and {wins} on flats.")
            }
            Fact::Unstoppable { mv, .. }
            | Fact::Threatens { mv, .. }
            | Fact::Captures { mv, .. }
            | Fact::Flattens { mv, .. }
            | Fact::LocksIn { mv, .. }
            | Fact::Pins { mv, .. }
            | Fact::Frees { mv, .. }
            | Fact::Cuts { mv, .. }
            | Fact::Joins { mv, .. }
            | Fact::Separates { mv, .. }
            | Fact::Capstone { mv, .. } => format!("{mv} {}.", self.predicate(fact).unwrap_or_default()),
            _ => self.compared(fact).unwrap_or_else(|| self.count(fact)),
        }
    }

    /// One sentence about two moves, or about an answer.
    fn compared(self, fact: &Fact) -> Option<String> {
        let opponent = !self.mover;
        Some(match fact {
            Fact::Answer { mv, better, reply, effect } => {
                let can = self.does_inside(opponent, "can", "can");
                let answer = format!("After {mv} {can} answer {reply}, {}", self.which(opponent, effect));
                let prevented = better.map_or_else(String::new, |Better { mv, is_threat }| {
                    format!("; {mv} {}", if is_threat { "threatens first" } else { "prevents that" })
                });
                short([format!("{answer}{prevented}."), format!("{answer}.")])
            }
            Fact::Prepares { mv, later, effect, is_kept } => {
                let verb = if *is_kept { "keeps" } else { "prepares" };
                format!("{mv} {verb} {later}, {}.", self.which(self.mover, effect))
            }
            Fact::Expects { path, later, effect: Some(effect) } => {
                let player = if path.len() % 2 == 1 { opponent } else { self.mover };
                let which = self.which(player, effect);
                format!("After {} the engine expects {} {later}, {which}.", moves(path), self.of_inside(player))
            }
            Fact::Expects { path, later, .. } => format!("The engine expects the answer {later} to {}.", moves(path)),
            Fact::Piece { square, better, pieces, cover, has_capstone } => match pieces {
                [PieceKind::Wall, PieceKind::Cap] => {
                    format!("The wall on {square} is part of no road; the capstone would be.")
                }
                [PieceKind::Wall, _] => format!("The wall on {square} adds no flat and is part of no road."),
                [PieceKind::Cap, PieceKind::Flat] => format!("{better} adds a flat and keeps the capstone for later."),
                [PieceKind::Cap, _] => format!("{better} keeps the capstone for later."),
                [_, other] => {
                    let can = self.does(opponent, "can", "can");
                    let cover = cover.map_or_else(String::new, |cover| cover.to_string());
                    let not = match (other, has_capstone) {
                        (PieceKind::Cap, _) => "not the capstone",
                        (_, true) => "a wall only with a capstone",
                        (_, false) => "not a wall",
                    };
                    format!("{can} cover a flat on {square} with {cover}, but {not}.")
                }
            },
            _ => return None,
        })
    }

    /// One sentence about flats or squares.
    fn count(self, fact: &Fact) -> String {
        let opponent = !self.mover;
        match fact {
            Fact::Covers { mv, then: [own, enemy], .. } => {
                let then = match own.cmp(enemy) {
                    std::cmp::Ordering::Greater => {
                        format!("{} {own} to {enemy}", self.does_inside(self.mover, "lead", "leads"))
                    }
                    std::cmp::Ordering::Equal => format!("both have {own}"),
                    std::cmp::Ordering::Less => {
                        format!("{} {enemy} to {own}", self.does_inside(opponent, "lead", "leads"))
                    }
                };
                format!("{mv} {}; then {then}.", self.predicate(fact).unwrap_or_default())
            }
            Fact::Fills { mv, last, half_lead } => {
                let winner = if *half_lead > 0 { self.mover } else { opponent };
                let end = match half_lead {
                    0 => "the flats are equal".to_owned(),
                    _ => format!("{} by {}", self.does_inside(winner, "win", "wins"), halves(*half_lead)),
                };
                format!("If both only place flats after {mv}, {end}, {} placing last.", self.name_inside(*last))
            }
            Fact::Filled { after: [(played, shown), (better, other)] } => {
                let ends = self.does_inside(self.mover, "end", "ends");
                let leads = [shown, other].map(|half_flats| lead(*half_flats));
                format!("If both only place flats, {ends} {} after {played}, {} after {better}.", leads[0], leads[1])
            }
            Fact::Nears { mv, before, then } => {
                let needs = self.does_inside(self.mover, "need", "needs");
                format!("After {mv} {needs} {} for a road instead of {before}.", more_squares(then.len()))
            }
            Fact::Needs { player, after: [(one, few), (other, many)] } => {
                let needs = self.does_inside(*player, "need", "needs");
                let few_squares = more_squares(few.len());
                let named = |squares: &[Square], others: &[Square]| match squares {
                    [_, ..] if squares.len() < others.len() && squares.len() < 4 => format!(" ({})", listed(squares)),
                    _ => String::new(),
                };
                let (one, other, many_squares) = (moves(one), moves(other), many.len());
                let [here, there] = [named(few, many), named(many, few)];
                short([
                    format!(
                        "For a road {needs} {few_squares} after {one}{here}, but {many_squares} after {other}{there}."
                    ),
                    format!("For a road {needs} {few_squares} after {one}, but {many_squares} after {other}."),
                ])
            }
            Fact::Race { mv, needs: [own, enemy] } => {
                let needs = self.does_inside(self.mover, "need", "needs");
                let other = self.name_inside(opponent);
                format!("After {mv} {needs} {} for a road, {other} {enemy}.", more_squares(*own))
            }
            Fact::Leads { after: [(played, shown), (better, other)] } => {
                let player = self.name_inside(self.mover);
                let leads = [shown, other].map(|flats| lead(2 * flats));
                let (played, better) = (moves(played), moves(better));
                format!("The engine expects {player} {} after {played}, {} after {better}.", leads[0], leads[1])
            }
            _ => String::new(),
        }
    }

    /// "You leave", "White leaves", at the beginning of a sentence.
    fn does(self, color: Color, you: &str, other: &str) -> String {
        if self.reader == Some(color) { format!("You {you}") } else { format!("{color} {other}") }
    }

    /// The same inside a sentence.
    fn does_inside(self, color: Color, you: &str, other: &str) -> String {
        if self.reader == Some(color) { format!("you {you}") } else { format!("{color} {other}") }
    }

    fn name_inside(self, color: Color) -> String {
        if self.reader == Some(color) { "you".to_owned() } else { color.to_string() }
    }

    /// "frees your stack of 3 on c3", "pins White's capstone on c3".
    fn on_stack(self, verb: &str, owner: Color, Stack { square, height, is_capstone }: Stack) -> String {
        let what = if is_capstone { "capstone".to_owned() } else { format!("stack of {height}") };
        format!("{verb} {} {what} on {square}", self.of_inside(owner))
    }

    /// "yours", "White's".
    fn own(self, color: Color) -> String {
        if self.reader == Some(color) { "yours".to_owned() } else { format!("{color}’s") }
    }

    /// "your", "White's".
    fn of_inside(self, color: Color) -> String {
        if self.reader == Some(color) { "your".to_owned() } else { format!("{color}’s") }
    }
}

/// What a player has more than the opponent: flats, or squares on the way to a road; `None` if neither.
pub fn advantage(position: &AnyPosition, color: Color) -> Option<String> {
    let white = half_lead(position);
    let half_flats = if color == Color::White { white } else { -white };
    let needs = |color| missing_squares(position, color).map(|squares| squares.len());
    match (needs(color), needs(!color)) {
        (Some(own), Some(other)) if own < other => {
            Some(format!("{} from a road to {}’s {other}", counted(own as u64, "square", "squares"), !color))
        }
        _ if half_flats > 0 => Some(format!("by {}, komi counted", halves(half_flats))),
        _ => None,
    }
}

/// The first sentence that is not too long, or the last.
fn short([whole, part]: [String; 2]) -> String {
    if whole.chars().count() <= Reason::MAX_CHARS { whole } else { part }
}

/// "a1, c3".
fn listed(squares: &[Square]) -> String {
    squares.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// "a1 e5 c3".
fn moves(path: &[Move]) -> String {
    path.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// "1 more square", "3 more squares": empty ones.
fn more_squares(count: usize) -> String {
    counted(count as u64, "more square", "more squares")
}

fn empty_squares(count: usize) -> String {
    counted(count as u64, "empty square", "empty squares")
}

/// "2 moves", "at most 5 moves": a longer proof need not be the shortest one.
fn proven(moves: u32) -> String {
    let turns = counted(moves, "move", "moves");
    if moves > 2 { format!("at most {turns}") } else { turns }
}

/// "2 flats", "half a flat", "1.5 flats".
fn halves(half_flats: i32) -> String {
    let half_flats = half_flats.unsigned_abs();
    match (half_flats / 2, half_flats % 2) {
        (0, _) => "half a flat".to_owned(),
        (flats, 0) => counted(flats, "flat", "flats"),
        (flats, _) => format!("{flats}.5 flats"),
    }
}

/// "2 flats ahead", "level in flats".
fn lead(half_flats: i32) -> String {
    let count = halves(half_flats);
    match half_flats.signum() {
        1 => format!("{count} ahead"),
        0 => "level in flats".to_owned(),
        _ => format!("{count} behind"),
    }
}

/// The square, if all moves place a piece there.
fn only_square(moves: &[Move]) -> Option<Square> {
    let first = moves.first()?.square();
    moves.iter().all(|mv| !mv.is_spread() && mv.square() == first).then_some(first)
}

/// Moves that lead to different squares, the simplest first: a capstone where a flat does is not named.
fn names(moves: &[Move]) -> Vec<String> {
    let mut moves = moves.to_vec();
    moves.sort_by_key(|mv| (mv.is_spread(), mv.to_string().len()));
    let mut seen = Vec::new();
    moves.retain(|mv| {
        // Spreads of one stack in one direction are one threat.
        let way = match mv.kind() {
            MoveKind::Spread(direction, _) => Some((mv.square(), direction)),
            MoveKind::Place(_) => None,
        };
        let is_other = !seen.iter().any(|&(target, other)| target == mv.target() || way.is_some() && other == way);
        seen.push((mv.target(), way));
        is_other
    });
    moves.iter().map(ToString::to_string).collect()
}

/// The simplest of some moves.
fn one(moves: &[Move]) -> String {
    names(moves).into_iter().next().unwrap_or_default()
}
