//! Roads that one move completes, found by bitboards without making the move.

use super::mv::{FLATTENINGS, SPREADS};
use super::{Bitboard, Color, Direction, Move, Pattern, PieceKind, Position, Square};

/// The squares from which one step leads to an edge, or to the group of road pieces that is connected to it: west and
/// east, south and north.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Halos([(Bitboard, Bitboard); 2]);

impl Halos {
    /// Those of a player with these road pieces.
    #[inline]
    fn of<const N: usize>(road: Bitboard) -> Self {
        let edges = [
            Bitboard::west_edge::<N>(),
            Bitboard::east_edge::<N>(),
            Bitboard::south_edge::<N>(),
            Bitboard::north_edge::<N>(),
        ];
        let mut halos = Bitboard::floods::<N, 4>(edges, [road; 4]);
        for (halo, edge) in halos.iter_mut().zip(edges) {
            *halo = edge | halo.grow::<N>();
        }
        let [west, east, south, north] = halos;
        Self([(west, east), (south, north)])
    }

    /// The squares in the halos of two opposite edges: one piece there completes a road.
    #[inline]
    fn meet(self) -> Bitboard {
        let [(west, east), (south, north)] = self.0;
        (west & east) | (south & north)
    }

    /// Returns whether road pieces on all of `gained` might complete a road. Such a road leaves the group of either
    /// edge through one of them. This test makes most floods unnecessary.
    #[inline]
    fn may_join(self, gained: Bitboard) -> bool {
        self.0.iter().any(|&(one, other)| gained.intersects(one) && gained.intersects(other))
    }
}

/// A road that a player completes with the next move.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Threat {
    None,
    /// By a flat or capstone on any of these squares.
    Placement(Bitboard),
    /// By a spread only.
    Spread(Move),
}

impl<const N: usize> Position<N> {
    /// The halos of a player. A node of the search needs them several times: they are computed once and passed on.
    pub(crate) fn halos(&self, color: Color) -> Halos {
        Halos::of::<N>(self.road_pieces(color))
    }

    /// Squares without a road piece of `color` where one more would complete a road, regardless of the pieces on them.
    /// Meaningless if there already is a road.
    #[inline]
    pub fn critical_squares(&self, color: Color) -> Bitboard {
        self.critical_squares_in(color, self.halos(color))
    }

    /// [`Self::critical_squares`] with halos that are known.
    #[inline]
    pub(crate) fn critical_squares_in(&self, color: Color, halos: Halos) -> Bitboard {
        halos.meet().without(self.road_pieces(color))
    }

    /// Appends the spreads of the player to move that might threaten to complete a road with one more piece ("tak"),
    /// with all other spreads of the same stacks in the same directions. Misses threats of a further spread over
    /// several squares.
    pub(crate) fn tak_spreads(&self, moves: &mut Vec<Move>) {
        let color = self.to_move();
        let road = self.road_pieces(color);
        for square in self.owned(color) {
            // Pieces below the top may be uncovered, so the source counts as a road piece.
            let source = square.bit();
            for direction in Direction::ALL {
                let mut line = source;
                for _ in 0..self.height(square).min(N) {
                    line |= line.shift::<N>(direction);
                }
                // An upper bound of the squares gained on the line. If these are not enough, no pattern makes a threat.
                let most = road | line;
                if most.has_road::<N>() || !Halos::of::<N>(most).meet().without(most).is_empty() {
                    self.spreads_along(square, direction, moves);
                }
            }
        }
    }

    /// Empty squares where a flat or capstone of `color` would threaten to complete a road by a further placement
    /// ("tak"). For move ordering: misses threats through two separate groups.
    pub fn tak_placements(&self, color: Color) -> Bitboard {
        self.tak_placements_in(color, self.halos(color))
    }

    /// [`Self::tak_placements`] with halos that are known.
    pub(crate) fn tak_placements_in(&self, color: Color, halos: Halos) -> Bitboard {
        let road = self.road_pieces(color);
        let empty = self.empty();
        let Halos([(west, east), (south, north)]) = halos;
        // Start from one edge's halo: squares adjacent to a free square of the other halo, or to a group touching such
        // a square.
        let goals = [east, west, north, south].map(|far| far & empty);
        let groups = Bitboard::floods::<N, 4>(goals.map(Bitboard::neighbours::<N>), [road; 4]);
        let mut taks = Bitboard::EMPTY;
        for (lane, near) in [west, east, south, north].into_iter().enumerate() {
            taks |= near & (goals[lane] | groups[lane]).neighbours::<N>();
        }
        taks & empty
    }

    /// The empty squares of `critical` on which `color` can win by placing a flat or capstone.
    #[inline]
    pub fn winning_placements(&self, color: Color, critical: Bitboard) -> Bitboard {
        // In the opening turns a player places the opponent's piece.
        if self.reserve(color).is_empty() || self.is_opening() { Bitboard::EMPTY } else { critical & self.empty() }
    }

    /// A move of `color` that would complete a road: a placement if there is one, else a spread. The game must not be
    /// over.
    pub fn winning_move(&self, color: Color) -> Option<Move> {
        self.winning_move_in(color, self.halos(color))
    }

    /// [`Self::winning_move`] with halos that are known.
    #[inline]
    pub(crate) fn winning_move_in(&self, color: Color, halos: Halos) -> Option<Move> {
        match self.threat(color, halos) {
            Threat::Placement(squares) => {
                let kind = if self.reserve(color).stones > 0 { PieceKind::Flat } else { PieceKind::Cap };
                squares.first().map(|square| Move::place(kind, square))
            }
            Threat::Spread(spread) => Some(spread),
            Threat::None => None,
        }
    }

    /// The ways in which `color`, whose halos are given, can complete a road. The game must not be over.
    #[inline]
    pub(crate) fn threat(&self, color: Color, halos: Halos) -> Threat {
        let critical = self.critical_squares_in(color, halos);
        let placements = self.winning_placements(color, critical);
        if !placements.is_empty() {
            return Threat::Placement(placements);
        }
        self.winning_spread_in(color, critical, halos).map_or(Threat::None, Threat::Spread)
    }

    /// A spread of `color` that would complete a road. `critical` are the [`Position::critical_squares`].
    pub fn winning_spread(&self, color: Color, critical: Bitboard) -> Option<Move> {
        self.winning_spread_in(color, critical, self.halos(color))
    }

    fn winning_spread_in(&self, color: Color, critical: Bitboard, halos: Halos) -> Option<Move> {
        if self.is_opening() {
            return None;
        }
        let tall = self.tall();
        let own = self.owned(color);
        // A single piece gains only its target square, which must be critical. Single walls gain nothing.
        let near_critical = critical.without(self.blockers()).neighbours::<N>();
        let flattening = self.caps() & (critical & self.walls()).neighbours::<N>();
        let single = own.without(tall | self.walls()) & (near_critical | flattening);
        for square in single | (own & tall) {
            // A stack gains one square, like a single piece, if it can uncover no own piece below its top.
            let gains_one = !self.hides_own(color, square);
            for direction in Direction::ALL {
                let found = self.winning_spread_along(color, square, direction, halos, gains_one);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// Returns whether a spread can uncover a piece of `color` below the top of the stack on `square`.
    #[inline]
    fn hides_own(&self, color: Color, square: Square) -> bool {
        let depths = (self.height(square) - 1).min(N);
        let own = match color {
            Color::White => !self.color_bits(square),
            Color::Black => self.color_bits(square),
        };
        own >> 1 & ((1 << depths) - 1) != 0
    }

    /// Checks one stack and direction; `gains_one` if it can gain at most one square.
    fn winning_spread_along(
        &self,
        color: Color,
        square: Square,
        direction: Direction,
        halos: Halos,
        gains_one: bool,
    ) -> Option<Move> {
        let height = self.height(square).min(N);
        let reach = self.reach(square, direction);
        let flattens = height > reach && self.can_flatten(square, direction, reach);
        let squares = reach.min(height) + usize::from(flattens);
        let road = self.road_pieces(color);
        let line = square.line(direction, squares);
        // An upper bound of the squares gained on the line. If these are not enough, no pattern makes a road.
        let gained = line.without(road);
        if !halos.may_join(gained) || (gains_one && !gained.intersects(halos.meet())) {
            return None;
        }
        let kept = road.without(line);
        let walks = SPREADS[reach].up_to(height).iter();
        let flattenings = if flattens { FLATTENINGS[reach].up_to(height) } else { &[] };
        walks
            .chain(flattenings)
            .filter_map(|&bits| Pattern::from_bits(bits))
            .find(|&pattern| {
                let after = self.line_after_spread(color, square, direction, pattern, road & line);
                halos.may_join(after.without(road)) && (kept | after).has_road::<N>()
            })
            .map(|pattern| Move::spread(square, direction, pattern))
    }

    /// The road squares of `color` on the line of a spread after it; `before` are the current ones.
    fn line_after_spread(
        &self,
        color: Color,
        square: Square,
        direction: Direction,
        pattern: Pattern,
        before: Bitboard,
    ) -> Bitboard {
        let bits = self.color_bits(square);
        let lifted = pattern.lifted() as usize;
        let mut after = before.without(square.bit());
        if self.height(square) > lifted && self.color_at(square, lifted) == color {
            after |= square.bit();
        }
        let mut target = square;
        for drop in pattern.drops() {
            target = target.step(direction, 1);
            let is_road = if drop.above == 0 {
                self.top_kind(square).is_road()
            } else {
                Color::from_bit((bits >> drop.above) as u8) == color
            };
            after = after.without(target.bit());
            if is_road {
                after |= target.bit();
            }
        }
        after
    }
}
