//! A spread in progress: pieces in hand, some dropped already. Its continuations are taken from the list of legal
//! moves, so no rule is stated twice.

use serde::{Deserialize, Serialize};

use self::texts::{direction_text, square_text};
use super::words::{self, Pile};
use crate::board::{AnyPosition, Color, Direction, Move, MoveKind, PieceKind, Square};

pub mod texts;

/// A spread so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// The square of the stack.
    #[serde(with = "square_text")]
    pub from: Square,
    /// The number of pieces lifted.
    pub lifted: u32,
    /// The direction; `None` before the first drop.
    #[serde(with = "direction_text")]
    pub direction: Option<Direction>,
    /// The number of pieces dropped on the first square, the second and so on.
    pub drops: Vec<u32>,
}

/// The result of a drop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Some pieces are still in hand.
    On(Draft),
    /// All pieces are dropped.
    Done(Move),
    /// The pieces are back on their square.
    Back,
}

/// An invalid action with pieces.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("the game is over")]
    Over,
    #[error("{0} is empty")]
    Empty(Square),
    #[error("the stack on {0} belongs to {1}")]
    NotYours(Square, Color),
    #[error("you cannot move a stack on your first turn")]
    FirstTurn,
    #[error("the stack on {0} cannot move: it is blocked on all sides")]
    Stuck(Square),
    #[error("at most {} can be lifted from {from}", words::pieces(*.most))]
    TooMany { from: Square, most: u32 },
    #[error("at least one piece has to be lifted")]
    None,
    #[error("the stack must move in a straight line from {0}")]
    NotInLine(Square),
    #[error("the stack cannot move backwards")]
    Behind,
    #[error("drop a piece on {0} first")]
    Skipped(Square),
    #[error("the {} {} on {square} is in the way", words::adjective(*.color), words::kind(*.kind))]
    InTheWay { square: Square, color: Color, kind: PieceKind },
    #[error("only a capstone moving alone can flatten the wall on {0}")]
    NotAlone(Square),
    #[error("the bottom piece in hand belongs to {0}")]
    NotFriendly(Color),
    #[error("invalid spread")]
    Impossible,
}

impl Draft {
    /// Lifts `count` pieces; without a count all that may be lifted.
    pub fn lift(position: &AnyPosition, from: Square, count: Option<u32>) -> Result<Self, Refused> {
        let counts = lifts(&position.legal_moves(), from);
        let Some(&most) = counts.last() else {
            return Err(why_not_lifted(position, from));
        };
        let lifted = count.unwrap_or(most);
        if lifted == 0 {
            return Err(Refused::None);
        }
        if !counts.contains(&lifted) {
            return Err(Refused::TooMany { from, most });
        }
        Ok(Self { from, lifted, direction: None, drops: Vec::new() })
    }

    /// Drops the bottom piece on a square, or with `friendly` all the player's own pieces at the bottom of the hand. If
    /// the rest can only be dropped there, it is dropped too.
    pub fn drop(&self, position: &AnyPosition, on: Square, friendly: bool) -> Result<Step, Refused> {
        if self.drops.is_empty() && on == self.from {
            return Ok(Step::Back);
        }
        self.reach(position, on)?;
        let mut draft = self.clone();
        let direction =
            self.direction.or_else(|| line_to(self.from, on).map(|(way, _)| way)).ok_or(Refused::Impossible)?;
        draft.direction = Some(direction);
        if self.last() != Some(on) {
            draft.drops.push(0);
        }
        draft.fall(if friendly { self.friendly(position)? } else { 1 });
        if draft.ends_here(position) {
            draft.fall(draft.in_hand());
        }
        if draft.in_hand() > 0 {
            return Ok(Step::On(draft));
        }
        draft.finished(position).map(Step::Done)
    }

    /// Checks that the next piece may be dropped on a square.
    pub fn reach(&self, position: &AnyPosition, on: Square) -> Result<(), Refused> {
        if self.next(position).contains(&on) {
            return Ok(());
        }
        let in_line = line_to(self.from, on).filter(|(way, _)| self.direction.is_none_or(|own| own == *way));
        let (direction, distance) = in_line.ok_or(Refused::NotInLine(self.from))?;
        if distance < self.drops.len() {
            return Err(Refused::Behind);
        }
        if distance > self.drops.len() + 1 {
            return Err(Refused::Skipped(self.from.step(direction, self.drops.len() + 1)));
        }
        Err(match position.top(on) {
            Some((_, PieceKind::Wall)) if self.is_led_by_cap(position) => Refused::NotAlone(on),
            Some((color, kind)) if kind.blocks() => Refused::InTheWay { square: on, color, kind },
            _ => Refused::Impossible,
        })
    }

    /// The squares that the next piece may be dropped on, without the stack's own.
    pub fn next(&self, position: &AnyPosition) -> Vec<Square> {
        let mut next = Vec::new();
        let mut add = |square| {
            if !next.contains(&square) {
                next.push(square);
            }
        };
        for (direction, drops) in self.ways(position) {
            let dropped = self.drops.len();
            if dropped > 0 && drops[dropped - 1] > self.drops[dropped - 1] {
                add(self.from.step(direction, dropped));
            }
            if drops.len() > dropped && (dropped == 0 || drops[dropped - 1] == self.drops[dropped - 1]) {
                add(self.from.step(direction, dropped + 1));
            }
        }
        next
    }

    /// Checks that this is the beginning of a legal spread, which a draft from outside need not be.
    pub fn check(&self, position: &AnyPosition) -> Result<(), Refused> {
        let agrees = self.direction.is_some() != self.drops.is_empty() && !self.drops.contains(&0);
        let sum = self.drops.iter().fold(0u32, |sum, &drop| sum.saturating_add(drop));
        if agrees && sum < self.lifted && !self.ways(position).is_empty() { Ok(()) } else { Err(Refused::Impossible) }
    }

    /// The number of pieces in hand.
    pub fn in_hand(&self) -> u32 {
        self.lifted - self.drops.iter().sum::<u32>()
    }

    /// The pieces in hand.
    pub fn hand(&self, position: &AnyPosition) -> Pile {
        let pile = Pile::on(position, self.from);
        let dropped = pile.colors.len() - self.in_hand() as usize;
        Pile { colors: pile.colors[dropped..].to_vec(), top: pile.top }
    }

    /// The stacks on the squares that have changed.
    pub fn piles(&self, position: &AnyPosition) -> Vec<(Square, Pile)> {
        let whole = Pile::on(position, self.from);
        let mut left = whole.colors.len() - self.lifted as usize;
        let mut piles = vec![(self.from, Pile { colors: whole.colors[..left].to_vec(), top: PieceKind::Flat })];
        if let Some(direction) = self.direction {
            for (steps, &drop) in (1..).zip(&self.drops) {
                let square = self.from.step(direction, steps);
                let mut pile = Pile::on(position, square);
                let end = left + drop as usize;
                pile.colors.extend_from_slice(&whole.colors[left..end]);
                pile.top = PieceKind::Flat;
                left = end;
                piles.push((square, pile));
            }
        }
        piles
    }

    /// The pieces in hand and the squares that they may go to, in words.
    pub fn describe(&self, position: &AnyPosition) -> String {
        let hand = self.hand(position);
        let next: Vec<String> = self.next(position).iter().map(Square::to_string).collect();
        let bottom = hand.colors.first().map_or("", |&color| words::adjective(color));
        let what = match hand.colors.len() {
            1 => format!("{} in hand", hand.describe(1)),
            count => format!("{count} in hand, the bottom one {bottom}"),
        };
        format!("{what}; next may be {}", next.join(" or "))
    }

    /// Returns whether the next drop on this square flattens a wall.
    pub fn flattens(&self, position: &AnyPosition, on: Square) -> bool {
        position.top(on).is_some_and(|(_, kind)| kind == PieceKind::Wall) && self.reach(position, on).is_ok()
    }

    /// The square that the pieces in hand are over.
    pub fn over(&self) -> Square {
        self.last().unwrap_or(self.from)
    }

    /// The square of the last drop.
    fn last(&self) -> Option<Square> {
        self.direction.map(|direction| self.from.step(direction, self.drops.len()))
    }

    fn is_led_by_cap(&self, position: &AnyPosition) -> bool {
        position.top(self.from).is_some_and(|(_, kind)| kind == PieceKind::Cap)
    }

    /// The number of the player's own pieces at the bottom of the hand.
    fn friendly(&self, position: &AnyPosition) -> Result<u32, Refused> {
        let player = position.to_move();
        let hand = self.hand(position);
        match hand.colors.iter().take_while(|&&color| color == player).count() {
            0 => Err(Refused::NotFriendly(!player)),
            count => Ok(count as u32),
        }
    }

    /// The legal spreads that begin like this one: direction and drops.
    fn ways(&self, position: &AnyPosition) -> Vec<(Direction, Vec<u32>)> {
        let moves = position.legal_moves();
        let spreads = spreads(&moves, self.from);
        let same = |drops: &[u32]| match self.drops.split_last() {
            None => true,
            Some((last, before)) => {
                drops.len() > before.len() && drops.starts_with(before) && drops[before.len()] >= *last
            }
        };
        spreads
            .filter(|(direction, drops)| {
                self.direction.is_none_or(|own| own == *direction)
                    && drops.iter().sum::<u32>() == self.lifted
                    && same(drops)
            })
            .collect()
    }

    /// Adds to the drops on the last square.
    fn fall(&mut self, count: u32) {
        if let Some(last) = self.drops.last_mut() {
            *last += count;
        }
    }

    /// Returns whether no piece can go beyond the last square.
    fn ends_here(&self, position: &AnyPosition) -> bool {
        let ways = self.ways(position);
        ways.iter().all(|(_, drops)| drops.len() == self.drops.len())
    }

    fn finished(&self, position: &AnyPosition) -> Result<Move, Refused> {
        let is_this = |mv: &Move| match mv.kind() {
            MoveKind::Spread(direction, pattern) => {
                mv.square() == self.from
                    && Some(direction) == self.direction
                    && pattern.drops().map(|drop| drop.count).eq(self.drops.iter().copied())
            }
            MoveKind::Place(_) => false,
        };
        position.legal_moves().into_iter().find(is_this).ok_or(Refused::Impossible)
    }
}

/// The numbers of pieces that these moves lift from a square, fewest first.
pub fn lifts(moves: &[Move], from: Square) -> Vec<u32> {
    let counts: Vec<u32> = spreads(moves, from).map(|(_, drops)| drops.iter().sum()).collect();
    (1..=8).filter(|count| counts.contains(count)).collect()
}

/// The reason why no piece of a square can be lifted.
fn why_not_lifted(position: &AnyPosition, from: Square) -> Refused {
    if position.outcome().is_some() {
        return Refused::Over;
    }
    match position.top(from) {
        None => Refused::Empty(from),
        Some(_) if words::is_swap(position) => Refused::FirstTurn,
        Some((owner, _)) if owner != position.to_move() => Refused::NotYours(from, owner),
        Some(_) => Refused::Stuck(from),
    }
}

/// Direction and drops of the spreads from a square among these moves.
fn spreads(moves: &[Move], from: Square) -> impl Iterator<Item = (Direction, Vec<u32>)> {
    let moves = moves.iter().filter(move |mv| mv.square() == from);
    moves.filter_map(|mv| match mv.kind() {
        MoveKind::Spread(direction, pattern) => Some((direction, pattern.drops().map(|drop| drop.count).collect())),
        MoveKind::Place(_) => None,
    })
}

/// Direction and distance from a square to another one in the same row or column.
fn line_to(from: Square, to: Square) -> Option<(Direction, usize)> {
    let (columns, rows) = (to.column() as i32 - from.column() as i32, to.row() as i32 - from.row() as i32);
    let direction = match (columns.signum(), rows.signum()) {
        (1, 0) => Direction::East,
        (-1, 0) => Direction::West,
        (0, 1) => Direction::North,
        (0, -1) => Direction::South,
        _ => return None,
    };
    Some((direction, (columns + rows).unsigned_abs() as usize))
}

#[cfg(test)]
mod tests;
