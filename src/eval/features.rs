//! The catalogue of evaluation features: which there are, and where their weights stand in the table.

use crate::board::ROAD_STEPS;

/// A named run of features, for example one for each kind of square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    /// What `explain` calls it.
    pub name: &'static str,
    /// The first feature.
    pub start: usize,
    /// How many features.
    pub len: usize,
}

/// Declares terms one after the other, so that each starts where the last one ended.
macro_rules! terms {
    ($($(#[$doc:meta])* $id:ident: $len:expr, $name:literal;)*) => {
        terms!(@place 0; $($(#[$doc])* $id: $len, $name;)*);
        /// Every term, in the order of the weight table.
        pub const TERMS: &[Term] = &[$($id),*];
    };
    (@place $start:expr; $(#[$doc:meta])* $id:ident: $len:expr, $name:literal; $($rest:tt)*) => {
        $(#[$doc])*
        pub const $id: Term = Term { name: $name, start: $start, len: $len };
        terms!(@place $id.start + $id.len; $($rest)*);
    };
    (@place $start:expr;) => {
        /// Features of one player.
        pub const FEATURES: usize = $start;
    };
}

/// Kinds of squares that no symmetry of the board tells apart: ten at most (7x7 and 8x8).
pub const SQUARE_CLASSES: usize = 10;
/// What a stack can be topped by: flat, wall, hard capstone (own piece right below), soft capstone.
pub const TOP_KINDS: usize = 4;

terms! {
    /// Flats on top, by square class.
    FLAT_SQUARE: SQUARE_CLASSES, "flats by square";
    /// Flats with so many own road pieces (0 to 4) and enemy flats (0 to 4) beside them.
    FLAT_BESIDE: 25, "flats by neighbours";
    /// Walls, by square class.
    WALL_SQUARE: SQUARE_CLASSES, "walls by square";
    /// Capstones, by square class.
    CAP_SQUARE: SQUARE_CLASSES, "capstones by square";
    /// Pieces of the owner within carrying depth of the top, by top kind.
    SUPPORT: TOP_KINDS, "supports";
    /// Pieces of the opponent within carrying depth, by top kind.
    CAPTIVE: TOP_KINDS, "captives";
    /// Pieces of the owner too deep to be lifted, by top kind.
    DEEP_SUPPORT: TOP_KINDS, "deep supports";
    /// Pieces of the opponent too deep to be lifted, by top kind.
    DEEP_CAPTIVE: TOP_KINDS, "deep captives";
    /// The piece right below the top is the owner's, by top kind.
    FIRM: TOP_KINDS, "firm stacks";
    /// Supports and captives by square class, whatever is on top.
    SUPPORT_SQUARE: SQUARE_CLASSES, "supports by square";
    /// See [`SUPPORT_SQUARE`].
    CAPTIVE_SQUARE: SQUARE_CLASSES, "captives by square";
    /// Squares a stack can reach in all directions, by top kind.
    STACK_REACH: TOP_KINDS, "stack mobility";
    /// The same times liftable supports.
    STACK_POWER: TOP_KINDS, "stack power";
    /// Enemy flats, walls, capstones beside a stack of two or more.
    STACK_ENEMY: 3, "enemies beside stacks";
    /// Captives of a stack times enemy flats, walls, capstones beside it.
    STACK_RISK: 3, "captives at risk";
    /// Stacks with a flat on top: captives (0 to 3), enemy flats (0 to 3) and own flats (0 to 4) beside them.
    STACK_BESIDE: 4 * 4 * 5, "flat stacks by neighbours";
    /// Stacks by top kind, beside enemy walls and capstones (neither, one kind, both), with 1 to 5 pieces to carry: what
    /// blocks a stack or threatens to take it for good.
    STACK_PINNED: TOP_KINDS * 3 * 5, "stacks beside blockers";
    /// Squares a capstone can reach.
    CAP_REACH: 1, "capstone mobility";
    /// A capstone with so many enemy pieces beside it, 0 to 4.
    CAP_ENEMIES: 5, "enemies beside capstone";
    /// A capstone with so many own flats beside it, 0 to 4.
    CAP_FRIENDS: 5, "friends beside capstone";
    /// A wall with so many enemy flats beside it, 0 to 4.
    WALL_ENEMIES: 5, "enemies beside walls";
    /// Walls by own road pieces (0 to 4), enemy flats (0 to 4) and capstones beside them (none, of one player, of both).
    WALL_BESIDE: 5 * 5 * 3, "walls by neighbours";
    /// Neighbouring pairs of road pieces.
    PAIRS: 1, "road pairs";
    /// Three road pieces in a line.
    TRIPLES: 1, "three in line";
    /// Groups of connected road pieces.
    GROUPS: 1, "groups";
    /// Rows and columns with so many own road pieces and no enemy wall or capstone.
    LINE_FREE: 9, "lines";
    /// The same with an enemy wall or capstone.
    LINE_BLOCKED: 9, "blocked lines";
    /// Road distance of the mover (row) against the opponent's (column).
    ROAD_RACE: ROAD_STEPS * ROAD_STEPS, "road race";
    /// Road distance in the worse of the two directions.
    ROAD_OTHER: ROAD_STEPS, "second road";
    /// Squares that complete a road: empty, enemy flat, own wall, enemy wall beside own capstone, other enemy blocker.
    CRITICAL: 5, "critical squares";
    /// Stones left to place.
    STONES_LEFT: 1, "stones in reserve";
    /// Capstones left to place.
    CAPS_LEFT: 1, "capstones in reserve";
    /// Half points of komi.
    KOMI: 1, "komi";
    /// Flat lead of the player with fewer pieces left, komi included, by pieces left (1 to 8, then none).
    RACE_LEAD: 8, "flat race";
    /// Being to move.
    TEMPO: 1, "tempo";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_tile_the_table() {
        let mut next = 0;
        for term in TERMS {
            assert_eq!(term.start, next, "{}", term.name);
            next += term.len;
        }
        assert_eq!(next, FEATURES);
    }
}
