//! The run in words: the progress line and the result.

use std::fmt::Write as _;

use super::parameter::Tuned;
use super::run::SpsaRun;

/// `6x6 komi 2: 120 of 5000 pairs of games, 20000 nodes a move`.
fn headline(run: &SpsaRun) -> String {
    let settings = &run.settings;
    let boards: Vec<String> = settings.boards.iter().map(ToString::to_string).collect();
    let (boards, finished) = (boards.join(", "), run.finished());
    format!("{boards}: {finished} of {} pairs of games, {} nodes a move", settings.iterations, settings.nodes)
}

/// `240 games, aspiration 40 -> 43.1, null_move_most 2 -> 1.8`: the parameters that have moved most, measured in steps.
pub fn summary(run: &SpsaRun) -> String {
    /// More do not fit a line.
    const MAX_LISTED_PARAMETERS: usize = 4;
    let mut moved: Vec<(&Tuned, f64)> = run.values().collect();
    moved.sort_by(|one, other| steps(other.0, other.1).abs().total_cmp(&steps(one.0, one.1).abs()));
    let mut text = format!("{} games", run.score.games());
    for (param, value) in moved.into_iter().take(MAX_LISTED_PARAMETERS) {
        // Writing to a string cannot fail.
        let _ = write!(text, ", {} {} -> {}", param.name, shown(param, param.start), shown(param, value));
    }
    text
}

/// The result of a run: the lines of `core/src/search/params.rs` with the values reached, each with its start, its end and its
/// distance in a comment.
pub fn result(run: &SpsaRun) -> String {
    let mut text = headline(run) + "\n\n";
    for (param, value) in run.values() {
        let (start, end) = (shown(param, param.start), shown(param, value));
        let (moved, chance) = (steps(param, value), by_chance(run, param));
        let _ = writeln!(text, "{} // {start} -> {end}, {moved:+.2} steps, by chance {chance}", line(param, value));
    }
    text
}

/// The distance of a value from the start, in steps.
fn steps(param: &Tuned, value: f64) -> f64 {
    (value - param.start) / param.step
}

/// The distance by chance alone, as a standard deviation: `±0.38 steps`.
fn by_chance(run: &SpsaRun, param: &Tuned) -> String {
    format!("±{:.2} steps", run.by_chance(param, run.path.len() - 1))
}

/// A value as it can be set.
pub fn whole(value: f64) -> i32 {
    value.round() as i32
}

/// A value rounded to about a hundredth of the step.
fn shown(param: &Tuned, value: f64) -> String {
    let digits = (2.0 - param.step.log10().floor()).clamp(0.0, 4.0) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// `    aspiration = 43 "centiflats" (10 to 120);`, the form of `core/src/search/params.rs`.
fn line(param: &Tuned, value: f64) -> String {
    let [value, min, max] = [whole(value), param.min, param.max].map(literal);
    format!("    {} = {value} {:?} ({min} to {max});", param.name, param.unit())
}

/// A number in the form that the lints want in the source: with five digits or more they are in groups of three.
fn literal(number: i32) -> String {
    if number.abs() < 10_000 {
        return number.to_string();
    }
    // All are far below a million.
    format!("{}_{:03}", number / 1000, number.abs() % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spsa::parameter::choose;

    /// The values of the build are printed in the form of the source, all of them.
    #[test]
    fn lines_are_those_of_the_source() {
        let source = include_str!("../../../core/src/search/params.rs");
        for param in choose(&[], 0.002).unwrap() {
            let line = line(&param, param.start);
            assert!(source.contains(&format!("\n{line}\n")), "{line}");
        }
        assert_eq!([9999, 10_000, -4, -16_007].map(literal), ["9999", "10_000", "-4", "-16_007"]);
    }
}
