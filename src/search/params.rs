//! Every margin of the search, with its unit.

/// Half the first aspiration window, in centiflats.
pub(super) const ASPIRATION: i32 = 40;
/// Iterations below this depth (plies) use a full window: their scores still jump.
pub(super) const ASPIRATION_DEPTH: i32 = 4;

/// Reverse futility: the deepest remaining depth, in plies.
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 6;
/// Reverse futility: how far above beta the evaluation must be for each remaining ply, in centiflats.
pub(super) const REVERSE_FUTILITY_MARGIN: i32 = 90;

/// Null move: the least remaining depth, in plies.
pub(super) const NULL_MOVE_DEPTH: i32 = 3;
/// Null move: pieces that both players must still have in reserve.
pub(super) const NULL_MOVE_RESERVE: u8 = 3;

/// Futility: the deepest remaining depth, in plies.
pub(super) const FUTILITY_DEPTH: i32 = 4;
/// Futility: what a quiet move may gain at depth 0, in centiflats.
pub(super) const FUTILITY_BASE: i32 = 150;
/// Futility: what it may gain more for each remaining ply, in centiflats.
pub(super) const FUTILITY_MARGIN: i32 = 110;

/// Late move pruning: the deepest remaining depth, in plies.
pub(super) const LATE_MOVE_DEPTH: i32 = 5;
/// Late move pruning: moves always searched.
pub(super) const LATE_MOVE_BASE: usize = 8;

/// Internal reduction: the least remaining depth at which a node without a table move is searched one ply less.
pub(super) const INTERNAL_REDUCTION_DEPTH: i32 = 4;

/// History values stay within plus and minus this.
pub(super) const HISTORY_MAX: i32 = 16_384;

/// History: bonus for a depth of one ply; it grows with the square of the depth.
pub(super) const HISTORY_BONUS: i32 = 32;
/// Late move reduction: so much history takes or adds one ply.
pub(super) const HISTORY_PER_PLY: i32 = 6_000;

/// Correction history: the most that each key can add to an evaluation, in centiflats.
pub(super) const CORRECTION_SHARE: i32 = 100;
/// Correction history: how much an error of one centiflat at depth one moves an entry.
pub(super) const CORRECTION_STEP: i32 = 4;

/// Ordering: what 1/64 of a natural logarithm of odds is worth in units of history.
pub(super) const POLICY_WEIGHT: i32 = 60;
/// Ordering: what being the first killer of a ply is worth in units of history.
pub(super) const KILLER_BONUS: i32 = 6_000;

/// Several workers: the least remaining depth of nodes whose moves they divide among themselves.
pub(super) const SHARED_DEPTH: i32 = 3;
