//! Weights by which the tempo alone counts, as the text of a file.

/// The first lines of a file with weights of the evaluation on 5x5.
pub const HEAD: &str = "\
tak-engine weights | evaluation | 5x5
term | index | meaning | opening | middle | end | waiting opening | waiting middle | waiting end
";

/// A quiet middle game, in which no move threatens a road.
pub const QUIET: &str = "x5/x,2,x3/x2,1,x2/x3,2,x/1,x4 1 3";

/// Weights by which every position has the value `tempo` for the player to move.
pub fn only_tempo(tempo: i32) -> String {
    format!("{HEAD}tempo | 0 | | {tempo} | {tempo} | {tempo} | 0 | 0 | 0\n")
}
