//! The standings as text for a terminal.

use std::fmt::{self, Display, Write};

use super::settings::TournamentSettings;
use super::stats::Statistics;
use super::strength::{Estimate, Wdl};
use crate::board::{Color, Komi};
use crate::notation::shown;

/// With more columns a crosstable is wider than a terminal.
const MOST_COLUMNS: usize = 10;
/// Longer names are cut.
const LONGEST_NAME: usize = 24;

/// The standings as lines of text.
#[must_use]
pub fn standings(settings: &TournamentSettings, statistics: &Statistics) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write!(text, "{}", Standings { settings, statistics });
    text
}

/// The engines, best first: by points a game, then in the order of the settings.
#[must_use]
pub(super) fn ranking(statistics: &Statistics) -> Vec<usize> {
    let rate = |engine| statistics.total(engine).wdl().score().unwrap_or(0.0);
    let mut engines: Vec<usize> = (0..statistics.engines()).collect();
    engines.sort_by(|&a, &b| rate(b).total_cmp(&rate(a)));
    engines
}

/// `6x6, komi 2, round-robin of 3 engines: 40 of 300 games`. A test may end with fewer games than planned.
#[must_use]
pub(super) fn headline(settings: &TournamentSettings, statistics: &Statistics) -> String {
    let komi = Komi::from_half(settings.half_komi.into()).unwrap_or_default();
    let size = settings.size;
    let planned = settings.schedule().pairings().map_or(0, |list| list.len());
    let opening =
        if settings.opening_rule.is_swap() { String::new() } else { format!("opening {}, ", settings.opening_rule) };
    let of = if settings.sprt.is_some() { "of at most" } else { "of" };
    format!(
        "{size}x{size}, komi {komi}, {opening}{} of {} engines: {} {of} {planned} games",
        settings.format,
        settings.engines.len(),
        statistics.games(),
    )
}

/// A name as it can be shown in a line: no control characters, not too long.
#[must_use]
pub(super) fn shown_name(settings: &TournamentSettings, engine: usize) -> String {
    let clean = shown(settings.name(engine));
    if clean.chars().count() <= LONGEST_NAME {
        return clean;
    }
    let start: String = clean.chars().take(LONGEST_NAME - 3).collect();
    start + "..."
}

/// `52.3 %`, or `-` for nothing.
#[must_use]
pub(super) fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

/// An Elo with its error, or `-` for nothing.
#[must_use]
pub(super) fn elo(estimate: Option<Estimate>) -> String {
    or_dash(estimate)
}

fn or_dash(value: Option<impl Display>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

struct Standings<'a> {
    settings: &'a TournamentSettings,
    statistics: &'a Statistics,
}

impl Display for Standings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", headline(self.settings, self.statistics))?;
        self.strength(f)?;
        if self.statistics.engines() > 2 {
            self.crosstable(f)?;
        }
        self.sprt(f)?;
        self.games(f)?;
        self.effort(f)
    }
}

impl Standings<'_> {
    fn strength(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Columns::new(&["engine", "games", "score", "results", "Elo", "nElo", "LOS"]);
        let mut counts = Columns::new(&["engine", "pairs 0 to 2", "draws", "as White", "as Black"]);
        for engine in ranking(self.statistics) {
            let score = self.statistics.total(engine);
            let wdl = score.wdl();
            table.row([
                self.name(engine),
                wdl.games().to_string(),
                percent(wdl.score()),
                wdl.to_string(),
                elo(score.pairs.elo()),
                elo(score.pairs.normalized_elo()),
                percent(score.pairs.superiority()),
            ]);
            counts.row([
                self.name(engine),
                score.pairs.to_string(),
                percent(wdl.draw_rate()),
                percent(score.by_color[Color::White].score()),
                percent(score.by_color[Color::Black].score()),
            ]);
        }
        write!(f, "\n{table}\n{counts}")
    }

    /// Points of the row's engine against the column's.
    fn crosstable(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranking = ranking(self.statistics);
        let shown = &ranking[..ranking.len().min(MOST_COLUMNS)];
        let numbers: Vec<String> = (1..=shown.len()).map(|number| number.to_string()).collect();
        let mut titles = vec!["", "points against"];
        titles.extend(numbers.iter().map(String::as_str));
        let mut table = Columns::new(&titles);
        for (number, &engine) in (1..).zip(&ranking) {
            let points = shown.iter().map(|&opponent| {
                let wdl = self.statistics.meeting(engine, opponent).wdl();
                match wdl.games() {
                    0 => "-".to_owned(),
                    games => format!("{}/{games}", wdl.points()),
                }
            });
            table.row([number.to_string(), self.name(engine)].into_iter().chain(points));
        }
        write!(f, "\n{table}")
    }

    fn sprt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(test) = &self.settings.sprt else {
            return Ok(());
        };
        let llr = test.log_likelihood_ratio(self.statistics.total(0).pairs);
        writeln!(f, "\nSPRT of {}: {test}", self.name(0))?;
        writeln!(f, "LLR {llr:.2} ({:.2}, {:.2}): {}", test.lower_bound(), test.upper_bound(), test.decision(llr))
    }

    fn games(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let white = self.statistics.white();
        let plies = self.statistics.mean_plies().map(|plies| format!("{plies:.1}"));
        writeln!(f, "\nWhite {white} ({}), mean length {} plies", percent(white.score()), or_dash(plies))?;
        let mut table = Columns::new(&["how games ended", "games", "share", "White", "drawn", "Black"]);
        for (termination, &Wdl { wins, draws, losses }) in &self.statistics.endings {
            let games = wins + draws + losses;
            let mut row = vec![termination.to_string(), games.to_string()];
            row.push(percent(Some(games as f64 / white.games() as f64)));
            row.extend([wins, draws, losses].map(|count| count.to_string()));
            table.row(row);
        }
        write!(f, "{table}")?;
        for (&(engine, termination), count) in &self.statistics.faults {
            let times = if *count == 1 { "once" } else { &format!("{count} times") };
            writeln!(f, "fault of {}: {termination}, {times}", self.name(engine))?;
        }
        Ok(())
    }

    fn effort(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table =
            Columns::new(&["engine", "moves", "mean depth", "nodes/s", "mean ms", "longest ms", "total s", "faults"]);
        for engine in ranking(self.statistics) {
            let effort = self.statistics.effort(engine);
            table.row([
                self.name(engine),
                effort.moves.to_string(),
                or_dash(effort.mean_depth().map(|depth| format!("{depth:.1}"))),
                or_dash(effort.nodes_per_second().map(|nps| format!("{nps:.0}"))),
                or_dash(effort.mean_ms().map(|ms| format!("{ms:.2}"))),
                format!("{:.1}", effort.longest_us as f64 / 1000.0),
                format!("{:.1}", effort.time_us as f64 / 1e6),
                self.statistics.faults_of(engine).to_string(),
            ]);
        }
        write!(f, "\n{table}")
    }

    fn name(&self, engine: usize) -> String {
        shown_name(self.settings, engine)
    }
}

/// Text in columns as wide as their widest entry: texts to the left, numbers to the right.
pub(crate) struct Columns {
    rows: Vec<Vec<String>>,
}

impl Columns {
    pub fn new(titles: &[&str]) -> Self {
        Self { rows: vec![titles.iter().map(|&title| title.to_owned()).collect()] }
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

impl Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (index, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                let is_text = index == 0 || self.rows[0][index] == "points against";
                let _ = if is_text { write!(line, "{cell:<width$}  ") } else { write!(line, "{cell:>width$}  ") };
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}
