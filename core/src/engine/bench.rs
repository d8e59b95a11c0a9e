//! The fixed amount of search of `tak-engine bench`, whose node count is the signature of the search's behaviour.

/// The size of the table.
pub const HASH_MIB: usize = 16;

/// Positions, most of them from the engine's own games: openings, middle games and ends. Each with the depth in plies
/// to search it to with a table of [`HASH_MIB`].
#[rustfmt::skip]
pub const POSITIONS: [(&str, u32); 16] = [
    ("1,x2/1,1,2/x,2,x 2 3", 11),
    ("x2,2,2/x,2,1,1/x,2,1,x/x2,1,x 1 5", 10),
    ("x3,2/x4/x,21,112,2/x,1,112,x 1 9", 10),
    ("x5/x5/x5/x5/x5 1 1", 10),
    ("x4,1/x2,1,2,x/x,1,1,2,x/x2,1C,x2/2,2,2,x2 1 6", 10),
    ("x,2,21,1,1/x2,12C,x2/x,1,1,2,x/x2,1C,2,x/2,2,2,1,x 1 11", 10),
    ("2S,x,1,1,1/x,222,12112C,2,x/x,1,1,2,x/x2,1,21C,x/2,2,2,1,x 1 18", 9),
    ("x6/x,1,x4/x,1,x4/x,1,x4/x2,221,2,x2/2,2C,2,x3 1 7", 9),
    ("x,1,x4/x,1,x4/x,1,x4/x,12S,1,x3/x2,1S,2,2,1/2,1C,22212C,2,x,2 1 13", 9),
    ("x,1,x2,2,x/x,1,x2,2,x/x,1,1,2,2,x/x,12S,1,2,2,x/x2,1S,x,1,1221S/2,1C,22212C,21S,x,2 1 21", 9),
    ("2,x4,1/x2,2,1,x2/x,2,1C,2C,1,x/x,2,1,1,x2/x,1,2,x3/1,x4,2 1 9", 10),
    ("122S,x,2C,21,1S,1S/x2,12S,1221,1,2S/1S,1S,2S,x2,2/1S,x,221,x,1S,1S/2S,2S,21S,x3/1S,121C,x2,22S,11 2 62", 9),
    ("x7/x2,1,x4/x2,1,x4/x2,1,1,x3/x2,2C,2221,x3/x,2,2,2C,2,x2/x7 1 9", 8),
    ("x7/x2,1,x4/x2,1,x,2,x2/x,1,12C,1,112C,x2/x4,2222121C,x2/2,2,2,2,2,1,x/x3,2,2,1C,x 1 19", 8),
    ("x8/x8/x2,1C,x2,2,1,x/x3,2,2,12,1C,x/x3,2C,1,1,1,1/x2,2,2,x4/x2,2,x5/x8 1 11", 8),
    ("x3,2,1,x3/x3,2,12,x3/x3,2C,1,2,1,x/x3,221,1,x,1C,x/x2,2,2C,1,1,1,1/x2,2,2,1,x3/x2,2,x,221C,x3/x2,2,x5 1 23", 8),
];
