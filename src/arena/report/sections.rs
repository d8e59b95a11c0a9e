//! The sections of the report, except the games.

use maud::{Markup, html};

use super::charts::{self, Curve};
use super::{Page, figure, games, series};
use crate::arena::stats::strength::Wdl;
use crate::arena::tournament::schedule::OpeningOrder;
use crate::arena::tournament::standings::{self, percent, shown_name};
use crate::html::table::{Table, list};

/// With more engines charts and crosstable would not fit the page.
const MAX_CROSSTABLE_ENGINES: usize = 24;
/// With more lines a chart cannot be read.
const MAX_CURVES: usize = 6;

impl Page<'_> {
    pub fn standings(&self) -> Markup {
        let estimates: Vec<_> = self
            .ranking
            .iter()
            .take(MAX_CROSSTABLE_ENGINES)
            .map(|&engine| (shown_name(self.settings, engine), self.statistics.total(engine).pairs.elo()))
            .collect();
        let against = if self.settings.engines.len() > 2 {
            "Elo against all opponents, with 95 % error"
        } else {
            "Elo, with 95 % error"
        };
        html! {
            section {
                h2 { "Standings" }
                (standings::strength(self.settings, self.statistics))
                (figure(&charts::estimates(against, &estimates), &[]))
                (standings::pairs(self.settings, self.statistics))
                p.note {
                    "Elo, its 95 % error and the likelihood of superiority (LOS) come from complete pairs of games \
                    with the same opening, which are counted by points from 0 to 2. nElo is Elo on the normalised scale."
                }
            }
        }
    }

    pub fn sprt(&self) -> Markup {
        let Some(test) = &self.settings.sprt else {
            return Markup::default();
        };
        let state = self.statistics.test_state();
        let (lower, upper) = (test.lower_bound(), test.upper_bound());
        let line = Curve { points: series::llr(test, self.games), band: Vec::new() };
        let reach = line.points.iter().map(|point| point.1.abs()).fold(upper.max(-lower), f64::max) * 1.1;
        let chart = charts::lines(
            "games played: log-likelihood ratio and its bounds",
            &[line],
            &[lower, 0.0, upper],
            -reach..reach,
            &|llr| format!("{llr:.1}"),
        );
        html! {
            section {
                h2 { "Sequential test" }
                p { "Is " (self.name(0)) " stronger than " (self.name(1)) "? " (test) "." }
                p { strong { (state.describe(test)) } "." }
                (figure(&chart, &[]))
            }
        }
    }

    pub fn crosstable(&self) -> Markup {
        let shown = &self.ranking[..self.ranking.len().min(MAX_CROSSTABLE_ENGINES)];
        html! {
            section {
                h2 { "Crosstable" }
                div.wide {
                    table {
                        tr {
                            th { "#" } th.text { "points against" }
                            @for number in 1..=shown.len() { th { (number) } }
                        }
                        @for (place, &engine) in (1..).zip(&self.ranking) {
                            tr {
                                td { (place) }
                                td.text.name { (self.name(engine)) }
                                @for &opponent in shown { (self.crosstable_cell(engine, opponent)) }
                            }
                        }
                    }
                }
                p.note { "Each entry leads to its games." }
                @if self.ranking.len() > shown.len() {
                    p.note { "Only the first " (MAX_CROSSTABLE_ENGINES) " engines have a column." }
                }
            }
        }
    }

    fn crosstable_cell(&self, engine: usize, opponent: usize) -> Markup {
        let wdl = self.statistics.meeting(engine, opponent).wdl();
        let Some(score) = wdl.score() else {
            return html! { td.none {} };
        };
        let shade = (score * 100.0).round();
        html! {
            td.cell style={ "--score:" (shade) "%" } {
                a href={ "#" (games::anchor(engine, opponent)) } title=(wdl) {
                    (wdl.points()) "/" (wdl.games())
                }
            }
        }
    }

    pub fn course(&self) -> Markup {
        // For two engines one line is enough.
        let engines: Vec<usize> = match self.settings.engines.len() {
            2 => vec![0],
            _ => self.ranking.iter().copied().take(MAX_CURVES).collect(),
        };
        let lines: Vec<Curve> = engines
            .iter()
            .map(|&engine| {
                let (points, band) = series::score(engine, self.games);
                Curve { points, band: if engines.len() == 1 { band } else { Vec::new() } }
            })
            .collect();
        let chart = charts::lines(
            "games played in the tournament",
            &lines,
            &[0.5],
            series::range_of_scores(&lines),
            &|score| format!("{:.0} %", 100.0 * score),
        );
        let names = (1..)
            .zip(&engines)
            .map(|(number, &engine)| (format!("series-{number}"), shown_name(self.settings, engine)));
        let legend: Vec<_> = names.filter(|_| engines.len() > 1).collect();
        html! {
            section {
                h2 { "Score over time" }
                (figure(&chart, &legend))
                @if let [only] = engines[..] {
                    p.note { "Score of " (self.name(only)) " in complete pairs, with the 95 % band." }
                } @else if engines.len() < self.ranking.len() {
                    p.note { "The best " (MAX_CURVES) " engines." }
                }
            }
        }
    }

    pub fn endings(&self) -> Markup {
        let rows: Vec<(String, Wdl)> =
            self.statistics.endings.iter().map(|(termination, &wdl)| (termination.to_string(), wdl)).collect();
        let legend = [("white", "White wins"), ("drawn", "draws"), ("black", "Black wins")]
            .map(|(color, text)| (color.to_owned(), text.to_owned()));
        let lengths = series::histogram(&self.statistics.lengths);
        let white = self.statistics.white();
        html! {
            section {
                h2 { "How games ended" }
                (figure(&charts::results("games", &rows), &legend))
                p {
                    "White scored " (percent(white.score())) " (" (white) ")."
                    @if let Some(plies) = self.statistics.mean_plies() {
                        (format_args!(" A game took {plies:.1} plies on average."))
                    }
                }
                @if !self.statistics.faults.is_empty() { (self.faults()) }
                h2 { "Length of games" }
                (figure(&charts::columns("length of a game in plies", &lengths), &[]))
            }
        }
    }

    fn faults(&self) -> Table {
        let rows =
            self.statistics.faults.iter().map(|(&(engine, fault), count)| {
                [shown_name(self.settings, engine), fault.to_string(), count.to_string()]
            });
        Table { texts: 2, ..Table::new(["engine at fault", "fault", "games"], rows) }
    }

    pub fn effort(&self) -> Markup {
        html! {
            section {
                h2 { "Speed and time" }
                (standings::effort(self.settings, self.statistics))
            }
        }
    }

    pub fn conditions(&self) -> Markup {
        let settings = self.settings;
        let order = match settings.order {
            OpeningOrder::Sequential => "in order",
            OpeningOrder::Shuffled => "shuffled",
        };
        let suite = format!("{}, {order}, hash {}", settings.openings, settings.openings_hash);
        let values = [
            ("openings", suite),
            ("seed", settings.seed.to_string()),
            ("games for each two engines", settings.games.to_string()),
        ];
        let rules = settings.rules.iter().map(|(name, value)| (name.as_str(), value.clone()));
        let fingerprint = ("fingerprint of the settings", settings.fingerprint());
        let engines = settings
            .engines
            .iter()
            .enumerate()
            .map(|(engine, entry)| [shown_name(settings, engine), entry.time.clone(), entry.settings.clone()]);
        html! {
            section {
                h2 { "Conditions" }
                (Table { texts: 3, ..Table::new(["engine", "time", "settings"], engines) })
                (list(values.into_iter().chain(rules).chain([fingerprint])))
            }
        }
    }
}
