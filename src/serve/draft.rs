//! A spread that is being made: pieces in hand, some dropped already. Everything that may still be done is read off the
//! list of legal moves, so there are no second rules that could differ from the first.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::words::{self, Pile};
use crate::board::{AnyPosition, Color, Direction, Move, MoveKind, PieceKind, Square};

/// A spread so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// Where the pieces come from.
    #[serde(with = "square_text")]
    pub from: Square,
    /// How many were lifted.
    pub lifted: u32,
    /// Where they go; `None` as long as nothing is dropped.
    #[serde(with = "direction_text")]
    pub direction: Option<Direction>,
    /// How many were dropped on the first square, the second and so on.
    pub drops: Vec<u32>,
}

/// What comes of a drop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// There are still pieces in hand.
    On(Draft),
    /// All are dropped.
    Done(Move),
    /// They are back where they came from.
    Back,
}

/// Why something cannot be done with pieces.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    #[error("the game is over")]
    Over,
    #[error("{0} is empty")]
    Empty(Square),
    #[error("the stack on {0} belongs to {1}")]
    NotYours(Square, Color),
    #[error("in the first turn a piece is placed, none is moved")]
    FirstTurn,
    #[error("the stack on {0} cannot move: edges, walls and capstones are all around it")]
    Stuck(Square),
    #[error("from {from} {} can be lifted at most", words::pieces(*.most))]
    TooMany { from: Square, most: u32 },
    #[error("at least one piece has to be lifted")]
    None,
    #[error("pieces go on in one straight line from {0}")]
    NotInLine(Square),
    #[error("pieces do not go back")]
    Behind,
    #[error("a piece has to fall on {0} first")]
    Skipped(Square),
    #[error("the {} {} on {square} is in the way", words::adjective(*.color), words::kind(*.kind))]
    InTheWay {
        square: Square,
        color: Color,
        kind: PieceKind,
    },
    #[error("only the capstone alone can flatten the wall on {0}")]
    NotAlone(Square),
    #[error("the bottom piece in hand belongs to {0}")]
    NotFriendly(Color),
    #[error("there is no such spread")]
    Impossible,
}

impl Draft {
    /// Lifts pieces; as many as may be lifted if it does not say how many.
    ///
    /// # Errors
    /// Why the stack cannot move, or not with so many.
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
        Ok(Self {
            from,
            lifted,
            direction: None,
            drops: Vec::new(),
        })
    }

    /// Drops the bottom piece on a square, or with `friendly` all the player's own pieces at the bottom of the hand. Where
    /// the rest can fall nowhere else, it falls with them.
    ///
    /// # Errors
    /// Why none can fall there.
    pub fn drop(
        &self,
        position: &AnyPosition,
        on: Square,
        friendly: bool,
    ) -> Result<Step, Refused> {
        if self.drops.is_empty() && on == self.from {
            return Ok(Step::Back);
        }
        self.reach(position, on)?;
        let mut draft = self.clone();
        let direction = self
            .direction
            .or_else(|| step_to(self.from, on))
            .ok_or(Refused::Impossible)?;
        draft.direction = Some(direction);
        if self.last() != Some(on) {
            draft.drops.push(0);
        }
        draft.fall(if friendly {
            self.friendly(position)?
        } else {
            1
        });
        if draft.ends_here(position) {
            draft.fall(draft.in_hand());
        }
        if draft.in_hand() > 0 {
            return Ok(Step::On(draft));
        }
        draft.finished(position).map(Step::Done)
    }

    /// Whether the next piece may fall on a square.
    ///
    /// # Errors
    /// Why not.
    pub fn reach(&self, position: &AnyPosition, on: Square) -> Result<(), Refused> {
        if self.next(position).contains(&on) {
            return Ok(());
        }
        let steps = |square: Square| {
            let (columns, rows) = (
                square.column() as i32 - self.from.column() as i32,
                square.row() as i32 - self.from.row() as i32,
            );
            (columns, rows)
        };
        let (columns, rows) = steps(on);
        if (columns != 0) == (rows != 0) {
            return Err(Refused::NotInLine(self.from));
        }
        let direction = match (columns.signum(), rows.signum()) {
            (1, _) => Direction::East,
            (-1, _) => Direction::West,
            (_, 1) => Direction::North,
            _ => Direction::South,
        };
        let distance = (columns + rows).unsigned_abs() as usize;
        if self.direction.is_some_and(|own| own != direction) {
            return Err(Refused::NotInLine(self.from));
        }
        if distance < self.drops.len() {
            return Err(Refused::Behind);
        }
        if distance > self.drops.len() + 1 {
            return Err(Refused::Skipped(
                self.from.step(direction, self.drops.len() + 1),
            ));
        }
        Err(match position.top(on) {
            Some((_, PieceKind::Wall)) if self.is_led_by_cap(position) => Refused::NotAlone(on),
            Some((color, kind)) if kind.blocks() => Refused::InTheWay {
                square: on,
                color,
                kind,
            },
            _ => Refused::Impossible,
        })
    }

    /// The squares that the next piece may fall on; not the stack's own.
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
            if drops.len() > dropped
                && (dropped == 0 || drops[dropped - 1] == self.drops[dropped - 1])
            {
                add(self.from.step(direction, dropped + 1));
            }
        }
        next
    }

    /// Whether this can be a part of a spread. What comes from outside has to be asked.
    ///
    /// # Errors
    /// [`Refused::Impossible`] if it cannot.
    pub fn check(&self, position: &AnyPosition) -> Result<(), Refused> {
        let agrees = self.direction.is_some() != self.drops.is_empty() && !self.drops.contains(&0);
        let sum = self
            .drops
            .iter()
            .fold(0u32, |sum, &drop| sum.saturating_add(drop));
        if agrees && sum < self.lifted && !self.ways(position).is_empty() {
            Ok(())
        } else {
            Err(Refused::Impossible)
        }
    }

    /// Pieces in hand.
    pub fn in_hand(&self) -> u32 {
        self.lifted - self.drops.iter().sum::<u32>()
    }

    /// The pieces in hand.
    pub fn hand(&self, position: &AnyPosition) -> Pile {
        let pile = Pile::on(position, self.from);
        let dropped = pile.colors.len() - self.in_hand() as usize;
        Pile {
            colors: pile.colors[dropped..].to_vec(),
            top: pile.top,
        }
    }

    /// The stacks on the squares that have changed.
    pub fn piles(&self, position: &AnyPosition) -> Vec<(Square, Pile)> {
        let whole = Pile::on(position, self.from);
        let mut left = whole.colors.len() - self.lifted as usize;
        let mut piles = vec![(
            self.from,
            Pile {
                colors: whole.colors[..left].to_vec(),
                top: PieceKind::Flat,
            },
        )];
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

    /// What is in hand and where it may go.
    pub fn says(&self, position: &AnyPosition) -> String {
        let hand = self.hand(position);
        let next: Vec<String> = self.next(position).iter().map(Square::to_string).collect();
        let bottom = hand
            .colors
            .first()
            .map_or("", |&color| words::adjective(color));
        let what = match hand.colors.len() {
            1 => format!("{} in hand", hand.says()),
            count => format!("{count} in hand, the bottom one {bottom}"),
        };
        format!("{what}; next may be {}", next.join(" or "))
    }

    /// Whether the next drop on this square flattens a wall.
    pub fn flattens(&self, position: &AnyPosition, on: Square) -> bool {
        position
            .top(on)
            .is_some_and(|(_, kind)| kind == PieceKind::Wall)
            && self.reach(position, on).is_ok()
    }

    /// The last square that a piece fell on.
    fn last(&self) -> Option<Square> {
        self.direction
            .map(|direction| self.from.step(direction, self.drops.len()))
    }

    fn is_led_by_cap(&self, position: &AnyPosition) -> bool {
        position
            .top(self.from)
            .is_some_and(|(_, kind)| kind == PieceKind::Cap)
    }

    /// How many pieces at the bottom of the hand belong to the player.
    fn friendly(&self, position: &AnyPosition) -> Result<u32, Refused> {
        let player = position.to_move();
        let hand = self.hand(position);
        match hand
            .colors
            .iter()
            .take_while(|&&color| color == player)
            .count()
        {
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
                drops.len() > before.len()
                    && drops.starts_with(before)
                    && drops[before.len()] >= *last
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

    /// So many more on the last square.
    fn fall(&mut self, count: u32) {
        if let Some(last) = self.drops.last_mut() {
            *last += count;
        }
    }

    /// Whether no piece can go on from the last square.
    fn ends_here(&self, position: &AnyPosition) -> bool {
        let ways = self.ways(position);
        ways.iter()
            .all(|(_, drops)| drops.len() == self.drops.len())
    }

    fn finished(&self, position: &AnyPosition) -> Result<Move, Refused> {
        let is_this = |mv: &Move| match mv.kind() {
            MoveKind::Spread(direction, pattern) => {
                mv.square() == self.from
                    && Some(direction) == self.direction
                    && pattern
                        .drops()
                        .map(|drop| drop.count)
                        .eq(self.drops.iter().copied())
            }
            MoveKind::Place(_) => false,
        };
        position
            .legal_moves()
            .into_iter()
            .find(is_this)
            .ok_or(Refused::Impossible)
    }
}

/// How many pieces may be lifted from a square by one of these moves, fewest first; none where nothing can move.
pub fn lifts(moves: &[Move], from: Square) -> Vec<u32> {
    let counts = spreads(moves, from).map(|(_, drops)| drops.iter().sum());
    counts.collect::<BTreeSet<u32>>().into_iter().collect()
}

/// Why no piece of a square can be lifted, where that is so.
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

/// The spreads from a square that are among these moves: direction and drops.
fn spreads(moves: &[Move], from: Square) -> impl Iterator<Item = (Direction, Vec<u32>)> {
    let moves = moves.iter().filter(move |mv| mv.square() == from);
    moves.filter_map(|mv| match mv.kind() {
        MoveKind::Spread(direction, pattern) => {
            Some((direction, pattern.drops().map(|drop| drop.count).collect()))
        }
        MoveKind::Place(_) => None,
    })
}

/// The direction to a square next to another.
fn step_to(from: Square, to: Square) -> Option<Direction> {
    Direction::ALL
        .into_iter()
        .find(|&direction| from.step(direction, 1) == to)
}

/// Squares as `c3`.
pub mod square_text {
    use serde::{Deserialize, Deserializer, Serializer, de};

    use crate::board::{Move, Square};

    // serde asks for a reference
    #[allow(clippy::trivially_copy_pass_by_ref)]
    pub fn serialize<S: Serializer>(square: &Square, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(square)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Square, D::Error> {
        let text = String::deserialize(deserializer)?;
        // The shortest move is a square.
        let square = text.parse::<Move>().ok().map(Move::square);
        square
            .filter(|square| square.to_string() == text)
            .ok_or_else(|| de::Error::custom("expected a square such as c3"))
    }
}

/// Directions as `+`, `>`, `-`, `<`.
mod direction_text {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    use crate::board::Direction;

    // serde asks for a reference
    #[allow(clippy::ref_option, clippy::trivially_copy_pass_by_ref)]
    pub fn serialize<S: Serializer>(
        direction: &Option<Direction>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        direction.map(Direction::symbol).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Direction>, D::Error> {
        let Some(symbol) = Option::<char>::deserialize(deserializer)? else {
            return Ok(None);
        };
        let direction = Direction::ALL
            .into_iter()
            .find(|direction| direction.symbol() == symbol);
        direction
            .map(Some)
            .ok_or_else(|| de::Error::custom("expected a direction: + > - or <"))
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::SmallRng;
    use rand::seq::IndexedRandom;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::board::{Komi, Size};

    fn square(text: &str) -> Square {
        text.parse::<Move>().unwrap().square()
    }

    fn all_squares(size: Size) -> impl Iterator<Item = Square> {
        let width = size.width();
        (0..width).flat_map(move |row| (0..width).map(move |column| Square::new(column, row)))
    }

    /// Positions of random games that rather move than place, so that stacks grow.
    fn positions(count: usize) -> Vec<AnyPosition> {
        let mut random = SmallRng::seed_from_u64(15);
        let mut positions = Vec::new();
        while positions.len() < count {
            let size = Size::ALL[random.random_range(0..6)];
            let mut position = AnyPosition::start(size, Komi::ZERO);
            for _ in 0..random.random_range(10..120) {
                let mut moves = position.legal_moves();
                let spreads: Vec<Move> =
                    moves.iter().copied().filter(|mv| mv.is_spread()).collect();
                if !spreads.is_empty() && random.random_bool(0.6) {
                    moves = spreads;
                }
                let Some(&mv) = moves.choose(&mut random) else {
                    break;
                };
                position.play_unchecked(mv);
            }
            if position.outcome().is_none() {
                positions.push(position);
            }
        }
        positions
    }

    /// Drops one piece after the other as a move says.
    fn drop_all(position: &AnyPosition, mv: Move) -> Step {
        let MoveKind::Spread(direction, pattern) = mv.kind() else {
            panic!("{mv} is no spread");
        };
        let mut draft = Draft::lift(position, mv.square(), Some(pattern.lifted())).unwrap();
        for (steps, drop) in (1..).zip(pattern.drops()) {
            for _ in 0..drop.count {
                draft.check(position).unwrap();
                match draft
                    .drop(position, mv.square().step(direction, steps), false)
                    .unwrap()
                {
                    Step::On(on) => draft = on,
                    end => return end,
                }
            }
        }
        Step::On(draft)
    }

    #[test]
    fn every_legal_spread_can_be_made_and_no_other() {
        let mut made = 0;
        for position in positions(60) {
            let moves = position.legal_moves();
            for &mv in moves.iter().filter(|mv| mv.is_spread()) {
                assert_eq!(drop_all(&position, mv), Step::Done(mv), "{position}");
                made += 1;
            }
        }
        assert!(made > 1000, "only {made} spreads");
    }

    #[test]
    fn whatever_is_done_at_random_ends_in_a_legal_move() {
        let mut random = SmallRng::seed_from_u64(1);
        for position in positions(200) {
            let moves = position.legal_moves();
            for from in all_squares(position.size()) {
                let Ok(mut draft) = Draft::lift(&position, from, None) else {
                    assert!(lifts(&moves, from).is_empty());
                    continue;
                };
                loop {
                    let next = draft.next(&position);
                    // The squares that are said to be possible are, and of all others there is told why not.
                    for square in all_squares(position.size()).filter(|&square| square != from) {
                        let reached = draft.reach(&position, square);
                        assert_eq!(
                            reached.is_ok(),
                            next.contains(&square),
                            "{position} {draft:?}"
                        );
                        assert_ne!(
                            reached,
                            Err(Refused::Impossible),
                            "{position} {draft:?} {square}"
                        );
                    }
                    let on = *next.choose(&mut random).unwrap();
                    let friendly = random.random_bool(0.3);
                    match draft.drop(&position, on, friendly) {
                        Ok(Step::On(on)) => draft = on,
                        Ok(Step::Done(mv)) => {
                            assert!(moves.contains(&mv), "{position}: {mv}");
                            break;
                        }
                        Err(Refused::NotFriendly(owner)) => {
                            assert!(friendly && owner != position.to_move());
                            assert_eq!(draft.hand(&position).colors[0], owner);
                        }
                        other => panic!("{position} {draft:?}: {other:?}"),
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_seen_of_a_draft_is_what_the_board_will_be() {
        for position in positions(60) {
            for mv in position
                .legal_moves()
                .into_iter()
                .filter(|mv| mv.is_spread())
            {
                let MoveKind::Spread(direction, pattern) = mv.kind() else {
                    unreachable!("only spreads are taken");
                };
                let draft = Draft {
                    from: mv.square(),
                    lifted: pattern.lifted(),
                    direction: Some(direction),
                    drops: pattern.drops().map(|drop| drop.count).collect(),
                };
                let mut after = position.clone();
                after.play_unchecked(mv);
                for (square, pile) in draft.piles(&position) {
                    assert_eq!(
                        pile.colors,
                        Pile::on(&after, square).colors,
                        "{position} {mv} {square}"
                    );
                }
            }
        }
    }

    #[test]
    fn friendly_pieces_fall_together_and_the_rest_follows_where_it_must() {
        // White's stack on a2, from the bottom: white, white, black, white.
        let position: AnyPosition = "x5/x5/x5/1121,x4/x4,2S 1 20".parse().unwrap();
        let draft = Draft::lift(&position, square("a2"), None).unwrap();
        assert_eq!((draft.lifted, draft.in_hand()), (4, 4));
        assert_eq!(
            draft.says(&position),
            "4 in hand, the bottom one white; next may be a3 or b2 or a1"
        );
        let Ok(Step::On(draft)) = draft.drop(&position, square("b2"), true) else {
            panic!("two are left");
        };
        assert_eq!((&draft.drops[..], draft.in_hand()), (&[2][..], 2));
        assert_eq!(draft.hand(&position).code(), "21");
        assert_eq!(
            draft.drop(&position, square("b2"), true),
            Err(Refused::NotFriendly(Color::Black))
        );
        // Down there is one square only, so all fall at once.
        let down = Draft::lift(&position, square("a2"), Some(3)).unwrap();
        let done = down.drop(&position, square("a1"), false);
        assert_eq!(done, Ok(Step::Done("3a2-".parse().unwrap())));
        assert_eq!(down.drop(&position, square("a2"), false), Ok(Step::Back));
    }

    #[test]
    fn refusals_say_why() {
        // White's capstone on c3 above a black piece, a white wall on c4, a black capstone on b3, a black wall on e3.
        let position: AnyPosition = "x5/x2,1S,x2/x,2C,21C,x,2S/1,x4/2,x4 1 20".parse().unwrap();
        let lift = |from, count| {
            Draft::lift(&position, square(from), count).map_err(|error| error.to_string())
        };
        for (from, count, why) in [
            ("a5", None, "a5 is empty"),
            ("a1", None, "the stack on a1 belongs to Black"),
            ("a2", Some(2), "from a2 1 piece can be lifted at most"),
            ("c3", Some(3), "from c3 2 pieces can be lifted at most"),
            ("c3", Some(0), "at least one piece has to be lifted"),
        ] {
            assert_eq!(lift(from, count), Err(why.to_owned()));
        }
        let draft = lift("c3", None).unwrap();
        let reach = |draft: &Draft, on| {
            draft
                .reach(&position, square(on))
                .map_err(|error| error.to_string())
        };
        for (on, why) in [
            ("c4", "only the capstone alone can flatten the wall on c4"),
            ("b3", "the black capstone on b3 is in the way"),
            ("d4", "pieces go on in one straight line from c3"),
            ("c1", "a piece has to fall on c2 first"),
        ] {
            assert_eq!(reach(&draft, on), Err(why.to_owned()));
        }
        let Ok(Step::On(draft)) = draft.drop(&position, square("d3"), false) else {
            panic!("the capstone is left");
        };
        assert!(
            draft.flattens(&position, square("e3")) && !draft.flattens(&position, square("d3"))
        );
        assert_eq!(
            draft.says(&position),
            "black capstone in hand; next may be d3 or e3".replace("black", "white")
        );
        assert_eq!(
            reach(&draft, "c2"),
            Err("pieces go on in one straight line from c3".to_owned())
        );
        let flattened = draft.drop(&position, square("e3"), false);
        assert_eq!(flattened, Ok(Step::Done("2c3>11".parse().unwrap())));
        // In the first turn nothing moves, and a stack that is shut in does not either.
        let first: AnyPosition = "x3/x3/2,x2 2 1".parse().unwrap();
        assert_eq!(
            Draft::lift(&first, square("a1"), None),
            Err(Refused::FirstTurn)
        );
        let shut: AnyPosition = "x3/2S,x2/1,2S,x 1 9".parse().unwrap();
        assert_eq!(
            Draft::lift(&shut, square("a1"), None),
            Err(Refused::Stuck(square("a1")))
        );
        let over: AnyPosition = "x3/1,1,1/2,2,x 2 4".parse().unwrap();
        assert_eq!(Draft::lift(&over, square("a1"), None), Err(Refused::Over));
    }

    #[test]
    fn drafts_from_outside_are_checked() {
        let position: AnyPosition = "x5/x5/x5/1121,x4/x5 1 20".parse().unwrap();
        let check =
            |text: &str| serde_json::from_str::<Draft>(text).map(|draft| draft.check(&position));
        let draft = r#"{"from":"a2","lifted":4,"direction":">","drops":[1,2]}"#;
        assert_eq!(check(draft).unwrap(), Ok(()));
        for wrong in [
            r#"{"from":"a2","lifted":4,"direction":">","drops":[]}"#,
            r#"{"from":"a2","lifted":4,"direction":null,"drops":[1]}"#,
            r#"{"from":"a2","lifted":4,"direction":">","drops":[4]}"#,
            r#"{"from":"a2","lifted":4,"direction":">","drops":[1,0]}"#,
            r#"{"from":"a2","lifted":4,"direction":"<","drops":[1]}"#,
            r#"{"from":"a2","lifted":9,"direction":">","drops":[1]}"#,
            r#"{"from":"a2","lifted":4,"direction":">","drops":[4294967295,4294967295]}"#,
            r#"{"from":"h8","lifted":1,"direction":null,"drops":[]}"#,
        ] {
            assert_eq!(check(wrong).unwrap(), Err(Refused::Impossible), "{wrong}");
        }
        for text in [
            r#"{"from":"i9","lifted":1,"direction":null,"drops":[]}"#,
            r#"{"from":"Ca1","lifted":1,"direction":null,"drops":[]}"#,
            r#"{"from":"a2","lifted":-1,"direction":null,"drops":[]}"#,
            r#"{"from":"a2","lifted":1,"direction":"^","drops":[]}"#,
        ] {
            assert!(check(text).is_err(), "{text}");
        }
    }
}
