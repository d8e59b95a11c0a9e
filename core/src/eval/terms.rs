//! The evaluation features of a position: small functions that each feed a [`Sink`]. The terms are declared in
//! `features.rs`.
//!
//! Everything is counted for both players; the weights depend on whose turn it is. The ideas are from open engines:
//! supports and captives by top piece and lines (Tiltak), road distance (Takkerus, Cataklysm), stack safety and
//! critical squares (Topaz), pairs and triples (Syntaks), capstone mobility (Taktician).

use super::features::{
    CAP_ENEMIES, CAP_FRIENDS, CAP_REACH, CAP_SQUARE, CAPS_LEFT, CAPTIVE, CAPTIVE_SQUARE, CRITICAL, DEEP_CAPTIVE,
    DEEP_SUPPORT, FIRM, FLAT_BESIDE, FLAT_SQUARE, GROUPS, KOMI, LINE_BLOCKED, LINE_FREE, MIN_GAIN, PAIRS, RACE_LEAD,
    ROAD_OTHER, ROAD_RACE, STACK_BESIDE, STACK_ENEMY, STACK_GAIN, STACK_PINNED, STACK_POWER, STACK_REACH, STACK_RISK,
    STONES_LEFT, SUPPORT, SUPPORT_SQUARE, TEMPO, TRIPLES, WALL_BESIDE, WALL_ENEMIES, WALL_SQUARE,
};
use crate::board::{Bitboard, Color, Direction, Halos, PieceKind, Position, Square, Ways};

/// Receives the counted features, to sum their weights or to store the counts.
pub(crate) trait Sink {
    /// Adds `count` to the feature at this index of the table.
    fn add(&mut self, feature: usize, count: i32);
}

/// Feeds the features of the player to move to `mover` and those of the other player to `waiting`. Features of both
/// players go to `mover`.
#[inline]
pub(super) fn features<const N: usize, S: Sink>(position: &Position<N>, ways: &Ways, mover: &mut S, waiting: &mut S) {
    let color = position.to_move();
    roads(ways, mover, waiting);
    flat_race(position, mover);
    let half_komi = position.komi().half();
    let komi = match color {
        Color::White => -half_komi,
        Color::Black => half_komi,
    };
    mover.add(KOMI.at([]), komi);
    mover.add(TEMPO.at([]), 1);
    for ((color, halos), sink) in [color, !color].into_iter().zip(ways.halos).zip([mover, waiting]) {
        flats(position, color, sink);
        stacks(position, color, sink);
        capstones(position, color, sink);
        walls(position, color, sink);
        groups(position, color, sink);
        lines(position, color, sink);
        critical(position, color, halos, sink);
        reserves(position, color, sink);
    }
}

fn flats<const N: usize, S: Sink>(position: &Position<N>, color: Color, sink: &mut S) {
    let [road, enemies] = [position.road_pieces(color), position.flats(!color)];
    for square in position.flats(color) {
        let beside = square.bit().neighbours::<N>();
        let friends = (road & beside).count() as usize;
        let enemies = (enemies & beside).count() as usize;
        sink.add(FLAT_SQUARE.at([square.class::<N>()]), 1);
        sink.add(FLAT_BESIDE.at([friends, enemies]), 1);
    }
}

/// Features of stacks of two and more pieces.
fn stacks<const N: usize, S: Sink>(position: &Position<N>, color: Color, sink: &mut S) {
    let enemy = position.owned(!color);
    let own_flats = position.flats(color);
    let enemy_flats = position.flats(!color);
    let enemy_walls = enemy & position.walls();
    let enemy_caps = enemy & position.caps();
    for square in position.owned(color) & position.tall() {
        let height = position.height(square);
        let below = height - 1;
        // Bits of the owner's pieces below the top.
        let bits = position.color_bits(square);
        let own = (if color == Color::Black { bits } else { !bits } as u64) >> 1;
        let liftable = below.min(N - 1);
        let supports = count_low(own as u8, liftable);
        let captives = liftable as i32 - supports;
        let top = top_kind(position, square, own & 1 == 1);

        sink.add(SUPPORT.at([top]), supports);
        sink.add(CAPTIVE.at([top]), captives);
        sink.add(SUPPORT_SQUARE.at([square.class::<N>()]), supports);
        sink.add(CAPTIVE_SQUARE.at([square.class::<N>()]), captives);
        if below > liftable {
            let black = (bits >> 1).count_ones() as i32;
            let all_supports = if color == Color::Black { black } else { below as i32 - black };
            let deep_supports = all_supports - supports;
            sink.add(DEEP_SUPPORT.at([top]), deep_supports);
            sink.add(DEEP_CAPTIVE.at([top]), (below - liftable) as i32 - deep_supports);
        }
        if own & 1 == 1 {
            sink.add(FIRM.at([top]), 1);
        }
        let reach = total_reach(position, square, height);
        sink.add(STACK_REACH.at([top]), reach);
        sink.add(STACK_POWER.at([top]), reach * supports);
        let beside = square.bit().neighbours::<N>();
        let count = |pieces: Bitboard| (pieces & beside).count() as usize;
        let (flats, walls, caps) = (count(enemy_flats), count(enemy_walls), count(enemy_caps));
        for (kind, attackers) in [flats, walls, caps].into_iter().enumerate() {
            if attackers > 0 {
                sink.add(STACK_ENEMY.at([kind]), attackers as i32);
                sink.add(STACK_RISK.at([kind]), attackers as i32 * captives);
            }
        }
        if top == FLAT_TOP {
            let friends = count(own_flats);
            let held = captives.min(3) as usize;
            sink.add(STACK_BESIDE.at([held, flats.min(3), friends]), 1);
        }
        // Without an own piece to uncover, a spread gains at most one.
        let uncovered = count_low(own as u8, below.min(N));
        if uncovered > 0
            && let Some(gain) = gain(position, square, uncovered, [own_flats, enemy_flats])
        {
            sink.add(STACK_GAIN.at([gain]), 1);
        }
        let strong = usize::from(walls > 0) + usize::from(caps > 0);
        sink.add(STACK_PINNED.at([top, strong, liftable.min(5) - 1]), 1);
    }
}

/// Set bits among the lowest `width` (0 to 8) of a byte.
fn count_low(bits: u8, width: usize) -> i32 {
    (u32::from(bits) & ((1 << width) - 1)).count_ones() as i32
}

/// The [`top_kind`] of a stack with a flat on top.
const FLAT_TOP: usize = 0;

fn top_kind<const N: usize>(position: &Position<N>, square: Square, firm: bool) -> usize {
    match position.top_kind(square) {
        PieceKind::Flat => FLAT_TOP,
        PieceKind::Wall => 1,
        PieceKind::Cap if firm => 2,
        PieceKind::Cap => 3,
    }
}

/// Squares that lifting up to `height` pieces can reach, over all directions.
fn total_reach<const N: usize>(position: &Position<N>, square: Square, height: usize) -> i32 {
    Direction::ALL.iter().map(|&d| position.reach(square, d).min(height) as i32).sum()
}

/// The largest flat swing of a spread of the stack on `square`, as a row of [`STACK_GAIN`]; `None` for less than
/// [`MIN_GAIN`]. `own` is the number of the owner's pieces that can be uncovered. Flattening is ignored.
///
/// A spread over n squares uncovers n pieces from below the top. One of them is on the source square, which may also be
/// left empty. The player chooses the pieces within carrying depth, so the owner's come first.
fn gain<const N: usize>(
    position: &Position<N>,
    square: Square,
    own: i32,
    [own_flats, enemy_flats]: [Bitboard; 2],
) -> Option<usize> {
    let height = position.height(square);
    let can_leave_none = i32::from(height <= N);
    let mut best = MIN_GAIN - 1;
    for direction in Direction::ALL {
        let reach = position.reach(square, direction).min(height);
        let line = square.line(direction, reach);
        // Most lines hold too few flats.
        if own.min(reach as i32) + ((enemy_flats & line).count() as i32) <= best {
            continue;
        }
        let mut covered = 0;
        for steps in 1..=reach {
            let target = square.step(direction, steps);
            covered += i32::from(enemy_flats.contains(target));
            covered -= i32::from(own_flats.contains(target));
            let shown = own.min(steps as i32);
            let enemies = (steps as i32 - shown - can_leave_none).max(0);
            // There are always enough pieces below the top.
            best = best.max(shown - enemies + covered);
        }
    }
    let last = STACK_GAIN.rows() as i32 - 1;
    (best >= MIN_GAIN).then(|| (best - MIN_GAIN).min(last) as usize)
}

fn capstones<const N: usize, S: Sink>(position: &Position<N>, color: Color, sink: &mut S) {
    for square in position.owned(color) & position.caps() {
        let beside = square.bit().neighbours::<N>();
        let count = |set: Bitboard| (set & beside).count() as usize;
        sink.add(CAP_SQUARE.at([square.class::<N>()]), 1);
        sink.add(CAP_REACH.at([]), total_reach(position, square, N));
        sink.add(CAP_ENEMIES.at([count(position.owned(!color))]), 1);
        sink.add(CAP_FRIENDS.at([count(position.flats(color))]), 1);
    }
}

fn walls<const N: usize, S: Sink>(position: &Position<N>, color: Color, sink: &mut S) {
    let (own, enemy) = (position.owned(color), position.owned(!color));
    let road = position.road_pieces(color);
    for square in own & position.walls() {
        let beside = square.bit().neighbours::<N>();
        let count = |set: Bitboard| (set & beside).count() as usize;
        let enemies = count(position.flats(!color));
        sink.add(WALL_SQUARE.at([square.class::<N>()]), 1);
        sink.add(WALL_ENEMIES.at([enemies]), 1);
        let has_cap = |pieces| usize::from(count(pieces & position.caps()) > 0);
        let caps = has_cap(own) + has_cap(enemy);
        sink.add(WALL_BESIDE.at([count(road), enemies, caps]), 1);
    }
}

fn groups<const N: usize, S: Sink>(position: &Position<N>, color: Color, sink: &mut S) {
    let road = position.road_pieces(color);
    let mut pairs = 0;
    let mut triples = 0;
    for direction in [Direction::East, Direction::North] {
        let next = road.shift::<N>(direction) & road;
        pairs += next.count();
        triples += (next.shift::<N>(direction) & next).count();
    }
    sink.add(PAIRS.at([]), pairs as i32);
    sink.add(TRIPLES.at([]), triples as i32);
    // Lone pieces are groups too, but need no flood.
    let joined = road & road.neighbours::<N>();
    let mut groups = road.without(joined).count() as i32;
    let mut rest = joined;
    while let Some(square) = rest.first() {
        rest = rest.without(square.bit().flood::<N>(rest));
        groups += 1;
    }
    sink.add(GROUPS.at([]), groups);
}

fn lines<const N: usize, S: Sink>(position: &Position<N>, color: Color, sink: &mut S) {
    let road = position.road_pieces(color);
    let blocked = position.blockers() & position.owned(!color);
    for (pieces, blockers) in [(road.0, blocked.0), (transpose(road.0), transpose(blocked.0))] {
        let counts = count_bytes(pieces);
        for line in 0..N {
            let count = (counts >> (8 * line)) as usize & 15;
            let free = (blockers >> (8 * line)) as u8 == 0;
            let feature = if free { LINE_FREE.at([count]) } else { LINE_BLOCKED.at([count]) };
            sink.add(feature, 1);
        }
    }
}

/// Set bits of each byte, in that byte.
const fn count_bytes(mut b: u64) -> u64 {
    b -= b >> 1 & 0x5555_5555_5555_5555;
    b = (b & 0x3333_3333_3333_3333) + (b >> 2 & 0x3333_3333_3333_3333);
    (b + (b >> 4)) & 0x0F0F_0F0F_0F0F_0F0F
}

/// Rows become columns (Hacker's Delight, section 7-3).
const fn transpose(mut b: u64) -> u64 {
    let mut t = (b ^ b >> 7) & 0x00AA_00AA_00AA_00AA;
    b ^= t ^ t << 7;
    t = (b ^ b >> 14) & 0x0000_CCCC_0000_CCCC;
    b ^= t ^ t << 14;
    t = (b ^ b >> 28) & 0x0000_0000_F0F0_F0F0;
    b ^ t ^ t << 28
}

fn critical<const N: usize, S: Sink>(position: &Position<N>, color: Color, halos: Halos, sink: &mut S) {
    let critical = position.critical_squares_in(color, halos);
    if critical.is_empty() {
        return;
    }
    let enemy_walls = position.owned(!color) & position.walls();
    let flattenable = enemy_walls & (position.owned(color) & position.caps()).neighbours::<N>();
    let kinds = [
        position.empty(),
        position.flats(!color),
        position.owned(color) & position.walls(),
        flattenable,
        (position.owned(!color) & position.blockers()).without(flattenable),
    ];
    for (kind, squares) in kinds.into_iter().enumerate() {
        let count = (critical & squares).count() as i32;
        if count > 0 {
            sink.add(CRITICAL.at([kind]), count);
        }
    }
}

fn reserves<const N: usize, S: Sink>(position: &Position<N>, color: Color, sink: &mut S) {
    let reserve = position.reserve(color);
    sink.add(STONES_LEFT.at([]), i32::from(reserve.stones));
    sink.add(CAPS_LEFT.at([]), i32::from(reserve.caps));
}

/// The race for a road: one feature for each pair of distances, the mover's first.
fn roads<S: Sink>(ways: &Ways, mover: &mut S, waiting: &mut S) {
    let [[best, other], [enemy_best, enemy_other]] = ways.routes.road_distances();
    mover.add(ROAD_RACE.at([best, enemy_best]), 1);
    mover.add(ROAD_OTHER.at([other]), 1);
    waiting.add(ROAD_OTHER.at([enemy_other]), 1);
}

/// The largest lead counted in the flat race, in half points: a larger one wins as surely.
const MAX_LEAD_HALF_POINTS: i32 = 12;

/// How half of an odd number of empty squares is counted.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rounding {
    Up,
    Down,
}

/// Turns left until a player runs out of pieces or the board is full. The weights of the evaluation were fitted with
/// the turns rounded up, those of the move order with the turns rounded down.
pub(crate) fn turns_left<const N: usize>(position: &Position<N>, rounding: Rounding) -> usize {
    let empty = position.empty().count() as usize;
    position.min_reserve().min(match rounding {
        Rounding::Up => empty.div_ceil(2),
        Rounding::Down => empty / 2,
    })
}

/// Near the end the flat count decides: a lead matters more with fewer turns left to change it.
fn flat_race<const N: usize, S: Sink>(position: &Position<N>, sink: &mut S) {
    let turns = turns_left(position, Rounding::Up);
    if (1..=RACE_LEAD.rows()).contains(&turns) {
        sink.add(
            RACE_LEAD.at([turns - 1]),
            position.flat_lead_half(position.to_move()).clamp(-MAX_LEAD_HALF_POINTS, MAX_LEAD_HALF_POINTS),
        );
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::board::Komi;

    /// The largest flat swing of a spread of the stack on `square`, by playing all of them except those that flatten.
    fn slow_gain<const N: usize>(position: &mut Position<N>, square: Square) -> i32 {
        let color = position.to_move();
        let lead = |p: &Position<N>| p.flats(color).count() as i32 - p.flats(!color).count() as i32;
        let (before, walls) = (lead(position), position.walls().count());
        let mut moves = Vec::new();
        position.spreads_from(square, &mut moves);
        let mut best = i32::MIN;
        for mv in moves {
            let undo = position.play_unchecked(mv);
            if position.walls().count() == walls {
                best = best.max(lead(position) - before);
            }
            position.unplay(mv, undo);
        }
        best
    }

    fn compare_gains<const N: usize>(found: &mut [usize; 4]) {
        let mut random = StdRng::seed_from_u64(N as u64);
        for _ in 0..400 {
            let mut position = Position::<N>::start(Komi::default());
            while position.outcome().is_none() && position.ply() < 150 {
                for square in position.owned(position.to_move()) & position.tall() {
                    let color = position.to_move();
                    let depths = 1..=(position.height(square) - 1).min(N);
                    let own = depths.filter(|&depth| position.color_at(square, depth) == color).count() as i32;
                    let flats = [position.flats(color), position.flats(!color)];
                    let fast = (own > 0).then(|| gain(&position, square, own, flats)).flatten();
                    let slow = slow_gain(&mut position, square);
                    let expected = (slow >= MIN_GAIN).then(|| (slow - MIN_GAIN).min(3) as usize);
                    assert_eq!(fast, expected, "{square} of {}", position.to_setup());
                    if let Some(row) = fast {
                        found[row] += 1;
                    }
                }
                let mut moves = Vec::new();
                // Few placements, so that stacks grow.
                if random.random_ratio(4, 5) && !position.is_opening() {
                    position.spreads(&mut moves);
                }
                if moves.is_empty() {
                    moves = position.legal_moves();
                }
                let mv = moves[random.random_range(0..moves.len())];
                position.play(mv).unwrap();
            }
        }
    }

    #[test]
    fn gains_match_the_best_spread() {
        let mut found = [0; 4];
        compare_gains::<3>(&mut found);
        compare_gains::<5>(&mut found);
        compare_gains::<8>(&mut found);
        let [three, four, five, more] = found;
        assert!(three.min(four) > 100 && five > 10 && more > 0, "{found:?}");
    }

    #[test]
    fn transposing_swaps_rows_and_columns() {
        for column in 0..8 {
            for row in 0..8 {
                let bit = Square::new(column, row).bit();
                assert_eq!(transpose(bit.0), Square::new(row, column).bit().0);
            }
        }
        assert_eq!(count_bytes(0xFF01_0300_0000_0080), 0x0801_0200_0000_0001);
    }
}
