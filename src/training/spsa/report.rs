//! The report of a run: one HTML page with a chart of every parameter, the progress line and the result as text.

use std::fmt::Write as _;
use std::io;
use std::ops::Range;
use std::path::Path;

use maud::{Markup, html};

use super::parameter::Tuned;
use super::run::SpsaRun;
use crate::arena::report::charts::{self as arena_charts, Curve};
use crate::arena::report::series::thinned;
use crate::arena::report::{STYLE, figure};
use crate::files::text;
use crate::html::{
    self,
    table::{Table, list},
};

/// Small charts, as many beside each other as there is room for.
const GRID: &str = "
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 420px), 1fr)); gap: 10px 24px; }
.charts h3 { margin-top: 8px; }
";

/// Writes the report to a file. The file is replaced at once: a reader sees the old page or the complete next one.
///
/// # Errors
/// If the file cannot be written; it is then unchanged.
pub fn write(path: &Path, run: &SpsaRun) -> io::Result<()> {
    text::replace(path, page(run).as_bytes())
}

fn page(run: &SpsaRun) -> String {
    let style = format!("{STYLE}{GRID}");
    html::page(
        "Parameters of the search",
        &html! { (headline(run)) },
        &style,
        &html! {
            (values(run))
            (charts(run))
            (conditions(run))
        },
    )
}

fn values(run: &SpsaRun) -> Markup {
    let titles = ["parameter", "start", "now", "moved by", "by chance", "whole", "range", "step", "rate", "unit"];
    let rows = run.values().map(|(param, value)| {
        [
            param.name.clone(),
            shown(param, param.start),
            shown(param, value),
            format!("{:+.2} steps", steps(param, value)),
            by_chance(run, param),
            whole(value).to_string(),
            format!("{} to {}", param.min, param.max),
            param.step.to_string(),
            param.rate.to_string(),
            param.unit().to_owned(),
        ]
    });
    html! {
        section {
            h2 { "Values" }
            (Table::new(titles, rows))
            p.note {
                "\"By chance\" is the distance that a parameter without effect would have moved, as a standard deviation. The sides \
                whose parameters were moved along the random directions scored " (run.score)
                ". Only a match shows whether the values are better."
            }
        }
    }
}

fn charts(run: &SpsaRun) -> Markup {
    html! {
        section {
            h2 { "Values over time" }
            div.charts {
                @for (place, (param, _)) in run.values().enumerate() {
                    div {
                        h3 { (param.name) }
                        (figure(chart(run, param, place), &[]))
                    }
                }
            }
            p.note {
                "The horizontal line is the start. The band around it is the range in which chance alone would keep the \
                parameter 19 times out of 20."
            }
        }
    }
}

fn chart(run: &SpsaRun, param: &Tuned, place: usize) -> String {
    let values = run.path.iter().map(|values| values[place]);
    let points: Vec<(f64, f64)> = (0u32..).map(f64::from).zip(values).collect();
    let chance = |iterations: usize| 2.0 * param.step * run.by_chance(param, iterations);
    let band = (0..points.len()).map(chance);
    let band = points.iter().zip(band).map(|(&(x, _), reach)| {
        let ends = [param.start - reach, param.start + reach];
        let [low, high] = ends.map(|end| param.clamped(end));
        (x, low, high)
    });
    let line = Curve { band: thinned(band.collect()), points: thinned(points) };
    let title = format!("pairs of games: {} ({})", param.name, param.unit());
    let range = range(param, &line);
    // Enough digits to distinguish the labels of this range.
    let digits = (1.0 - (range.end - range.start).log10().floor()).clamp(0.0, 4.0) as usize;
    arena_charts::lines(&title, &[line], &[param.start], range, &|value| format!("{value:.digits$}"))
}

/// All of the line and its band with some room around, at least a step to each side of the start, within the range.
fn range(param: &Tuned, line: &Curve) -> Range<f64> {
    let band = line.band.iter().flat_map(|&(_, low, high)| [low, high]);
    let values = line.points.iter().map(|point| point.1).chain(band);
    let least = values.clone().fold(param.start - param.step, f64::min);
    let most = values.fold(param.start + param.step, f64::max);
    let room = (most - least) / 20.0;
    param.clamped(least - room)..param.clamped(most + room)
}

fn conditions(run: &SpsaRun) -> Markup {
    let settings = &run.settings;
    let boards = settings.boards.iter().map(|board| {
        (board.to_string(), format!("{} openings, shuffled, hash {}", board.openings, board.openings_hash))
    });
    let values = [
        ("nodes a move", settings.nodes.to_string()),
        ("table", format!("{} MiB", settings.hash)),
        ("pairs of games", settings.iterations.to_string()),
        ("delay in pairs", settings.delay.to_string()),
        ("seed", settings.seed.to_string()),
    ];
    let values = values.into_iter().map(|(name, value)| (name.to_owned(), value));
    let fingerprint = ("fingerprint of the settings".to_owned(), run.fingerprint.clone());
    html! {
        section {
            h2 { "Conditions" }
            (list(boards.chain(values).chain(settings.rules.clone()).chain([fingerprint])))
        }
    }
}

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
    const MOST: usize = 4;
    let mut moved: Vec<(&Tuned, f64)> = run.values().collect();
    moved.sort_by(|one, other| steps(other.0, other.1).abs().total_cmp(&steps(one.0, one.1).abs()));
    let mut text = format!("{} games", run.score.games());
    for (param, value) in moved.into_iter().take(MOST) {
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
    use crate::arena::tournament::record::GameResult::{Draw, WhiteWin};
    use crate::training::spsa::parameter::choose;
    use crate::training::spsa::run::tests::{pair, settings};

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

    #[test]
    fn every_parameter_has_a_chart_from_the_first_pair() {
        let mut run = SpsaRun::new(settings(2000, 2));
        for pairs in [0, 1, 2, 1500] {
            while run.counted() < pairs {
                let pair = pair(&run, run.counted() + 1, [WhiteWin, Draw]);
                run.enter(&pair).unwrap();
            }
            let page = page(&run);
            assert_eq!(page.matches("<svg ").count(), 3);
            for (param, value) in run.values() {
                assert!(page.contains(&format!("pairs of games: {} (", param.name)));
                assert!(page.contains(&format!("<td>{}</td>", shown(param, value))));
            }
            assert!(!page.contains("NaN") && !page.contains("inf\""));
            // No chart has more points than can be distinguished.
            assert!(page.len() < 100_000, "{}", page.len());
        }
    }
}
