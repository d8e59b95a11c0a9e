//! The catalogue of evaluation terms and the places of their weights in the table. `terms.rs` counts the features.
//!
//! A weight is the score of one count of its feature in centiflats: three numbers for the opening, the middle game and
//! the end, which are interpolated by the phase of the game, and another three for the player who is not to move.
//!
//! The largest counts are those of an 8x8 board with [`Reserve::MAX_STONES`](crate::board::Reserve::MAX_STONES) stones.

use crate::board::ROAD_STEPS;
use crate::weights::{Axis, SQUARE, catalogue};

/// The top piece of a stack; a capstone is hard with an own piece right below.
const TOP: Axis = Axis::named(&["flat", "wall", "hard capstone", "soft capstone"]).with_capstones(&[2, 3]);
/// Neighbours of a stack.
const ENEMY: Axis = Axis::named(&["flats", "walls", "capstones"]).with_capstones(&[2]);
/// Own pieces beside a square.
const OWN: Axis = Axis::count("own", 5);
/// Enemy pieces beside a square.
const ENEMIES: Axis = Axis::count("enemies", 5);
/// The minimum number of flats that counts as a gain; fitted weights of one and two were almost zero.
pub(super) const MIN_GAIN: i32 = 3;
/// Road pieces of a player in a row or column.
const PIECES: Axis = Axis::count("pieces", 9);

catalogue! {
    /// Flats on top, by square.
    FLAT_SQUARE: "flats by square" [SQUARE];
    /// Flats, by own road pieces and enemy flats beside them.
    FLAT_BESIDE: "flats by neighbours" [OWN, ENEMIES];
    WALL_SQUARE: "walls by square" [SQUARE];
    CAP_SQUARE: "capstones by square" [SQUARE], of capstones;
    /// Pieces of the owner within carrying depth of the top, by top piece.
    SUPPORT: "supports" [TOP], up to 7;
    /// Pieces of the opponent within carrying depth, by top piece.
    CAPTIVE: "captives" [TOP], up to 7;
    /// Pieces of the owner too deep to be lifted, by top piece.
    DEEP_SUPPORT: "deep supports" [TOP], up to 60;
    /// Pieces of the opponent too deep to be lifted, by top piece.
    DEEP_CAPTIVE: "deep captives" [TOP], up to 60;
    /// The piece right below the top is the owner's, by top piece.
    FIRM: "firm stacks" [TOP];
    /// Supports by square, for any top piece.
    SUPPORT_SQUARE: "supports by square" [SQUARE], up to 7;
    /// Captives by square, for any top piece.
    CAPTIVE_SQUARE: "captives by square" [SQUARE], up to 7;
    /// Squares a stack can reach in all directions, by top piece.
    STACK_REACH: "stack mobility" [TOP], up to 14;
    /// The same number times the supports.
    STACK_POWER: "stack power" [TOP], up to 98;
    /// Enemy pieces beside a stack of two or more.
    STACK_ENEMY: "enemies beside stacks" [ENEMY], up to 4;
    /// Captives of a stack times enemy pieces beside it.
    STACK_RISK: "captives at risk" [ENEMY], up to 28;
    /// Stacks with a flat on top: captives, enemy flats and own flats beside them.
    STACK_BESIDE: "flat stacks by neighbours" [Axis::count("captives", 4), Axis::count("enemies", 4), OWN];
    /// Stacks by top piece, kinds of enemy blockers beside them (walls, capstones; 0 to 2), and pieces to carry.
    STACK_PINNED: "stacks beside blockers" [TOP, Axis::count("blockers", 3), Axis::numbers("carries", 1, 5)];
    /// Stacks by the largest flat swing of one spread: 3, 4, 5, or 6 and more.
    STACK_GAIN: "stacks by gain" [Axis::numbers("gain", MIN_GAIN, 4)];
    /// Squares a capstone can reach.
    CAP_REACH: "capstone mobility" [], up to 14, of capstones;
    /// Capstones, by enemy pieces beside them.
    CAP_ENEMIES: "enemies beside capstone" [ENEMIES], of capstones;
    /// Capstones, by own flats beside them.
    CAP_FRIENDS: "friends beside capstone" [OWN], of capstones;
    /// Walls, by enemy flats beside them.
    WALL_ENEMIES: "enemies beside walls" [ENEMIES];
    /// Walls, by own road pieces, enemy flats, and the number of players with a capstone beside them.
    WALL_BESIDE: "walls by neighbours" [OWN, ENEMIES, Axis::count("capstones", 3).with_capstones(&[1, 2])];
    /// Neighbouring pairs of road pieces.
    PAIRS: "road pairs" [], up to 112;
    /// Three road pieces in a line.
    TRIPLES: "three in line" [], up to 96;
    /// Groups of connected road pieces.
    GROUPS: "groups" [], up to 32;
    /// Rows and columns by own road pieces, without enemy wall or capstone.
    LINE_FREE: "lines" [PIECES];
    /// The same with an enemy wall or capstone.
    LINE_BLOCKED: "blocked lines" [PIECES];
    /// Road distances of the mover and the opponent.
    ROAD_RACE: "road race" [Axis::count("own", ROAD_STEPS), Axis::count("enemy", ROAD_STEPS)];
    /// Road distance in the worse of the two directions.
    ROAD_OTHER: "second road" [Axis::count("distance", ROAD_STEPS)];
    /// Squares that complete a road, by the piece on them. An enemy wall beside an own capstone may be flattened.
    CRITICAL: "critical squares" [Axis::named(&["empty", "enemy flat", "own wall", "flattened wall", "enemy blocker"]).with_capstones(&[3])], up to 64;
    STONES_LEFT: "stones in reserve" [], up to 60;
    CAPS_LEFT: "capstones in reserve" [], up to 3, of capstones;
    /// Half points of komi.
    KOMI: "komi" [], up to 20;
    /// Flat lead in half points with komi, at most 12, by the turns left: the smaller reserve, or half the empty
    /// squares, rounded up. Not counted with more turns.
    RACE_LEAD: "flat race" [Axis::numbers("left", 1, 8)], up to 12;
    /// Being to move.
    TEMPO: "tempo" [];
}
