//! The report: one HTML page that needs nothing else, neither network nor scripts.

mod charts;
mod games;
mod series;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use self::charts::Line;
use super::record::{GameRecord, TournamentSettings};
use super::schedule::OpeningOrder;
use super::stats::{Statistics, Wdl};
use super::table::{elo, headline, percent, ranking, shown_name};
use crate::board::Color;

/// With more engines charts and crosstable would not fit the page.
const MOST_ENGINES: usize = 24;
/// With more lines a chart cannot be read.
const MOST_LINES: usize = 6;

/// Writes the report to a file. The file is replaced at once: a reader sees the old page or the whole of the other.
///
/// # Errors
/// When the file cannot be written; it is then as it was.
pub fn write(path: &Path, settings: &TournamentSettings, games: &[GameRecord]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let write = || {
        let mut file = File::create(&temporary)?;
        file.write_all(page(settings, games).as_bytes())?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().inspect_err(|_| {
        // What is left of it is of no use, and the error that matters is the first one.
        let _ = fs::remove_file(&temporary);
    })
}

/// The whole page.
#[must_use]
pub fn page(settings: &TournamentSettings, games: &[GameRecord]) -> String {
    let statistics = Statistics::of(settings.engines.len(), games);
    let report = Report {
        settings,
        statistics: &statistics,
        games,
        ranking: ranking(&statistics),
    };
    let mut html = String::new();
    report.write(&mut html);
    html
}

/// Text with everything that means something in HTML made harmless.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' => safe.push(c),
            c if c.is_control() => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

struct Report<'a> {
    settings: &'a TournamentSettings,
    statistics: &'a Statistics,
    games: &'a [GameRecord],
    /// Engines, best first.
    ranking: Vec<usize>,
}

/// Writes to a string, which cannot fail.
macro_rules! put {
    ($html:expr, $($arg:tt)*) => {{
        let _ = writeln!($html, $($arg)*);
    }};
}
use put;

/// A chart, and above it what its colours mean: classes of the style sheet with texts in HTML.
fn figure(html: &mut String, chart: &str, legend: &[(String, String)]) {
    put!(html, "<figure>");
    if !legend.is_empty() {
        put!(html, "<figcaption>");
        for (class, text) in legend {
            put!(
                html,
                "<span><i style=\"background:var(--{class})\"></i>{text}</span>"
            );
        }
        put!(html, "</figcaption>");
    }
    put!(html, "{chart}</figure>");
}

impl Report<'_> {
    fn write(&self, html: &mut String) {
        let style = include_str!("page.css");
        let title = escaped(&headline(self.settings, self.statistics));
        put!(
            html,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"
        );
        put!(
            html,
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
        );
        put!(
            html,
            "<title>Tak tournament: {title}</title>\n<style>\n{style}</style>\n</head>"
        );
        put!(
            html,
            "<body>\n<header>\n<h1>Tak tournament</h1>\n<p>{title}</p>\n</header>\n<main>"
        );
        self.standings(html);
        self.sprt(html);
        self.crosstable(html);
        self.course(html);
        self.endings(html);
        self.effort(html);
        self.conditions(html);
        games::write(self, html);
        put!(html, "</main>\n</body>\n</html>");
    }

    /// A name for HTML.
    fn name(&self, engine: usize) -> String {
        escaped(&shown_name(self.settings, engine))
    }

    fn standings(&self, html: &mut String) {
        put!(html, "<section>\n<h2>Standings</h2>");
        put!(
            html,
            "<div class=\"wide\"><table>\n<tr><th>#<th class=\"text\">engine<th>games<th>score<th>results<th>Elo\
            <th>nElo<th>LOS<th>draws<th>as White<th>as Black</tr>"
        );
        for (place, &engine) in (1..).zip(&self.ranking) {
            let score = self.statistics.total(engine);
            let wdl = score.wdl();
            put!(
                html,
                "<tr><td>{place}<td class=\"text name\">{}<td>{}<td>{}<td>{wdl}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}</tr>",
                self.name(engine),
                wdl.games(),
                percent(wdl.score()),
                elo(score.pairs.elo()),
                elo(score.pairs.normalized_elo()),
                percent(score.pairs.superiority()),
                percent(wdl.draw_rate()),
                percent(score.by_color[Color::White].score()),
                percent(score.by_color[Color::Black].score()),
            );
        }
        put!(html, "</table></div>");
        let rows: Vec<_> = self
            .ranking
            .iter()
            .take(MOST_ENGINES)
            .map(|&engine| {
                let name = shown_name(self.settings, engine);
                (name, self.statistics.total(engine).pairs.elo())
            })
            .collect();
        let against = if self.settings.engines.len() > 2 {
            "Elo against all opponents, with 95 % error"
        } else {
            "Elo, with 95 % error"
        };
        put!(
            html,
            "<figure>{}</figure>",
            charts::estimates(against, &rows)
        );
        put!(
            html,
            "<p class=\"note\">Elo, its 95 % error and the likelihood of superiority (LOS) come from complete pairs of \
            games with the same opening. nElo is Elo on the normalised scale.</p>\n</section>"
        );
    }

    fn sprt(&self, html: &mut String) {
        let Some(test) = &self.settings.sprt else {
            return;
        };
        let llr = test.log_likelihood_ratio(self.statistics.total(0).pairs);
        let (lower, upper) = (test.lower_bound(), test.upper_bound());
        put!(html, "<section>\n<h2>Sequential test</h2>");
        put!(
            html,
            "<p>Is {} stronger than {}? {test}.</p>\n<p><strong>LLR {llr:.2}</strong> ({lower:.2}, {upper:.2}): \
            <strong>{}</strong></p>",
            self.name(0),
            self.name(1),
            test.decision(llr),
        );
        let line = Line {
            points: series::llr(test, self.games),
            band: Vec::new(),
        };
        let reach = line
            .points
            .iter()
            .map(|point| point.1.abs())
            .fold(upper.max(-lower), f64::max)
            * 1.1;
        let chart = charts::lines(
            "games played: log-likelihood ratio and its bounds",
            &[line],
            &[lower, 0.0, upper],
            -reach..reach,
            &|llr| format!("{llr:.1}"),
        );
        figure(html, &chart, &[]);
        put!(html, "</section>");
    }

    fn crosstable(&self, html: &mut String) {
        let shown = &self.ranking[..self.ranking.len().min(MOST_ENGINES)];
        put!(
            html,
            "<section>\n<h2>Crosstable</h2>\n<div class=\"wide\"><table>\n<tr><th>#<th class=\"text\">points against"
        );
        for number in 1..=shown.len() {
            put!(html, "<th>{number}");
        }
        put!(html, "</tr>");
        for (place, &engine) in (1..).zip(&self.ranking) {
            put!(
                html,
                "<tr><td>{place}<td class=\"text\">{}",
                self.name(engine)
            );
            for &opponent in shown {
                let wdl = self.statistics.meeting(engine, opponent).wdl();
                let Some(score) = wdl.score() else {
                    put!(html, "<td class=\"none\">");
                    continue;
                };
                let shade = (score * 100.0).round();
                put!(
                    html,
                    "<td class=\"cell\" style=\"--score:{shade}%\"><a href=\"#{}\" title=\"{wdl}\">{}/{}</a>",
                    games::anchor(engine, opponent),
                    wdl.points(),
                    wdl.games(),
                );
            }
            put!(html, "</tr>");
        }
        put!(
            html,
            "</table></div>\n<p class=\"note\">Each entry leads to its games.</p>"
        );
        if self.ranking.len() > shown.len() {
            put!(
                html,
                "<p class=\"note\">Only the first {MOST_ENGINES} engines have a column.</p>"
            );
        }
        put!(html, "</section>");
    }

    /// The score over time.
    fn course(&self, html: &mut String) {
        // Of two engines one line says it all.
        let engines: Vec<usize> = match self.settings.engines.len() {
            2 => vec![0],
            _ => self.ranking.iter().copied().take(MOST_LINES).collect(),
        };
        let lines: Vec<Line> = engines
            .iter()
            .map(|&engine| {
                let (points, band) = series::score(engine, self.games);
                Line {
                    points,
                    band: if engines.len() == 1 { band } else { Vec::new() },
                }
            })
            .collect();
        let range = series::range_of_scores(&lines);
        put!(html, "<section>\n<h2>Score over time</h2>");
        let chart = charts::lines(
            "games played in the tournament",
            &lines,
            &[0.5],
            range,
            &|score| format!("{:.0} %", 100.0 * score),
        );
        let names = (1..)
            .zip(&engines)
            .map(|(number, &engine)| (format!("series-{number}"), self.name(engine)));
        let legend: Vec<_> = names.filter(|_| engines.len() > 1).collect();
        figure(html, &chart, &legend);
        match engines[..] {
            [only] => put!(
                html,
                "<p class=\"note\">Score of {} in complete pairs, with the 95 % band.</p>",
                self.name(only)
            ),
            _ if engines.len() < self.ranking.len() => {
                put!(html, "<p class=\"note\">The best {MOST_LINES} engines.</p>");
            }
            _ => {}
        }
        put!(html, "</section>");
    }

    fn endings(&self, html: &mut String) {
        put!(html, "<section>\n<h2>How games ended</h2>");
        let rows: Vec<(String, Wdl)> = self
            .statistics
            .endings
            .iter()
            .map(|(termination, &wdl)| (termination.to_string(), wdl))
            .collect();
        let legend = [
            ("white", "White wins"),
            ("drawn", "draws"),
            ("black", "Black wins"),
        ]
        .map(|(class, text)| (class.to_owned(), text.to_owned()));
        figure(html, &charts::results("games", &rows), &legend);
        let white = self.statistics.white();
        put!(
            html,
            "<p>White scored {} ({white}). ",
            percent(white.score())
        );
        if let Some(plies) = self.statistics.mean_plies() {
            put!(html, "A game took {plies:.1} plies on average.");
        }
        put!(html, "</p>");
        if !self.statistics.faults.is_empty() {
            put!(
                html,
                "<table>\n<tr><th class=\"text\">engine at fault<th class=\"text\">fault<th>games</tr>"
            );
            for (&(engine, fault), count) in &self.statistics.faults {
                let name = self.name(engine);
                put!(
                    html,
                    "<tr><td class=\"text name\">{name}<td class=\"text\">{fault}<td>{count}</tr>"
                );
            }
            put!(html, "</table>");
        }
        let columns = series::histogram(&self.statistics.lengths);
        let chart = charts::columns("length of a game in plies", &columns);
        put!(
            html,
            "<h2>Length of games</h2>\n<figure>{chart}</figure>\n</section>"
        );
    }

    fn effort(&self, html: &mut String) {
        put!(
            html,
            "<section>\n<h2>Speed and time</h2>\n<div class=\"wide\"><table>"
        );
        put!(
            html,
            "<tr><th class=\"text\">engine<th>moves<th>mean depth<th>nodes/s<th>mean time<th>longest time\
            <th>total time<th>faults</tr>"
        );
        let or_dash = |value: Option<f64>, digits| {
            value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
        };
        for &engine in &self.ranking {
            let effort = self.statistics.effort(engine);
            put!(
                html,
                "<tr><td class=\"text name\">{}<td>{}<td>{}<td>{}<td>{} ms<td>{} ms<td>{:.1} s<td>{}</tr>",
                self.name(engine),
                effort.moves,
                or_dash(effort.mean_depth(), 1),
                or_dash(effort.nodes_per_second(), 0),
                or_dash(effort.mean_ms(), 1),
                effort.longest_ms,
                effort.time_ms as f64 / 1000.0,
                self.statistics.faults_of(engine),
            );
        }
        put!(html, "</table></div>\n</section>");
    }

    fn conditions(&self, html: &mut String) {
        let settings = self.settings;
        put!(
            html,
            "<section>\n<h2>Conditions</h2>\n<div class=\"wide\"><table>"
        );
        put!(
            html,
            "<tr><th class=\"text\">engine<th class=\"text\">time<th class=\"text\">settings</tr>"
        );
        for (engine, entry) in settings.engines.iter().enumerate() {
            put!(
                html,
                "<tr><td class=\"text name\">{}<td class=\"text\">{}<td class=\"text\">{}</tr>",
                self.name(engine),
                escaped(&entry.time),
                escaped(&entry.settings),
            );
        }
        put!(html, "</table></div>\n<dl>");
        let order = match settings.order {
            OpeningOrder::Sequential => "in order",
            OpeningOrder::Shuffled => "shuffled",
        };
        put!(
            html,
            "<dt>openings<dd>{}, {order}, hash {}\n<dt>seed<dd>{}\n<dt>games for each two engines<dd>{}",
            settings.openings,
            escaped(&settings.openings_hash),
            settings.seed,
            settings.games,
        );
        for (name, value) in &settings.rules {
            put!(html, "<dt>{}<dd>{}", escaped(name), escaped(value));
        }
        put!(
            html,
            "<dt>fingerprint of the settings<dd>{}\n</dl>\n</section>",
            settings.fingerprint()
        );
    }
}
