//! The sections of the report, but for the games.

use std::fmt::Write as _;

use super::charts::{self, Line};
use super::{Report, escaped, figure, games, put, series};
use crate::arena::schedule::OpeningOrder;
use crate::arena::stats::Wdl;
use crate::arena::table::{elo, percent, shown_name};
use crate::board::Color;

/// With more engines charts and crosstable would not fit the page.
const MOST_ENGINES: usize = 24;
/// With more lines a chart cannot be read.
const MOST_LINES: usize = 6;

impl Report<'_> {
    pub fn standings(&self, html: &mut String) {
        put!(html, "<section>\n<h2>Standings</h2>");
        put!(
            html,
            "<div class=\"wide\"><table>\n<tr><th>#<th class=\"text\">engine<th>games<th>score<th>results<th>Elo\
            <th>nElo<th>LOS</tr>"
        );
        for (place, &engine) in (1..).zip(&self.ranking) {
            let score = self.statistics.total(engine);
            let wdl = score.wdl();
            put!(
                html,
                "<tr><td>{place}<td class=\"text name\">{}<td>{}<td>{}<td>{wdl}<td>{}<td>{}<td>{}</tr>",
                self.name(engine),
                wdl.games(),
                percent(wdl.score()),
                elo(score.pairs.elo()),
                elo(score.pairs.normalized_elo()),
                percent(score.pairs.superiority()),
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
        figure(html, &charts::estimates(against, &rows), &[]);
        self.pairs(html);
        put!(
            html,
            "<p class=\"note\">Elo, its 95 % error and the likelihood of superiority (LOS) come from complete pairs of \
            games with the same opening. nElo is Elo on the normalised scale.</p>\n</section>"
        );
    }

    /// The counts behind the standings.
    fn pairs(&self, html: &mut String) {
        put!(
            html,
            "<div class=\"wide\"><table>\n<tr><th class=\"text\">pairs of games by points\
            <th>0<th>½<th>1<th>1½<th>2<th>as White<th>as Black<th>draws</tr>"
        );
        for &engine in &self.ranking {
            let score = self.statistics.total(engine);
            put!(html, "<tr><td class=\"text name\">{}", self.name(engine));
            for count in score.pairs.0 {
                put!(html, "<td>{count}");
            }
            put!(
                html,
                "<td>{}<td>{}<td>{}</tr>",
                percent(score.by_color[Color::White].score()),
                percent(score.by_color[Color::Black].score()),
                percent(score.wdl().draw_rate()),
            );
        }
        put!(html, "</table></div>");
    }

    pub fn sprt(&self, html: &mut String) {
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

    pub fn crosstable(&self, html: &mut String) {
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
    pub fn course(&self, html: &mut String) {
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

    pub fn endings(&self, html: &mut String) {
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

    pub fn effort(&self, html: &mut String) {
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
                "<tr><td class=\"text name\">{}<td>{}<td>{}<td>{}<td>{} ms<td>{:.1} ms<td>{:.1} s<td>{}</tr>",
                self.name(engine),
                effort.moves,
                or_dash(effort.mean_depth(), 1),
                or_dash(effort.nodes_per_second(), 0),
                or_dash(effort.mean_ms(), 2),
                effort.longest_us as f64 / 1000.0,
                effort.time_us as f64 / 1e6,
                self.statistics.faults_of(engine),
            );
        }
        put!(html, "</table></div>\n</section>");
    }

    pub fn conditions(&self, html: &mut String) {
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
