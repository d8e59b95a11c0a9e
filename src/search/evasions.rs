//! Which moves may answer a threatened road.
//!
//! Every move that completes a road at once has its squares: those of a road that it makes, and for a spread also those
//! that it runs over. An answer that leaves them all as they are does not stop the move, so it has to change a square of
//! each such move. For longer threats such sets of squares are known as relevance zones (Thomsen, "Lambda-Search in Game
//! Trees - with Application to Go", 2000). This is no bet: what is refused loses at once.
//!
//! The search asks at every node whether there is a threat, and mostly there is none; until it needs the moves it takes all
//! road pieces of the opponent for one zone. The solver spends more, and refuses more.

use super::params::{room, solve_zones};
use crate::board::{Bitboard, Color, Move, MoveKind, Position, Square};

/// Room for zones of the solver.
const MAX_ZONES: usize = room::solve_zones as usize;

/// The answers to what a player threatens to do at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct EvasionSet<const ZONES: usize> {
    /// A spread has to cover a square of each.
    zones: [Bitboard; ZONES],
    /// A placement has to be on one of these.
    places: Bitboard,
    /// Whether the threat is a spread, which runs over flats.
    by_spread: bool,
    /// Whether any placement ends the game on flats.
    placing_ends: bool,
    /// A spread over all of these may fill the board and so end the game on flats.
    empty: Bitboard,
    /// Whether any spread may be an answer, because it may come back to a position that is a draw.
    any_spread: bool,
}

/// As the search knows them.
pub(super) type Evasions = EvasionSet<1>;

/// As the solver knows them, with a zone for each of the winning placements that are looked at; where there are fewer, the
/// first one again.
pub(super) type ExactEvasions = EvasionSet<MAX_ZONES>;

impl Evasions {
    /// To the threats of `color` against the player to move; `None` if there is none. With `any_spread` some spread may
    /// come back to a position that is a draw.
    pub fn coarse<const N: usize>(position: &Position<N>, color: Color, any_spread: bool) -> Option<Self> {
        let critical = position.critical_squares(color);
        let placements = position.winning_placements(color, critical);
        let by_spread = placements.is_empty();
        let (changed, places) = if by_spread {
            let spread = position.winning_spread(color, critical)?;
            let covered = spread.covered();
            (covered | spread.square().bit(), covered)
        } else {
            // Of two squares a placement can fill only one.
            let only = placements.count() == 1;
            (placements, if only { placements } else { Bitboard::EMPTY })
        };
        Some(Self {
            zones: [changed | position.road_pieces(color)],
            places,
            by_spread,
            placing_ends: position.is_last_turn(),
            empty: position.empty(),
            any_spread,
        })
    }

    /// The same with a smaller zone, of one road that a placement would make. That takes longer, so it waits until the moves
    /// of a node are asked for: most nodes are done before.
    pub fn narrowed<const N: usize>(mut self, position: &Position<N>) -> Self {
        let road = position.road_pieces(!position.to_move());
        let winning = self.zones[0].without(road).first();
        if let Some(square) = winning.filter(|_| !self.by_spread) {
            self.zones[0] = (road | square.bit()).short_road::<N>();
        }
        self
    }
}

impl ExactEvasions {
    /// To the threats of `color` against the player to move; `None` if there is none.
    pub fn exact<const N: usize>(position: &mut Position<N>, color: Color) -> Option<Self> {
        let road = position.road_pieces(color);
        let critical = position.critical_squares(color);
        let placements = position.winning_placements(color, critical);
        let by_spread = placements.is_empty();
        let zones = if let Some(first) = placements.first() {
            let made = |square: Square| (road | square.bit()).short_road::<N>();
            let mut zones = [made(first); MAX_ZONES];
            let wanted = zones.iter_mut().take(solve_zones() as usize);
            for (zone, square) in wanted.zip(placements).skip(1) {
                *zone = made(square);
            }
            zones
        } else {
            let spread = position.winning_spread(color, critical)?;
            let undo = position.play_unchecked(spread);
            let made = position.road_pieces(color).short_road::<N>();
            position.unplay(spread, undo);
            [made | spread.square().bit() | spread.covered(); MAX_ZONES]
        };
        Some(Self {
            zones,
            places: zones.iter().fold(position.empty(), |all, &zone| all & zone),
            by_spread,
            placing_ends: position.is_last_turn(),
            empty: position.empty(),
            any_spread: false,
        })
    }
}

impl<const ZONES: usize> EvasionSet<ZONES> {
    /// Whether `mv` may be an answer; ending the game on flats counts as one. What is allowed may still fail. The caller has
    /// made sure that no move completes a road of its own.
    #[inline]
    pub fn allow(&self, mv: Move) -> bool {
        match mv.kind() {
            MoveKind::Place(kind) => {
                self.placing_ends || (kind.blocks() || !self.by_spread) && self.places.contains(mv.square())
            }
            MoveKind::Spread(..) => {
                let covered = mv.covered();
                self.any_spread
                    || self.empty.without(covered).is_empty()
                    || self.zones.iter().all(|&zone| covered.intersects(zone))
            }
        }
    }
}

#[cfg(test)]
#[macro_use]
#[path = "../../tests/all/playout.rs"]
mod playout;

#[cfg(test)]
#[allow(dead_code)]
#[path = "../../tests/all/cases.rs"]
mod cases;

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::cases::cases;
    use super::playout::{STYLES, random_board, random_game};
    use super::*;

    /// What was tested.
    #[derive(Debug, Default)]
    struct Seen {
        /// Positions with a threat by a placement, by a spread only, and with few squares left.
        by_placement: u32,
        by_spread: u32,
        nearly_full: u32,
        /// Moves refused, by the coarse answers, by the narrowed and by the exact ones, and answers that hold.
        refused: [u32; 3],
        evasions: u32,
    }

    /// Whether the opponent wins at once after `mv`, by trying everything. `refutation` is tried first and becomes the reply
    /// that does it.
    fn loses<const N: usize>(position: &mut Position<N>, mv: Move, refutation: &mut Option<Move>) -> bool {
        let opponent = !position.to_move();
        let undo = position.play_unchecked(mv);
        let wins = |position: &mut Position<N>, reply: Move| {
            let undo = position.play_unchecked(reply);
            let outcome = position.outcome();
            position.unplay(reply, undo);
            outcome.is_some_and(|outcome| outcome.winner == Some(opponent))
        };
        let loses = if let Some(outcome) = position.outcome() {
            outcome.winner == Some(opponent)
        } else {
            let last = refutation.filter(|&reply| position.check_legal(reply).is_ok());
            let mut replies = last.into_iter().chain(position.legal_moves());
            *refutation = replies.find(|&reply| wins(position, reply));
            refutation.is_some()
        };
        position.unplay(mv, undo);
        loses
    }

    /// Every move that is not among the answers to a threat loses at once.
    fn check<const N: usize>(position: &mut Position<N>, seen: &mut Seen) {
        let mover = position.to_move();
        if position.outcome().is_some() || position.winning_move(mover).is_some() {
            return;
        }
        let coarse = Evasions::coarse(position, !mover, false);
        let exact = ExactEvasions::exact(position, !mover);
        assert_eq!(coarse.is_some(), exact.is_some(), "{position}");
        let (Some(coarse), Some(exact)) = (coarse, exact) else {
            return;
        };
        if exact.by_spread {
            seen.by_spread += 1;
        } else {
            seen.by_placement += 1;
        }
        seen.nearly_full += u32::from(position.empty().count() <= 3);
        let narrowed = coarse.narrowed(position);
        let mut refutation = None;
        for mv in position.legal_moves() {
            let refused = [&coarse, &narrowed].map(|evasions| !evasions.allow(mv));
            let refused = [refused[0], refused[1], !exact.allow(mv)];
            let loses = loses(position, mv, &mut refutation);
            assert!(loses || refused == [false; 3], "{mv} is an answer: {position}");
            assert!(refused.is_sorted(), "{mv} is allowed: {position}");
            seen.evasions += u32::from(!loses);
            for (count, refused) in seen.refused.iter_mut().zip(refused) {
                *count += u32::from(refused);
            }
        }
    }

    fn games_and_boards<const N: usize>() {
        let mut seen = Seen::default();
        for style in STYLES {
            for seed in 0..(cases(30) / N) as u64 {
                random_game::<N>(seed, style, 150, |position, _| check(position, &mut seen));
            }
        }
        let mut rng = StdRng::seed_from_u64(N as u64);
        for _ in 0..cases(750) {
            if let Some(mut position) = random_board::<N>(&mut rng) {
                check(&mut position, &mut seen);
            }
        }
        let is_enough = |count: u32, at_a_desk: usize| count as usize >= cases(at_a_desk);
        assert!(is_enough(seen.by_placement, 25), "{seen:?}");
        assert!(is_enough(seen.by_spread, 50), "{seen:?}");
        assert!(is_enough(seen.nearly_full, 15), "{seen:?}");
        assert!(is_enough(seen.evasions, 250), "{seen:?}");
        let refused = seen.refused.iter();
        assert!(refused.copied().all(|count| is_enough(count, 1500)), "{seen:?}");
    }

    #[test]
    fn no_answer_to_a_threat_is_missing() {
        for_all_sizes!(games_and_boards());
    }
}
