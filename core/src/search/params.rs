//! The tunable parameters of the search: value, unit and range of each.
//!
//! A parameter is a function, so that its use reads the same whether its value is fixed or, with the feature `tuning`,
//! set at run time by a TEI option. Not included are table sizes, which change no decision, the parameters of time
//! management (`timeman`), of win probabilities (`wdl`) and of the learned weights (the catalogues of terms).

/// A tunable search parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param {
    /// Name in the code and of the option.
    pub name: &'static str,
    /// Unit of the value.
    pub unit: &'static str,
    /// Default value.
    pub value: i32,
    /// Minimum for tuning.
    pub min: i32,
    /// Maximum for tuning.
    pub max: i32,
}

macro_rules! params {
    ($($(#[doc = $doc:literal])+ $name:ident = $value:literal $unit:literal ($min:literal to $max:literal);)+) => {
        /// All parameters, in the order of this file.
        pub const PARAMS: &[Param] = &[$(Param {
            name: stringify!($name),
            unit: $unit,
            value: $value,
            min: $min,
            max: $max,
        }),+];

        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[cfg(feature = "tuning")]
        enum Index { $($name),+ }

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

params! {
    /// Half the first aspiration window.
    aspiration = 30 "centiflats" (10 to 120);
    /// Factor by which the half window grows when the score falls outside.
    aspiration_growth = 4 "times" (2 to 6);
    /// Largest growth; beyond it the window becomes infinite.
    aspiration_widest = 1000 "centiflats" (300 to 3000);
    /// Depth reduction of the search after a score above the window.
    aspiration_relief = 1 "plies" (0 to 1);
    /// Minimum depth of iterations with a narrow window: the scores of earlier ones change too much.
    aspiration_depth = 4 "plies" (2 to 8);

    /// Quiescence ends at the ply that is this many times the depth of the iteration...
    quiescence_factor = 2 "times" (1 to 4);
    /// ... plus this many plies.
    quiescence_plies = 8 "plies" (2 to 20);

    /// Reverse futility: maximum depth.
    reverse_futility_depth = 6 "plies" (3 to 12);
    /// Reverse futility: margin of the estimate over beta per ply of depth.
    reverse_futility_margin = 62 "centiflats" (40 to 200);
    /// Reverse futility: plies by which the margin is smaller if the evaluation is improving.
    reverse_futility_improving = 1 "plies" (0 to 2);

    /// Null move: minimum depth.
    null_move_depth = 3 "plies" (2 to 6);
    /// Null move: minimum reserve of both players.
    null_move_reserve = 3 "pieces" (2 to 6);
    /// Null move: constant part of the reduction.
    null_move_reduction = 2 "plies" (1 to 4);
    /// Null move: depth that adds a ply to the reduction.
    null_move_divisor = 4 "plies" (2 to 8);
    /// Null move: lead of the estimate over beta that adds a ply to the reduction...
    null_move_margin = 200 "centiflats" (80 to 500);
    /// ... and the maximum of those plies.
    null_move_most = 2 "plies" (0 to 4);

    /// Internal iterative reduction: minimum depth of a node without a table move...
    internal_reduction_depth = 4 "plies" (2 to 8);
    /// ... and its reduction.
    internal_reduction = 1 "plies" (0 to 3);

    /// Extensions: only up to the ply that is this many times the depth of the iteration. Without a limit, extensions
    /// could follow each other indefinitely.
    extension_factor = 2 "times" (1 to 4);

    /// Singular extension: the largest board. On 7x7 and 8x8 searches are too shallow for it.
    singular_board = 6 "squares a side" (3 to 8);
    /// Singular extension: minimum depth.
    singular_depth = 4 "plies" (3 to 99);
    /// Singular extension: maximum difference between the depths of node and table entry.
    singular_entry = 3 "plies" (1 to 5);
    /// Singular extension: divisor of the depth for the search of the other moves.
    singular_divisor = 2 "parts" (1 to 4);
    /// Singular extension: margin between the table score and the other moves, per ply of depth.
    singular_margin = 4 "centiflats" (1 to 30);
    /// Singular extension: extension of the only good move.
    singular_plies = 1 "plies" (0 to 2);
    /// Negative extension: reduction of the table move in an expected cut node if it is not singular.
    singular_relief = 1 "plies" (0 to 3);

    /// Table cut: maximum difference between the depths of node and table entry...
    table_cut_depth = 4 "plies" (1 to 8);
    /// ... and margin of the table score over beta.
    table_cut_margin = 250 "centiflats" (100 to 800);

    /// Futility: maximum depth.
    futility_depth = 4 "plies" (2 to 10);
    /// Futility: possible gain of a quiet move at depth 0.
    futility_base = 150 "centiflats" (50 to 400);
    /// Futility: additional gain per ply of depth.
    futility_margin = 98 "centiflats" (40 to 250);
    /// Futility: additional gain of a spread.
    futility_spread = 200 "centiflats" (0 to 1000);

    /// Late move pruning: maximum depth.
    late_move_depth = 5 "plies" (2 to 10);
    /// Late move pruning: moves searched at depth 0.
    late_move_base = 7 "moves" (2 to 20);
    /// Late move pruning: additional moves, times the square of the depth.
    late_move_square = 3 "moves" (1 to 8);
    /// Late move pruning: divisor of the number of moves if the evaluation is not improving.
    late_move_worsening = 2 "parts" (1 to 4);

    /// Late move reduction: minimum depth.
    reduction_depth = 2 "plies" (2 to 4);
    /// Late move reduction: number of moves that are not reduced...
    reduction_first = 2 "moves" (1 to 6);
    /// ... and additional ones in PV nodes.
    reduction_first_pv = 1 "moves" (0 to 4);
    /// Late move reduction: added to the product of the logarithms of number and depth...
    reduction_offset = 1 "parts of a ply" (-4 to 8);
    /// ... and divisor of the sum.
    reduction_divisor = 4 "a ply" (1 to 8);
    /// Late move reduction: additional plies in expected cut nodes.
    reduction_cut = 1 "plies" (0 to 3);
    /// Late move reduction: additional plies if the evaluation is not improving.
    reduction_worsening = 1 "plies" (0 to 3);
    /// Late move reduction: fewer plies in PV nodes, for killers and for countermoves.
    reduction_trusted = 1 "plies" (0 to 3);
    /// Late move reduction: maximum part that is undone if the move threatens a road.
    reduction_tak = 1 "plies" (0 to 3);
    /// Late move reduction: margin over alpha from which the re-search is a ply deeper.
    reduction_deeper = 65 "centiflats" (10 to 500);
    /// Late move reduction: history per ply of smaller or larger reduction.
    history_per_ply = 6000 "units of history" (2000 to 16_000);
    /// Late move reduction at the root: minimum depth.
    root_reduction_depth = 3 "plies" (2 to 8);
    /// Late move reduction at the root: number of moves that are not reduced.
    root_reduction_first = 5 "moves" (1 to 12);
    /// Late move reduction at the root: divisor of the logarithm of the number...
    root_reduction_divisor = 2 "a ply" (1 to 8);
    /// ... and maximum.
    root_reduction_most = 2 "plies" (1 to 6);

    /// History: bonus at depth one; it grows with the square of the depth.
    history_bonus = 32 "units of history" (8 to 128);
    /// History: maximum bonus.
    history_most = 2048 "units of history" (512 to 8192);
    /// History: bound of the values.
    history_limit = 16_384 "units of history" (8192 to 32_000);
    /// History: divisor before every search.
    history_aging = 2 "parts" (1 to 16);

    /// Correction history: maximum correction per key.
    correction_share = 85 "centiflats" (20 to 300);
    /// Correction history: change of an entry by an error of one centiflat at depth one...
    correction_step = 4 "parts of the share" (1 to 16);
    /// ... maximum change by one error...
    correction_most = 2048 "parts of the share" (256 to 4096);
    /// ... and number of parts of the maximum correction.
    correction_parts = 8192 "parts of the share" (4096 to 32_000);

    /// Ordering: weight of 1/64 of a natural logarithm of odds.
    policy_weight = 45 "units of history" (20 to 150);
    /// Ordering: bonus of the first killer of a ply.
    killer_bonus = 7000 "units of history" (0 to 16_000);
    /// Ordering: bonus of the second killer.
    second_killer_bonus = 4500 "units of history" (0 to 16_000);
    /// Ordering: bonus of the countermove.
    counter_bonus = 3000 "units of history" (0 to 16_000);

    /// Table: depth by which the priority of an entry falls with every new search.
    table_aging = 8 "plies" (1 to 32);

    /// Several workers: minimum depth of nodes whose moves are shared.
    shared_depth = 2 "plies" (2 to 8);
    /// Several workers: number of moves that all of them search...
    shared_first = 1 "moves" (1 to 4);
    /// ... and additional ones in expected cut nodes.
    shared_first_cut = 1 "moves" (0 to 4);
    /// Several workers: nodes between checks of the limits and of settled nodes...
    shared_look = 128 "nodes" (16 to 512);
    /// ... and with several groups.
    shared_look_many = 64 "nodes" (16 to 512);
    /// Several workers: minimum number of such checks per worker within a node limit.
    shared_rounds = 8 "rounds" (1 to 64);
    /// Several workers: maximum size of a group that avoids the same work.
    shared_group = 4 "workers" (2 to 64);
    /// Several workers: one of this many groups searches a ply ahead.
    shared_ahead = 4 "groups" (2 to 64);

    /// Solver: maximum length of a win.
    solve_longest = 99 "plies" (9 to 250);
    /// Solver: node limit for threats of order 1...
    solve_nodes_1 = 20_000 "nodes" (1000 to 500_000);
    /// ... of orders up to 2...
    solve_nodes_2 = 150_000 "nodes" (1000 to 5_000_000);
    /// ... up to 3...
    solve_nodes_3 = 1_000_000 "nodes" (1000 to 50_000_000);
    /// ... and of any order.
    solve_nodes_any = 4_000_000 "nodes" (1000 to 500_000_000);
    /// Solver: divisor of the node limit for the player who is less likely to win.
    solve_unlikely = 8 "parts" (1 to 64);
}

/// Values set at run time, one set for the whole process; for tuning only.
#[cfg(feature = "tuning")]
pub mod tuning {
    use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

    use crate::search::params::PARAMS;

    static VALUES: [AtomicI32; PARAMS.len()] = {
        let mut values = [const { AtomicI32::new(0) }; PARAMS.len()];
        let mut place = 0;
        while place < values.len() {
            values[place] = AtomicI32::new(PARAMS[place].value);
            place += 1;
        }
        values
    };

    /// The value of the parameter at this index of [`PARAMS`].
    pub fn get(place: usize) -> i32 {
        VALUES[place].load(Relaxed)
    }

    /// Sets the parameter at this index of [`PARAMS`]; ignores values outside its range.
    pub fn set(place: usize, value: i32) {
        if PARAMS.get(place).is_some_and(|param| (param.min..=param.max).contains(&value)) {
            VALUES[place].store(value, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_within_range_with_unique_names() {
        for (place, param) in PARAMS.iter().enumerate() {
            assert!(param.min < param.max, "{param:?}");
            assert!((param.min..=param.max).contains(&param.value), "{param:?}");
            let earlier = &PARAMS[..place];
            assert!(earlier.iter().all(|other| other.name != param.name), "{param:?}");
        }
    }
}
