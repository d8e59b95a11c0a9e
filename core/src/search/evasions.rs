//! Evasions: the moves that may stop a threatened road.
//!
//! A move that completes a road depends on the squares of that road, and a spread also on the squares that it covers.
//! An evasion has to change at least one of them, for every such move. For longer threats such sets of squares are
//! called relevance zones (Thomsen, "Lambda-Search in Game Trees - with Application to Go", 2000). This pruning is
//! exact: every rejected move loses in one.
//!
//! The search checks every node for a threat, and usually there is none; until it needs the moves, all road pieces of
//! the opponent form one zone. The solver spends more time and rejects more moves.

use crate::board::{Bitboard, Color, Halos, Move, MoveKind, Position, Square, Threat};

/// Zones of the solver: more of them reject hardly any further move.
const SOLVER_ZONES: usize = 3;

/// The evasions of a threatened win in one.
#[derive(Debug, Clone, Copy)]
pub(super) struct EvasionSet<const ZONES: usize> {
    /// A spread has to cover a square of each.
    zones: [Bitboard; ZONES],
    /// A placement has to be on one of these.
    places: Bitboard,
    /// The threat is a spread, which covers flats.
    by_spread: bool,
    /// Any placement ends the game on flats.
    placing_ends: bool,
    /// A spread over all of these may fill the board and end the game on flats.
    empty: Bitboard,
    /// Any spread may be an evasion, because it may reach a drawn position.
    any_spread: bool,
}

/// Evasions for the search, with one zone.
pub(super) type Evasions = EvasionSet<1>;

/// Evasions for the solver, with a zone per winning placement; if there are fewer, the first zone is repeated.
pub(super) type ExactEvasions = EvasionSet<SOLVER_ZONES>;

impl Evasions {
    /// Evasions of the threats of `color`, whose halos are given, against the player to move; `None` if there are no
    /// threats. With `any_spread` a spread may reach a drawn position.
    pub fn coarse<const N: usize>(
        position: &Position<N>,
        color: Color,
        halos: Halos,
        any_spread: bool,
    ) -> Option<Self> {
        let (changed, places, by_spread) = match position.threat(color, halos) {
            Threat::None => return None,
            Threat::Spread(spread) => (spread.covered() | spread.square().bit(), spread.covered(), true),
            // A placement cannot fill two squares.
            Threat::Placement(squares) if squares.count() > 1 => (squares, Bitboard::EMPTY, false),
            Threat::Placement(square) => (square, square, false),
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

    /// The same with a smaller zone: that of one road completed by a placement. Slower, so it is called only when the
    /// moves of a node are generated; most nodes are done before.
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
    /// Evasions of the threats of `color` against the player to move; `None` if there are no threats.
    pub fn exact<const N: usize>(position: &mut Position<N>, color: Color) -> Option<Self> {
        let road = position.road_pieces(color);
        let made = |square: Square| (road | square.bit()).short_road::<N>();
        let (zones, by_spread) = match position.threat(color, position.halos(color)) {
            Threat::None => return None,
            Threat::Placement(squares) => {
                let mut zones = [made(squares.first()?); SOLVER_ZONES];
                for (zone, square) in zones.iter_mut().zip(squares).skip(1) {
                    *zone = made(square);
                }
                (zones, false)
            }
            Threat::Spread(spread) => {
                let undo = position.play_unchecked(spread);
                let made = position.road_pieces(color).short_road::<N>();
                position.unplay(spread, undo);
                ([made | spread.square().bit() | spread.covered(); SOLVER_ZONES], true)
            }
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
    /// Returns whether `mv` may be an evasion; ending the game on flats counts as one. An allowed move may still lose.
    /// The caller has checked that no move completes an own road.
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
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;
    use crate::for_all_sizes;
    use crate::testing::cases::cases;
    use crate::testing::playout::{STYLES, random_board, random_game};

    /// Counts of tested cases.
    #[derive(Debug, Default)]
    struct Seen {
        /// Positions with a threat by a placement, by a spread only, and with few squares left.
        by_placement: u32,
        by_spread: u32,
        nearly_full: u32,
        /// Moves rejected by the coarse, the narrowed and the exact evasions, and evasions that hold.
        refused: [u32; 3],
        evasions: u32,
    }

    /// Returns whether the opponent wins at once after `mv`, by trying all replies. `refutation` is tried first and
    /// updated.
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

    /// Every rejected move loses in one.
    fn check<const N: usize>(position: &mut Position<N>, seen: &mut Seen) {
        let mover = position.to_move();
        if position.outcome().is_some() || position.winning_move(mover).is_some() {
            return;
        }
        let coarse = Evasions::coarse(position, !mover, position.halos(!mover), false);
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
        let is_enough = |count: u32, expected: usize| count as usize >= cases(expected);
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
