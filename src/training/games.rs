//! The games of self-play as bytes.
//!
//! ```text
//! game     "game", number u32, half komi i8, result i8 (1 White, 0 draw, -1 Black), opening plies u8, plies u16,
//!          then for each ply the move u16 and the score i16,
//!          then the CRC-32 of all of the game u32
//! ```
//!
//! Numbers are little endian. Every position of a game follows from its moves, so a position costs four bytes, and any
//! model of evaluation or move choice can be fitted to the games. A damaged game is found by its check sum, the next one
//! by its first word.

use crate::board::AnyPosition;
use crate::board::{Color, Komi, Move, OpeningRule, Size};

/// A move and what the search thought of the position it was played in.
///
/// ```
/// use tak_engine::training::Ply;
///
/// // The player who moved thought to be ahead by about a flat.
/// let ply = Ply { mv: "c3".parse()?, score: 105 };
/// assert_eq!(ply.mv.to_string(), "c3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ply {
    /// The move played.
    pub mv: Move,
    /// The score for the player to move, in centiflats as `search::Score` counts; 0 for opening plies, which were not
    /// searched.
    pub score: i16,
}

/// One game of self-play.
///
/// ```
/// use tak_engine::board::{OpeningRule, Size};
/// use tak_engine::training::{Ply, TrainingGame};
///
/// let game = TrainingGame {
///     number: 7,
///     half_komi: 4,
///     opening_rule: OpeningRule::Swap,
///     winner: None,
///     opening: 1,
///     plies: vec![Ply { mv: "a1".parse()?, score: 0 }],
/// };
/// let mut position = game.start(Size::ALL[2]);
/// for ply in &game.plies {
///     position.play(ply.mv)?;
/// }
/// assert_eq!((position.ply(), position.komi().half()), (1, 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainingGame {
    /// Its number. The opening is drawn from this and the seed.
    pub number: u32,
    /// Komi in half points.
    pub half_komi: i8,
    /// What each player's first turn does: a setting of the whole file, which its games do not repeat.
    pub opening_rule: OpeningRule,
    /// The winner, `None` for a draw.
    pub winner: Option<Color>,
    /// How many of the first plies were drawn at random.
    pub opening: u8,
    /// All moves. A game that a search has proven won ends there.
    pub plies: Vec<Ply>,
}

/// The first word of every game.
pub(super) const MARK: &[u8; 4] = b"game";
/// Bytes before the plies.
const HEAD: usize = 13;
/// No game has more plies than this; bytes that say so are damaged.
const MOST_PLIES: usize = 1024;
/// Bytes of the longest game.
pub(super) const MOST_BYTES: usize = HEAD + 4 * MOST_PLIES + 4;

/// What bytes are, read as a game.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Parsed {
    /// A game of so many bytes.
    Game(TrainingGame, usize),
    /// The beginning of a game that goes on after the last byte.
    Cut,
    /// Something else.
    Damaged,
}

impl TrainingGame {
    /// The position before the first move.
    #[must_use]
    pub fn start(&self, size: Size) -> AnyPosition {
        let komi = Komi::from_half(self.half_komi.into()).unwrap_or_default();
        AnyPosition::start_with(size, komi, self.opening_rule)
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + 4 * self.plies.len() + 4);
        let result = match self.winner {
            Some(Color::White) => 1i8,
            None => 0,
            Some(Color::Black) => -1,
        };
        bytes.extend(MARK);
        bytes.extend(self.number.to_le_bytes());
        bytes.extend(self.half_komi.to_le_bytes());
        bytes.extend(result.to_le_bytes());
        bytes.push(self.opening);
        bytes.extend((self.plies.len() as u16).to_le_bytes());
        for ply in &self.plies {
            bytes.extend(ply.mv.bits().to_le_bytes());
            bytes.extend(ply.score.to_le_bytes());
        }
        let sum = crc32fast::hash(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// The game that `bytes` begin with, taken to have the usual opening.
    pub(super) fn parse(bytes: &[u8]) -> Parsed {
        let Some(head) = bytes.get(..HEAD) else {
            return if bytes.starts_with(MARK) || MARK.starts_with(bytes) { Parsed::Cut } else { Parsed::Damaged };
        };
        let count = usize::from(u16::from_le_bytes([head[11], head[12]]));
        if !head.starts_with(MARK) || count > MOST_PLIES {
            return Parsed::Damaged;
        }
        let end = HEAD + 4 * count;
        let (Some(body), Some(sum)) = (bytes.get(HEAD..end), bytes.get(end..end + 4)) else {
            return Parsed::Cut;
        };
        if sum != crc32fast::hash(&bytes[..end]).to_le_bytes() {
            return Parsed::Damaged;
        }
        let winner = match head[9] as i8 {
            1 => Some(Color::White),
            0 => None,
            -1 => Some(Color::Black),
            _ => return Parsed::Damaged,
        };
        let plies = body.chunks_exact(4).map(|ply| {
            let mv = Move::from_bits(u16::from_le_bytes([ply[0], ply[1]]))?;
            let score = i16::from_le_bytes([ply[2], ply[3]]);
            Some(Ply { mv, score })
        });
        let Some(plies) = plies.collect() else {
            return Parsed::Damaged;
        };
        let game = Self {
            number: u32::from_le_bytes([head[4], head[5], head[6], head[7]]),
            half_komi: head[8] as i8,
            opening_rule: OpeningRule::Swap,
            winner,
            opening: head[10],
            plies,
        };
        Parsed::Game(game, end + 4)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::board::{PieceKind, Square};

    pub fn toy_game(number: u32, plies: usize) -> TrainingGame {
        let mv = Move::place(PieceKind::Wall, Square::new(1, 2));
        let plies = (0..plies).map(|i| Ply { mv, score: i as i16 - 3 }).collect();
        TrainingGame {
            number,
            half_komi: -4,
            opening_rule: OpeningRule::Swap,
            winner: Some(Color::Black),
            opening: 4,
            plies,
        }
    }

    #[test]
    fn a_game_is_read_back_and_no_other_bytes_are() {
        let game = toy_game(70_000, 9);
        let bytes = game.to_bytes();
        let parsed = TrainingGame::parse(&[&bytes[..], b"game"].concat());
        assert_eq!(parsed, Parsed::Game(game, bytes.len()));
        for end in 0..bytes.len() {
            assert_eq!(TrainingGame::parse(&bytes[..end]), Parsed::Cut, "{end}");
        }
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            // A longer game cannot be told from one that is cut.
            let parsed = TrainingGame::parse(&flipped);
            let is_length = (11..13).contains(&(bit / 8)) && parsed == Parsed::Cut;
            assert!(parsed == Parsed::Damaged || is_length, "bit {bit}");
        }
        let longest = toy_game(1, MOST_PLIES).to_bytes();
        assert_eq!(longest.len(), MOST_BYTES);
        assert!(matches!(TrainingGame::parse(&longest), Parsed::Game(..)));
        assert_eq!(TrainingGame::parse(&toy_game(1, MOST_PLIES + 1).to_bytes()), Parsed::Damaged);
    }
}
