//! The report of a run: one HTML page with the course of every margin.

use std::io;
use std::ops::Range;
use std::path::Path;

use maud::{Markup, html};

use super::course::Course;
use super::margin::Tuned;
use super::text::{by_chance, headline, shown, steps, whole};
use crate::arena::report::charts::{self, Curve};
use crate::arena::report::series::thinned;
use crate::arena::report::{STYLE, figure};
use crate::html;
use crate::system::files;

/// Small charts, as many beside each other as there is room for.
const GRID: &str = "
.courses { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 420px), 1fr)); gap: 10px 24px; }
.courses h3 { margin-top: 8px; }
";

/// Writes the report to a file. The file is replaced at once: a reader sees the old page or the complete next one.
///
/// # Errors
/// When the file cannot be written; it is then as it was.
pub fn write(path: &Path, course: &Course) -> io::Result<()> {
    files::replace(path, page(course).as_bytes())
}

/// The whole page.
fn page(course: &Course) -> String {
    let style = format!("{STYLE}{GRID}");
    html::page(
        "Margins of the search",
        &html! { (headline(course)) },
        &style,
        &html! {
            (values(course))
            (courses(course))
            (conditions(course))
        },
    )
}

/// The margins with their present values.
fn tuned(course: &Course) -> impl Iterator<Item = (&Tuned, f64)> {
    let values = course.values().iter().copied();
    course.settings().margins.iter().zip(values)
}

fn unit(margin: &Tuned) -> &'static str {
    margin.margin().map_or("", |margin| margin.unit)
}

fn values(course: &Course) -> Markup {
    let score = course.score();
    html! {
        section {
            h2 { "Values" }
            div.wide {
                table {
                    tr {
                        th.text { "margin" } th { "start" } th { "now" } th { "moved by" } th { "by chance" }
                        th { "whole" }
                        th { "range" } th { "step" } th { "rate" } th.text { "unit" }
                    }
                    @for (margin, value) in tuned(course) {
                        tr {
                            td.text.name { (margin.name) }
                            td { (shown(margin, margin.start)) }
                            td { (shown(margin, value)) }
                            td { (format_args!("{:+.2} steps", steps(margin, value))) }
                            td { (by_chance(course, margin)) }
                            td { (whole(value)) }
                            td { (margin.min) " to " (margin.max) }
                            td { (margin.step) }
                            td { (margin.rate) }
                            td.text { (unit(margin)) }
                        }
                    }
                }
            }
            p.note {
                "\"By chance\" is how far a margin that decides nothing would have moved, as a standard deviation. The sides \
                whose margins were moved along the random directions scored " (score)
                ". Only a match tells whether the values are better."
            }
        }
    }
}

fn courses(course: &Course) -> Markup {
    html! {
        section {
            h2 { "Courses" }
            div.courses {
                @for (place, (margin, _)) in tuned(course).enumerate() {
                    div {
                        h3 { (margin.name) }
                        (figure(chart(course, margin, place), &[]))
                    }
                }
            }
            p.note {
                "The level is where the margin started. Around it lies the band in which chance alone would keep it 19 times \
                out of 20."
            }
        }
    }
}

fn chart(course: &Course, margin: &Tuned, place: usize) -> String {
    let values = course.path().iter().map(|values| values[place]);
    let points: Vec<(f64, f64)> = (0u32..).map(f64::from).zip(values).collect();
    let chance = |iterations: usize| 2.0 * margin.step * course.by_chance(margin, iterations);
    let band = (0..points.len()).map(chance);
    let band = points.iter().zip(band).map(|(&(x, _), reach)| {
        let ends = [margin.start - reach, margin.start + reach];
        let [low, high] = ends.map(|end| margin.clamped(end));
        (x, low, high)
    });
    let line = Curve { band: thinned(band.collect()), points: thinned(points) };
    let title = format!("pairs of games: {} ({})", margin.name, unit(margin));
    let range = range(margin, &line);
    // As many digits as tell the labels of this range apart.
    let digits = (1.0 - (range.end - range.start).log10().floor()).clamp(0.0, 4.0) as usize;
    charts::lines(&title, &[line], &[margin.start], range, &|value| format!("{value:.digits$}"))
}

/// All of the line and its band with some room around, at least a step to each side of the start, within the range.
fn range(margin: &Tuned, line: &Curve) -> Range<f64> {
    let band = line.band.iter().flat_map(|&(_, low, high)| [low, high]);
    let values = line.points.iter().map(|point| point.1).chain(band);
    let least = values.clone().fold(margin.start - margin.step, f64::min);
    let most = values.fold(margin.start + margin.step, f64::max);
    let room = (most - least) / 20.0;
    margin.clamped(least - room)..margin.clamped(most + room)
}

fn conditions(course: &Course) -> Markup {
    let settings = course.settings();
    html! {
        section {
            h2 { "Conditions" }
            dl {
                @for board in &settings.boards {
                    dt { (board) }
                    dd { (board.openings) " openings, shuffled, hash " (board.openings_hash) }
                }
                dt { "nodes a move" }
                dd { (settings.nodes) }
                dt { "table" }
                dd { (settings.hash) " MiB" }
                dt { "pairs of games" }
                dd { (settings.iterations) }
                dt { "values of how many pairs before" }
                dd { (settings.delay) }
                dt { "seed" }
                dd { (settings.seed) }
                @for (name, value) in &settings.rules {
                    dt { (name) }
                    dd { (value) }
                }
                dt { "fingerprint of the settings" }
                dd { (course.fingerprint()) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::record::GameResult::{Draw, WhiteWin};
    use crate::spsa::journal::testing::{pair, settings};

    #[test]
    fn every_margin_has_its_course_from_the_first_pair_on() {
        let mut course = Course::new(settings(2000, 2));
        for pairs in [0, 1, 2, 1500] {
            while course.counted() < pairs {
                let next = course.counted() + 1;
                let pair = pair(&course, next, [WhiteWin, Draw]);
                course.enter(&pair).unwrap();
            }
            let page = page(&course);
            assert_eq!(page.matches("<svg ").count(), 3);
            for (margin, value) in tuned(&course) {
                assert!(page.contains(&format!("pairs of games: {} (", margin.name)));
                assert!(page.contains(&format!("<td>{}</td>", shown(margin, value))));
            }
            assert!(!page.contains("NaN") && !page.contains("inf\""));
            // Every chart holds no more points than can be told apart.
            assert!(page.len() < 100_000, "{}", page.len());
        }
    }

    #[test]
    fn the_axis_holds_all_values_within_the_range() {
        let margin = &settings(9, 1).margins[0];
        let (start, step) = (margin.start, margin.step);
        let line =
            |points: &[(f64, f64)], band: &[(f64, f64, f64)]| Curve { points: points.to_vec(), band: band.to_vec() };
        let around = range(margin, &line(&[(0.0, start)], &[]));
        assert!(around.start < start - step && around.end > start + step);
        let most = f64::from(margin.max);
        let wide = range(margin, &line(&[(0.0, start), (1.0, most)], &[]));
        assert!((wide.end - most).abs() < 1e-9 && wide.start < start - step);
        let banded = range(margin, &line(&[(0.0, start)], &[(0.0, 20.0, most)]));
        assert!(banded.start < 20.0 && (banded.end - most).abs() < 1e-9);
    }
}
