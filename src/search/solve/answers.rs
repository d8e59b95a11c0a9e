//! Which moves may answer a threatened road.
//!
//! Every move that completes a road at once has its squares: those of a road that it makes, and for a spread also those
//! that it runs over. An answer that leaves them all as they are does not stop the move, so it has to change a square of
//! each such move. For longer threats such sets of squares are known as relevance zones (Thomsen, "Lambda-Search in Game
//! Trees - with Application to Go", 2000). This is no bet: what is refused loses at once.

use crate::board::{Bitboard, Color, Move, MoveKind, Position, Square};

/// Winning placements that are looked at; with more of them hardly any further move is refused.
const MOST: usize = 3;

/// What a player threatens to do at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Answers {
    /// The squares of each winning move; where there are fewer, the first one again.
    zones: [Bitboard; MOST],
    /// Whether the threat is a spread, which runs over flats.
    by_spread: bool,
    /// Whether any placement ends the game on flats.
    placing_ends: bool,
    /// A spread over all of these may fill the board and so end the game on flats.
    empty: Bitboard,
}

impl Answers {
    /// To the threats of `color` against the player to move; `None` if there is none.
    pub fn to<const N: usize>(position: &mut Position<N>, color: Color) -> Option<Self> {
        let road = position.road_pieces(color);
        let critical = position.critical_squares(color);
        let placements = position.winning_placements(color, critical);
        let by_spread = placements.is_empty();
        let zones = if let Some(first) = placements.first() {
            let made = |square: Square| (road | square.bit()).short_road::<N>();
            let mut zones = [made(first); MOST];
            for (zone, square) in zones.iter_mut().zip(placements).skip(1) {
                *zone = made(square);
            }
            zones
        } else {
            let spread = position.winning_spread(color, critical)?;
            let undo = position.play_unchecked(spread);
            let made = position.road_pieces(color).short_road::<N>();
            position.unplay(spread, undo);
            [made | spread.square().bit() | spread.covered(); MOST]
        };
        Some(Self {
            zones,
            by_spread,
            placing_ends: position.is_last_turn(),
            empty: position.empty(),
        })
    }

    /// Whether `mv` may be an answer, be it by ending the game on flats. What is allowed may still fail. The caller has
    /// made sure that no move completes a road of its own.
    pub fn allow(&self, mv: Move) -> bool {
        let changed = match mv.kind() {
            MoveKind::Place(_) if self.placing_ends => return true,
            MoveKind::Place(kind) if self.by_spread && !kind.blocks() => return false,
            MoveKind::Place(_) => mv.square().bit(),
            MoveKind::Spread(..) => mv.covered(),
        };
        self.empty.without(changed).is_empty()
            || self.zones.iter().all(|&zone| changed.intersects(zone))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Komi;

    /// Plays random games and returns how many moves were refused in them, each of which must lose at once.
    fn refused<const N: usize>(games: usize) -> usize {
        let mut state = 88_172_645_463_325_252_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as usize
        };
        let mut refused = 0;
        for _ in 0..games {
            let mut position = Position::<N>::start(Komi::ZERO);
            while position.outcome().is_none() {
                let moves = position.legal_moves();
                let mover = position.to_move();
                let answers = Answers::to(&mut position, !mover)
                    .filter(|_| position.winning_move(mover).is_none());
                for &mv in &moves {
                    if answers.is_none_or(|answers| answers.allow(mv)) {
                        continue;
                    }
                    let undo = position.play_unchecked(mv);
                    let loses = match position.outcome() {
                        Some(outcome) => outcome.winner == Some(!mover),
                        None => position.winning_move(!mover).is_some(),
                    };
                    assert!(loses, "{mv:?} is an answer: {position:?}");
                    position.unplay(mv, undo);
                    refused += 1;
                }
                position.play_unchecked(moves[next() % moves.len()]);
            }
        }
        refused
    }

    #[test]
    fn what_is_refused_loses_at_once() {
        let refused = [
            refused::<3>(2000),
            refused::<4>(2000),
            refused::<5>(1000),
            refused::<6>(500),
        ];
        assert!(refused.iter().all(|&count| count > 10_000), "{refused:?}");
    }
}
