//! What is to be proven, and which positions settle it by themselves.

use crate::board::{Color, Position};

/// A claim about one player, the attacker. Everyone else's is its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Goal {
    pub attacker: Color,
    /// Whether a draw is enough.
    pub draw_is_enough: bool,
}

impl Goal {
    pub fn win(attacker: Color) -> Self {
        Self {
            attacker,
            draw_is_enough: false,
        }
    }

    pub fn draw(attacker: Color) -> Self {
        Self {
            attacker,
            draw_is_enough: true,
        }
    }

    /// Tells apart what the table knows for different goals.
    pub fn salt(self) -> u64 {
        let index = 2 * self.attacker.index() as u64 + u64::from(self.draw_is_enough) + 1;
        index.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}

/// Positions that the game's own history has brought up so often that coming back to them is a draw.
///
/// Repetition needs nothing more. Proofs count the plies to the end, each of the attacker's moves leads to a proof with
/// fewer of them, and so no line that the attacker allows sees a position twice.
#[derive(Debug, Default)]
pub(super) struct Worn {
    hashes: Vec<u64>,
    /// With a single occurrence being a draw, every position is worn.
    all: bool,
}

impl Worn {
    /// `history` are the hashes of the game before `now`; `repetitions` occurrences are a draw, 0 for never.
    pub fn new(history: &[u64], now: u64, repetitions: u32) -> Self {
        let wanted = repetitions as usize;
        let seen: Vec<u64> = history.iter().copied().chain([now]).collect();
        let count = |hash: u64| seen.iter().filter(|&&other| other == hash).count();
        let mut hashes: Vec<u64> = seen
            .iter()
            .copied()
            .filter(|&hash| wanted > 0 && count(hash) + 1 >= wanted)
            .collect();
        hashes.sort_unstable();
        hashes.dedup();
        Self {
            hashes,
            all: wanted == 1,
        }
    }

    pub fn contains(&self, hash: u64) -> bool {
        self.all || self.hashes.contains(&hash)
    }
}

/// Whether the attacker has reached the goal in a position where the game has ended; `None` where it goes on.
pub(super) fn settled<const N: usize>(
    position: &Position<N>,
    goal: Goal,
    worn: &Worn,
) -> Option<bool> {
    match position.outcome() {
        Some(outcome) => Some(match outcome.winner {
            Some(winner) => winner == goal.attacker,
            None => goal.draw_is_enough,
        }),
        None => worn
            .contains(position.hash())
            .then_some(goal.draw_is_enough),
    }
}

/// Whether a placement by the player to move can end the game: the last piece or the last empty square.
pub(super) fn is_last_turn<const N: usize>(position: &Position<N>) -> bool {
    position.reserve(position.to_move()).total() == 1 || position.empty().count() == 1
}
