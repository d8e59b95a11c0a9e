//! The report: one HTML page that needs nothing else, neither network nor scripts.

mod charts;
mod games;
mod sections;
mod series;

use maud::{Markup, html};

use crate::arena::record::GameRecord;
use crate::arena::tournament::settings::TournamentSettings;
use crate::arena::tournament::standings::{headline, ranking, shown_name};
use crate::arena::tournament::statistics::Statistics;
use crate::html;

pub fn page(settings: &TournamentSettings, statistics: &Statistics, games: &[GameRecord]) -> String {
    let page = Page { settings, statistics, games, ranking: ranking(statistics) };
    let subject = headline(settings, statistics);
    html::page("Tak tournament", &html! { (subject) }, STYLE, &page.sections())
}

pub use games::anchor;

/// The sections about all games together.
pub fn overview(settings: &TournamentSettings, statistics: &Statistics, games: &[GameRecord]) -> Markup {
    Page { settings, statistics, games, ranking: ranking(statistics) }.overview()
}

/// The colours of the charts and of the crosstable.
pub(crate) const STYLE: &str = include_str!("report.css");

/// The title of the page and its introduction.
struct Page<'a> {
    settings: &'a TournamentSettings,
    statistics: &'a Statistics,
    games: &'a [GameRecord],
    /// Engines, best first.
    ranking: Vec<usize>,
}

/// A chart below its legend. The legend has a name of the style sheet and a text for each colour.
fn figure(chart: &Markup, legend: &[(String, String)]) -> Markup {
    html! {
        figure {
            @if !legend.is_empty() {
                figcaption {
                    @for (color, text) in legend {
                        span { i style={ "background:var(--" (color) ")" } {} bdi { (text) } }
                    }
                }
            }
            (chart)
        }
    }
}

impl Page<'_> {
    fn sections(&self) -> Markup {
        html! {
            (self.overview())
            @if !self.games.is_empty() { (self.meetings()) }
        }
    }

    fn overview(&self) -> Markup {
        if self.games.is_empty() {
            return html! {
                section { p { "No game is over yet." } }
                (self.conditions())
            };
        }
        html! {
            (self.standings())
            (self.sprt())
            (self.crosstable())
            (self.course())
            (self.endings())
            (self.effort())
            (self.conditions())
        }
    }

    fn name(&self, engine: usize) -> Markup {
        html::isolated(&shown_name(self.settings, engine))
    }
}
