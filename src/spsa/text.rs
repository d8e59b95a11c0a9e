//! A run as text: the progress line, and the table at the end.

use std::fmt::Write as _;

use super::course::Course;
use super::margin::Tuned;
use crate::arena::standings::Columns;

/// More margins do not fit a line.
const MOST_IN_LINE: usize = 4;

/// `6x6 komi 2: 120 of 5000 pairs of games, 20000 nodes a move`.
pub fn headline(course: &Course) -> String {
    let settings = course.settings();
    format!(
        "{}: {} of {} pairs of games, {} nodes a move",
        settings.boards_text(),
        course.finished(),
        settings.iterations,
        settings.nodes
    )
}

/// `240 games, aspiration 40 -> 43.1, null_move_most 2 -> 1.8`: the margins that have moved most, measured in their steps.
pub fn summary(course: &Course) -> String {
    let margins = course.settings().margins.iter();
    let mut moved: Vec<(&Tuned, f64)> = margins.zip(course.values().iter().copied()).collect();
    let steps = |&(margin, value): &(&Tuned, f64)| steps(margin, value).abs();
    moved.sort_by(|one, other| steps(other).total_cmp(&steps(one)));
    let mut text = format!("{} games", course.score().games());
    for (margin, value) in moved.into_iter().take(MOST_IN_LINE) {
        let start = shown(margin, margin.start);
        // Writing to a string cannot fail.
        let _ = write!(text, ", {} {start} -> {}", margin.name, shown(margin, value));
    }
    text
}

/// What comes of a run: where every margin started and where it is, and the lines of `src/search/params.rs` with these
/// values.
pub fn result(course: &Course) -> String {
    let margins = || course.settings().margins.iter().zip(course.values());
    let mut table = Columns::new(&["margin", "start", "end", "moved by", "by chance", "value", "range"]);
    for (margin, &value) in margins() {
        table.row([
            margin.name.clone(),
            shown(margin, margin.start),
            shown(margin, value),
            format!("{:+.2} steps", steps(margin, value)),
            by_chance(course, margin),
            whole(value).to_string(),
            format!("{} to {}", margin.min, margin.max),
        ]);
    }
    let mut text = format!("{}\n\n{table}\n", headline(course));
    for (margin, &value) in margins() {
        let _ = writeln!(text, "{}", line(margin, value));
    }
    text
}

/// How far a value is from the start, in steps.
pub fn steps(margin: &Tuned, value: f64) -> f64 {
    (value - margin.start) / margin.step
}

/// `±0.38 steps`: how far chance alone would have moved it, as a standard deviation.
pub fn by_chance(course: &Course, margin: &Tuned) -> String {
    let iterations = course.path().len() - 1;
    format!("±{:.2} steps", course.by_chance(margin, iterations))
}

/// A value as it can be set.
pub fn whole(value: f64) -> i32 {
    value.round() as i32
}

/// A value with as many digits as tell something: a hundredth of the step.
pub fn shown(margin: &Tuned, value: f64) -> String {
    let digits = (2.0 - margin.step.log10().floor()).clamp(0.0, 4.0) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// `    aspiration = 43 "centiflats" (10 to 120);`, as it stands in `src/search/params.rs`.
fn line(margin: &Tuned, value: f64) -> String {
    let unit = margin.margin().map_or("", |margin| margin.unit);
    let [value, min, max] = [whole(value), margin.min, margin.max].map(literal);
    format!("    {} = {value} {unit:?} ({min} to {max});", margin.name)
}

/// A whole number as the lints want it in the source: with five digits or more they are in groups of three.
fn literal(number: i32) -> String {
    let digits = number.unsigned_abs().to_string();
    let sign = if number < 0 { "-" } else { "" };
    if digits.len() < 5 {
        return format!("{sign}{digits}");
    }
    let head = match digits.len() % 3 {
        0 => 3,
        rest => rest,
    };
    let (head, rest) = digits.split_at(head);
    let groups = rest.as_bytes().chunks(3).map(String::from_utf8_lossy);
    groups.fold(format!("{sign}{head}"), |text, group| text + "_" + &group)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::record::GameResult::{BlackWin, Draw, WhiteWin};
    use crate::search::params::PARAMS;
    use crate::spsa::journal::testing::{pair, settings};
    use crate::spsa::margin::choose;

    /// The values of the build are printed as they stand in the source, all of them.
    #[test]
    fn lines_are_those_of_the_source() {
        let source = include_str!("../search/params.rs");
        let all = choose(&[], 0.002).unwrap();
        assert!(all.len() < PARAMS.len());
        for margin in all {
            let line = line(&margin, margin.start);
            assert!(source.contains(&format!("\n{line}\n")), "{line}");
        }
        assert_eq!(literal(-1_234_567), "-1_234_567");
        assert_eq!([9999, 10_000, -4].map(literal), ["9999", "10_000", "-4"]);
    }

    #[test]
    fn a_course_is_told_in_few_words() {
        let mut course = Course::new(settings(500, 1));
        let usual = PARAMS.iter().find(|margin| margin.name == "aspiration");
        let usual = usual.unwrap().value;
        assert_eq!(
            summary(&course),
            format!("0 games, aspiration {usual} -> {usual}, null_move_most 2 -> 2, futility_margin 100.5 -> 100.5")
        );
        for iteration in 1..=300 {
            let results = if iteration % 2 == 0 { [WhiteWin, Draw] } else { [Draw, BlackWin] };
            let pair = pair(&course, iteration, results);
            course.enter(&pair).unwrap();
        }
        let text = result(&course);
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("6x6 komi 0: 300 of 500 pairs of games, 20000 nodes a move"));
        let values = course.values();
        let row = |name: &str| {
            let row = text.lines().find(|line| line.starts_with(name)).unwrap();
            row.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
        };
        let aspiration = row("aspiration");
        assert_eq!(aspiration[1], usual.to_string());
        let end: f64 = aspiration[2].parse().unwrap();
        assert!((end - values[0]).abs() < 0.006, "{text}");
        assert_eq!(aspiration[7], whole(values[0]).to_string());
        assert_eq!(aspiration[8..], ["10", "to", "120"]);
        let pasted = format!("    aspiration = {} \"centiflats\" (10 to 120);", whole(values[0]));
        assert!(text.lines().any(|line| line == pasted), "{text}");
        assert!(summary(&course).starts_with("600 games, "));
    }
}
