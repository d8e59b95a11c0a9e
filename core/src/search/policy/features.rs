//! The catalogue of move features and the places of their weights in the table.
//!
//! Names with `P_` are features of placements, names with `S_` of spreads.

use crate::weights::{Axis, SQUARE, catalogue};

/// Features of placements have four places each, for a flat, a wall, a capstone and none, so that the scores of all
/// kinds on a square are one vector sum.
pub(super) const PLACED_KINDS: usize = 4;
/// Stages of the game by ply.
pub(super) const STAGES: usize = 8;
/// Number of distinct road distances: 0 to 4 and beyond.
pub(super) const DISTANCES: usize = 6;

/// The piece on top of a spread.
const TOP: Axis = Axis::named(&["flat", "wall", "capstone"]).with_capstones(&[2]);
/// Own road pieces.
const OWN: Axis = Axis::count("own", 5);
/// Enemy flats.
const ENEMIES: Axis = Axis::count("enemies", 5);
/// Pieces in a row or column.
const PIECES: Axis = Axis::count("pieces", 9);
/// A road distance.
const DISTANCE: Axis = Axis::count("distance", DISTANCES);
/// Number of squares on the shortest paths.
const WIDTH: Axis = Axis::named(&["narrow", "middling", "wide"]);
/// Road distances of both players.
const OWN_DISTANCE: Axis = Axis::count("own", DISTANCES);
const ENEMY_DISTANCE: Axis = Axis::count("enemy", DISTANCES);
/// Turns until pieces or squares run out.
const TURNS: Axis = Axis::named(&["0-2 turns", "3-5 turns", "6-9 turns", "10+ turns"]);
/// Lead in flats.
const LEAD: Axis = Axis::named(&["behind", "level", "ahead"]);
/// The piece that the last move left on its square.
const LAST: Axis = Axis::named(&["unknown", "stack", "blocker", "flat"]);
/// Stage of the game: the ply, in eighths of the number of squares.
const STAGE: Axis = Axis::count("stage", STAGES);
/// Change of the flat count.
const GAIN: Axis = Axis::numbers("gain", -5, 13);
/// Some squares, three and more counted as three.
const SQUARES: Axis = Axis::count("squares", 4);

catalogue! {
    P_CLASS: "placed on square" [SQUARE] x PLACED_KINDS;
    /// Own road pieces, enemy flats, enemy walls and capstones (0 to 2) and edges (0 to 2) beside the square.
    P_AROUND: "placed beside" [OWN, ENEMIES, Axis::count("blockers", 3), Axis::count("edges", 3)] x PLACED_KINDS;
    /// Own road pieces and enemy flats on the squares that touch its corners.
    P_CORNERS: "placed cornerwise" [OWN, ENEMIES] x PLACED_KINDS;
    P_OWN_TALL: "placed beside own stack" [Axis::flag("stack")] x PLACED_KINDS;
    P_ENEMY_TALL: "placed beside enemy stack" [Axis::flag("stack")] x PLACED_KINDS;
    P_CAPS: "placed beside capstone" [Axis::flag("enemy").with_capstones(&[1]), Axis::flag("own").with_capstones(&[1])] x PLACED_KINDS;
    /// Threatens a road.
    P_TAK: "placed for tak" [Axis::flag("tak")] x PLACED_KINDS;
    /// Takes a square where the opponent could threaten one.
    P_STOP: "placed against tak" [Axis::flag("tak")] x PLACED_KINDS;
    /// Distance to the last move, by the piece that it left.
    P_NEAR: "placed near last" [LAST, Axis::named(&["beside", "near", "far"])] x PLACED_KINDS;
    /// Own road pieces in its row, and in its column.
    P_LINE: "placed in own line" [PIECES] x PLACED_KINDS;
    /// Enemy flats in its row, and in its column.
    P_ENEMY_LINE: "placed in enemy line" [PIECES] x PLACED_KINDS;
    /// On the own shortest path, by its length and width.
    P_WAY: "placed on way" [DISTANCE, WIDTH] x PLACED_KINDS;
    /// On the enemy's shortest path, by its length and width.
    P_BLOCK: "placed on enemy way" [DISTANCE, WIDTH] x PLACED_KINDS;
    /// On the own path in the other direction, by its length.
    P_OTHER_WAY: "placed on other way" [DISTANCE, Axis::flag("on it")] x PLACED_KINDS;
    /// On the enemy's path in the other direction, by its length.
    P_OTHER_BLOCK: "placed on enemy other way" [DISTANCE, Axis::flag("on it")] x PLACED_KINDS;
    /// Both players' road distances.
    P_RACE: "placed in race" [OWN_DISTANCE, ENEMY_DISTANCE] x PLACED_KINDS;
    /// Turns left and lead in flats.
    P_ENDING: "placed in ending" [TURNS, LEAD] x PLACED_KINDS;
    /// Stage of the game.
    P_STAGE: "placed at stage" [STAGE] x PLACED_KINDS;
    /// Change of the flat count.
    S_GAIN: "spread gains" [TOP, GAIN];
    /// The same by turns left and lead in flats.
    S_GAIN_ENDING: "spread gains in ending" [TURNS, LEAD, GAIN];
    S_LIFTED: "spread lifts" [TOP, Axis::count("pieces", 9)];
    S_SQUARES: "spread covers" [TOP, Axis::count("squares", 9)];
    /// The piece left on the source square.
    S_LEFT: "spread leaves" [TOP, Axis::named(&["nothing", "own", "enemy"])];
    /// The piece on the last square.
    S_TARGET: "spread ends on" [TOP, Axis::named(&["nothing", "own flat", "enemy flat", "own wall", "enemy blocker"])];
    /// Height of the enemy flat's stack on the last square, six and more counted as six.
    S_CAPTURED: "spread captures" [TOP, Axis::numbers("height", 1, 6)];
    /// Height of the stack on the last square, four and more counted as four.
    S_HEIGHT: "spread builds" [TOP, Axis::numbers("height", 1, 4)];
    /// Target of the opponent's last move, by the piece that it left.
    S_RECAPTURE: "spread recaptures" [Axis::named(&["at its end", "on the way", "not"]), LAST];
    /// The stack was beside the target of the last move.
    S_EVADE: "spread evades" [Axis::flag("near last")];
    /// Squares gained where a road piece threatens a road.
    S_TAK: "spread for tak" [SQUARES];
    /// Squares gained on the own shortest path, by its length.
    S_WAY: "spread on way" [TOP, DISTANCE, SQUARES];
    /// Open squares of the enemy's shortest path covered.
    S_BLOCK: "spread blocks way" [TOP, DISTANCE, SQUARES];
    /// Road pieces of the enemy's shortest path covered.
    S_CUT: "spread cuts way" [TOP, DISTANCE, SQUARES];
    /// A road piece of the own shortest path moves away and no own piece is on top of the rest.
    S_LOSE: "spread leaves way" [DISTANCE, Axis::flag("piece lost")];
    /// The stack was on an open square of the enemy's shortest path.
    S_UNBLOCK: "spread unblocks way" [DISTANCE, Axis::flag("square left")];
    /// Own road pieces beside the square left.
    S_SOURCE_OWN: "spread from own" [OWN];
    /// Enemy flats beside the square left.
    S_SOURCE_ENEMY: "spread from enemies" [TOP, ENEMIES];
    /// Own road pieces beside the last square.
    S_TARGET_OWN: "spread to own" [OWN];
    /// Enemy flats beside the last square.
    S_TARGET_ENEMY: "spread to enemies" [TOP, ENEMIES];
    /// Strong pieces beside the last square.
    S_TARGET_STRONG: "spread to strong" [TOP, Axis::flag("own capstone").with_capstones(&[1]), Axis::flag("enemy stack"), Axis::flag("enemy capstone").with_capstones(&[1])];
    /// The square left.
    S_SOURCE_CLASS: "spread from square" [TOP, SQUARE];
    /// The last square.
    S_CLASS: "spread to square" [TOP, SQUARE];
    /// Both players' road distances.
    S_RACE: "spread in race" [TOP, OWN_DISTANCE, ENEMY_DISTANCE];
    /// Turns left and lead in flats.
    S_ENDING: "spread in ending" [TOP, TURNS, LEAD];
    /// Stage of the game.
    S_STAGE: "spread at stage" [TOP, STAGE];
}
