//! Every margin of the search: its value, its unit and the range that a tuner may try.
//!
//! A margin is a function, so that its use reads the same whether its value is fixed or, with the feature `tuning`, can
//! be set at run time (each is then a TEI option). Not here are sizes of tables, which change no decision; the numbers of
//! the clock, which are in `timeman`; how scores become chances, which is in `wdl`; and what the learned weights were fitted to,
//! which is in the catalogues of terms.

/// A number that decides what the search does, and that could as well be another.
///
/// ```
/// use tak_engine::search::params::MARGINS;
///
/// let margin = MARGINS.iter().find(|margin| margin.name == "aspiration").unwrap();
/// assert_eq!(margin.unit, "centiflats");
/// assert!((margin.min..=margin.max).contains(&margin.value));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Margin {
    /// As in the code, and as the name of its option.
    pub name: &'static str,
    /// What it counts.
    pub unit: &'static str,
    /// The value in force unless another is set.
    pub value: i32,
    /// The least value worth trying.
    pub min: i32,
    /// The largest value worth trying.
    pub max: i32,
}

macro_rules! margins {
    ($($(#[doc = $doc:literal])+ $name:ident = $value:literal $unit:literal ($min:literal to $max:literal);)+) => {
        /// All of them, in the order of this file.
        pub const MARGINS: &[Margin] = &[$(Margin {
            name: stringify!($name),
            unit: $unit,
            value: $value,
            min: $min,
            max: $max,
        }),+];

        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[cfg(feature = "tuning")]
        enum Index { $($name),+ }

        /// The largest value that each may have in this build, for arrays that have to hold as much.
        #[allow(non_upper_case_globals, dead_code)]
        pub(super) mod room {
            $(pub const $name: i32 = if cfg!(feature = "tuning") { $max } else { $value };)+
        }

        $(
            $(#[doc = $doc])+
            #[inline]
            pub(super) fn $name() -> i32 {
                #[cfg(feature = "tuning")]
                return tuning::get(Index::$name as usize);
                #[cfg(not(feature = "tuning"))]
                $value
            }
        )+
    };
}

margins! {
    /// Half the first aspiration window.
    aspiration = 30 "centiflats" (10 to 120);
    /// What is added to the half window when the score falls outside is so many times as much as the last time.
    aspiration_growth = 4 "times" (2 to 6);
    /// Where more than this would be added, the window is made infinite.
    aspiration_widest = 1000 "centiflats" (300 to 3000);
    /// How many plies less deep a score above the window is looked for.
    aspiration_relief = 1 "plies" (0 to 1);
    /// Iterations below this depth use a full window: their scores still jump.
    aspiration_depth = 4 "plies" (2 to 8);

    /// Quiescence: it ends at the ply that is this many times the depth of the iteration...
    quiescence_factor = 2 "times" (1 to 4);
    /// ... and this many plies more.
    quiescence_plies = 8 "plies" (2 to 20);

    /// Reverse futility: the deepest remaining depth.
    reverse_futility_depth = 6 "plies" (3 to 12);
    /// Reverse futility: how far above beta the estimate must be for each remaining ply.
    reverse_futility_margin = 72 "centiflats" (40 to 200);
    /// Reverse futility: how many plies' worth of that are let off where the evaluation is improving.
    reverse_futility_improving = 1 "plies" (0 to 2);

    /// Null move: the least remaining depth.
    null_move_depth = 3 "plies" (2 to 6);
    /// Null move: pieces that both players must still have in reserve.
    null_move_reserve = 3 "pieces" (2 to 6);
    /// Null move: what the depth is always reduced by.
    null_move_reduction = 2 "plies" (1 to 4);
    /// Null move: remaining depth that adds a ply to the reduction.
    null_move_divisor = 4 "plies" (2 to 8);
    /// Null move: lead of the estimate over beta that adds a ply to the reduction...
    null_move_margin = 200 "centiflats" (80 to 500);
    /// ... and how many plies it may add.
    null_move_most = 2 "plies" (0 to 4);

    /// Internal reduction: the least remaining depth at which a node without a table move is searched less deeply...
    internal_reduction_depth = 4 "plies" (2 to 8);
    /// ... and by how much.
    internal_reduction = 1 "plies" (0 to 3);

    /// Extensions: how many times as many plies as the iteration is deep a line may have and still be extended. Without a
    /// limit extensions could follow each other without end.
    extension_factor = 2 "times" (1 to 4);

    /// Singular extension: the largest board. On 7x7 and 8x8 a search is too shallow for them to pay.
    singular_board = 6 "squares a side" (3 to 8);
    /// Singular extension: the least remaining depth.
    singular_depth = 4 "plies" (3 to 99);
    /// Singular extension: how much less deep the table's entry may be than the node.
    singular_entry = 3 "plies" (1 to 5);
    /// Singular extension: what the remaining depth is divided by for the search of the others.
    singular_divisor = 2 "parts" (1 to 4);
    /// Singular extension: how far below the table move all others must be, for each remaining ply.
    singular_margin = 4 "centiflats" (1 to 30);
    /// Singular extension: how much deeper the only good move is searched.
    singular_plies = 1 "plies" (0 to 2);
    /// Singular extension: how much less deep the table move is searched where others are as good and the node is
    /// expected to cut off.
    singular_relief = 1 "plies" (0 to 3);

    /// Table cut: how much less deep the table's entry may be than the node...
    table_cut_depth = 4 "plies" (1 to 8);
    /// ... and how far above beta its score must be.
    table_cut_margin = 250 "centiflats" (100 to 800);

    /// Futility: the deepest remaining depth.
    futility_depth = 4 "plies" (2 to 10);
    /// Futility: what a quiet move may gain at depth 0.
    futility_base = 150 "centiflats" (50 to 400);
    /// Futility: what is added to that for each remaining ply.
    futility_margin = 110 "centiflats" (40 to 250);
    /// Futility: how much more a spread may gain.
    futility_spread = 200 "centiflats" (0 to 1000);

    /// Late move pruning: the deepest remaining depth.
    late_move_depth = 5 "plies" (2 to 10);
    /// Late move pruning: moves searched at any depth.
    late_move_base = 7 "moves" (2 to 20);
    /// Late move pruning: what is added to that, times the square of the remaining depth.
    late_move_square = 3 "moves" (1 to 8);
    /// Late move pruning: what that is divided by when the evaluation is not improving.
    late_move_worsening = 2 "parts" (1 to 4);

    /// Late move reduction: the least remaining depth.
    reduction_depth = 2 "plies" (2 to 4);
    /// Late move reduction: moves searched in full before it begins...
    reduction_first = 2 "moves" (1 to 6);
    /// ... and as many more on the principal variation.
    reduction_first_pv = 1 "moves" (0 to 4);
    /// Late move reduction: a constant part of the sum...
    reduction_offset = 1 "parts of a ply" (-4 to 8);
    /// ... the weight of the logarithm of the number in it...
    reduction_number = 0 "parts of a ply" (0 to 4);
    /// ... the weight of the product of the logarithms of number and depth...
    reduction_product = 1 "parts of a ply" (0 to 4);
    /// ... and the parts of a ply.
    reduction_divisor = 4 "a ply" (1 to 8);
    /// Late move reduction: added where a move is expected to cut off.
    reduction_cut = 1 "plies" (0 to 3);
    /// Late move reduction: added where the evaluation is not improving.
    reduction_worsening = 1 "plies" (0 to 3);
    /// Late move reduction: taken off on the principal variation, for killers and for countermoves.
    reduction_trusted = 1 "plies" (0 to 3);
    /// Late move reduction: the most that a reduced move gets back where it turns out to threaten a road.
    reduction_tak = 1 "plies" (0 to 3);
    /// Late move reduction: a move that turns out to be better than alpha by this much is searched again a ply deeper.
    reduction_deeper = 65 "centiflats" (10 to 500);
    /// Late move reduction: history that takes off a ply, or with the other sign adds one.
    history_per_ply = 6000 "units of history" (2000 to 16_000);
    /// Late move reduction at the root: the least depth.
    root_reduction_depth = 3 "plies" (2 to 8);
    /// Late move reduction at the root: moves searched in full before it begins.
    root_reduction_first = 5 "moves" (1 to 12);
    /// Late move reduction at the root: the most.
    root_reduction_most = 2 "plies" (1 to 6);
    /// Late move reduction at the root: as for the other nodes, a constant part of the sum...
    root_reduction_offset = -1 "parts of a ply" (-4 to 8);
    /// ... the weight of the logarithm of the number in it...
    root_reduction_number = 1 "parts of a ply" (0 to 4);
    /// ... the weight of the product of the logarithms of number and depth...
    root_reduction_product = 0 "parts of a ply" (0 to 4);
    /// ... and the parts of a ply.
    root_reduction_divisor = 2 "a ply" (1 to 8);

    /// History: the bonus for a depth of one ply; it grows with the square of the depth.
    history_bonus = 32 "units of history" (8 to 128);
    /// History: the largest bonus.
    history_most = 2048 "units of history" (512 to 8192);
    /// History: values stay within plus and minus this; the nearer they are to it, the less is added.
    history_limit = 16_384 "units of history" (8192 to 32_000);
    /// History: what it is divided by before every search.
    history_aging = 2 "parts" (1 to 16);

    /// Correction history: the most that each key can add to an evaluation.
    correction_share = 85 "centiflats" (20 to 300);
    /// Correction history: how much an error of one centiflat at depth one moves an entry...
    correction_step = 4 "parts of the share" (1 to 16);
    /// ... the most that one error moves it...
    correction_most = 2048 "parts of the share" (256 to 4096);
    /// ... and how many parts the share has.
    correction_parts = 8192 "parts of the share" (4096 to 32_000);

    /// Ordering: what 1/64 of a natural logarithm of odds is worth.
    policy_weight = 52 "units of history" (20 to 150);
    /// Ordering: the bonus of the first killer of a ply.
    killer_bonus = 7000 "units of history" (0 to 16_000);
    /// Ordering: the bonus of the second killer.
    second_killer_bonus = 4500 "units of history" (0 to 16_000);
    /// Ordering: the bonus of the move that refuted the same move before.
    counter_bonus = 3000 "units of history" (0 to 16_000);

    /// Table: depth by which an entry is worth less for each search that has begun since it was written.
    table_aging = 8 "plies" (1 to 32);

    /// Several workers: the least remaining depth at which they share out the moves of a node.
    shared_depth = 2 "plies" (2 to 8);
    /// Several workers: moves of a node that are not shared out: all search them...
    shared_first = 1 "moves" (1 to 4);
    /// ... and as many more of a node that is expected to cut off.
    shared_first_cut = 1 "moves" (0 to 4);
    /// Several workers: nodes that one visits before it looks at the clock, and whether another has settled what it is at...
    shared_look = 128 "nodes" (16 to 512);
    /// ... and where the workers are several groups.
    shared_look_many = 64 "nodes" (16 to 512);
    /// Several workers: how often a small limit of nodes has to go round all of them.
    shared_rounds = 8 "rounds" (1 to 64);
    /// Several workers: the most that keep out of each other's way; more of them make several such groups.
    shared_group = 4 "workers" (2 to 64);
    /// Several workers: of so many groups one searches a ply ahead of the others.
    shared_ahead = 4 "groups" (2 to 64);

    /// Solver: winning placements that it looks at to know what may answer a threat; with more of them hardly any further
    /// move is refused.
    solve_zones = 3 "placements" (1 to 6);
    /// Solver: the longest win looked for.
    solve_longest = 99 "plies" (9 to 250);
    /// Solver: what may go into threats of order 1...
    solve_nodes_1 = 20_000 "nodes" (1000 to 500_000);
    /// ... of orders up to 2...
    solve_nodes_2 = 150_000 "nodes" (1000 to 5_000_000);
    /// ... up to 3...
    solve_nodes_3 = 1_000_000 "nodes" (1000 to 50_000_000);
    /// ... and of any order.
    solve_nodes_any = 4_000_000 "nodes" (1000 to 500_000_000);
    /// Solver: the player who does not look like winning gets this part of the nodes.
    solve_unlikely = 8 "parts" (1 to 64);
}

/// Values set at run time. There is one set of them for the whole process, which is for tuning and nothing else.
#[cfg(feature = "tuning")]
pub mod tuning {
    use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

    use crate::search::params::MARGINS;

    static VALUES: [AtomicI32; MARGINS.len()] = {
        let mut values = [const { AtomicI32::new(0) }; MARGINS.len()];
        let mut place = 0;
        while place < values.len() {
            values[place] = AtomicI32::new(MARGINS[place].value);
            place += 1;
        }
        values
    };

    /// The value of the margin at this place of [`MARGINS`], which must have it.
    #[must_use]
    pub fn get(place: usize) -> i32 {
        VALUES[place].load(Relaxed)
    }

    /// Sets the margin at this place of [`MARGINS`] to a value within its range; others are left alone.
    pub fn set(place: usize, value: i32) {
        if MARGINS.get(place).is_some_and(|margin| (margin.min..=margin.max).contains(&value)) {
            VALUES[place].store(value, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_margin_is_within_its_range_and_named_once() {
        for (place, margin) in MARGINS.iter().enumerate() {
            assert!(margin.min < margin.max, "{margin:?}");
            assert!((margin.min..=margin.max).contains(&margin.value), "{margin:?}");
            let earlier = &MARGINS[..place];
            assert!(earlier.iter().all(|other| other.name != margin.name), "{margin:?}");
        }
    }
}
