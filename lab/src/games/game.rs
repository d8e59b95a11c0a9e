//! The games of self-play as bytes.
//!
//! ```text
//! game     "game", number u32, half komi i8, result i8 (1 White, 0 draw, -1 Black), opening plies u8, plies u16,
//!          then for each ply the move u16 and the score i16,
//!          then the CRC-32 of all of the game u32
//! ```
//!
//! Numbers are little endian. Every position of a game follows from its moves, so a position costs four bytes, and any
//! model of evaluation or move choice can be fitted to the games.

use tak_engine::board::{AnyPosition, Color, Komi, Move, OpeningRule, Size};
use tak_engine::journals::hash::crc32;

/// A move and the finding of the search in the position before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ply {
    /// Legal in the position before it.
    pub mv: Move,
    /// The score for the player to move, in centiflats as `search::Score` counts; 0 for opening plies, which were not
    /// searched.
    pub score: i16,
}

/// A game with the findings of its searches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainingGame {
    /// Its number. The opening is drawn from this and the seed.
    pub number: u32,
    /// Drawn from the komis of the file.
    pub half_komi: i8,
    /// The rule for each player's first turn: a setting of the whole file, which its games do not repeat.
    pub opening_rule: OpeningRule,
    /// The winner, `None` for a draw.
    pub winner: Option<Color>,
    /// Number of plies at the start that were drawn at random.
    pub opening: u8,
    /// All moves. A game that a search has proven won ends there.
    pub plies: Vec<Ply>,
}

/// The first word of every game.
const MARK: &[u8; 4] = b"game";
/// Bytes before the plies.
pub(super) const HEAD: usize = 13;
/// Maximum plies of a game; bytes with a higher number are damaged.
const MAX_PLIES: usize = 1024;

impl TrainingGame {
    /// The position before the first move.
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
        let sum = crc32(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// The number of bytes after the head of a game, 0 if the head is incomplete, `None` if it is damaged.
    pub(super) fn bytes_after(head: &[u8]) -> Option<usize> {
        let mark = &MARK[..head.len().min(MARK.len())];
        let count = head.get(11..HEAD).map_or(0, |count| usize::from(u16::from_le_bytes([count[0], count[1]])));
        let is_game = head.starts_with(mark) && count <= MAX_PLIES;
        is_game.then_some(if head.len() < HEAD { 0 } else { 4 * count + 4 })
    }

    /// The game of these bytes without their check sum, taken to have the usual opening. `None` if they are damaged.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let (head, body) = bytes.split_at_checked(HEAD)?;
        let winner = match head[9] as i8 {
            1 => Some(Color::White),
            0 => None,
            -1 => Some(Color::Black),
            _ => return None,
        };
        let plies = body.chunks_exact(4).map(|ply| {
            let mv = Move::from_bits(u16::from_le_bytes([ply[0], ply[1]]))?;
            let score = i16::from_le_bytes([ply[2], ply[3]]);
            Some(Ply { mv, score })
        });
        Some(Self {
            number: u32::from_le_bytes([head[4], head[5], head[6], head[7]]),
            half_komi: head[8] as i8,
            opening_rule: OpeningRule::Swap,
            winner,
            opening: head[10],
            plies: plies.collect::<Option<_>>()?,
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use tak_engine::board::{PieceKind, Square};

    use super::*;

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
}
